/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Labels of samples. Some say on which thread a sample was, and when. */
#ifndef FLAMETTY_READ_PPROF_PPROF_LABEL_H
#define FLAMETTY_READ_PPROF_PPROF_LABEL_H

#include "read/pprof/pprof.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A thread, as far as labels tell. */
struct pprof_thread {
	int64_t pid, tid;       /* LANE_NO_ID: unknown */
	uint64_t name, process; /* strings of the file; 0: unknown */
};

struct pprof_threads {
	struct pprof_thread *threads; /* in the order of their first samples; at least one */
	size_t n, cap;
	uint32_t *of_labels; /* by list of labels (pprof.labels): a thread */
	uint32_t *sets;      /* likewise: the set of builder_labels_set() */
	bool has_sets;       /* some set is not empty */
	int64_t *end_ns;     /* likewise: when its samples end (end_timestamp_ns), 0: unknown; NULL:
				of none is that known */
};

/* Find the threads and times of all lists of labels. */
void pprof_label_threads(struct pprof *r, struct pprof_threads *threads);
void pprof_label_done(struct pprof_threads *threads);

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
