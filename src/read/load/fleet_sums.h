/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A fleet as a profile. */
#ifndef FLAMETTY_READ_LOAD_FLEET_SUMS_H
#define FLAMETTY_READ_LOAD_FLEET_SUMS_H

#include "base/error.h"
#include "model/fleet.h"
#include "model/profile.h"

/* The groups as a profile: a lane of sums for each, in their order, with labels; its input.argument
 * is the number of the group. The URL of a function is the key of its file. The caller frees it.
 * NULL: there are no groups with time. */
struct profile *fleet_sums(const struct fleet *fleet, struct error *err);

#endif
