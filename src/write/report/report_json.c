/* SPDX-License-Identifier: GPL-2.0-or-later */
/* `report --format=json`: one object; times are in microseconds, unknown values are null. The
 * schema is in flametty(1), section JSON. Members may be added, but never changed or removed. */
#include "config.h"

#include "write/report/report_json.h"

#include "analyse/functions.h"
#include "analyse/label_share.h"
#include "analyse/rows/rows_below.h"
#include "analyse/scope.h"
#include "analyse/totals.h"
#include "analyse/view/view.h"
#include "base/alloc.h"
#include "base/date.h"
#include "model/input_place.h"
#include "model/lane_name.h"
#include "write/report/gates.h"
#include "write/report/json_out.h"
#include "write/report/json_summary.h"
#include "write/report/page_tables.h"
#include "write/report/report.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdint.h>
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

static int heaviest_first(const void *a, const void *b)
{
	const struct sort_key *x = a, *y = b;
	int c;

	if (x->self != y->self)
		return x->self > y->self ? -1 : 1;
	if (x->total != y->total)
		return x->total > y->total ? -1 : 1;
	c = strcmp(x->name, y->name);
	return c ? c : x->frame < y->frame ? -1 : x->frame > y->frame;
}

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

/* The lengths of spans, which need a pass over all spans. */
static void add_lengths(struct lane_sums *o)
{
	struct functions functions;

	functions_init(&functions, &o->view, o->options->scope.t0, o->options->scope.t1);
	for (frame_id f = 1; f < functions.n; f++) {
		const struct function *fn = &functions.list[f];
		struct row_sum *sum;

		if (!fn->n_spans)
			continue;
		sum = get_sum(o, f);
		if (fn->longest > sum->longest)
			sum->longest = fn->longest;
		if (!sum->n_measured || fn->shortest < sum->shortest)
			sum->shortest = fn->shortest;
		sum->spans_ns += fn->spans_ns;
		sum->n_measured += fn->n_spans;
	}
	functions_done(&functions);
}

static void add_sums(struct lane_sums *o, const struct totals *totals)
{
	struct totals_counts counts;

	totals_counts(totals, &counts);
	for (frame_id f = 1; f < totals->n_frames; f++) {
		struct row_sum *sum;

		/* A frame that is not in use has no time, no spans and no samples. */
		if (!totals->frame_total[f] && !counts.is_used[f])
			continue;
		sum = get_sum(o, f);
		sum->self += totals->frame_self[f];
		sum->total += totals->frame_total[f];
		sum->spans += counts.spans[f];
		sum->self_samples += counts.self_samples[f];
		sum->is_used = true;
	}
	totals_counts_done(&counts);
	add_lengths(o);
}

static void sort_functions(struct lane_sums *o)
{
	const struct profile *p = o->profile;
	struct sort_key *keys = xmalloc((size_t)o->n_frames * sizeof *keys);

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
	free(keys);
}

static void release(struct lane_sums *o)
{
	totals_done(&o->totals);
	view_done(&o->view);
	o->held = NULL;
}

const struct totals *lane_sums_totals(struct lane_sums *o, uint32_t i)
{
	const struct scope *scope = &o->options->scope;

	if (o->held != o->lane + i) {
		release(o);
		o->held = o->lane + i;
		view_init_lane(&o->view, o->profile, o->held);
		totals_init(&o->totals, &o->view);
		totals_compute(&o->totals, scope->t0, scope->t1);
	}
	return &o->totals;
}

void lane_sums_compute(struct lane_sums *o, const struct lane *lane)
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

void lane_sums_init(struct lane_sums *o, const struct scoped *scoped,
		    const struct report_options *options)
{
	size_t n = scoped->profile->frames.n;

	*o = (struct lane_sums){ .profile = scoped->profile, .scoped = scoped, .options = options };
	o->is_row = find_rows(o);
	o->sums = xcalloc(n, sizeof *o->sums);
	o->frames = xmalloc(n * sizeof *o->frames);
	o->index = xcalloc(n, sizeof *o->index);
	o->order = xmalloc(n * sizeof *o->order);
}

