/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Pictures that have moved sideways, as pure functions: a terminal moves what it shows
 * with a few bytes, and then only the columns that came in are sent. */
#ifndef FLAMETTY_TERM_SHIFT_H
#define FLAMETTY_TERM_SHIFT_H

#include "term/palette.h"

#include <stdbool.h>
#include <stdint.h>

/* A cell as it is painted. */
struct painted {
	uint32_t ch; /* 0: the right half of a wide character */
	uint32_t mark;
	struct paint paint;
};

bool shift_is_same(const struct painted *a, const struct painted *b);

/* By how many columns most of what differs between two pictures has moved: to the
 * left, or if negative to the right; 0: it has not. `before` and `after` have rows * cols cells. */
int shift_find(const struct painted *before, const struct painted *after, int rows, int cols);

/* Move a row and leave blanks behind. False, with the row as it was: this would not
 * make it much more like `after`, or would cut a wide character. */
bool shift_row(struct painted *row, const struct painted *after, int cols, int shift);

#endif
