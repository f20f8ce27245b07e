/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Invariant: app->s.chart points to the window and the overview of app->s. A scene that is put away
 * is a copy, whose pointers are set right when it comes back. */
#include "config.h"

#include "ui/chart/scene.h"

#include "base/alloc.h"
#include "ui/chart/lanes.h"
#include "ui/chart/select.h"
#include "ui/state.h"

#include <stdlib.h>
#include <string.h>

/* ==== history ====
 *
 * As in a browser: the windows stand in an array in their order, and going back or forward moves an
 * index. The place of the current window is written only when the index leaves it. HISTORY_MAX
 * bounds the array, so dropping the oldest may move the rest. */

void history_add(struct history *history, const struct viewport *before, const struct viewport *now,
		 enum history_kind kind)
{
	if ((before->t0 == now->t0 && before->t1 == now->t1) ||
	    (kind == HISTORY_PAN && history->last == HISTORY_PAN))
		return;
	if (history->at == HISTORY_MAX) {
		history->at--;
		memmove(history->views, history->views + 1,
			(size_t)history->at * sizeof(history->views[0]));
	}
	history->views[history->at++] = *before;
	history->n = history->at;
	history->last = kind;
}

bool history_go(struct history *history, int step, struct viewport *view)
{
	int to = history->at + step;

	history->last = HISTORY_NONE;
	if (to < 0 || to >= history->n)
		return false;
	history->views[history->at] = *view;
	if (history->n <= history->at)
		history->n = history->at + 1;
	history->at = to;
	*view = history->views[to];
	return true;
}

/* ==== folds ==== */

/* Free what was computed for the rows of a lane. */
static void free_rows(struct chart_lane *cl)
{
	cover_free(cl->cover);
	cl->cover = NULL;
	lanes_free_strip(cl);
	if (cl->depths)
		depths_done(cl->depths);
	free(cl->depths);
	cl->depths = NULL;
}

/* Whether a lane is drawn folded now. */
static bool is_folded(const struct scene *s, int lane)
{
	return fold_has(s->fold, lane) && chart_is_folded(&s->chart, lane);
}

void folds_close(const struct scene *s, int lane, const struct span *span, struct span *out)
{
	*out = *span;
	if (is_folded(s, lane))
		fold_close_span(s->fold, lane, span, out);
}

/* The other way: of a row that stands for several calls, the outermost one. */
static void folds_open(const struct scene *s, int lane, const struct span *span, struct span *out)
{
	*out = *span;
	if (is_folded(s, lane))
		fold_open_span(s->fold, lane, span, out);
}

#define LOOKED_MAX 20000 /* samples of a span that are looked at for its subject */

struct span folds_subject(const struct scene *s)
{
	int lane = s->chart.lane;
	const struct span *span = &s->chart.selected;
	const struct lane *of = &s->profile->lanes[lane];
	size_t end = span->end - span->first > LOOKED_MAX ? span->first + LOOKED_MAX : span->end,
	       best = span->first;
	const node_id *to;
	node_id node;
	struct span out = *span;
	int64_t most = 0;
	ALLOC_LOCAL int64_t *ns = NULL;

	/* The samples of merged calls are others. */
	if (!is_folded(s, lane) || !fold_is_run(s->fold, lane, span->node) ||
	    s->fold->lanes[lane].first) {
		folds_open(s, lane, span, &out);
		return out;
	}
	to = s->fold->lanes[lane].to;
	ns = xcalloc(of->tree.n, sizeof *ns);
	for (size_t i = span->first; i < end; i++) {
		node_id leaf = of->samples.leaf[i];

		ns[leaf] += to[leaf] == span->node
			? samples_time(&of->samples, i + 1) - samples_time(&of->samples, i)
			: 0;
		if (ns[leaf] > most) {
			most = ns[leaf];
			best = i;
		}
	}
	node = of->samples.leaf[best];
	while (node != NODE_ROOT && to[node] != span->node)
		node = of->tree.parent[node];
	if (node == NODE_ROOT ||
	    !span_of_sample(&of->samples, &of->tree, best, (int)of->tree.rows[node] - 1, &out))
		folds_open(s, lane, span, &out);
	return out;
}

struct span folds_selected_span(const struct scene *s)
{
	struct span span;

	folds_open(s, s->chart.lane, &s->chart.selected, &span);
	return span;
}

/* ---- which lanes are folded ---- */

/* The same if the lane has other rows now. */
static void forget_rows(struct chart_lane *cl)
{
	free_rows(cl);
	cl->is_fitted = false;
	cl->trunk = 0;
}