void lane_sums_done(struct lane_sums *o)
{
	release(o);
	free(o->is_row);
	free(o->sums);
	free(o->frames);
	free(o->index);
	free(o->order);
}

/* ==== report json ==== */

static void add_warnings(struct buf *out, const struct profile *p, const struct input *in)
{
	buf_adds(out, "[");
	for (size_t i = 0; i < in->n_warnings; i++) {
		const struct warning *w = &in->warnings[i];

		struct input_place place = input_place_at(in, w->offset);

		buf_adds(out, i ? ", {" : "{");
		if (in->parts && w->offset >= 0) {
			buf_adds(out, "\"file\": ");
			json_out_string(out, p, place.path);
			buf_adds(out, ", ");
		}
		buf_adds(out, "\"offset\": ");
		json_out_known(out, place.offset, w->offset >= 0);
		buf_addf(out, ", \"kind\": \"%s\", \"text\": ", warning_name(w->kind));
		json_out_string(out, p, w->text);
		buf_addf(out, ", \"count\": %" PRIu64 ", \"note\": %s}", w->count,
			 w->is_note ? "true" : "false");
	}
	buf_adds(out, "]");
}

static void add_facts(struct buf *out, const struct profile *p, const struct input *in)
{
	buf_adds(out, ", \"facts\": [");
	for (size_t i = 0; i < in->n_notes; i++) {
		buf_adds(out, i ? ", {\"text\": " : "{\"text\": ");
		json_out_string(out, p, in->notes[i].text);
		buf_addf(out, ", \"loss\": %s}", in->notes[i].is_loss ? "true" : "false");
	}
	buf_adds(out, "]");
}

/* What the name of the file tells, and what is in it, whatever the scope. */
static void add_recording(struct buf *out, const struct profile *p, const struct input *in,
			  const struct input_sums *sums)
{
	char date[DATE_MAX];

	date_format(in->date_s, 'T', date);
	buf_addf(out, ", \"recorded_at\": %s%s%s%s", in->has_date ? "\"" : "null",
		 in->has_date ? date : "", in->has_date && in->is_utc ? "Z" : "",
		 in->has_date ? "\"" : "");
	buf_adds(out, ", \"sequence\": ");
	json_out_known(out, in->seq, in->seq >= 0);
	json_out_name(out, p, ", \"interval");
	if (sums->interval_ns > 0)
		json_out_value(out, p, sums->interval_ns);
	else
		buf_adds(out, "null");
	json_out_member(out, p, ", \"duration", sums->duration_ns);
	buf_addf(out, ", \"lanes\": %u, \"nodes\": %" PRIu64 ", \"samples\": %" PRIu64,
		 (unsigned)sums->n_lanes, sums->n_nodes, sums->n_samples);
}

/* The files of an input that has several. */
static void add_files(struct buf *out, const struct profile *p, const struct input *in)
{
	for (size_t i = 0; i < in->n_parts; i++) {
		buf_adds(out, i ? ", " : ", \"files\": [");
		json_out_string(out, p, in->parts[i].path);
	}
	buf_adds(out, in->n_parts ? "]" : "");
}

/* original: the profile as it was loaded. */
static void add_inputs(struct buf *out, const struct profile *p, const struct profile *original)
{
	struct input_sums *sums = input_sums_new(original);

	buf_adds(out, " \"inputs\": [");
	for (uint32_t i = 0; i < p->n_inputs; i++) {
		const struct input *in = &p->inputs[i];

		buf_adds(out, i ? ",\n  {\"path\": " : "{\"path\": ");
		json_out_text(out, profile_text(p, in->path), intern_len(&p->strings, in->path));
		add_files(out, p, in);
		buf_addf(out,
			 ", \"format\": \"%s\", \"compression\": ", in->format ? in->format : "");
		if (in->compression)
			buf_addf(out, "\"%s\"", in->compression);
		else
			buf_adds(out, "null");
		buf_adds(out, ", \"bytes\": ");
		json_out_known(out, in->bytes, in->bytes >= 0);
		add_recording(out, p, in, &sums[i]);
		buf_adds(out, ", \"warnings\": ");
		add_warnings(out, p, in);
		add_facts(out, p, in);
		buf_adds(out, "}");
	}
	buf_adds(out, "],\n");
	free(sums);
}

