/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Makes the rows below a row. Only rows.c and rows_below.c use this. */
#ifndef FLAMETTY_ANALYSE_ROWS_ROWS_BELOW_H
#define FLAMETTY_ANALYSE_ROWS_ROWS_BELOW_H

#include "analyse/rows/rows.h"

/* The rows that were made last, in display order, and memory that all calls share. */
struct rows_below {
	struct row *made;
	size_t n, cap;
	struct row_item *items; /* top-down: the items of all these rows */
	size_t n_items, cap_items;
	struct row_item *found; /* items before they are grouped */
	size_t cap_found;
	struct rows_group *groups;
	uint32_t n_groups;
	size_t cap_groups;
	uint32_t *group_of; /* by frame: number of its group, from 1; 0 outside of a call */
	struct rows_key *keys;
	size_t cap_keys;
	int step;           /* what is to be done next; within it: */
	uint32_t at, item;  /* how far it is */
	node_id callee;     /* the next callee of an item; 0: the first one */
	uint32_t n_ended;   /* bottom-up: items of the row that have no caller, */
	int64_t ended_self; /* and the sums of their times */
	int64_t ended_total;
	uint32_t n_taken;         /* groups of which rows were made */
	struct sorting *sorting;  /* of the keys, while the rows are made in steps; */
	struct row_item *of_made; /* memory of their items */
};

/* Whether rows are sorted by a comparison: the change or, of two sides, one of their times. */
static inline bool rows_are_compared(const struct rows *rows)
{
	return rows->change.after ? rows->sort != ROWS_BY_NAME : rows->sort == ROWS_BY_CHANGE;
}

/* The key of a row then; here, all: as of rows_change_of_row(). */
static inline int64_t rows_compared_key(const struct rows *rows, int64_t here, int64_t all)
{
	return rows->sort == ROWS_BY_SELF     ? here
		: rows->sort == ROWS_BY_TOTAL ? all
					      : rows_change_key(&rows->change, here, all);
}

/* Make the rows below a row: begin, and call step with the same row until the result is true.
 * Nothing else may be done to the rows meanwhile, except to drop the steps, or to free the rows.
 * Bottom-up, each item of the row is then on its own level or on that of its caller. */
void rows_below_begin(struct rows *rows, const struct row *row);
bool rows_below_step(struct rows *rows, const struct row *row, struct budget *budget);
void rows_below_drop(struct rows *rows);

/* Whether a row whose items are known has rows below it, without a filter; whether it passes the
 * filter. */
bool rows_below_can_open(const struct rows *rows, const struct row *row);
bool rows_below_stays(const struct rows *rows, const struct row *row);

/* NULL is allowed. */
void rows_below_free(struct rows_below *below);

struct rows_order {
	const struct totals *totals;
	struct row_item *items; /* the nodes with time of their own; only `first` is used */
	uint32_t n;
	/* Of the items before each item, modulo 2^64: self time, total time of outermost nodes. */
	uint64_t *self, *total;
};

/* The totals must outlive the order. O(nodes * log depth). free: NULL is allowed. */
void rows_order_free(struct rows_order *order);

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
void rows_walk_done(struct rows_walk *walk);

/* The next row; NULL: there are no more. Borrowed until the next call. */
const struct row *rows_walk_next(struct rows_walk *walk);

/* Pass over the rows below the current one. */
void rows_walk_pass(struct rows_walk *walk);

/* Go through the rest of the walk; returns the number of its rows. Faster than rows_walk_next(). */
uint64_t rows_walk_skip(struct rows_walk *walk);

#endif
