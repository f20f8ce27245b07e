/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The period of a signal: after which time it looks the same again. It is found by autocorrelation:
 * a period is one if the signal is like itself after one period, two periods and so on, and unlike
 * itself after half a period more or less. So neither trends nor noise are taken for one, and of
 * the multiples of a period the period itself is found. */
#ifndef FLAMETTY_ANALYSE_PERIOD_H
#define FLAMETTY_ANALYSE_PERIOD_H

#include <stdbool.h>
#include <stddef.h>

#define PERIOD_PHASES 64 /* parts of a period in which its burst is looked for */
#define PERIOD_MIN 4     /* shortest period, in steps of the signal */
#define PERIOD_FOLDED 64 /* periods, from the beginning on, in which that is done */
#define PERIOD_TIMES 8   /* a period comes so often at least */

/* All lengths are in steps of the signal. */
struct period {
	double length;
	/* The burst: the part of each period in which the signal is highest, from `begin` to `end`,
	 * both from 0 to 1, or end up to 2 if it goes on at the beginning of the next period. */
	double begin, end;
	double more; /* how much more the burst is, summed, than the rest: per period */
};

/* Find the dominant period of n values. False: there is none. Costs n * n / 4 multiplications. */
bool period_find(const float *signal, size_t n, struct period *out);

#endif
