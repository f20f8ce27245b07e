/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Computes columns of a lane, one at a time, in steps: for each depth, the node that has most time
 * in a range. Two makers of one lane can work on two threads at the same time. */
#ifndef FLAMETTY_ANALYSIS_COLUMN_MAKER_H
#define FLAMETTY_ANALYSIS_COLUMN_MAKER_H

#include "base/budget.h"
#include "model/lane.h"

/* One row of a column. */
struct cover_cell {
	node_id node;    /* the node with most time; NODE_ROOT: nothing here */
	uint8_t parts;   /* number of nodes in the cell: 0, 1, 2, or 3 for more */
	int64_t node_ns; /* time of `node` in the column */
	int64_t all_ns;  /* time of all nodes of this row in the column */
};

struct column_maker;

/* The lane's tree and samples must outlive it. */
struct column_maker *column_maker_new(const struct lane *lane);
void column_maker_free(struct column_maker *m);

/* How much memory column_maker_new() takes. */
size_t column_maker_bytes(const struct lane *lane);

/* Whether it has begun with that column, or has completed it, and it was not taken yet. */
bool column_maker_has(const struct column_maker *m, int64_t t0, int64_t t1);

/* Compute the column [t0, t1) within the budget; true when it is complete. Otherwise the next call
 * for the same range continues; a call for another range drops what was begun. Allocates nothing.
 */
bool column_maker_work(struct column_maker *m, int64_t t0, int64_t t1, struct budget *budget);

/* The number of rows of the complete column; deeper ones are empty. cells(): these rows. take():
 * copy them, unless `to` is NULL, and make room for the next column. */
int column_maker_rows(const struct column_maker *m);
const struct cover_cell *column_maker_cells(const struct column_maker *m);
void column_maker_take(struct column_maker *m, struct cover_cell *to);

#endif
