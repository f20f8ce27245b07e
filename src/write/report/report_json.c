/* SPDX-License-Identifier: GPL-2.0-or-later */
/* `report --format=json`: one object; times are in microseconds, unknown values are null. The
 * members are in flametty-output(5). Members may be added, but never changed or removed. */
#include "config.h"

#include "write/report/report_json.h"

#include "analyse/rows/rows_walk.h"
#include "analyse/scope.h"
#include "analyse/totals.h"
#include "analyse/view/view.h"
#include "base/alloc.h"
#include "base/sort.h"
#include "base/thread.h"
#include "base/units.h"
#include "draw/standout.h"
#include "model/function_id.h"
#include "model/profile.h"
#include "write/report/gates.h"
#include "write/report/gather.h"
#include "write/report/json_out.h"
#include "write/report/report_lists.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ==== lane sums ====
 *
 * Each lane has a view and totals of its own; the sums by frame add them up. The arrays by frame
 * serve all lanes, one after the other: only the sums of the frames in the list are cleared. */

struct sort_key {
	int64_t self, total;
	const char *name;
	frame_id frame;
};

SORT_ORDER(heaviest_first, struct sort_key,
	   SORT_BY_4(y->self, x->self, y->total, x->total, strcmp(x->name, y->name), 0, x->frame,
		     y->frame))

/* The sum of a frame of the lane's view, which is listed from now on. */
static struct row_sum *get_sum(struct lane_sums *o, frame_id frame)
{
	frame_id id = view_frame_id(&o->view, frame);
	struct row_sum *sum = &o->sums[id];

	if (!sum->is_listed) {
		sum->is_listed = true;
		o->frames[o->n_frames++] = id;
	}
	return sum;
}

static void add_sums(struct lane_sums *o, const struct totals *totals)
{
	struct totals_counts counts;
	struct functions functions;

	totals_leaves(totals, &counts);
	for (frame_id f = 1; f < totals->n_frames; f++) {
		struct row_sum *sum;

		/* A frame that is not in use has no time, no spans and no samples. */
		if (!totals->frame_total[f] && !counts.is_used[f])
			continue;
		sum = get_sum(o, f);
		sum->self += totals->frame_self[f];
		sum->total += totals->frame_total[f];
		sum->self_samples += counts.self_samples[f];
		sum->is_used = true;
	}
	totals_counts_done(&counts);
	/* The lengths of spans, which need a pass over all spans. */
	functions_init(&functions, &o->view, o->options->scope.t0, o->options->scope.t1);
	for (frame_id f = 1; f < functions.n; f++) {
		if (functions.list[f].n_spans)
			functions_add(&get_sum(o, f)->counts, &functions.list[f]);
	}
	functions_done(&functions);
}

static void sort_functions(struct lane_sums *o)
{
	const struct profile *p = o->profile;
	ALLOC_LOCAL struct sort_key *keys = xmalloc((size_t)o->n_frames * sizeof *keys);

	o->n = 0;
	for (uint32_t i = 0; i < o->n_frames; i++) {
		frame_id f = o->frames[i];
		const struct row_sum *sum = &o->sums[f];

		if (sum->is_used && (!o->is_row || o->is_row[f]))
			keys[o->n++] = (struct sort_key){ sum->self, sum->total,
							  profile_text(p, p->frames.frames[f].name),
							  f };
	}
	qsort(keys, o->n, sizeof *keys, heaviest_first);
	for (uint32_t i = 0; i < o->n; i++) {
		o->order[i] = keys[i].frame;
		o->index[keys[i].frame] = i;
	}
}

static void release(struct lane_sums *o)
{
	totals_done(&o->totals);
	view_done(&o->view);
	o->held = NULL;
}

/* Make the view of a lane in which each slice is of the function that has the name of its event. */
static void view_of_events(struct lane_sums *o, const struct lane *lane)
{
	struct view_work *work = view_begin(&o->view, o->profile, &lane, 1,
					    &(struct view_plan){ .match = o->events });

	if (!work || !view_work(work, BUDGET_UNLIMITED))
		die("%s: too many nodes", profile_text(o->profile, lane->name));
	view_end(work);
}

/* Whether slices of the lane are called by what they run. */
static bool has_runs(const struct lane_sums *o, const struct lane *lane)
{
	bool has = false;

	for (node_id i = 1; o->events && lane->kind != LANE_SAMPLES && !has && i < lane->tree.n;
	     i++)
		has = o->events[lane->tree.frame[i]] != lane->tree.frame[i];
	return has;
}

/* The totals of one of these lanes: of o->lane + i, 0 <= i < n_lanes. They last until the next
 * call: many joined lanes would need much memory all at once. */
