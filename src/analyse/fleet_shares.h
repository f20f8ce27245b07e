/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Shares of busy time of packages, garbage collection and loading modules in a fleet: medians over
 * its hosts, from 0 to 1. */
#ifndef FLAMETTY_ANALYSE_FLEET_SHARES_H
#define FLAMETTY_ANALYSE_FLEET_SHARES_H

#include "analyse/fleet.h"

struct fleet_share {
	str_id name; /* of a package */
	double share;
};

/* The packages, the largest share of own time first. Returns their number; the caller frees *out.
 */
size_t fleet_shares_packages(const struct fleet_answers *answers, struct fleet_share **out);

/* gc: garbage collection. loading: what loaders of modules take, and what they call, without the
 * modules' own code. */
void fleet_shares_overheads(const struct fleet_answers *answers, double *gc, double *loading);

#endif
