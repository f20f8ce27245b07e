/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The samples of a lane keep their numbers and times, so spans of them are stretches of the lane.
 * Two samples that match share a row even if their stacks do not. */
#include "config.h"

#include "analyse/search_samples.h"

#include "base/alloc.h"
#include "base/reserve.h"

#include <stdlib.h>

#define SAMPLE_BYTES (2 * sizeof(node_id) + 2 * sizeof(uint16_t)) /* with their blocks, about */

/* ---- functions ---- */

static void mark_lane(struct search *search, const struct lane *lane)
{
	const struct calltree *tree = &lane->tree;
	const struct samples *s = &lane->samples;
	uint8_t *is_used = xcalloc((size_t)tree->n + 1, 1);

	for (size_t i = 0; i < s->n; i++)
		is_used[s->leaf[i]] |= search->labels[lane->labels[i]];
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
		node_id leaf = search->labels[lane->labels[i]] ? s->leaf[i] : NODE_ROOT;
		uint16_t shared = i ? samples_shared(s, i - 1) : 0;

		l->own.leaf[i] = leaf;
		if (leaf == NODE_ROOT)
			continue;
		l->has_any = true;
		if (i && l->own.leaf[i - 1] != NODE_ROOT)
			l->own.shared[i - 1] = shared ? shared : 1;
	}
	l->n_own = end;
}

/* All rows of a sample that matches are one match, the outermost one. */
static void make_nodes(struct search_lane *l)
{
	const struct calltree *tree = &l->lane->tree;

	l->near = xcalloc(tree->n, sizeof *l->near);
	l->deep = xcalloc(tree->n, sizeof *l->deep);
	l->n = xcalloc(tree->n, sizeof *l->n);
	for (node_id i = 1; i < tree->n; i++) {
		l->near[i] = tree->parent[i] == NODE_ROOT ? i : l->near[tree->parent[i]];
		l->deep[i] = 1;
		l->n[i] = 1;
	}
}

static size_t bytes(const struct lane *lane)
{
	return lane->samples.n * SAMPLE_BYTES +
		lane->tree.n * (sizeof(node_id) + 2 * sizeof(uint16_t));
}

bool search_samples_prepare(struct search *search, struct search_lane *l, struct budget *budget)
{
	const struct samples *s = &l->lane->samples;

	if (!l->own.leaf && (!l->lane->labels || s->n == 0 || !reserve_has_room(bytes(l->lane)))) {
		search->is_lacking |= l->lane->labels && s->n;
		l->is_made = true;
		return true;
	}
	if (!l->own.leaf) {
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

void search_samples_done(struct search_lane *l)
{
	if (l->blocks)
		blocks_free(blocks_work_end(l->blocks));
	l->own.times = (struct times){ 0 };
	samples_done(&l->own);
}
