/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The times of samples: formats(5), WHEN A SAMPLE IS. */
#ifndef FLAMETTY_BUILD_SAMPLE_TIME_H
#define FLAMETTY_BUILD_SAMPLE_TIME_H

#include "build/cpu_raw.h"

struct builder;

/* What the times of samples follow from, of all samples, kept or not. ns of the file's clock. */
struct sample_bounds {
	size_t n;
	int64_t first, last;
	bool has_surplus; /* there is one time more than samples: */
	int64_t surplus;
	bool runs_back; /* some sample is before the one that precedes it in the file */
};

/* Turn samples and deltas of the current profile into raw.times: n_samples + 1 absolute times, not
 * descending, within PROFILE_TIME_MAX either way. Samples are put in the order of time with them.
 * bounds: of all samples. *end: where the last of them ends. False: a survey cannot tell. */
bool sample_time_resolve(struct builder *b, struct sample_bounds *bounds, int64_t *end);

#endif
