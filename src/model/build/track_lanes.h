/* SPDX-License-Identifier: GPL-2.0-or-later */
/* From the tracks and counters of a builder to lanes. */
#ifndef FLAMETTY_BUILD_TRACK_LANES_H
#define FLAMETTY_BUILD_TRACK_LANES_H

#include "model/build/track_raw.h"

struct builder;

/* Add the lanes of all tracks and counters. Their t0 and t1 are of the file's clock; all other
 * times count from t0, as in the lanes of CPU profiles. */
void track_lanes_build(struct builder *b);

struct builder;

struct builder;

/* List them in the profile. Call this after lane_order(). */
void threads_without_lane_build(struct builder *b);

#endif
