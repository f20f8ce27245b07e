/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The lists are made when they are first shown for a range. What the user sorts by stays. */
#include "config.h"

#include "ui/pane/served_list.h"

#include "base/alloc.h"
#include "base/hash.h"
#include "base/sort.h"
#include "base/units.h"
#include "draw/table/text_table.h"
#include "ui/actions.h"
#include "ui/chart/select.h"
#include "ui/pane/panes.h"
#include "ui/state.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool served_list_exists(const struct app *app)
{
	return app->base->served.n > 0;
}

static const char *why_empty(const struct app *app)
{
	return served_list_exists(app) ? "none begins in this range"
		: app->base->n_requests
		? "no requests of a server; those of the page: lane Network (L), then 7"
		: "no requests are recorded: flametty attach --requests records them";
}

static void forget_lists(struct served_list *l)
{
	free(l->routes);
	free(l->requests);
	free(l->waits);
	free(l->stalls);
	free(l->order);
	l->routes = NULL;
	l->requests = NULL;
	l->waits = NULL;
	l->stalls = NULL;
	l->order = NULL;
	l->has_lists = l->has_order = false;
	memset(l->n, 0, sizeof l->n);
}

static void forget(struct app *app)
{
	struct served_list *l = &app->served_list;

	forget_lists(l);
	served_time_free(l->time);
	l->time = NULL;
	l->of = NULL;
	app->s.chart.served = app->time.chart.served = NULL;
}

void served_list_prepare(struct app *app)
{
	struct served_list *l = &app->served_list;

	if (l->of != app->base) {
		forget(app);
		l->time = served_time_new(app->base);
		l->of = app->base;
	}
	app->s.chart.served = app->mode == VIEW_TIME ? l->time : NULL;
}

/* ---- cells ---- */

enum cell_kind { IS_VALUE, IS_KNOWN, IS_COUNT, IS_NAME, IS_WORDS };

struct served_cell {
	enum cell_kind kind;
	int64_t n;
	str_id string;
	const char *text;
	size_t len;
};

