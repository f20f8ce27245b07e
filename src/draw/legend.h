/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the colours of the chart stand for, with the share of the busy time of each: a row of
 * entries in their colours. */
#ifndef FLAMETTY_DRAW_LEGEND_H
#define FLAMETTY_DRAW_LEGEND_H

#include "draw/chart.h"

#define LEGEND_ITEMS 12
#define LEGEND_CELLS 24 /* of a name */

struct legend {
	struct legend_item {
		char name[4 * LEGEND_CELLS]; /* UTF-8 */
		enum role role;
		double share; /* 0 to 1 */
	} items[LEGEND_ITEMS];
	int n;
};

/* Make the legend of `roles`, the largest share first, except where the colours have an order of
 * their own. */
void legend_make(struct legend *legend, const struct frame_roles *roles);

/* Draw the entries that fit, each complete, into the first row of `r`. */
void legend_draw(struct grid *g, struct rect r, const struct legend *legend);

#endif
