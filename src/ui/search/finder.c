/* SPDX-License-Identifier: GPL-2.0-or-later */
/* While the prompt is open, each change of its text starts from the origin again, so the match that
 * a pattern leads to does not depend on how fast it was typed. Esc restores the origin and the
 * search before. */
#include "config.h"

#include "ui/search/finder.h"

#include "base/alloc.h"
#include "base/reserve.h"
#include "base/units.h"
#include "model/lane_name.h"
#include "ui/chart/lanes.h"
#include "ui/chart/select.h"
#include "ui/state.h"

#include <stdlib.h>
#include <string.h>

#define PATIENCE_NS NS_PER_S /* limit for matching all functions on Enter and n */

static void work_a_step(struct app *app)
{
	struct budget step = budget_ns(FINDER_STEP_NS);

	finder_work(app, &step);
}

/* ---- what is searched for ---- */

bool finder_is_on(const struct app *app)
{
	return app->finder.target.search.matches != NULL;
}

static void forget_rows(struct finder *f)
{
	for (uint32_t i = 0; f->rows && i < f->n_rows; i++)
		match_rows_free(f->rows[i]);
	free(f->rows);
	f->rows = NULL;
}

/* Drop everything that was computed for the search before. */
static void renew(struct app *app)
{
	struct finder *f = &app->finder;

	finder_counts_forget(&f->counts);
	f->serial++;
	forget_rows(f);
	f->is_jumping = f->has_none = false;
	f->note = NULL;
	f->is_unlit = false;
	buf_clear(&f->where);
	app->s.chart.matches = f->target.search.matches;
	app->s.chart.match_rows = NULL;
}

/* ---- light ---- */

/* Copy what is highlighted, before its search goes. */
static void keep_light(struct app *app)
{
	struct finder *f = &app->finder;
	size_t n = app->s.profile->frames.n;

	if (f->is_unlit)
		return;
	free(f->kept);
	f->kept = NULL;
	if (!app->s.chart.matches)
		return;
	f->kept = xmalloc(n + 1);
	memcpy(f->kept, app->s.chart.matches, n);
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
				     .selected = app->s.chart.selected,
				     .self_ns = app->s.self_ns };
	marks_take(&app->s, &o->place);
	o->folds = xcalloc((size_t)app->s.chart.n_lanes + 1, 1);
	for (int i = 0; i < app->s.chart.n_lanes; i++)
		o->folds[i] = (uint8_t)(app->s.lanes[i].is_open | app->s.lanes[i].is_shut << 1);
}

static void origin_give_back(struct app *app)
{
	const struct finder_origin *o = &app->finder.origin;

	app->s.view = o->view;
	app->s.chart.lane = o->lane;
	app->s.chart.has_selection = o->has_selection;
	app->s.chart.selected = o->selected;
	app->s.self_ns = o->self_ns;
	app->s.has_goal = false;
	for (int i = 0; i < app->s.chart.n_lanes; i++) {
		app->s.lanes[i].is_open = o->folds[i] & 1;
		app->s.lanes[i].is_shut = o->folds[i] >> 1 & 1;
	}
	state_clamp_scroll(app);
}

static void origin_done(struct finder_origin *o)
{
	free(o->folds);
	*o = (struct finder_origin){ 0 };
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
	free(f->kept);
	finder_target_done(&f->target);
	finder_target_done(&f->earlier);
	origin_done(&f->origin);
	buf_done(&f->where);
	prompt_done(&app->prompt);
}

/* ---- going to matches ---- */

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

	return app->s.chart.has_selection && s->t1 >= app->s.view.t0 && s->t0 < app->s.view.t1;
}

static void go_to(struct app *app, const struct search_at *at)
{
	struct finder *f = &app->finder;

	buf_clear(&f->where);
	if ((int)at->lane != app->s.chart.lane)
		lane_name(app->s.profile, app->s.lanes[at->lane].lane, true, &f->where);
	select_span(app, (int)at->lane, &at->span);
}

