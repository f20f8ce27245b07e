/* SPDX-License-Identifier: GPL-2.0-or-later */
/* `report --format=csv`: one table as RFC 4180 defines it: a row of headings, fields separated by
 * commas and quoted where necessary, lines that end with CR LF. Times are in microseconds, names
 * are not truncated, unknown values are empty. To add a table: a function that writes it, and a row
 * in `tables`. */
#include "config.h"

#include "analyse/heavy_stack.h"
#include "analyse/label_share.h"
#include "analyse/rows/rows_below.h"
#include "base/alloc.h"
#include "base/text.h"
#include "model/lane_name.h"
#include "model/wall_clock.h"
#include "write/report/csv_out.h"
#include "write/report/page_tables.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* ==== csv stacks ====
 *
 * Lanes are taken one after the other, and a row is written as soon as it is known. With --top, at
 * most twice that many rows are kept.
 *
 * A stack is a list of names, outermost first, as both databases read it: ['main','it\'s'] */

struct stack_row {
	const struct lane *lane;
	node_id node;
	int64_t self;
	uint64_t n_samples;
};

struct stacks {
	struct csv *c;
	struct stack_row *list; /* the heaviest rows so far; NULL: all rows are written */
	size_t n, most;
	node_id *path; /* of the row that is written */
	size_t cap;
	struct buf text; /* of the stack */
};

static int heaviest_first(const void *a, const void *b)
{
	const struct stack_row *x = a, *y = b;

	if (x->self != y->self)
		return x->self > y->self ? -1 : 1;
	if (x->lane != y->lane)
		return x->lane->id < y->lane->id ? -1 : 1;
	return x->node < y->node ? -1 : x->node > y->node;
}

/* Append a name as a string of the list. */
static void add_name(struct stacks *s, str_id id)
{
	const struct profile *p = s->c->g->profile;
	struct buf visible = { 0 };

	text_visible(&visible, profile_text(p, id), intern_len(&p->strings, id));
	buf_addc(&s->text, '\'');
	for (size_t i = 0; i < visible.len; i++) {
		if (visible.data[i] == '\'' || visible.data[i] == '\\')
			buf_addc(&s->text, '\\');
		buf_addc(&s->text, visible.data[i]);
	}
	buf_addc(&s->text, '\'');
	buf_done(&visible);
}

/* Write the fields `stack` and `depth`. */
static void add_stack(struct stacks *s, const struct stack_row *row)
{
	const struct calltree *tree = &row->lane->tree;
	const struct profile *p = s->c->g->profile;
	size_t n = 0;

	for (node_id node = row->node; node != NODE_ROOT; node = tree->parent[node]) {
		if (n == s->cap)
			s->path = xgrow(s->path, &s->cap, n + 1, sizeof *s->path);
		s->path[n++] = node;
	}
	buf_clear(&s->text);
	buf_addc(&s->text, '[');
	for (size_t i = n; i-- > 0;) {
		add_name(s, profile_frame(p, tree->frame[s->path[i]])->name);
		buf_adds(&s->text, i ? "," : "");
	}
	buf_addc(&s->text, ']');
	csv_out_text(s->c, buf_text(&s->text), s->text.len);
	csv_out_count(s->c, n);
}

/* Write the fields that are about the lane. */
static void add_lane(struct csv *c, const struct lane *lane)
{
	const struct profile *original = c->g->scoped->original;
	const struct input *in = &c->g->profile->inputs[lane->input];
	struct buf text = { 0 };

	wall_clock_recorded(original, in, &text);
	csv_out_text(c, buf_text(&text), text.len);
	csv_out_string(c, in->path);
	csv_out_count(c, lane->id);
	buf_clear(&text);
	lane_name(original, scoped_original(c->g->scoped, lane), true, &text);
	csv_out_text(c, buf_text(&text), text.len);
	csv_out_string(c, lane->process_name);
	csv_out_id(c, lane->pid);
	csv_out_id(c, lane->tid);
	buf_done(&text);
}