/* ---- functions ---- */

static void add_functions(struct buf *out, const struct lane_sums *o)
{
	const struct profile *p = o->profile;

	buf_adds(out, "   \"functions\": [");
	for (uint32_t i = 0; i < o->n; i++) {
		frame_id id = o->order[i];
		const struct row_sum *sum = &o->sums[id];

		buf_adds(out, i ? ",\n    {" : "\n    {");
		json_out_frame(out, p, profile_frame(p, id));
		json_out_in_script(out, p, id);
		json_out_member(out, p, ", \"self", sum->self);
		json_out_member(out, p, ", \"total", sum->total);
		buf_addf(out, ", \"self_samples\": %" PRIu64 ", \"spans\": %" PRIu64,
			 sum->self_samples, sum->spans);
		json_out_member(out, p, ", \"longest", sum->longest);
		json_out_member(out, p, ", \"shortest", sum->shortest);
		json_out_member(out, p, ", \"mean",
				sum->n_measured ? sum->spans_ns / (int64_t)sum->n_measured : 0);
		buf_addc(out, '}');
	}
	buf_adds(out, "]");
}

/* ---- what --with adds ---- */

/* A call tree or a list of spans while it is being written. */
struct list_out {
	struct lane_sums *sums;
	uint64_t n_rows; /* written, */
	uint64_t n_left; /* and left out by --max-rows */
};

/* A row of the first level with all rows below it. Returns whether the output takes more. */
static bool add_subtree(struct sink *sink, struct list_out *t, struct rows_walk *walk)
{
	uint64_t most = t->sums->options->max_rows;
	struct buf *out = sink_buf(sink);
	const struct row *row;

	while ((!most || t->n_rows < most) && (row = rows_walk_next(walk))) {
		buf_addf(out, "%s[%d, %u, ", t->n_rows++ ? ", " : "", row->depth,
			 (unsigned)lane_sums_index(t->sums, row->frame));
		json_out_value(out, t->sums->profile, row->self);
		buf_adds(out, ", ");
		json_out_value(out, t->sums->profile, row->total);
		buf_adds(out, "]");
		if (!sink_step(sink))
			return false;
	}
	t->n_left += rows_walk_skip(walk);
	return true;
}

/* Returns the number of rows left out. */
static uint64_t add_rows(struct sink *sink, struct lane_sums *o, enum rows_kind kind)
{
	const char *name = kind == ROWS_TOPDOWN ? "tree" : "bottomup";
	struct list_out t = { .sums = o };
	struct buf *out = sink_buf(sink);
	struct rows_walk walk = { 0 };
	bool ok = true;

	buf_addf(out, ",\n   \"%s\": [", name);
	for (uint32_t k = 0; ok && k < o->n_lanes; k++) {
		struct rows rows;

		rows_init(&rows, lane_sums_totals(o, k), kind,
			  kind == ROWS_TOPDOWN ? ROWS_BY_TOTAL : ROWS_BY_SELF);
		for (size_t i = 0; ok && i < rows.n; i++) {
			rows_walk_begin(&walk, &rows, i);
			ok = add_subtree(sink, &t, &walk);
		}
		rows_done(&rows);
	}
	rows_walk_done(&walk);
	buf_adds(out, "]");
	if (t.n_left)
		buf_addf(out, ", \"%s_left_out\": %" PRIu64, name, t.n_left);
	return t.n_left;
}