/* The same for all lanes that fold. */
static void forget_folded(struct scene *s)
{
	for (int i = 0; i < s->chart.n_lanes; i++)
		if (fold_has(s->fold, i))
			forget_rows(&s->lanes[i]);
}

/* The lane that is to be drawn: one in which nothing folds is that of the profile, which outlives
 * the folds. */
static const struct lane *wanted(const struct app *app, int lane)
{
	const struct scene *s = &app->s;

	return fold_has(s->fold, lane) && !s->lanes[lane].is_unfolded
		? &s->fold->profile.lanes[lane]
		: &s->profile->lanes[lane];
}

/* The selected call, of the lane as it is; there is one. */
static struct span selected_call(const struct app *app)
{
	return finder_move_at(app) ? app->finder.call : folds_selected_span(&app->s);
}

/* Draw a lane of the same times; the selection stays where it is. */
static void draw_lane(struct app *app, int lane, const struct lane *drawn)
{
	struct scene *s = &app->s;
	bool has_selection = s->chart.has_selection && s->chart.lane == lane;
	struct span span;

	if (has_selection)
		span = selected_call(app);
	app->details.has_lines = false;
	finder_redraw(app);
	s->lanes[lane].lane = drawn;
	forget_rows(&s->lanes[lane]);
	span_find_done(&s->same);
	if (!has_selection)
		return;
	folds_close(s, lane, &span, &s->chart.selected);
	s->self_ns = span_find_self_ns(drawn, &s->chart.selected);
	s->has_goal = false;
	s->is_following = true;
}

/* Draw a lane as it is wanted now. */
static void follow(struct app *app, int lane)
{
	struct scene *s = &app->s;
	const struct lane *drawn = wanted(app, lane);

	s->lanes[lane].has_packages = fold_has(s->fold, lane) && s->fold->lanes[lane].has_packages;
	if (drawn != s->lanes[lane].lane)
		draw_lane(app, lane, drawn);
}

void folds_follow(struct app *app)
{
	for (int i = 0; i < app->s.chart.n_lanes; i++)
		follow(app, i);
}

/* Fold a lane of the scene within the budget. Returns whether that is done. */
static bool make_lane(struct app *app, int lane, struct budget *budget)
{
	struct fold *fold = app->s.fold;
	uint32_t n_frames = fold ? fold->profile.frames.n : 0;
	bool is_done = !fold || fold_make(fold, lane, budget);

	/* What the search knows of the lanes that are drawn has the functions of before. */
	if (fold && fold->profile.frames.n != n_frames)
		finder_redraw(app);
	return is_done;
}

void folds_lane(struct app *app, int lane)
{
	make_lane(app, lane, BUDGET_UNLIMITED);
	follow(app, lane);
}

/* Whether calls of a lane are drawn or about to be: folds are made for no other lanes. */
static bool is_shown(const struct scene *s, int lane)
{
	const struct chart_lane *cl = &s->lanes[lane];

	return (cl->is_open && !cl->is_hidden && !cl->is_shut && !cl->is_pooled) ||
		(s->chart.has_selection && s->chart.lane == lane);
}

/* ---- the folds of a scene ---- */

/* Two sides, callers above callees, inverted calls, and frames that stand for files or others are
 * drawn as they are. */
static bool can_fold(const struct app *app)
{
	const struct scene *s = &app->s;

	return app->mode != VIEW_SANDWICH && !s->chart.sides &&
		transforms_shown(app)->group == GROUP_FUNCTION &&
		!(s->chart.n_lanes && s->lanes[0].is_flipped);
}

/* Drop the folds that are not complete. */
static void drop_next(struct scene *s)
{
	fold_free(s->folding);
	s->folding = NULL;
	s->is_folding = false;
}

/* Free the folds; the lanes are those of the profile. The selection is void. */
static void drop_folds(struct scene *s)
{
	for (int i = 0; i < s->chart.n_lanes; i++) {
		s->lanes[i].lane = &s->profile->lanes[i];
		s->lanes[i].has_packages = false;
	}
	s->chart.profile = s->profile;
	s->chart.as_is = NULL;
	frame_roles_done(&s->roles);
	s->chart.roles = NULL;
	fold_free(s->fold);
	s->fold = NULL;
	drop_next(s);
}

static struct fold_wish wish_of(const struct app *app)
{
	struct fold_wish wish = app->folds;

