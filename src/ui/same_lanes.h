/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which lanes of two profiles are the same. In another recording of the same program, processes and
 * threads have other ids. */
#ifndef FLAMETTY_UI_SAME_LANES_H
#define FLAMETTY_UI_SAME_LANES_H

#include "model/profile.h"

/* What a lane is known by. */
struct same_lane {
	uint64_t id;   /* hash of kind, process, thread and title */
	uint64_t name; /* the same without the ids of process and thread */
};

struct same_lane same_lanes_of(const struct profile *profile, const struct lane *lane);

/* Set found[i], for each of n lanes, to the lane among the `n_before` that is the same; -1: it is
 * new. Those without one of the same id get the next one of the same name that no other lane has.
 */
void same_lanes_find(const struct same_lane *before, int n_before, const struct same_lane *now,
		     int n, int *found);

#endif
