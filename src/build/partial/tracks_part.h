/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tracks of which not all slices are kept (part.h). */
#ifndef FLAMETTY_BUILD_PARTIAL_TRACKS_PART_H
#define FLAMETTY_BUILD_PARTIAL_TRACKS_PART_H

#include "build/slice_lane.h"

struct builder;

void track_begin_part(struct builder *b, struct raw_track *track, uint32_t number);
bool track_keeps(struct raw_track *track, const struct raw_slice *slice, int64_t end_offset);
void track_end_part(struct raw_track *track);
void track_add_lanes(struct builder *b, struct raw_track *track, struct slice_lanes *made);

/* Whether a point of a flow is kept; else it is only counted. */
bool track_keeps_flow(struct builder *b, uint64_t flow, int64_t t);

/* Say of each input what was left out of it. */
void tracks_tell_part(struct builder *b);

#endif
