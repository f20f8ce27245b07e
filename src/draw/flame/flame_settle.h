/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What is drawn where a cell has several spans. Private to flame.c. */
#ifndef FLAMETTY_LAYOUT_FLAME_SETTLE_H
#define FLAMETTY_LAYOUT_FLAME_SETTLE_H

#include "draw/flame/flame.h"
#include "draw/flame/flame_cell.h"

/* Change what the cell w->cell has to what is drawn there. */
void flame_settle(const struct flame_walk *w, struct piece *piece);

/* Make a row of a lane that has been drawn calmer, and put the labels of w->boxes. cells: what
 * covers its columns. */
void flame_settle_row(struct flame_walk *w, const struct flame *f, const struct cover_cell *cells);

#endif
