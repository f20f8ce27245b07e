/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The list is made in steps, between keys. By start, what is there of it is shown meanwhile; in any
 * other order, nothing is. */
#include "config.h"

#include "ui/pane/event_list.h"

#include "base/units.h"
#include "draw/table/table.h"
#include "ui/chart/select.h"
#include "ui/pane/panes.h"
#include "ui/state.h"

#define START_STEPS 10000      /* parts of the range that starts tell apart */
#define KEY_NS (5 * NS_PER_MS) /* that a key may take for the list */

void event_list_forget(struct app *app)
{
	struct event_list *l = &app->events_list;

	event_order_done(&l->order);
	l->has_list = false;
}

/* The first of the lanes that the list is of. */
static const struct lane *first_lane(const struct app *app)
{
	const struct lane *lane = state_lane(app);

	return lane ? lane_head(lane, app->s.profile->lanes) : NULL;
}

/* What the list is to be of. */
static struct event_query query_of(const struct app *app)
{
	const struct event_list *l = &app->events_list;
	const struct profile *p = app->s.profile;
	const struct lane *lane = first_lane(app);
	struct event_query q = { .profile = p,
				 .lane = lane,
				 .n_lanes = lane ? lane_count_joined(lane, p->lanes + p->n_lanes)
						 : 0,
				 .min_ns = l->min_ns,
				 .set = app->pane.filter,
				 .sort = l->sort };

	pane_scope_range(app, &q.t0, &q.t1);
	return q;
}

static void bring_up_to_date(struct app *app)
{
	struct event_list *l = &app->events_list;
	struct event_query q = query_of(app);
	const struct event_query *is = &l->order.query;
	struct budget budget = budget_ns(KEY_NS);

	if (!l->has_list || is->profile != q.profile || is->lane != q.lane || l->t0 != q.t0 ||
	    l->t1 != q.t1 || is->min_ns != q.min_ns || is->set.frames != q.set.frames ||
	    is->sort != q.sort) {
		l->t0 = q.t0;
		l->t1 = q.t1;
		/* What happens at the very end is seen, too. */
		q.t1 += q.t1 == app->s.view.t_max;
		event_order_begin(&l->order, &q);
		l->has_list = true;
		l->cursor = l->top = 0;
	}
	if (!l->order.is_complete)
		event_order_work(&l->order, &budget);
}

/* The number of events that can be shown. */
static size_t listed(const struct event_list *l)
{
	return l->order.is_complete || (l->sort == EVENT_BY_START && !l->is_reversed) ? l->order.n
										      : 0;
}

static const struct lane *event_at_cursor(const struct app *app, struct span *out)
{
	const struct event_list *l = &app->events_list;

	return !l->has_list || l->order.query.lane != first_lane(app) || l->cursor >= listed(l)
		? NULL
		: event_order_span(&l->order, l->cursor, l->is_reversed, out);
}

/* A value of a counter is no span that can be selected. */
static const struct lane *span_at_cursor(const struct app *app, struct span *out)
{
	const struct lane *lane = event_at_cursor(app, out);

	return lane && !lane->series ? lane : NULL;
}

static void show(struct app *app)
{
	struct event_list *l = &app->events_list;
	const struct lane *lane;
	struct span span;

	bring_up_to_date(app);
	lane = event_at_cursor(app, &span);
	if (!lane)
		return;
	app->is_pane_max = false;
	if (lane->series)
		select_value(app, span.t0);
	else
		select_call(app, (int)(lane - app->s.profile->lanes), &span);
	/* The list stays as it is although selecting moved the window. */
	pane_scope_range(app, &l->t0, &l->t1);
}

/* ---- the pane ---- */

void event_list_go(struct app *app, const struct span *span)
{
	struct event_list *l = &app->events_list;

	l->has_wish = app->is_pane_open && app->shown == &event_list_pane;
	l->wish_sample = span->first;
	l->wish_depth = span->depth;
}

static void grant_wish(struct event_list *l, const struct lane *lane)
{
	if (!l->has_wish || !l->order.is_complete)
		return;
	l->has_wish = false;
	event_order_find(&l->order, lane, l->wish_sample, l->wish_depth, l->is_reversed,
			 &l->cursor);
}

static void update(struct app *app, const struct rect *area, bool is_current)
{
	struct event_list *l = &app->events_list;

	(void)is_current;
	bring_up_to_date(app);
	grant_wish(l, state_lane(app));
	l->top = table_scroll(area->rows, listed(l), l->top, l->cursor);
}

