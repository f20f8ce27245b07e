/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The culprit: what the verdict line accuses first. The first complete picture selects its call and
 * shows the window in which that can be read; tables and verdict stay those of the whole until the
 * window changes. Rows that folds free go to the pane meanwhile. */
#ifndef FLAMETTY_UI_CHART_CULPRIT_H
#define FLAMETTY_UI_CHART_CULPRIT_H

#include "analyse/view/view.h"
#include "draw/chart.h"
#include "ui/chart/scene.h"

struct span;
struct app;
struct finding;

#define CULPRIT_PANE_MIN 8 /* rows that are worth opening the pane for, below its rule */

struct culprit {
	bool is_done;      /* it was looked for in the first picture */
	frame_id function; /* in the profile without folds; FRAME_NONE: there is none */
	str_id package;    /* if the verdict accuses a package as a whole; 0: the function */
	bool has_second; /* the next one that the verdict accuses has a call in the first window: */
	int second_lane;
	struct span second;           /* as it is, without folds */
	enum view_group second_group; /* of the profile that it is a call of */
	unsigned second_raw;
	bool has_window; /* the first window is not the whole: */
	bool was_window; /* it was not */
	int64_t t0, t1;
	/* Rows of the pane with its rule, which it has until the window changes; 0: as always. */
	int pane_rows;
	bool is_room_on;          /* the pane has them now */
	bool has_opened;          /* the pane is open only because there was room */
	int64_t room_t0, room_t1; /* the window, the size, and the open lanes that this is for */
	int room_rows, room_cols, room_lanes;
	enum app_view room_view;
};

/* The picture is complete: find the culprit, unless the user has done something. Returns whether
 * something has changed, so that the picture is to be made again. */
bool culprit_start(struct app *app);

/* Let the folds that are made next have rows for it. The findings are complete. */
void culprit_note(struct app *app);

/* The package that a finding is about as a whole; 0: it is about the function. */
str_id culprit_package(const struct app *app, const struct finding *finding);

/* Give a call that folds, or its package, if that is not 0, a row of its own. */
void culprit_set_apart(struct app *app, int lane, const struct span *span, str_id package);

/* The window, a lane or the size of the screen may have changed: the pane has its room only where
 * the first window is. */
void culprit_follow(struct app *app);

/* The rows of the pane with its rule that are wanted; 0: a third of the screen. */
int culprit_pane_rows(const struct app *app);

/* The screen has another size, and the user has done nothing: begin again. */
void culprit_again(struct app *app);

/* Whether the window of the time line, whatever view is on, is the one that the first picture
 * chose. */
bool culprit_has_window(const struct app *app);

/* Let the name of the next accused stand in the chart that is drawn. */
void culprit_name_second(const struct app *app, struct chart *chart);

#endif
