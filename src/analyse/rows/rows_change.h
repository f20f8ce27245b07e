/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What is different in a part of the time: shares of the part against shares of all of it. Or what
 * changed between two sides (compare/sides.h).
 *
 * The ratio is (here / whole) / (all / all_whole), for times of the same calls: the self time of a
 * function, or the total time of a call. */
#ifndef FLAMETTY_ANALYSE_ROWS_ROWS_CHANGE_H
#define FLAMETTY_ANALYSE_ROWS_ROWS_CHANGE_H

#include "analyse/compare/sides.h"
#include "analyse/totals.h"
#include "base/buf.h"

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
