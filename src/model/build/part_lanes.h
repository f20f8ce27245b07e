/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Parts of lanes in the place of lanes: each part has some of what was on the lane. */
#ifndef FLAMETTY_BUILD_PART_LANES_H
#define FLAMETTY_BUILD_PART_LANES_H

#include "base/error.h"
#include "model/profile.h"

#include <stdbool.h>

/* Whether a profile has slices of threads with event categories, and all of them. */
bool cat_lanes_are_possible(const struct profile *profile, struct error *err) MUST_USE;

/* Put the slices and marks of all threads on such lanes, which nest by formats(5), SLICES, each for
 * itself. whole_lanes_restore() puts them back. Nothing that was computed from the profile may be
 * used. Requires that this is possible, and the profile has its lanes. */
void cat_lanes_make(struct profile *profile);

/* Up to LABEL_LANES_MAX values of a lane have a lane of their own, those with the most time; with
 * many lanes, fewer, so that there are about LABEL_LANES_ALL of them. All others share one. */
#define LABEL_LANES_MAX ((size_t)50)

/* Find the index of a key. Fails when no sample has it. */
bool label_lanes_find(const struct profile *profile, const char *key, uint32_t *index,
		      struct error *err) MUST_USE;

/* Put the samples of all lanes on which some have the label on such lanes; those without it have
 * one, too. A lane of a time line has no stack while the samples are of other lanes. Lines of
 * functions are of all samples, so they are left out. whole_lanes_restore() puts all back. Nothing
 * that was computed from the profile may be used. Requires that the profile has its lanes. */
void label_lanes_make(struct profile *profile, uint32_t key);

#endif
