/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Rows that several lanes have: those of a thread of which slices overlap (chart_lane.n_over). At
 * one time a row has a span of one lane only, but a cell may have spans of several. Private to
 * flame.c. */
#ifndef FLAMETTY_LAYOUT_FLAME_OVER_H
#define FLAMETTY_LAYOUT_FLAME_OVER_H

#include "draw/flame/flame.h"
#include "draw/flame/flame_cell.h"

/* What the lanes have in a cell. */
struct flame_over {
	int n;                      /* lanes with spans in it */
	int lanes[2];               /* those with most time in it */
	struct cover_cell cover[2]; /* what each of these has */
	struct cover_cell all;      /* what all lanes have; `node` is of lanes[0] */
};

/* Get the rows [depth, depth + rows) of `lane` and of the lanes laid over it into f->over, and
 * f->is_unknown. */
void flame_over_take(struct flame *f, int lane, int depth, int rows);

/* Begin the cell in column w->c: set w->cell, and the lane of the walk to that with most time in
 * the cell or, if it is here, that of the selected span. */
void flame_over_begin(const struct flame *f, struct flame_walk *w, struct flame_over *over);

/* Change `piece`, which is what the lane of the walk has in the cell, to what all lanes have. */
void flame_over_settle(const struct flame *f, struct flame_walk *w, const struct flame_over *over,
		       struct piece *piece);

/* Whether a match of the lanes is in the cell. */
bool flame_over_is_match(const struct flame_walk *w, const struct flame_over *over);

#endif
