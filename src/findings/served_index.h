/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The busy times of a thread by the names of the requests that they are for: sums of any number of
 * them cost as much as there are names, times a logarithm. */
#ifndef FLAMETTY_FINDINGS_SERVED_INDEX_H
#define FLAMETTY_FINDINGS_SERVED_INDEX_H

#include "findings/served_time.h"

/* Work that ends this long before a wait does covers its end: samples are a millisecond apart, and
 * the rest of the callback comes after it. */
#define SERVED_COVERS_NS INT64_C(3000000)

/* The gaps between busy times in which something holds, such as that a pool is full; gap i is after
 * busy time i. */
struct served_gaps {
	uint32_t id;
	int64_t *until; /* by gap: the sum of those before it in which it holds */
	/* By gap: the first one from it on that has a length and in which it does not hold, and in
	 * which it does; thread->n: none. */
	uint32_t *next[2];
};

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
	struct served_gaps any; /* of which nothing holds */
	struct served_gaps *gaps;
	size_t n_gaps, cap_gaps;
};

/* O(busy times). The thread has all its busy times. */
void served_index_init(struct served_index *index, const struct profile *profile,
		       const struct served_thread *thread);
void served_index_done(struct served_index *index);

/* Busy time i as what a request is behind. */
struct served_segment served_index_behind(const struct served_index *index, size_t i);

/* Whether served_index_each() takes fewer steps for `n` busy times than one after another. */
bool served_index_is_worth(struct served_index *index, size_t n);

/* The gaps with this id, which are made at first: is_in() says whether it holds at a time, the
 * middle of a gap. Borrowed, until the next call. */
const struct served_gaps *served_index_gaps(struct served_index *index, uint32_t id,
					    bool (*is_in)(const void *ctx, uint32_t id, int64_t t),
					    const void *ctx);

/* Call `add` for what is between the begin of busy time `from` and the end of busy time `end` - 1:
 * the sum of each name, and of the idle time, which is SERVED_UNKNOWN, but for those of `gaps`,
 * which are as `in` says. gaps: NULL: there are none. from < end. */
void served_index_each(struct served_index *index, size_t from, size_t end,
		       const struct served_gaps *gaps, const struct served_segment *in,
		       served_time_add *add, void *ctx);

#endif