/* Returns whether the output takes more. */
static bool write_row(struct stacks *s, const struct stack_row *row)
{
	struct csv *c = s->c;

	add_lane(c, row->lane);
	add_stack(s, row);
	csv_out_frame(c, profile_frame(c->g->profile, row->lane->tree.frame[row->node]));
	csv_out_count(c, (uint64_t)amount_number(&c->g->profile->unit, row->self));
	if (row->lane->kind == LANE_SAMPLES)
		csv_out_count(c, row->n_samples);
	else
		csv_out_text(c, "", 0);
	return csv_out_end(c);
}

/* Leave the heaviest rows. */
static void prune(struct stacks *s)
{
	qsort(s->list, s->n, sizeof *s->list, heaviest_first);
	s->n = s->n < s->most ? s->n : s->most;
}

static bool take_row(struct stacks *s, const struct stack_row *row)
{
	if (!s->list)
		return write_row(s, row);
	if (s->n == 2 * s->most)
		prune(s);
	s->list[s->n++] = *row;
	return true;
}

/* By node of a view of one lane: the first node of the lane that it stands for. NULL: the same. */
static node_id *first_nodes(const struct view *view)
{
	const struct view_source *source = &view->sources[0];
	node_id *first;

	if (!source->map)
		return NULL;
	first = xcalloc(view->tree->n, sizeof *first);
	for (node_id i = source->lane->tree.n; i-- > 0;)
		if (source->map[i] != VIEW_DROPPED)
			first[source->map[i]] = i;
	return first;
}

/* Returns whether the output takes more. */
static bool take_lane(struct stacks *s, const struct lane *lane)
{
	const struct gathered *g = s->c->g;
	uint64_t *n_samples;
	node_id *first;
	struct view view;
	struct totals totals;
	bool ok = true;

	view_init_lane(&view, g->profile, lane);
	n_samples = leaf_counts(&view, &g->options->scope);
	first = first_nodes(&view);
	totals_init(&totals, &view);
	totals_compute(&totals, g->options->scope.t0, g->options->scope.t1);
	for (node_id i = NODE_ROOT + 1; ok && i < view.tree->n; i++) {
		struct stack_row row = { lane, first ? first[i] : i, totals.self[i], n_samples[i] };

		if ((row.self > 0 || row.n_samples) &&
		    gather_has_row(g, view_frame_id(&view, view.tree->frame[i])))
			ok = take_row(s, &row);
	}
	totals_done(&totals);
	view_done(&view);
	free(n_samples);
	free(first);
	return ok;
}

/* Write a row for each lane and stack with self time or samples, in the order of the call trees;
 * with --top, only the rows with most time, sorted by it. */
static void csv_stacks(struct csv *c)
{
	const struct gathered *g = c->g;
	const struct amount_unit *unit = &g->profile->unit;
	struct stacks s = { .c = c, .most = (size_t)g->options->top };

	if (g->options->has_top)
		s.list = xcalloc(s.most, 2 * sizeof *s.list);
	buf_adds(c->out,
		 "time,file,lane,thread,process,pid,tid,stack,depth," CSV_FRAME_HEADINGS ",value");
	buf_adds(c->out, amount_is_time(unit) ? "_ns" : amount_column_end(unit));
	buf_adds(c->out, ",samples\r\n");
	for (uint32_t i = 0; i < g->n_lanes && take_lane(&s, g->lanes[i]); i++) {
	}
	if (s.list) {
		prune(&s);
		for (size_t i = 0; i < s.n && write_row(&s, &s.list[i]); i++) {
		}
	}
	free(s.list);
	free(s.path);
	buf_done(&s.text);
}

/* ==== report csv ==== */

#define TREE_HEADINGS "depth," CSV_FRAME_HEADINGS ",self_us,total_us\r\n"

