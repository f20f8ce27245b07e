/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Labels of samples. Some say on which thread a sample was, and when. */
#ifndef FLAMETTY_READER_PPROF_PPROF_LABEL_H
#define FLAMETTY_READER_PPROF_PPROF_LABEL_H

#include "read/pprof/pprof.h"

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

#endif
