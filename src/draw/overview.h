/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The overview: what the lane with the cursor does over the whole time line, as stacked parts
 * ("activity" in overview.c), and how busy all lanes are. Columns outside the window are dim. It
 * depends on the lanes and the width, not on the window, so panning and zooming compute nothing. */
#ifndef FLAMETTY_DRAW_OVERVIEW_H
#define FLAMETTY_DRAW_OVERVIEW_H

#include "analyse/search.h"
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

unsigned activity_color(const struct chart *chart);

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

/* Column c is column c of `cols` of the whole time line.
 *
 * `busy` is about all lanes of samples or, if there are none, all lanes of slices: the part of the
 * column in which the busiest of them ran something other than idle time. The sum over lanes would
 * hide one blocked thread among ten idle ones. */
struct overview {
	int cols;
	uint8_t *busy; /* 0 to ACTIVITY_MAX; above 0 if there is any activity */
	int n_made;    /* number of columns with a known `busy` */
	enum lane_kind kind;
	int n_lanes;             /* lanes that count in `busy`: of a thread, the first one */
	const struct lane *lane; /* the lane with the cursor; NULL: it has no activity */
	struct activity *of_lane;
	int n_of_lane;     /* number of columns with a known `of_lane` */
	unsigned color;    /* what their parts are by: activity_color() */
	uint8_t *is_match; /* by column; 1: a lane has time there that the search matches */
	bool has_matches;  /* matches are shown */
	int n_marked;      /* number of columns with a valid is_match */
};

/* Begin an overview of `cols` columns for [t_min, t_max) of the view of `chart`, none of them
 * known. `o` must be zeroed before its first use. overview_make() computes columns within the
 * budget: true when all are known; it begins the lane again when the cursor is on another one, or
 * colours stand for something else. Begin again when the lanes or the width change. */
void overview_begin(struct overview *o, const struct chart *chart, int cols);
bool overview_make(struct overview *o, const struct chart *chart, struct budget *budget);

/* The same for the columns with matches of a complete search. */
void overview_begin_marks(struct overview *o);
bool overview_mark(struct overview *o, const struct chart *chart, struct search *search,
		   struct budget *budget);
void overview_done(struct overview *o);

/* Draw the overview in one row of `r`, or in two: twice as high, or with all lanes in the second
 * one if there are several. The window has brackets of ROLE_WINDOW, unless it is the whole. Nothing
 * is drawn if chart->overview is missing or has another width. Columns that are not known are drawn
 * as unfinished. */
void overview_draw(struct grid *g, struct rect r, const struct chart *chart);

#endif
