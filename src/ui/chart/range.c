/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A range has two ends, the anchor and the cursor: each a span, or the window where none was
 * selected. When the selection moves, it becomes the cursor, and the range covers both again. */
#include "config.h"

#include "ui/chart/range.h"

#include "base/units.h"
#include "model/span.h"
#include "ui/actions.h"
#include "ui/chart/select.h"
#include "ui/state.h"

#include <stdbool.h>

static int64_t clip(const struct viewport *view, int64_t t)
{
	return t < view->t0 ? view->t0 : t > view->t1 ? view->t1 : t;
}

/* The selected span as an end of the range. */
static struct range_end end_of(const struct app *app)
{
	const struct chart *chart = &app->s.chart;
	const struct viewport *view = &app->s.view;
	bool has_span = chart->has_selection && chart->selected.t1 > view->t0 &&
		chart->selected.t0 < view->t1;

	return (struct range_end){ .t0 = has_span ? clip(view, chart->selected.t0) : view->t0,
				   .t1 = has_span ? clip(view, chart->selected.t1) : view->t1,
				   .has_span = has_span,
				   .lane = chart->lane,
				   .span = has_span ? folds_selected_span(&app->s)
						    : chart->selected };
}

void range_set(struct app *app, int64_t t0, int64_t t1)
{
	app->range.is_pinned = true;
	app->range.t0 = t0 < t1 ? t0 : t1;
	app->range.t1 = t0 < t1 ? t1 : t0;
	if (app->range.t1 == app->range.t0)
		app->range.t1++;
}

static void cover_both(struct app *app)
{
	const struct pinned_range *r = &app->range;

	range_set(app, r->anchor.t0 < r->cursor.t0 ? r->anchor.t0 : r->cursor.t0,
		  r->anchor.t1 > r->cursor.t1 ? r->anchor.t1 : r->cursor.t1);
}

static bool is_same(const struct span *a, const struct span *b)
{
	return a->t0 == b->t0 && a->t1 == b->t1 && a->depth == b->depth && a->node == b->node;
}

void range_follow(struct app *app)
{
	const struct chart *chart = &app->s.chart;
	struct pinned_range *range = &app->range;
	struct span selected;

	if (!range->is_on)
		return;
	if (app->mode != VIEW_TIME || !app->range.is_pinned) {
		range->is_on = false;
		return;
	}
	if (chart->has_selection)
		selected = folds_selected_span(&app->s);
	if (!chart->has_selection ||
	    (range->cursor.has_span && range->cursor.lane == chart->lane &&
	     is_same(&range->cursor.span, &selected)))
		return;
	range->cursor = end_of(app);
	cover_both(app);
}

/* Transforms may have changed the calls since the end was taken. */
static bool find_span(const struct app *app, struct range_end *end)
{
	const struct lane *lane;

	if (!end->has_span || end->lane >= app->s.chart.n_lanes)
		return false;
	lane = &app->s.profile->lanes[end->lane];
	return lane->samples.n &&
		span_at(&lane->samples, &lane->tree, end->span.depth, end->span.t0, &end->span);
}

static void range_drop(struct app *app)
{
	app->range.is_on = false;
	app->range.is_pinned = false;
}

/* ==== range keys ====
 *
 * Commands that select a range of time. */

/* Begin at the selected span, or with the window if none is selected. */
static unsigned range_keys_select(struct app *app, int count)
{
	const struct lane *lane = state_lane(app);

	(void)count;
	if (app->mode != VIEW_TIME || (lane && !lane->has_timeline)) {
		state_say(app, false, "ranges are on the time line%s",
			  app->mode != VIEW_TIME ? "; 1 shows it" : "");
		return APP_REDRAW;
	}
	app->range.anchor = app->range.cursor = end_of(app);
	app->range.is_on = true;
	app->focus = KEYMAP_CHART;
	cover_both(app);
	return APP_REDRAW;
}

static unsigned range_keys_keep(struct app *app, int count)
{
	char length[UNITS_MAX];

	(void)count;
	app->range.is_on = false;
	profile_value(app->base, app->range.t1 - app->range.t0, length);
	state_say(app, false, "panes pinned to this range of %s; Esc unpins them", length);
	return APP_REDRAW;
}

static unsigned range_keys_span(struct app *app, int count)
{
	const struct span *span = &app->s.chart.selected;

	(void)count;
	if (app->mode != VIEW_TIME || !app->s.chart.has_selection || span->t1 <= span->t0) {
		state_say(app, false, "no span with a duration is selected on the time line");
		return APP_REDRAW;
	}
	range_set(app, span->t0, span->t1);
	return range_keys_keep(app, 1);
}

/* Select the span at the other end. */
static unsigned range_keys_swap(struct app *app, int count)
{
	struct range_end anchor = app->range.anchor;

	(void)count;
	if (!find_span(app, &anchor))
		return APP_REDRAW;
	app->range.anchor = app->range.cursor;
	app->range.cursor = anchor;
	select_call(app, anchor.lane, &anchor.span);
	return APP_REDRAW;
}

static unsigned range_keys_zoom(struct app *app, int count)
{
	(void)count;
	viewport_set(&app->s.view, app->range.t0, app->range.t1);
	select_inside(app);
	range_drop(app);
	return APP_REDRAW;
}

static unsigned range_keys_drop(struct app *app, int count)
{
	(void)count;
	range_drop(app);
	state_say(app, false, "panes follow the window");
	return APP_REDRAW;
}

action *const range_commands[COMMAND_COUNT] = {
#undef COMMAND_OF_range
#define COMMAND_OF_range(id, function) [id] = function,
#define COMMAND(file, id, function, ...) COMMAND_OF_##file(id, function)
#include "ui/command_list.h"
};
