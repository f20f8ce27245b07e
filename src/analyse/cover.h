/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What covers a range of time, row by row: for each depth, the node that has most time in the
 * range. The result is exact: each sample counts with its time in the range. Computed columns are
 * cached, so that a small pan costs only its new columns. */
#ifndef FLAMETTY_ANALYSE_COVER_H
#define FLAMETTY_ANALYSE_COVER_H

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

struct cover;

/* The range of a column, which is not empty. */
struct cover_range {
	int64_t t0, t1;
};

/* Work space and cache for one lane. The lane's tree and samples must outlive it. */
struct cover *cover_new(const struct lane *lane);
void cover_free(struct cover *c);

/* How much memory cover_new() takes. The first call of cover_make_all() with much work takes
 * column_maker_bytes() more, if they are there. */
size_t cover_bytes(const struct lane *lane);

/* The rows of [t0, t1). *n_rows: their number; deeper rows are empty. Spans of zero length count
 * only where nothing else is. Slices last as the file states, if slice_time_is_seen(). The result
 * is borrowed until the next call. */
const struct cover_cell *cover_column(struct cover *c, int64_t t0, int64_t t1, int *n_rows);

/* Whether that column is in the cache. If so, this is a request for it: of the columns of a bucket
 * the one that was not requested for longest is replaced. */
bool cover_has(struct cover *c, int64_t t0, int64_t t1);

/* The same rows as cover_column(), only if they are in the cache, without a request; otherwise
 * NULL. Of a deep column only the `n` rows from `from` on have their values. Borrowed until the
 * next call. */
const struct cover_cell *cover_known(const struct cover *c, int64_t t0, int64_t t1, int from, int n,
				     int *n_rows);

/* In which of n buckets a cache keeps the column [t0, t1). The columns of a picture follow each
 * other, so each comes into the bucket after the one before it: they do not replace each other. */
size_t cover_bucket(int64_t t0, int64_t t1, size_t n);

/* Compute that column within the budget; true when it is known. Otherwise the next call for the
 * same range continues; a call for another range drops what was begun. */
bool cover_make(struct cover *c, int64_t t0, int64_t t1, struct budget *budget);

/* The same for the columns of a list of one width, which is left in disorder. When there is much to
 * do and the budget counts no steps, a second thread makes some of them, with the same result. */
#define COVER_MUCH_WORK 5e5 /* entries and nodes: about 0.6 ms */

bool cover_make_all(struct cover *c, struct cover_range *list, size_t n, struct budget *budget);

#endif
