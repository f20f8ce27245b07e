/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The nodes of a view in the order of their callers: by function, then by the function that called
 * them, and so on up to the root. The nodes of each row of a bottom-up tree are neighbours in it,
 * and their time is a difference of two sums. So a row is made without a visit of its nodes, and a
 * recursion of n levels, which has n * n / 2 of them in its rows, takes time in proportion to
 * n log n. Only rows_walk.c and rows_below.c use this. */
#ifndef FLAMETTY_ANALYSIS_ROWS_ORDER_H
#define FLAMETTY_ANALYSIS_ROWS_ORDER_H

#include "analyse/rows/rows.h"

struct rows_order {
	const struct totals *totals;
	struct row_item *items; /* the nodes with time of their own; only `first` is used */
	uint32_t n;
	/* Of the items before each item, modulo 2^64: self time, total time of outermost nodes. */
	uint64_t *self, *total;
};

/* Whether the stacks are so deep that the order costs less than visits of all nodes in all rows. */
bool rows_order_pays(const struct totals *totals);

/* The totals must outlive the order. O(nodes * log depth). free: NULL is allowed. */
struct rows_order *rows_order_new(const struct totals *totals);
void rows_order_free(struct rows_order *order);

/* The items of a function. Borrowed. */
struct row_item *rows_order_find(const struct rows_order *order, frame_id frame, uint32_t *n);

/* The items of a row below the first level, or of the first level, by the function that called
 * them. `at` is the number of items of the row that were given before; it starts at 0. The result
 * is false if no more have a caller. */
struct rows_order_group {
	frame_id frame;
	uint32_t start, n; /* inside of the items of the row */
	int64_t self, total;
};
bool rows_order_next(const struct rows_order *order, const struct row *row, uint32_t *at,
		     struct rows_order_group *group);

#endif