/* Go to the first match from the selection or the start of the window on. */
static void jump(struct app *app)
{
	struct finder *f = &app->finder;
	int64_t t = is_selection_in_view(app) ? app->s.chart.selected.t0 : app->s.view.t0;
	uint8_t *is_shown = shown_lanes(app);
	struct search_at at;

	f->is_jumping = false;
	f->note = NULL;
	if (search_from(&f->target.search, is_shown, t, &at)) {
		go_to(app, &at);
	} else if (search_next(&f->target.search, is_shown, NULL, &at)) {
		f->note = "wrapped to the first";
		go_to(app, &at);
	} else {
		f->has_none = true;
	}
	free(is_shown);
}

/* Go to the next or previous match, wrapping around. False: there is none. */
static bool walk_once(struct app *app, const uint8_t *is_shown, bool is_next)
{
	struct finder *f = &app->finder;
	struct search *search = &f->target.search;
	struct search_at from = { (uint32_t)app->s.chart.lane, app->s.chart.selected }, to;
	bool has_found;

	/* If the selection is not in view, start at the edge of the window. */
	if (!is_selection_in_view(app))
		from = (struct search_at){ UINT32_MAX,
					   { .t0 = is_next ? app->s.view.t0 - 1
							   : app->s.view.t1 - 1 } };
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
	return has_found;
}

/* Match all functions: going to a match needs them. */
static void finish_matching(struct app *app)
{
	struct search *search = &app->finder.target.search;
	struct budget patience = budget_ns(PATIENCE_NS);

	if (!search_match(search, &patience))
		search_give_up(search);
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

void finder_walk(struct app *app, bool is_next, int count)
{
	uint8_t *is_shown;

	if (!finder_is_on(app) && !search_again(app))
		return;
	finish_matching(app);
	is_shown = shown_lanes(app);
	while (count-- > 0 && walk_once(app, is_shown, is_next))
		;
	free(is_shown);
	app->finder.is_told = true;
	work_a_step(app);
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

static void close_prompt(struct app *app, bool is_kept)
{
	struct finder *f = &app->finder;

	prompt_close(&app->prompt, is_kept);
	finder_target_done(&f->earlier);
	origin_done(&f->origin);
}

void finder_cancel(struct app *app)
{
	struct finder *f = &app->finder;

	origin_give_back(app);
	finder_target_done(&f->target);
	f->target = f->earlier;
	f->earlier = (struct finder_target){ 0 };
	f->err = (struct error)ERROR_INIT;
	renew(app);
	close_prompt(app, false);
}

void finder_accept(struct app *app)
{
	struct finder *f = &app->finder;
	const struct viewport before = f->origin.view;

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
	finish_matching(app);
	if (f->is_jumping)
		jump(app);
	finder_light(app);
	if (app->mode == VIEW_TIME)
		marks_jumped(app, &f->origin.place);
	close_prompt(app, true);
	if (before.t0 != app->s.view.t0 || before.t1 != app->s.view.t1)
		history_add(&app->s.history, &before, HISTORY_JUMP);
	f->is_told = true;
	work_a_step(app);
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
	return !f->target.search.is_complete || f->is_jumping ||
		(wants_counts(app) && !finder_counts_are_complete(app));
}

bool finder_work(struct app *app, struct budget *budget)
{
	struct finder *f = &app->finder;
	bool has_changed = false;

	if (!finder_is_on(app))
		return false;
	if (!f->target.search.is_complete) {
		if (!search_match(&f->target.search, budget))
			return false;
		has_changed = true;
	}
	/* Select the first match before counting. */
	if (f->is_jumping) {
		for (int i = 0; i < app->s.chart.n_lanes; i++)
			if (!app->s.lanes[i].is_hidden &&
			    !search_prepare(&f->target.search, (uint32_t)i, budget))
				return has_changed;
		jump(app);
		return true;
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

	app->s.chart.matches = f->is_unlit ? f->kept : f->target.search.matches;
	if (f->is_unlit)
		return;
	if (!finder_is_on(app) || !f->target.search.is_complete || f->is_jumping) {
		app->s.overview.has_matches = false;
		f->overview_cols = 0;
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
