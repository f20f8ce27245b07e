/* SPDX-License-Identifier: GPL-2.0-or-later */
/* While the prompt is open, each change of its text starts from the origin again, so the match that
 * a pattern leads to does not depend on how fast it was typed. Esc restores the origin and the
 * search before. */
#include "config.h"

#include "ui/chart/finder.h"

#include "analyse/cover.h"
#include "analyse/search.h"
#include "base/alloc.h"
#include "base/budget.h"
#include "base/buf.h"
#include "base/text.h"
#include "base/units.h"
#include "draw/chart.h"
#include "ui/chart/finder_counts.h"
#include "ui/chart/folds.h"
#include "ui/chart/lanes.h"
#include "ui/chart/marks.h"
#include "ui/chart/scene.h"
#include "ui/chart/select.h"
#include "ui/key.h"
#include "ui/line/prompt.h"
#include "ui/same_frames.h"
#include "ui/state.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

static bool finder_pattern(struct app *app, const char *text, bool is_plain);

/* ==== finder target ====
 *
 * A target is freed in one place, as search and filter both hold two of them. */

void finder_target_done(struct finder_target *target)
{
	search_done(&target->search);
	buf_done(&target->name);
	*target = (struct finder_target){ 0 };
}

struct budget finder_target_step(int64_t key_ns)
{
	return budget_ns(key_ns < FINDER_STEP_NS ? key_ns : FINDER_STEP_NS);
}

