/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What was found, in words: the number of matching spans and functions, their time and share, and
 * the number of the selected match. */
#include "config.h"

#include "ui/chart/finder.h"

#include "base/text.h"
#include "base/units.h"
#include "ui/state.h"

#include <string.h>

/* Append `3 of ` if the number is known. */
static void add_number(const struct app *app, struct buf *out)
{
	uint64_t number;
	char n[UNITS_MAX];

	if (!finder_counts_number(app, &number))
		return;
	units_count(number, n);
	buf_addf(out, "%s of ", n);
}

/* Append `18.3 % of the range`: the share of the sampled time, with or without idle time as in the
 * pane. */
static void add_share(const struct app *app, int form, struct buf *out)
{
	const struct search_count *c = &app->finder.counts.range;
	bool has_idle = app->pane.has_idle;
	int64_t part = c->ns - (has_idle ? 0 : c->matched_idle_ns),
		whole = c->sampled_ns - (has_idle ? 0 : c->idle_ns);
	char share[UNITS_MAX];

	if (part <= 0 || whole <= 0 || diff_shown(app))
		return;
	units_percent(part, whole, share);
	buf_addf(out, " (%s%s%s)", share, form < 2 ? " of the range" : "",
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
	char text[UNITS_MAX];

	/* Of two sides, widths of boxes are no times. */
	if (has_only_marks(app) || diff_shown(app)) {
		buf_adds(out, "");
	} else if (app->s.lanes[app->s.chart.lane].lane->has_timeline) {
		profile_value(app->base, c->ns, text);
		buf_addf(out, ", %s%s", text, form < 1 ? " in all" : "");
	} else {
		units_count((uint64_t)c->ns, text);
		buf_addf(out, ", %s hits", text);
	}
}

static const char *plural(uint64_t n)
{
	return n == 1 ? "" : "s";
}

/* Append `, 2 of them marks`. */
static void add_marks(const struct app *app, struct buf *out)
{
	const struct search_count *c = &app->finder.counts.range;
	char n[UNITS_MAX];

	if (!c->is_complete || !c->n_marks || c->n_marks == c->n_spans)
		return;
	units_count(c->n_marks, n);
	buf_addf(out, ", %s of them %s", n, c->n_marks == 1 ? "a mark" : "marks");
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
	char n[UNITS_MAX] = "\342\200\246", functions[UNITS_MAX];

	if (f->counts.range.is_complete)
		units_count(f->counts.range.n_spans, n);
	if (app->s.chart.lane < 0 || !app->s.lanes[app->s.chart.lane].lane->has_timeline) {
		buf_adds(out, "");
	} else {
		add_number(app, out);
		add_spans(app, n, out);
		add_marks(app, out);
	}
	if (form < 2 && !has_only_marks(app)) {
		units_count(f->counts.range.n_functions, functions);
		buf_addf(out, "%s%s function%s", out->len ? " of " : "", functions,
			 plural(f->counts.range.n_functions));
	}
	if (app->s.chart.lane >= 0)
		add_time(app, form, out);
	add_share(app, form, out);
	if (f->counts.others.n_lanes > 0 && form < 2 && f->counts.others.is_complete &&
	    f->counts.others.n_spans > 0) {
		units_count(f->counts.others.n_spans, n);
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
	char n[UNITS_MAX];

	if (f->err.kind != ERR_NONE) {
		add_error(&f->err, form, out);
	} else if (!finder_is_on(app)) {
		return;
	} else if (f->is_waiting) {
		buf_adds(out,
			 form < 2 ? "searching\342\200\246; Esc stops it"
				  : "searching\342\200\246");
	} else if (!search->is_complete || !finder_counts_are_current(app) ||
		   !f->counts.range.has_sums) {
		buf_adds(out, "\342\200\246");
	} else if (f->n_lanes > 0) {
		buf_addf(out, "lane %d of %d with this name; no span matches", f->lane_number,
			 f->n_lanes);
	} else if (search->n_functions == 0) {
		buf_adds(out,
			 search->is_costly         ? "the pattern takes too long"
				 : !search->labels ? "no function matches"
				 : has_labels(app) ? "no sample matches"
						   : "the samples of this view have no labels");
	} else if (f->has_none) {
		units_count(search->n_functions, n);
		buf_addf(out, "%s function%s, no span on the lanes shown", n,
			 plural(search->n_functions));
	} else {
		struct buf counts = { 0 };

		if (form < 3 && f->note)
			buf_addf(out, "%s: ", f->note);
		add_counts(app, form, &counts);
		buf_adds(out, buf_text(&counts));
		if (form < 2 && search->is_costly)
			buf_adds(out, "; the pattern takes too long, there may be more");
		buf_done(&counts);
	}
}
