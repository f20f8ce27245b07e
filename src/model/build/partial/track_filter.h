/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Decides which slices and marks of a track are kept (subset.h, rules 1 to 3), and fits its lanes
 * to the time of all slices. */
#ifndef FLAMETTY_BUILD_PARTIAL_TRACK_FILTER_H
#define FLAMETTY_BUILD_PARTIAL_TRACK_FILTER_H

#include "model/build/slice_lane.h"
#include "model/build/track_raw.h"

struct builder;

/* Give a new track a filter, unless all of it is kept. number: index of the track. */
void track_filter_begin(struct builder *b, struct raw_track *track, uint32_t number);

/* Free the filter of a track. */
void track_filter_done(struct raw_track *track);

/* Pass a slice to the filter, which keeps it now, later, or not at all. */
void track_filter_slice(struct raw_track *track, const struct raw_slice *slice, int64_t end_offset);

/* Tell that all slices have passed: slices that wait are kept or dropped. */
void track_filter_end(struct raw_track *track);

/* Add the lanes that were made of the kept slices, and lanes without any. */
void track_filter_add_lanes(struct builder *b, const struct raw_track *track,
			    const struct slice_lanes *made);

/* Whether a point of a flow at t is kept. If not, its flow is only counted. */
bool track_filter_flow(struct builder *b, uint64_t flow, int64_t t);

#define SLICE_QUEUE_MAX 16384u

struct queued_slice {
	struct raw_slice slice;
	int64_t end_offset;
};

/* A zeroed struct is empty. */
struct slice_queue {
	struct queued_slice *heap;
	size_t n, cap;
	struct raw_slice latest; /* the last one taken */
	bool has_taken;
	bool is_lost; /* a slice came too late: nothing more is queued or taken */
};

#endif