static const struct totals *lane_sums_totals(struct lane_sums *o, uint32_t i)
{
	const struct scope *scope = &o->options->scope;

	if (o->held != o->lane + i) {
		release(o);
		o->held = o->lane + i;
		if (!o->has_runs && has_runs(o, o->held))
			view_of_events(o, o->held);
		else
			view_init_lane(&o->view, o->profile, o->held);
		totals_init(&o->totals, &o->view);
		totals_compute(&o->totals, scope->t0, scope->t1);
	}
	return &o->totals;
}

/* Compute the sums of `lane` and the lanes joined to it, in the range of the options, in place of
 * those of the lane before. The cost follows their nodes, not the frames of the profile. */
static void lane_sums_compute(struct lane_sums *o, const struct lane *lane)
{
	for (uint32_t i = 0; i < o->n_frames; i++)
		o->sums[o->frames[i]] = (struct row_sum){ 0 };
	for (uint32_t i = 0; i < o->n; i++)
		o->index[o->order[i]] = 0;
	o->n_frames = 0;
	o->lane = lane;
	o->n_lanes = lane_count_joined(lane, o->profile->lanes + o->profile->n_lanes);
	o->sampled_ns = 0;
	for (uint32_t i = 0; i < o->n_lanes; i++) {
		const struct totals *totals = lane_sums_totals(o, i);

		add_sums(o, totals);
		o->sampled_ns += totals->sampled_ns;
	}
	sort_functions(o);
}

/* --filter removes no rows if parts of --with refer to them. */
static uint8_t *find_rows(const struct lane_sums *o)
{
	struct error err = ERROR_INIT;

	if (!o->options->scope.filter || o->options->with)
		return NULL;
	return frame_set_find(o->profile, o->profile->frames.frames, o->profile->frames.n,
			      o->options->scope.filter, &err);
}

/* See struct lane_sums. */
static frame_id *find_events(const struct profile *p)
{
	const struct frame *frames = p->frames.frames;
	ALLOC_LOCAL frame_id *plain = NULL;
	frame_id *events = NULL;

	for (frame_id f = 1; f < p->frames.n && !events; f++)
		events = frames[f].event ? xmalloc(p->frames.n * sizeof *events) : NULL;
	if (!events)
		return NULL;
	/* By name; marks after slices. */
	plain = xcalloc((size_t)p->strings.n * 2 + 2, sizeof *plain);
	for (frame_id f = 0; f < p->frames.n; f++)
		if (frame_is_slice(&frames[f]) && !frames[f].event && !frames[f].url)
			plain[frames[f].name * 2 + (frames[f].category == CATEGORY_MARK)] = f;
	for (frame_id f = 0; f < p->frames.n; f++) {
		frame_id of = plain[frames[f].event * 2 + (frames[f].category == CATEGORY_MARK)];

		events[f] = frames[f].event && of ? of : f;
	}
	return events;
}

/* Borrows the arguments. */
static void lane_sums_init(struct lane_sums *o, const struct scoped *scoped,
			   const struct report_options *options)
{
	size_t n = scoped->profile->frames.n;

	*o = (struct lane_sums){ .profile = scoped->profile,
				 .scoped = scoped,
				 .options = options,
				 .hit_ns = lane_value_hit_ns(scoped->profile) };
	o->is_row = find_rows(o);
	o->events = find_events(o->profile);
	o->sums = xcalloc(n, sizeof *o->sums);
	o->frames = xmalloc(n * sizeof *o->frames);
	o->index = xcalloc(n, sizeof *o->index);
	o->order = xmalloc(n * sizeof *o->order);
}

static void lane_sums_done(struct lane_sums *o)
{
	release(o);
	free(o->is_row);
	free(o->events);
	free(o->sums);
	free(o->frames);
	free(o->index);
	free(o->order);
}

/* ==== json summary ====
 *
 * Members that do not apply are null. Shares and scores have six decimals. */

static void add_named_function(struct json_writer *w, const struct profile *p, const char *name,
			       frame_id frame)
{
	json_put(w, json_line(3),
		 frame == FRAME_NONE ? json_raw(name, "null") : json_begin(name, "{"));
	if (frame == FRAME_NONE)
		return;
	json_out_frame(w, p, &p->frames.frames[frame]);
	json_put(w, json_end("}"));
}

