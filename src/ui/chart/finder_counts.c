/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The number of the selected match is how many matches begin before it in the range, plus those
 * around it that begin at the same time, plus one. */
#include "config.h"

#include "ui/chart/finder_counts.h"

#include "analyse/search.h"
#include "base/alloc.h"
#include "model/lane_name.h"
#include "ui/chart/folds.h"
#include "ui/chart/select.h"
#include "ui/pane/pane_scope.h"
#include "ui/state.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* ==== finder move ====
 *
 * Matches are walked through in the order of time over all lanes that are not hidden. */

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

	buf_clear(&f->where);
	if ((int)at->lane != app->s.chart.lane)
		lane_name(app->s.profile, lane, true, &f->where);
	f->has_at = true;
	f->at = *at;
	f->call = f->target.search.labels ? call_of(lane, &at->span) : at->span;
	folds_close(&app->s, (int)at->lane, &f->call, &drawn);
	select_span(app, (int)at->lane, &drawn);
	if (f->target.search.labels)
		viewport_reveal(&app->s.view, at->span.t0, at->span.t1);
}

const struct search_at *finder_move_at(const struct app *app)
{
	const struct finder *f = &app->finder;
	const struct chart *chart = &app->s.chart;
	struct span drawn;

	if (!f->has_at || !chart->has_selection || chart->lane != (int)f->at.lane)
		return NULL;
	folds_close(&app->s, chart->lane, &f->call, &drawn);
	return chart->selected.first == drawn.first && chart->selected.depth == drawn.depth ? &f->at
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
	} else if (search_next(&f->target.search, is_shown, NULL, false, &at)) {
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
	else if (finder_move_at(app))
		from = *finder_move_at(app);
	else
		from.span = folds_selected_span(&app->s);
	f->note = NULL;
	has_found = search_next(search, is_shown, &from, !is_next, &to);
	if (!has_found) {
		f->note = is_next ? "wrapped to the first" : "wrapped to the last";
		has_found = search_next(search, is_shown, NULL, !is_next, &to);
	}
	f->has_none = !has_found;
	if (has_found)
		go_to(app, &to);
	else
		finder_lanes_walk(app, is_next);
	free(is_shown);
	return has_found;
}

/* ==== finder counts ==== */

void finder_counts_forget(struct finder_counts *counts)
{
	search_count_done(&counts->range);
	search_count_done(&counts->others);
	search_count_done(&counts->before);
}

/* Range and lanes of the panes. The caller frees *lanes. */
static uint32_t scope(const struct app *app, int64_t *t0, int64_t *t1, uint32_t **lanes)
{
	const struct lane **list;
	uint32_t n = pane_scope_lanes(app, &list);

	*lanes = xcalloc((size_t)n + 1, sizeof **lanes);
	for (uint32_t i = 0; i < n; i++)
		(*lanes)[i] = (uint32_t)(list[i] - app->s.profile->lanes);
	free(list);
	pane_scope_range(app, t0, t1);
	return n;
}

bool finder_counts_are_current(const struct app *app)
{
	const struct search_count *count = &app->finder.counts.range;
	int64_t t0, t1;
	uint32_t *lanes, n;
	bool has;

	if (!count->lanes)
		return false;
	n = scope(app, &t0, &t1, &lanes);
	has = count->t0 == t0 && count->t1 == t1 && count->n_lanes == n &&
		memcmp(count->lanes, lanes, n * sizeof *lanes) == 0;
	free(lanes);
	return has;
}

static void begin(struct app *app)
{
	struct finder_counts *c = &app->finder.counts;
	uint32_t n_all = (uint32_t)app->s.chart.n_lanes, *lanes, n;
	int64_t t0, t1;
	uint8_t *is_counted = xcalloc((size_t)n_all + 1, 1);

	finder_counts_forget(c);
	n = scope(app, &t0, &t1, &lanes);
	search_count_init(&c->range, lanes, n, t0, t1);
	for (uint32_t i = 0; i < n; i++)
		is_counted[lanes[i]] = 1;
	lanes = xrealloc(lanes, (size_t)n_all + 1, sizeof *lanes);
	n = 0;
	for (uint32_t i = 0; i < n_all; i++)
		if (!is_counted[i] && !app->s.lanes[i].is_hidden &&
		    app->s.profile->lanes[i].has_timeline)
			lanes[n++] = i;
	search_count_init(&c->others, lanes, n, t0, t1);
	c->others.has_sums = true;
	free(lanes);
	free(is_counted);
}