#define NO(X, ...)
#define COLUMN(X, type, where, key, heading, width, cells, cols, ...)                              \
	{ heading, cells, cols, IS_##type >= IS_NAME },
#define CELL(X, type, where, key, heading, width, cells, cols, ...)                                \
	{ .kind = IS_##type, __VA_ARGS__ },

static const struct text_column route_columns[] = { SERVED_ROUTE_COLUMNS(COLUMN, NO, ) };
static const struct text_column request_columns[] = { SERVED_REQUEST_COLUMNS(COLUMN, NO, ) };
static const struct text_column wait_columns[] = { SERVED_WAIT_COLUMNS(COLUMN, NO, ) };
static const struct text_column stall_columns[] = { STALL_COLUMNS(COLUMN, NO, ) };

static const struct text_column *const columns[SERVED_VIEWS] = { route_columns, request_columns,
								 wait_columns, stall_columns };
static const size_t n_columns[SERVED_VIEWS] = { ARRAY_LEN(route_columns),
						ARRAY_LEN(request_columns), ARRAY_LEN(wait_columns),
						ARRAY_LEN(stall_columns) };

static struct served_cell cell_of(const struct app *app, uint32_t row, size_t column)
{
	const struct served_list *l = &app->served_list;
	const struct served_route *r;
	const struct served_parts *x;
	const struct served_waits *w;
	const struct stall_entry *e;
	const struct served *s;

	switch (l->view) {
	case SERVED_ROUTES:
		r = &l->routes[row];
		return ((struct served_cell[]){ SERVED_ROUTE_COLUMNS(CELL, NO, ) })[column];
	case SERVED_REQUESTS:
		x = &l->requests[row];
		s = &app->base->served.requests[x->served];
		return ((struct served_cell[]){ SERVED_REQUEST_COLUMNS(CELL, NO, ) })[column];
	case SERVED_STALLED:
		e = &app->base->stalls.all[l->stalls[row]];
		return ((struct served_cell[]){ STALL_COLUMNS(CELL, NO, ) })[column];
	default:
		w = &l->waits[row];
		return ((struct served_cell[]){ SERVED_WAIT_COLUMNS(CELL, NO, ) })[column];
	}
}

static const char *text_of(const struct app *app, const struct served_cell *c)
{
	return c->kind == IS_WORDS ? c->text : c->string ? profile_text(app->base, c->string) : "";
}

static void cell(const void *ctx, size_t at, size_t column, struct buf *out)
{
	const struct app *app = ctx;
	const struct served_list *l = &app->served_list;
	struct served_cell c = cell_of(app, l->order[at], column);
	char text[UNITS_MAX];

	if (c.kind >= IS_NAME) {
		buf_adds(out, text_of(app, &c));
		return;
	}
	if (c.n < 0 || (c.n == 0 && c.kind != IS_VALUE))
		return;
	if (c.kind == IS_COUNT)
		units_count((uint64_t)c.n, text);
	else
		profile_value(app->base, c.n, text);
	buf_adds(out, text);
}

static bool is_bad(const void *ctx, size_t at)
{
	const struct app *app = ctx;
	const struct served_list *l = &app->served_list;
	const struct served *s;

	if (l->view != SERVED_REQUESTS)
		return false;
	s = &app->base->served.requests[l->requests[l->order[at]].served];
	return s->status >= 500 || s->is_aborted;
}

/* ---- the lists ---- */

static bool row_is_before(const void *a, const void *b, const void *ctx)
{
	const struct app *app = ctx;
	const struct served_list *l = &app->served_list;
	bool is_reversed = l->kept.is_reversed[l->view];
	struct served_cell x = cell_of(app, *(const uint32_t *)(is_reversed ? b : a),
				       l->kept.sort[l->view]),
			   y = cell_of(app, *(const uint32_t *)(is_reversed ? a : b),
				       l->kept.sort[l->view]);

	return x.kind >= IS_NAME ? strcmp(text_of(app, &x), text_of(app, &y)) < 0 : x.n > y.n;
}

/* The rows of the view in their order; at first as they are made. */
static void put_in_order(struct app *app)
{
	struct served_list *l = &app->served_list;

	free(l->order);
	l->order = xmalloc((l->n[l->view] + 1) * sizeof *l->order);
	for (size_t i = 0; i < l->n[l->view]; i++)
		l->order[i] = (uint32_t)(l->kept.is_reversed[l->view] && !l->kept.is_sorted[l->view]
						 ? l->n[l->view] - 1 - i
						 : i);
	if (l->kept.is_sorted[l->view])
		sort_stable(l->order, l->n[l->view], sizeof *l->order, row_is_before, app);
	l->has_order = true;
}

/* The stalls that begin in a range, of functions that pass the filter. */
static void find_stalls(struct app *app, int64_t t0, int64_t t1)
{
	const struct stall_list *all = &app->base->stalls;
	const uint8_t *is = app->pane.filter.frames;
	struct served_list *l = &app->served_list;

	l->stalls = xmalloc((all->n + 1) * sizeof *l->stalls);
	for (size_t i = all->n; i-- > 0;)
		if (all->all[i].t0 >= t0 && all->all[i].t0 <= t1 && (!is || is[all->all[i].frame]))
			l->stalls[l->n[SERVED_STALLED]++] = (uint32_t)i;
	l->filter_changes = app->pane.filter_changes;
}

static void bring_up_to_date(struct app *app)
{
	struct served_list *l = &app->served_list;
	enum served_view view = app->shown == &served_routes_pane ? SERVED_ROUTES
		: app->shown == &served_requests_pane             ? SERVED_REQUESTS
		: app->shown == &stalls_pane                      ? SERVED_STALLED
								  : SERVED_WAITED;
	int64_t t0, t1;

	l->has_order &= l->view == view;
	l->view = view;
	pane_scope_time_range(app, &t0, &t1);
	served_list_prepare(app);
	if (!l->has_lists || l->t0 != t0 || l->t1 != t1 ||
	    l->filter_changes != app->pane.filter_changes) {
		forget_lists(l);
		l->has_lists = true;
		l->t0 = t0;
		l->t1 = t1;
		find_stalls(app, t0, t1);
		if (l->time) {
			l->routes = served_time_routes(l->time, t0, t1, &l->n[SERVED_ROUTES]);
			l->requests = served_time_requests(l->time, t0, t1, &l->n[SERVED_REQUESTS]);
			l->waits = served_time_waits(app->base, t0, t1, &l->n[SERVED_WAITED]);
		}
	}
	if (!l->has_order)
		put_in_order(app);
	if (l->kept.cursor[l->view] >= l->n[l->view])
		l->kept.cursor[l->view] = l->n[l->view] ? l->n[l->view] - 1 : 0;
}

/* ---- the panes ---- */

static void update(struct app *app, const struct rect *area, bool is_current)
{
	struct served_list *l = &app->served_list;

	(void)is_current;
	bring_up_to_date(app);
	l->kept.top[l->view] = table_scroll(area->rows, l->n[l->view], l->kept.top[l->view],
					    l->kept.cursor[l->view]);
}

static void draw(const struct app *app, struct pane_picture *picture)
{
	static const char *const what[SERVED_VIEWS] = { "requests that begin in",
							"requests that begin in",
							"waits that begin in",
							"stalls that begin in" };
	const struct served_list *l = &app->served_list;
	const struct viewport *view = &state_time_line(app)->view;
	bool is_all = l->t0 <= view->t_min && l->t1 >= view->t_max;
	char range[UNITS_MAX];

	profile_value(app->base, l->t1 - l->t0, range);
	snprintf(picture->scope.forms[0], sizeof picture->scope.forms[0], "%s %s%s%s",
		 what[l->view], is_all ? "all " : "these ", range,
		 l->view == SERVED_ROUTES ? "; own CPU and what follows: means" : "");
	snprintf(picture->scope.forms[1], sizeof picture->scope.forms[1], "%s %s%s", what[l->view],
		 is_all ? "all " : "these ", range);
	picture->served = (struct text_table){
		.columns = columns[l->view],
		.n_columns = n_columns[l->view],
		.cell = cell,
		.is_bad = is_bad,
		.ctx = app,
		.n = l->n[l->view],
		.top = l->kept.top[l->view],
		.cursor = l->kept.cursor[l->view],
		.sort = l->kept.is_sorted[l->view] ? l->kept.sort[l->view] : n_columns[l->view],
		.is_reversed = l->kept.is_reversed[l->view],
		.has_focus = picture->table.has_focus,
		.is_ascii = picture->table.is_ascii,
		.empty = l->view == SERVED_STALLED && app->pane.filter.frames
			? pane_picture_no_match
			: why_empty(app),
	};
	picture->screen->served = &picture->served;
	pane_picture_place(picture, l->kept.cursor[l->view], l->n[l->view]);
}

static void move(struct app *app, int64_t rows, const struct rect *area)
{
	struct served_list *l = &app->served_list;

	(void)area;
	bring_up_to_date(app);
	panes_move(&l->kept.cursor[l->view], l->n[l->view], rows);
}

static void click(struct app *app, const struct rect *area, int row, int col)
{
	struct served_list *l = &app->served_list;

	(void)col;
	bring_up_to_date(app);
	table_hit(*area, row, l->n[l->view], l->kept.top[l->view], &l->kept.cursor[l->view]);
}

static void sort_by(struct app *app, size_t column)
{
	struct served_list *l = &app->served_list;

	l->kept.sort[l->view] = column;
	l->kept.is_sorted[l->view] = true;
	l->kept.is_reversed[l->view] = l->has_order = false;
	l->kept.cursor[l->view] = l->kept.top[l->view] = 0;
	state_say(app, false, "sorted by %s", columns[l->view][column].title);
}

static void sort(struct app *app, int step)
{
	struct served_list *l = &app->served_list;
	size_t to;

	bring_up_to_date(app);
	to = l->kept.is_sorted[l->view] ? l->kept.sort[l->view] : 0;
	do
		to = (to + (step < 0 ? n_columns[l->view] - 1 : 1)) % n_columns[l->view];
	while (to && columns[l->view][to].is_text);
	sort_by(app, to);
}

static void reverse(struct app *app)
{
	struct served_list *l = &app->served_list;

	bring_up_to_date(app);
	l->kept.is_reversed[l->view] = !l->kept.is_reversed[l->view];
	l->has_order = false;
	l->kept.cursor[l->view] = l->kept.top[l->view] = 0;
}

static void sort_at(struct app *app, const struct screen *screen, const struct rect *area, int col)
{
	struct served_list *l = &app->served_list;
	size_t column;

	if (!screen->served)
		return;
	column = text_table_column_at(screen->served, *area, col);
	if (l->kept.is_sorted[l->view] && column == l->kept.sort[l->view])
		reverse(app);
	else
		sort_by(app, column);
}

uint32_t served_list_request(struct app *app)
{
	const struct served_list *l = &app->served_list;
	uint32_t row;

	if (app->focus != KEYMAP_PANE || app->shown->command != CMD_ROUTES)
		return SERVED_NONE;
	bring_up_to_date(app);
	if (!l->has_order || l->kept.cursor[l->view] >= l->n[l->view] || l->view >= SERVED_WAITED)
		return SERVED_NONE;
	row = l->order[l->kept.cursor[l->view]];
	return l->view == SERVED_ROUTES ? l->routes[row].slowest : l->requests[row].served;
}

/* Select the slice of a request, in a window of its time. Returns whether the chart has it. */
static bool go_to(struct app *app, uint32_t served)
{
	const struct served *s = &app->base->served.requests[served];
	struct span span;

	for (uint32_t i = 0; i < app->s.profile->n_lanes; i++) {
		const struct lane *lane = &app->s.profile->lanes[i];

		if (lane->kind != LANE_ASYNC || lane->input != s->input || lane->pid != s->pid ||
		    !slice_find(lane, s->offset, s->t0, &span))
			continue;
		app->is_pane_max = false;
		select_call(app, (int)i, &span);
		viewport_set(&app->s.view, s->t0 - (s->t1 - s->t0) / 10,
			     s->t1 + (s->t1 - s->t0) / 10);
		return true;
	}
	state_say(app, false, "the request is not in the chart");
	return false;
}

/* Open the recording of the selected stall. */
static void open_stall(struct app *app)
{
	const struct served_list *l = &app->served_list;
	const struct stall_entry *e;

	bring_up_to_date(app);
	if (l->kept.cursor[l->view] >= l->n[l->view])
		return;
	e = &app->base->stalls.all[l->stalls[l->order[l->kept.cursor[l->view]]]];
	if (e->file)
		chart_diff_open_recording(app, e->input, profile_text(app->base, e->file));
	else
		state_say(app, false, "it has no recording: %s",
			  strcmp(profile_text(app->base, e->event), "stall") == 0
				  ? "there was no room for one (--max)"
				  : "watch writes none of this event");
}

static void show(struct app *app)
{
	uint32_t served = served_list_request(app);

	if (app->shown == &stalls_pane)
		open_stall(app);
	else if (served == SERVED_NONE)
		state_say(app, false, "%s",
			  app->served_list.view == SERVED_WAITED
				  ? "waits are rows of the lane Waits for"
				  : "no request of this route is whole");
	else if (go_to(app, served))
		pane_scope_range(app, &app->served_list.t0, &app->served_list.t1);
}

unsigned served_list_slowest(struct app *app)
{
	struct served_list *l = &app->served_list;
	const struct viewport *v = &app->s.view;
	const char *route = buf_text(&app->line.args);
	uint64_t hash = hash_bytes(route, app->line.args.len);
	struct served_parts *all;
	char length[UNITS_MAX];
	const struct served *s;
	size_t n, n_of = 0;

	served_list_prepare(app);
	if (!l->time)
		return state_say(app, false, "%s", why_empty(app));
	if (l->slowest.shown_t0 != v->t0 || l->slowest.shown_t1 != v->t1) {
		l->slowest.t0 = v->t0;
		l->slowest.t1 = v->t1;
		l->slowest.next = 0;
	}
	if (l->slowest.route != hash)
		l->slowest.next = 0;
	l->slowest.route = hash;
	all = served_time_requests(l->time, l->slowest.t0, l->slowest.t1, &n);
	for (size_t i = 0; i < n; i++)
		if (strstr(profile_text(app->base, app->base->served.requests[all[i].served].name),
			   route))
			all[n_of++] = all[i];
	if (!n_of) {
		free(all);
		return state_say(app, false, "no such request begins in this window");
	}
	n = l->slowest.next++ % n_of;
	s = &app->base->served.requests[all[n].served];
	if (go_to(app, all[n].served)) {
		profile_value(app->base, s->t1 - s->t0, length);
		state_say(app, false, "slowest %zu of %zu: %s %s", n + 1, n_of,
			  profile_text(app->base, s->name), length);
	}
	l->slowest.shown_t0 = v->t0;
	l->slowest.shown_t1 = v->t1;
	free(all);
	return APP_REDRAW;
}

#define SERVED_PANE(name, text, its_command, filters)                                              \
	const struct pane_kind name = { .title = text,                                             \
					.command = its_command,                                    \
					.table = PANE_TABS,                                        \
					.head_rows = 1,                                            \
					.is_filterable = filters,                                  \
					.update = update,                                          \
					.draw = draw,                                              \
					.forget = forget,                                          \
					.done = forget,                                            \
					.move = move,                                              \
					.click = click,                                            \
					.show = show,                                              \
					.sort = sort,                                              \
					.sort_at = sort_at,                                        \
					.reverse = reverse }

SERVED_PANE(served_routes_pane, "W Routes", CMD_ROUTES, false);
SERVED_PANE(served_requests_pane, "W Requests", CMD_ROUTES, false);
SERVED_PANE(served_waits_pane, "W Waits", CMD_ROUTES, false);
SERVED_PANE(stalls_pane, "W Stalls", CMD_ROUTES, true);

void served_list_start(struct app *app)
{
	if (!app->base->stalls.n)
		return;
	app->shown = &stalls_pane;
	app->focus = KEYMAP_PANE;
	app->is_pane_open = app->is_pane_chosen = app->is_pane_max = true;
}