static void add_finding(struct json_writer *w, const struct profile *p,
			const struct findings_all *all, const struct findings_joined *joined)
{
	const struct finding *f = joined->f;
	bool is_joined = joined->n_lanes > 1;

	json_put(w, json_begin(NULL, "{"), json_string("kind", findings_kind_name(f->kind)),
		 json_integer("lane", f->lane->id), json_out_member(p, "start", f->t0),
		 json_out_member(p, "duration", f->t1 - f->t0), json_out_member(p, "time", f->ns),
		 json_decimals("share", f->whole > 0 ? (double)f->ns / (double)f->whole : 0, 6),
		 json_decimals("score", f->score / 1e6, 6), json_line(3),
		 json_string("text", f->text));
	add_named_function(w, p, "function", f->function);
	add_named_function(w, p, "under", f->under);
	json_put(w, json_line(3), json_string("mechanism", f->mechanism), json_begin("notes", "["));
	for (uint32_t i = 0; i < f->n_notes; i++)
		json_put(w, json_string(NULL, f->notes[i]));
	json_put(w, json_end("]"), json_if(is_joined, json_line(3)),
		 json_if(is_joined, json_begin("lanes", "{")),
		 json_if(is_joined, json_integer("n", joined->n_lanes)),
		 json_if(is_joined, json_integer("of", all->n_results)),
		 json_if(is_joined,
			 json_decimals("share", joined->whole > 0 ? joined->ns / joined->whole : 0,
				       6)),
		 json_if(is_joined, json_decimals("least", joined->least, 6)),
		 json_if(is_joined, json_decimals("most", joined->most, 6)),
		 json_if(is_joined, json_end("}")), json_end("}"));
}

static void add_scope(struct json_writer *w, const struct gathered *g)
{
	const struct profile *p = g->profile;
	const struct scope *scope = &g->options->scope;
	BUF_LOCAL text = { 0 };

	json_put(w, json_line(1), json_begin("scope", "{"), json_begin("transforms", "["));
	for (size_t i = 0; i < scope->n_transforms; i++) {
		scope_describe_transform(scope, g->scoped->original, i, &text);
		json_put(w, json_text(NULL, buf_text(&text), text.len));
		buf_clear(&text);
	}
	json_put(w, json_end("]"));
	buf_adds(&text, scope->group >= GROUP_LABEL ? "label:" : "");
	buf_adds(&text, view_group_name(g->scoped->original, scope->group));
	json_put(w, json_text("group", buf_text(&text), text.len));
	json_put(w, json_boolean("idle", scope->has_idle), json_string("filter", scope->filter),
		 json_integer("lanes", g->profile->n_lanes),
		 json_integer("of_lanes", g->scoped->original->n_lanes), json_end("}"));
	if (p->labels.n_keys)
		json_put(w, json_line(1), json_begin("labels", "["));
	for (uint32_t i = 0; i < p->labels.n_keys; i++)
		json_put(w, json_string(NULL, profile_text(p, p->labels.keys[i].name)));
	json_put(w, json_if(p->labels.n_keys, json_end("]")));
}

static void add_times(struct json_writer *w, const struct gathered *g)
{
	int64_t gc = summary_gc(g->functions), program = summary_program(&g->totals);

	json_put(w, json_line(1), json_begin("summary", "{"), json_begin("lanes", "["));
	for (uint32_t i = 0; i < g->n_lanes; i++)
		json_put(w, json_integer(NULL, g->lanes[i]->id));
	json_put(w, json_end("]"), json_out_member(g->profile, "range", g->range_ns),
		 json_out_member(g->profile, "sampled", g->totals.sampled_ns),
		 json_out_member(g->profile, "dropped", g->dropped_ns),
		 json_out_member(g->profile, "unsampled", g->unsampled_ns),
		 json_out_member(g->profile, "busy",
				 g->totals.sampled_ns - g->totals.idle_ns - gc - program),
		 json_out_member(g->profile, "idle", g->totals.idle_ns),
		 json_out_member(g->profile, "program", program),
		 json_out_member(g->profile, "gc", gc),
		 json_out_member(g->profile, "whole", g->whole_ns));
}

static void add_standouts(struct json_writer *w, const struct gathered *g)
{
	struct standout list[STANDOUT_COUNT];
	size_t n = gather_standouts(g, list);
	BUF_LOCAL text = { 0 };

	json_put(w, json_line(2), json_begin("standouts", "["));
	for (size_t i = 0; i < n; i++) {
		standout_format(g->profile, &list[i], g->n_originals > 1, 1000,
				&(struct place_clock){ 0 }, &text);
		json_put(w, json_begin(NULL, "{"), json_string("kind", standout_name(list[i].kind)),
			 json_text("text", buf_text(&text), text.len), json_end("}"));
		buf_clear(&text);
	}
	json_put(w, json_end("]"));
}

