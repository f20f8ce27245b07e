/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a search says: how many spans of how many functions, their time, and which of the spans is
 * selected. That one's number is how many begin before it: the spans in the range up to its start,
 * and those around it that begin with it. */
#include "config.h"

#include "ui/search/finder.h"

#include "base/text.h"
#include "base/units.h"
#include "ui/state.h"

/* ---- which of the matches ---- */

/* The selected span, if it is one of those that are counted. */
static const struct span *counted_span(const struct app *app)
{
	const struct finder *f = &app->finder;
	const struct chart *chart = &app->s.chart;
	const struct span *s = &chart->selected;

	if (!chart->has_selection || f->count.n_lanes != 1 ||
	    (int)f->count.lanes[0] != chart->lane || !state_lane(app)->has_timeline ||
	    !f->target.search.matches[state_lane(app)->tree.frame[s->node]] ||
	    s->t0 < f->count.t0 || s->t0 >= f->count.t1)
		return NULL;
	return s;
}

bool finder_has_place(const struct app *app)
{
	const struct finder *f = &app->finder;
	const struct span *s = counted_span(app);

	if (!s)
		return true;
	return f->before.is_complete && f->before.n_lanes == 1 &&
		f->before.lanes[0] == f->count.lanes[0] && f->before.t0 == f->count.t0 &&
		f->before.t1 == s->t0 && f->depth == s->depth;
}

bool finder_find_place(struct app *app, struct budget *budget)
{
	struct finder *f = &app->finder;
	const struct span *s = counted_span(app);
	const struct lane *lane = state_lane(app);
	struct span outer;

	if (!s || finder_has_place(app))
		return true;
	if (f->before.n_lanes != 1 || f->before.lanes[0] != f->count.lanes[0] ||
	    f->before.t0 != f->count.t0 || f->before.t1 != s->t0 || f->depth != s->depth) {
		search_count_done(&f->before);
		search_count_init(&f->before, &f->target.search, f->count.lanes, 1, f->count.t0,
				  s->t0);
		f->depth = s->depth;
		f->n_around = 0;
		for (int depth = 0; depth < s->depth; depth++)
			f->n_around += span_at(&lane->samples, &lane->tree, depth, s->t0, &outer) &&
				(outer.t0 == s->t0 || s->t0 == f->count.t0) &&
				f->target.search.matches[lane->tree.frame[outer.node]];
	}
	/* Nothing begins before the range does. */
	if (f->before.t1 <= f->before.t0)
		f->before.is_complete = true;
	return f->before.is_complete || search_count_step(&f->before, &f->target.search, budget);
}

/* `3 of `, where it is known. */
static void add_place(const struct app *app, struct buf *out)
{
	const struct finder *f = &app->finder;
	char n[UNITS_MAX];

	if (!f->count.is_complete || !counted_span(app) || !finder_has_place(app))
		return;
	units_count(f->before.n_spans + f->n_around + 1, n);
	buf_addf(out, "%s of ", n);
}

/* ---- the answer ---- */

/* `18.3 % of the range`: of what was sampled, without idle time as the pane has it. */
static void add_share(const struct app *app, int form, struct buf *out)
{
	const struct search_count *c = &app->finder.count;
	bool has_idle = app->pane.has_idle;
	int64_t part = c->ns - (has_idle ? 0 : c->matched_idle_ns),
		whole = c->sampled_ns - (has_idle ? 0 : c->idle_ns);
	char share[UNITS_MAX];

	if (part <= 0 || whole <= 0)
		return;
	units_percent(part, whole, share);
	buf_addf(out, " (%s%s%s)", share, form < 2 ? " of the range" : "",
		 form == 0 && !has_idle && c->idle_ns > 0 ? ", idle left out" : "");
}

static void add_time(const struct app *app, int form, struct buf *out)
{
	const struct search_count *c = &app->finder.count;
	char text[UNITS_MAX];

	if (app->s.lanes[app->s.chart.lane].lane->kind == LANE_MARKS) {
		buf_adds(out, form < 2 ? ", marks that take no time" : ", no time");
	} else if (app->s.lanes[app->s.chart.lane].lane->has_timeline) {
		units_time(c->ns, text);
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

static void add_counts(const struct app *app, int form, struct buf *out)
{
	const struct finder *f = &app->finder;
	char n[UNITS_MAX] = "\342\200\246", functions[UNITS_MAX];

	if (f->count.is_complete)
		units_count(f->count.n_spans, n);
	if (app->s.chart.lane < 0 || !app->s.lanes[app->s.chart.lane].lane->has_timeline) {
		buf_adds(out, "");
	} else {
		add_place(app, out);
		buf_addf(out, "%s span%s", n, plural(f->count.is_complete ? f->count.n_spans : 2));
	}
	if (form < 2) {
		units_count(f->count.n_functions, functions);
		buf_addf(out, "%s%s function%s", out->len ? " of " : "", functions,
			 plural(f->count.n_functions));
	}
	if (app->s.chart.lane >= 0)
		add_time(app, form, out);
	add_share(app, form, out);
	if (f->others.n_lanes > 0 && form < 2 && f->others.is_complete && f->others.n_spans > 0) {
		units_count(f->others.n_spans, n);
		buf_addf(out, "; %s on other lanes", n);
	}
}

void finder_answer(const struct app *app, int form, struct buf *out)
{
	const struct finder *f = &app->finder;
	const struct search *search = &f->target.search;
	char n[UNITS_MAX];

	if (f->err.kind != ERR_NONE) {
		buf_addf(out, "%s", f->err.text);
	} else if (!finder_is_on(app)) {
		return;
	} else if (!search->is_complete || !finder_has_counts(app)) {
		buf_adds(out, "\342\200\246");
	} else if (search->n_functions == 0) {
		buf_adds(out,
			 search->is_costly ? "the pattern takes too long" : "no function matches");
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
