/* SPDX-License-Identifier: GPL-2.0-or-later */
/* While the prompt is open, each change of its text starts from the origin again, so the match that
 * a pattern leads to does not depend on how fast it was typed. Esc restores the origin and the
 * search before. */
#include "config.h"

#include "ui/chart/finder.h"

#include "analyse/search_slices.h"
#include "base/alloc.h"
#include "base/text.h"
#include "base/units.h"
#include "model/profile.h"
#include "ui/chart/lanes.h"
#include "ui/chart/select.h"
#include "ui/state.h"

#include <stdlib.h>
#include <string.h>

/* Free what a target owns and make it empty. */
static void target_done(struct finder_target *target)
{
	search_done(&target->search);
	buf_done(&target->name);
	*target = (struct finder_target){ 0 };
}

/* A step of work after a letter, when a key may compute for key_ns. */
static struct budget letter_step(int64_t key_ns)
{
	return budget_ns(key_ns < FINDER_STEP_NS ? key_ns : FINDER_STEP_NS);
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

/* No span matches: select the next lane whose name does, or the previous one, and set n_lanes. */
static void walk_lanes(struct app *app, bool is_next)
{
	struct finder *f = &app->finder;
	int n = app->s.chart.n_lanes, step = is_next ? 1 : n - 1, at = app->s.chart.lane,
	    first = at;

	f->n_lanes = f->lane_number = 0;
	if (!f->target.search.pattern || f->target.search.subject >= PATTERN_LABEL ||
	    app->mode != VIEW_TIME || at < 0)
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
	lanes_shut(&app->s, at, false);
	if (at != app->s.chart.lane)
		select_lane(app, at);
	select_reveal_row(app);
}

/* ==== finder move ====
 *
 * Matches are walked through in the order of time over all lanes that are not hidden. */

/* Whether something matches on lanes of samples that are shown, or of requests that are served. */
static bool has_match_on(struct app *app, bool is_served)
{
	ALLOC_LOCAL uint8_t *is = xcalloc((size_t)app->s.chart.n_lanes + 1, 1);
	struct search_at at;

	for (int i = 0; i < app->s.chart.n_lanes; i++)
		is[i] = !app->s.lanes[i].is_hidden &&
			(is_served ? app->s.profile->lanes[i].served == LANE_SERVED
				   : app->s.profile->lanes[i].kind == LANE_SAMPLES);
	return search_next(&app->finder.target.search, is, NULL, false, &at);
}

/* By lane: 1 if it is to be walked through: it is not hidden. The times when a thread runs for a
 * request have its name, too: who asks for a route wants the request. The caller frees the array.
 */
static uint8_t *shown_lanes(struct app *app)
{
	uint8_t *is_shown = xcalloc((size_t)app->s.chart.n_lanes + 1, 1);
	bool is_of_requests = app->base->served.n && has_match_on(app, true) &&
		!has_match_on(app, false);

	for (int i = 0; i < app->s.chart.n_lanes; i++)
		is_shown[i] = !app->s.lanes[i].is_hidden &&
			(!is_of_requests || app->s.profile->lanes[i].kind != LANE_SLICES);
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

	buf_clear(&f->where);
	if ((int)at->lane != app->s.chart.lane)
		lane_name(app->s.profile, lane, true, &f->where);
	f->has_at = true;
	f->at = *at;
	f->call = f->target.search.labels ? call_of(lane, &at->span) : at->span;
	select_call(app, (int)at->lane, &f->call);
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

/* Go to the first match from the selection or the start of the window on; the first of all if there
 * is none. */
static void go_to_first(struct app *app)
{
	struct finder *f = &app->finder;
	int64_t t = is_selection_in_view(app) ? app->s.chart.selected.t0 : app->s.view.t0;
	ALLOC_LOCAL uint8_t *is_shown = shown_lanes(app);
	struct search_at at;

	f->note = NULL;
	if (marks_go_to_page(app, buf_text(&f->target.name), &f->stop)) {
		buf_adds(&f->stop, "");
	} else if (search_from(&f->target.search, is_shown, t, &at)) {
		go_to(app, &at);
	} else if (search_next(&f->target.search, is_shown, NULL, false, &at)) {
		f->note = "wrapped to the first";
		go_to(app, &at);
	} else {
		f->has_none = true;
		walk_lanes(app, true);
	}
}

/* Go to the next or previous match, wrapping around. False: there is none. */
static bool go_on(struct app *app, bool is_next)
{
	ALLOC_LOCAL uint8_t *is_shown = shown_lanes(app);
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
	buf_clear(&f->stop);
	has_found = search_next(search, is_shown, &from, !is_next, &to);
	if (!has_found) {
		f->note = is_next ? "wrapped to the first" : "wrapped to the last";
		has_found = search_next(search, is_shown, NULL, !is_next, &to);
	}
	f->has_none = !has_found;
	if (has_found)
		go_to(app, &to);
	else
		walk_lanes(app, is_next);
	return has_found;
}

/* ==== search ==== */

#define MOVE_WORK (BUDGET_STEP / 4) /* units of work of going to a match */

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
		target_done(&f->earlier);
		origin_done(&f->origin);
	}
	f->is_waiting = f->is_accepting = f->is_late = false;
	f->n_moves = 0;
}

