/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The pen: what the terminal writes with, and where. Appends the shortest sequences that change
 * either, or write the cells of one look. Pure. For encoder.c and term.c. */
#ifndef FLAMETTY_TERM_PEN_H
#define FLAMETTY_TERM_PEN_H

#include "base/buf.h"
#include "term/caps.h"
#include "term/palette.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define PEN_NO_INK (-2) /* as fg of a look: only the background counts */
#define PEN_ON_BLANKS (PAINT_UNDERLINE | PAINT_REVERSE) /* attributes that are seen on blanks */

#define PEN_NOT_POSSIBLE 1000 /* bytes: more than any sequence */

/* A painted cell. */
struct painted {
	uint32_t ch; /* 0: the right half of a wide character */
	uint32_t mark;
	struct paint paint;
};

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

static inline bool pen_is_same(const struct painted *a, const struct painted *b)
{
	return a->ch == b->ch && a->mark == b->mark && a->paint.fg == b->paint.fg &&
		a->paint.bg == b->paint.bg && a->paint.attrs == b->paint.attrs;
}

/* Whether a cell shows nothing except its background. */
static inline bool pen_is_plain(const struct painted *p)
{
	return p->ch == ' ' && !(p->paint.attrs & PEN_ON_BLANKS);
}

/* Whether the terminal can make plain cells of this background itself. */
static inline bool pen_can_erase(const struct pen *pen, int32_t bg)
{
	return pen->caps.bce || bg == PAINT_DEFAULT;
}

/* Append what gives the terminal the default look; what also clears the screen. Both work in
 * whatever state the terminal is. */
void pen_reset(struct pen *pen, struct buf *out);

static inline void pen_clear(struct pen *pen, struct buf *out)
{
	pen_reset(pen, out);
	if (!pen->caps.text)
		buf_adds(out, "\033[H\033[J");
	else if (!pen->caps.text("clear", 0, 0, out) && pen->caps.text("cup", 0, 0, out))
		pen->caps.text("ed", 0, 0, out);
	pen->row = pen->col = 0;
}

/* Append a control sequence with one number, which is left out if it is 1. */
void pen_csi(int n, char final, struct buf *out);

/* Append what moves the cursor; the bytes that this takes. */
void pen_go(struct pen *pen, int row, int col, struct buf *out);
int pen_go_bytes(const struct pen *pen, int row, int col);

/* The cost of a look; the bytes that it takes, about, to change to it; append the change. With
 * PEN_NO_INK, ink and weight stay as they are. */
struct pen_cost pen_cost(const struct pen *pen, const struct paint *look);
int pen_look_bytes(const struct pen *pen, const struct paint *look, struct pen_cost cost);
void pen_look(struct pen *pen, const struct paint *look, struct buf *out);

/* Append what makes cells that the terminal adds look like the page. Also without bce: terminals
 * inside of others may have it, though their descriptions say otherwise. */
static inline void pen_page(struct pen *pen, struct buf *out)
{
	pen_look(pen, &(struct paint){ PEN_NO_INK, PAINT_DEFAULT, 0 }, out);
}

/* ---- stroke ----
 *
 * Stretches of rows that are written with one look. */

struct stroke {
	int row, from, end;         /* columns [from, end) */
	uint32_t to_left, to_right; /* where to look for one that is not yet written */
};

/* Zeroed at first; the caller frees the list. */
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

#endif
