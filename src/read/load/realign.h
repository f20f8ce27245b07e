/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The user's choice between one time line for all lanes and one for each group of them, for a
 * profile that is loaded. */
#ifndef FLAMETTY_LOAD_REALIGN_H
#define FLAMETTY_LOAD_REALIGN_H

#include "base/error.h"
#include "model/profile.h"

/* Whether realign() would succeed. */
bool realign_is_possible(const struct profile *profile, bool is_own, struct error *err);

/* Let each group of lanes begin at 0 (is_own), or else all lanes share one clock. Nothing that was
 * computed from the profile may be used. False: the lanes are one group, or have no clock in
 * common; nothing has changed. */
bool realign(struct profile *profile, bool is_own, struct error *err);

#endif
