/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Matches are walked through in the order of time over all lanes that are not hidden. */
#include "config.h"

#include "ui/chart/finder_move.h"

#include "base/alloc.h"
#include "model/lane_name.h"
#include "ui/chart/folds.h"
#include "ui/chart/select.h"
#include "ui/state.h"

#include <stdlib.h>

/* By lane: 1 if it is not hidden. The caller frees the array. */
static uint8_t *shown_lanes(const struct app *app)
{
	uint8_t *is_shown = xcalloc((size_t)app->s.chart.n_lanes + 1, 1);

	for (int i = 0; i < app->s.chart.n_lanes; i++)
		is_shown[i] = !app->s.lanes[i].is_hidden;
	return is_shown;
}

static bool is_selection_in_view(const struct app *app)
{
	const struct span *s = &app->s.chart.selected;

	return app->s.chart.has_selection && s->t1 >= app->s.view.t0 &&
		s->t0 < viewport_end(&app->s.view);
}

/* A call that stands for a stretch of samples: the outermost one that begins with it, or else the
 * innermost one. */
static struct span call_of(const struct lane *lane, const struct span *stretch)
{
	const struct samples *s = &lane->samples;
	size_t i = stretch->first;
	int rows = lane->tree.rows[s->leaf[i]], kept = i ? samples_shared(s, i - 1) : 0;
	struct span call = *stretch;

	span_of_sample(s, &lane->tree, i, kept < rows ? kept : rows - 1, &call);
	return call;
}

static void go_to(struct app *app, const struct search_at *at)
{
	struct finder *f = &app->finder;
	const struct lane *lane = &app->s.profile->lanes[at->lane];
	struct span drawn;

	folds_follow(app);
	buf_clear(&f->where);
	if ((int)at->lane != app->s.chart.lane)
		lane_name(app->s.profile, lane, true, &f->where);
	f->has_stretch = f->target.search.labels != NULL;
	if (f->has_stretch) {
		f->stretch = *at;
		f->stretch_call = call_of(lane, &at->span);
		folds_close(&app->s, (int)at->lane, &f->stretch_call, &drawn);
		select_span(app, (int)at->lane, &drawn);
		viewport_reveal(&app->s.view, f->stretch.span.t0, f->stretch.span.t1);
		return;
	}
	folds_close(&app->s, (int)at->lane, &at->span, &drawn);
	select_span(app, (int)at->lane, &drawn);
}

const struct search_at *finder_move_stretch(const struct app *app)
{
	const struct finder *f = &app->finder;
	const struct chart *chart = &app->s.chart;

	return f->has_stretch && chart->has_selection && chart->lane == (int)f->stretch.lane &&
			chart->selected.first == f->stretch_call.first &&
			folds_selected_span(&app->s).depth == f->stretch_call.depth
		? &f->stretch
		: NULL;
}

void finder_move_first(struct app *app)
{
	struct finder *f = &app->finder;
	int64_t t = is_selection_in_view(app) ? app->s.chart.selected.t0 : app->s.view.t0;
	uint8_t *is_shown = shown_lanes(app);
	struct search_at at;

	f->note = NULL;
	if (search_from(&f->target.search, is_shown, t, &at)) {
		go_to(app, &at);
	} else if (search_next(&f->target.search, is_shown, NULL, &at)) {
		f->note = "wrapped to the first";
		go_to(app, &at);
	} else {
		f->has_none = true;
		finder_lanes_walk(app, true);
	}
	free(is_shown);
}

bool finder_move_on(struct app *app, bool is_next)
{
	uint8_t *is_shown = shown_lanes(app);
	struct finder *f = &app->finder;
	struct search *search = &f->target.search;
	struct search_at from = { .lane = (uint32_t)app->s.chart.lane }, to;
	bool has_found;

	/* If the selection is not in view, start at the edge of the window. */
	if (!is_selection_in_view(app))
		from = (struct search_at){ UINT32_MAX,
					   { .t0 = is_next ? app->s.view.t0 - 1
							   : viewport_end(&app->s.view) - 1 } };
	else if (finder_move_stretch(app))
		from = *finder_move_stretch(app);
	else
		from.span = folds_selected_span(&app->s);
	f->note = NULL;
	has_found = is_next ? search_next(search, is_shown, &from, &to)
			    : search_before(search, is_shown, &from, &to);
	if (!has_found) {
		f->note = is_next ? "wrapped to the first" : "wrapped to the last";
		has_found = is_next ? search_next(search, is_shown, NULL, &to)
				    : search_before(search, is_shown, NULL, &to);
	}
	f->has_none = !has_found;
	if (has_found)
		go_to(app, &to);
	else
		finder_lanes_walk(app, is_next);
	free(is_shown);
	return has_found;
}
