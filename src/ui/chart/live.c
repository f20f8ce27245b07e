/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The end of the window is a multiple of the time of a column, by the clock of the files: columns
 * of two pictures are about the same times then, and the terminal moves what it has on the screen.
 */
#include "config.h"

#include "ui/chart/live.h"

#include "base/alloc.h"
#include "base/units.h"
#include "ui/chart/fit.h"
#include "ui/pane/panes.h"
#include "ui/state.h"

#include <stdbool.h>
#include <stdint.h>

#define LIVE_VERDICT_NS (10 * NS_PER_S)

static const int64_t lengths[] = { 1 * NS_PER_S,  2 * NS_PER_S,  5 * NS_PER_S, 10 * NS_PER_S,
				   20 * NS_PER_S, 30 * NS_PER_S, 60 * NS_PER_S };

bool live_is_moving(const struct app *app)
{
	return app->live && app->live->is_moving;
}

static struct viewport *view_of(struct app *app)
{
	return app->mode == VIEW_TIME ? &app->s.view : &app->time.view;
}

void live_place(struct app *app)
{
	struct viewport *view = view_of(app);
	int64_t column, end;

	if (!live_is_moving(app))
		return;
	column = app->live->length_ns / app->cols;
	end = app->live->now_ns;
	end -= (app->base->origin_ns + end) % column;
	end = end < app->live->length_ns ? app->live->length_ns : end;
	viewport_set(view, end - app->live->length_ns, end);
	app->live_window = (struct live_window){ view->t0, view->t1 };
}

/* The list of functions is another one while the window moves. */
static void change_pane(struct app *app)
{
	if (live_is_moving(app) && app->shown == &function_list_pane)
		app->shown = &live_list_pane;
	else if (!live_is_moving(app) && app->shown == &live_list_pane)
		app->shown = &function_list_pane;
}

void live_start(struct app *app)
{
	if (!app->live)
		return;
	app->s.chart.times = CHART_TIMES_WALL;
	if (app->live->is_list) {
		app->shown = &process_list_pane;
		app->is_pane_open = app->is_pane_chosen = app->is_pane_max = true;
		app->focus = KEYMAP_PANE;
		live_place(app);
		return;
	}
	app->shown = live_is_moving(app) ? &live_list_pane : &function_list_pane;
	live_place(app);
}

/* Stop the window, which stays what it is; or let it move. The app must be live. */
static void freeze(struct app *app)
{
	app->live->is_moving = false;
	app->is_touched = true;
	change_pane(app);
	state_say(app, false, "frozen: search, panes and exports as with a file; p goes on");
}

/* Make the window `count` steps longer, or shorter. */
static void change_length(struct app *app, int count)
{
	int n = (int)ARRAY_LEN(lengths), at = 0, to;

	while (at + 1 < n && lengths[at] < app->live->length_ns)
		at++;
	to = at + count < 0 ? 0 : at + count >= n ? n - 1 : at + count;
	app->live->length_ns = lengths[to];
	live_place(app);
	state_say(app, false, "the last %d s%s", (int)(lengths[to] / NS_PER_S),
		  to == 0               ? ": the window is as short as it can be"
			  : to == n - 1 ? ": the window is as long as it can be"
					: "");
}

bool live_take(struct app *app, enum command_id id, int count)
{
	if (!live_is_moving(app))
		return false;
	switch (id) {
	case CMD_ZOOM_IN:
		change_length(app, -count);
		return true;
	case CMD_ZOOM_OUT:
		change_length(app, count);
		return true;
	case CMD_FOLD_LANE:
	case CMD_ROW_TOGGLE:
		/* As a pager stops. */
		if (app->letter != ' ')
			return false;
		freeze(app);
		return true;
	default:
		return false;
	}
}

bool live_shows_list(const struct app *app)
{
	return app->live && app->live->is_list && process_list_is_alone(app);
}

bool live_leave(struct app *app)
{
	if (live_shows_list(app) && app->filter.target.name.len) {
		filter_set(app, "", false);
		return true;
	}
	if (!app->live || !app->live->has_list)
		return false;
	app->live->leaves = true;
	state_say(app, false, "back to the list of processes\342\200\246");
	return true;
}

bool live_merge(struct app *app)
{
	struct screen_layout layout;
	struct grid grid = { 0 };
	bool is_crowded;

	/* Requests are rows of the time line. */
	if (!live_is_moving(app) || app->live->is_merged || app->is_touched ||
	    app->mode != VIEW_TIME || app->base->served.n)
		return false;
	state_layout(app, &layout);
	app_draw(app, &grid);
	is_crowded = screen_is_crowded(&grid, layout.lanes);
	grid_done(&grid);
	if (!is_crowded)
		return false;
	app->live->is_merged = true;
	views_show(app, VIEW_MERGED, FRAME_NONE);
	return true;
}