/* The figures of the text report, for programs: all lanes of calls in the scope together. */
static void add_summary(struct json_writer *w, const struct scoped *scoped,
			const struct report_options *options)
{
	struct gathered g;
	struct report_out out = { .g = &g,
				  .profile = scoped->profile,
				  .options = options,
				  .json = w,
				  .rows_max = SIZE_MAX };
	frame_id frame;
	uint32_t times;
	const struct findings_all *all;

	gather_init(&g, scoped, options, GATHER_ALL);
	all = &g.findings;
	json_put(w, json_line(1), json_begin("findings", "["));
	for (uint32_t i = 0; i < all->n_joined; i++) {
		json_put(w, json_line(2));
		add_finding(w, g.profile, all, &all->joined[i]);
	}
	json_put(w, json_end("]"));
	if (all->n_left)
		json_put(w, json_line(1), json_integer("findings_lanes_left_out", all->n_left));
	add_scope(w, &g);
	add_times(w, &g);
	report_lists_write(&out, REPORT_LIST_CATEGORIES);
	report_lists_write(&out, REPORT_LIST_EVENT_CATS);
	report_lists_write(&out, REPORT_LIST_KINDS);
	report_lists_write(&out, REPORT_LIST_ORIGINS);
	report_lists_write(&out, REPORT_LIST_PACKAGES);
	report_lists_write(&out, REPORT_LIST_FILES);
	report_lists_write(&out, REPORT_LIST_STACK);
	out.rows_max = GATHER_STRETCHES;
	gather_stretches(&g, GATHER_STRETCHES);
	report_lists_write(&out, REPORT_LIST_BUSY);
	report_lists_write(&out, REPORT_LIST_GAPS);
	times = summary_recursion(&g.totals, &frame);
	json_put(w, json_line(2), json_begin("recursion", "{"), json_integer("times", times),
		 json_out_string("function", g.profile,
				 frame == FRAME_NONE ? 0 : g.profile->frames.frames[frame].name),
		 json_end("}"));
	out.rows_max = GATHER_LINES;
	report_lists_write(&out, REPORT_LIST_LINES);
	if (report_lists_is_served(options->table))
		report_lists_write(&out, (enum report_list)options->table);
	if (options->table >= REPORT_LIST_CALLERS)
		report_lists_write(&out, (enum report_list)options->table);
	if (g.scoped->original->served.n && options->table != REPORT_LIST_ROUTES)
		report_lists_write(&out, REPORT_LIST_ROUTES);
	if (g.scoped->original->stalls.n)
		report_lists_write(&out, REPORT_LIST_STALLS);
	add_standouts(w, &g);
	json_put(w, json_end("}"));
	gather_done(&g);
}

/* ==== report json ==== */

static void add_warnings(struct json_writer *w, const struct profile *p, const struct input *in)
{
	json_put(w, json_begin("warnings", "["));
	for (size_t i = 0; i < in->n_warnings; i++) {
		const struct warning *warning = &in->warnings[i];
		struct input_place place = input_place_at(in, warning->offset);

		json_put(w, json_begin(NULL, "{"),
			 json_if(in->parts && warning->offset >= 0,
				 json_out_string("file", p, place.path)),
			 json_known("offset", place.offset, warning->offset >= 0),
			 json_string("kind", warning_name(warning->kind)),
			 json_out_string("text", p, warning->text),
			 json_integer("count", (int64_t)warning->count),
			 json_boolean("note", warning->is_note), json_end("}"));
	}
	json_put(w, json_end("]"));
}

/* The files of an input that has several. */
static void add_files(struct json_writer *w, const struct profile *p, const struct input *in)
{
	if (!in->n_parts)
		return;
	json_put(w, json_begin("files", "["));
	for (size_t i = 0; i < in->n_parts; i++)
		json_put(w, json_out_string(NULL, p, in->parts[i].path));
	json_put(w, json_end("]"));
}

/* original: the profile as it was loaded. */
static void add_inputs(struct json_writer *w, const struct profile *p,
		       const struct profile *original)
{
	ALLOC_LOCAL struct input_sums *sums = input_sums_new(original);

	json_put(w, json_line(1), json_begin("inputs", "["));
	for (uint32_t i = 0; i < p->n_inputs; i++) {
		const struct input *in = &p->inputs[i];
		char date[DATE_MAX], zoned[DATE_MAX + 1];

		json_put(w, json_if(i, json_line(2)), json_begin(NULL, "{"),
			 json_out_text("path", p, in->path));
		add_files(w, p, in);
		if (in->labels)
			json_out_labels(w, "labels", p, in->labels);
		json_put(w, json_string("format", in->format ? in->format : ""),
			 json_string("compression", in->compression),
			 json_known("bytes", in->bytes, in->bytes >= 0));
		/* What the name of the file tells, and what is in it, whatever the scope. */
		date_format(in->date_s, 'T', date);
		snprintf(zoned, sizeof zoned, "%s%s", date, in->is_utc ? "Z" : "");
		json_put(w, json_string("recorded_at", in->has_date ? zoned : NULL));
		report_lists_input(&(struct report_out){ .profile = p, .json = w }, in, &sums[i]);
		add_warnings(w, p, in);
		json_put(w, json_begin("facts", "["));
		for (size_t k = 0; k < in->n_notes; k++)
			json_put(w, json_begin(NULL, "{"),
				 json_out_string("text", p, in->notes[k].text),
				 json_boolean("loss", in->notes[k].is_loss), json_end("}"));
		json_put(w, json_end("]"));
		json_put(w, json_end("}"));
	}
	json_put(w, json_end("]"));
}

