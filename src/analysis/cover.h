/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What covers a range of time, row by row: for each depth, the node that has most time in the
 * range. The result is exact: each sample counts with its time in the range. Computed columns are
 * cached, so that a small pan costs only its new columns. */
#ifndef FLAMETTY_ANALYSIS_COVER_H
#define FLAMETTY_ANALYSIS_COVER_H

#include "base/budget.h"
#include "model/lane.h"

/* One row of a column. */
struct cover_cell {
	node_id node;    /* the node with most time; NODE_ROOT: nothing here */
	uint8_t parts;   /* number of nodes in the cell: 0, 1, 2, or 3 for more */
	int64_t node_ns; /* time of `node` in the column */
	int64_t all_ns;  /* time of all nodes of this row in the column */
};

struct cover;

/* Work space and cache for one lane. The lane's tree and samples must outlive it. */
struct cover *cover_new(const struct lane *lane);
void cover_free(struct cover *c);

/* The rows of [t0, t1). *n_rows: their number; deeper rows are empty. Spans of zero length count
 * only where nothing else is. The result is borrowed until the next call. */
const struct cover_cell *cover_column(struct cover *c, int64_t t0, int64_t t1, int *n_rows);

/* Whether that column is in the cache, so that it costs only a look-up. */
bool cover_has(struct cover *c, int64_t t0, int64_t t1);

/* Compute that column within the budget; true when it is known. Otherwise the next call for the
 * same range continues; a call for another range drops what was begun. */
bool cover_make(struct cover *c, int64_t t0, int64_t t1, struct budget *budget);

#endif
