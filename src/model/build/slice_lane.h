/* SPDX-License-Identifier: GPL-2.0-or-later */
/* From the slices of one track to lanes. */
#ifndef FLAMETTY_MODEL_BUILD_SLICE_LANE_H
#define FLAMETTY_MODEL_BUILD_SLICE_LANE_H

#include "model/build/track_raw.h"
#include "model/lane.h"

/* Slices of a track that can be counted. */
#define SLICE_LANE_MAX ((size_t)UINT32_MAX / 4 - 1)

struct progress_shared;

/* The result for one track: its lanes, not yet ordered among others, and counts of oddities. The
 * caller takes the lanes and frees the array. */
struct slice_lanes {
	struct lane *lanes;
	size_t n;
	uint64_t n_overlaps;
	int64_t first_overlap; /* offset */
	uint32_t n_too_deep;
};

/* Make the lanes of a track, and free what it collected. Touches nothing else: tracks may be made
 * on several threads. The track has at most SLICE_LANE_MAX slices. progress: gets the slices that
 * are done; may be NULL. */
void slice_lane_make_all(struct raw_track *track, struct slice_lanes *out,
			 struct progress_shared *progress);

/* The lanes of one track of slices, which are complete, with times since their t0: give the first
 * one the time of the thread (model/slice_union.h), and all what is inside of slices of its name on
 * other lanes (model/slice_union.h). It lasts until all of them have ended. */
void slice_cover_unite(struct lane *lanes, size_t n);

#endif