/* Give a search the events that it is about. False: they are being read. */
static bool feed(struct app *app, struct finder_target *target)
{
	static const struct event_hits none = { .why = (char *)"no file can be read" };
	const struct event_source *from = &app->events;
	const struct event_hits *hits = &none;

	if (!target->search.wants_hits)
		return true;
	if (from->find)
		hits = from->find(from->finder, app->base, buf_text(&target->name),
				  target->is_plain, &app->finder.percent);
	if (hits)
		search_slices_take(&target->search, hits);
	return hits != NULL;
}

bool finder_is_reading(const struct app *app)
{
	return app->finder.target.search.wants_hits || app->filter.target.search.wants_hits;
}

/* A search that goes on to read begins again. */
static void stop_reading(struct app *app)
{
	if (app->events.stop)
		app->events.stop(app->events.finder);
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
	buf_clear(&f->stop);
	app->s.chart.matches = search_set(&f->target.search);
	stop_reading(app);
}

/* ---- work between keys ---- */

/* Counts are needed only while they are on the screen. */
static bool wants_counts(const struct app *app)
{
	return finder_is_on(app) && (app->finder.is_told || app->prompt.kind == PROMPT_SEARCH);
}

static bool is_search_busy(const struct app *app)
{
	const struct finder *f = &app->finder;

	if (!finder_is_on(app) || f->target.search.wants_hits)
		return false;
	return !f->is_ready || f->is_jumping || f->is_waiting ||
		(wants_counts(app) && !finder_counts_are_complete(app));
}

