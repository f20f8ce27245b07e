/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Self time of slices by event category: the first of the comma-separated ones of an event. */
#ifndef FLAMETTY_ANALYSE_EVENT_CATS_H
#define FLAMETTY_ANALYSE_EVENT_CATS_H

#include "model/profile.h"

struct event_cat_share {
	str_id name;  /* 0: events without a category */
	int64_t self; /* ns */
};

/* The shares of the lanes of slices among these lanes in [t0, t1), heaviest first. Returns their
 * number; 0: no slice there has a category. The caller frees *out. */
size_t event_cats_shares(const struct profile *profile, const struct lane *const *lanes,
			 uint32_t n_lanes, int64_t t0, int64_t t1, struct event_cat_share **out);

#endif
