/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The number of the selected match is how many matches begin before it in the range, plus those
 * around it that begin at the same time, plus one. */
#include "config.h"

#include "ui/chart/finder_counts.h"

#include "analyse/search.h"
#include "analyse/search_slices.h"
#include "base/alloc.h"
#include "base/text.h"
#include "base/units.h"
#include "ui/pane/pane.h"
#include "ui/state.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* ==== finder counts ==== */

/* Range and lanes of the panes. The caller frees *lanes. */
static uint32_t scope(const struct app *app, int64_t *t0, int64_t *t1, uint32_t **lanes)
{
	ALLOC_LOCAL const struct lane **list = NULL;
	uint32_t n = pane_scope_lanes(app, &list);

	*lanes = xcalloc((size_t)n + 1, sizeof **lanes);
	for (uint32_t i = 0; i < n; i++)
		(*lanes)[i] = (uint32_t)(list[i] - app->s.profile->lanes);
	/* Panes are about the slices above a row of marks; here, marks count. */
	if (n && !app->has_all_lanes && state_lane(app)->kind == LANE_MARKS) {
		**lanes = (uint32_t)app->s.chart.lane;
		n = 1;
	}
	pane_scope_range(app, t0, t1);
	return n;
}

/* Whether a count is of these lanes and this range. */
static bool is_of(const struct search_count *count, const uint32_t *lanes, uint32_t n, int64_t t0,
		  int64_t t1)
{
	return count->lanes && count->t0 == t0 && count->t1 == t1 && count->n_lanes == n &&
		memcmp(count->lanes, lanes, n * sizeof *lanes) == 0;
}

/* Whether `range` is of the present scope. */
static bool are_current(const struct app *app)
{
	ALLOC_LOCAL uint32_t *lanes = NULL;
	int64_t t0, t1;
	uint32_t n;

	if (!app->finder.counts.range.lanes)
		return false;
	n = scope(app, &t0, &t1, &lanes);
	return is_of(&app->finder.counts.range, lanes, n, t0, t1);
}

/* The number of spans on all lanes stays while the cursor goes from one of them to another. */
static void begin(struct app *app)
{
	struct finder_counts *c = &app->finder.counts;
	uint32_t n_all = (uint32_t)app->s.chart.n_lanes, n_range, n = 0;
	ALLOC_LOCAL uint32_t *range = NULL;
	ALLOC_LOCAL uint32_t *lanes = xcalloc((size_t)n_all + 1, sizeof *lanes);
	int64_t t0, t1;

	n_range = scope(app, &t0, &t1, &range);
	for (uint32_t i = 0, k = 0; i < n_all; i++) {
		bool is_counted = k < n_range && range[k] == i;

		if (is_counted ||
		    (!app->s.lanes[i].is_hidden && app->s.profile->lanes[i].has_timeline))
			lanes[n++] = i;
		k += is_counted;
	}
	/* There are no others. */
	if (n == n_range)
		n = 0;
	finder_counts_forget_range(c);
	search_count_init(&c->range, range, n_range, t0, t1);
	if (is_of(&c->all, lanes, n, t0, t1))
		return;
	search_count_done(&c->all);
	search_count_init(&c->all, lanes, n, t0, t1);
	c->all.has_sums = true;
}

/* ---- which of the matches ---- */

/* Find the selected span, or the stretch of samples that it is in. False: it is none of those that
 * are counted. */
static bool counted_span(const struct app *app, struct span *s)
{
	struct search *search = (struct search *)&app->finder.target.search;
	const struct search_count *range = &app->finder.counts.range;
	const struct chart *chart = &app->s.chart;
	const struct lane *lane = state_lane(app);
	const struct search_at *at = finder_move_at(app);
	uint32_t i = 0;

	while (i < range->n_lanes && (int)range->lanes[i] != chart->lane)
		i++;
	if (!chart->has_selection || i == range->n_lanes)
		return false;
	*s = at ? at->span : folds_selected_span(&app->s);
	return lane->has_timeline &&
		(search->labels ? at != NULL : search_slices_has(search, range->lanes[i], s)) &&
		s->t0 >= range->t0 &&
		(s->t0 < range->t1 || range->t1 >= samples_time(&lane->samples, lane->samples.n));
}

