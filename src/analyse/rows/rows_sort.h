/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The order of rows, and the functions that come first in it. */
#ifndef FLAMETTY_ANALYSE_ROWS_ROWS_SORT_H
#define FLAMETTY_ANALYSE_ROWS_ROWS_SORT_H

#include "analyse/compare/sides.h"
#include "analyse/totals.h"
#include "base/buf.h"

#include <stddef.h>
#include <stdlib.h>

struct budget;
struct sorting;

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

/* ---- rows change ----
 *
 * What is different in a part of the time: shares of the part against shares of all of it. Or what
 * changed between two sides (compare/sides.h).
 *
 * The ratio is (here / whole) / (all / all_whole), for times of the same calls: the self time of a
 * function, or the total time of a call. */

struct row;

struct rows_change {
	const struct totals *all; /* of the same view as those of the part; borrowed */
	int64_t whole, all_whole; /* 100 % of the shares, of the part and of all */
	bool has_idle;            /* idle time is part of both */
	bool is_of_calls;         /* rows are calls from the outermost on (top-down) */
	/* Of two sides: `all` is the side before, and this one the side after, of the same view;
	 * borrowed. NULL: a part and all of it. */
	const struct totals *after;
	struct sides_unit unit;
	bool is_of_total; /* rows are compared by their total time, not by their self time */
};

/* Get the times of a row, or a function, on both sides. */
void rows_change_sides_of_row(const struct rows_change *change, const struct row *row,
			      int64_t ns[SIDES]);
void rows_change_sides_of_function(const struct rows_change *change, frame_id frame,
				   bool is_of_total, int64_t ns[SIDES]);

/* Get the times to compare for a row of a table, and whether there is a comparison: none for a
 * caller in a bottom-up table, and for idle time that is not part of the whole. */
bool rows_change_of_row(const struct rows_change *change, const struct row *row, int64_t *here,
			int64_t *all);

/* The same for a function. *here: its self time; of two sides, it is set. */
bool rows_change_of_function(const struct rows_change *change, frame_id frame, int64_t *here,
			     int64_t *all);

/* Append `x3.2`; `new` if there is no such time outside of the part, `-` if there is none at all.
 * Of two sides: `+16.2 pt`, and then a blank, `*` (new) or U+2020 (gone). */
void rows_change_format(const struct rows_change *change, int64_t here, int64_t all,
			struct buf *out);

/* A number by which rows are sorted, largest first, not negative. Rows with at least 1 % of the
 * part come first, as in small times any ratio is chance; then `new`, then by ratio. Of two sides:
 * the size of the change. */
int64_t rows_change_key(const struct rows_change *change, int64_t here, int64_t all);

#endif
