/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The list has no known length: it is walked from its first visible line. A move stops after
 * STEPS_MOST lines, with a message. */
#include "config.h"

#include "ui/pane/event_list.h"

#include "base/alloc.h"
#include "base/units.h"
#include "ui/chart/select.h"
#include "ui/pane/pane_kind.h"
#include "ui/pane/pane_picture.h"

#define STEPS_MOST 1000000

static void bring_up_to_date(struct app *app)
{
	struct event_list *l = &app->events_list;
	const struct lane *lane = state_lane(app);

	if (l->lane == lane && l->t0 == app->s.view.t0 && l->filter.frames == app->pane.filter &&
	    l->filter.min_ns == l->min_ns)
		return;
	*l = (struct event_list){ .lane = lane,
				  .t0 = app->s.view.t0,
				  .min_ns = l->min_ns,
				  .filter = { l->min_ns, app->pane.filter } };
	l->has_any = lane && lane->tree.n && events_from(lane, &l->filter, app->s.view.t0, &l->top);
}

/* The event with the cursor. */
static bool at_cursor(const struct event_list *l, struct event_at *at)
{
	*at = l->top;
	for (int i = 0; i < l->cursor; i++)
		if (!events_next(l->lane, &l->filter, at))
			return false;
	return l->has_any;
}

static bool span_at_cursor(const struct app *app, struct span *out)
{
	const struct event_list *l = &app->events_list;
	struct event_at at;

	return l->lane && at_cursor(l, &at) && events_span(l->lane, &at, out);
}

/* Scroll so that the cursor is on a page of `page` lines. */
static void reveal(struct app *app, int page)
{
	struct event_list *l = &app->events_list;

	for (; l->cursor > 0 && l->cursor >= page; l->cursor--)
		events_next(l->lane, &l->filter, &l->top);
}

static void move_by(struct app *app, int64_t rows, int page)
{
	struct event_list *l = &app->events_list;
	struct event_at at, next;
	int64_t steps = 0;

	bring_up_to_date(app);
	if (!at_cursor(l, &at))
		return;
	for (; rows > 0 && steps < STEPS_MOST; rows--, steps++) {
		if (!events_next(l->lane, &l->filter, &at))
			break;
		if (++l->cursor >= page) {
			events_next(l->lane, &l->filter, &l->top);
			l->cursor--;
		}
	}
	for (; rows < 0 && steps < STEPS_MOST; rows++, steps++) {
		if (l->cursor > 0) {
			l->cursor--;
			continue;
		}
		next = l->top;
		if (!events_before(l->lane, &l->filter, &next))
			break;
		l->top = next;
	}
	if (steps == STEPS_MOST)
		state_say(app, false, "stopped after a million lines; repeat to go on");
}

static void show(struct app *app)
{
	struct event_list *l = &app->events_list;
	struct event_at at;
	struct span span;
	int64_t t0 = app->s.view.t0;

	bring_up_to_date(app);
	if (!at_cursor(l, &at) || !events_span(l->lane, &at, &span))
		return;
	app->is_pane_max = false;
	select_span(app, app->s.chart.lane, &span);
	/* The list stays where it is although selecting moved the window. */
	if (t0 != app->s.view.t0)
		l->t0 = app->s.view.t0;
}

void event_list_shorter(struct app *app)
{
	static const int64_t steps[] = { 0, NS_PER_MS, 15 * NS_PER_MS };
	struct event_list *l = &app->events_list;
	size_t i = 0;

	while (i < ARRAY_LEN(steps) && steps[i] != l->min_ns)
		i++;
	l->min_ns = steps[(i + 1) % ARRAY_LEN(steps)];
	if (l->min_ns)
		state_say(app, false, "events: spans of at least %d ms",
			  (int)(l->min_ns / NS_PER_MS));
	else
		state_say(app, false, "events: spans of any length");
}

/* ---- the pane ---- */

static void update(struct app *app, const struct rect *area, bool is_current)
{
	(void)is_current;
	bring_up_to_date(app);
	reveal(app, area->rows - 1);
}

static const char *empty_text(const struct app *app)
{
	if (app->filter.target.search.matches)
		return "no match of the filter here or later; & C-u Enter shows all";
	if (app->events_list.min_ns)
		return "no event of this length here or later; oe shows shorter ones";
	return "no event starts in or after the window on this lane";
}

static void draw(const struct app *app, struct pane_picture *picture)
{
	const struct event_list *l = &app->events_list;
	const struct table *table = &picture->table;
	struct screen *screen = picture->screen;

	scope_line_events(app, &picture->scope);
	picture->events = (struct event_table){
		.profile = app->s.profile,
		.lane = state_lane(app),
		.top = l->top,
		.filter = l->filter,
		.has_any = l->has_any,
		.cursor = l->cursor,
		.search = table->search,
		.has_focus = table->has_focus,
		.is_ascii = table->is_ascii,
		.roles = table->roles,
		.t1 = app->s.view.t1,
		.times = time_label_of(&app->s.chart),
		.empty = empty_text(app),
	};
	screen->events = &picture->events;
	if (table->has_focus && span_at_cursor(app, &picture->span)) {
		screen->details.span = &picture->span;
		screen->details.self_ns = seek_self_ns(state_lane(app), &picture->span);
	}
}

static void move(struct app *app, int64_t rows, const struct rect *area)
{
	move_by(app, rows, area->rows > 1 ? area->rows - 1 : 1);
}

static void click(struct app *app, const struct rect *area, int row, int col)
{
	int line = row - area->row - 1;

	(void)col;
	if (line >= 0)
		move_by(app, line - app->events_list.cursor, area->rows - 1);
}

const struct pane_kind event_list_pane = { .title = "9 Events",
					   .command = CMD_EVENTS,
					   .table = PANE_TABS,
					   .head_rows = 1,
					   .is_filterable = true,
					   .update = update,
					   .draw = draw,
					   .move = move,
					   .click = click,
					   .show = show };
