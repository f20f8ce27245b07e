/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The user's choice between one lane for the slices of a thread and one for each event category,
 * for a profile that is loaded. */
#ifndef FLAMETTY_LOAD_SPLIT_LANES_H
#define FLAMETTY_LOAD_SPLIT_LANES_H

#include "base/error.h"
#include "model/profile.h"

/* Whether split_lanes() would succeed. */
bool split_lanes_is_possible(const struct profile *profile, bool is_split, struct error *err);

/* Put the slices of threads on one lane for each event category (is_split), or on one for all.
 * Nothing that was computed from the profile may be used. False: it is not possible; nothing has
 * changed. */
bool split_lanes(struct profile *profile, bool is_split, struct error *err);

#endif
