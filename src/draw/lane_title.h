/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The rows that name processes and lanes. */
#ifndef FLAMETTY_LAYOUT_LANE_TITLE_H
#define FLAMETTY_LAYOUT_LANE_TITLE_H

#include "draw/chart.h"

/* Draw into the first row of `r` the process that begins with lane `index`: its name and its number
 * of lanes. */
void lane_title_draw_group(struct grid *g, struct rect r, const struct chart *chart, int index);

/* The row of all processes that are folded into one row, and that of the pool that begins
 * with lane `index`. */
void lane_title_draw_others(struct grid *g, struct rect r, const struct chart *chart);
void lane_title_draw_pool(struct grid *g, struct rect r, const struct chart *chart, int index);

/* The title of a lane: its name and its figures; of a folded one, its activity (lane_strip.h).
 * n_above > 0: the title stays at the top while n_above rows of calls have scrolled away below it;
 * it names the selected span's callers in those rows. */
void lane_title_draw(struct grid *g, struct rect r, const struct chart *chart, int index,
		     int n_above);

/* If the selected span is outside of the window, or its row outside of the lanes in `r`, mark the
 * edge at which it is: `< 1.23 s` is how far it is to the left. */
void lane_title_mark_selection(struct grid *g, struct rect r, const struct chart *chart);

#endif
