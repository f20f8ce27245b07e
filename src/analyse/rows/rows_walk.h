/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Goes through all rows below a row without keeping them. */
#ifndef FLAMETTY_ANALYSE_ROWS_ROWS_WALK_H
#define FLAMETTY_ANALYSE_ROWS_ROWS_WALK_H

#include "analyse/rows/rows.h"

struct rows_walk {
	struct rows *rows;
	struct row current;
	bool has_current;
	struct rows_walk_row *stack; /* rows to come, the next one last */
	size_t n, cap;
	struct row_item *items; /* of the current row, the stack, and the rows above */
	size_t cap_items;
	size_t *end; /* top-down, by depth: end of the items of the rows that are siblings there */
	size_t cap_end;
};

/* Begin with row `at` of the first level, which must be closed. `rows` must outlive the walk. The
 * struct is zeroed before its first walk; rows_walk_done() ends the last one. */
void rows_walk_begin(struct rows_walk *walk, struct rows *rows, size_t at);

static inline void rows_walk_done(struct rows_walk *w)
{
	free(w->stack);
	free(w->items);
	free(w->end);
	*w = (struct rows_walk){ 0 };
}

/* The next row; NULL: there are no more. Borrowed until the next call. */
const struct row *rows_walk_next(struct rows_walk *walk);

/* Pass over the rows below the current one. */
static inline void rows_walk_pass(struct rows_walk *walk)
{
	walk->current.can_open = false;
}

/* Go through the rest of the walk; returns the number of its rows. Faster than rows_walk_next(). */
uint64_t rows_walk_skip(struct rows_walk *walk);

/* ---- rows order ----
 *
 * For rows.c. */

/* The totals must outlive the order. O(nodes * log depth). */
struct rows_order {
	const struct totals *totals;
	struct row_item *items; /* the nodes with time of their own; only `first` is used */
	uint32_t n;
	/* Of the items before each item, modulo 2^64: self time, total time of outermost nodes. */
	uint64_t *self, *total;
};

/* The next items of a row with one caller. *at: the number of items of the row that were given
 * before; it starts at 0. False: no more have a caller. */
bool rows_order_next(const struct rows_order *order, const struct row *row, uint32_t *at,
		     struct rows_group *group);

/* NULL is allowed. */
static inline void rows_order_free(struct rows_order *o)
{
	if (!o)
		return;
	free(o->items);
	free(o->self);
	free(o->total);
	free(o);
}

#endif