/* ---- what --with adds ---- */

/* A call tree or a list of spans while it is being written. */
struct list_out {
	struct lane_sums *sums;
	struct sink *sink;
	struct json_writer *w;
	uint64_t n_rows; /* written, */
	uint64_t n_left; /* and left out by --max-rows */
};

/* A row: depth, function, and two values. */
static void add_row(struct list_out *t, int depth, uint32_t function, int64_t a, int64_t b)
{
	t->n_rows++;
	json_put(t->w, json_begin(NULL, "["), json_integer(NULL, depth),
		 json_integer(NULL, function), json_out_value(t->sums->profile, NULL, a),
		 json_out_value(t->sums->profile, NULL, b), json_end("]"));
}

/* A row of the first level with all rows below it. Returns whether the output takes more. */
static bool add_subtree(struct list_out *t, struct rows_walk *walk)
{
	uint64_t most = t->sums->options->max_rows;
	const struct row *row;

	while ((!most || t->n_rows < most) && (row = rows_walk_next(walk))) {
		add_row(t, row->depth, t->sums->index[view_frame_id(&t->sums->view, row->frame)],
			row->self, row->total);
		if (!sink_step(t->sink))
			return false;
	}
	t->n_left += rows_walk_skip(walk);
	return true;
}

/* Returns the number of rows left out. */
static uint64_t add_rows(struct sink *sink, struct json_writer *w, struct lane_sums *o,
			 enum rows_kind kind)
{
	struct list_out t = { .sums = o, .sink = sink, .w = w };
	struct rows_walk walk = { 0 };
	bool ok = true;

	json_put(w, json_line(3), json_begin(kind == ROWS_TOPDOWN ? "tree" : "bottomup", "["));
	for (uint32_t k = 0; ok && k < o->n_lanes; k++) {
		struct rows rows;

		rows_init(&rows, lane_sums_totals(o, k), kind,
			  kind == ROWS_TOPDOWN ? ROWS_BY_TOTAL : ROWS_BY_SELF, FRAME_NONE);
		for (size_t i = 0; ok && i < rows.n; i++) {
			rows_walk_begin(&walk, &rows, i);
			ok = add_subtree(&t, &walk);
		}
		rows_done(&rows);
	}
	rows_walk_done(&walk);
	json_put(w, json_end("]"),
		 json_if(t.n_left,
			 json_integer(kind == ROWS_TOPDOWN ? "tree_left_out" : "bottomup_left_out",
				      (int64_t)t.n_left)));
	return t.n_left;
}

/* The spans of one lane, whose first row has number `above`. */
static void add_lane_spans(struct list_out *t, const struct lane *lane, int above)
{
	const struct report_options *options = t->sums->options;
	const struct scope *scope = &options->scope;
	const struct samples *s = &lane->samples;
	const struct calltree *tree = &lane->tree;
	const frame_id *events = t->sums->events;
	size_t first = s->n ? samples_find(s, scope->t0 - 1) : 0;

	for (size_t i = first; i < s->n && samples_time(s, i) < scope->t1 && sink_step(t->sink);
	     i++) {
		int from = i > first ? samples_shared(s, i - 1) : 0;

		/* Spans that are left out are counted, not found. */
		if (options->max_rows && t->n_rows == options->max_rows &&
		    samples_time(s, i) >= scope->t0) {
			t->n_left += (uint64_t)(tree->rows[s->leaf[i]] - from);
			continue;
		}
		for (int depth = from; depth < tree->rows[s->leaf[i]]; depth++) {
			struct span span;
			frame_id f;

			if (!span_of_sample(s, tree, i, depth, &span) ||
			    (span.t1 <= scope->t0 && span.t0 < scope->t0))
				continue;
			f = tree->frame[span.node];
			if (options->max_rows && t->n_rows == options->max_rows)
				t->n_left++;
			else
				add_row(t, above + depth, t->sums->index[events ? events[f] : f],
					span.t0, span.t1 - span.t0);
		}
	}
}

