/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The share of a kind of time, such as garbage collection, in the last seconds of a thread; and
 * periods in which it is at a limit.
 *
 * The window ends at a multiple of SHARES_STEP and is as long as a number of steps. */
#ifndef FLAMETTY_ANALYSE_SHARES_H
#define FLAMETTY_ANALYSE_SHARES_H

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

#define SHARES_STEP (INT64_C(100) * 1000000) /* ns */

/* A period begins with the first window of which at least the limit is time of the kind, and ends
 * when no window of a whole length has been one. */
struct shares_period {
	int64_t t0;     /* the beginning of its first window */
	int64_t t1;     /* the end of its last window so far */
	int64_t ns;     /* time of the kind in the first window */
	bool has_ended; /* false: it has just begun */
};

struct shares {
	/* Set by shares_init(). */
	int64_t window_ns;
	double limit;
	void (*visit)(void *ctx, const struct shares_period *period);
	void *ctx;
	/* Sums of the steps of the last window, as a ring; `next`: number of the step in progress,
	 * since time 0. */
	int64_t *of_kind, *of_all;
	int64_t n, next;
	int64_t kind_ns, all_ns; /* sums of the complete steps */
	bool has_begun;          /* there was a sample */
	bool is_on;
	struct shares_period period;
};

/* window_ns: at least a step, and rounded down to steps. limit: from 0 to 1; more: never. visit is
 * called when a period begins, and when it has ended. */
void shares_init(struct shares *shares, int64_t window_ns, double limit,
		 void (*visit)(void *ctx, const struct shares_period *period), void *ctx);

static inline void shares_done(struct shares *s)
{
	free(s->of_kind);
	free(s->of_all);
	*s = (struct shares){ 0 };
}

/* Add a stretch of time, in ns; they come in order. Time between them is unknown: a window of which
 * a tenth or more is unknown counts for nothing. */
void shares_add(struct shares *shares, int64_t t0, int64_t t1, bool is_of_kind);

/* There is no more: a period ends. */
void shares_end(struct shares *shares);

#endif
