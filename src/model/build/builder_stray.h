/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Counts when the events and samples of the current input are, and decides when it ends whether
 * some are far from all others (stray.h). stray_drop.h takes them out. */
#ifndef FLAMETTY_BUILD_BUILDER_STRAY_H
#define FLAMETTY_BUILD_BUILDER_STRAY_H

#include "model/build/sample_time.h"
#include "model/build/slice_pack.h"
#include "model/build/track_builder.h"
#include "model/lane.h"
#include "model/profile.h"

#include <stdbool.h>
#include <stdint.h>

struct builder;

/* Leave out all that is stray, before lanes are made of tracks. */
void stray_drop(struct builder *b);

/* Whether a slice of an input that has_kept is kept; then it is cut to what is. */
bool stray_drop_keeps(const struct input *in, enum lane_kind kind, struct raw_slice *slice);

/* Whether a time of an input is kept. */
bool stray_drop_keeps_time(const struct input *in, int64_t t);

/* Prepare for the input that was begun. */
void builder_stray_begin(struct builder *b);

/* Decide what is stray of the current input, if there is one: set its has_kept, and warn. */
void builder_stray_end(struct builder *b);

/* Count the samples of the current CPU profile. The lane has its tree, t0 and t1; raw.times, if it
 * is there, and raw.samples are final. */
void builder_stray_lane(struct builder *b, const struct lane *lane, const struct sample_bounds *of);

/* Count the start time of a lane and its end time, where these are outside of its samples; the last
 * of them ends at `end`. */
void builder_stray_frame(struct builder *b, const struct lane *lane, const struct sample_bounds *of,
			 int64_t end);

/* Partial loading: let a lane begin and end with its samples where a survey has found that its
 * start or end time is stray. */
void builder_stray_cut_frame(const struct builder *b, struct lane *lane,
			     const struct sample_bounds *of, int64_t end);

/* Count a slice of a track. */
void builder_stray_slice(struct builder *b, enum lane_kind kind, const struct track_slice *s);

#endif
