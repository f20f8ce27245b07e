/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The user's choice of the lanes of threads, for a profile that is loaded, by a word: `none`: as
 * they were loaded; `cat`: the slices of a thread on one lane for each event category; `label:KEY`:
 * samples on one lane for each value of a label. */
#ifndef FLAMETTY_READ_LOAD_SPLIT_LANES_H
#define FLAMETTY_READ_LOAD_SPLIT_LANES_H

#include "base/error.h"
#include "model/profile.h"

#include <stdbool.h>

/* ---- part lanes ----
 *
 * Parts of lanes in the place of lanes: each part has some of what was on the lane. */

/* Up to LABEL_LANES_MAX values of a lane have a lane of their own, those with the most time; with
 * many lanes, fewer, so that there are about LABEL_LANES_ALL of them. All others share one. */
#define LABEL_LANES_MAX ((size_t)50)

/* Whether a text is such a word. */
bool split_lanes_is_word(const char *how);

/* Whether split_lanes() would succeed. */
bool split_lanes_is_possible(const struct profile *profile, const char *how, struct error *err);

/* Whether it would change something. */
bool split_lanes_differs(const struct profile *profile, const char *how);

/* Make the lanes. Nothing that was computed from the profile may be used. False: it is not
 * possible; nothing has changed. */
bool split_lanes(struct profile *profile, const char *how, struct error *err);

/* Whether realign() would succeed. */
bool realign_is_possible(const struct profile *profile, bool is_own, struct error *err);

/* Let each group of lanes begin at 0 (is_own), or else all lanes share one clock. Nothing that was
 * computed from the profile may be used. False: the lanes are one group, or have no clock in
 * common; nothing has changed. */
bool realign(struct profile *profile, bool is_own, struct error *err);

#endif