/* Whether `before` is about the selected match s of a lane. */
static bool is_about(const struct finder_counts *c, int lane, const struct span *s)
{
	return c->before.n_lanes == 1 && (int)c->before.lanes[0] == lane &&
		c->before.t0 == c->range.t0 && c->before.end == s->first && c->depth == s->depth;
}

/* Whether its number is known. */
static bool is_known(const struct finder_counts *c, int lane, const struct span *s)
{
	return c->before.is_complete && c->beside.is_complete && is_about(c, lane, s);
}

/* Begin to count what begins before s in the other lanes. */
static void begin_beside(struct finder_counts *c, uint32_t lane, const struct span *s)
{
	ALLOC_LOCAL uint32_t *others = xcalloc(c->range.n_lanes, sizeof *others);
	uint32_t n = 0;

	for (uint32_t i = 0; i < c->range.n_lanes; i++)
		if (c->range.lanes[i] != lane)
			others[n++] = c->range.lanes[i];
	search_count_done(&c->beside);
	search_count_init(&c->beside, others, n, c->range.t0, s->t0);
	c->beside.has_sums = true;
}

/* Find the number. Returns true when it is known, or there is none. */
static bool find_number(struct app *app, struct budget *budget)
{
	struct search *search = &app->finder.target.search;
	struct finder_counts *c = &app->finder.counts;
	const struct lane *lane = state_lane(app);
	const uint32_t number = (uint32_t)app->s.chart.lane;
	struct span s, outer;

	if (!counted_span(app, &s))
		return true;
	if (!is_about(c, (int)number, &s)) {
		begin_beside(c, number, &s);
		search_count_done(&c->before);
		/* Not those before its time: spans of no length may be at the same instant. */
		search_count_init(&c->before, &number, 1, c->range.t0, INT64_MAX);
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
				search_slices_has(search, number, &outer);
	}
	return (c->before.is_complete || search_count_step(&c->before, search, budget)) &&
		(c->beside.is_complete || search_count_step(&c->beside, search, budget));
}

/* The number of the selected match among those of `range`, from 1. False: it is none of them, or
 * the number is not known yet. */
static bool number_of_match(const struct app *app, uint64_t *number)
{
	const struct finder_counts *c = &app->finder.counts;
	struct span s;

	if (!c->range.is_complete || !counted_span(app, &s) || !is_known(c, app->s.chart.lane, &s))
		return false;
	*number = c->before.n_spans + c->beside.n_spans + c->n_around + 1;
	return true;
}

/* ---- steps ---- */

bool finder_counts_are_complete(const struct app *app)
{
	const struct finder_counts *c = &app->finder.counts;
	struct span s;

	return are_current(app) && c->range.is_complete && c->all.is_complete &&
		(!counted_span(app, &s) || is_known(c, app->s.chart.lane, &s));
}

bool finder_counts_step(struct app *app, struct budget *budget)
{
	struct search *search = &app->finder.target.search;
	struct finder_counts *c = &app->finder.counts;
	bool is_new = !are_current(app), had_sums, is_done;

	if (is_new)
		begin(app);
	had_sums = c->range.has_sums;
	is_done = search_count_step(&c->range, search, budget) &&
		search_count_step(&c->all, search, budget) && find_number(app, budget);
	return is_done || is_new || c->range.has_sums != had_sums;
}

/* ==== finder answer ====
 *
 * What was found, in words: the number of matching spans and functions, their time and share, and
 * the number of the selected match. */

/* Append `3 of ` if the number is known. */
static void add_number(const struct app *app, struct buf *out)
{
	uint64_t number;

	if (!number_of_match(app, &number))
		return;
	buf_addf(out, "%s of ", units_count(number, UNITS_ROOM));
}

