/* SPDX-License-Identifier: GPL-2.0-or-later */
/* `report --format=csv`: one table as RFC 4180 defines it: a row of headings, fields separated by
 * commas and quoted where necessary, lines that end with CR LF. Times are in microseconds, names
 * are not truncated, unknown values are empty. */
#include "config.h"

#include "analyse/heavy_stack.h"
#include "base/alloc.h"
#include "base/sort.h"
#include "base/text.h"
#include "model/profile.h"
#include "write/report/gather.h"
#include "write/report/report_lists.h"

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
	struct report_out *out;
	struct stack_row *list; /* the heaviest rows so far; NULL: all rows are written */
	size_t n, most;
	/* Of the row that is written: */
	const struct stack_row *row;
	node_id *path;
	size_t depth, cap;
	struct buf time, stack;
};

#define STACKS(X)                                                                                  \
	X(WORDS, REPORT_CSV, "time", "", 0, 0, .text = buf_text(&row->time))                       \
	X(PATH, REPORT_CSV, "file", "", 0, 0, .string = out->profile->inputs[lane->input].path)    \
	X(ID, REPORT_CSV, "lane", "", 0, 0, .n = lane->id)                                         \
	X(LANE, REPORT_CSV, "thread", "", 0, 0, .lane = scoped_original(out->g->scoped, lane))     \
	X(NAME, REPORT_CSV, "process", "", 0, 0, .string = lane->process_name)                     \
	X(ID, REPORT_CSV, "pid", "", 0, 0, .n = lane->pid)                                         \
	X(ID, REPORT_CSV, "tid", "", 0, 0, .n = lane->tid)                                         \
	X(NAME, REPORT_CSV, "stack", "", 0, 0, .text = buf_text(&row->stack))                      \
	X(COUNT, REPORT_CSV, "depth", "", 0, 0, .n = (int64_t)row->depth)                          \
	X(FRAME, REPORT_CSV, "", "", 0, 0,                                                         \
	  .frame = profile_frame(out->profile, lane->tree.frame[row->row->node]))                  \
	X(WHOLE, REPORT_CSV, "value", "", 0, 0, .n = row->row->self)                               \
	X(COUNT, REPORT_CSV, "samples", "", 0, 0,                                                  \
	  .n = lane->kind == LANE_SAMPLES ? (int64_t)row->row->n_samples : -1)                     \
	X(LABELS, REPORT_CSV, "labels", "", 0, 0, .n = out->profile->inputs[lane->input].labels)

REPORT_TABLE_WITH(stacks_table, STACKS, struct stacks, const struct lane *lane = row->row->lane,
		  .title = NULL)

SORT_ORDER(heaviest_first, struct stack_row,
	   SORT_BY_3(y->self, x->self, x->lane->id, y->lane->id, x->node, y->node))

/* Append a name as a string of the list. */
static void add_name(struct stacks *s, str_id id)
{
	const struct profile *p = s->out->profile;
	BUF_LOCAL visible = { 0 };

	text_visible(&visible, profile_text(p, id), intern_len(&p->strings, id));
	buf_addc(&s->stack, '\'');
	for (size_t i = 0; i < visible.len; i++) {
		if (visible.data[i] == '\'' || visible.data[i] == '\\')
			buf_addc(&s->stack, '\\');
		buf_addc(&s->stack, visible.data[i]);
	}
	buf_addc(&s->stack, '\'');
}

/* Returns whether the output takes more. */
static bool write_row(struct stacks *s, const struct stack_row *row)
{
	const struct profile *p = s->out->profile;
	const struct calltree *tree;

	s->row = row;
	buf_clear(&s->time);
	wall_clock_recorded(s->out->g->scoped->original, &p->inputs[row->lane->input], &s->time);
	/* The names of a stack, as a list. */
	tree = &row->lane->tree;
	s->depth = 0;
	for (node_id node = row->node; node != NODE_ROOT; node = tree->parent[node]) {
		if (s->depth == s->cap)
			s->path = xgrow(s->path, &s->cap, s->depth + 1, sizeof *s->path);
		s->path[s->depth++] = node;
	}
	buf_clear(&s->stack);
	buf_addc(&s->stack, '[');
	for (size_t i = s->depth; i-- > 0;) {
		add_name(s, profile_frame(s->out->profile, tree->frame[s->path[i]])->name);
		buf_adds(&s->stack, i ? "," : "");
	}
	buf_addc(&s->stack, ']');
	return report_table_row(s->out, s);
}

/* Leave the heaviest rows. */
static void prune(struct stacks *s)
{
	qsort(s->list, s->n, sizeof *s->list, heaviest_first);
	s->n = s->n < s->most ? s->n : s->most;
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
	const struct gathered *g = s->out->g;
	ALLOC_LOCAL uint64_t *n_samples = NULL;
	ALLOC_LOCAL node_id *first = NULL;
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

		if ((row.self <= 0 && !row.n_samples) ||
		    !gather_has_row(g, view_frame_id(&view, view.tree->frame[i])))
			continue;
		if (!s->list) {
			ok = write_row(s, &row);
			continue;
		}
		if (s->n == 2 * s->most)
			prune(s);
		s->list[s->n++] = row;
	}
	totals_done(&totals);
	view_done(&view);
	return ok;
}

/* Write a row for each lane and stack with self time or samples, in the order of the call trees;
 * with --top, only the rows with most time, sorted by it. */
void report_csv_stacks(struct report_out *out)
{
	const struct gathered *g = out->g;
	struct stacks s = { .out = out, .most = (size_t)g->options->top };

	if (g->options->has_top)
		s.list = xcalloc(s.most, 2 * sizeof *s.list);
	report_table_begin(out, &stacks_table);
	for (uint32_t i = 0; i < g->n_lanes && take_lane(&s, g->lanes[i]); i++) {
	}
	if (s.list) {
		prune(&s);
		for (size_t i = 0; i < s.n && write_row(&s, &s.list[i]); i++) {
		}
	}
	free(s.list);
	free(s.path);
	buf_done(&s.time);
	buf_done(&s.stack);
}

/* ==== report csv ==== */

static uint64_t csv_write(const struct scoped *scoped, const struct report_options *options,
			  struct sink *sink)
{
	struct gathered g;
	struct report_out out = { .g = &g,
				  .profile = scoped->profile,
				  .options = options,
				  .csv = sink_buf(sink),
				  .sink = sink,
				  .rows_max = options->has_top ? (size_t)options->top : SIZE_MAX };

	gather_init(&g, scoped, options, GATHER_TOTALS);
	report_lists_write(&out, (enum report_list)options->table);
	gather_done(&g);
	return out.n_cut;
}

const struct report report_csv = { "csv", "one table as comma-separated values", csv_write };
