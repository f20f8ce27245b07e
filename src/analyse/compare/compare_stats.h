/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Medians, spreads, the order of rows, and what the numbers of runs allow. */
#ifndef FLAMETTY_ANALYSIS_COMPARE_COMPARE_STATS_H
#define FLAMETTY_ANALYSIS_COMPARE_COMPARE_STATS_H

#include "analyse/compare/compare.h"

/* The median of n values; of an even number, the mean of the two in the middle; of none, 0. */
double compare_stats_median(const double *values, uint32_t n);

/* Half of the range of n values. */
double compare_stats_spread(const double *values, uint32_t n);

/* Set medians and spreads. `values`: those before, then those after. */
void compare_stats_value(const double *values, uint32_t n_before, uint32_t n_after,
			 struct compare_value *out);

/* Find the rows that only make or take room (struct compare_value), once it is known what differs.
 */
void compare_stats_find_room(struct compare *c);

/* Order the rows: those that grew, then others that differ, then those that were tested, then the
 * rest; each by their change, the largest first. With one side only, by spread. */
void compare_stats_sort(struct compare *c);

/* The change in percent of the value before; 0: there is none before. */
double compare_stats_percent(const struct compare_value *value);

/* How many of the functions must have the least p that the numbers of runs allow, for them to be
 * shown to differ; 0: all functions together would not be enough. */
size_t compare_stats_needed(const struct compare *c, enum compare_measure measure);

/* Of runs of one program, all on one side: divide them into halves in all ways, and count the ways
 * in which any function differs. Returns the number of ways; 0: there are too many runs, or less
 * than 4. */
uint64_t compare_stats_splits(const struct compare *c, enum compare_measure measure,
			      uint64_t *n_differ);

#endif
