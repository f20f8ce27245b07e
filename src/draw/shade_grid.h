/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Shares as shades: what the heat map of time and the grid of a fleet have in common. */
#ifndef FLAMETTY_DRAW_SHADE_GRID_H
#define FLAMETTY_DRAW_SHADE_GRID_H

#include "draw/grid.h"

#include <stdbool.h>

/* The role of a share: 1 has the strongest shade; ROLE_PAGE: there is nothing. */
enum role shade_grid_role(double share);

/* Put two shares that have a character together: the upper half block, whose ink is the upper one
 * and whose fill is the lower one. In ASCII, only the upper one. Roles beside those of
 * shade_grid_role(): ROLE_GC, and ROLE_BUSY for the cursor. */
void shade_grid_put(struct grid *g, int row, int col, enum role upper, enum role lower,
		    bool is_ascii);

/* Draw `0 ▀▀▀▀▀▀ 100 % busy  ▀ GC` at the right end, if that leaves room for `least` cells. most:
 * what the strongest shade is. Returns the cells that are left. */
int shade_grid_legend(struct grid *g, struct rect r, int least, const char *most, const char *what,
		      bool has_gc, bool is_ascii);

#endif