/* The spans of one lane, whose first row has number `above`. */
static void add_lane_spans(struct sink *sink, struct list_out *t, const struct lane *lane,
			   int above)
{
	const struct report_options *options = t->sums->options;
	const struct scope *scope = &options->scope;
	const struct samples *s = &lane->samples;
	const struct calltree *tree = &lane->tree;
	struct buf *out = sink_buf(sink);
	size_t first = s->n ? samples_find(s, scope->t0 - 1) : 0;

	for (size_t i = first; i < s->n && samples_time(s, i) < scope->t1 && sink_step(sink); i++) {
		int from = i > first ? samples_shared(s, i - 1) : 0;

		/* Spans that are left out are counted, not found. */
		if (options->max_rows && t->n_rows == options->max_rows &&
		    samples_time(s, i) >= scope->t0) {
			t->n_left += (uint64_t)(tree->rows[s->leaf[i]] - from);
			continue;
		}
		for (int depth = from; depth < tree->rows[s->leaf[i]]; depth++) {
			struct span span;

			if (!span_of_sample(s, tree, i, depth, &span) ||
			    (span.t1 <= scope->t0 && span.t0 < scope->t0))
				continue;
			if (options->max_rows && t->n_rows == options->max_rows) {
				t->n_left++;
				continue;
			}
			buf_addf(out, "%s[%d, %u, ", t->n_rows++ ? ", " : "", above + depth,
				 (unsigned)t->sums->index[tree->frame[span.node]]);
			json_out_value(out, t->sums->profile, span.t0);
			buf_adds(out, ", ");
			json_out_value(out, t->sums->profile, span.t1 - span.t0);
			buf_adds(out, "]");
		}
	}
}

static uint64_t add_spans(struct sink *sink, struct lane_sums *o)
{
	struct list_out t = { .sums = o };
	struct buf *out = sink_buf(sink);

	buf_adds(out, ",\n   \"spans_list\": [");
	for (uint32_t i = 0; i < o->n_lanes; i++)
		add_lane_spans(sink, &t, o->lane + i, o->lane[i].first_row);
	buf_adds(out, "]");
	if (t.n_left)
		buf_addf(out, ", \"spans_left_out\": %" PRIu64, t.n_left);
	return t.n_left;
}

static uint64_t add_tree(struct sink *sink, struct lane_sums *o)
{
	return add_rows(sink, o, ROWS_TOPDOWN);
}

static uint64_t add_bottomup(struct sink *sink, struct lane_sums *o)
{
	return add_rows(sink, o, ROWS_BOTTOMUP);
}

/* The values of a label; returns the number of those that are left out. */
static uint64_t add_values(struct sink *sink, const struct lane_sums *o,
			   const struct label_share *share)
{
	const struct profile *p = o->profile;
	uint64_t most = o->options->max_rows;
	struct buf *out = sink_buf(sink);
	size_t n = most && most < share->n ? (size_t)most : share->n;

	buf_adds(out, "{\"key\": ");
	json_out_string(out, p, p->labels.keys[share->key].name);
	buf_adds(out, ", \"values\": [");
	for (size_t i = 0; i < n && sink_step(sink); i++) {
		buf_addf(out, "%s{\"value\": ", i ? ", " : "");
		json_out_string(out, p, share->parts[i].value);
		json_out_member(out, p, ", \"self", share->parts[i].ns);
		buf_adds(out, ", \"samples\": ");
		json_out_known(out, (int64_t)share->parts[i].n, o->lane->has_timeline);
		buf_adds(out, "}");
	}
	buf_adds(out, "]}");
	return share->n - n;
}

static uint64_t add_labels(struct sink *sink, struct lane_sums *o)
{
	const struct scope *scope = &o->options->scope;
	struct buf *out = sink_buf(sink);
	struct label_share *shares;
	size_t n = label_share_of(o->profile, &o->lane, 1, scope->t0, scope->t1, scope->has_idle,
				  &shares);
	uint64_t n_left = 0;

	buf_adds(out, ",\n   \"labels\": [");
	for (size_t i = 0; i < n; i++) {
		buf_adds(out, i ? ",\n    " : "");
		n_left += add_values(sink, o, &shares[i]);
	}
	label_share_free(shares, n);
	buf_adds(out, "]");
	if (n_left)
		buf_addf(out, ", \"labels_left_out\": %" PRIu64, n_left);
	return n_left;
}