static int wait_ms(const struct app *app)
{
	return app->events_list.has_list && !app->events_list.order.is_complete ? 0 : -1;
}

static bool work(struct app *app, struct budget *budget)
{
	return event_order_work(&app->events_list.order, budget) || budget_spent(&app->patience);
}

static const char *empty_text(const struct app *app)
{
	if (!app->events_list.order.is_complete)
		return app->events_list.sort == EVENT_BY_START ? "counting\342\200\246"
							       : "sorting\342\200\246";
	if (app->filter.target.search.matches)
		return pane_picture_no_match;
	if (app->events_list.min_ns)
		return "no event of this length in this range; oe shows shorter ones";
	return state_lane(app) ? "no event starts in this range on this lane"
			       : "there are no lanes";
}

static void draw(const struct app *app, struct pane_picture *picture)
{
	const struct event_list *l = &app->events_list;
	const struct table *table = &picture->table;
	struct screen *screen = picture->screen;
	const struct lane *lane;

	scope_line_events(app, &picture->scope);
	picture->events = (struct event_table){
		.profile = app->s.profile,
		.lane = state_lane(app),
		.order = &l->order,
		.n = listed(l),
		.top = l->top,
		.cursor = l->cursor,
		.is_reversed = l->is_reversed,
		.search = table->search,
		.has_focus = table->has_focus,
		.is_ascii = table->is_ascii,
		.roles = table->roles,
		.times = time_label_of(&app->s.chart),
		.empty = empty_text(app),
	};
	/* Events of a column are told apart, too. */
	picture->events.times.step = (l->t1 - l->t0) / START_STEPS;
	screen->events = &picture->events;
	if (l->order.is_complete)
		pane_picture_place(picture, l->cursor, listed(l));
	lane = table->has_focus ? span_at_cursor(app, &picture->span) : NULL;
	if (lane) {
		screen->details.span = &picture->span;
		screen->details.lane = (int)(lane - app->s.profile->lanes);
		screen->details.self_ns = span_find_self_ns(lane, &picture->span);
	}
}

static void move(struct app *app, int64_t rows, const struct rect *area)
{
	(void)area;
	bring_up_to_date(app);
	panes_move(&app->events_list.cursor, listed(&app->events_list), rows);
}

static void click(struct app *app, const struct rect *area, int row, int col)
{
	struct event_list *l = &app->events_list;

	(void)col;
	table_hit(*area, row, listed(l), l->top, &l->cursor);
}

/* In another order the cursor is at the top. */
static void sort_by(struct app *app, enum event_sort order)
{
	static const char *const by[EVENT_SORT_COUNT] = { "start", "duration", "self time",
							  "name" };
	struct event_list *l = &app->events_list;

	l->sort = order;
	l->is_reversed = false;
	l->cursor = l->top = 0;
	state_say(app, false, "sorted by %s",
		  order == EVENT_BY_SELF && state_lane(app) && state_lane(app)->series ? "value"
										       : by[order]);
}

static void sort(struct app *app, int step)
{
	int to = (int)app->events_list.sort + step;

	sort_by(app,
		to < 0                           ? EVENT_BY_START
			: to >= EVENT_SORT_COUNT ? EVENT_BY_NAME
						 : (enum event_sort)to);
}

static void reverse(struct app *app)
{
	struct event_list *l = &app->events_list;

	l->is_reversed = !l->is_reversed;
	l->cursor = l->top = 0;
}

static void sort_at(struct app *app, const struct screen *screen, const struct rect *area, int col)
{
	enum event_sort order;

	if (!screen->events)
		return;
	order = event_table_sort_at(screen->events, *area, col);
	if (order == app->events_list.sort)
		reverse(app);
	else
		sort_by(app, order);
}

const struct pane_kind event_list_pane = { .title = "9 Events",
					   .command = CMD_EVENTS,
					   .table = PANE_TABS,
					   .head_rows = 1,
					   .is_filterable = true,
					   .update = update,
					   .draw = draw,
					   .wait_ms = wait_ms,
					   .work = work,
					   .forget = event_list_forget,
					   .done = event_list_forget,
					   .move = move,
					   .click = click,
					   .show = show,
					   .span = span_at_cursor,
					   .sort = sort,
					   .sort_at = sort_at,
					   .reverse = reverse };
