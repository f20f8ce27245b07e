/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Slices and marks of each thread on one lane for each event category, in place of one for all; of
 * several categories of an event the first counts. */
#ifndef FLAMETTY_BUILD_CAT_LANES_H
#define FLAMETTY_BUILD_CAT_LANES_H

#include "base/error.h"
#include "model/profile.h"

#include <stdbool.h>

/* Whether a profile has slices of threads with event categories, and all of them. */
bool cat_lanes_are_possible(const struct profile *profile, struct error *err);

/* Put the slices and marks of all threads on such lanes, which nest by formats(5), SLICES, each for
 * itself. whole_lanes_restore() puts them back. Nothing that was computed from the profile may be
 * used. Requires that this is possible, and the profile has its lanes. */
void cat_lanes_make(struct profile *profile);

#endif
