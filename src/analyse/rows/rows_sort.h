/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The order of rows, and the functions that come first in it. */
#ifndef FLAMETTY_ANALYSE_ROWS_ROWS_SORT_H
#define FLAMETTY_ANALYSE_ROWS_ROWS_SORT_H

#include "analyse/totals.h"
#include "base/sort.h"

#include <stddef.h>
#include <stdlib.h>

/* ROWS_BY_CHANGE is only for rows with `change`; the rows without a comparison are by self time.
 * ROWS_REVERSED is a flag: the opposite order. */
enum rows_sort { ROWS_BY_SELF, ROWS_BY_TOTAL, ROWS_BY_NAME, ROWS_BY_CHANGE, ROWS_REVERSED = 4 };

/* The name of a sort order, below ROWS_BY_CHANGE; NULL: i is past the last one. */
const char *rows_sort_word(unsigned i);

/* Sort keys apart from the rows: a third of the bytes to move. */
struct rows_key {
	int64_t first, second;
	uint32_t at; /* in the rows */
	frame_id frame;
};

/* The key of a row. */
static inline struct rows_key rows_sort_key(enum rows_sort sort, frame_id frame, int64_t self,
					    int64_t total, uint32_t at)
{
	if (sort == ROWS_BY_SELF)
		return (struct rows_key){ self, total, at, frame };
	if (sort == ROWS_BY_TOTAL)
		return (struct rows_key){ total, self, at, frame };
	/* The comparison becomes the first number where there is one. */
	if (sort == ROWS_BY_CHANGE)
		return (struct rows_key){ 0, self, at, frame };
	return (struct rows_key){ 0, 0, at, frame };
}

/* The same in steps, of `keys` with room for n more keys behind them; for few keys, or without a
 * limit, at once. *sorting: NULL at first, and again when the result is true; a sort that is
 * abandoned is ended with sort_end(). */
bool rows_sort_step(struct sorting **sorting, const struct view *view, struct rows_key *keys,
		    size_t n, struct budget *budget);

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

static inline void rows_top_done(struct rows_top *top)
{
	free(top->list);
	*top = (struct rows_top){ 0 };
}

#endif
