/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What search.c does for lanes in which single samples or slices match. */
#include "config.h"

#include "analyse/search_slices.h"

#include "base/alloc.h"
#include "base/budget.h"
#include "base/buf.h"
#include "base/sort.h"
#include "model/blocks.h"
#include "model/request.h"
#include "model/slices.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* ==== search samples ====
 *
 * The samples of a lane keep their numbers and times, so spans of them are stretches of the lane.
 * Two samples that match share a row even if their stacks do not. */

#define SAMPLE_BYTES (2 * sizeof(node_id) + 2 * sizeof(uint16_t)) /* with their blocks, about */

/* ---- functions ---- */

static void mark_lane(struct search *search, const struct lane *lane)
{
	const struct calltree *tree = &lane->tree;
	const struct samples *s = &lane->samples;
	ALLOC_LOCAL uint8_t *is_used = xcalloc((size_t)tree->n + 1, 1);

	for (size_t i = 0; i < s->n; i++)
		is_used[samples_leaf(s, i)] |= search->labels[lane->labels[i]];
	for (node_id i = tree->n; i-- > 1;) {
		uint8_t *is_match = &search->matches[tree->frame[i]];

		if (!is_used[i])
			continue;
		is_used[tree->parent[i]] = 1;
		search->n_functions += !*is_match;
		*is_match = 1;
	}
}

bool search_samples_mark(struct search *search, struct budget *budget)
{
	const struct profile *p = search->profile;

	while (search->next_lane < p->n_lanes) {
		const struct lane *lane = &p->lanes[search->next_lane++];
		size_t work = 1;

		if (lane->labels) {
			mark_lane(search, lane);
			work += lane->samples.n + lane->tree.n;
		}
		if (search->next_lane < p->n_lanes &&
		    budget_use(budget, work < BUDGET_STEP ? (uint32_t)work : BUDGET_STEP))
			return false;
	}
	return true;
}

/* ---- samples ---- */

/* Take samples up to `end`. */
static void take_samples(const struct search *search, struct search_lane *l, size_t end)
{
	const struct lane *lane = l->lane;
	const struct samples *s = &lane->samples;

	for (size_t i = l->n_own; i < end; i++) {
		node_id leaf = search->labels[lane->labels[i]] ? samples_leaf(s, i) : NODE_ROOT;
		uint16_t shared;

		l->own.leaf[i] = leaf;
		if (leaf == NODE_ROOT)
			continue;
		l->has_any = true;
		if (!i || l->own.leaf[i - 1] == NODE_ROOT)
			continue;
		shared = samples_shared(s, i - 1);
		l->own.shared[i - 1] = shared ? shared : 1;
	}
	l->n_own = end;
}

void search_slices_arrays(struct search_lane *l)
{
	uint32_t n = l->lane->tree.n;

	l->near = xcalloc(n, sizeof *l->near);
	l->deep = xcalloc(n, sizeof *l->deep);
	l->n = xcalloc(n, sizeof *l->n);
}

/* All rows of a sample that matches are one match, the outermost one. */
static void make_nodes(struct search_lane *l)
{
	const struct calltree *tree = &l->lane->tree;

	search_slices_arrays(l);
	for (node_id i = 1; i < tree->n; i++) {
		l->near[i] = tree->parent[i] == NODE_ROOT ? i : l->near[tree->parent[i]];
		l->deep[i] = 1;
		l->n[i] = 1;
	}
}

bool search_samples_prepare(struct search *search, struct search_lane *l, struct budget *budget)
{
	const struct samples *s = &l->lane->samples;

	if (!l->own.leaf) {
		bool is_wanted = l->lane->labels && s->n;

		if (!is_wanted ||
		    !reserve_has_room(s->n * SAMPLE_BYTES +
				      l->lane->tree.n * (size_t)SEARCH_NODE_BYTES)) {
			search->is_lacking |= is_wanted;
			l->is_made = true;
			return true;
		}
		l->own.n = s->n;
		l->own.times = s->times;
		l->own.leaf = xcalloc(s->n, sizeof *l->own.leaf);
		l->own.shared = xcalloc(s->n, sizeof *l->own.shared);
	}
	while (l->n_own < s->n) {
		size_t left = s->n - l->n_own;
		uint32_t n = left < budget->step ? (uint32_t)left : budget->step;

		take_samples(search, l, l->n_own + n);
		if (budget_use(budget, n))
			return false;
	}
	if (l->has_any) {
		if (!l->blocks)
			l->blocks = blocks_work_begin(&l->own, l->lane->tree.n);
		if (!blocks_work(l->blocks, budget))
			return false;
		l->own.blocks = blocks_work_end(l->blocks);
		l->blocks = NULL;
		samples_index(&l->own, &l->lane->tree, NULL);
		make_nodes(l);
		l->samples = &l->own;
		l->is_whole = true;
	}
	l->is_made = true;
	return true;
}

