/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The rows that name processes and lanes. */
#ifndef FLAMETTY_DRAW_LANE_TITLE_H
#define FLAMETTY_DRAW_LANE_TITLE_H

#include "base/buf.h"
#include "draw/chart.h"
#include "model/lane.h"
#include "model/profile.h"

/* The rows above the title of a lane: of its process or of those that are folded into one row, and
 * of its pool. */
static inline int lane_title_group_rows(const struct chart_lane *cl)
{
	if (cl->is_away)
		return cl->has_others;
	return (cl->has_group && !(cl->is_lone && !cl->is_shut)) + (cl->has_pool && !cl->is_shut);
}

/* Append the name of a lane's process: `Renderer (pid 7)`, `process 7`, `no process`. */
void lane_title_process(const struct profile *profile, const struct lane *lane, struct buf *out);

/* Draw those of lane `index` that are in `r`, where they begin at row `at` of `r`; it may be
 * negative. */
void lane_title_draw_groups(struct grid *g, struct rect r, const struct chart *chart, int index,
			    int at);

/* The title of a lane: its name and its figures; of a folded one, its activity (its strip, see
 * overview.h). n_above > 0: the title stays at the top while n_above rows of calls have scrolled
 * away below it; it names the selected span's callers in those rows. */
void lane_title_draw(struct grid *g, struct rect r, const struct chart *chart, int index,
		     int n_above);

/* If the selected span is outside of the window, or its row outside of the lanes in `r`, mark the
 * edge at which it is: `< 1.23 s` is how far it is to the left. */
void lane_title_mark_selection(struct grid *g, struct rect r, const struct chart *chart);

/* The end of the pool that begins with lane `first`, and its number of threads or of lanes of
 * objects. *n 0: that lane belongs to no pool, and the end is the next one. */
int pool_end(const struct profile *profile, const struct chart_lane *lanes, int n_lanes, int first,
	     int *n);

#endif