/* ---- tables of functions ---- */

static enum rows_sort sort_of(const struct gathered *g, enum rows_sort usual)
{
	return g->options->is_sorted ? g->options->sort : usual;
}

static void write_functions(struct csv *c)
{
	const struct gathered *g = c->g;
	struct functions functions;
	struct totals_counts counts;
	struct rows rows;
	size_t n = 0;

	totals_counts(&g->totals, &counts);
	functions_init(&functions, &g->view, g->options->scope.t0, g->options->scope.t1);
	rows_init(&rows, &g->totals, ROWS_BOTTOMUP, sort_of(g, ROWS_BY_SELF));
	csv_out_headings(c,
			 CSV_FRAME_HEADINGS
			 ",self_us,total_us,spans,longest_us,shortest_us,mean_us,longest_start_us,"
			 "self_samples\r\n");
	for (size_t i = 0; i < rows.n && !csv_out_is_beyond(c, n); i++) {
		const struct function *f = &functions.list[rows.rows[i].frame];

		if (!gather_has_row(g, rows.rows[i].frame))
			continue;
		n++;
		csv_out_frame(c, &g->view.frames[rows.rows[i].frame]);
		csv_out_value(c, rows.rows[i].self);
		csv_out_value(c, rows.rows[i].total);
		csv_out_count(c, f->n_spans);
		csv_out_value(c, f->longest);
		csv_out_value(c, f->shortest);
		csv_out_value(c, functions_mean(f));
		csv_out_value(c, f->longest_t0);
		csv_out_count(c, counts.self_samples[rows.rows[i].frame]);
		csv_out_end(c);
	}
	rows_done(&rows);
	functions_done(&functions);
	totals_counts_done(&counts);
}

/* A row of the first level with all rows below it. Returns whether the output takes more. */
static bool add_subtree(struct csv *c, struct rows_walk *walk)
{
	uint64_t most = c->g->options->max_rows;
	const struct row *row;

	while ((!most || c->n_rows < most) && (row = rows_walk_next(walk))) {
		c->n_rows++;
		csv_out_count(c, (uint64_t)row->depth);
		csv_out_frame(c, &c->g->view.frames[row->frame]);
		csv_out_value(c, row->self);
		csv_out_value(c, row->total);
		if (!csv_out_end(c))
			return false;
	}
	c->n_left += rows_walk_skip(walk);
	return true;
}

/* A table that is not complete must not look complete to people, nor to programs that read it
 * later: its last row has no depth and no times. */
static void add_left_out(struct csv *c)
{
	struct buf text = { 0 };

	buf_addf(&text, "(%" PRIu64 " row%s left out by --max-rows=%" PRIu64 ")", c->n_left,
		 c->n_left == 1 ? "" : "s", c->g->options->max_rows);
	csv_out_text(c, "", 0);
	csv_out_text(c, buf_text(&text), text.len);
	for (int i = 0; i < 8; i++)
		csv_out_text(c, "", 0);
	csv_out_end(c);
	buf_done(&text);
}

static void write_rows(struct csv *c, enum rows_kind kind, enum rows_sort sort)
{
	const struct gathered *g = c->g;
	struct rows_walk walk = { 0 };
	struct rows rows;
	size_t n = 0;
	bool ok = true;

	csv_out_headings(c, TREE_HEADINGS);
	if (!g->view.tree)
		return;
	rows_init(&rows, &g->totals, kind, sort_of(g, sort));
	for (size_t i = 0; ok && i < rows.n && !csv_out_is_beyond(c, n); i++) {
		if (!gather_has_row(g, rows.rows[i].frame))
			continue;
		n++;
		rows_walk_begin(&walk, &rows, i);
		ok = add_subtree(c, &walk);
	}
	if (c->n_left)
		add_left_out(c);
	rows_walk_done(&walk);
	rows_done(&rows);
}

