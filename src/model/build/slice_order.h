/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Sorts the slices of a track. */
#ifndef FLAMETTY_BUILD_SLICE_ORDER_H
#define FLAMETTY_BUILD_SLICE_ORDER_H

#include "model/build/track_raw.h"

/* The time that the slices of one group take. */
struct slice_group {
	int64_t t0, t1;
};

/* Sort the slices of a track; the one that opens first comes last. */
void slice_order(struct raw_track *track);

/* The same for a track of groups: the slices of one group follow each other. Groups are sorted by
 * start and get new numbers in this order. Returns them by number, to be freed by the caller. */
struct slice_group *slice_order_groups(struct raw_track *track);

#endif
