/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The stretch of a fixed length that has most time of a set of keys, for several sets at once. */
#ifndef FLAMETTY_ANALYSIS_FINDING_FINDING_DENSE_H
#define FLAMETTY_ANALYSIS_FINDING_FINDING_DENSE_H

#include "findings/charge_times.h"

struct finding_stretch {
	int64_t ns;     /* time of the keys in it, */
	int64_t t0;     /* and where that begins, unless ns is 0: the first such stretch */
	int64_t run_ns; /* the longest time of the keys without another sample between */
};

struct finding_dense;

/* Begin a search in the window of `times`, which are complete; it goes through the samples of them.
 * mask: by key; bit i is set if set i has it. n: number of sets, 15 at most. runs: the bits of
 * those whose run_ns is wanted. Both are borrowed. */
struct finding_dense *finding_dense_begin(struct charge_times *times, const uint16_t *mask,
					  unsigned n, unsigned runs, int64_t length);

/* Go on; call it until it returns true. */
bool finding_dense_work(struct finding_dense *dense, struct budget *budget);

/* The stretch of a set, when the search is complete. */
const struct finding_stretch *finding_dense_of(const struct finding_dense *dense, unsigned set);

/* Free everything, also before the search is complete. NULL is allowed. */
void finding_dense_end(struct finding_dense *dense);

#endif
