/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The overview: how busy each column of the whole time line is, with the window marked. It depends
 * only on the lanes and the width, so it is computed once for both; overview_draw() draws it from
 * then on. */
#ifndef FLAMETTY_LAYOUT_OVERVIEW_H
#define FLAMETTY_LAYOUT_OVERVIEW_H

#include "analysis/search.h"
#include "layout/chart.h"

/* If there are lanes of samples, only those count; otherwise lanes of slices. Column c is column c
 * of `cols` of the whole time line. Its height is the busy share of the busiest lane: the part of
 * the column in which that lane ran something other than idle time. The sum over lanes would hide
 * one blocked thread among ten idle ones. */
struct overview {
	int cols;
	uint8_t *busy;       /* 0 to 255; above 0 if there is any activity */
	uint8_t *is_gc;      /* by column; 1: more than half of that is garbage collection */
	uint8_t *is_match;   /* by column; 1: a lane has time there that the search matches */
	bool has_matches;    /* matches are shown */
	int n_made;          /* number of known columns; the others are drawn as unfinished */
	int n_marked;        /* number of columns with a valid is_match */
	enum lane_kind kind; /* of the lanes that count */
};

/* Begin an overview of `cols` columns for [t_min, t_max) of the view of `chart`, none of them
 * known. `o` must be zeroed before its first use. overview_make() computes columns within the
 * budget: true when all are known. Begin again when the lanes or the width change. */
void overview_begin(struct overview *o, const struct chart *chart, int cols);
bool overview_make(struct overview *o, const struct chart *chart, struct budget *budget);

/* The same for the columns with matches of a complete search. */
void overview_begin_marks(struct overview *o);
bool overview_mark(struct overview *o, const struct chart *chart, struct search *search,
		   struct budget *budget);
void overview_done(struct overview *o);

/* Draw the overview in one row of `r`, or two for twice the height. The window has fill ROLE_WINDOW
 * between brackets, unless it is the whole. Nothing is drawn if chart->overview is missing or has
 * another width. */
void overview_draw(struct grid *g, struct rect r, const struct chart *chart);

#endif
