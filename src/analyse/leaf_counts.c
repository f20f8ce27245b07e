/* SPDX-License-Identifier: GPL-2.0-or-later */
/* One pass over the samples. Profiles of hit counts have the numbers already. */
#include "config.h"

#include "analyse/leaf_counts.h"

#include "base/alloc.h"

#include <stdlib.h>

/* Sum the numbers of the nodes of a lane by node of the view, which joins siblings of one function.
 */
static uint64_t *by_view_node(const struct view *view, uint64_t *n)
{
	const struct view_source *source = &view->sources[0];
	uint64_t *sums;

	if (!source->map)
		return n;
	sums = xcalloc(view->tree->n, sizeof *sums);
	for (node_id i = 0; i < source->lane->tree.n; i++)
		if (source->map[i] != VIEW_DROPPED)
			sums[source->map[i]] += n[i];
	free(n);
	return sums;
}

uint64_t *leaf_counts(const struct view *view, const struct scope *scope)
{
	const struct lane *lane = view->sources[0].lane;
	const struct samples *s = &lane->samples;
	uint64_t *n = xcalloc(lane->tree.n, sizeof *n);
	/* Samples of no length at the end of the lane belong to a range that ends there. */
	int64_t t1 = s->n && scope->t1 >= samples_time(s, s->n) ? INT64_MAX : scope->t1;

	if (lane->kind != LANE_SAMPLES)
		return by_view_node(view, n);
	for (node_id i = 0; !lane->has_timeline && lane->hits && i < lane->tree.n; i++)
		n[i] = lane->hits[i];
	for (size_t i = 0; lane->has_timeline && i < s->n && samples_time(s, i) < t1; i++)
		n[s->leaf[i]] += samples_time(s, i) >= scope->t0 ||
			samples_time(s, i + 1) > scope->t0;
	return by_view_node(view, n);
}