static void write_bottomup(struct csv *c)
{
	write_rows(c, ROWS_BOTTOMUP, ROWS_BY_SELF);
}

static void write_topdown(struct csv *c)
{
	write_rows(c, ROWS_TOPDOWN, ROWS_BY_TOTAL);
}

static void write_stack(struct csv *c)
{
	const struct gathered *g = c->g;
	node_id *stack;
	size_t n = summary_stack(&g->totals, &stack);

	csv_out_headings(c, TREE_HEADINGS);
	for (size_t i = 0; i < n && !csv_out_is_beyond(c, i); i++) {
		csv_out_count(c, i);
		csv_out_frame(c, &g->view.frames[g->view.tree->frame[stack[i]]]);
		csv_out_value(c, g->totals.self[stack[i]]);
		csv_out_value(c, g->totals.total[stack[i]]);
		csv_out_end(c);
	}
	free(stack);
}

/* ---- shares ---- */

static void write_shares(struct csv *c, enum summary_by by, const char *heading)
{
	struct share *list;
	size_t n = summary_shares(c->g->functions, by, &list);

	buf_adds(c->out, heading);
	csv_out_headings(c, "category,functions,self_us\r\n");
	for (size_t i = 0; i < n && !csv_out_is_beyond(c, i); i++) {
		const char *category = category_name(list[i].category);

		if (by != SUMMARY_CATEGORY)
			csv_out_string(c, list[i].is_named ? list[i].name : 0);
		csv_out_text(c, category, strlen(category));
		csv_out_count(c, list[i].n_frames);
		csv_out_value(c, list[i].self);
		csv_out_end(c);
	}
	free(list);
}

static void write_packages(struct csv *c)
{
	write_shares(c, SUMMARY_PACKAGE, "package,");
}

static void write_files(struct csv *c)
{
	write_shares(c, SUMMARY_FILE, "url,");
}

static void write_categories(struct csv *c)
{
	write_shares(c, SUMMARY_CATEGORY, "");
}

/* Of all slices in scope, also where there are samples. */
static void write_cats(struct csv *c)
{
	struct event_cat_share *list;
	size_t n = gather_event_cats(c->g, &list);

	csv_out_headings(c, "cat,self_us\r\n");
	for (size_t i = 0; i < n && !csv_out_is_beyond(c, i); i++) {
		csv_out_string(c, list[i].name);
		csv_out_value(c, list[i].self);
		csv_out_end(c);
	}
	free(list);
}

/* ---- lanes, pauses and busy stretches ---- */

static void add_lane_csv(struct csv *c, const struct lane *lane)
{
	struct buf label = { 0 };

	csv_out_count(c, lane->id);
	lane_name(c->g->scoped->original, lane, true, &label);
	csv_out_text(c, buf_text(&label), label.len);
	buf_done(&label);
}

static void add_lane_times(struct csv *c, const struct lane *lane)
{
	struct view view;
	struct totals t;
	int64_t t0, t1, gc, program, dropped;

	gather_range(c->g->options, lane, &t0, &t1);
	view_init_lane(&view, c->g->profile, lane);
	totals_init(&t, &view);
	totals_compute(&t, t0, t1);
	gc = summary_gc(&t);
	program = summary_category(&t, CATEGORY_PROGRAM);
	dropped = scoped_dropped(c->g->scoped, lane, t0, t1);
	csv_out_value(c, t0);
	csv_out_value(c, t1 - t0);
	csv_out_value(c, t.sampled_ns - t.idle_ns - gc - program);
	csv_out_value(c, t.idle_ns);
	csv_out_value(c, program);
	csv_out_value(c, gc);
	csv_out_value(c, dropped);
	csv_out_value(c, t1 - t0 - t.sampled_ns - dropped);
	totals_done(&t);
	view_done(&view);
}

