/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Makes the rows below a row. Only rows.c and rows_walk.c use this. */
#ifndef FLAMETTY_ANALYSIS_ROWS_BELOW_H
#define FLAMETTY_ANALYSIS_ROWS_BELOW_H

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

/* Make the rows below `row`, whose items must be known; the filter leaves rows out. The result is
 * in rows->below until the next call.
 *
 * Top-down: the items of the new rows are in below->items; a caller that keeps the rows copies
 * them. Bottom-up: the items of the row move on to their callers and are grouped in place, so the
 * new rows share the row's array. With rows->order, the items are those of the order and stay where
 * they are. */
void rows_below_make(struct rows *rows, const struct row *row);

/* The same in steps: begin, and call step with the same row until the result is true. Nothing else
 * may be done to the rows meanwhile, except to drop the steps, or to free the rows. Bottom-up, each
 * item of the row is then on its own level or on that of its caller. */
void rows_below_begin(struct rows *rows, const struct row *row);
bool rows_below_step(struct rows *rows, const struct row *row, struct budget *budget);
void rows_below_drop(struct rows *rows);

/* Whether a row whose items are known has rows below it, without a filter; whether it passes the
 * filter. */
bool rows_below_can_open(const struct rows *rows, const struct row *row);
bool rows_below_stays(const struct rows *rows, const struct row *row);

/* NULL is allowed. */
void rows_below_free(struct rows_below *below);

#endif
