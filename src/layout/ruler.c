/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Time marks at multiples of a round step (1, 2 or 5 times a power of ten ns), chosen so
 * that the longest label fits between two of them: a label is shown whole or, at the right
 * edge, not at all. */
#include "config.h"

#include "layout/chart.h"

#include "base/alloc.h"
#include "base/text.h"
#include "base/units.h"

#include <string.h>

/* Steps grow by 2 or 2.5: marks are this far apart, or up to 22 columns. */
#define MARK_COLS_MIN 9

static int label_cells(int64_t t, int64_t step)
{
	char label[UNITS_MAX];

	units_mark(t, step, label);
	return text_cells(label, strlen(label));
}

/* Whether marks `step` apart leave room for the labels of t0 and t1. */
static bool has_room(int64_t step, int64_t t0, int64_t t1, int cols)
{
	int need = label_cells(t1 - step, step), other = label_cells(t0 + step, step);

	if (other > need)
		need = other;
	/* The tick, and a blank behind the label. */
	need += 2;
	return (double)step * cols / (double)(t1 - t0) >= (need > MARK_COLS_MIN ? need : MARK_COLS_MIN);
}

/* The smallest round step with room for its labels; one above the window, if there is none. */
static int64_t step_for(int64_t t0, int64_t t1, int cols)
{
	static const int factor[] = { 1, 2, 5 };

	for (int64_t unit = 1; ; unit *= 10)
		for (size_t i = 0; i < ARRAY_LEN(factor); i++)
			if (unit * factor[i] > t1 - t0 || has_room(unit * factor[i], t0, t1, cols))
				return unit * factor[i];
}

void chart_draw_ruler(struct grid *g, struct rect r, const struct chart *chart)
{
	const struct viewport *v = chart->view;
	int64_t origin = chart->is_absolute ? chart->profile->origin_ns : 0;
	int64_t t0 = v->t0 + origin, t1 = v->t1 + origin, step, t;

	if (r.rows <= 0 || r.cols <= 0)
		return;
	grid_fill(g, r.row, r.col, r.cols, ROLE_PLAIN);
	step = step_for(t0, t1, r.cols);
	/* The first multiple at t0 or after, t0 < 0 too. */
	t = t0 / step * step;
	if (t < t0)
		t += step;
	for (; t < t1; t += step) {
		int col = viewport_col(v, t - origin, r.cols), room = r.cols - col - 1;
		char label[UNITS_MAX];

		units_mark(t, step, label);
		grid_puts(g, r.row, r.col + col, 1, chart->is_ascii ? "|" : "\342\224\202", ROLE_RULER);
		if (text_cells(label, strlen(label)) <= room)
			grid_puts(g, r.row, r.col + col + 1, room, label, ROLE_RULER);
	}
}
