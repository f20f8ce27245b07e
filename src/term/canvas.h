/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The cells on the screen and those of the next picture; sends the rows that differ, by the encoder
 * (encoder.h) or through curses. For term.c, which owns the curses screen. */
#ifndef FLAMETTY_TERM_CANVAS_H
#define FLAMETTY_TERM_CANVAS_H

#include "base/buf.h"
#include "draw/grid.h"
#include "term/caps.h"
#include "term/palette.h"

#include <stdbool.h>

/* How to draw. */
struct canvas_options {
	const struct caps *caps; /* by the encoder, which may use these; NULL: through curses */
	bool has_own_utf8; /* by the encoder: widths are those of base/text.h, for the C library
			      knows none */
	/* Through curses: */
	bool has_default_colors;
	bool can_shift; /* the terminal can delete and insert characters in a row, and new cells get
			 * the default colours */
};

/* The palette must outlive the canvas; its mode says which colours the encoder sends, also when it
 * changes. */
void canvas_open(struct palette *palette, const struct canvas_options *options);
void canvas_close(void);

/* The size of the screen. is_blank: it is empty; otherwise its contents are unknown. */
void canvas_resize(int rows, int cols, bool is_blank);

/* The contents of the screen are unknown from now on. */
void canvas_forget(void);

/* Set the next picture. Rows of the picture before that were not given are dropped. */
void canvas_put(const struct grid *grid);

/* Give the rows that differ, from above, up to about `most` bytes, to the encoder or to curses.
 * Returns about how many bytes the update takes; 0: nothing differs. What the encoder made, or the
 * shifts of rows, which curses cannot do, are in canvas_moves(): the caller sends them, before the
 * update of curses, and empties the buffer. canvas_has_more(): rows that differ were not given yet.
 */
size_t canvas_give(size_t most);
bool canvas_has_more(void);
struct buf *canvas_moves(void);

/* Without curses: append to canvas_moves() what moves the cursor. */
void canvas_move_cursor(int row, int col);

#endif
