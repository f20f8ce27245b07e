/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Terms: a lane needs rows for all depths that occur in the window. It wants only those that have
 * 98 % of its time; one more row stands for the rest.
 *
 * 1. If all that the open lanes need fits on the screen, or only one lane is shown, each lane gets
 *    what it needs. If not, each gets what it wants, but no more than its part of the room beside
 *    the titles; room that is left goes to lanes that need more. Callers and callees of a
 *    function always share the screen.
 * 2. The rows depend on the window, on which lanes are open, on the selection and on the size of
 *    the screen, and on nothing else. While the user zooms and pans, a lane has at least the rows
 *    that it had before, and its trunk is not folded further: nothing jumps.
 * 3. The place at the top of the chart (viewport.top_lane, top_depth) is kept apart from the number
 *    of rows above it. It changes when the user scrolls, and not when rows come and go, except
 *    that the selection stays on the screen and no row below the last lane stays empty. So going
 *    back to a window gives the same screen. */
#include "config.h"

#include "ui/chart/fit.h"

#include "base/alloc.h"
#include "model/request.h"
#include "ui/actions.h"
#include "ui/chart/select.h"
#include "ui/state.h"

#include <limits.h>
#include <stdlib.h>

/* ==== window keys ====
 *
 * Commands that change the window: zoom, pan, scroll, and the way back. */

unsigned window_keys_zoom_span(struct app *app)
{
	const struct chart *chart = &app->s.chart;
	const int64_t t0 = app->s.view.t0, t1 = app->s.view.t1;

	if (!chart->has_selection)
		return state_say(app, false, "nothing is selected");
	viewport_set(&app->s.view, chart->selected.t0, chart->selected.t1);
	if (!select_has_initiator(app) ||
	    !request_of(app->s.profile, state_lane(app), &chart->selected))
		return APP_REDRAW;
	if (app->s.view.t0 == t0 && app->s.view.t1 == t1)
		select_initiator(app);
	else
		state_say(app, false, "Enter again: to what sent the request");
	return APP_REDRAW;
}

/* A key that changes nothing says why. */
static unsigned say_unless_moved(struct app *app, const struct viewport *before, const char *why)
{
	const struct viewport *now = &app->s.view;

	if (before->t0 == now->t0 && before->t1 == now->t1 && before->scroll == now->scroll)
		state_say(app, false, "%s", why);
	return APP_REDRAW;
}

/* Halve the window `n` times; negative: double it. */
unsigned window_keys_zoom(struct app *app, int n)
{
	const struct viewport start = app->s.view;
	int64_t at = select_anchor(app);
	int left = abs(n);
	struct viewport before;

	app->s.is_moving = true;
	do {
		before = app->s.view;
		viewport_zoom(&app->s.view, at, n > 0 ? 1 : 2, n > 0 ? 2 : 1);
	} while (--left > 0 && (before.t0 != app->s.view.t0 || before.t1 != app->s.view.t1));
	return say_unless_moved(app, &start,
				n < 0 ? "this is the whole profile"
				      : "the window is as short as it can be");
}

/* Pan by `n` times 1/part of the window. */
static unsigned pan(struct app *app, int n, int part)
{
	const struct viewport before = app->s.view, *v = &app->s.view;
	int64_t step = (v->t1 - v->t0) / part, all = v->t_max - v->t_min;

	app->s.is_moving = true;
	if (step < 1)
		step = 1;
	if (step > all / abs(n))
		viewport_pan(&app->s.view, n < 0 ? -all : all);
	else
		viewport_pan(&app->s.view, step * n);
	return say_unless_moved(app, &before,
				v->t0 <= v->t_min && v->t1 >= v->t_max ? "this is the whole profile"
					: n < 0                        ? "the time line begins here"
								       : "the time line ends here");
}

unsigned window_keys_pan(struct app *app, int n)
{
	return pan(app, n, 10);
}

unsigned window_keys_pan_half(struct app *app, int n)
{
	return pan(app, n, 2);
}

unsigned window_keys_whole(struct app *app)
{
	const struct viewport before = app->s.view;
	int lane = app->s.chart.lane, top = lane < 0 ? 0 : chart_lane_top(&app->s.chart, lane);

	viewport_set(&app->s.view, before.t_min, before.t_max);
	/* The title of the lane with the cursor is shown, also if the selection is far below. */
	if (app->s.view.scroll > top)
		app->s.view.scroll = top;
	app->s.is_following = false;
	return say_unless_moved(app, &before, "this is the whole profile");
}

