/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Two passes over the lanes: sums of time, from the blocks of the samples, then spans, from the
 * samples themselves.
 *
 * The count of spans follows totals_counts(): samples without time are skipped, slices without time
 * count. */
#include "config.h"

#include "analyse/search_count.h"

#include "base/alloc.h"

#include <stdlib.h>

/* ---- sums ---- */

struct sums {
	const struct search *search;
	const struct search_lane *l;
	struct search_count *count;
	/* Of a search for labels, whose samples have no stack where they do not match: this pass is
	 * over all samples, or over those that match. */
	bool is_whole, is_part;
};

static void add_time(void *ctx, node_id leaf, int64_t ns)
{
	struct sums *sums = ctx;
	struct search_count *count = sums->count;
	bool is_idle;

	if (leaf == NODE_ROOT || ns == 0)
		return;
	is_idle = profile_node_frame(sums->search->profile, sums->l->lane, leaf)->category ==
		CATEGORY_IDLE;
	if (!sums->is_part) {
		count->sampled_ns += ns;
		count->idle_ns += is_idle ? ns : 0;
	}
	if (sums->is_whole || !count->used || sums->l->near[leaf] == NODE_ROOT)
		return;
	count->ns += ns;
	count->matched_idle_ns += is_idle ? ns : 0;
	count->used[search_lane_at(sums->l, leaf)] = 1;
}

static void add_times(void *ctx, const node_id *leaf, const uint32_t *ns, size_t n)
{
	for (size_t i = 0; i < n; i++)
		add_time(ctx, leaf[i], ns[i]);
}

/* Count the functions of the next nodes, from the last to the first. */
static void count_functions(struct search_count *count, const struct search_lane *l, uint32_t most)
{
	const struct calltree *tree = &l->lane->tree;
	node_id i = count->n_left, least = i - 1 > most ? i - most : 1;

	for (count->n_left = least; i-- > least;) {
		frame_id f = tree->frame[i];

		if (!count->used[i])
			continue;
		count->used[search_lane_at(l, tree->parent[i])] = 1;
		count->n_functions += !count->seen[f];
		count->seen[f] = 1;
	}
}

/* Add the sums of a lane; false: the budget was spent before the end. */
static bool sum_lane(struct search_count *count, const struct search *search,
		     const struct search_lane *l, struct budget *budget)
{
	bool is_own = l->samples != &l->lane->samples;
	struct sums sums = { search, l, count, is_own && !count->has_whole,
			     is_own && count->has_whole };
	const struct blocks_visitor visitor = { &sums, add_times, add_time, NULL };

	if (!count->has_begun) {
		count->used = l->near ? xcalloc(l->lane->tree.n, 1) : NULL;
		count->n_left = l->near ? l->lane->tree.n : 1;
		blocks_begin(&count->walk, &l->lane->samples, count->t0, count->t1, &visitor);
		count->has_begun = true;
	}
	if (!blocks_walk_work(&count->walk, &visitor, budget))
		return false;
	if (sums.is_whole) {
		count->has_whole = true;
		sums = (struct sums){ search, l, count, false, true };
		blocks_begin(&count->walk, l->samples, count->t0, count->t1, &visitor);
		if (!blocks_walk_work(&count->walk, &visitor, budget))
			return false;
	}
	while (count->n_left > 1) {
		count_functions(count, l, budget->step);
		if (count->n_left > 1 && budget_spent(budget))
			return false;
	}
	free(count->used);
	count->used = NULL;
	return true;
}

void search_count_init(struct search_count *count, const uint32_t *lanes, uint32_t n_lanes,
		       int64_t t0, int64_t t1)
{
	*count = (struct search_count){ .t0 = t0, .t1 = t1, .end = SIZE_MAX, .n_lanes = n_lanes };
	count->lanes = xcalloc((size_t)n_lanes + 1, sizeof *count->lanes);
	for (uint32_t i = 0; i < n_lanes; i++)
		count->lanes[i] = lanes[i];
}