	if (!can_fold(app))
		wish.mode = FOLD_NONE;
	wish.is_merged = app->s.chart.is_merged;
	wish.found = finder_found(app, &wish.search);
	return wish;
}

static bool is_same_wish(const struct fold_wish *a, const struct fold_wish *b)
{
	return a->mode == b->mode && a->package == b->package && a->function == b->function &&
		a->is_merged == b->is_merged && a->search == b->search;
}

bool folds_are_due(const struct app *app)
{
	const struct fold_wish wish = wish_of(app);

	return !is_same_wish(&wish, &app->s.fold_wish);
}

void folds_renew(struct app *app)
{
	if (folds_are_due(app))
		folds_make(app);
}

/* Draw the lanes of a scene as they are. */
static void give_up(struct scene *s)
{
	struct span span;
	bool has_selection = s->fold && s->chart.has_selection;

	drop_next(s);
	if (!s->fold)
		return;
	if (has_selection)
		span = folds_selected_span(s);
	forget_folded(s);
	span_find_done(&s->same);
	drop_folds(s);
	if (has_selection) {
		s->chart.selected = span;
		s->self_ns = span_find_self_ns(s->lanes[s->chart.lane].lane, &span);
	}
}

void folds_give_up(struct app *app)
{
	app->details.has_lines = false;
	finder_redraw(app);
	give_up(&app->s);
	if (app->mode != VIEW_TIME)
		give_up(&app->time);
	app->s.fold_wish = wish_of(app);
}

/* Draw with other folds, or none. */
static void take(struct app *app, struct fold *fold)
{
	struct scene *s = &app->s;
	bool has_selection = s->chart.has_selection, had_folds = s->fold != NULL;
	struct span span;

	if (has_selection)
		span = selected_call(app);
	forget_folded(s);
	app->details.has_lines = false;
	finder_redraw(app);
	drop_folds(s);
	s->fold_wish = wish_of(app);
	s->fold = fold;
	if (s->fold) {
		s->chart.as_is = s->profile;
		s->chart.profile = &s->fold->profile;
	}
	if (!s->fold && !had_folds)
		return;
	s->chart.has_selection = false;
	forget_folded(s);
	for (int i = 0; i < s->chart.n_lanes; i++)
		follow(app, i);
	span_find_done(&s->same);
	if (!has_selection)
		return;
	s->chart.has_selection = true;
	folds_close(s, s->chart.lane, &span, &s->chart.selected);
	s->self_ns = span_find_self_ns(s->lanes[s->chart.lane].lane, &s->chart.selected);
	s->has_goal = false;
	s->is_following = true;
}

/* Begin to make the folds of a wish, or go on, for the lanes that are shown; then draw with them.
 * Returns whether that is done. */
static bool make_next(struct app *app, const struct fold_wish *wish, struct budget *budget)
{
	struct scene *s = &app->s;
	struct fold *fold;

	if (!s->is_folding || !is_same_wish(wish, &s->folding_wish)) {
		drop_next(s);
		s->folding = fold_new(s->profile, wish);
		s->folding_wish = *wish;
		s->is_folding = true;
	}
	for (int i = 0; s->folding && i < s->chart.n_lanes; i++)
		if (is_shown(s, i) && !fold_make(s->folding, i, budget))
			return false;
	fold = s->folding;
	s->folding = NULL;
	s->is_folding = false;
	take(app, fold);
	return true;
}

static void make_within(struct app *app, struct budget *budget)
{
	const struct fold_wish wish = wish_of(app);

	make_next(app, &wish, budget);
}

void folds_make(struct app *app)
{
	make_within(app, BUDGET_UNLIMITED);
}

bool folds_step(struct app *app, struct budget *budget)
{
	struct scene *s = &app->s;
	const struct fold_wish wish = wish_of(app);
	struct fold_wish before = s->fold_wish;

	if (is_same_wish(&before, &wish)) {
		drop_next(s);
		for (int i = 0; i < s->chart.n_lanes; i++)
			if (is_shown(s, i) && !make_lane(app, i, budget))
				return false;
		return true;
	}
	before.search = wish.search;
	return (!s->is_folding && !is_same_wish(&before, &wish)) || make_next(app, &wish, budget);
}

static void close_all(struct scene *s)
{
	for (int i = 0; i < s->chart.n_lanes; i++)
		s->lanes[i].is_unfolded = s->lanes[i].is_trunk_open = false;
}

void folds_set(struct app *app, enum fold_mode mode)
{
	struct budget budget = budget_ns(app->key_ns);

	app->folds.mode = mode;
	close_all(&app->s);
	if (app->mode != VIEW_TIME)
		close_all(&app->time);
	make_within(app, &budget);
}

