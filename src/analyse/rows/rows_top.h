/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The first functions of a table of all functions with time, without rows for the others. */
#ifndef FLAMETTY_ANALYSIS_ROWS_TOP_H
#define FLAMETTY_ANALYSIS_ROWS_TOP_H

#include "analyse/rows/rows.h"

struct rows_top {
	frame_id *list;
	size_t n;
	size_t n_left; /* wanted functions that are not in the list */
};

/* Find the first `most` functions in an order below ROWS_BY_CHANGE, as rows_init() has them
 * bottom-up, of those that is_wanted() returns true for. */
void rows_top_init(struct rows_top *top, const struct totals *totals, enum rows_sort sort,
		   size_t most, bool (*is_wanted)(const void *ctx, frame_id frame),
		   const void *ctx);
void rows_top_done(struct rows_top *top);

#endif
