/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The overview: what the lane with the cursor does over the whole time line, as stacked parts
 * (activity.h), and how busy all lanes are. Columns outside the window are dim. It depends on the
 * lanes and the width, not on the window, so panning and zooming compute nothing. */
#ifndef FLAMETTY_LAYOUT_OVERVIEW_H
#define FLAMETTY_LAYOUT_OVERVIEW_H

#include "analyse/search.h"
#include "draw/activity.h"
#include "draw/chart.h"

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
