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

static unsigned zoom(struct app *app, int count, int num, int den)
{
	int64_t at = select_anchor(app);
	struct viewport before;

	app->s.is_moving = true;
	do {
		before = app->s.view;
		viewport_zoom(&app->s.view, at, num, den);
	} while (--count > 0 && (before.t0 != app->s.view.t0 || before.t1 != app->s.view.t1));
	return APP_REDRAW;
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
	const struct viewport *v = &app->s.view;
	int64_t step = (v->t1 - v->t0) / part, all = v->t_max - v->t_min;

	app->s.is_moving = true;
	if (step < 1)
		step = 1;
	viewport_pan(&app->s.view, sign * (step > all / count ? all : step * count));
	return APP_REDRAW;
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

unsigned camera_keys_whole(struct app *app, int count)
{
	(void)count;
	viewport_set(&app->s.view, app->s.view.t_min, app->s.view.t_max);
	return APP_REDRAW;
}

unsigned camera_keys_time_start(struct app *app, int count)
{
	(void)count;
	viewport_pan(&app->s.view, app->s.view.t_min - app->s.view.t0);
	select_inside(app);
	return APP_REDRAW;
}

unsigned camera_keys_time_end(struct app *app, int count)
{
	(void)count;
	viewport_pan(&app->s.view, app->s.view.t_max - app->s.view.t1);
	select_inside(app);
	return APP_REDRAW;
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

static unsigned scroll(struct app *app, int count, int part, int sign)
{
	struct screen_layout layout;
	int page;

	state_layout(app, &layout);
	page = layout.lanes.rows / part;
	app->s.view.scroll += sign * count * (page > 0 ? page : 1);
	state_clamp_scroll(app);
	return APP_REDRAW;
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
	app->s.view.scroll += count;
	state_clamp_scroll(app);
	return APP_REDRAW;
}

unsigned camera_keys_scroll_up(struct app *app, int count)
{
	app->s.view.scroll -= count;
	state_clamp_scroll(app);
	return APP_REDRAW;
}

unsigned camera_keys_top(struct app *app, int count)
{
	(void)count;
	app->s.view.scroll = 0;
	return APP_REDRAW;
}

unsigned camera_keys_bottom(struct app *app, int count)
{
	(void)count;
	app->s.view.scroll = chart_height(&app->s.chart);
	state_clamp_scroll(app);
	return APP_REDRAW;
}
