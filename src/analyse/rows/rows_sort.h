/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The order of rows: by two numbers, or by name. Only files of this folder use this. */
#ifndef FLAMETTY_ANALYSIS_ROWS_SORT_H
#define FLAMETTY_ANALYSIS_ROWS_SORT_H

#include "analyse/rows/rows.h"

#include "base/sort.h"

#include <stddef.h>

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

/* Sort n keys: the larger `first` comes first, then the larger `second`, then the smaller frame. If
 * both numbers are 0 the name of the frame decides. The numbers must not be negative. spare: room
 * for n keys. */
void rows_sort_keys(const struct view *view, struct rows_key *keys, struct rows_key *spare,
		    size_t n);

/* The same in steps, of `keys` with room for n more keys behind them; for few keys, or without a
 * limit, at once. *sorting: NULL at first, and again when the result is true; a sort that is
 * abandoned is ended with sort_end(). */
bool rows_sort_step(struct sorting **sorting, const struct view *view, struct rows_key *keys,
		    size_t n, struct budget *budget);

#endif
