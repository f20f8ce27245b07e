/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which slices and marks of a track are kept (subset.h, rules 1 to 3), and what becomes of its
 * lanes then. */
#ifndef FLAMETTY_BUILD_PARTIAL_TRACK_FILTER_H
#define FLAMETTY_BUILD_PARTIAL_TRACK_FILTER_H

#include "build/slice_lane.h"

struct builder;

/* Give a new track its filter; none, if all of it is kept. number: index of the track. */
void track_filter_begin(struct builder *b, struct raw_track *track, uint32_t number);

/* Free the filter of a track. */
void track_filter_done(struct raw_track *track);

/* A slice passes: it is kept now, later, or not at all. */
void track_filter_slice(struct raw_track *track, const struct raw_slice *slice, int64_t end_offset);

/* All slices have passed: keep what waits. */
void track_filter_end(struct raw_track *track);

/* Add the lanes that were made of the kept slices, and those of which nothing is kept. */
void track_filter_add_lanes(struct builder *b, const struct raw_track *track,
			    const struct slice_lanes *made);

/* Whether a point of a flow at t is kept. One that is not is only counted. */
bool track_filter_flow(struct builder *b, uint64_t flow, int64_t t);

#endif
