/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "config.h"

#include "draw/shade_grid.h"

#include "base/text.h"

#include <string.h>

#define HALF_BLOCK 0x2580
#define LEVELS 6

static const uint8_t level_roles[LEVELS] = { ROLE_HEAT_0, ROLE_HEAT_1, ROLE_HEAT_2,
					     ROLE_HEAT_3, ROLE_HEAT_4, ROLE_HEAT_5 };

enum role shade_grid_role(double share)
{
	int percent = (int)(share * 100);

	if (!(share > 0))
		return ROLE_PAGE;
	return level_roles[percent < 4            ? 0
				   : percent < 20 ? 1
						  : (percent < 80 ? percent / 20 : 4) + 1];
}

void shade_grid_put(struct grid *g, int row, int col, enum role upper, enum role lower,
		    bool is_ascii)
{
	static const char shades[LEVELS + 1] = ".:-+*#";
	struct cell *c;

	if (row >= g->rows || col >= g->cols)
		return;
	c = grid_at(g, row, col);
	*c = (struct cell){ .ch = ' ', .ink = ROLE_PLAIN };
	if (is_ascii && upper != ROLE_PAGE) {
		c->ch = upper == ROLE_GC ? 'G'
			: upper >= ROLE_HEAT_0 && upper <= ROLE_HEAT_5
			? (unsigned char)shades[upper - ROLE_HEAT_0]
			: '@';
		/* Without colours, the lowest level is that of the page. */
		c->ink = (uint8_t)(upper != ROLE_HEAT_0 ? upper : ROLE_DIM);
	} else if (!is_ascii && (upper != ROLE_PAGE || lower != ROLE_PAGE)) {
		c->ch = HALF_BLOCK;
		c->flags = CELL_PAIR;
		c->ink = (uint8_t)upper;
		c->fill = (uint8_t)(lower != ROLE_PAGE ? lower : ROLE_PLAIN);
	}
}

int shade_grid_legend(struct grid *g, struct rect r, int least, const char *most, const char *what,
		      bool has_gc, bool is_ascii)
{
	int ends = text_cells(most, strlen(most)), cells = text_cells(what, strlen(what)), col;

	cells = 2 + LEVELS + 1 + ends + 1 + cells + (has_gc ? 6 : 0);
	col = r.col + r.cols - 1 - cells;
	if (col < r.col + least)
		return r.cols - 1;
	grid_puts(g, r.row, col, 2, "0 ", ROLE_DIM);
	for (int i = 0; i < LEVELS; i++)
		shade_grid_put(g, r.row, col + 2 + i, level_roles[i], level_roles[i], is_ascii);
	col += 2 + LEVELS + 1;
	col += grid_puts(g, r.row, col, ends, most, ROLE_DIM) + 1;
	col += grid_puts(g, r.row, col, cells, what, ROLE_DIM);
	if (has_gc) {
		shade_grid_put(g, r.row, col + 2, ROLE_GC, ROLE_GC, is_ascii);
		grid_puts(g, r.row, col + 4, 2, "GC", ROLE_DIM);
	}
	return r.cols - 3 - cells;
}
