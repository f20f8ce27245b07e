/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds pictures that have moved sideways. Pure. A terminal can shift a row with a few bytes; then
 * only the new columns have to be sent. It can also shift only the tail of a row, from a column on:
 * the title of a folded lane stays, and the strip beside it moves. */
#ifndef FLAMETTY_TERM_SHIFT_H
#define FLAMETTY_TERM_SHIFT_H

#include "term/palette.h"

#include <stdbool.h>
#include <stdint.h>

/* A painted cell. */
struct painted {
	uint32_t ch; /* 0: the right half of a wide character */
	uint32_t mark;
	struct paint paint;
};

bool shift_is_same(const struct painted *a, const struct painted *b);

/* The number of columns by which most differing cells have moved: to the left, if negative to the
 * right; 0: they have not. `before` and `after` have rows * cols cells. */
int shift_find(const struct painted *before, const struct painted *after, int rows, int cols);

/* The number of cells that a shift of the rows that are worth it makes right. */
int shift_gain(const struct painted *before, const struct painted *after, int rows, int cols,
	       int shift);

/* Shift a row and fill it up with blanks. False: the row is unchanged, because a shift would save
 * too little on the way to `after`, or would cut a wide character. */
bool shift_row(struct painted *row, const struct painted *after, int cols, int shift);

/* The same for tails of rows, where `shift`, of whole rows, leaves much to be sent. */
int shift_find_tail(const struct painted *before, const struct painted *after, int rows, int cols,
		    int shift);

/* The number of cells that a shift of the best tail of a row makes right; 0: none is worth it.
 * *from: its first column. */
int shift_tail_gain(const struct painted *before, const struct painted *after, int cols, int shift,
		    int *from);

/* Shift the tail of a row and fill it up with blanks. */
void shift_tail(struct painted *row, int from, int cols, int shift);

#endif
