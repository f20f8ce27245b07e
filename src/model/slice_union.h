/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The time of a thread whose slices are on several lanes, or go on behind the slice around them:
 * each moment once. */
#ifndef FLAMETTY_MODEL_SLICE_UNION_H
#define FLAMETTY_MODEL_SLICE_UNION_H

#include "model/lane.h"

/* Slices of a node that maps to this do not count. */
#define SLICE_UNION_DROPPED UINT32_MAX

struct slice_union_part {
	const struct lane *lane; /* with samples, borrowed */
	const node_id *map; /* by node of the lane: NODE_ROOT or SLICE_UNION_DROPPED if its slices
			       do not count; NULL: all count */
	int64_t by;         /* moves the times of this lane to those of the others */
	struct slice_stretches *more, *less; /* empty; get the result, in times of the lane */
};

/* Find the time of a thread with these lanes: what each of them has more and less than its samples
 * say (slice_time.h). The first one is that which speaks for the thread. Uses `over` and `covered`
 * of the lanes. Time in which a slice that does not count covers its parent is no time of the
 * thread, as where one is inside the other on one lane. */
void slice_union(const struct slice_union_part *parts, size_t n);

#endif
