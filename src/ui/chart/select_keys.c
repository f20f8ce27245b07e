/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Commands that move the selection: to another span, another lane, along a flow; and those that
 * fold and hide lanes. */
#include "config.h"

#include "ui/actions.h"

#include "ui/chart/fit.h"
#include "ui/chart/folds.h"
#include "ui/chart/lanes.h"
#include "ui/chart/select.h"

#include <stdlib.h>

/* Take `n` steps, backwards if it is negative, until one is not possible. */
static unsigned go(struct app *app, int n, bool (*step)(struct app *app, bool is_next))
{
	for (int left = abs(n); left > 0 && step(app, n > 0); left--)
		;
	return APP_REDRAW;
}

unsigned select_keys_sideways(struct app *app, int n)
{
	return go(app, n, select_sideways);
}

static bool step_depth(struct app *app, bool is_deeper)
{
	return is_deeper ? select_callee(app) : select_caller(app);
}

unsigned select_keys_depth(struct app *app, int n)
{
	return go(app, n, step_depth);
}

unsigned select_keys_same(struct app *app, int n)
{
	return go(app, n, select_same);
}

unsigned select_keys_flow(struct app *app, int n)
{
	return go(app, n, select_flow);
}

static bool step_lane(struct app *app, bool is_next)
{
	return select_lane(app, lanes_next(app, app->s.chart.lane, is_next ? 1 : -1));
}

unsigned select_keys_lane(struct app *app, int n)
{
	return go(app, n, step_lane);
}

/* Whether the selected call is one that the chart folds into the row of the trunk, or would. */
static bool is_on_trunk(const struct app *app)
{
	const struct chart_lane *cl = &app->s.lanes[app->s.chart.lane];

	return cl->is_open && !cl->is_flipped && app->s.chart.has_selection &&
		app->s.chart.selected.depth < cl->trunk;
}

/* Whether Space shows more or fewer calls: in all rows of a lane in which something folds, except
 * those that stand for others of their own. */
static bool turns_folds(const struct app *app)
{
	int lane = app->s.chart.lane;

	if (!app->s.chart.has_selection || !fold_has(app->s.fold, lane) ||
	    !app->s.lanes[lane].is_open)
		return false;
	return app->s.lanes[lane].is_unfolded ||
		(chart_is_folded(&app->s.chart, lane) &&
		 fold_is_run(app->s.fold, lane, app->s.chart.selected.node)) ||
		!(is_on_trunk(app) || fit_is_at_rest(app));
}

/* Fold the lane to its title, or open it. */
static void turn_lane(struct app *app)
{
	lanes_open(app, app->s.chart.lane, !app->s.lanes[app->s.chart.lane].is_open);
}

unsigned select_keys_fold_lane(struct app *app, int count)
{
	(void)count;
	if (app->s.chart.lane < 0)
		return APP_REDRAW;
	if (turns_folds(app)) {
		struct chart_lane *cl = &app->s.lanes[app->s.chart.lane];

		folds_turn(app, app->s.chart.lane);
		cl->is_trunk_open = cl->is_unfolded;
		select_reveal_row(app);
		state_say(app, false, "%s",
			  !chart_is_folded(&app->s.chart, app->s.chart.lane)
				  ? "all calls of packages and Node.js; Space folds them"
				  : "packages and Node.js are folded; Space shows their calls");
		return APP_REDRAW;
	}
	if (is_on_trunk(app)) {
		struct chart_lane *cl = &app->s.lanes[app->s.chart.lane];

		cl->is_trunk_open = !cl->is_trunk_open;
		select_reveal_row(app);
		return APP_REDRAW;
	}
	if (fit_is_at_rest(app)) {
		int lane = chart_head(&app->s.chart, app->s.chart.lane);
		bool *is_whole = &app->s.lanes[lane].is_whole;

		*is_whole = !*is_whole;
		fit_lanes(app);
		select_reveal_row(app);
		return APP_REDRAW;
	}
	if (app->s.lanes[app->s.chart.lane].is_away)
		groups_open_others(app);
	else if (app->s.lanes[app->s.chart.lane].is_shut)
		lanes_shut(app, app->s.chart.lane, false);
	else if (app->s.lanes[app->s.chart.lane].is_pooled)
		groups_fold_pool(app, app->s.chart.lane, false);
	else
		turn_lane(app);
	state_clamp_scroll(app);
	return APP_REDRAW;
}

