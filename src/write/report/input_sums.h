/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The figures of each file of a set, to compare recordings by: the whole files, whatever the scope.
 */
#ifndef FLAMETTY_REPORT_INPUT_SUMS_H
#define FLAMETTY_REPORT_INPUT_SUMS_H

#include "model/profile.h"

struct input_sums {
	uint32_t n_lanes;    /* without joined lanes */
	int64_t interval_ns; /* average distance of its samples; 0: unknown */
	int64_t duration_ns; /* from the first start of its lanes to the last end */
	uint64_t n_nodes, n_samples;
	int64_t t0, t1;
};

/* The sums of all inputs, by input. The caller frees them. */
struct input_sums *input_sums_new(const struct profile *profile);

#endif