/* ==== finder answer ====
 *
 * What was found, in words: the number of matching spans and functions, their time and share, and
 * the number of the selected match. */

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

	if (part <= 0 || whole <= 0 || chart_diff_shown(app))
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
	if (has_only_marks(app) || chart_diff_shown(app)) {
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

/* ==== finder lanes ====
 *
 * If no span matches, lanes do whose name matches the pattern: threads, tracks, counters. */

static bool is_match(const struct app *app, int lane)
{
	const struct profile *p = app->s.profile;
	str_id name = app->s.lanes[lane].lane->name;
	size_t from, end;

	return !app->s.lanes[lane].is_hidden && lanes_head(&app->s, lane) == lane &&
		pattern_find(app->finder.target.search.pattern, profile_text(p, name),
			     intern_len(&p->strings, name), &from, &end);
}

void finder_lanes_walk(struct app *app, bool is_next)
{
	struct finder *f = &app->finder;
	int n = app->s.chart.n_lanes, step = is_next ? 1 : n - 1, at = app->s.chart.lane,
	    first = at;

	f->n_lanes = f->lane_number = 0;
	if (!f->target.search.pattern || f->target.search.labels || app->mode != VIEW_TIME ||
	    at < 0)
		return;
	do
		at = (at + step) % n;
	while (at != first && !is_match(app, at));
	for (int i = 0; i < n; i++) {
		f->n_lanes += is_match(app, i);
		if (i == at)
			f->lane_number = f->n_lanes;
	}
	if (!f->n_lanes)
		return;
	lanes_shut(app, at, false);
	if (at != app->s.chart.lane)
		select_lane(app, at);
	select_reveal_row(app);
}

/* ==== finder query ====
 *
 * A search without its results, as a value that refers to no profile: app_state keeps it, and the
 * app of another profile of the same files searches for the same. */

void finder_query_get(const struct app *app, struct finder_query *query)
{
	const struct finder *f = &app->finder;

	*query = (struct finder_query){ .is_plain = f->target.is_plain,
					.is_function = f->target.is_function,
					.is_told = f->is_told };
	if (!finder_is_on(app))
		return;
	query->text = xstrdup(finder_name(app));
	if (query->is_function)
		same_frames_list(app->s.profile, &f->target.frame, 1, &query->same);
}

void finder_query_done(struct finder_query *query)
{
	free(query->text);
	same_frames_done(&query->same);
	*query = (struct finder_query){ 0 };
}

void finder_query_apply(struct app *app, const struct finder_query *query)
{
	if (!query->text)
		return;
	if (query->is_function) {
		frame_id frame = same_frames_first(app->s.profile, &query->same);

		if (frame != FRAME_NONE)
			finder_function(app, frame);
	} else {
		finder_pattern(app, query->text, query->is_plain);
	}
	app->finder.is_told = query->is_told && finder_is_on(app);
}

/* ==== finder ==== */

#define MOVE_WORK (BUDGET_STEP / 4) /* units of work of going to a match */

static void work_a_step(struct app *app)
{
	struct budget step = finder_target_step(app->key_ns);

	finder_work(app, &step);
}

/* ---- what is searched for ---- */

bool finder_is_on(const struct app *app)
{
	return app->finder.target.search.matches != NULL;
}

/* Whether a function that was found may fold. */
static bool has_foldable(const struct app *app)
{
	const struct profile *p = app->s.profile;
	const uint8_t *found = app->finder.target.search.matches;
	frame_id f = 1;

	while (f < p->frames.n && !(found[f] && fold_can(profile_frame(p, f)->category)))
		f++;
	return f < p->frames.n;
}

void finder_settle(struct app *app)
{
	struct finder *f = &app->finder;

	/* While the user types, nothing jumps. Samples that match stand in no row. */
	if (f->settled == f->serial || (finder_is_on(app) && (!f->is_ready || f->is_unlit)))
		return;
	f->settled = f->serial;
	f->shown = finder_is_on(app) && !f->target.search.labels && has_foldable(app) ? f->serial
										      : 0;
}

uint8_t *finder_found(const struct app *app, unsigned *search)
{
	const struct finder *f = &app->finder;

	*search = f->shown;
	return f->shown && f->shown == f->serial ? f->target.search.matches : NULL;
}

void finder_redraw(struct app *app)
{
	struct finder *f = &app->finder;

	for (uint32_t i = 0; f->rows && i < f->n_rows; i++)
		match_rows_free(f->rows[i]);
	free(f->rows);
	f->rows = NULL;
	search_done(&f->drawn);
	app->s.chart.match_rows = NULL;
}

static void origin_done(struct finder_origin *o)
{
	free(o->folds);
	*o = (struct finder_origin){ 0 };
}

/* What was asked for is done, or not to be done. After Enter, Esc does not restore anything any
 * longer. */
static void end_wait(struct finder *f)
{
	if (f->is_accepting) {
		finder_target_done(&f->earlier);
		origin_done(&f->origin);
	}
	f->is_waiting = f->is_accepting = f->is_late = false;
	f->n_moves = 0;
}

/* Drop everything that was computed for the search before. */
static void renew(struct app *app)
{
	struct finder *f = &app->finder;

	end_wait(f);
	finder_counts_forget(&f->counts);
	f->serial++;
	finder_redraw(app);
	f->is_jumping = f->has_none = f->is_ready = f->has_at = false;
	f->n_lanes = 0;
	f->note = NULL;
	f->is_unlit = false;
	buf_clear(&f->where);
	app->s.chart.matches = search_set(&f->target.search);
}

/* ---- light ---- */

/* Copy what is highlighted, before its search goes. */
static void keep_light(struct app *app)
{
	struct finder *f = &app->finder;

	if (f->is_unlit)
		return;
	match_set_done(&f->kept);
	/* Which samples match is gone with the search. */
	if (!app->s.chart.matches.labels)
		f->kept = match_set_copy(&app->s.chart.matches, app->s.profile->frames.n,
					 app->s.profile);
}

bool finder_is_unlit(const struct app *app)
{
	return app->finder.is_unlit;
}

void finder_light(struct app *app)
{
	app->finder.is_unlit = false;
}

/* Search for a pattern. False: there is no search, as the pattern is empty or invalid (err). */
static bool finder_pattern(struct app *app, const char *text, bool is_plain)
{
	struct finder *f = &app->finder;

	finder_target_done(&f->target);
	f->err = (struct error)ERROR_INIT;
	f->target.is_plain = is_plain;
	buf_adds(&f->target.name, text);
	if (*text)
		search_init(&f->target.search, app->s.profile, text, strlen(text), is_plain,
			    &f->err);
	renew(app);
	return finder_is_on(app);
}

/* ---- the origin ---- */

static void origin_take(struct app *app)
{
	struct finder_origin *o = &app->finder.origin;

	*o = (struct finder_origin){ .view = app->s.view,
				     .lane = app->s.chart.lane,
				     .has_selection = app->s.chart.has_selection,
				     .self_ns = app->s.self_ns };
	if (o->has_selection)
		o->selected = folds_selected_span(&app->s);
	marks_take(&app->s, &o->place);
	o->folds = xcalloc((size_t)app->s.chart.n_lanes + 1, 1);
	for (int i = 0; i < app->s.chart.n_lanes; i++)
		o->folds[i] = (uint8_t)(app->s.lanes[i].is_open | app->s.lanes[i].is_shut << 1 |
					app->s.lanes[i].is_away << 2 |
					app->s.lanes[i].is_pooled << 3);
}

static void origin_give_back(struct app *app)
{
	const struct finder_origin *o = &app->finder.origin;

	app->s.view = o->view;
	app->s.chart.lane = o->lane;
	app->s.chart.has_selection = o->has_selection;
	if (o->has_selection)
		folds_close(&app->s, o->lane, &o->selected, &app->s.chart.selected);
	app->s.self_ns = o->self_ns;
	app->s.has_goal = false;
	for (int i = 0; i < app->s.chart.n_lanes; i++) {
		app->s.lanes[i].is_open = o->folds[i] & 1;
		app->s.lanes[i].is_shut = o->folds[i] >> 1 & 1;
		app->s.lanes[i].is_away = o->folds[i] >> 2 & 1;
		app->s.lanes[i].is_pooled = o->folds[i] >> 3 & 1;
	}
	groups_place_others(app);
	state_clamp_scroll(app);
}

const char *finder_name(const struct app *app)
{
	return buf_text(&app->finder.target.name);
}

void finder_done(struct app *app)
{
	struct finder *f = &app->finder;

	finder_counts_forget(&f->counts);
	finder_redraw(app);
	match_set_done(&f->kept);
	finder_target_done(&f->target);
	finder_target_done(&f->earlier);
	origin_done(&f->origin);
	buf_done(&f->where);
	prompt_done(&app->prompt);
}

/* Repeat the last search of the history. */
static bool search_again(struct app *app)
{
	const char *last = prompt_last(&app->prompt);

	if (!last) {
		state_say(app, false, "no search to repeat; / starts one");
		return false;
	}
	if (finder_pattern(app, last, app->prompt.is_plain))
		return true;
	/* A text typed as plain text may be an invalid pattern. */
	state_say(app, true, "%s", app->finder.err.text);
	return false;
}

/* Do what was asked for, if it can be done soon; otherwise finder_work() does it between keys. */
static void wait(struct app *app)
{
	struct finder *f = &app->finder;
	struct budget budget = budget_ns(app->key_ns);

	f->is_waiting = f->is_told = true;
	finder_work(app, &budget);
	f->is_late = f->is_waiting;
}

void finder_walk(struct app *app, int n)
{
	if (!finder_is_on(app) && !search_again(app))
		return;
	app->finder.n_moves = n;
	app->finder.origin.view = app->s.view;
	marks_take(&app->s, &app->finder.origin.place);
	wait(app);
}

void finder_function(struct app *app, frame_id frame)
{
	struct finder *f = &app->finder;

	finder_target_done(&f->target);
	search_init_frame(&f->target.search, app->s.profile, frame);
	f->target.is_function = true;
	f->target.frame = frame;
	buf_adds(&f->target.name,
		 profile_text(app->s.profile, profile_frame(app->s.profile, frame)->name));
	renew(app);
	f->is_told = true;
	work_a_step(app);
}

void finder_follow(struct app *app)
{
	struct finder *f = &app->finder;
	struct finder_target target;

	/* The origin belonged to the profile before. */
	if (app->prompt.kind == PROMPT_SEARCH) {
		finder_target_done(&f->target);
		f->target = f->earlier;
		f->earlier = (struct finder_target){ 0 };
		origin_done(&f->origin);
		prompt_close(&app->prompt, false);
	}
	if (!finder_is_on(app)) {
		/* A scene that comes back has the highlights of its time. */
		renew(app);
		return;
	}
	target = f->target;
	search_done(&target.search);
	f->target = (struct finder_target){ 0 };
	renew(app);
	if (target.is_function && target.frame < app->s.profile->frames.n)
		finder_function(app, target.frame);
	else if (!target.is_function)
		finder_pattern(app, buf_text(&target.name), target.is_plain);
	f->is_told = false;
	buf_done(&target.name);
}

bool finder_clear(struct app *app)
{
	if (!finder_is_on(app))
		return false;
	finder_target_done(&app->finder.target);
	renew(app);
	return true;
}

/* ---- the prompt ---- */

void finder_open(struct app *app)
{
	struct finder *f = &app->finder;

	origin_take(app);
	f->earlier = f->target;
	f->target = (struct finder_target){ 0 };
	f->err = (struct error)ERROR_INIT;
	renew(app);
	prompt_open(&app->prompt, PROMPT_SEARCH, NULL);
}

void finder_changed(struct app *app)
{
	struct finder *f = &app->finder;

	origin_give_back(app);
	keep_light(app);
	f->is_jumping = finder_pattern(app, buf_text(&app->prompt.text), app->prompt.is_plain);
	f->is_unlit = true;
	work_a_step(app);
}

static void cancel(struct app *app)
{
	struct finder *f = &app->finder;

	origin_give_back(app);
	origin_done(&f->origin);
	finder_target_done(&f->target);
	f->target = f->earlier;
	f->earlier = (struct finder_target){ 0 };
	f->err = (struct error)ERROR_INIT;
	f->is_accepting = false;
	renew(app);
}

void finder_cancel(struct app *app)
{
	cancel(app);
	prompt_close(&app->prompt, false);
}

void finder_accept(struct app *app)
{
	struct finder *f = &app->finder;

	if (f->err.kind != ERR_NONE)
		return;
	/* As in less and vi, an empty text repeats the last one. */
	if (app->prompt.text.len == 0) {
		const char *last = prompt_last(&app->prompt);

		if (!last) {
			finder_cancel(app);
			return;
		}
		f->is_jumping = finder_pattern(app, last, app->prompt.is_plain);
		if (!f->is_jumping) {
			prompt_older(&app->prompt);
			return;
		}
	}
	prompt_close(&app->prompt, true);
	f->is_accepting = true;
	wait(app);
}

bool finder_is_waiting(const struct app *app)
{
	return app->finder.is_waiting;
}

void finder_stop(struct app *app)
{
	struct finder *f = &app->finder;

	if (f->is_accepting)
		cancel(app);
	end_wait(f);
	f->is_told = false;
	finder_light(app);
}

/* ---- work between keys ---- */

/* Counts are needed only while they are on the screen. */
static bool wants_counts(const struct app *app)
{
	return finder_is_on(app) && (app->finder.is_told || app->prompt.kind == PROMPT_SEARCH);
}

bool finder_is_busy(const struct app *app)
{
	const struct finder *f = &app->finder;

	if (!finder_is_on(app))
		return false;
	return !f->is_ready || f->is_jumping || f->is_waiting ||
		(wants_counts(app) && !finder_counts_are_complete(app));
}

/* Find the matches of all lanes that are shown. Returns whether they are complete. */
static bool prepare(struct app *app, struct budget *budget)
{
	struct finder *f = &app->finder;

	if (!search_match(&f->target.search, budget))
		return false;
	for (int i = 0; i < app->s.chart.n_lanes; i++)
		if (!app->s.lanes[i].is_hidden &&
		    !search_prepare(&f->target.search, (uint32_t)i, budget))
			return false;
	return true;
}

/* Go to the matches that were asked for. Returns whether that is done. */
static bool move(struct app *app, struct budget *budget)
{
	struct finder *f = &app->finder;

	if (f->is_jumping)
		finder_move_first(app);
	f->is_jumping = false;
	while (f->n_moves) {
		bool is_next = f->n_moves > 0;

		f->n_moves -= is_next ? 1 : -1;
		if (!finder_move_on(app, is_next))
			f->n_moves = 0;
		else if (f->n_moves && budget_use(budget, MOVE_WORK))
			return false;
	}
	return true;
}

/* The answer is there. */
static void arrive(struct app *app)
{
	struct finder *f = &app->finder;
	/* Actions.c notes the jump of a key that did not have to wait. */
	bool has_waited = f->is_accepting || f->is_late;
	struct viewport before = f->origin.view;

	if (has_waited) {
		if (app->mode == VIEW_TIME)
			marks_jumped(app, &f->origin.place);
		if (before.t0 != app->s.view.t0 || before.t1 != app->s.view.t1)
			history_add(&app->s.history, &before, HISTORY_JUMP);
	}
	end_wait(f);
}

bool finder_work(struct app *app, struct budget *budget)
{
	struct finder *f = &app->finder;
	bool has_changed = !f->is_ready || f->is_jumping || f->is_waiting;
	struct budget half = budget_part(budget, 2);

	if (!finder_is_on(app))
		return false;
	/* A lane that was hidden may be shown. */
	if ((!f->is_ready || f->is_jumping || f->is_waiting) && !prepare(app, budget))
		return false;
	f->is_ready = true;
	/* While the user types, select the first match before counting. */
	if (f->is_jumping && !f->is_waiting) {
		move(app, budget);
		return true;
	}
	if (f->is_waiting) {
		/* If it does not take long, matches have rows of their own before one is selected.
		 */
		finder_light(app);
		finder_settle(app);
		folds_step(app, &half);
		if (!move(app, budget))
			return true;
		arrive(app);
	}
	if (!wants_counts(app))
		return has_changed;
	return finder_counts_step(app, budget) || has_changed;
}

/* ---- what the screen shows ---- */

static struct match_rows *make_rows(struct app *app, uint32_t lane)
{
	struct finder *f = &app->finder;
	bool is_folded = chart_is_folded(&app->s.chart, (int)lane);
	const struct search_lane *l;

	if (is_folded && !f->drawn.matches)
		search_init_drawn(&f->drawn, &f->target.search, &app->s.fold->profile);
	l = search_lane(is_folded ? &f->drawn : &f->target.search, lane);
	if (!reserve_has_room(match_rows_bytes(l)) || f->drawn.is_lacking) {
		f->target.search.is_lacking = true;
		return NULL;
	}
	return match_rows_new(l);
}

void finder_highlight(struct app *app)
{
	struct finder *f = &app->finder;

	app->s.chart.matches = f->is_unlit ? f->kept : search_set(&f->target.search);
	if (f->is_unlit)
		return;
	if (!finder_is_on(app) || !f->is_ready || f->is_jumping || f->is_waiting) {
		app->s.overview.has_matches = false;
		f->overview_cols = 0;
		if (f->target.search.labels)
			app->s.chart.matches = (struct match_set){ NULL, NULL, NULL };
		return;
	}
	if (!f->rows) {
		f->n_rows = (uint32_t)app->s.chart.n_lanes;
		f->rows = xcalloc((size_t)f->n_rows + 1, sizeof *f->rows);
	}
	for (uint32_t i = 0; i < f->n_rows; i++)
		if (app->s.lanes[i].cover && !f->rows[i])
			f->rows[i] = make_rows(app, i);
	app->s.chart.match_rows = f->rows;
	if (f->overview_cols == app->s.overview.cols && f->overview_serial == f->serial)
		return;
	overview_begin_marks(&app->s.overview);
	f->overview_cols = app->s.overview.cols;
	f->overview_serial = f->serial;
}