static uint64_t add_spans(struct sink *sink, struct json_writer *w, struct lane_sums *o)
{
	struct list_out t = { .sums = o, .sink = sink, .w = w };

	json_put(w, json_line(3), json_begin("spans_list", "["));
	for (uint32_t i = 0; i < o->n_lanes; i++)
		add_lane_spans(&t, o->lane + i,
			       o->lane[i].kind == LANE_SLICES ? o->lane[i].first_row : 0);
	json_put(w, json_end("]"),
		 json_if(t.n_left, json_integer("spans_left_out", (int64_t)t.n_left)));
	return t.n_left;
}

static uint64_t add_tree(struct sink *sink, struct json_writer *w, struct lane_sums *o)
{
	return add_rows(sink, w, o, ROWS_TOPDOWN);
}

static uint64_t add_bottomup(struct sink *sink, struct json_writer *w, struct lane_sums *o)
{
	return add_rows(sink, w, o, ROWS_BOTTOMUP);
}

static uint64_t add_labels(struct sink *sink, struct json_writer *w, struct lane_sums *o)
{
	uint64_t most = o->options->max_rows;
	struct report_out out = { .profile = o->profile,
				  .options = o->options,
				  .lane = o->lane,
				  .json = w,
				  .sink = sink,
				  .rows_max = most ? (size_t)most : SIZE_MAX };

	report_lists_write(&out, REPORT_LIST_LABELS);
	json_put(w, json_if(out.n_cut, json_integer("labels_left_out", (int64_t)out.n_cut)));
	return out.n_cut;
}

static const struct {
	const char *name;
	/* Returns the number of rows left out. */
	uint64_t (*add)(struct sink *sink, struct json_writer *w, struct lane_sums *o);
} parts[] = {
	{ "tree", add_tree },
	{ "bottomup", add_bottomup },
	{ "spans", add_spans },
	{ "labels", add_labels },
};

const char *report_json_word(unsigned i)
{
	return i < ARRAY_LEN(parts) ? parts[i].name : NULL;
}

/* ---- lanes ---- */

/* The time in the range by kind. */
static void add_kinds(struct json_writer *w, const struct lane_sums *o)
{
	const struct lane *lane = o->lane;
	int64_t by[CATEGORY_COUNT] = { 0 }, busy, t0, t1, dropped;

	for (uint32_t i = 0; i < o->n_frames; i++) {
		const struct frame *frame = &o->profile->frames.frames[o->frames[i]];
		enum category category = summary_is_gc(o->profile, frame) ? CATEGORY_GC
									  : frame->category;

		by[category] += o->sums[o->frames[i]].self;
	}
	busy = o->sampled_ns - by[CATEGORY_IDLE] - by[CATEGORY_PROGRAM] - by[CATEGORY_GC];
	dropped = gather_range(o->options, lane, &t0, &t1) ? scoped_dropped(o->scoped, lane, t0, t1)
							   : 0;
	json_put(w, json_line(3), json_out_member(o->profile, "busy", busy),
		 json_out_member(o->profile, "idle", by[CATEGORY_IDLE]),
		 json_out_member(o->profile, "program", by[CATEGORY_PROGRAM]),
		 json_out_member(o->profile, "gc", by[CATEGORY_GC]),
		 json_out_member(o->profile, "unsampled", t1 - t0 - o->sampled_ns - dropped),
		 json_out_member(o->profile, "dropped", dropped));
}

static void add_series(struct json_writer *w, const struct profile *p, const struct lane *lane)
{
	json_put(w, json_line(3), json_begin("series", "["));
	for (uint32_t i = 0; i < lane->n_series; i++)
		json_put(w, json_begin(NULL, "{"), json_out_string("name", p, lane->series[i].name),
			 json_integer("values", (int64_t)lane->series[i].n),
			 json_number("least", lane->series[i].least, 17),
			 json_number("most", lane->series[i].most, 17), json_end("}"));
	json_put(w, json_end("]"));
}