/* Counters and marks have no time that is spent, async operations only busy time. */
static void add_other_times(struct csv *c, const struct lane *lane)
{
	int64_t t0, t1;

	gather_range(c->g->options, lane, &t0, &t1);
	csv_out_value(c, t0);
	csv_out_value(c, t1 - t0);
	if (lane->kind == LANE_ASYNC)
		csv_out_value(c, gather_covered(lane, t0, t1));
	else
		csv_out_text(c, "", 0);
	for (int i = 0; i < 5; i++)
		csv_out_text(c, "", 0);
}

/* All lanes of the scope; the first of joined ones has the times of all. Only those of samples have
 * a number of samples: how many leaves slices keep depends on how much of the file is loaded. */
static void write_lanes(struct csv *c)
{
	const struct profile *p = c->g->profile;

	csv_out_headings(
		c,
		"lane,thread,file,pid,tid,samples,start_us,duration_us,busy_us,idle_us,program_us,gc_us,dropped_us,unsampled_us,kind\r\n");
	for (uint32_t i = 0, n = 0; i < p->n_lanes && !csv_out_is_beyond(c, n); n++) {
		const struct lane *lane = &p->lanes[i];

		i += lane_count_joined(lane, p->lanes + p->n_lanes);
		add_lane_csv(c, scoped_original(c->g->scoped, lane));
		csv_out_string(c, c->g->profile->inputs[lane->input].path);
		csv_out_id(c, lane->pid);
		csv_out_id(c, lane->tid);
		if (lane->kind == LANE_SAMPLES)
			csv_out_count(c, lane->n_samples);
		else
			csv_out_text(c, "", 0);
		if (lane->kind == LANE_SAMPLES || lane->kind == LANE_SLICES)
			add_lane_times(c, lane);
		else
			add_other_times(c, lane);
		csv_out_text(c, lane_name_kind(lane->kind), strlen(lane_name_kind(lane->kind)));
		if (!csv_out_end(c))
			return;
	}
}

/* The files, to compare recordings by, whatever the scope. */
static void write_inputs(struct csv *c)
{
	const struct profile *p = c->g->scoped->original;
	struct input_sums *sums = input_sums_new(p);

	csv_out_headings(c,
			 "file,format,recorded_at,sequence,interval_us,duration_us,lanes,nodes,"
			 "samples,bytes\r\n");
	for (uint32_t i = 0; i < p->n_inputs && !csv_out_is_beyond(c, i); i++) {
		const struct input *in = &p->inputs[i];
		struct buf recorded = { 0 };

		wall_clock_recorded(p, in, &recorded);
		csv_out_string(c, in->path);
		csv_out_text(c, in->format, in->format ? strlen(in->format) : 0);
		csv_out_text(c, buf_text(&recorded), recorded.len);
		csv_out_known(c, in->seq);
		if (sums[i].interval_ns > 0)
			csv_out_value(c, sums[i].interval_ns);
		else
			csv_out_text(c, "", 0);
		csv_out_value(c, sums[i].duration_ns);
		csv_out_count(c, sums[i].n_lanes);
		csv_out_count(c, sums[i].n_nodes);
		csv_out_count(c, sums[i].n_samples);
		csv_out_known(c, in->bytes);
		buf_done(&recorded);
		if (!csv_out_end(c))
			break;
	}
	free(sums);
}

static void add_name_csv(struct csv *c, frame_id frame)
{
	csv_out_string(c, frame == FRAME_NONE ? 0 : c->g->profile->frames.frames[frame].name);
}