void search_count_done(struct search_count *count)
{
	free(count->lanes);
	free(count->used);
	free(count->seen);
	*count = (struct search_count){ 0 };
}

/* ---- spans ---- */

/* Whether the leaf is a mark that matches: marks are always leaves. */
static bool is_mark(const struct profile *profile, const struct search_lane *l, node_id leaf)
{
	return l->near[leaf] == leaf && profile_is_mark(profile, l->lane, leaf);
}

/* Count samples [count->next, stop) of a lane; false: the range ends before `stop`. */
static bool count_samples(struct search_count *count, const struct profile *profile,
			  const struct search_lane *l, size_t stop)
{
	const struct lane *lane = l->lane;
	const struct samples *s = l->samples;
	bool has_time = lane->kind == LANE_SAMPLES && samples_time(s, s->n) > samples_time(s, 0);
	int64_t t0 = count->t0, t_end = count->t1 >= samples_time(s, s->n) ? INT64_MAX : count->t1;
	unsigned kept = count->kept;
	uint64_t n = 0, n_marks = 0;
	size_t i;

	for (i = count->next; i < stop && samples_time(s, i) < t_end; i++) {
		node_id leaf = s->leaf[i];

		if ((!has_time || samples_time(s, i + 1) > samples_time(s, i)) &&
		    (samples_time(s, i) >= t0 || samples_time(s, i + 1) > t0)) {
			if (l->deep[leaf] > kept) {
				n += (unsigned)l->n[leaf] -
					l->n[calltree_ancestor(&lane->tree, leaf, kept)];
				n_marks += lane->n_marks && is_mark(profile, l, leaf);
			}
			kept = UINT16_MAX;
		}
		if (samples_shared(s, i) < kept)
			kept = samples_shared(s, i);
	}
	count->n_spans += n;
	count->n_marks += n_marks;
	count->kept = kept;
	count->next = i;
	return i == stop;
}

/* Count samples of a lane; false: the budget was spent before the end. */
static bool count_lane(struct search_count *count, const struct profile *profile,
		       const struct search_lane *l, struct budget *budget)
{
	const struct samples *s = l->samples;
	size_t end = count->end < s->n ? count->end : s->n;

	if (!l->near || s->n == 0)
		return true;
	if (!count->has_begun) {
		count->next = samples_find(s, count->t0 - 1);
		count->kept = 0;
		count->has_begun = true;
	}
	while (count->next < end) {
		size_t left = end - count->next;
		size_t stop = count->next + (left < budget->step ? left : budget->step);

		if (!count_samples(count, profile, l, stop))
			break;
		if (count->next < end && budget_spent(budget))
			return false;
	}
	return true;
}

/* Do the next lanes of a pass; false: the budget was spent before the end. */
static bool pass_lanes(struct search_count *count, struct search *search, struct budget *budget)
{
	while (count->lane < count->n_lanes) {
		uint32_t i = count->lanes[count->lane];
		const struct search_lane *l = &search->lanes[i];

		if (!search_prepare(search, i, budget) ||
		    !(count->has_sums ? count_lane(count, search->profile, l, budget)
				      : sum_lane(count, search, l, budget)))
			return false;
		count->lane++;
		count->has_begun = count->has_whole = false;
		if (count->lane < count->n_lanes && budget_spent(budget))
			return false;
	}
	count->lane = 0;
	return true;
}

bool search_count_step(struct search_count *count, struct search *search, struct budget *budget)
{
	if (count->is_complete)
		return true;
	if (!count->has_sums) {
		if (!count->seen)
			count->seen = xcalloc((size_t)search->profile->frames.n + 1, 1);
		if (!pass_lanes(count, search, budget))
			return false;
		free(count->seen);
		count->seen = NULL;
		count->has_sums = true;
	}
	count->is_complete = pass_lanes(count, search, budget);
	return count->is_complete;
}
