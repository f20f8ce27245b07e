/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The busy times of a thread by the names of the requests that they are for: sums of any number of
 * them cost as much as there are names, times a logarithm. */
#ifndef FLAMETTY_FINDINGS_SERVED_INDEX_H
#define FLAMETTY_FINDINGS_SERVED_INDEX_H

#include "findings/served_time.h"

/* Work that ends this long before a wait does covers its end: samples are a millisecond apart, and
 * the rest of the callback comes after it. */
#define SERVED_COVERS_NS INT64_C(3000000)

struct served_index {
	const struct profile *profile; /* borrowed, as the thread is */
	const struct served_thread *thread;
	/* By busy time: the first one from which on each begins less than SERVED_COVERS_NS after
	 * the one before it, up to this one. */
	uint32_t *covers;
	/* The rest is made when it is needed. */
	str_id *name;
	size_t n;
	size_t *first;  /* by name: the first of its `at`; one more than names */
	uint32_t *at;   /* indices of busy times, by name, then time */
	int64_t *until; /* by the same: the sum of those before it, of all names; one more */
	/* By busy time: the first one from it on after which the thread is idle, or the last. */
	uint32_t *last;
};

/* O(busy times). The thread has all its busy times. */
void served_index_init(struct served_index *index, const struct profile *profile,
		       const struct served_thread *thread);
void served_index_done(struct served_index *index);

/* Busy time i as what a request is behind. */
struct served_segment served_index_behind(const struct served_index *index, size_t i);

/* Whether served_index_each() takes fewer steps for `n` busy times than one after another. */
bool served_index_is_worth(struct served_index *index, size_t n);

/* Call `add` for what is between the begin of busy time `from` and the end of busy time `end` - 1:
 * the sum of each name, and of the idle time, which is SERVED_UNKNOWN. from < end. */
void served_index_each(struct served_index *index, size_t from, size_t end, served_time_add *add,
		       void *ctx);

#endif
