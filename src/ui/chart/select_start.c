/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The first selection is the longest call at the beginning of the busiest lane, unless a window was
 * asked for: then it is a call in the window. */
#include "config.h"

#include "ui/chart/select_start.h"

#include "model/span_find.h"
#include "ui/chart/fit.h"
#include "ui/chart/lanes.h"
#include "ui/chart/select.h"
#include "ui/state.h"

/* Open the lanes that are open at first, and scroll to the thread with the cursor. Slices that the
 * thread itself recorded belong to the first screen, from the thread's title on. */
void select_start_show(struct app *app)
{
	int lane = app->s.chart.lane, first;

	if (lane < 0)
		return;
	lanes_open_first(app);
	fit_lanes(app);
	first = lanes_thread(app, lane);
	while (first > 0 && lanes_is_about(app, first - 1, lane))
		first--;
	app->s.view.top_scroll = -1;
	app->s.view.scroll = chart_lane_top(&app->s.chart, first);
	if (app->s.lanes[first].has_group && first > 0)
		app->s.view.scroll += chart_title_rows(&app->s.lanes[first]) - 1;
	state_clamp_scroll(app);
	select_reveal_row(app);
}

void select_start(struct app *app)
{
	int best = lanes_best(app);
	struct viewport view = app->s.view;
	struct span span;

	app->s.chart.lane = best;
	if (best < 0)
		return;
	lanes_open(app, best, true);
	if (app->s.lanes[best].lane->has_timeline &&
	    span_find_start(app->s.profile, app->s.lanes[best].lane, &span))
		select_span(app, best, &span);
	else
		select_reveal_row(app);
	view.scroll = app->s.view.scroll;
	app->s.view = view;
	select_inside(app);
	select_start_show(app);
}

void select_start_resized(struct app *app)
{
	if (!app->is_touched) {
		culprit_again(app);
		select_start_show(app);
	} else if (app->s.chart.has_selection)
		select_reveal_row(app);
}
