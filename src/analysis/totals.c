/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Self times come from the samples or their blocks; totals are one pass over the
 * nodes from the last to the first, because a parent comes before its children. A
 * function's total adds up its outermost nodes only, so recursion counts once. */
#include "config.h"

#include "analysis/totals.h"

#include "base/alloc.h"
#include "model/blocks.h"

#include <stdlib.h>
#include <string.h>

void totals_init(struct totals *totals, const struct profile *profile, const struct lane *lane)
{
	size_t n = lane->tree.n;

	*totals = (struct totals){ .profile = profile, .lane = lane, .n_frames = profile->frames.n };
	totals->self = xcalloc(n, sizeof *totals->self);
	totals->total = xcalloc(n, sizeof *totals->total);
	totals->frame_self = xcalloc(totals->n_frames, sizeof *totals->frame_self);
	totals->frame_total = xcalloc(totals->n_frames, sizeof *totals->frame_total);
	totals->is_called = xcalloc(totals->n_frames, 1);
	totals->used = xmalloc((size_t)totals->n_frames * sizeof *totals->used);
}

void totals_done(struct totals *totals)
{
	free(totals->self);
	free(totals->total);
	free(totals->frame_self);
	free(totals->frame_total);
	free(totals->is_called);
	free(totals->used);
	*totals = (struct totals){ 0 };
}

static void add_self(void *ctx, node_id leaf, int64_t ns)
{
	struct totals *totals = ctx;

	totals->self[leaf] += ns;
}

static void add_selves(void *ctx, const node_id *leaf, const uint32_t *ns, size_t n)
{
	struct totals *totals = ctx;

	for (size_t i = 0; i < n; i++)
		totals->self[leaf[i]] += ns[i];
}

static void add_nodes(struct totals *totals)
{
	const struct calltree *tree = &totals->lane->tree;
	uint32_t n = tree->n;

	memcpy(totals->total, totals->self, (size_t)n * sizeof *totals->total);
	for (node_id i = n; i-- > 1; ) {
		frame_id f = tree->frame[i];
		int64_t total = totals->total[i];

		if (total == 0)
			continue;
		totals->total[tree->parent[i]] += total;
		totals->frame_self[f] += totals->self[i];
		totals->frame_total[f] += tree->is_outer[i] ? total : 0;
		totals->is_called[f] |= tree->parent[i] != NODE_ROOT;
	}
}

void totals_compute(struct totals *totals, int64_t t0, int64_t t1)
{
	const struct blocks_visitor visitor = { totals, add_selves, add_self };
	const struct lane *lane = totals->lane;

	memset(totals->self, 0, (size_t)lane->tree.n * sizeof *totals->self);
	memset(totals->frame_self, 0, (size_t)totals->n_frames * sizeof *totals->frame_self);
	memset(totals->frame_total, 0, (size_t)totals->n_frames * sizeof *totals->frame_total);
	memset(totals->is_called, 0, totals->n_frames);
	totals->t0 = t0;
	totals->t1 = t1;
	if (lane->tree.n == 0)
		return;
	blocks_each(&lane->samples, t0, t1, &visitor);
	add_nodes(totals);
	totals->sampled_ns = totals->total[NODE_ROOT] - totals->self[NODE_ROOT];
	totals->idle_ns = 0;
	totals->n_used = 0;
	for (frame_id f = 0; f < totals->n_frames; f++) {
		if (totals->frame_total[f] == 0)
			continue;
		totals->used[totals->n_used++] = f;
		if (totals->profile->frames.frames[f].category == CATEGORY_IDLE)
			totals->idle_ns += totals->frame_self[f];
	}
}

/* Count a sample with time: the nodes of its stack that did not stay open since the last
 * such sample (`kept` rows did) begin a span with it. */
static void count_opens(const struct lane *lane, size_t i, unsigned kept, uint32_t *opens)
{
	node_id leaf = lane->samples.leaf[i];

	opens[leaf]++;
	if (kept > 0)
		opens[calltree_ancestor(&lane->tree, leaf, kept)]--;
}

void totals_counts(const struct totals *totals, struct totals_counts *counts)
{
	const struct lane *lane = totals->lane;
	const struct calltree *tree = &lane->tree;
	const struct samples *s = &lane->samples;
	uint64_t *n_spans = xcalloc(totals->n_frames, sizeof *n_spans);
	uint64_t *n_self = xcalloc(totals->n_frames, sizeof *n_self);
	uint8_t *is_used = xcalloc(totals->n_frames, 1), *is_seen = xcalloc((size_t)tree->n + 1, 1);
	uint32_t *opens = xcalloc((size_t)tree->n + 1, sizeof *opens);
	bool has_time = lane->kind == LANE_SAMPLES && s->n && s->t[s->n] > s->t[0];
	/* What has no time at the very end of the lane is part of a range up to there. */
	int64_t t_end = s->n && totals->t1 >= s->t[s->n] ? INT64_MAX : totals->t1;
	unsigned kept = 0;

	/* opens is a difference over the tree: +1 at the leaf, -1 at the node that was on
	 * the stack before; the sum over a subtree is then what opens at its top. The
	 * arithmetic is modulo 2^32, so that the -1 may come before the +1. */
	for (size_t i = s->n ? samples_find(s, totals->t0 - 1) : 0; i < s->n; i++) {
		if (s->t[i] >= t_end)
			break;
		if (s->t[i] >= totals->t0 || s->t[i + 1] > totals->t0) {
			n_self[tree->frame[s->leaf[i]]]++;
			is_seen[s->leaf[i]] = 1;
		}
		/* Sampled spans of zero length are not counted, unless there are no others; what a trace
		 * states counts. */
		if (!has_time || (s->t[i + 1] > s->t[i] && s->t[i + 1] > totals->t0)) {
			count_opens(lane, i, kept, opens);
			kept = UINT16_MAX;
		}
		if (s->shared[i] < kept)
			kept = s->shared[i];
	}
	for (node_id i = tree->n; i-- > 1; ) {
		opens[tree->parent[i]] += opens[i];
		n_spans[tree->frame[i]] += opens[i];
		is_seen[tree->parent[i]] |= is_seen[i];
		is_used[tree->frame[i]] |= is_seen[i];
	}
	free(opens);
	free(is_seen);
	*counts = (struct totals_counts){ n_spans, n_self, is_used };
}

void totals_counts_done(struct totals_counts *counts)
{
	free(counts->spans);
	free(counts->self_samples);
	free(counts->is_used);
	*counts = (struct totals_counts){ 0 };
}
