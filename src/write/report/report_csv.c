/* SPDX-License-Identifier: GPL-2.0-or-later */
/* `report --format=csv`: one table as RFC 4180 defines it: a row of headings, fields separated by
 * commas and quoted where necessary, lines that end with CR LF. Times are in microseconds, names
 * are not truncated, unknown values are empty. To add a table: a function that writes it, and a row
 * in `tables`. */
#include "config.h"

#include "analyse/heavy_stack.h"
#include "analyse/label_share.h"
#include "analyse/rows/rows_walk.h"
#include "base/alloc.h"
#include "base/text.h"
#include "model/lane_name.h"
#include "model/profile.h"
#include "write/report/csv_out.h"
#include "write/report/report_lists.h"

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

static void add_stacks(struct report_out *out)
{
	csv_stacks(out->csv);
}

static const struct {
	const char *name;
	void (*write)(struct report_out *out);
	void (*write_some)(struct report_out *out, unsigned which); /* instead */
	unsigned which;
} tables[] = {
	{ "functions", .write_some = report_lists_functions, .which = ROWS_BY_SELF },
	{ "bottomup", .write_some = report_lists_tree, .which = ROWS_BOTTOMUP },
	{ "topdown", .write_some = report_lists_tree, .which = ROWS_TOPDOWN },
	{ "packages", .write_some = report_lists_shares, .which = SUMMARY_PACKAGE },
	{ "files", .write_some = report_lists_shares, .which = SUMMARY_FILE },
	{ "categories", .write_some = report_lists_shares, .which = SUMMARY_CATEGORY },
	{ "lanes", .write = report_lists_lanes },
	{ "gaps", .write_some = report_lists_stretches, .which = false },
	{ "busy", .write_some = report_lists_stretches, .which = true },
	{ "stack", .write = report_lists_stack },
	{ "lines", .write = report_lists_lines },
	{ "inputs", .write = report_lists_inputs },
	{ "cats", .write = report_lists_event_cats },
	{ "stacks", .write = add_stacks },
	{ "labels", .write = report_lists_labels },
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
	struct report_out out = { .g = &g,
				  .profile = scoped->profile,
				  .options = options,
				  .csv = &c,
				  .rows_max = options->has_top ? (size_t)options->top : SIZE_MAX };

	gather_init(&g, scoped, options);
	if (tables[options->table].write)
		tables[options->table].write(&out);
	else
		tables[options->table].write_some(&out, tables[options->table].which);
	gather_done(&g);
	return out.n_cut;
}

const struct report report_csv = { "csv", "one table as comma-separated values", csv_write };
