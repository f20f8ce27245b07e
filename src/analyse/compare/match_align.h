/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Pairs the functions of two lists that have one name, in the order of their lines. */
#ifndef FLAMETTY_ANALYSIS_COMPARE_MATCH_ALIGN_H
#define FLAMETTY_ANALYSIS_COMPARE_MATCH_ALIGN_H

#include <stdbool.h>
#include <stdint.h>

struct match_place {
	int32_t line, column;
	uint64_t callers; /* a bit for each function that has a name and calls it, by hashes;
			     functions without a common bit are no pair */
};

/* Set of[i] to the index in `b` of the function that a[i] is, or UINT32_MAX. Both lists are in the
 * order of lines. Pairs do not cross; there are as many as possible, and the sum of the differences
 * of their lines is the least. is_exact: only functions with equal line and column are pairs. */
void match_align(const struct match_place *a, uint32_t n_a, const struct match_place *b,
		 uint32_t n_b, bool is_exact, uint32_t *of);

#endif
