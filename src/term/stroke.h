/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Strokes: stretches of rows that are written with one look, in an order that takes few bytes for
 * moves of the cursor. For encoder.c. */
#ifndef FLAMETTY_TERM_STROKE_H
#define FLAMETTY_TERM_STROKE_H

#include "base/buf.h"
#include "term/pen.h"

#include <stddef.h>
#include <stdint.h>

struct stroke {
	int row, from, end;         /* columns [from, end) */
	uint32_t to_left, to_right; /* where to look for one that is not yet written */
};

/* Zeroed at first. */
struct strokes {
	struct stroke *list; /* in the order of the screen */
	size_t n, cap;
};

/* The rows that are on the screen and those that shall be, of pen->cols cells each. A cell that
 * differs has to be written. */
struct stroke_cells {
	struct painted *shown;
	const struct painted *next;
};

/* Add the cells [from, end) of a row, which can all be written with `look`. They come after those
 * that were added before, on the screen. */
void stroke_add(struct strokes *s, const struct pen *pen, const struct stroke_cells *cells,
		const struct paint *look, const struct stroke *part);

/* Append what writes all strokes with the look, which the pen has, copy their cells to `shown`, and
 * empty the list. */
void stroke_write(struct strokes *s, struct pen *pen, const struct stroke_cells *cells,
		  const struct paint *look, struct buf *out);

void stroke_done(struct strokes *s);

#endif
