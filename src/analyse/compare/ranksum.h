/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Whether two groups of runs differ: the rank-sum test of Mann and Whitney, and corrections of its
 * p values for many questions at once. The test looks at the order of the values only, so that one
 * run that went wrong counts as one run, whatever its value. */
#ifndef FLAMETTY_ANALYSE_COMPARE_RANKSUM_H
#define FLAMETTY_ANALYSE_COMPARE_RANKSUM_H

#include <stddef.h>

/* Up to this number of values, p is exact. */
#define RANKSUM_EXACT_MAX 60

/* The two-sided p: of all ways to divide the values into groups of these sizes, the part in which
 * the rank sum is at least as far from its mean as it is here. Equal values share the mean of their
 * ranks. The values must be numbers. A group without values: 1.
 *
 * With more than RANKSUM_EXACT_MAX values in all: the normal approximation with the corrections for
 * ties and for continuity. */
double ranksum_p(const double *before, size_t n_before, const double *after, size_t n_after);

/* The least p that groups of these sizes can have: 1 if a group is empty. */
double ranksum_least_p(size_t n_before, size_t n_after);

/* Replace n p values by corrected ones, which can be compared with the level that is wanted: by
 * Benjamini and Hochberg, which limits the part of false ones among those that are called
 * different; by Holm, which limits the chance of any false one. No corrected value is above 1, and
 * their order is that of the values. */
void ranksum_bh(double *p, size_t n);
void ranksum_holm(double *p, size_t n);

#endif