/* ==== scene ==== */

#define ROLE_BYTES ((size_t)32) /* for each frame, about */

void scene_forget_panes(struct app *app)
{
	finder_follow(app);
	findings_walk_forget(app);
	panes_forget(app);
	app->pane.profile = app->s.profile;
}

void scene_begin(struct app *app, const struct profile *profile)
{
	struct scene *s = &app->s;
	struct chart before = s->chart;

	*s = (struct scene){ .profile = profile, .serial = ++app->n_scenes };
	s->lanes = xcalloc(profile->n_lanes, sizeof *s->lanes);
	for (uint32_t i = 0; i < profile->n_lanes; i++)
		s->lanes[i].lane = &profile->lanes[i];
	chart_lay_over(s->lanes, (int)profile->n_lanes);
	viewport_init(&s->view, 0, profile->t1 > VIEWPORT_MIN_NS ? profile->t1 : VIEWPORT_MIN_NS);
	s->chart = (struct chart){
		.profile = profile,
		.lanes = s->lanes,
		.n_lanes = (int)profile->n_lanes,
		.view = &s->view,
		.lane = -1,
		.counter_t = -1,
		.color = before.color,
		.is_ascii = before.is_ascii,
		.times = before.times,
	};
	scene_forget_panes(app);
}

void scene_free_pictures(struct scene *s)
{
	for (int i = 0; i < s->chart.n_lanes; i++)
		free_rows(&s->lanes[i]);
	overview_done(&s->overview);
	span_find_done(&s->same);
}

void scene_make_roles(struct app *app)
{
	struct scene *s = &app->s;
	bool ignores = app->host && app->host->shows_cnames &&
		!app->host->shows_cnames(app->host->ctx);
	/* Merged calls, and recordings without them, run for none. */
	enum chart_color color = s->chart.color == CHART_COLOR_REQUEST &&
			(app->mode != VIEW_TIME || !app->base->served.n)
		? CHART_COLOR_OWNERSHIP
		: s->chart.color;
	bool is_made = app->scheme.is_made && s->roles.profile == s->profile &&
		s->roles.color == color && app->scheme.ignores_cnames == ignores;
	bool has_runs = !s->fold ||
		(s->roles.drawn == s->chart.profile &&
		 s->roles.n_drawn == s->chart.profile->frames.n);
	size_t n = s->profile->frames.n > app->base->frames.n ? s->profile->frames.n
							      : app->base->frames.n;

	if ((is_made && has_runs) || s->has_no_roles)
		return;
	/* Without roles, frames have the colours of a profile of which nothing is known. */
	s->has_no_roles = !reserve_has_room(n * ROLE_BYTES);
	s->chart.roles = NULL;
	if (s->has_no_roles)
		return;
	app->scheme.ignores_cnames = ignores;
	if (!is_made)
		frame_roles_make(&s->roles, s->profile, app->base, &app->scheme, color);
	if (s->fold)
		frame_roles_add(&s->roles, s->chart.profile);
	s->chart.roles = &s->roles;
}

void scene_end(struct app *app)
{
	struct scene *s = &app->s;

	scene_free_pictures(s);
	drop_folds(s);
	free(s->lanes);
	frame_roles_done(&s->roles);
	s->chart.roles = NULL;
	s->lanes = NULL;
	s->chart.n_lanes = 0;
}

/* Find the span of a lane at time t and at `depth`, or at the largest depth below it that has one.
 */
static bool span_near(const struct lane *lane, int depth, int64_t t, struct span *out)
{
	if (lane->samples.n == 0)
		return false;
	while (depth >= 0 && !span_at(&lane->samples, &lane->tree, depth, t, out))
		depth--;
	return depth >= 0;
}

void scene_replace(struct app *app, const struct profile *profile)
{
	struct scene *s = &app->s;
	int64_t t = select_anchor(app);
	int depth = s->chart.has_selection ? folds_selected_span(s).depth : 0;
	struct viewport view = s->view;
	struct span span;

	s->chart.has_selection = false;
	scene_free_pictures(s);
	s->profile = profile;
	drop_folds(s);
	s->has_goal = false;
	scene_forget_panes(app);
	folds_make(app);
	if (s->chart.lane >= 0 && span_near(&profile->lanes[s->chart.lane], depth, t, &span))
		select_call(app, s->chart.lane, &span);
	view.scroll = s->view.scroll;
	s->view = view;
	state_clamp_scroll(app);
}
