/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What search.c does for lanes in which single samples or slices match. */
#include "config.h"

#include "analyse/search_slices.h"

#include "base/alloc.h"
#include "base/budget.h"
#include "model/blocks.h"
#include "model/slices.h"

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
	uint8_t *is_used = xcalloc((size_t)tree->n + 1, 1);

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
	free(is_used);
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

void search_slices_done(struct search_lane *l)
{
	if (!l->split)
		return;
	calltree_done(&l->split->tree);
	free(l->split->samples.leaf);
	blocks_free(l->split->samples.blocks);
	free(l->split);
	free(l->nodes);
}

/* Make the leaves from nodes of a map, whose frames are a node of the lane and whether the slice
 * matches. Returns whether any does. */
static bool map_slices(const struct search *search, const struct lane *lane, struct node_map *map,
		       node_id *leaf)
{
	const struct samples *s = &lane->samples;
	node_id *at = xcalloc((size_t)lane->tree.max_rows + 1, sizeof *at),
		*own = xcalloc((size_t)lane->tree.max_rows + 1, sizeof *own);
	bool has_any = false;

	node_map_init(map);
	for (size_t i = 0, k = 0; i < s->n; i++) {
		node_id node = samples_leaf(s, i);
		unsigned rows = lane->tree.rows[node], row = i ? samples_shared(s, i - 1) : 0;

		for (unsigned r = rows; r > row; r--, node = lane->tree.parent[node])
			own[r] = node;
		while (row++ < rows) {
			bool is = search->matches[lane->tree.frame[own[row]]] == 1 ||
				slice_is_hit(&lane->slices, k, lane->input, &search->hits);

			at[row] = node_map_child(map, at[row - 1], own[row] << 1 | is);
			has_any |= is;
			k++;
		}
		leaf[i] = at[rows];
	}
	free(at);
	free(own);
	return has_any;
}

uint8_t *search_slices_split(struct search *search, struct search_lane *l)
{
	const struct lane *lane = l->lane;
	size_t bytes = lane->samples.n * sizeof(node_id);
	bool has_room = reserve_has_room(bytes + lane->tree.n * (size_t)SPLIT_NODE_BYTES);
	node_id *leaf = has_room ? xmalloc(bytes) : NULL, *order;
	struct node_map map = { 0 };
	struct calltree *tree;
	uint8_t *is = NULL;

	search->is_lacking |= !leaf;
	if (leaf && map_slices(search, lane, &map, leaf)) {
		l->split = xmalloc(sizeof *l->split);
		*l->split = *lane;
		tree = &l->split->tree;
		order = xmalloc(map.n * sizeof *order);
		calltree_build(tree, map.n, map.parent, map.frame, order);
		l->nodes = xcalloc(tree->n, sizeof *l->nodes);
		is = xcalloc(tree->n, 1);
		for (node_id i = 1; i < tree->n; i++) {
			is[i] = tree->frame[i] & 1;
			l->nodes[i] = tree->frame[i] >> 1;
			tree->frame[i] = lane->tree.frame[l->nodes[i]];
		}
		for (size_t i = 0; i < lane->samples.n; i++)
			leaf[i] = order[leaf[i]];
		free(order);
		l->split->samples.leaf = leaf;
		l->split->samples.blocks = blocks_build(&l->split->samples, tree->n);
		l->lane = l->split;
		l->samples = &l->split->samples;
		leaf = NULL;
	}
	free(leaf);
	node_map_done(&map);
	return is;
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
