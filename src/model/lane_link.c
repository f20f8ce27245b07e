/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a lane of samples says of itself, once it has a tree, leaves and times. */
#include "config.h"

#include "model/lane.h"

#include "base/alloc.h"

/* Compare neighbours: shared rows, spans per node, time per kind. */
void lane_link(struct lane *lane, const struct frame *frames)
{
	struct samples *s = &lane->samples;
	const struct calltree *tree = &lane->tree;
	int64_t *of[CATEGORY_COUNT];
	bool has_time = s->n && s->t[s->n] > s->t[0];
	unsigned kept = 0;      /* rows that stayed open since the last sample with time */
	int64_t root_ns = 0, run_ns = 0;

	for (int c = 0; c < CATEGORY_COUNT; c++)
		of[c] = &lane->busy_ns;
	of[CATEGORY_IDLE] = &lane->idle_ns;
	of[CATEGORY_PROGRAM] = &lane->program_ns;
	of[CATEGORY_GC] = &lane->gc_ns;
	s->shared = xmalloc(s->n * sizeof *s->shared);
	for (size_t i = 0; i < s->n; i++) {
		node_id leaf = s->leaf[i], both = NODE_ROOT;
		int64_t ns = s->t[i + 1] - s->t[i];

		/* A span counts with its first sample that has time: each row that did not stay open. */
		if (ns > 0 || !has_time) {
			lane->n_spans += tree->rows[leaf] - kept;
			kept = UINT16_MAX;
		}
		if (i + 1 < s->n)
			both = s->leaf[i + 1] == leaf ? leaf : calltree_common(tree, leaf, s->leaf[i + 1]);
		s->shared[i] = tree->rows[both];
		if (s->shared[i] < kept)
			kept = s->shared[i];
		run_ns += ns;
		if (i + 1 < s->n && both == leaf && s->leaf[i + 1] == leaf)
			continue;
		if (tree->rows[leaf] > lane->max_depth)
			lane->max_depth = tree->rows[leaf];
		*(leaf == NODE_ROOT ? &root_ns : of[frames[tree->frame[leaf]].category]) += run_ns;
		run_ns = 0;
	}
	lane->unsampled_ns = lane->t1 - lane->t0 - (s->t[s->n] - s->t[0]) + root_ns;
}
