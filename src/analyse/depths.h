/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How the time of a lane in a range is spread over its depths: which depths occur there, and how
 * many of them, from the outermost on, have nearly all of the time. */
#ifndef FLAMETTY_ANALYSE_DEPTHS_H
#define FLAMETTY_ANALYSE_DEPTHS_H

#include "model/lane.h"

#include <stdlib.h>

/* Owned by the caller; zeroed before its first use. */
struct depths {
	int64_t t0, t1; /* t1 == 0: nothing is known */
	int n;          /* depths [0, n) occur in the range */
	/* n + 1 values: [d] is the time of all spans at depths < d. Times of many rows are added
	 * up, which an int64_t does not hold. */
	double *above;
	size_t cap;
};

/* Set `d` to the depths of n lanes in [t0, t1): of `lane` and of those after it, which are joined
 * to it, with each depth counted from the row that the lane begins at. It costs nothing if the
 * range is the same as before. The lanes must be the same in all calls, or `d` zeroed between them.
 */
void depths_find(struct depths *d, const struct lane *lane, int n, int64_t t0, int64_t t1);

static inline void depths_done(struct depths *d)
{
	free(d->above);
	*d = (struct depths){ 0 };
}

/* The least number of depths, from 0 on, that have at least permille / 1000 of the time. */
int depths_with(const struct depths *d, int permille);

/* The share of the time that depths from `depth` on have, 0 to 1. */
static inline double depths_share_below(const struct depths *d, int depth)
{
	double all = d->n ? d->above[d->n] : 0;

	return all > 0 && depth < d->n ? (all - d->above[depth]) / all : 0;
}

#endif
