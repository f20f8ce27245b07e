/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The list has no length: it is walked from its first line on. A jump to its ends stops
 * after STEPS_MOST lines, and says so. */
#include "config.h"

#include "ui/event_list.h"

#include "ui/filter.h"
#include "ui/select.h"

#define STEPS_MOST 1000000

void event_list_update(struct app *app)
{
	struct event_list *l = &app->events_list;
	const struct lane *lane = state_lane(app);

	if (l->lane == lane && l->t0 == app->s.view.t0)
		return;
	*l = (struct event_list){ .lane = lane, .t0 = app->s.view.t0, .filter = filter_lane(app) };
	l->has_any = lane && lane->tree.n && events_from(lane, app->s.view.t0, &l->top);
	/* The first that matches, the place itself with it. */
	if (l->has_any && l->filter) {
		l->top.depth--;
		l->has_any = search_event_next(l->filter, lane, &l->top);
	}
}

/* The line of the cursor. */
static bool at_cursor(const struct event_list *l, struct event_at *at)
{
	*at = l->top;
	for (int i = 0; i < l->cursor; i++)
		if (!search_event_next(l->filter, l->lane, at))
			return false;
	return l->has_any;
}

void event_list_move(struct app *app, int64_t rows, int page)
{
	struct event_list *l = &app->events_list;
	struct event_at at, next;
	int64_t steps = 0;

	event_list_update(app);
	if (!at_cursor(l, &at))
		return;
	for (; rows > 0 && steps < STEPS_MOST; rows--, steps++) {
		if (!search_event_next(l->filter, l->lane, &at))
			break;
		if (++l->cursor >= page) {
			search_event_next(l->filter, l->lane, &l->top);
			l->cursor--;
		}
	}
	for (; rows < 0 && steps < STEPS_MOST; rows++, steps++) {
		if (l->cursor > 0) {
			l->cursor--;
			continue;
		}
		next = l->top;
		if (!search_event_before(l->filter, l->lane, &next))
			break;
		l->top = next;
	}
	if (steps == STEPS_MOST)
		state_say(app, false, "a million lines further; again to go on");
}

void event_list_show(struct app *app)
{
	struct event_list *l = &app->events_list;
	struct event_at at;
	struct span span;
	int64_t t0 = app->s.view.t0;

	event_list_update(app);
	if (!at_cursor(l, &at) || !events_span(l->lane, &at, &span))
		return;
	app->is_pane_max = false;
	select_span(app, app->s.chart.lane, &span);
	/* The list stays where it is although the window moved. */
	if (t0 != app->s.view.t0)
		l->t0 = app->s.view.t0;
}