/* Append `18.3 % of the range`: the share of the sampled time, with or without idle time as in the
 * pane. */
static void add_share(const struct app *app, int form, struct buf *out)
{
	const struct search_count *c = &app->finder.counts.range;
	bool has_idle = app->pane.has_idle;
	int64_t part = c->ns - (has_idle ? 0 : c->matched_idle_ns),
		whole = c->sampled_ns - (has_idle ? 0 : c->idle_ns);

	if (part <= 0 || whole <= 0 || chart_diff_shown(app))
		return;
	buf_addf(out, " (%s%s%s)", units_percent(part, whole, UNITS_ROOM),
		 form < 2 ? " of the range" : "",
		 form == 0 && !has_idle && c->idle_ns > 0 ? ", idle left out" : "");
}

/* Whether the range has nothing but marks, which have no time: the lane with the cursor tells, as
 * long as nothing is counted. */
static bool has_only_marks(const struct app *app)
{
	const struct search_count *c = &app->finder.counts.range;

	if (app->s.chart.lane < 0)
		return false;
	return c->is_complete && c->n_spans
		? c->n_marks == c->n_spans
		: app->s.lanes[app->s.chart.lane].lane->kind == LANE_MARKS;
}

static void add_time(const struct app *app, int form, struct buf *out)
{
	const struct search_count *c = &app->finder.counts.range;

	/* Of two sides, widths of boxes are no times. */
	if (has_only_marks(app) || chart_diff_shown(app))
		buf_adds(out, "");
	else if (app->s.lanes[app->s.chart.lane].lane->has_timeline)
		buf_addf(out, ", %s%s", profile_value(app->base, c->ns, UNITS_ROOM),
			 form < 1 ? " in all" : "");
	else
		buf_addf(out, ", %s hits", units_count((uint64_t)c->ns, UNITS_ROOM));
}

static const char *plural(uint64_t n)
{
	return n == 1 ? "" : "s";
}

/* Append `, 2 of them marks`. */
static void add_marks(const struct app *app, struct buf *out)
{
	const struct search_count *c = &app->finder.counts.range;

	if (!c->is_complete || !c->n_marks || c->n_marks == c->n_spans)
		return;
	buf_addf(out, ", %s of them %s", units_count(c->n_marks, UNITS_ROOM),
		 c->n_marks == 1 ? "a mark" : "marks");
}

/* Append `5 spans`. */
static void add_spans(const struct app *app, const char *n, struct buf *out)
{
	const struct search_count *c = &app->finder.counts.range;
	uint64_t n_spans = c->is_complete ? c->n_spans : 2;

	if (app->finder.target.search.labels)
		buf_addf(out, "%s stretch%s", n, n_spans == 1 ? "" : "es");
	else
		buf_addf(out, "%s %s%s", n, has_only_marks(app) ? "mark" : "span", plural(n_spans));
}

static void add_counts(const struct app *app, int form, struct buf *out)
{
	const struct finder *f = &app->finder;
	char n[UNITS_MAX] = "\342\200\246";
	bool has_slices = f->counts.range.n_lanes &&
		app->s.profile->lanes[f->counts.range.lanes[0]].kind != LANE_SAMPLES;

	if (f->counts.range.is_complete)
		units_count(f->counts.range.n_spans, n);
	if (app->s.chart.lane < 0 || !app->s.lanes[app->s.chart.lane].lane->has_timeline) {
		buf_adds(out, "");
	} else {
		add_number(app, out);
		add_spans(app, n, out);
		add_marks(app, out);
	}
	if (form < 2 && !has_only_marks(app))
		buf_addf(out, "%s%s %s%s", out->len ? " of " : "",
			 units_count(f->counts.range.n_functions, UNITS_ROOM),
			 has_slices ? "name" : "function", plural(f->counts.range.n_functions));
	if (app->s.chart.lane >= 0)
		add_time(app, form, out);
	add_share(app, form, out);
	if (form < 2 && f->counts.range.is_complete && f->counts.all.is_complete &&
	    f->counts.all.n_spans > f->counts.range.n_spans) {
		units_count(f->counts.all.n_spans - f->counts.range.n_spans, n);
		buf_addf(out, "; %s on other lanes", n);
	}
}

