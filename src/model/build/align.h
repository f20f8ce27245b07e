/* SPDX-License-Identifier: GPL-2.0-or-later */
/* One time line for lanes of several files. */
#ifndef FLAMETTY_MODEL_BUILD_ALIGN_H
#define FLAMETTY_MODEL_BUILD_ALIGN_H

#include "model/profile.h"

struct builder;

/* Turn times of lanes (t0 and t1 are of the file's clock, all others count from t0) into times of
 * the profile, and warn of what is not certain. Sets has_own_zero, is_one_clock, is_clock_assumed,
 * origin_ns and t1 of the profile, group and zero_ns of lanes, zero_ns of inputs. */
void align_lanes(struct builder *b);

/* Let each group of lanes begin at 0, or else all lanes share one clock: there are several groups,
 * and all have the clock of their machine. This is the only change of a finished profile: nothing
 * that was computed from it may be used. The window that a file asks for is forgotten. */
void align_switch(struct profile *p, bool is_own);

#endif
