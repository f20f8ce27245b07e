/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Selecting a range of time. It covers everything from the span with which the selection began to
 * the selected span, both clipped to the window, so all keys that move the selection extend it.
 * Meanwhile it is the range of panes, findings and copies, like a range that is kept. */
#ifndef FLAMETTY_UI_CHART_RANGE_H
#define FLAMETTY_UI_CHART_RANGE_H

#include "draw/ruler.h"
#include "model/profile.h"
#include "model/span.h"

#include <stdbool.h>

struct app;

/* One end: a span, clipped to the window; or the window, where nothing was selected. */
struct range_end {
	int64_t t0, t1;
	bool has_span;
	int lane;
	struct span span;
};

struct pinned_range {
	bool is_pinned; /* the panes are pinned to this range: */
	int64_t t0, t1;
	bool is_on;                      /* it is being selected: */
	struct range_end anchor, cursor; /* where that began, and the selection */
};

/* Take the range to the span that is selected now. Called after each command. */
void range_follow(struct app *app);

/* Set the range of the panes, in any order of its ends; it is at least 1 ns long. */
void range_set(struct app *app, int64_t t0, int64_t t1);

/* ---- marks ----
 *
 * Marks: places of the time line, named by a letter, that a key goes back to; and the place where
 * the last jump began. A place is a window, a lane, and a span of it.
 *
 * A place refers to no calls: its span is found again by depth and time, because transforms change
 * the calls. Lanes stay what they are for the life of an app; app_state.h takes marks to the next
 * app. */

#define MARKS_MAX 52 /* a to z, A to Z */

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
	struct mark last;  /* where the last jump began */
	int64_t milestone; /* the time of the last one that was gone to */
};

/* The place that a scene of the time line shows. */
void marks_take(const struct scene *scene, struct mark *mark);

/* Note that a jump began at `before`, unless nothing has changed since. */
void marks_jumped(struct app *app, const struct mark *before);

/* Milestones of pages, and the letters that lead there as long as no mark has them. */
#define MARKS_PAGE 6
struct marks_page {
	char letter[2];
	enum milestone_kind kind;
	const char *name;
};
extern const struct marks_page marks_page[MARKS_PAGE];

/* Go to the next milestone of this name, or else the first one, and append what is known of it.
 * False: there are no pages, or it is no such name. */
bool marks_go_to_page(struct app *app, const char *name, struct buf *out);

/* The marks for the ruler, in their order. Returns their number. */
int marks_list(const struct app *app, struct ruler_mark list[MARKS_MAX]);

#endif
