/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The list is made once for each profile: a pass over the samples of a minute takes less than a
 * millisecond. Order, cursor and first row stay from profile to profile (struct app_live). */
#include "config.h"

#include "ui/pane/live_list.h"

#include "base/alloc.h"
#include "draw/table/event_table.h"
#include "draw/table/table.h"
#include "ui/pane/panes.h"
#include "ui/state.h"

#include <stdio.h>
#include <stdlib.h>

static void done(struct app *app)
{
	recent_done(&app->live_list.recent);
	app->live_list = (struct live_list){ 0 };
}

static const struct profile *profile_of(const struct app *app)
{
	return app->mode == VIEW_TIME ? app->s.profile : app->time.profile;
}

void live_list_update(struct app *app)
{
	struct live_list *l = &app->live_list;
	int lane = app->mode == VIEW_TIME ? app->s.chart.lane : app->time.chart.lane;
	ALLOC_LOCAL const struct lane **lanes = NULL;
	int64_t t0, t1;
	uint32_t n;

	if (l->has_list && l->sort == app->live->sort && l->is_reversed == app->live->is_reversed &&
	    l->lane == lane && l->is_of_all == app->has_all_lanes)
		return;
	n = pane_scope_of_time(app, &t0, &t1, &lanes);
	recent_done(&l->recent);
	recent_init(&l->recent, profile_of(app), lanes, n, app->live->now_ns, app->live->sort);
	if (app->live->is_reversed) {
		for (size_t i = 0; i < l->recent.n / 2; i++) {
			struct recent_row row = l->recent.rows[i];

			l->recent.rows[i] = l->recent.rows[l->recent.n - 1 - i];
			l->recent.rows[l->recent.n - 1 - i] = row;
		}
	}
	*l = (struct live_list){ .recent = l->recent,
				 .has_list = true,
				 .sort = app->live->sort,
				 .is_reversed = app->live->is_reversed,
				 .lane = lane,
				 .is_of_all = app->has_all_lanes };
	if (app->live->cursor >= l->recent.n)
		app->live->cursor = l->recent.n > 0 ? l->recent.n - 1 : 0;
}

/* ---- the pane ---- */

static void update(struct app *app, const struct rect *area, bool is_current)
{
	(void)is_current;
	live_list_update(app);
	app->live->top = table_scroll(area->rows, app->live_list.recent.n, app->live->top,
				      app->live->cursor);
}

static void draw(const struct app *app, struct pane_picture *picture)
{
	const struct live_list *l = &app->live_list;
	const struct table *table = &picture->table;

	snprintf(picture->scope.forms[0], sizeof picture->scope.forms[0],
		 "shares of the last 1, 10 and 60 s");
	picture->recent = (struct recent_table){ .profile = profile_of(app),
						 .recent = &l->recent,
						 .sort = app->live->sort,
						 .is_reversed = app->live->is_reversed,
						 .top = app->live->top,
						 .cursor = app->live->cursor,
						 .has_focus = table->has_focus,
						 .is_ascii = table->is_ascii,
						 .roles = table->roles,
						 .search = table->search };
	picture->screen->recent = &picture->recent;
	pane_picture_place(picture, app->live->cursor, l->recent.n);
}

static void move(struct app *app, int64_t rows, const struct rect *area)
{
	(void)area;
	live_list_update(app);
	panes_move(&app->live->cursor, app->live_list.recent.n, rows);
}

static void click(struct app *app, const struct rect *area, int row, int col)
{
	(void)col;
	table_hit(*area, row, app->live_list.recent.n, app->live->top, &app->live->cursor);
}

static frame_id frame(const struct app *app)
{
	const struct recent *r = &app->live_list.recent;

	return app->live_list.has_list && app->live->cursor < r->n
		? r->rows[app->live->cursor].frame
		: FRAME_NONE;
}

static void sort(struct app *app, int step)
{
	app->live->sort = (app->live->sort + RECENT_SPANS + (unsigned)(step % RECENT_SPANS)) %
		RECENT_SPANS;
	app->live->cursor = app->live->top = 0;
}

static void sort_at(struct app *app, const struct screen *screen, const struct rect *area, int col)
{
	unsigned span = recent_table_span_at(*area, col);

	(void)screen;
	if (span == RECENT_SPANS)
		return;
	app->live->sort = span;
	app->live->cursor = app->live->top = 0;
}

static void reverse(struct app *app)
{
	app->live->is_reversed = !app->live->is_reversed;
	app->live->cursor = app->live->top = 0;
}

static bool go(struct app *app, const frame_id *path, uint32_t n)
{
	size_t at;

	live_list_update(app);
	at = recent_find(&app->live_list.recent, path[n - 1]);
	if (at == app->live_list.recent.n)
		return false;
	app->live->cursor = at;
	return true;
}

const struct pane_kind live_list_pane = {
	.title = "7 Live",
	.command = CMD_FUNCTIONS,
	.table = PANE_TABS,
	.head_rows = 2,
	.update = update,
	.draw = draw,
	.done = done,
	.move = move,
	.click = click,
	.go = go,
	.frame = frame,
	.sort = sort,
	.sort_at = sort_at,
	.reverse = reverse,
};
