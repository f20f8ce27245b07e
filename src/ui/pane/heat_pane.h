/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The heat map (draw/heat_map.h) of the lane with the cursor and the whole time line. It opens with
 * the whole screen. Its cursor is a cell; Enter shows that time in the chart, and a range that is
 * selected is that of the panes. */
#ifndef FLAMETTY_UI_PANE_HEAT_PANE_H
#define FLAMETTY_UI_PANE_HEAT_PANE_H

#include "draw/heat_map.h"

struct app;
struct rect;

struct heat_pane {
	struct heat_map map;
	struct heat_grid grid; /* that the last picture, or a command since, is about */
	int64_t t;             /* a time in the cell with the cursor, */
	bool is_last;          /* which is the last one, and follows the time of a process */
	int64_t period_ns;     /* of a column; 0: so that all of the time line is shown */
	bool has_anchor;       /* a range is being selected, */
	int64_t anchor;        /* from the cell with this time on */
	bool has_seen;         /* the selection of the chart, which began at this time: */
	int64_t seen;
	bool is_away; /* the chart shows the window that the pane went to: */
	int64_t away_t0, away_t1;
	struct buf words; /* about the cell, or the range */
};

/* Open the pane, or come back to it. */
void heat_pane_open(struct app *app);

/* Before a picture: have the cells of a pane of this area, and the range that is selected end at
 * them. What is about the range is made after this. */
void heat_pane_follow(struct app *app, const struct rect *area);

/* Whether Esc comes back. */
bool heat_pane_is_away(const struct app *app);

#endif