static void write_stretches(struct csv *c, bool is_busy)
{
	const struct gathered *g = c->g;
	const struct summary_range range = { g->scoped->original, g->originals, g->n_originals,
					     g->options->scope.t0, g->options->scope.t1 };
	size_t all, n, most = is_busy ? 1000 : 100000;
	struct stretch *list;

	if (g->options->has_top)
		most = (size_t)g->options->top;
	n = summary_stretches(&range, is_busy, most, &list, &all);
	csv_out_headings(c, "lane,thread,start_us,duration_us,");
	buf_adds(c->out, is_busy ? "outermost,leaf\r\n" : "kind\r\n");
	for (size_t i = 0; i < n; i++) {
		add_lane_csv(c, list[i].lane);
		csv_out_value(c, list[i].t0);
		csv_out_value(c, list[i].t1 - list[i].t0);
		if (is_busy) {
			add_name_csv(c, list[i].outer);
			add_name_csv(c, list[i].leaf);
		} else {
			csv_out_text(c, list[i].is_sampled ? "idle" : "not sampled",
				     list[i].is_sampled ? 4 : 11);
		}
		csv_out_end(c);
	}
	free(list);
}

static void write_gaps(struct csv *c)
{
	write_stretches(c, false);
}

static void write_busy(struct csv *c)
{
	write_stretches(c, true);
}

static void write_lines(struct csv *c)
{
	struct hot_line *list;
	size_t n = summary_lines(c->g->scoped->original, c->g->originals, c->g->n_originals,
				 c->g->options->scope.t0, c->g->options->scope.t1, &list),
	       shown = 0;

	csv_out_headings(c, "name,url,line,ticks,about_us,text\r\n");
	for (size_t i = 0; i < n && !csv_out_is_beyond(c, shown); i++) {
		const struct frame *f = &c->g->profile->frames.frames[list[i].frame];

		if (!gather_has_row(c->g, list[i].frame))
			continue;
		shown++;
		csv_out_string(c, f->name);
		csv_out_string(c, f->url);
		csv_out_count(c, (uint64_t)list[i].line);
		csv_out_count(c, list[i].ticks);
		csv_out_value(c, list[i].about_ns);
		line_table_cell(c->g, &list[i], c->out);
		csv_out_end(c);
	}
	free(list);
}

/* The values of all labels, by key. */
static void write_labels(struct csv *c)
{
	const struct gathered *g = c->g;
	const struct scope *scope = &g->options->scope;
	struct label_share *shares;
	size_t n = label_share_of(g->profile, g->lanes, g->n_lanes, scope->t0, scope->t1,
				  scope->has_idle, &shares);

	csv_out_headings(c, "key,value,self_us,samples\r\n");
	for (size_t i = 0; i < n; i++)
		for (size_t k = 0; k < shares[i].n && !csv_out_is_beyond(c, k); k++) {
			const struct label_part *part = &shares[i].parts[k];

			csv_out_string(c, g->profile->labels.keys[shares[i].key].name);
			csv_out_string(c, part->value);
			csv_out_value(c, part->ns);
			csv_out_known(c, part->n ? (int64_t)part->n : -1);
			csv_out_end(c);
		}
	label_share_free(shares, n);
}

/* ---- the tables ---- */

static const struct {
	const char *name;
	void (*write)(struct csv *c);
} tables[] = {
	{ "functions", write_functions }, { "bottomup", write_bottomup },
	{ "topdown", write_topdown },     { "packages", write_packages },
	{ "files", write_files },         { "categories", write_categories },
	{ "lanes", write_lanes },         { "gaps", write_gaps },
	{ "busy", write_busy },           { "stack", write_stack },
	{ "lines", write_lines },         { "inputs", write_inputs },
	{ "cats", write_cats },           { "stacks", csv_stacks },
	{ "labels", write_labels },
};

const char *report_csv_word(unsigned i)
{
	return i < ARRAY_LEN(tables) ? tables[i].name : NULL;
}

static uint64_t csv_write(const struct scoped *scoped, const struct report_options *options,
			  struct sink *sink)
{
	struct gathered g;
	struct csv c = { .g = &g, .sink = sink, .out = sink_buf(sink) };

	gather_init(&g, scoped, options);
	tables[options->table].write(&c);
	gather_done(&g);
	return c.n_left;
}

const struct report report_csv = { "csv", "one table as comma-separated values", csv_write };
