/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Where the code on a page comes from: the time of each url, or of each origin. */
#ifndef FLAMETTY_ANALYSE_ORIGINS_H
#define FLAMETTY_ANALYSE_ORIGINS_H

#include "model/profile.h"

struct origin_share {
	str_id url;        /* 0: all urls of the origin */
	str_id origin;     /* of the script */
	const char *party; /* `first`, `third`: of another site than the page; empty: not known */
	int64_t self;      /* ns */
};

/* Find the shares in [t0, t1) of the threads of these lanes, heaviest first, by url or by origin:
 * of code of the web only. The time of a sample is of the innermost function with a url, that of a
 * slice of the innermost one that runs a script; of a thread that has samples, these count alone.
 * The caller frees *out. Returns their number. */
size_t origins_find(const struct profile *profile, const struct lane *const *lanes,
		    uint32_t n_lanes, int64_t t0, int64_t t1, bool is_by_url,
		    struct origin_share **out);

#endif