static const struct {
	const char *name;
	/* Returns the number of rows left out. */
	uint64_t (*add)(struct sink *sink, struct lane_sums *o);
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
static void add_kinds(struct buf *out, const struct lane_sums *o)
{
	const struct scope *scope = &o->options->scope;
	const struct lane *lane = o->lane;
	int64_t by[CATEGORY_COUNT] = { 0 }, busy, t0, t1, dropped;

	for (uint32_t i = 0; i < o->n_frames; i++) {
		const struct frame *frame = &o->profile->frames.frames[o->frames[i]];
		enum category category = summary_is_gc(o->profile, frame) ? CATEGORY_GC
									  : frame->category;

		by[category] += o->sums[o->frames[i]].self;
	}
	busy = o->sampled_ns - by[CATEGORY_IDLE] - by[CATEGORY_PROGRAM] - by[CATEGORY_GC];
	t0 = scope->t0 > lane->t0 ? scope->t0 : lane->t0;
	t1 = scope->t1 < lane->t1 ? scope->t1 : lane->t1;
	json_out_member(out, o->profile, "   \"busy", busy);
	json_out_member(out, o->profile, ", \"idle", by[CATEGORY_IDLE]);
	json_out_member(out, o->profile, ", \"program", by[CATEGORY_PROGRAM]);
	json_out_member(out, o->profile, ", \"gc", by[CATEGORY_GC]);
	dropped = t1 > t0 ? scoped_dropped(o->scoped, lane, t0, t1) : 0;
	json_out_member(out, o->profile, ", \"unsampled",
			(t1 > t0 ? t1 - t0 : 0) - o->sampled_ns - dropped);
	json_out_member(out, o->profile, ", \"dropped", dropped);
	buf_adds(out, ",\n");
}

static void add_series(struct buf *out, const struct profile *p, const struct lane *lane)
{
	buf_adds(out, ",\n   \"series\": [");
	for (uint32_t i = 0; i < lane->n_series; i++) {
		buf_adds(out, i ? ", {\"name\": " : "{\"name\": ");
		json_out_string(out, p, lane->series[i].name);
		buf_addf(out, ", \"values\": %zu, \"least\": %.17g, \"most\": %.17g}",
			 lane->series[i].n, lane->series[i].least, lane->series[i].most);
	}
	buf_adds(out, "]");
}

/* What the values of a lane are. */
static void add_value(struct buf *out, const struct profile *p, const struct lane_value *value)
{
	buf_adds(out, " \"value\": {\"type\": ");
	json_out_string(out, p, value->type);
	buf_adds(out, ", \"unit\": ");
	json_out_string(out, p, value->unit);
	/* Figures are in the unit itself. */
	buf_adds(out, ", \"us_per_unit\": null},");
}

/* The numbers of samples and spans, and the depth; joined lanes together. */
static void add_counts(struct buf *out, const struct lane_sums *o)
{
	const struct lane *lane = o->lane;
	uint64_t n_spans = 0, n_marks = 0, n_left = 0;

	for (uint32_t i = 0; i < o->n_lanes; i++) {
		n_spans += lane[i].n_spans;
		n_marks += lane_kind_has_groups(lane->kind) ? lane[i].n_marks : 0;
		n_left += lane[i].n_left;
	}
	buf_addf(out, ", \"samples\": %zu, \"nodes\": %zu, \"spans\": ",
		 lane->kind == LANE_SAMPLES && lane->has_timeline ? lane->n_samples : 0,
		 lane->n_file_nodes);
	json_out_known(
		out, (int64_t)n_spans,
		!n_left || (lane->kind != LANE_SAMPLES && scope_is_untouched(&o->options->scope)));
	if (n_marks)
		buf_addf(out, ", \"marks\": %" PRIu64, n_marks);
	buf_adds(out, ", \"max_depth\": ");
	json_out_known(out, lane_rows_joined(lane, o->n_lanes),
		       !n_left || lane->n_rows || lane->kind == LANE_MARKS);
	buf_addf(out, ", \"timeline\": %s,", lane->has_timeline ? "true" : "false");
	if (lane->value.type)
		add_value(out, o->profile, &lane->value);
	if (n_left)
		buf_addf(out, " \"not_loaded\": %" PRIu64 ",", n_left);
	buf_addc(out, '\n');
}

/* The first members of a lane: what it is, of which thread, and when. */
static void add_head(struct buf *out, const struct profile *p, const struct lane_sums *o)
{
	const struct lane *lane = o->lane;

	buf_addf(out, "{\"id\": %u, \"kind\": \"%s\", \"process\": {\"pid\": ", (unsigned)lane->id,
		 lane_name_kind(lane->kind));
	json_out_known(out, lane->pid, lane->pid != LANE_NO_ID);
	buf_adds(out, ", \"name\": ");
	json_out_string(out, p, lane->process_name);
	if (lane->has_parent) {
		buf_adds(out, ", \"parent\": ");
		json_out_known(out, lane->parent_pid, lane->parent_pid != 0);
	}
	buf_adds(out, "}, \"thread\": {\"tid\": ");
	json_out_known(out, lane->tid, lane->tid != LANE_NO_ID);
	buf_adds(out, ", \"name\": ");
	json_out_string(out, p, lane->thread_name);
	if (lane->page) {
		buf_adds(out, ", \"page\": ");
		json_out_string(out, p, lane->page);
	}
	buf_adds(out, "}, \"title\": ");
	json_out_string(out, p, lane->title);
	buf_addf(out, ", \"input\": %u", (unsigned)lane->input);
	json_out_member(out, p, ",\n   \"start", lane->t0);
	json_out_member(out, p, ", \"end", lane->t1);
}

/* A lane and those joined to it. Returns the number of rows left out. */
static uint64_t add_lane(struct sink *sink, struct lane_sums *o)
{
	struct buf *out = sink_buf(sink);
	uint64_t n_left = 0;

	add_head(out, o->profile, o);
	add_counts(out, o);
	add_kinds(out, o);
	add_functions(out, o);
	for (size_t i = 0; i < ARRAY_LEN(parts); i++)
		if (o->options->with & 1u << i)
			n_left += parts[i].add(sink, o);
	if (o->lane->kind == LANE_COUNTER)
		add_series(out, o->profile, o->lane);
	buf_adds(out, "}");
	return n_left;
}

/* Threads and processes that have a name and no lane; nothing if there are none. */
static void add_named(struct buf *out, const struct profile *p)
{
	if (p->n_named)
		buf_adds(out, ",\n \"named_only\": [\n  ");
	for (uint32_t i = 0; i < p->n_named; i++) {
		const struct profile_named *named = &p->named[i];

		buf_adds(out, i ? ",\n  " : "");
		buf_addf(out, "{\"process\": {\"pid\": %" PRId64 ", \"name\": ", named->pid);
		json_out_string(out, p, named->process_name);
		buf_adds(out, "}, \"thread\": {\"tid\": ");
		json_out_known(out, named->tid, named->tid != LANE_NO_ID);
		buf_adds(out, ", \"name\": ");
		json_out_string(out, p, named->thread_name);
		buf_adds(out, "}}");
	}
	if (p->n_named)
		buf_adds(out, "]");
}

static uint64_t json_write(const struct scoped *scoped, const struct report_options *options,
			   struct sink *sink)
{
	const struct profile *p = scoped->profile;
	struct buf *out = sink_buf(sink);
	uint64_t n_left = 0;
	struct lane_sums sums;

	buf_addf(out, "{\"flametty\": \"%s\", \"schema\": 1,\n", PACKAGE_VERSION);
	if (!amount_is_time(&p->unit))
		buf_addf(out, " \"unit\": \"%s\",\n", amount_name(&p->unit));
	add_inputs(out, p, scoped->original);
	json_out_member(out, p, " \"start", p->origin_ns);
	json_out_member(out, p, ", \"duration", p->t1);
	json_out_member(out, p, ", \"from", options->scope.t0);
	json_out_member(out, p, ", \"to", options->scope.t1);
	buf_adds(out, ",\n");
	gates_json(options, scoped->original, out);
	json_summary(out, scoped, options);
	buf_adds(out, " \"lanes\": [\n  ");
	lane_sums_init(&sums, scoped, options);
	for (uint32_t i = 0; i < p->n_lanes && sink_step(sink); i += sums.n_lanes) {
		if (i)
			buf_adds(out, ",\n  ");
		lane_sums_compute(&sums, &p->lanes[i]);
		n_left += add_lane(sink, &sums);
	}
	lane_sums_done(&sums);
	buf_adds(out, "]");
	add_named(out, scoped->original);
	buf_adds(out, "}\n");
	return n_left;
}

const struct report report_json = { "json", "everything, as one JSON object", json_write };