/* n: negative: to the start of the time line; else to its end. */
unsigned window_keys_time(struct app *app, int n)
{
	const struct viewport before = app->s.view;

	viewport_pan(&app->s.view, n < 0 ? before.t_min - before.t0 : before.t_max - before.t1);
	select_inside(app);
	return say_unless_moved(app, &before,
				n < 0 ? "the time line begins here" : "the time line ends here");
}

/* Go through the history of windows: `n` steps forward; negative: back. */
unsigned window_keys_walk(struct app *app, int n)
{
	int left = abs(n);

	while (left > 0 && history_go(&app->s.history, n > 0 ? 1 : -1, &app->s.view))
		left--;
	if (left == abs(n))
		state_say(app, false, "this is the %s window", n > 0 ? "last" : "first");
	else
		select_inside(app);
	state_clamp_scroll(app);
	return APP_REDRAW;
}

unsigned window_keys_back(struct app *app, int n)
{
	if (!finder_clear(app)) {
		if (n >= 0 || !app->is_of_list || app->s.history.at > 0)
			return window_keys_walk(app, n);
		app->host->end_comparing(app->host->ctx);
		return APP_REDRAW;
	}
	return state_say(app, false, "search cleared");
}

/* Scroll to a row; rows beyond both ends become the ends. */
static unsigned scroll_to(struct app *app, int to)
{
	const struct viewport before = app->s.view;

	app->s.view.scroll = to;
	state_clamp_scroll(app);
	return say_unless_moved(app, &before,
				to <= before.scroll ? "no lanes above" : "no lanes below");
}

/* Scroll by `n` times 1/part of the page. */
static unsigned scroll(struct app *app, int n, int part)
{
	struct screen_layout layout;
	int page;

	state_layout(app, &layout);
	page = layout.lanes.rows / part;
	return scroll_to(app, app->s.view.scroll + n * (page > 0 ? page : 1));
}

unsigned window_keys_half_page(struct app *app, int n)
{
	return scroll(app, n, 2);
}

unsigned window_keys_page(struct app *app, int n)
{
	return scroll(app, n, 1);
}

unsigned window_keys_scroll(struct app *app, int n)
{
	return scroll_to(app, app->s.view.scroll + n);
}

/* n: negative: to the first row; else to the last. */
unsigned window_keys_end(struct app *app, int n)
{
	return scroll_to(app, n < 0 ? 0 : app->s.view.scroll + chart_height(&app->s.chart));
}

/* ==== fit ==== */

#define WANTED 980       /* permille of a lane's time */
#define MIN_ROWS 5       /* that a lane gets where there is not enough room for all */
#define MIN_SANDWICH 8   /* rows for which callers and callees share the screen */
#define FEW_ROOM 2 / 5   /* of the screen: with less room, titles may leave the screen ... */
#define OPEN_SHARE 2 / 3 /* ... for as much of it */
#define MIN_REST 2       /* depths; one that is left out saves no row */
#define CALLEES_PART 3   /* of the rows */

/* An open lane with rows of calls. */
struct lane_fit {
	struct chart_lane *cl;
	int trunk;
	int hidden;         /* rows that the trunk saves */
	int needed, wanted; /* depths */
	int least;          /* rows that it has at least; blank where there is no depth */
};

struct fit {
	struct lane_fit *lanes;
	int n;
	int n_shown; /* lanes with a title */
	int fixed;   /* rows of titles and counters */
};

static bool has_calls(const struct chart_lane *cl)
{
	return !cl->is_over && cl->lane->has_timeline && cl->lane->kind != LANE_COUNTER &&
		(cl->lane->samples.n > 0 || cl->n_over > 0);
}

static int least(int a, int b)
{
	return a < b ? a : b;
}

static int most(int a, int b)
{
	return a > b ? a : b;
}

/* Find what a lane needs and wants. */
static void measure(const struct app *app, struct chart_lane *cl, struct lane_fit *out)
{
	const struct viewport *view = &app->s.view;
	/* Of two sides, each row tells its change. */
	bool has_trunk = app->folds.mode != FOLD_NONE && app->mode != VIEW_SANDWICH &&
		!app->s.chart.sides && cl->lane->has_timeline;

	if (!cl->depths)
		cl->depths = xcalloc(1, sizeof *cl->depths);
	depths_find(cl->depths, cl->lane, cl->n_over + 1, view->t0, viewport_end(view));
	*out = (struct lane_fit){ .cl = cl, .needed = cl->depths->n };
	out->trunk = has_trunk ? trunk_rows(app->s.chart.profile, cl->lane, view->t0, view->t1) : 0;
	if (app->s.is_moving && cl->is_fitted)
		out->trunk = least(out->trunk, cl->trunk);
	out->hidden = out->trunk > 1 && !cl->is_trunk_open && !cl->is_flipped ? out->trunk - 1 : 0;
	out->wanted = most(depths_with(cl->depths, WANTED), out->trunk + 1);
	if (out->needed - out->wanted < MIN_REST)
		out->wanted = out->needed;
}

