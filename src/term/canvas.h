/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What is on the screen, and what it takes to make it the next picture. For term.c, which owns the
 * curses screen. */
#ifndef FLAMETTY_TERM_CANVAS_H
#define FLAMETTY_TERM_CANVAS_H

#include "base/buf.h"
#include "layout/grid.h"
#include "term/palette.h"

#include <stdbool.h>

/* can_shift: the terminal moves the rest of a row to either side, and what comes in has the default
 * colours. The palette must outlive the canvas. */
void canvas_open(struct palette *palette, bool has_default_colors, bool can_shift);
void canvas_close(void);

/* The screen has this size. is_blank: and nothing on it; else it is not known what. */
void canvas_resize(int rows, int cols, bool is_blank);

/* It is not known any more what is on the screen. */
void canvas_forget(void);

/* The next picture; what was not given of the one before is forgotten. */
void canvas_put(const struct grid *grid);

/* Give curses what differs, row by row from above, until that is `most` bytes, about: how many it
 * is, 0: nothing differs. What cannot be told to curses, and has to be sent ahead of its update, is
 * in canvas_moves(), to be emptied by whoever sends it. */
size_t canvas_give(size_t most);
bool canvas_has_more(void);
struct buf *canvas_moves(void);

#endif
