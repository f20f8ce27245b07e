/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Where the mouse is decides what it does: screen areas and rows of lanes are found by the same
 * functions that draw them. */
#include "config.h"

#include "ui/mouse.h"

#include "ui/actions.h"
#include "ui/chart/select.h"
#include "ui/pane/panes.h"
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
	app->s.is_moving = true;
	viewport_zoom(&app->s.view, column_start(&app->s.view, r, col), is_up ? 2 : 3,
		      is_up ? 3 : 2);
	history_add(&app->s.history, &before, &app->s.view, HISTORY_PAN);
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
		/* What is selected in the lane is not meant. */
		if (mouse->what == APP_MOUSE_DOUBLE && at.depth == -1)
			app->s.chart.has_selection = false;
		if (mouse->what == APP_MOUSE_DOUBLE)
			return actions_run(app, at.depth < -1 ? CMD_FOLD_PROCESS : CMD_FOLD_LANE,
					   1);
		return APP_REDRAW;
	}
	if (chart_is_rest(&app->s.lanes[at.lane], at.depth)) {
		app->s.lanes[at.lane].is_whole = true;
		return APP_REDRAW;
	}
	/* Keep the window, so that it does not move under the pointer. */
	has_hit = select_drawn(app, at.lane, at.depth, column_start(&view, r, col),
			       col + 1 < r->col + r->cols ? column_start(&view, r, col + 1)
							  : viewport_end(&view));

	app->s.view = view;
	return has_hit && mouse->what == APP_MOUSE_DOUBLE ? actions_run(app, CMD_ZOOM_SPAN, 1)
							  : APP_REDRAW;
}

/* ---- overview and ruler ---- */

/* The whole time line, as the overview shows it. */
static struct viewport whole_of(const struct app *app)
{
	struct viewport all = app->s.view;

	all.t0 = all.t_min;
	all.t1 = all.t_max;
	return all;
}

static int clamp_col(const struct rect *r, int col)
{
	int last = r->col + r->cols - 1;

	return col < r->col ? r->col : col > last ? last : col;
}

/* The time from the start of one column to the end of another, in any order. */
static void columns_range(const struct viewport *view, const struct rect *r, int a, int b,
			  int64_t *t0, int64_t *t1)
{
	*t0 = column_start(view, r, a < b ? a : b);
	*t1 = column_start(view, r, (a < b ? b : a) + 1);
}

/* After a drag or click in the overview: note the window before it, once, and select a span in the
 * new one. */
static void note_window(struct app *app, const struct viewport *before)
{
	app->s.is_moving = true;
	select_inside(app);
	if (app->drag.is_noted || (before->t0 == app->s.view.t0 && before->t1 == app->s.view.t1))
		return;
	history_add(&app->s.history, before, &app->s.view, HISTORY_JUMP);
	app->drag.is_noted = true;
}

/* Outside of the window, a press centres the window there, and a drag makes a new one. Inside, a
 * drag moves it; its brackets are its edges. */
static unsigned press_overview(struct app *app, const struct rect *r, int col)
{
	struct viewport all = whole_of(app), before = app->s.view;
	int first = viewport_col(&all, before.t0, r->cols) + r->col,
	    last = viewport_col(&all, before.t1 - 1, r->cols) + r->col;
	int64_t t = column_start(&all, r, col);
	bool is_whole = before.t0 == all.t0 && before.t1 == all.t1;

	app->drag.t = t;
	if (!is_whole && (col == first - 1 || (col == first && first == r->col))) {
		app->drag.what = MOUSE_DRAG_EDGE;
		app->drag.t = before.t1;
	} else if (!is_whole &&
		   (col == last + 1 || (col == last && last == r->col + r->cols - 1))) {
		app->drag.what = MOUSE_DRAG_EDGE;
		app->drag.t = before.t0;
	} else if (!is_whole && col >= first && col <= last) {
		app->drag.what = MOUSE_DRAG_INSIDE;
	} else {
		app->drag.what = MOUSE_DRAG_WINDOW;
		viewport_pan(&app->s.view, t - before.t0 - (before.t1 - before.t0) / 2);
		note_window(app, &before);
	}
	return APP_REDRAW;
}

static unsigned drag_window(struct app *app, const struct rect *r, int col)
{
	struct viewport all = whole_of(app), before = app->s.view;
	const struct mouse_drag *drag = &app->drag;
	int from = viewport_col(&all, drag->t, r->cols) + r->col;
	int64_t t0, t1, t = column_start(&all, r, col);

	before.t0 = drag->t0;
	before.t1 = drag->t1;
	if (drag->what == MOUSE_DRAG_INSIDE) {
		app->s.view.t0 = drag->t0;
		app->s.view.t1 = drag->t1;
		viewport_pan(&app->s.view, t - drag->t);
	} else if (drag->what == MOUSE_DRAG_EDGE) {
		t = t >= drag->t ? column_start(&all, r, col + 1) : t;
		viewport_set(&app->s.view, t < drag->t ? t : drag->t, t < drag->t ? drag->t : t);
	} else {
		columns_range(&all, r, from, col, &t0, &t1);
		viewport_set(&app->s.view, t0, t1);
	}
	note_window(app, &before);
	return APP_REDRAW;
}

