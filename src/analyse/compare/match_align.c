/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Dynamic programming over the prefixes of both lists: the least cost of a prefix of `a` and one of
 * `b` follows from that of the prefixes that lack their last functions. A function without a pair
 * costs more than all differences of lines together. */
#include "config.h"

#include "analyse/compare/match_align.h"

#include "base/alloc.h"

#include <stdlib.h>
#include <string.h>

/* Cells of the table; longer lists are paired one by one in their order. */
#define CELLS_MAX ((uint64_t)4 << 20)

#define SINGLE ((int64_t)1 << 40)

enum { SKIP_A, SKIP_B, PAIR };

static bool can_pair(const struct match_place *a, const struct match_place *b, bool is_exact)
{
	if (is_exact)
		return a->line == b->line && a->column == b->column;
	return (a->callers & b->callers) != 0;
}

/* Columns decide between functions of one line. */
static int64_t distance(const struct match_place *a, const struct match_place *b)
{
	int64_t lines = (int64_t)a->line - b->line, columns = (int64_t)a->column - b->column;

	lines = lines < 0 ? -lines : lines;
	columns = columns < 0 ? -columns : columns;
	return lines > 100000 ? 100000 * 16 : lines * 16 + (columns > 15 ? 15 : columns);
}

static void align_in_order(const struct match_place *a, uint32_t n_a, const struct match_place *b,
			   uint32_t n_b, bool is_exact, uint32_t *of)
{
	for (uint32_t i = 0; i < n_a; i++)
		of[i] = i < n_b && can_pair(&a[i], &b[i], is_exact) ? i : UINT32_MAX;
}

/* The choices for one more function of `a`. `cost`: by length of the prefix of b; that of the
 * prefix before becomes that of the next one. */
static void add_row(const struct match_place *a, const struct match_place *b, uint32_t n_b,
		    bool is_exact, int64_t *cost, uint8_t *choice)
{
	int64_t diagonal = cost[0];

	cost[0] += SINGLE;
	for (uint32_t k = 0; k < n_b; k++) {
		int64_t best = cost[k + 1] + SINGLE, across = diagonal;

		choice[k] = SKIP_A;
		if (cost[k] + SINGLE < best) {
			best = cost[k] + SINGLE;
			choice[k] = SKIP_B;
		}
		if (can_pair(a, &b[k], is_exact) && across + distance(a, &b[k]) <= best) {
			best = across + distance(a, &b[k]);
			choice[k] = PAIR;
		}
		diagonal = cost[k + 1];
		cost[k + 1] = best;
	}
}

void match_align(const struct match_place *a, uint32_t n_a, const struct match_place *b,
		 uint32_t n_b, bool is_exact, uint32_t *of)
{
	uint8_t *choice;
	int64_t *cost;

	memset(of, 0xFF, n_a * sizeof *of);
	if (n_a == 0 || n_b == 0)
		return;
	if ((uint64_t)n_a * n_b > CELLS_MAX) {
		align_in_order(a, n_a, b, n_b, is_exact, of);
		return;
	}
	choice = xmalloc((size_t)n_a * n_b);
	cost = xmalloc(((size_t)n_b + 1) * sizeof *cost);
	for (uint32_t k = 0; k <= n_b; k++)
		cost[k] = k * SINGLE;
	for (uint32_t i = 0; i < n_a; i++)
		add_row(&a[i], b, n_b, is_exact, cost, choice + (size_t)i * n_b);
	for (uint32_t i = n_a, k = n_b; i > 0 && k > 0;) {
		uint8_t what = choice[(size_t)(i - 1) * n_b + k - 1];

		if (what == PAIR)
			of[i - 1] = k - 1;
		i -= what != SKIP_B;
		k -= what != SKIP_A;
	}
	free(choice);
	free(cost);
}
