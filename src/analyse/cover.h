/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What covers a range of time, row by row: for each depth, the node that has most time in the
 * range. The result is exact: each sample counts with its time in the range. Computed columns are
 * cached, so that a small pan costs only its new columns. */
#ifndef FLAMETTY_ANALYSE_COVER_H
#define FLAMETTY_ANALYSE_COVER_H

#include "analyse/search.h"
#include "base/budget.h"
#include "model/lane.h"

#include <limits.h>

/* One row of a column. */
struct cover_cell {
	node_id node;    /* the node with most time; NODE_ROOT: nothing here */
	uint8_t parts;   /* number of nodes in the cell: 0, 1, 2, or 3 for more */
	int64_t node_ns; /* time of `node` in the column */
	int64_t all_ns;  /* time of all nodes of this row in the column */
};

struct cover;

/* The range of a column, which is not empty. */
struct cover_range {
	int64_t t0, t1;
};

/* Work space and cache for one lane. The lane's tree and samples must outlive it. NULL: memory was
 * refused (base/alloc.h). The first call of cover_make_all() with much work takes about as much
 * again, if it is there. */
struct cover *cover_new(const struct lane *lane);
void cover_free(struct cover *c);

/* Whether the column [t0, t1) is in the cache. If so, this is a request for it: of the columns of a
 * bucket the one that was not requested for longest is replaced. */
bool cover_has(struct cover *c, int64_t t0, int64_t t1);

/* The rows of [t0, t1), only if they are in the cache, without a request; otherwise NULL. *n_rows:
 * their number; deeper rows are empty. Spans of zero length count only where nothing else is.
 * Slices last as the file states, if slice_time_is_seen(). Of a deep column only the `n` rows from
 * `from` on have their values. Borrowed until the next call. */
const struct cover_cell *cover_known(const struct cover *c, int64_t t0, int64_t t1, int from, int n,
				     int *n_rows);

/* Compute that column within the budget; true when it is known. Otherwise the next call for the
 * same range continues; a call for another range drops what was begun. */
bool cover_make(struct cover *c, int64_t t0, int64_t t1, struct budget *budget);

/* All rows of that column, at once. */
static inline const struct cover_cell *cover_column(struct cover *c, int64_t t0, int64_t t1,
						    int *n_rows)
{
	cover_make(c, t0, t1, BUDGET_UNLIMITED);
	return cover_known(c, t0, t1, 0, INT_MAX, n_rows);
}

/* The same for the columns of a list of one width, which is left in disorder. When there is much to
 * do and the budget counts no steps, a second thread makes some of them, with the same result. */
#define COVER_MUCH_WORK 5e5 /* entries and nodes: about 0.6 ms */

bool cover_make_all(struct cover *c, struct cover_range *list, size_t n, struct budget *budget);

/* ---- match rows ----
 *
 * Which rows of a range of time contain a span that a search matches. A match must be visible even
 * in a cell that it shares with longer spans. */

struct match_rows;

/* The search's lane must outlive it. NULL: nothing in the lane matches. */
struct match_rows *match_rows_new(const struct search_lane *lane);
void match_rows_free(struct match_rows *m);

/* How much memory match_rows_new() takes. */
size_t match_rows_bytes(const struct search_lane *lane);

/* Whether row `depth` has a match in [t0, t1), as far as it is known: false if the column is not in
 * the cache. */
bool match_rows_has(const struct match_rows *m, int64_t t0, int64_t t1, int depth);

/* Whether all rows of [t0, t1) are in the cache; if so, this is a request for them, as in
 * cover_has(). Compute them within the budget; true when they are known. Otherwise the next call
 * continues, as in cover_make(). */
bool match_rows_is_known(struct match_rows *m, int64_t t0, int64_t t1);
bool match_rows_make(struct match_rows *m, int64_t t0, int64_t t1, struct budget *budget);

#endif