#define LIST_CELLS 56

/* Append the first words of a list that have room. */
static void add_list(const char *list, struct buf *out)
{
	const char *end = list;

	for (const char *to = end; *to; end = to) {
		const char *comma = strstr(to + (to > list ? 2 : 0), ", ");

		to = comma ? comma : to + strlen(to);
		if (text_cells(list, (size_t)(to - list)) > LIST_CELLS)
			break;
	}
	buf_add(out, list, (size_t)(end - list));
	buf_adds(out, *end ? ", \342\200\246" : "");
}

/* Append an error; of one with a list behind it in the short forms only the list, or what is before
 * it. */
static void add_error(const struct error *err, int form, struct buf *out)
{
	const char *list = strstr(err->text, "; ");

	if (form == 0 || !list)
		buf_adds(out, err->text);
	else if (form == 1)
		add_list(list + 2, out);
	else
		buf_add(out, err->text, (size_t)(list - err->text));
}

/* Whether samples of the view have labels: merged ones have none. */
static bool has_labels(const struct app *app)
{
	bool has = false;

	for (int i = 0; i < app->s.chart.n_lanes && !has; i++)
		has = app->s.lanes[i].lane->labels != NULL;
	return has;
}

void finder_answer(const struct app *app, int form, struct buf *out)
{
	const struct finder *f = &app->finder;
	const struct search *search = &f->target.search;

	if (f->err.kind != ERR_NONE) {
		add_error(&f->err, form, out);
	} else if (!finder_is_on(app)) {
		return;
	} else if (f->is_waiting) {
		buf_adds(out,
			 form < 2 ? "searching\342\200\246; Esc stops it"
				  : "searching\342\200\246");
	} else if (search->wants_hits) {
		buf_addf(out, "reading the file, %d %%%s", f->percent,
			 form < 2 ? "; Esc stops it" : "");
	} else if (!search->is_complete || !are_current(app) || !f->counts.range.has_sums) {
		buf_adds(out, "\342\200\246");
	} else if (f->stop.len) {
		buf_adds(out, buf_text(&f->stop));
	} else if (f->n_lanes > 0) {
		buf_addf(out, "%d of %d lanes with this name; no span matches", f->lane_number,
			 f->n_lanes);
	} else if (search->n_functions == 0) {
		buf_adds(out,
			 search->is_costly          ? "the pattern takes too long"
				 : search->hits.why ? search->hits.why
				 : pattern_is_of_events(search->subject) &&
					 search->subject != PATTERN_URL
				 ? search->hits.n && (search->is_blind || app->mode != VIEW_TIME)
					 ? "events are found in time order, without transforms"
					 : pattern_is_of_files(search->subject)
					 ? "no event matches"
					 : "no request matches"
				 : !search->labels ? "no function matches"
				 : has_labels(app) ? "no sample matches"
						   : "the samples of this view have no labels");
	} else if (f->has_none) {
		buf_addf(out, "%s function%s, no span on the lanes shown",
			 units_count(search->n_functions, UNITS_ROOM), plural(search->n_functions));
	} else {
		BUF_LOCAL counts = { 0 };

		if (form < 3 && f->note)
			buf_addf(out, "%s: ", f->note);
		add_counts(app, form, &counts);
		buf_adds(out, buf_text(&counts));
		if (form < 2 && search->is_costly)
			buf_adds(out, "; the pattern takes too long, there may be more");
		if (form < 2 && (search->hits.why || search->hits.is_cut || search->is_blind))
			buf_addf(out, "; %s",
				 search->hits.why ? search->hits.why
					 : search->is_blind
					 ? "transforms hide events"
					 : "events found: the first 4\302\240000\302\240000");
	}
}
