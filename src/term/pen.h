/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The pen: what the terminal writes with, and where. Appends the shortest sequences that change
 * either, or write a run of equal cells. Pure. For encoder.c. */
#ifndef FLAMETTY_TERM_PEN_H
#define FLAMETTY_TERM_PEN_H

#include "base/buf.h"
#include "term/caps.h"
#include "term/palette.h"
#include "term/shift.h"

#include <stdbool.h>
#include <stdint.h>

#define PEN_NO_INK (-2) /* as fg of a look: only the background counts */

struct pen {
	struct caps caps;
	int rows, cols;
	bool is_whole;    /* the terminal has no cells beyond rows and cols */
	struct paint now; /* what the terminal writes with */
	int row, col;     /* the cursor; -1: not known */
};

/* Bytes of the parameters for the colours of a look. */
struct pen_cost {
	uint8_t fg, bg;
};

/* Whether a cell shows nothing except its background. */
bool pen_is_plain(const struct painted *p);

/* Whether the terminal can make plain cells of this background itself. */
bool pen_can_erase(const struct pen *pen, int32_t bg);

/* Append what gives the terminal the default look; what also clears the screen. Both work in
 * whatever state the terminal is. */
void pen_reset(struct pen *pen, struct buf *out);
void pen_clear(struct pen *pen, struct buf *out);

/* Append a control sequence with one number, which is left out if it is 1. */
void pen_csi(int n, char final, struct buf *out);

/* Append what moves the cursor; the bytes that this takes. */
void pen_go(struct pen *pen, int row, int col, struct buf *out);
int pen_go_bytes(const struct pen *pen, int row, int col);

/* Move n columns to the right, over cells that may become blank. */
void pen_skip(struct pen *pen, int n, struct buf *out);

/* The cost of a look; the bytes that it takes, about, to change to it; append the change. With
 * PEN_NO_INK, ink and weight stay as they are. */
struct pen_cost pen_cost(const struct pen *pen, const struct paint *look);
int pen_look_bytes(const struct pen *pen, const struct paint *look, struct pen_cost cost);
void pen_look(struct pen *pen, const struct paint *look, struct buf *out);

/* Append what makes cells that the terminal adds look like the page. Also without bce: terminals
 * inside of others may have it, though their descriptions say otherwise. */
void pen_page(struct pen *pen, struct buf *out);

/* Write n plain cells at the cursor, with the current background. `on`: then the cursor must be so
 * many columns to the right of where it was, and the cells between may become blank; 0: it may be
 * anywhere. */
void pen_blanks(struct pen *pen, int n, int on, struct buf *out);

/* Write the character of a cell n times at the cursor. is_wide: it takes two columns; then n is 1.
 */
void pen_write(struct pen *pen, const struct painted *p, int n, bool is_wide, struct buf *out);

#endif