/* The numbers of samples and spans, and the depth; joined lanes together. */
static void add_counts(struct json_writer *w, const struct lane_sums *o)
{
	const struct lane *lane = o->lane;
	uint64_t n_spans = 0, n_marks = 0, n_left = 0;

	for (uint32_t i = 0; i < o->n_lanes; i++) {
		n_spans += lane[i].n_spans;
		n_marks += lane_kind_has_groups(lane->kind) ? lane[i].n_marks : 0;
		n_left += lane[i].n_left;
	}
	json_put(w,
		 json_integer("samples",
			      lane->kind == LANE_SAMPLES && lane->has_timeline
				      ? (int64_t)lane->n_samples
				      : 0),
		 json_integer("nodes", (int64_t)lane->n_file_nodes),
		 json_known("spans", (int64_t)n_spans,
			    !n_left ||
				    (lane->kind != LANE_SAMPLES &&
				     scope_is_untouched(&o->options->scope))),
		 json_if(n_marks, json_integer("marks", (int64_t)n_marks)),
		 json_known("max_depth", lane_rows_joined(lane, o->n_lanes),
			    !n_left || lane->n_rows || lane->kind == LANE_MARKS),
		 json_boolean("timeline", lane->has_timeline));
	/* Figures are in the unit itself. */
	if (lane->value.type)
		json_put(w, json_begin("value", "{"),
			 json_out_string("type", o->profile, lane->value.type),
			 json_out_string("unit", o->profile, lane->value.unit),
			 json_raw("us_per_unit", "null"), json_end("}"));
	if (n_left)
		json_put(w, json_integer("not_loaded", (int64_t)n_left));
}

/* The functions of the sums. */
static void add_functions(struct sink *sink, struct json_writer *w, const struct lane_sums *o)
{
	report_lists_write(&(struct report_out){ .profile = o->profile,
						 .options = o->options,
						 .sums = o,
						 .json = w,
						 .sink = sink,
						 .rows_max = SIZE_MAX },
			   REPORT_LIST_FUNCTIONS);
}

/* What slices run, if they are called by it. */
static void add_runs(struct sink *sink, struct json_writer *w, struct lane_sums *o)
{
	bool has = false;

	for (uint32_t i = 0; i < o->n_lanes; i++)
		has |= has_runs(o, o->lane + i);
	if (!has)
		return;
	o->has_runs = true;
	release(o);
	lane_sums_compute(o, o->lane);
	add_functions(sink, w, o);
	o->has_runs = false;
	release(o);
}

/* A lane and those joined to it. Returns the number of rows left out. */
static uint64_t add_lane(struct sink *sink, struct json_writer *w, struct lane_sums *o)
{
	uint64_t n_left = 0;
	const struct profile *p;
	const struct lane *lane;

	json_put(w, json_begin(NULL, "{"));
	/* The first members of a lane: what it is, of which thread, and when. */
	p = o->profile;
	lane = o->lane;
	json_put(w, json_integer("id", lane->id), json_string("kind", lane_name_kind(lane->kind)),
		 json_begin("process", "{"), json_known("pid", lane->pid, lane->pid != LANE_NO_ID),
		 json_out_string("name", p, lane->process_name),
		 json_if(lane->has_parent,
			 json_known("parent", lane->parent_pid, lane->parent_pid != 0)),
		 json_end("}"), json_begin("thread", "{"),
		 json_known("tid", lane->tid, lane->tid != LANE_NO_ID),
		 json_out_string("name", p, lane->thread_name),
		 json_if(lane->page, json_out_string("page", p, lane->page)), json_end("}"),
		 json_out_string("title", p, lane->title), json_integer("input", lane->input),
		 json_line(3), json_out_member(p, "start", lane->t0),
		 json_out_member(p, "end", lane->t1));
	add_counts(w, o);
	add_kinds(w, o);
	add_functions(sink, w, o);
	for (size_t i = 0; i < ARRAY_LEN(parts); i++)
		if (o->options->with & 1u << i)
			n_left += parts[i].add(sink, w, o);
	add_runs(sink, w, o);
	if (o->lane->kind == LANE_COUNTER)
		add_series(w, o->profile, o->lane);
	json_put(w, json_end("}"));
	return n_left;
}

/* Threads and processes that have a name and no lane; nothing if there are none. */
static void add_named(struct json_writer *w, const struct profile *p)
{
	if (!p->n_named)
		return;
	json_put(w, json_line(1), json_begin("named_only", "["));
	for (uint32_t i = 0; i < p->n_named; i++) {
		const struct profile_named *named = &p->named[i];

		json_put(w, json_line(2), json_begin(NULL, "{"), json_begin("process", "{"),
			 json_integer("pid", named->pid),
			 json_out_string("name", p, named->process_name), json_end("}"),
			 json_begin("thread", "{"),
			 json_known("tid", named->tid, named->tid != LANE_NO_ID),
			 json_out_string("name", p, named->thread_name), json_end("}}"));
	}
	json_put(w, json_end("]"));
}