/* The rows of a lane of which `depths` depths have rows. */
static int rows_of(const struct lane_fit *fit, int depths)
{
	return depths - fit->hidden + (depths < fit->needed);
}

/* The rows of a lane if it gets `low` of the rows that it wants at most, and `high` of those that
 * it needs. */
static int rows_within(const struct lane_fit *l, int low, int high)
{
	return most(least(rows_of(l, l->wanted), low), least(rows_of(l, l->needed), high));
}

static int rows_of_all(const struct fit *fit, int low, int high)
{
	int rows = 0;

	for (int i = 0; i < fit->n; i++)
		rows += rows_within(&fit->lanes[i], low, high);
	return rows;
}

/* The limits with which all lanes have room: first each gets what it wants, then what it needs.
 * rows: of the screen. */
static void find_limits(const struct fit *fit, int room, int rows, int *low, int *high)
{
	*low = MIN_ROWS;
	*high = 0;
	if (fit->n > room / MIN_ROWS && rows_of_all(fit, *low, *high) + fit->fixed > rows)
		return;
	while (*low < room && rows_of_all(fit, *low + 1, 0) <= room)
		++*low;
	while (*high < room && rows_of_all(fit, *low, *high + 1) <= room)
		++*high;
}

static int selected_depth(const struct app *app, const struct chart_lane *cl)
{
	const struct chart *chart = &app->s.chart;
	int head = chart->has_selection ? chart_head(chart, chart->lane) : -1;

	if (head < 0 || cl != &app->s.lanes[head])
		return -1;
	return chart_first_row(&chart->lanes[chart->lane]) + chart->selected.depth;
}

/* Give a lane rows for `depths` depths. */
static void give(const struct app *app, const struct lane_fit *l, int depths)
{
	struct chart_lane *cl = l->cl;
	int needed = l->needed, selected = selected_depth(app, cl);

	cl->fit_depth = depths;
	if (cl->is_whole)
		depths = needed;
	if (selected < needed)
		depths = most(depths, selected + 1);
	if (app->s.is_moving && cl->is_fitted) {
		needed = most(needed, cl->end_depth + cl->n_rest);
		depths = most(depths, cl->end_depth);
	}
	if (needed - depths < MIN_REST)
		depths = needed;
	cl->trunk = l->trunk;
	cl->is_fitted = true;
	cl->end_depth = most(depths, l->least);
	cl->n_rest = most(needed - depths, 0);
}

/* Give a lane `rows` rows, with that of the rest. */
static void give_rows(const struct app *app, const struct lane_fit *l, int rows)
{
	give(app, l,
	     rows < rows_of(l, l->needed) ? most(rows - 1 + l->hidden, l->trunk + 1) : l->needed);
}

/* Callers above and callees below share the screen, so that the function is in its middle third,
 * and both are in view. Callers that need less have blank rows above them. */
static void share_sandwich(const struct app *app, struct fit *fit, int rows)
{
	struct lane_fit *callers = &fit->lanes[0], *callees = &fit->lanes[1];
	int room = rows - fit->fixed, third = rows / 3, n,
	    high = room - rows_of(callees, callees->needed);

	high = least(most(high, rows / 2), rows * 2 / 3 - 1);
	n = least(most(rows_of(callers, callers->needed), third), high);
	callers->least = third;
	give_rows(app, callers, n);
	give_rows(app, callees, room - n);
}

/* ---- the place at the top ---- */

/* The depth of a row of a lane, from -2 for the row of its process on. */
static int depth_at(const struct chart_lane *cl, int row)
{
	int titles = chart_title_rows(cl);

	return row < titles ? row - titles : chart_depth_of_row(cl, row - titles);
}

static int row_at(const struct chart_lane *cl, int depth)
{
	int titles = chart_title_rows(cl), rows = chart_lane_rows(cl), row;

	if (depth < 0)
		return most(titles + depth, 0);
	row = cl->lane->kind == LANE_COUNTER ? depth : chart_row_of_depth(cl, depth);
	return titles + (rows > 0 ? least(row, rows - 1) : 0);
}

