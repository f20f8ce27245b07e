/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a folded lane does in the window, in one row beside its title. */
#ifndef FLAMETTY_LAYOUT_LANE_STRIP_H
#define FLAMETTY_LAYOUT_LANE_STRIP_H

#include "draw/activity.h"
#include "draw/chart.h"

/* Owned by the scene; zeroed before its first use. */
struct lane_strip {
	int64_t t0, t1; /* the window */
	int cols;
	unsigned color; /* what the parts of cells are by: activity_color() */
	int n_made;     /* number of known cells */
	/* Cell i is that of cell i + shift of the window before, if that was of the same time. */
	struct viewport before;
	int shift;
	bool has_busy;
	int64_t busy_ns; /* in the window */
	/* Of a lane of samples, slices or an async track. Of a counter or marks, only `busy`
	 * counts: the height of the value, or whether there is a mark. */
	struct activity *cells;
};

/* The columns of the strip of a lane in a chart of `cols` columns; 0: it has none. */
int lane_strip_cols(const struct chart *chart, int lane, int cols);

/* Compute the strip of a lane for the window, `cols` columns wide, within the budget: true when all
 * of it is known. Costs by the number of functions, as activity_measure(). */
bool lane_strip_make(struct lane_strip *strip, const struct chart *chart, int lane, int cols,
		     struct budget *budget);
void lane_strip_done(struct lane_strip *strip);

/* Append the busy share, `37 %`; of marks, their number; of a counter, its highest value. Nothing
 * while it is not known. */
void lane_strip_format(const struct chart *chart, int lane, struct buf *out);

/* Draw the strip into one row. Cells that are not known are drawn as unfinished. */
void lane_strip_draw(struct grid *g, struct rect r, const struct chart *chart, int lane);

#endif
