/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Marks: places of the time line, named by a letter, that a key goes back to; and the place where
 * the last jump began. A place is a window, a lane, and a span of it.
 *
 * A place refers to no calls: its span is found again by depth and time, because transforms change
 * the calls. Lanes stay what they are for the life of an app; app_state.h takes marks to the next
 * app. */
#ifndef FLAMETTY_UI_CHART_MARKS_H
#define FLAMETTY_UI_CHART_MARKS_H

#include "draw/ruler.h"

#define MARKS_MAX 52 /* a to z, A to Z */

struct app;
struct scene;

struct mark {
	bool is_set;
	int64_t t0, t1; /* the window */
	int scroll;     /* rows from the title of the lane to the first row on the screen */
	int lane;       /* with the cursor; -1: none */
	bool has_selection;
	int depth; /* of the selected span */
	int64_t span_t0;
};

struct marks {
	struct mark list[MARKS_MAX];
	struct mark last; /* where the last jump began */
};

/* The place that a scene of the time line shows. */
void marks_take(const struct scene *scene, struct mark *mark);

/* Note that a jump began at `before`, unless nothing has changed since. */
void marks_jumped(struct app *app, const struct mark *before);

/* The marks for the ruler, in their order. Returns their number. */
int marks_list(const struct app *app, struct ruler_mark list[MARKS_MAX]);

#endif
