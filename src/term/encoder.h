/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Turns the difference of two pictures into few bytes for the terminal. Pure: no terminal and no
 * curses is needed. For term.c, which owns the cells.
 *
 * The sequences are those of ECMA-48; description.c finds out from terminfo which of the optional
 * ones the terminal takes, and whether it needs others (caps.h). Cells are in a normal form: equal
 * cells look the same, and most cells that look the same are equal. */
#ifndef FLAMETTY_TERM_ENCODER_H
#define FLAMETTY_TERM_ENCODER_H

#include "base/buf.h"
#include "base/hash.h"
#include "term/caps.h"
#include "term/pen.h"

#include <stdbool.h>
#include <stddef.h>

struct encoder {
	struct pen pen; /* resets the look and moves the cursor between pictures, too */
	int shift;      /* columns by which the rows of this picture have moved */
	int tail_shift; /* and the tails of other rows */
	struct piece *pieces;
	size_t n_pieces, pieces_cap;
	struct group *groups;
	size_t n_groups, groups_cap;
	struct hash_table by_look; /* of groups */
	struct strokes strokes;    /* of the group that is written */
};

/* `e` is zeroed. encoder_close() frees what it owns and zeroes it. */
static inline void encoder_open(struct encoder *e, const struct caps *caps)
{
	e->pen.caps = *caps;
	e->pen.row = e->pen.col = -1;
}

static inline void encoder_close(struct encoder *e)
{
	free(e->pieces);
	free(e->groups);
	free(e->strokes.list);
	hash_table_done(&e->by_look);
	memset(e, 0, sizeof *e);
}

/* The size of all pictures from now on; is_whole: the terminal has no cells beyond them. */
void encoder_resize(struct encoder *e, int rows, int cols, bool is_whole);

/* Bring n cells of a row into the normal form that the functions below expect. */
void encoder_normalize(const struct encoder *e, struct painted *cells, int n);

/* Append to `out` what clears the screen, whatever was on it and wherever the cursor was; all cells
 * of `shown` become blank. */
void encoder_clear(struct encoder *e, struct painted *shown, struct buf *out);

/* A new picture, `next`, follows the one on the screen, `shown`; both have rows * cols cells.
 * Append what moves rows up or down, if that saves bytes, and move them in `shown`. */
void encoder_begin(struct encoder *e, struct painted *shown, const struct painted *next,
		   struct buf *out);

/* Append what makes the rows [first, end) of `shown` look like those of `next`, and copy them.
 * Fewer bytes are needed for many rows at once. */
void encoder_rows(struct encoder *e, struct painted *shown, const struct painted *next, int first,
		  int end, struct buf *out);

#endif
