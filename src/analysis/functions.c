/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A stack of open spans goes through the samples of each lane: at every sample those close that it
 * does not share with the one before, and those open that it has more.
 * 1. open[r] is when the span on row r + 1 began, and the chain of the current leaf is what is open.
 * 2. depth[f] is how many spans of frame f are open; its total grows when that becomes 0 again. */
#include "config.h"

#include "analysis/functions.h"

#include "base/alloc.h"

#include <stdlib.h>

struct walk {
	const struct view *view;
	struct functions *functions;
	uint32_t source;
	int64_t t0, t1;
	int64_t *open;        /* by row */
	frame_id *frame;      /* by row */
	unsigned n_open;
	int64_t end;          /* where what is open ends, as far as it was seen */
	uint32_t *depth;      /* by frame */
	int64_t *since;       /* by frame: when its outermost open span began */
};

static int64_t clip(const struct walk *w, int64_t t)
{
	return t < w->t0 ? w->t0 : t > w->t1 ? w->t1 : t;
}

static void close_to(struct walk *w, unsigned rows)
{
	while (w->n_open > rows) {
		frame_id f = w->frame[--w->n_open];
		struct function *fn = &w->functions->list[f];
		int64_t from = w->open[w->n_open], ns = w->end - from;

		if (fn->n_spans == 0 || ns > fn->longest) {
			fn->longest = ns;
			fn->longest_t0 = from;
			fn->longest_source = w->source;
		}
		if (fn->n_spans == 0 || ns < fn->shortest)
			fn->shortest = ns;
		fn->n_spans++;
		fn->spans_ns += ns;
		if (--w->depth[f] == 0)
			fn->total += w->end - w->since[f];
	}
}

static void open_to(struct walk *w, node_id leaf, int64_t t)
{
	const struct calltree *tree = w->view->tree;
	unsigned rows = tree->rows[leaf], from = w->n_open;

	w->n_open = rows;
	for (unsigned r = rows; r > from; r--, leaf = tree->parent[leaf]) {
		w->open[r - 1] = t;
		w->frame[r - 1] = tree->frame[leaf];
	}
	for (unsigned r = from; r < rows; r++)
		if (w->depth[w->frame[r]]++ == 0)
			w->since[w->frame[r]] = t;
}

/* A sample whose span lies, partly at least, in the range. */
static void pass(struct walk *w, node_id leaf, int64_t t, int64_t end)
{
	const struct calltree *tree = w->view->tree;

	open_to(w, leaf, t);
	if (leaf != NODE_ROOT)
		w->functions->list[tree->frame[leaf]].self += end - t;
	w->end = end;
}

/* The same samples count as for totals_counts(). */
static void walk_lane(struct walk *w)
{
	const struct lane *lane = w->view->sources[w->source].lane;
	const struct samples *s = &lane->samples;
	bool has_time = lane->kind == LANE_SAMPLES && s->n && s->t[s->n] > s->t[0];
	int64_t t_end = s->n && w->t1 >= s->t[s->n] ? INT64_MAX : w->t1;
	unsigned kept = 0;

	w->n_open = 0;
	for (size_t i = s->n ? samples_find(s, w->t0 - 1) : 0; i < s->n && s->t[i] < t_end; i++) {
		node_id leaf = view_node(w->view, w->source, s->leaf[i]);
		int64_t t = clip(w, s->t[i]), end = clip(w, s->t[i + 1]);
		unsigned shared;

		if (leaf == VIEW_DROPPED) {
			w->functions->dropped_ns += s->leaf[i] == NODE_ROOT ? 0 : end - t;
		} else if (!has_time || (s->t[i + 1] > s->t[i] && s->t[i + 1] > w->t0)) {
			close_to(w, kept);
			pass(w, leaf, t, end);
			kept = UINT16_MAX;
		}
		shared = view_shared(w->view, w->source, i);
		if (shared < kept)
			kept = shared;
	}
	close_to(w, 0);
}

void functions_init(struct functions *functions, const struct view *view, int64_t t0, int64_t t1)
{
	unsigned rows = view->tree ? view->tree->max_rows : 0;
	struct walk w = { .view = view, .functions = functions, .t0 = t0, .t1 = t1 };

	*functions = (struct functions){ .n = view->n_frames };
	functions->list = xcalloc(view->n_frames, sizeof *functions->list);
	if (!view->tree)
		return;
	w.open = xcalloc(rows, sizeof *w.open);
	w.frame = xcalloc(rows, sizeof *w.frame);
	w.depth = xcalloc(view->n_frames, sizeof *w.depth);
	w.since = xcalloc(view->n_frames, sizeof *w.since);
	for (w.source = 0; w.source < view->n_sources; w.source++)
		walk_lane(&w);
	free(w.open);
	free(w.frame);
	free(w.depth);
	free(w.since);
}

void functions_done(struct functions *functions)
{
	free(functions->list);
	*functions = (struct functions){ 0 };
}

int64_t function_mean(const struct function *f)
{
	return f->n_spans ? f->spans_ns / (int64_t)f->n_spans : 0;
}
