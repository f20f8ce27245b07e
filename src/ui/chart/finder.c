/* SPDX-License-Identifier: GPL-2.0-or-later */
/* While the prompt is open, each change of its text starts from the origin again, so the match that
 * a pattern leads to does not depend on how fast it was typed. Esc restores the origin and the
 * search before. */
#include "config.h"

#include "ui/chart/finder.h"

#include "base/alloc.h"
#include "base/reserve.h"
#include "base/units.h"
#include "ui/chart/finder_move.h"
#include "ui/chart/folds.h"
#include "ui/chart/groups.h"
#include "ui/state.h"

#include <stdlib.h>
#include <string.h>

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

bool finder_has_in(const struct app *app, uint32_t lane)
{
	const struct search *search = &app->finder.target.search;
	const struct search_lane *l = search->lanes ? &search->lanes[lane] : NULL;

	return finder_is_on(app) && l && l->is_made && (l->near || l->has_any);
}

static void forget_rows(struct finder *f)
{
	for (uint32_t i = 0; f->rows && i < f->n_rows; i++)
		match_rows_free(f->rows[i]);
	free(f->rows);
	f->rows = NULL;
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
	forget_rows(f);
	f->is_jumping = f->has_none = f->is_ready = f->has_stretch = false;
	f->n_lanes = 0;
	f->note = NULL;
	f->is_unlit = false;
	buf_clear(&f->where);
	app->s.chart.matches = search_set(&f->target.search);
	app->s.chart.match_rows = NULL;
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

bool finder_pattern(struct app *app, const char *text, bool is_plain)
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
	forget_rows(f);
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

void finder_walk(struct app *app, bool is_next, int count)
{
	if (!finder_is_on(app) && !search_again(app))
		return;
	app->finder.n_moves = is_next ? count : -count;
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

	finder_light(app);
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
	struct search *search = &app->finder.target.search;
	const struct search_lane *l = search_lane(search, lane);

	if (!reserve_has_room(match_rows_bytes(l))) {
		search->is_lacking = true;
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