/* The user has scrolled: take the place that is at the top now. */
static void take_top(struct app *app)
{
	struct viewport *view = &app->s.view;
	int top = 0;

	view->top_lane = view->top_depth = 0;
	for (int i = 0; i < app->s.chart.n_lanes; i++) {
		const struct chart_lane *cl = &app->s.lanes[i];
		int height = chart_title_rows(cl) + chart_lane_rows(cl);

		if (view->scroll < top + height) {
			view->top_lane = i;
			view->top_depth = depth_at(cl, view->scroll - top);
			break;
		}
		top += height;
	}
	app->s.is_following = select_is_shown(app);
}

/* Scroll so that the selection is on the screen, and leave a third of the rows to those below it,
 * if there are any: what it calls. */
static void reveal_callees(struct app *app)
{
	const struct chart *chart = &app->s.chart;
	struct screen_layout layout;
	int row, most;

	select_reveal_row(app);
	if (!select_is_shown(app))
		return;
	state_layout(app, &layout);
	most = layout.lanes.rows - layout.lanes.rows / CALLEES_PART - 1;
	row = chart_row_of(chart, chart->lane, chart->selected.depth);
	if (row - app->s.view.scroll <= most)
		return;
	app->s.view.scroll = row - most;
	state_clamp_scroll(app);
}

static void scroll_to_top(struct app *app)
{
	struct viewport *view = &app->s.view;
	int wanted = chart_lane_top(&app->s.chart, view->top_lane) +
		row_at(&app->s.lanes[view->top_lane], view->top_depth);

	view->scroll = wanted;
	state_clamp_scroll(app);
	if (app->s.is_following && !app->s.is_moving && !select_is_shown(app))
		select_reveal_row(app);
	if (app->s.wants_callees)
		reveal_callees(app);
	app->s.wants_callees = false;
	/* What is at the top now stays there, also if more rows come. */
	if (view->scroll != wanted && !app->s.is_moving)
		take_top(app);
	view->top_scroll = view->scroll;
}

/* ---- all lanes ---- */

static void collect(const struct app *app, struct fit *fit)
{
	size_t cap = 0;

	for (int i = 0; i < app->s.chart.n_lanes; i++) {
		struct chart_lane *cl = &app->s.lanes[i];
		int titles = chart_title_rows(cl);

		fit->n_shown += titles > 0;
		fit->fixed += titles;
		if (cl->is_open && !cl->is_hidden && !cl->is_shut && !cl->is_pooled &&
		    has_calls(cl)) {
			fit->lanes = xgrow(fit->lanes, &cap, (size_t)fit->n + 1,
					   sizeof *fit->lanes);
			measure(app, cl, &fit->lanes[fit->n++]);
		} else {
			cl->is_fitted = false;
			cl->trunk = 0;
			fit->fixed += chart_lane_rows(cl);
		}
	}
}

void fit_lanes(struct app *app)
{
	struct screen_layout layout;
	struct fit fit = { 0 };

	state_layout(app, &layout);
	if (layout.lanes.rows == 0 || app->s.chart.n_lanes == 0)
		return;
	if (app->s.view.scroll != app->s.view.top_scroll)
		take_top(app);
	collect(app, &fit);
	if (app->mode == VIEW_SANDWICH && fit.n == 2 && layout.lanes.rows >= MIN_SANDWICH) {
		share_sandwich(app, &fit, layout.lanes.rows);
	} else {
		int low = INT_MAX, high = INT_MAX, room = layout.lanes.rows - fit.fixed;

		if (room < layout.lanes.rows * FEW_ROOM)
			room = layout.lanes.rows * OPEN_SHARE;
		if (fit.n_shown > 1 && rows_of_all(&fit, low, high) + fit.fixed > layout.lanes.rows)
			find_limits(&fit, room, layout.lanes.rows, &low, &high);
		for (int i = 0; i < fit.n; i++)
			give_rows(app, &fit.lanes[i], rows_within(&fit.lanes[i], low, high));
	}
	free(fit.lanes);
	scroll_to_top(app);
}

bool fit_is_at_rest(const struct app *app)
{
	const struct chart *chart = &app->s.chart;
	const struct chart_lane *cl;

	if (chart->lane < 0)
		return false;
	cl = &app->s.lanes[chart_head(chart, chart->lane)];
	return cl->is_fitted && cl->fit_depth < cl->end_depth + cl->n_rest &&
		selected_depth(app, cl) >= cl->fit_depth - 1;
}

int fit_wanted_rows(struct app *app, int lane)
{
	struct chart_lane *cl = &app->s.lanes[lane];
	struct lane_fit fit;

	if (!has_calls(cl))
		return 0;
	folds_lane(app, lane);
	measure(app, cl, &fit);
	return rows_of(&fit, fit.wanted);
}
