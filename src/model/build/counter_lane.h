/* SPDX-License-Identifier: GPL-2.0-or-later */
/* From the values of a counter to a lane. */
#ifndef FLAMETTY_BUILD_COUNTER_LANE_H
#define FLAMETTY_BUILD_COUNTER_LANE_H

#include "model/build/track_raw.h"

struct builder;

/* Add the lane of a counter that has values. Takes over the arrays of its series. */
void counter_lane_build(struct builder *b, struct raw_counter *counter);

#endif