/* ==== search slices ====
 *
 * In the tree of a split lane, slices that match have nodes of their own. Its samples are those of
 * the lane with other leaves, so it has the same spans. */

#define SPLIT_NODE_BYTES 80 /* with the map while it is made, about */
#define SLICE_WORK 16       /* units of work of looking for a slice among the hits */

struct search_split {
	struct lane lane;
	node_id *nodes;  /* by node: that of the lane */
	uint8_t *is_hit; /* by node */
	/* While it is made: first the leaves as nodes of a map, whose frames are a node of the lane
	 * and whether the slice matches. */
	struct node_map map;
	node_id *at, *own; /* by row of the sample: nodes of the map and of the lane */
	size_t next, slice;
	bool has_any;
	node_id *order;
	struct calltree_work *tree;
	struct blocks_work *blocks;
};

void search_slices_done(struct search_lane *l)
{
	struct search_split *w = l->split;

	if (!w)
		return;
	calltree_end(w->tree);
	calltree_done(&w->lane.tree);
	blocks_free(w->blocks ? blocks_work_end(w->blocks) : w->lane.samples.blocks);
	free(w->lane.samples.leaf);
	free(w->nodes);
	free(w->is_hit);
	node_map_done(&w->map);
	free(w->at);
	free(w->own);
	free(w->order);
	free(w);
	l->split = NULL;
}

static struct search_split *begin_split(const struct lane *lane)
{
	size_t bytes = lane->samples.n * sizeof(node_id);
	struct search_split *w;

	if (!reserve_has_room(bytes + lane->tree.n * (size_t)SPLIT_NODE_BYTES))
		return NULL;
	w = xcalloc(1, sizeof *w);
	w->lane = *lane;
	w->lane.tree = (struct calltree){ 0 };
	w->lane.samples.leaf = xmalloc(bytes);
	w->lane.samples.blocks = NULL;
	w->at = xcalloc((size_t)lane->tree.max_rows + 1, sizeof *w->at);
	w->own = xcalloc((size_t)lane->tree.max_rows + 1, sizeof *w->own);
	node_map_init(&w->map);
	return w;
}

/* Returns whether all samples are mapped. */
static bool map_samples(const struct search *search, const struct lane *lane,
			struct search_split *w, struct budget *budget)
{
	const struct samples *s = &lane->samples;

	while (w->next < s->n) {
		size_t i = w->next++;
		node_id node = samples_leaf(s, i);
		unsigned rows = lane->tree.rows[node], row = i ? samples_shared(s, i - 1) : 0;

		for (unsigned r = rows; r > row; r--, node = lane->tree.parent[node])
			w->own[r] = node;
		if (rows > row)
			budget->used += (rows - row) * SLICE_WORK;
		while (row++ < rows) {
			bool is = search->matches[lane->tree.frame[w->own[row]]] == 1 ||
				slice_is_hit(&lane->slices, w->slice++, lane->input, &search->hits);

			w->at[row] = node_map_child(&w->map, w->at[row - 1], w->own[row] << 1 | is);
			w->has_any |= is;
		}
		w->lane.samples.leaf[i] = w->at[rows];
		if (budget_use(budget, 1))
			return w->next == s->n;
	}
	return true;
}

/* The tree is complete: give it its frames, and the samples its nodes. */
static void take_tree(const struct lane *lane, struct search_split *w)
{
	struct calltree *tree = &w->lane.tree;

	calltree_end(w->tree);
	w->tree = NULL;
	w->nodes = xcalloc(tree->n, sizeof *w->nodes);
	w->is_hit = xcalloc(tree->n, 1);
	for (node_id i = 1; i < tree->n; i++) {
		w->is_hit[i] = tree->frame[i] & 1;
		w->nodes[i] = tree->frame[i] >> 1;
		tree->frame[i] = lane->tree.frame[w->nodes[i]];
	}
	for (size_t i = 0; i < lane->samples.n; i++)
		w->lane.samples.leaf[i] = w->order[w->lane.samples.leaf[i]];
	w->blocks = blocks_work_begin(&w->lane.samples, tree->n);
}

