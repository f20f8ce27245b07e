/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Commands that change the window: zoom, pan, scroll, and the way back. */
#include "config.h"

#include "ui/actions.h"

#include "ui/chart/select.h"
#include "ui/chart/select_inside.h"
#include "ui/state.h"

unsigned camera_keys_zoom_span(struct app *app, int count)
{
	(void)count;
	if (app->s.chart.has_selection)
		viewport_set(&app->s.view, app->s.chart.selected.t0, app->s.chart.selected.t1);
	else
		state_say(app, false, "nothing is selected");
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

static bool is_whole(const struct viewport *v)
{
	return v->t0 <= v->t_min && v->t1 >= v->t_max;
}

static unsigned zoom(struct app *app, int count, int num, int den)
{
	const struct viewport start = app->s.view;
	int64_t at = select_anchor(app);
	struct viewport before;

	app->s.is_moving = true;
	do {
		before = app->s.view;
		viewport_zoom(&app->s.view, at, num, den);
	} while (--count > 0 && (before.t0 != app->s.view.t0 || before.t1 != app->s.view.t1));
	return say_unless_moved(app, &start,
				num > den ? "this is the whole profile"
					  : "the window is as short as it can be");
}

unsigned camera_keys_zoom_in(struct app *app, int count)
{
	return zoom(app, count, 1, 2);
}

unsigned camera_keys_zoom_out(struct app *app, int count)
{
	return zoom(app, count, 2, 1);
}

/* Pan by `count` times 1/part of the window. */
static unsigned pan(struct app *app, int count, int part, int sign)
{
	const struct viewport before = app->s.view, *v = &app->s.view;
	int64_t step = (v->t1 - v->t0) / part, all = v->t_max - v->t_min;

	app->s.is_moving = true;
	if (step < 1)
		step = 1;
	viewport_pan(&app->s.view, sign * (step > all / count ? all : step * count));
	return say_unless_moved(app, &before,
				is_whole(v)        ? "this is the whole profile"
					: sign < 0 ? "the time line begins here"
						   : "the time line ends here");
}

unsigned camera_keys_pan_left(struct app *app, int count)
{
	return pan(app, count, 10, -1);
}

unsigned camera_keys_pan_right(struct app *app, int count)
{
	return pan(app, count, 10, 1);
}

unsigned camera_keys_pan_half_left(struct app *app, int count)
{
	return pan(app, count, 2, -1);
}

unsigned camera_keys_pan_half_right(struct app *app, int count)
{
	return pan(app, count, 2, 1);
}

/* Scroll up to the title of the lane with the cursor, if there is one, also if the selection is in
 * a row far below. */
static void show_lane_top(struct app *app)
{
	int lane = app->s.chart.lane, top = lane < 0 ? 0 : chart_lane_top(&app->s.chart, lane);

	if (app->s.view.scroll > top)
		app->s.view.scroll = top;
	app->s.is_following = false;
}

unsigned camera_keys_whole(struct app *app, int count)
{
	const struct viewport before = app->s.view;

	(void)count;
	viewport_set(&app->s.view, app->s.view.t_min, app->s.view.t_max);
	show_lane_top(app);
	return say_unless_moved(app, &before, "this is the whole profile");
}

unsigned camera_keys_time_start(struct app *app, int count)
{
	const struct viewport before = app->s.view;

	(void)count;
	viewport_pan(&app->s.view, app->s.view.t_min - app->s.view.t0);
	select_inside(app);
	return say_unless_moved(app, &before, "the time line begins here");
}

unsigned camera_keys_time_end(struct app *app, int count)
{
	const struct viewport before = app->s.view;

	(void)count;
	viewport_pan(&app->s.view, app->s.view.t_max - app->s.view.t1);
	select_inside(app);
	return say_unless_moved(app, &before, "the time line ends here");
}

unsigned camera_keys_back(struct app *app, int count)
{
	if (finder_clear(app)) {
		state_say(app, false, "search cleared");
		return APP_REDRAW;
	}
	return camera_keys_older(app, count);
}

/* Go through the history of windows. */
static unsigned walk(struct app *app, int count, bool is_forward)
{
	struct history *history = &app->s.history;
	bool has_gone = false;

	while (count-- > 0 && (is_forward ? history_forward : history_back)(history, &app->s.view))
		has_gone = true;
	if (!has_gone)
		state_say(app, false, "this is the %s window", is_forward ? "last" : "first");
	else
		select_inside(app);
	state_clamp_scroll(app);
	return APP_REDRAW;
}

unsigned camera_keys_older(struct app *app, int count)
{
	return walk(app, count, false);
}

unsigned camera_keys_newer(struct app *app, int count)
{
	return walk(app, count, true);
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

static unsigned scroll(struct app *app, int count, int part, int sign)
{
	struct screen_layout layout;
	int page;

	state_layout(app, &layout);
	page = layout.lanes.rows / part;
	return scroll_to(app, app->s.view.scroll + sign * count * (page > 0 ? page : 1));
}

unsigned camera_keys_half_page_down(struct app *app, int count)
{
	return scroll(app, count, 2, 1);
}

unsigned camera_keys_half_page_up(struct app *app, int count)
{
	return scroll(app, count, 2, -1);
}

unsigned camera_keys_page_down(struct app *app, int count)
{
	return scroll(app, count, 1, 1);
}

unsigned camera_keys_page_up(struct app *app, int count)
{
	return scroll(app, count, 1, -1);
}

unsigned camera_keys_scroll_down(struct app *app, int count)
{
	return scroll_to(app, app->s.view.scroll + count);
}

unsigned camera_keys_scroll_up(struct app *app, int count)
{
	return scroll_to(app, app->s.view.scroll - count);
}

unsigned camera_keys_top(struct app *app, int count)
{
	(void)count;
	return scroll_to(app, 0);
}

unsigned camera_keys_bottom(struct app *app, int count)
{
	(void)count;
	return scroll_to(app, app->s.view.scroll + chart_height(&app->s.chart));
}
