/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "config.h"

#include "ui/chart/range.h"

#include "ui/chart/folds.h"
#include "ui/chart/select.h"
#include "ui/state.h"

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
	app->has_range = true;
	app->range_t0 = t0 < t1 ? t0 : t1;
	app->range_t1 = t0 < t1 ? t1 : t0;
	if (app->range_t1 == app->range_t0)
		app->range_t1++;
}

static void cover_both(struct app *app)
{
	const struct range_edit *r = &app->range;

	range_set(app, r->anchor.t0 < r->cursor.t0 ? r->anchor.t0 : r->cursor.t0,
		  r->anchor.t1 > r->cursor.t1 ? r->anchor.t1 : r->cursor.t1);
}

bool range_begin(struct app *app)
{
	const struct lane *lane = state_lane(app);

	if (app->mode != VIEW_TIME || (lane && !lane->has_timeline)) {
		state_say(app, false, "ranges are on the time line%s",
			  app->mode != VIEW_TIME ? "; 1 shows it" : "");
		return false;
	}
	app->range.anchor = app->range.cursor = end_of(app);
	app->range.is_on = true;
	app->focus = KEYMAP_CHART;
	cover_both(app);
	return true;
}

static bool is_same(const struct span *a, const struct span *b)
{
	return a->t0 == b->t0 && a->t1 == b->t1 && a->depth == b->depth && a->node == b->node;
}

void range_follow(struct app *app)
{
	const struct chart *chart = &app->s.chart;
	struct range_edit *range = &app->range;
	struct span selected;

	if (!range->is_on)
		return;
	if (app->mode != VIEW_TIME || !app->has_range) {
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

void range_swap(struct app *app)
{
	struct range_end anchor = app->range.anchor;
	struct span span;

	if (!find_span(app, &anchor))
		return;
	app->range.anchor = app->range.cursor;
	app->range.cursor = anchor;
	folds_close(&app->s, anchor.lane, &anchor.span, &span);
	select_span(app, anchor.lane, &span);
}

void range_keep(struct app *app)
{
	app->range.is_on = false;
}

void range_drop(struct app *app)
{
	app->range.is_on = false;
	app->has_range = false;
}
