/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a lane does in a stretch of time, as a bar of stacked parts: one for each owner of code, or
 * for each colour that code has in the chart, where colours stand for something else. */
#ifndef FLAMETTY_LAYOUT_ACTIVITY_H
#define FLAMETTY_LAYOUT_ACTIVITY_H

#include "draw/chart.h"

#define ACTIVITY_MAX 255

/* The parts, from the bottom of a bar to its top. Garbage collection is at the bottom, so that its
 * heights can be compared along the whole row. */
enum activity_part {
	ACTIVITY_GC,
	ACTIVITY_OWN,
	/* By other colours: each hue, each heat from the highest to the lowest, or each change from
	   much more to much less. */
	ACTIVITY_HUE_LAST = ACTIVITY_OWN + ROLE_HUES - 1,
	ACTIVITY_DEPENDENCY,
	ACTIVITY_SCRIPTING, /* from here on: slices of browsers, by what they do */
	ACTIVITY_RENDERING,
	ACTIVITY_PAINTING,
	ACTIVITY_LOADING,
	ACTIVITY_TASK,
	ACTIVITY_NATIVE,
	ACTIVITY_NODE, /* runtimes, and (program) */
	ACTIVITY_PARTS
};

/* Shares of the stretch, in ACTIVITY_MAX-ths. The parts add up to `busy`; the rest is idle or was
 * not sampled. `busy` is above 0 if there is any activity. */
struct activity {
	uint8_t busy;
	uint8_t part[ACTIVITY_PARTS];
	uint8_t color; /* activity_color() */
};

/* What the parts of the bars of a chart are by: enum chart_color, or, where two sides are compared,
 * ACTIVITY_CHANGE. */
#define ACTIVITY_CHANGE CHART_COLOR_COUNT
unsigned activity_color(const struct chart *chart);

/* The share that busy_ns has of ns > 0, in ACTIVITY_MAX-ths: above 0 if there is any, at most
 * ACTIVITY_MAX. */
uint8_t activity_share(int64_t busy_ns, int64_t ns);

/* Measure [t0, t1), t1 > t0, of a lane of the chart, which is not joined to another one, together
 * with those that are joined to it. Costs by the number of functions in the stretch, and of the
 * overlaps there, not by that of samples. */
void activity_measure(struct activity *out, const struct chart *chart, int lane, int64_t t0,
		      int64_t t1);

/* The time in [t0, t1) in which a lane is not idle. The first one of lanes that are joined has the
 * time of all of them, each moment once, the others none. */
int64_t activity_busy_ns(const struct profile *profile, const struct lane *lane, int64_t t0,
			 int64_t t1);

/* What rounding to one colour a cell has withheld from each part so far, along a row. Zeroed at the
 * start of each row of bars. */
struct activity_carry {
	int eighths[ACTIVITY_PARTS];
};

/* Draw a bar at row, col, `rows` cells high, upwards from its last row. A cell has two parts at
 * most, and one where the page is above it; `carry` sees to it that along a row each part has its
 * share of the area, to a cell. is_ascii: characters of increasing weight. flags: of the cells. */
void activity_draw(struct grid *g, int row, int col, int rows, const struct activity *a,
		   struct activity_carry *carry, bool is_ascii, unsigned flags);

#endif