/* Open the row of other processes, or fold or open the thread pool, if the cursor is there. */
static bool fold_other_group(struct app *app)
{
	int lane = app->s.chart.lane;
	struct chart_lane *cl = lane < 0 ? NULL : &app->s.lanes[lane];

	if (!cl || !(cl->is_away || (cl->in_pool && !cl->is_shut)))
		return false;
	if (cl->is_away) {
		groups_open_others(app);
	} else {
		groups_fold_pool(app, lane, !cl->is_pooled);
		while (cl->is_pooled && !app->s.lanes[lane].has_pool)
			lane--;
		app->s.chart.has_selection &= !cl->is_pooled;
		app->s.chart.lane = lane;
	}
	select_reveal_row(app);
	return true;
}

unsigned select_keys_fold_process(struct app *app, int count)
{
	int first = app->s.chart.lane < 0 ? -1 : lanes_group(app, app->s.chart.lane);

	(void)count;
	if (fold_other_group(app))
		return APP_REDRAW;
	if (first < 0)
		return APP_REDRAW;
	if (!app->s.lanes[first].has_group) {
		turn_lane(app);
		state_clamp_scroll(app);
		return APP_REDRAW;
	}
	lanes_shut(app, first, !app->s.lanes[first].is_shut);
	if (app->s.lanes[first].is_shut) {
		app->s.chart.lane = first;
		app->s.chart.has_selection = false;
	}
	select_reveal_row(app);
	return APP_REDRAW;
}

unsigned select_keys_hide_lane(struct app *app, int count)
{
	bool is_hidden = lanes_hide(app);

	(void)count;
	if (is_hidden)
		select_shown_lane(app);
	state_say(app, false,
		  is_hidden                      ? "lane hidden; oh shows hidden lanes"
			  : app->s.chart.n_lanes ? "this is the only lane"
						 : "there are no lanes");
	return APP_REDRAW;
}

unsigned select_keys_pick_lane(struct app *app, int count)
{
	(void)count;
	lane_picker_open(app);
	return APP_REDRAW;
}

unsigned select_keys_show_lanes(struct app *app, int count)
{
	int n = lanes_unhide(app);

	(void)count;
	state_say(app, false, n ? "%d hidden lane%s shown" : "no lane is hidden", n,
		  n == 1 ? "" : "s");
	return APP_REDRAW;
}

/* Whether any thread has both slices and samples: else there is nothing to choose between. Lanes of
 * one thread are next to each other. */
static bool has_both_kinds(const struct app *app)
{
	bool has_slices = false, has_samples = false;

	for (int i = 0; i < app->s.chart.n_lanes; i++) {
		const struct lane *lane = app->s.lanes[i].lane;

		if (i > 0 && !lane_is_of_thread(lane, app->s.lanes[i - 1].lane))
			has_slices = has_samples = false;
		has_slices |= lane->kind == LANE_SLICES;
		has_samples |= lane->kind == LANE_SAMPLES;
		if (has_slices && has_samples)
			return true;
	}
	return false;
}

/* If the lane with the cursor is hidden, stay on its thread if another lane of that is shown. */
static void select_of_thread(struct app *app)
{
	int lane = app->s.chart.lane;

	for (int i = 0; lane >= 0 && app->s.lanes[lane].is_hidden && i < app->s.chart.n_lanes; i++)
		if (!app->s.lanes[i].is_hidden && !app->s.lanes[i].lane->is_joined &&
		    lane_is_of_thread(app->s.lanes[i].lane, app->s.lanes[lane].lane)) {
			select_lane(app, i);
			return;
		}
	select_shown_lane(app);
}

unsigned select_keys_kinds(struct app *app, int count)
{
	static const char *const names[LANES_KINDS] = { "slices and CPU samples", "slices only",
							"CPU samples only" };

	(void)count;
	if (!has_both_kinds(app)) {
		state_say(app, false, "no thread has both slices and CPU samples: nothing to hide");
		return APP_REDRAW;
	}
	app->s.kinds = (app->s.kinds + 1) % LANES_KINDS;
	lanes_show_kinds(app, (enum lanes_kinds)app->s.kinds);
	select_of_thread(app);
	state_say(app, false, "threads with slices and samples show %s", names[app->s.kinds]);
	return APP_REDRAW;
}