int live_pane_rows(const struct app *app)
{
	const struct app_live *l = app->live;

	return l->rows == app->rows && l->cols == app->cols && l->view == (int)app->mode
		? l->pane_rows
		: 0;
}

bool live_give_room(struct app *app)
{
	struct app_live *l = app->live;
	struct screen_layout layout;
	bool was_open = app->is_pane_open;
	int before, height, spare, most;

	if (!live_is_moving(app) || app->pane_rows || app->is_pane_max ||
	    (!was_open && app->is_pane_chosen))
		return false;
	before = live_pane_rows(app);
	if (l->rows != app->rows || l->cols != app->cols || l->view != (int)app->mode)
		l->chart_rows = 0;
	l->pane_rows = 0;
	l->rows = app->rows;
	l->cols = app->cols;
	l->view = (int)app->mode;
	if (app->culprit.has_opened && app->focus != KEYMAP_PANE)
		app->is_pane_open = false;
	fit_lanes(app);
	state_layout(app, &layout);
	height = chart_height(&app->s.chart);
	l->chart_rows = height > l->chart_rows ? height : l->chart_rows;
	spare = layout.lanes.rows - l->chart_rows;
	most = layout.lanes.rows - app->rows / 5;
	spare = spare < most ? spare : most;
	if (!app->is_pane_open && spare > CULPRIT_PANE_MIN)
		app->is_pane_open = app->culprit.has_opened = true;
	if (app->is_pane_open && spare > 0)
		l->pane_rows = layout.pane.rows + (layout.pane.rows > 0) + spare;
	fit_lanes(app);
	return l->pane_rows != before || app->is_pane_open != was_open;
}

bool live_verdict_range(const struct app *app, int64_t *t0, int64_t *t1)
{
	if (!live_is_moving(app) || app->range.is_pinned)
		return false;
	*t1 = app->live->now_ns;
	*t0 = *t1 > LIVE_VERDICT_NS ? *t1 - LIVE_VERDICT_NS : 0;
	return *t1 > *t0;
}

void live_settle(struct app *app)
{
	const struct viewport *view = view_of(app);

	if (live_is_moving(app))
		app->live->chart_rows = 0;
	if (live_is_moving(app) &&
	    (view->t0 != app->live_window.t0 || view->t1 != app->live_window.t1))
		freeze(app);
}

void live_format(const struct app *app, struct buf *out)
{
	const struct app_live *live = app->live;
	const struct lane *lane = state_lane(app);
	const char *state = live->is_moving ? "live" : live->has_ended ? "ended" : "frozen";
	const struct recent *r = &app->live_list.recent;
	char clock[DATE_MAX];
	int64_t at_zero;

	if (*live->silence)
		buf_addf(out, "%s", live->silence);
	else
		buf_adds(out, state);
	if (wall_clock_find(app->base, lane, &at_zero)) {
		date_clock(at_zero + live->now_ns, 0, clock);
		buf_addf(out, " %s", clock);
	}
	if (live->is_moving && r->sampled_ns[0] > 0)
		buf_addf(out, " \302\267 busy %s, GC %s",
			 units_percent(r->busy_ns[0], r->sampled_ns[0], UNITS_ROOM),
			 units_percent(r->gc_ns[0], r->sampled_ns[0], UNITS_ROOM));
}

/* ==== live keys ====
 *
 * Commands of a process that is shown live. */

unsigned live_keys_freeze(struct app *app)
{
	if (!app->live) {
		state_say(app, false, "nothing moves: this is no running process (flametty live)");
	} else if (app->live->is_moving) {
		freeze(app);
	} else if (app->live->has_ended) {
		app->live->wants_rest = true;
		state_say(app, false, "the process has ended");
	} else {
		app->live->is_moving = true;
		/* Until the next profile comes. */
		app->live_window = (struct live_window){ view_of(app)->t0, view_of(app)->t1 };
		change_pane(app);
	}
	return APP_REDRAW;
}

unsigned live_keys_save(struct app *app)
{
	BUF_LOCAL said = { 0 };
	bool ok;

	if (!app->live) {
		state_say(app, true,
			  "save is for flametty live; :export cpuprofile FILE writes "
			  "what is in scope");
	} else if (app->line.args.len == 0) {
		state_say(app, true, "save wants the name of a file");
	} else if (!app->host || !app->host->save) {
		state_say(app, true, "files cannot be written here");
	} else {
		ok = app->host->save(app->host->ctx, buf_text(&app->line.args), app->line.is_forced,
				     &said);
		state_say(app, !ok, "%s", buf_text(&said));
	}
	return APP_REDRAW;
}
