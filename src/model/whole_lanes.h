/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The lanes of a profile as they were loaded, while it has others in place of some of them: slices
 * on one lane for each event category (model/build/cat_lanes.h), or samples on one for each value
 * of a label (model/build/label_lanes.h). The profile owns this. */
#ifndef FLAMETTY_MODEL_WHOLE_LANES_H
#define FLAMETTY_MODEL_WHOLE_LANES_H

#include "model/profile.h"

struct whole_lanes {
	struct lane *lanes; /* those without a replacement are also in the profile */
	uint32_t n_lanes;
	struct flow_point *flows;
	uint32_t *flows_by_lane;
	size_t n_flows;
};

/* Let the profile have its lanes again, and free those that replace them. Nothing that was computed
 * from the profile may be used. Does nothing if it has them. */
void whole_lanes_restore(struct profile *profile);

#endif
