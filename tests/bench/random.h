/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Random numbers that are equal on all machines: Marsaglia's xorshift of 64 bits. */
#ifndef FLAMETTY_TESTS_BENCH_RANDOM_H
#define FLAMETTY_TESTS_BENCH_RANDOM_H

#include <stdint.h>

struct random {
	uint64_t state; /* never 0 */
};

static inline uint64_t random_next(struct random *r)
{
	r->state ^= r->state << 13;
	r->state ^= r->state >> 7;
	r->state ^= r->state << 17;
	return r->state;
}

/* A number below n, n > 0. */
static inline uint32_t random_below(struct random *r, uint32_t n)
{
	return (uint32_t)((random_next(r) >> 32) * n >> 32);
}

/* Mostly small: 0 with probability 1 / (`mean` + 1), `mean` on average. */
static inline uint32_t random_few(struct random *r, uint32_t mean)
{
	uint32_t n = 0;

	while (random_below(r, mean + 1) != 0)
		n++;
	return n;
}

#endif
