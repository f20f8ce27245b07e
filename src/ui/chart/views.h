/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The views of the chart: time order, left heavy, and callers and callees of one function. */
#ifndef FLAMETTY_UI_CHART_VIEWS_H
#define FLAMETTY_UI_CHART_VIEWS_H

#include "ui/app.h"
#include "ui/chart/scene.h"

struct app;

/* The merged view that is shown, or is being made. */
struct merged_view {
	struct profile *merged;    /* its profile; NULL: the time line is shown */
	frame_id frame;            /* of VIEW_SANDWICH: the function, in the profile of app->time */
	struct buf text;           /* describes it, for the header */
	struct buf title;          /* of the lane of a left heavy view */
	const char *titles[1];     /* the same as the chart wants it */
	struct views_change *next; /* a view that is being made; NULL: none */
};

/* Show a view. The merged ones are about the range of the panes and the lanes in scope; frame: the
 * function whose callers and callees VIEW_SANDWICH shows. What takes longer than app->key_ns is
 * left to views_work(); until then the view before is shown. */
void views_show(struct app *app, enum app_view view, frame_id frame);

/* Show the view of the start: the comparison of the options; left heavy if there is no time order;
 * else what is shown already. */
void views_start(struct app *app, const struct app_options *options);

/* Whether work is left; do some of it within the budget. Returns whether the picture changed. */
bool views_is_busy(const struct app *app);
bool views_work(struct app *app, struct budget *budget);

/* Drop a view that is not complete. False: there is none. */
bool views_stop(struct app *app);

/* The view that is shown when all work is complete. */
enum app_view views_wanted(const struct app *app);

/* Go back to the time line from a merged view and free the merged profile. A view that is not
 * complete is dropped. */
void views_leave(struct app *app);

#endif
