/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Where the mouse is decides what it does: screen areas and rows of lanes are found by the same
 * functions that draw them. */
#include "config.h"

#include "ui/mouse.h"

#include "ui/actions.h"
#include "ui/chart/select.h"
#include "ui/pane/pane_rows.h"
#include "ui/state.h"

static bool is_inside(const struct rect *r, int row, int col)
{
	return row >= r->row && row < r->row + r->rows && col >= r->col && col < r->col + r->cols;
}

static int64_t column_start(const struct viewport *view, const struct rect *r, int col)
{
	return viewport_time(view, col - r->col, r->cols);
}

static unsigned wheel(struct app *app, const struct screen_layout *layout,
		      const struct app_mouse *mouse)
{
	bool is_up = mouse->what == APP_MOUSE_WHEEL_UP;
	const struct rect *r = &layout->lanes;
	struct viewport before = app->s.view;
	int col = mouse->col < r->col + r->cols ? mouse->col : r->col + r->cols - 1;

	if (is_inside(&layout->pane, mouse->row, mouse->col) ||
	    is_inside(&layout->rule, mouse->row, mouse->col)) {
		return actions_run(app, is_up ? CMD_ROW_UP : CMD_ROW_DOWN, 3);
	}
	if (r->rows == 0)
		return 0;
	if (mouse->is_pan)
		return actions_run(app, is_up ? CMD_PAN_LEFT : CMD_PAN_RIGHT, 1);
	viewport_zoom(&app->s.view, column_start(&app->s.view, r, col), is_up ? 2 : 3,
		      is_up ? 3 : 2);
	if (before.t0 != app->s.view.t0 || before.t1 != app->s.view.t1)
		history_add(&app->s.history, &before, HISTORY_PAN);
	return APP_REDRAW;
}

static unsigned click_lanes(struct app *app, const struct rect *r, const struct app_mouse *mouse)
{
	const struct viewport view = app->s.view;
	struct chart_place at;
	int col = mouse->col;
	bool has_hit;

	app->focus = KEYMAP_CHART;
	if (!chart_hit(&app->s.chart, *r, mouse->row, col, &at))
		return APP_REDRAW;
	if (at.depth < 0) {
		select_lane(app, at.lane);
		if (mouse->what == APP_MOUSE_DOUBLE)
			return actions_run(app, at.depth < -1 ? CMD_FOLD_PROCESS : CMD_FOLD_LANE,
					   1);
		return APP_REDRAW;
	}
	/* Keep the window, so that it does not move under the pointer. */
	has_hit = select_drawn(app, at.lane, at.depth, column_start(&view, r, col),
			       column_start(&view, r, col + 1));

	app->s.view = view;
	return has_hit && mouse->what == APP_MOUSE_DOUBLE ? actions_run(app, CMD_ZOOM_SPAN, 1)
							  : APP_REDRAW;
}

/* Centre the window on the clicked time. */
static unsigned click_overview(struct app *app, const struct rect *r, int col)
{
	struct viewport all = app->s.view, before = app->s.view;

	all.t0 = all.t_min;
	all.t1 = all.t_max;
	viewport_pan(&app->s.view,
		     viewport_time(&all, col - r->col, r->cols) - before.t0 -
			     (before.t1 - before.t0) / 2);
	if (before.t0 != app->s.view.t0)
		history_add(&app->s.history, &before, HISTORY_PAN);
	return APP_REDRAW;
}

static unsigned click_pane(struct app *app, const struct rect *r, const struct app_mouse *mouse)
{
	if (app->shown->has_totals ? !pane_rows_update(app) : !app->shown->click)
		return 0;
	app->focus = KEYMAP_PANE;
	if (app->shown->click)
		app->shown->click(app, r, mouse->row);
	return mouse->what == APP_MOUSE_DOUBLE ? actions_run(app, CMD_ROW_SHOW, 1) : APP_REDRAW;
}

unsigned mouse_take(struct app *app, const struct app_mouse *mouse)
{
	struct screen_layout layout;

	state_layout(app, &layout);
	if (layout.is_too_small || app->is_help || app->prompt.kind != PROMPT_NONE)
		return 0;
	app->is_touched = true;
	app->has_legend = false;
	if (mouse->what == APP_MOUSE_WHEEL_UP || mouse->what == APP_MOUSE_WHEEL_DOWN)
		return wheel(app, &layout, mouse);
	if (is_inside(&layout.overview, mouse->row, mouse->col))
		return click_overview(app, &layout.overview, mouse->col);
	if (mouse->what == APP_MOUSE_DRAG)
		return 0;
	buf_clear(&app->message);
	app->prefix = KEYC_NONE;
	if (is_inside(&layout.lanes, mouse->row, mouse->col))
		return click_lanes(app, &layout.lanes, mouse);
	if (is_inside(&layout.pane, mouse->row, mouse->col))
		return click_pane(app, &layout.pane, mouse);
	return 0;
}
