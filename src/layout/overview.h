/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The overview: how busy each column of the whole time line is, with the window marked on
 * it. What it shows depends on the lanes and the width only, so it is computed once for
 * both, and drawn by overview_draw() from then on. */
#ifndef FLAMETTY_LAYOUT_OVERVIEW_H
#define FLAMETTY_LAYOUT_OVERVIEW_H

#include "analysis/search.h"
#include "layout/chart.h"

/* Where there are lanes of samples, only they count; otherwise those of slices.
 * Column c stands for column c of `cols` of the whole time line. Its height is the busy
 * share of the busiest lane: the part of the column in which that lane ran something, all
 * but idle and unsampled time. The sum over lanes would hide one blocked thread among ten
 * idle ones. */
struct overview {
	int cols;
	uint8_t *busy;       /* 0 to 255; not 0 where there is anything */
	uint8_t *is_gc;      /* 1: more than half of that is garbage collection */
	uint8_t *is_match;   /* 1: a lane has time there that the search matches */
	bool has_matches;    /* they are to be shown */
	int n_made;          /* columns that are known; the others are drawn as unfinished */
	int n_marked;        /* columns of which is_match is known */
	enum lane_kind kind; /* of the lanes that count */
};

/* Make `o` (zeroed before its first use) one of `cols` columns, none of which is known, for [t_min,
 * t_max) of the view of `chart`; then compute columns within the budget: true when all are
 * known. To be begun again when the lanes or the width change. */
void overview_begin(struct overview *o, const struct chart *chart, int cols);
bool overview_make(struct overview *o, const struct chart *chart, struct budget *budget);

/* The same for the columns in which a complete search matches anything. */
void overview_begin_marks(struct overview *o);
bool overview_mark(struct overview *o, const struct chart *chart, struct search *search,
		   struct budget *budget);
void overview_done(struct overview *o);

/* How busy the whole time line is, in one row of `r`, or two: twice the heights. The part
 * on the screen stands on ROLE_WINDOW between brackets; nothing is marked when that part
 * is all. Nothing is drawn where chart->overview is missing or of another width. */
void overview_draw(struct grid *g, struct rect r, const struct chart *chart);

#endif