/* The vitals of each page that was loaded; nothing if there are none. */
static void add_vitals(struct json_writer *w, const struct profile *p)
{
	json_put(w, json_if(p->n_loads, json_line(1)),
		 json_if(p->n_loads, json_begin("vitals", "[")));
	for (size_t i = 0; i < p->n_loads; i++) {
		const struct page_load *load = &p->loads[i];
		const struct interaction *x = &load->worst;
		const struct {
			const char *key;
			int64_t ns; /* -1: unknown */
		} times[] = {
			{ "navigation_us", load->has_navigation ? load->t : -1 },
			{ "fp_us", load->after[MILESTONE_FP] },
			{ "fcp_us", load->after[MILESTONE_FCP] },
			{ "lcp_us", load->after[MILESTONE_LCP] },
			{ "dcl_us", load->after[MILESTONE_DCL] },
			{ "load_us", load->after[MILESTONE_LOAD] },
			{ "first_byte_us", load->first_byte },
			{ "lcp_image_start_us", load->image_t0 },
			{ "lcp_image_end_us", load->image_t1 },
			{ "inp_us", x->type ? interaction_ns(x) : -1 },
		};

		json_put(w, json_line(2), json_begin(NULL, "{"),
			 json_out_string("url", p, load->url), json_integer("input", load->input));
		for (size_t k = 0; k < ARRAY_LEN(times); k++)
			json_put(w,
				 times[k].ns < 0 ? json_raw(times[k].key, "null")
						 : json_us(times[k].key, times[k].ns));
		json_put(w,
			 load->has_shifts ? json_decimals("cls", load->shifts, 6)
					  : json_raw("cls", "null"));
		if (x->type)
			json_put(w, json_begin("inp", "{"), json_out_string("type", p, x->type),
				 json_us("start_us", x->t), json_us("input_delay_us", x->delay),
				 json_us("processing_us", x->processing),
				 json_us("presentation_us", x->presentation), json_end("}"));
		json_put(w, json_end("}"));
	}
	json_put(w, json_if(p->n_loads, json_end("]")));
}

/* The report while it is being written. */
struct json_report {
	const struct scoped *scoped;
	struct report_options options;
	struct json_writer w;
	uint64_t *ids; /* of the options, unless they had them */
};

/* All that comes before the lanes. */
static void add_head(void *ctx)
{
	struct json_report *r = ctx;
	struct json_writer *w = &r->w;
	const struct profile *p = r->scoped->profile;

	json_put(w, json_begin(NULL, "{"), json_string("flametty", PACKAGE_VERSION),
		 json_integer("schema", 1));
	if (!amount_is_time(&p->unit))
		json_put(w, json_line(1), json_string("unit", amount_name(&p->unit)));
	add_inputs(w, p, r->scoped->original);
	json_put(w, json_line(1), json_out_member(p, "start", p->origin_ns),
		 json_out_member(p, "duration", p->t1),
		 json_out_member(p, "from", r->options.scope.t0),
		 json_out_member(p, "to", r->options.scope.t1));
	gates_json(&r->options, r->scoped->original, w);
	add_vitals(w, r->scoped->original);
	add_summary(w, r->scoped, &r->options);
}

/* The ids of functions, meanwhile: they need little memory. */
static void find_ids(void *ctx)
{
	struct json_report *r = ctx;

	r->ids = r->options.ids ? NULL : function_id_all(r->scoped->original);
}

#define FRAMES_MANY 5000u /* then another thread pays */

static uint64_t json_write(const struct scoped *scoped, const struct report_options *options,
			   struct sink *sink)
{
	const struct profile *p = scoped->profile;
	uint32_t n_frames = scoped->original->frames.n;
	struct json_report r = { .scoped = scoped,
				 .options = *options,
				 .w = { .out = sink_buf(sink), .has_blanks = true } };
	struct lane_sums sums;
	uint64_t n_left = 0;

	if (n_frames >= FRAMES_MANY && thread_processors() > 1)
		parallel_pair(add_head, find_ids, &r);
	else
		add_head(&r);
	if (!r.options.ids) {
		r.ids = r.ids ? r.ids : function_id_all(scoped->original);
		r.options.ids = r.ids;
		r.options.n_ids = n_frames;
	}
	json_put(&r.w, json_line(1), json_begin("lanes", "["), json_line(2));
	lane_sums_init(&sums, scoped, &r.options);
	for (uint32_t i = 0; i < p->n_lanes && sink_step(sink); i += sums.n_lanes) {
		if (i)
			json_put(&r.w, json_line(2));
		lane_sums_compute(&sums, &p->lanes[i]);
		n_left += add_lane(sink, &r.w, &sums);
	}
	lane_sums_done(&sums);
	free(r.ids);
	json_put(&r.w, json_end("]"));
	add_named(&r.w, scoped->original);
	json_put(&r.w, json_end("}\n"));
	return n_left;
}

const struct report report_json = { "json", "everything, as one JSON object", json_write };