/* Find the matches of all lanes that are shown. Returns whether they are complete. */
static bool prepare(struct app *app, struct budget *budget)
{
	struct finder *f = &app->finder;

	if (!feed(app, &f->target) || !search_match(&f->target.search, budget))
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
		go_to_first(app);
	f->is_jumping = false;
	while (f->n_moves) {
		bool is_next = f->n_moves > 0;

		f->n_moves -= is_next ? 1 : -1;
		if (!go_on(app, is_next))
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
	/* ui/actions.c notes the jump of a key that did not have to wait. */
	bool has_waited = f->is_accepting || f->is_late;

	if (has_waited) {
		if (app->mode == VIEW_TIME)
			marks_jumped(app, &f->origin.place);
		history_add(&app->s.history, &f->origin.view, &app->s.view, HISTORY_JUMP);
	}
	if (f->has_at)
		event_list_go(app, &f->call);
	end_wait(f);
}

static bool work_search(struct app *app, struct budget *budget)
{
	struct finder *f = &app->finder;
	bool has_changed = !f->is_ready || f->is_jumping || f->is_waiting;
	struct budget half = budget_half(budget);

	if (!finder_is_on(app))
		return false;
	/* A lane that was hidden may be shown. */
	if ((!f->is_ready || f->is_jumping || f->is_waiting) && !prepare(app, budget))
		return false;
	f->is_ready = true;
	/* While the user types, select the first match before counting. */
	if (f->is_jumping && !f->is_waiting) {
		/* Reading may take long: the user may have gone elsewhere. */
		f->is_jumping = !pattern_is_of_events(f->target.search.subject) ||
			(f->origin.view.t0 == app->s.view.t0 &&
			 f->origin.view.t1 == app->s.view.t1);
		move(app, budget);
		return true;
	}
	if (f->is_waiting) {
		/* If it does not take long, matches have rows of their own before one is selected.
		 */
		f->is_unlit = false;
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

static void work_a_step(struct app *app)
{
	struct budget step = letter_step(app->key_ns);

	work_search(app, &step);
}

/* Do what was asked for, if it can be done soon; otherwise work_search() does it between keys. */
static void wait(struct app *app)
{
	struct finder *f = &app->finder;
	struct budget budget = budget_ns(app->key_ns);

	f->is_waiting = f->is_told = true;
	work_search(app, &budget);
	if (f->target.search.wants_hits) {
		end_wait(f);
		f->is_jumping = true;
		f->origin.view = app->s.view;
	}
	f->is_late = f->is_waiting;
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
	if (!match_set_is_of_spans(&app->s.chart.matches))
		f->kept = match_set_copy(&app->s.chart.matches, app->s.profile->frames.n,
					 app->s.profile);
}

bool finder_set(struct app *app, const char *text, bool is_plain)
{
	struct finder *f = &app->finder;

	target_done(&f->target);
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
	groups_settle(&app->s);
	state_clamp_scroll(app);
}

void finder_done(struct app *app)
{
	struct finder *f = &app->finder;

	finder_counts_forget(&f->counts);
	finder_redraw(app);
	match_set_done(&f->kept);
	target_done(&f->target);
	target_done(&f->earlier);
	origin_done(&f->origin);
	buf_done(&f->where);
	buf_done(&f->stop);
	prompt_done(&app->prompt);
	stop_reading(app);
}

/* Repeat the last search of the history. */
static bool search_again(struct app *app)
{
	const char *last = prompt_last(&app->prompt);

	if (!last)
		return state_refuse(app, false, "no search to repeat; / starts one");
	if (finder_set(app, last, app->prompt.is_plain))
		return true;
	/* A text typed as plain text may be an invalid pattern. */
	return state_refuse(app, true, "%s", app->finder.err.text);
}

/* Go on by `n` matches, or back if it is negative. */
unsigned finder_walk(struct app *app, int n)
{
	if (state_focus(app) == KEYMAP_FLEET)
		return fleet_pane_walk(app, n);
	if (!finder_is_on(app) && !search_again(app))
		return APP_REDRAW;
	app->finder.n_moves = n;
	app->finder.origin.view = app->s.view;
	marks_take(&app->s, &app->finder.origin.place);
	wait(app);
	return APP_REDRAW;
}

void finder_function(struct app *app, frame_id frame)
{
	struct finder *f = &app->finder;

	target_done(&f->target);
	search_init_frame(&f->target.search, app->s.profile, frame);
	f->target.is_function = true;
	f->target.frame = frame;
	profile_add_name(app->s.profile, profile_frame(app->s.profile, frame), &f->target.name);
	renew(app);
	f->is_told = true;
	work_a_step(app);
}

static void follow_search(struct app *app)
{
	struct finder *f = &app->finder;
	struct finder_target target;

	/* The origin belonged to the profile before. */
	if (app->prompt.kind == PROMPT_SEARCH) {
		target_done(&f->target);
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
		finder_set(app, buf_text(&target.name), target.is_plain);
	f->is_told = false;
	buf_done(&target.name);
}

bool finder_clear(struct app *app)
{
	if (!finder_is_on(app))
		return false;
	target_done(&app->finder.target);
	renew(app);
	return true;
}

/* ---- the prompt ---- */

unsigned finder_open(struct app *app)
{
	struct finder *f = &app->finder;

	if (app->prompt.kind != PROMPT_NONE)
		return APP_REDRAW;
	/* Rows of these panes are no functions of the chart. */
	if (state_focus(app) == KEYMAP_FLEET)
		return fleet_pane_search(app);
	if (app->is_pane_open && app->focus == KEYMAP_PANE && app->shown == &process_list_pane)
		return filter_open(app);
	origin_take(app);
	f->earlier = f->target;
	f->target = (struct finder_target){ 0 };
	f->err = (struct error)ERROR_INIT;
	renew(app);
	prompt_open(&app->prompt, PROMPT_SEARCH, NULL);
	return APP_REDRAW;
}

static void text_changed(struct app *app)
{
	struct finder *f = &app->finder;

	origin_give_back(app);
	keep_light(app);
	f->is_jumping = finder_set(app, buf_text(&app->prompt.text), app->prompt.is_plain);
	f->is_unlit = true;
	work_a_step(app);
}

static void cancel(struct app *app)
{
	struct finder *f = &app->finder;

	origin_give_back(app);
	origin_done(&f->origin);
	target_done(&f->target);
	f->target = f->earlier;
	f->earlier = (struct finder_target){ 0 };
	f->err = (struct error)ERROR_INIT;
	f->is_accepting = false;
	renew(app);
}

static void cancel_prompt(struct app *app)
{
	cancel(app);
	prompt_close(&app->prompt, false);
}

static void accept(struct app *app)
{
	struct finder *f = &app->finder;

	if (f->err.kind != ERR_NONE)
		return;
	/* As in less and vi, an empty text repeats the last one. */
	if (app->prompt.text.len == 0) {
		const char *last = prompt_last(&app->prompt);

		if (!last) {
			cancel_prompt(app);
			return;
		}
		f->is_jumping = finder_set(app, last, app->prompt.is_plain);
		if (!f->is_jumping) {
			prompt_older(&app->prompt);
			return;
		}
	}
	prompt_close(&app->prompt, true);
	f->is_accepting = true;
	wait(app);
}

const struct prompt_user finder_prompt = { text_changed, accept, cancel_prompt };

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
	if (f->is_unlit) {
		/* What is marked is of a search that is gone. */
		if (!overview_end_marks(&app->s.overview))
			f->overview_cols = 0;
		return;
	}
	if (!finder_is_on(app) || !f->is_ready || f->is_jumping || f->is_waiting) {
		app->s.overview.has_matches = false;
		f->overview_cols = 0;
		if (match_set_is_of_spans(&app->s.chart.matches))
			app->s.chart.matches = (struct match_set){ 0 };
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

/* ==== filter ====
 *
 * Until the pattern has been matched with all functions, the pane shows all rows. */

static void hand_over(struct app *app)
{
	struct search *search = &app->filter.target.search;
	struct match_set set = { 0 };

	if (search->is_complete)
		set = search_set(search);
	pane_set_filter(&app->pane, &set);
	event_list_forget(app);
}

/* The filter before is not needed any longer. */
static void end_filter_wait(struct filter *f)
{
	f->is_waiting = false;
	target_done(&f->before);
}

static void drop_filter(struct app *app)
{
	if (app->filter.is_waiting)
		end_filter_wait(&app->filter);
	pane_set_filter(&app->pane, NULL);
	event_list_forget(app);
	target_done(&app->filter.target);
	stop_reading(app);
}

static bool is_filter_busy(const struct app *app)
{
	const struct search *search = &app->filter.target.search;

	return search->matches && !search->is_complete && !search->wants_hits;
}

static bool work_filter(struct app *app, struct budget *budget)
{
	if (!feed(app, &app->filter.target) || !is_filter_busy(app) ||
	    !search_match(&app->filter.target.search, budget))
		return false;
	hand_over(app);
	if (app->filter.is_waiting) {
		end_filter_wait(&app->filter);
		buf_clear(&app->message);
	}
	return true;
}

void filter_set(struct app *app, const char *text, bool is_plain)
{
	struct filter *f = &app->filter;
	struct budget step;
	size_t skip;

	drop_filter(app);
	f->err = (struct error)ERROR_INIT;
	f->target.is_plain = is_plain;
	buf_adds(&f->target.name, text);
	if (pattern_subject(text, strlen(text), &skip) == PATTERN_LABEL)
		error_set(&f->err, ERR_SYNTAX, 0,
			  "samples have labels, rows have not; :keep-function takes label:");
	else if (*text)
		search_init(&f->target.search, app->s.profile, text, strlen(text), is_plain,
			    &f->err);
	step = letter_step(app->key_ns);
	work_filter(app, &step);
}

void filter_done(struct app *app)
{
	drop_filter(app);
	target_done(&app->filter.before);
}

/* With the active pattern. */
unsigned filter_open(struct app *app)
{
	struct filter *f = &app->filter;

	if (!app->shown->is_filterable)
		state_say(app, false, "only tables and events can be filtered");
	if (!app->shown->is_filterable || app->prompt.kind != PROMPT_NONE)
		return APP_REDRAW;
	f->before = f->target;
	f->target = (struct finder_target){ 0 };
	f->err = (struct error)ERROR_INIT;
	prompt_open(&app->prompt, PROMPT_FILTER, buf_text(&f->before.name));
	if (f->before.search.matches)
		app->prompt.is_plain = f->before.is_plain;
	filter_set(app, buf_text(&app->prompt.text), app->prompt.is_plain);
	return APP_REDRAW;
}

static void filter_changed(struct app *app)
{
	filter_set(app, buf_text(&app->prompt.text), app->prompt.is_plain);
}

/* The next key acts on the filtered rows. */
static void accept_filter(struct app *app)
{
	struct filter *f = &app->filter;
	struct budget budget;

	if (f->err.kind != ERR_NONE)
		return;
	prompt_close(&app->prompt, true);
	budget = budget_ns(app->key_ns);
	work_filter(app, &budget);
	f->is_waiting = is_filter_busy(app);
	if (f->is_waiting)
		state_say(app, false, "filtering\342\200\246; Esc stops it");
	else
		end_filter_wait(f);
}

static void stop_filter(struct app *app)
{
	struct filter *f = &app->filter;

	f->is_waiting = false;
	drop_filter(app);
	f->target = f->before;
	f->before = (struct finder_target){ 0 };
	f->err = (struct error)ERROR_INIT;
	hand_over(app);
}

static void cancel_filter(struct app *app)
{
	stop_filter(app);
	prompt_close(&app->prompt, false);
}

const struct prompt_user filter_prompt = { filter_changed, accept_filter, cancel_filter };

static void follow_filter(struct app *app)
{
	struct finder_target target;

	if (app->prompt.kind == PROMPT_FILTER)
		cancel_filter(app);
	if (!app->filter.target.search.matches)
		return;
	target = app->filter.target;
	app->filter.target = (struct finder_target){ 0 };
	filter_set(app, buf_text(&target.name), target.is_plain);
	target_done(&target);
}

static void add_rows(const struct app *app, struct buf *out)
{
	size_t shown, all;

	if (!app->shown->count || !app->shown->count(app, &shown, &all))
		return;
	buf_addf(out, "%s of %s rows", units_count(shown, UNITS_ROOM),
		 units_count(all, UNITS_ROOM));
}

void filter_describe(const struct app *app, int cells, bool has_rows, struct buf *out)
{
	const struct finder_target *target = &app->filter.target;
	BUF_LOCAL rows = { 0 };

	if (!target->search.matches)
		return;
	buf_adds(out, "filter /");
	text_fit(out, buf_text(&target->name), target->name.len, cells);
	buf_adds(out, "/");
	if (has_rows)
		add_rows(app, &rows);
	if (rows.len)
		buf_addf(out, ", %s", buf_text(&rows));
}

void filter_answer(const struct app *app, struct buf *out)
{
	const struct filter *f = &app->filter;

	if (f->err.kind != ERR_NONE)
		buf_adds(out, f->err.text);
	else if (f->target.search.is_costly)
		buf_adds(out, "the pattern takes too long");
	else if (f->target.search.wants_hits)
		buf_addf(out, "reading the file, %d %%", app->finder.percent);
	else if (is_filter_busy(app))
		buf_adds(out, "\342\200\246");
	else if (f->target.search.matches)
		add_rows(app, out);
}

/* ==== finder ====
 *
 * What is done for both, the search and the filter. */

bool finder_is_busy(const struct app *app)
{
	return is_search_busy(app) || is_filter_busy(app);
}

bool finder_work(struct app *app, struct budget *budget)
{
	bool has_changed = work_filter(app, budget);

	return work_search(app, budget) || has_changed;
}

void finder_stop(struct app *app)
{
	if (app->finder.is_waiting) {
		struct finder *f = &app->finder;

		if (f->is_accepting)
			cancel(app);
		end_wait(f);
		f->is_told = false;
		f->is_unlit = false;
	} else if (app->filter.is_waiting) {
		stop_filter(app);
	}
}

void finder_follow(struct app *app)
{
	follow_filter(app);
	follow_search(app);
}
