/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The samples of a thread that say when they ended, until their places on the time line are known.
 * Times are ns of the file's clock. */
#ifndef FLAMETTY_READER_PPROF_PPROF_TIME_H
#define FLAMETTY_READER_PPROF_PPROF_TIME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct pprof_timed {
	int64_t end_ns; /* above 0, up to PROFILE_TIME_MAX */
	int64_t ns;     /* its value, 0 to PROFILE_TIME_MAX */
	uint32_t node;  /* the caller's number */
	uint32_t set;   /* of labels */
};

/* Embedded; zeroed at first. */
struct pprof_time {
	struct pprof_timed *samples;
	size_t n, cap;
	/* After pprof_time_place(): */
	int64_t end_ns;     /* where the last sample ends */
	int64_t late_ns;    /* the most that a sample ends after its time */
	int64_t longest_ns; /* the longest sample */
};

void pprof_time_add(struct pprof_time *time, const struct pprof_timed *sample);

/* Forget all samples; the memory stays. */
void pprof_time_clear(struct pprof_time *time);
void pprof_time_done(struct pprof_time *time);

/* A sample that lasts from t to the next one; NULL: nothing was sampled. */
typedef void pprof_time_put(void *ctx, const struct pprof_timed *sample, int64_t t);

/* Sort the samples, and pass those with a length on. Returns false if they reach beyond what a time
 * can be: then those before that were passed on. */
bool pprof_time_place(struct pprof_time *time, pprof_time_put *put, void *ctx);

#endif
