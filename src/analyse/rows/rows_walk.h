/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Goes through a row and all rows below it in display order, for output. Only the rows that are
 * still to come beside the current row and the rows above it are in memory. */
#ifndef FLAMETTY_ANALYSIS_ROWS_WALK_H
#define FLAMETTY_ANALYSIS_ROWS_WALK_H

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
void rows_walk_done(struct rows_walk *walk);

/* The next row; NULL: there are no more. Borrowed until the next call. */
const struct row *rows_walk_next(struct rows_walk *walk);

/* Pass over the rows below the current one. */
void rows_walk_pass(struct rows_walk *walk);

/* Go through the rest of the walk; returns the number of its rows. Faster than rows_walk_next(). */
uint64_t rows_walk_skip(struct rows_walk *walk);

#endif