bool search_slices_prepare(struct search *search, struct search_lane *l, struct budget *budget)
{
	struct search_split *w = l->split = l->split ? l->split : begin_split(l->lane);

	search->is_lacking |= !w;
	if (!w)
		return true;
	if (!w->blocks) {
		if (!w->tree && !map_samples(search, l->lane, w, budget))
			return false;
		if (!w->has_any) {
			search_slices_done(l);
			return true;
		}
		if (!w->tree) {
			w->order = xmalloc(w->map.n * sizeof *w->order);
			w->tree = calltree_begin(&w->lane.tree, w->map.n, w->map.parent,
						 w->map.frame, w->order);
		}
		if (!calltree_work(w->tree, budget))
			return false;
		take_tree(l->lane, w);
	}
	if (!blocks_work(w->blocks, budget))
		return false;
	w->lane.samples.blocks = blocks_work_end(w->blocks);
	w->blocks = NULL;
	node_map_done(&w->map);
	l->lane = &w->lane;
	l->samples = &w->lane.samples;
	l->nodes = w->nodes;
	l->is_hit = w->is_hit;
	return true;
}

void search_slices_take(struct search *search, const struct event_hits *hits)
{
	search->hits = *hits;
	search->hits.at = xmalloc((hits->n + 1) * sizeof *hits->at);
	if (hits->n)
		memcpy(search->hits.at, hits->at, hits->n * sizeof *hits->at);
	search->hits.why = hits->why ? xstrdup(hits->why) : NULL;
	search->wants_hits = false;
}

struct pattern *search_slices_status(const char *text, size_t len, struct error *err)
{
	BUF_LOCAL any = { 0 };

	buf_adds(&any, "\\b(?:");
	for (size_t i = 0; i < len; i++)
		if (text[i] == 'x')
			buf_adds(&any, "[0-9]");
		else
			buf_addc(&any, text[i]);
	buf_addc(&any, ')');
	return pattern_new(buf_text(&any), any.len, false, err);
}

static void add_request(struct search *search, int64_t status, const char *what, uint32_t input,
			int64_t offset)
{
	struct event_hits *hits = &search->hits;
	BUF_LOCAL text = { 0 };

	if (search->subject == PATTERN_STATUS && status)
		buf_addf(&text, "%" PRId64 " ", status);
	buf_adds(&text, what);
	if (text.len && offset >= 0 && offset < SLICE_OFFSET_END &&
	    pattern_find(search->pattern, buf_text(&text), text.len, NULL, NULL))
		*ARRAY_ADD(hits->at, hits->n, hits->cap) = EVENT_AT(input, offset);
}

SORT_ORDER(by_place, uint64_t, SORT_BY_1(*x, *y))

void search_slices_requests(struct search *search)
{
	const struct profile *p = search->profile;
	bool is_trace = search->subject == PATTERN_TRACE;

	for (size_t i = 0; i < p->served.n; i++) {
		const struct served *s = &p->served.requests[i];

		add_request(search, s->status,
			    is_trace                ? s->trace ? profile_text(p, s->trace) : ""
				    : s->is_aborted ? "aborted"
						    : "",
			    s->input, s->offset);
	}
	for (size_t i = 0; i < p->n_requests && !is_trace; i++)
		add_request(search, p->requests[i].status,
			    p->requests[i].has_failed ? "failed" : "", p->requests[i].input,
			    p->requests[i].offset);
	if (search->hits.n)
		qsort(search->hits.at, search->hits.n, sizeof *search->hits.at, by_place);
}

bool search_slices_has(struct search *search, uint32_t lane, const struct span *span)
{
	const struct search_lane *l = search_lane(search, lane);
	node_id node;

	if (!l->near)
		return false;
	node = calltree_ancestor(&l->lane->tree, samples_leaf(l->samples, span->first),
				 (unsigned)span->depth + 1);
	return l->near[node] == node;
}
