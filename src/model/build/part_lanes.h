/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Parts of lanes in the place of lanes: each part has some of what was on the lane. */
#ifndef FLAMETTY_BUILD_PART_LANES_H
#define FLAMETTY_BUILD_PART_LANES_H

#include "model/profile.h"

/* Give a profile that has its lanes n others, and keep its own (whole_lanes.h). take_lanes: those
 * with is_part are new, all others are lanes of the profile. By old lane i: its parts are lanes
 * [first[i], end[i]); if there are none, it stays, as first[i]. Nothing that was computed from the
 * profile may be used. */
void part_lanes_take(struct profile *profile, struct lane *take_lanes, size_t n,
		     const uint32_t *first, const uint32_t *end);

#endif