/* ---- which of the matches ---- */

/* Find the selected span, or the stretch of samples that it is in. False: it is none of those that
 * are counted. */
static bool counted_span(const struct app *app, struct span *s)
{
	const struct search *search = &app->finder.target.search;
	const struct search_count *range = &app->finder.counts.range;
	const struct chart *chart = &app->s.chart;
	const struct lane *lane = state_lane(app);
	const struct search_at *at = finder_move_at(app);

	if (!chart->has_selection || range->n_lanes != 1 || (int)range->lanes[0] != chart->lane)
		return false;
	*s = at ? at->span : folds_selected_span(&app->s);
	return lane->has_timeline &&
		(search->labels ? at != NULL : search_has(search, lane, s->node)) &&
		s->t0 >= range->t0 &&
		(s->t0 < range->t1 || range->t1 >= samples_time(&lane->samples, lane->samples.n));
}

/* Whether `before` is about the selected match s. */
static bool is_about(const struct finder_counts *c, const struct span *s)
{
	return c->before.n_lanes == 1 && c->before.lanes[0] == c->range.lanes[0] &&
		c->before.t0 == c->range.t0 && c->before.end == s->first && c->depth == s->depth;
}

/* Whether its number is known. */
static bool is_known(const struct finder_counts *c, const struct span *s)
{
	return c->before.is_complete && is_about(c, s);
}

/* Find the number. Returns true when it is known, or there is none. */
static bool find_number(struct app *app, struct budget *budget)
{
	struct search *search = &app->finder.target.search;
	struct finder_counts *c = &app->finder.counts;
	const struct lane *lane = state_lane(app);
	struct span s, outer;

	if (!counted_span(app, &s))
		return true;
	if (!is_about(c, &s)) {
		search_count_done(&c->before);
		/* Not those before its time: spans of no length may be at the same instant. */
		search_count_init(&c->before, c->range.lanes, 1, c->range.t0, INT64_MAX);
		c->before.end = s.first;
		c->before.has_sums = true;
		c->depth = s.depth;
		c->n_around = 0;
		for (int depth = 0; depth < s.depth; depth++)
			c->n_around += span_of_sample(&lane->samples, &lane->tree, s.first, depth,
						      &outer) &&
				/* Of those that began earlier, the samples before have no time.
				 */
				(outer.t0 == s.t0 || (s.t0 == c->range.t0 && outer.t0 < s.t0)) &&
				search_has(search, lane, outer.node);
	}
	return c->before.is_complete || search_count_step(&c->before, search, budget);
}

bool finder_counts_number(const struct app *app, uint64_t *number)
{
	const struct finder_counts *c = &app->finder.counts;
	struct span s;

	if (!c->range.is_complete || !counted_span(app, &s) || !is_known(c, &s))
		return false;
	*number = c->before.n_spans + c->n_around + 1;
	return true;
}

/* ---- steps ---- */

bool finder_counts_are_complete(const struct app *app)
{
	const struct finder_counts *c = &app->finder.counts;
	struct span s;

	return finder_counts_are_current(app) && c->range.is_complete && c->others.is_complete &&
		(!counted_span(app, &s) || is_known(c, &s));
}

bool finder_counts_step(struct app *app, struct budget *budget)
{
	struct search *search = &app->finder.target.search;
	struct finder_counts *c = &app->finder.counts;
	bool is_new = !finder_counts_are_current(app), had_sums, is_done;

	if (is_new)
		begin(app);
	had_sums = c->range.has_sums;
	is_done = search_count_step(&c->range, search, budget) &&
		search_count_step(&c->others, search, budget) && find_number(app, budget);
	return is_done || is_new || c->range.has_sums != had_sums;
}
