/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which labels a stretch of samples has: of each key the value with the most time. */
#ifndef FLAMETTY_ANALYSIS_LABEL_SHARE_H
#define FLAMETTY_ANALYSIS_LABEL_SHARE_H

#include "model/profile.h"

/* Of more samples, the first ones count. */
#define LABEL_SHARE_SAMPLES ((size_t)65536)

struct label_share {
	uint32_t key;
	str_id value;    /* the one with the most time; 0: most time has no value */
	int64_t ns;      /* its time */
	int64_t all_ns;  /* of all samples */
	size_t n_values; /* different ones, and none as one more */
};

/* Find the shares of samples [first, end) of a lane, of the keys that some of them have. Returns
 * how many there are; *shares: by key, for the caller to free. */
size_t label_share_find(const struct profile *profile, const struct lane *lane, size_t first,
			size_t end, struct label_share **shares);

#endif
