/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The time of a thread whose slices are on several lanes, or go on behind the slice around them:
 * each moment once. */
#ifndef FLAMETTY_MODEL_SLICE_UNION_H
#define FLAMETTY_MODEL_SLICE_UNION_H

#include "model/lane.h"

struct slice_union_part {
	const struct lane *lane; /* with samples, borrowed */
	const node_id *map; /* by node of the lane: NODE_ROOT or SLICE_UNION_DROPPED if its slices
			       do not count; NULL: all count */
	int64_t by;         /* moves the times of this lane to those of the others */
	struct slice_stretches *more, *less; /* empty; get the result, in times of the lane */
};

/* Find the time of a thread with these lanes: what each of them has more and less than its samples
 * say (slices.h). The first one represents the thread. Uses `over` and `covered`
 * of the lanes. Time in which a slice that does not count covers its parent is no time of the
 * thread, as where one is inside the other on one lane. */
void slice_union(const struct slice_union_part *parts, size_t n);

struct slice_inner_part {
	const struct lane *lane; /* with samples, and `links`; borrowed */
	const node_id *map;      /* by node of the lane: the node of the tree that has its time;
				    NULL: the same */
	const node_id *place;    /* the node that it is as a caller; NULL: as the map */
	struct slice_stretches *inner; /* empty; gets the result, in times of the lane */
};

/* Find this time for the lanes of a thread, all of them, in order. tree: of all maps; NULL: each
 * lane has its own. n_frames: number of the frames that trees refer to. */
void slice_inner(const struct slice_inner_part *parts, size_t n, const struct calltree *tree,
		 uint32_t n_frames);

#endif
