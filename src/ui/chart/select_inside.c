/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Selecting brings a span into view. Here the window is what the user asked for, so it is put back.
 * A span that sticks out of the window would lead out of it again: its callee in the middle is
 * taken instead, as long as there is one. */
#include "config.h"

#include "ui/chart/select_inside.h"

#include "model/seek.h"
#include "ui/chart/select.h"
#include "ui/state.h"

/* Find the span of a lane at time t and at `depth`, or at the largest depth below it that has one.
 */
static bool find_at(const struct lane *lane, int depth, int64_t t, struct span *out)
{
	while (depth >= 0 && !span_at(&lane->samples, &lane->tree, depth, t, out))
		depth--;
	return depth >= 0;
}

#define STEPS_MOST 100 /* down a stack: each takes time for the samples of its span */

void select_inside_at(struct app *app, int64_t t)
{
	const struct lane *lane = state_drawn(app);
	int depth = app->s.chart.has_selection ? app->s.chart.selected.depth : 0;
	struct span span;

	if (lane && lane->samples.n > 0 && find_at(lane, depth, t, &span))
		select_span(app, app->s.chart.lane, &span);
}

/* Spans of no length belong to the window that they begin in. */
static bool is_inside(const struct viewport *view, const struct span *span)
{
	return span->t0 < viewport_end(view) && (span->t1 > view->t0 || span->t0 >= view->t0);
}

/* Go on to the first callee at time t that does not stick out of the window; if all do, stay. */
static void go_in(const struct lane *lane, const struct viewport *view, int64_t t,
		  struct span *span)
{
	struct span in = *span;

	for (int steps = 0; in.t0 < view->t0 || in.t1 > view->t1; steps++)
		if (steps == STEPS_MOST ||
		    !span_at(&lane->samples, &lane->tree, in.depth + 1, t, &in))
			return;
	*span = in;
}

void select_inside(struct app *app)
{
	const struct lane *lane = state_drawn(app);
	struct viewport view = app->s.view;
	int64_t middle = view.t0 + (view.t1 - view.t0) / 2;
	struct span span;

	if (!lane || !app->s.chart.has_selection || is_inside(&view, &app->s.chart.selected))
		return;
	app->s.has_goal = false;
	if (app->s.lanes[app->s.chart.lane].is_open &&
	    (find_at(lane, app->s.chart.selected.depth, middle, &span) ||
	     seek_callee(lane, NULL, view.t0, viewport_end(&view), &span))) {
		go_in(lane, &view, middle, &span);
		select_span(app, app->s.chart.lane, &span);
		view.scroll = app->s.view.scroll;
		app->s.view = view;
	} else {
		app->s.chart.has_selection = false;
	}
}
