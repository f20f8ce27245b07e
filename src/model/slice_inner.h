/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Recursion across the lanes of a thread whose slices overlap: the time of slices that are inside
 * of one of their name on another lane. The total of a function has it once, with the outer slice.
 */
#ifndef FLAMETTY_MODEL_SLICE_INNER_H
#define FLAMETTY_MODEL_SLICE_INNER_H

#include "model/lane.h"

/* Slices of a node that maps to this are dropped. */
#define SLICE_INNER_DROPPED UINT32_MAX

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
