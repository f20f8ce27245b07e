/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What covers a stretch of time: for each depth, the node with most time. Exact: every sample
 * counts with its time inside the stretch. Computed columns are cached, so that a small pan
 * computes only the new columns. */
#ifndef FLAMETTY_ANALYSIS_COVER_H
#define FLAMETTY_ANALYSIS_COVER_H

#include "base/budget.h"
#include "model/lane.h"

/* One row of a column. */
struct cover_cell {
	node_id node;    /* the node with most time; NODE_ROOT: none */
	uint8_t parts;   /* number of different nodes in the cell: 0, 1, 2; 3 means more */
	int64_t node_ns; /* time of `node` in the column */
	int64_t all_ns;  /* time of all nodes of this row in the column */
};

struct cover;

/* Work space for one lane. Tree and samples of the lane must outlive it. */
struct cover *cover_new(const struct lane *lane);
void cover_free(struct cover *c);

/* The rows of [t0, t1). *n_rows: their number; deeper rows are empty. Spans of zero length count
 * only if there are no others. Borrowed until the next call. */
const struct cover_cell *cover_column(struct cover *c, int64_t t0, int64_t t1, int *n_rows);

/* Whether that column is cached. */
bool cover_has(struct cover *c, int64_t t0, int64_t t1);

/* Compute that column within the budget; true when it is known. Otherwise the next call for the
 * same range continues; a call for another range drops what was begun. */
bool cover_make(struct cover *c, int64_t t0, int64_t t1, struct budget *budget);

#endif
