/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds pictures in which rows have moved up or down. Pure. A terminal can move whole rows with a
 * few bytes; then only the new rows have to be sent. */
#ifndef FLAMETTY_TERM_SCROLL_H
#define FLAMETTY_TERM_SCROLL_H

#include "term/shift.h"

/* Rows [first, end) move up by `by` rows, down if it is negative. Rows that nothing moves to become
 * blank. */
struct scroll {
	int first, end;
	int by;
};

/* Find the scroll that leaves the fewest cells different. Returns how many cells it makes right; 0:
 * none saves enough. `before` and `after` have rows * cols cells. */
int scroll_find(const struct painted *before, const struct painted *after, int rows, int cols,
		struct scroll *scroll);

/* Move the rows of a picture. */
void scroll_apply(struct painted *cells, int cols, const struct scroll *scroll);

#endif
