/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The window: the part of the time line on the screen, and how far the lanes are scrolled. All
 * changes are clamped: the window stays inside [t_min, t_max) and is never shorter than
 * VIEWPORT_MIN_NS. Columns begin at whole ns: column c covers [viewport_time(c), viewport_time(c +
 * 1)). */
#ifndef FLAMETTY_DRAW_VIEWPORT_H
#define FLAMETTY_DRAW_VIEWPORT_H

#include <stdbool.h>
#include <stdint.h>

#define VIEWPORT_MIN_NS 100

struct viewport {
	int64_t t_min, t_max; /* the whole; t_max > t_min */
	int64_t t0, t1;       /* the window */
	int scroll;           /* chart rows above the first visible one */
	/* The place of that row, as long as `scroll` is top_scroll: a lane, and a depth of it; -1:
	 * its title, -2: the row of its process (ui/chart/fit.c). */
	int top_scroll, top_lane, top_depth;
};

void viewport_init(struct viewport *v, int64_t t_min, int64_t t_max);

/* Show [t0, t1), as near as the limits allow. */
void viewport_set(struct viewport *v, int64_t t0, int64_t t1);

/* Zoom: the new length of the window is num/den of the old one; `at` stays in its column. */
void viewport_zoom(struct viewport *v, int64_t at, int num, int den);

/* Move by ns; the length stays. */
void viewport_pan(struct viewport *v, int64_t ns);

/* Bring [t0, t1) into view by the smallest pan, never by a zoom. If the stretch is longer than the
 * window and neither its end nor its middle is in view, its start is brought into view. */
void viewport_reveal(struct viewport *v, int64_t t0, int64_t t1);

/* The end of the window for what has no length: the last instant of the time line is in the window
 * that ends with it. The instants of a window are [t0, viewport_end()). */
static inline int64_t viewport_end(const struct viewport *v)
{
	return v->t1 + (v->t1 == v->t_max);
}

/* Start of column `col` of `cols` in ns; exact for col 0 and cols. */
int64_t viewport_time(const struct viewport *v, int col, int cols);

/* The column of time t, clamped to [0, cols). */
int viewport_col(const struct viewport *v, int64_t t, int cols);

#endif
