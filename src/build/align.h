/* SPDX-License-Identifier: GPL-2.0-or-later */
/* One time line for lanes of several files. */
#ifndef FLAMETTY_BUILD_ALIGN_H
#define FLAMETTY_BUILD_ALIGN_H

#include "build/builder_lane.h"
#include "model/profile.h"

/* Turn times of lanes (t0 and t1 are of the file's clock, all others count from t0) into times of
 * the profile. Sets has_own_zero, origin_ns and t1 of the profile, and zero_ns of lanes and inputs.
 * sources: by lane. */
void align_lanes(struct profile *p, const struct lane_source *sources);

#endif