static unsigned drag_range(struct app *app, const struct rect *r, int col)
{
	const struct viewport *view = &app->s.view;
	int64_t t0, t1;

	columns_range(view, r, viewport_col(view, app->drag.t, r->cols) + r->col, col, &t0, &t1);
	range_set(app, t0, t1);
	return actions_run(app, CMD_RANGE_KEEP, 1);
}

static unsigned drag(struct app *app, const struct screen_layout *layout, int row, int col)
{
	int bottom = layout->pane.row + layout->pane.rows;

	switch (app->drag.what) {
	case MOUSE_DRAG_RANGE:
		return drag_range(app, &layout->ruler, clamp_col(&layout->ruler, col));
	case MOUSE_DRAG_WINDOW:
	case MOUSE_DRAG_INSIDE:
	case MOUSE_DRAG_EDGE:
		return drag_window(app, &layout->overview, clamp_col(&layout->overview, col));
	case MOUSE_DRAG_DIVIDER:
		app->pane_rows = bottom - row > SCREEN_MIN_PART ? bottom - row : SCREEN_MIN_PART;
		app->is_pane_max = false;
		app->is_pane_chosen = true;
		state_clamp_scroll(app);
		return APP_REDRAW;
	case MOUSE_DRAG_NOTHING:
		break;
	}
	return 0;
}

/* ---- the pane ---- */

static unsigned click_pane(struct app *app, const struct rect *r, const struct app_mouse *mouse)
{
	struct viewport before = app->s.view;

	if (app->shown->has_totals ? !pane_rows_update(app) : !app->shown->click)
		return 0;
	app->focus = KEYMAP_PANE;
	if (mouse->row == r->row && app->shown->sort_at) {
		struct screen screen = { .chart = &app->s.chart };
		struct pane_picture picture = { 0 };

		/* The first row of a table has its heads. */
		panes_draw(app, &screen, &picture);
		app->shown->sort_at(app, &screen, r, mouse->col);
		return APP_REDRAW;
	}
	if (app->shown->click)
		app->shown->click(app, r, mouse->row, mouse->col);
	/* A link may lead elsewhere. */
	history_add(&app->s.history, &before, &app->s.view, HISTORY_JUMP);
	return mouse->what == APP_MOUSE_DOUBLE ? actions_run(app, CMD_ROW_SHOW, 1) : APP_REDRAW;
}

static unsigned press(struct app *app, const struct screen_layout *layout,
		      const struct app_mouse *mouse)
{
	int row = mouse->row, col = mouse->col;

	app->drag = (struct mouse_drag){ .t0 = app->s.view.t0, .t1 = app->s.view.t1 };
	buf_clear(&app->message);
	app->prefix = KEYC_NONE;
	app->has_shown = false;
	if (is_inside(&layout->verdict, row, col))
		return actions_run(app, CMD_NEXT_FINDING, 1);
	if (is_inside(&layout->overview, row, col))
		return press_overview(app, &layout->overview, col);
	if (is_inside(&layout->ruler, row, col)) {
		if (app->mode != VIEW_TIME)
			return 0;
		app->drag.what = MOUSE_DRAG_RANGE;
		app->drag.t = column_start(&app->s.view, &layout->ruler, col);
		return APP_REDRAW;
	}
	if (is_inside(&layout->lanes, row, col))
		return click_lanes(app, &layout->lanes, mouse);
	if (is_inside(&layout->rule, row, col)) {
		/* A tab shows its pane; the rule is the divider between pane and lanes. */
		app->drag.what = MOUSE_DRAG_DIVIDER;
		panes_show_tab(app, &layout->rule, col);
		return APP_REDRAW;
	}
	if (is_inside(&layout->pane, row, col))
		return click_pane(app, &layout->pane, mouse);
	return 0;
}

unsigned mouse_take(struct app *app, const struct app_mouse *mouse)
{
	struct screen_layout layout;

	state_layout(app, &layout);
	if (layout.is_too_small || app->help.is_open || app->prompt.kind != PROMPT_NONE)
		return 0;
	app->is_touched = true;
	app->s.is_moving = false;
	app->has_legend = false;
	switch (mouse->what) {
	case APP_MOUSE_WHEEL_UP:
	case APP_MOUSE_WHEEL_DOWN:
		return wheel(app, &layout, mouse);
	case APP_MOUSE_DRAG:
		return drag(app, &layout, mouse->row, mouse->col);
	default:
		return press(app, &layout, mouse);
	}
}
