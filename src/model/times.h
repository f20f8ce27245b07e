/* SPDX-License-Identifier: GPL-2.0-or-later */
/* An array of times that do not descend, in half of the memory: each time is a step of 32 bits from
 * the first time of its group. A group that lasts longer than 32 bits of ns, 4.3 s, stores the
 * upper 32 bits of its steps, too. Any time is found directly. */
#ifndef FLAMETTY_MODEL_TIMES_H
#define FLAMETTY_MODEL_TIMES_H

#include <stddef.h>
#include <stdint.h>

#define TIMES_GROUP 128u

struct times_group {
	int64_t base; /* its first time */
	size_t high;  /* index into `high` of its first time, counted from 1; 0: it has none */
};

struct times {
	struct times_group *groups;
	uint32_t *step; /* the lower 32 bits of the time since the base of its group */
	uint32_t *high; /* of the groups that have them: the upper 32 bits */
};

static inline int64_t times_at(const struct times *times, size_t i)
{
	const struct times_group *g = &times->groups[i / TIMES_GROUP];
	uint64_t step = times->step[i];

	if (g->high)
		step |= (uint64_t)times->high[g->high - 1 + i % TIMES_GROUP] << 32;
	return g->base + (int64_t)step;
}

/* Store n times, each less by `by`. Takes the array, in whose memory the steps are stored; n must
 * not be 0. */
void times_pack(struct times *times, int64_t *take_t, size_t n, int64_t by);

/* The same; the array stays the caller's. */
void times_pack_copy(struct times *times, const int64_t *t, size_t n, int64_t by);

/* Store n + 1 times, n at least 1: t0; times that are later than the one before by steps 1 to n -
 * 1; and t1. Takes the array of n steps, in whose memory they are stored. */
void times_pack_steps(struct times *times, uint32_t *take_steps, size_t n, int64_t t0, int64_t t1);

/* Store the two times of a single sample. */
void times_set(struct times *times, int64_t t0, int64_t t1);

/* Write times [from, from + n) to `out`. */
void times_read(const struct times *times, size_t from, size_t n, int64_t *out);

/* Add `by` to all n times. */
void times_shift(struct times *times, size_t n, int64_t by);

/* The number of times, of the first n, that are t or earlier. */
size_t times_until(const struct times *times, size_t n, int64_t t);

/* Free everything. */
void times_done(struct times *times);

#endif
