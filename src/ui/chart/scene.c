/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Invariant: app->s.chart points to the window and the overview of app->s. A scene that is put away
 * is a copy, whose pointers are set right when it comes back. */
#include "config.h"

#include "ui/chart/scene.h"

#include "analyse/fold.h"
#include "base/alloc.h"
#include "draw/overview.h"
#include "draw/viewport.h"
#include "model/span_find.h"
#include "ui/chart/folds.h"
#include "ui/chart/lanes.h"
#include "ui/chart/select.h"
#include "ui/state.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* ==== history ====
 *
 * As in a browser: the windows stand in an array in their order, and going back or forward moves an
 * index. The place of the current window is written only when the index leaves it. HISTORY_MAX
 * bounds the array, so dropping the oldest may move the rest. */

void history_add(struct history *history, const struct viewport *before, enum history_kind kind)
{
	if (kind == HISTORY_PAN && history->last == HISTORY_PAN)
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

/* Go to place `to` of the array; the current window gets its place. */
static bool go(struct history *history, int to, struct viewport *view)
{
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

bool history_back(struct history *history, struct viewport *view)
{
	return go(history, history->at - 1, view);
}

bool history_forward(struct history *history, struct viewport *view)
{
	return go(history, history->at + 1, view);
}

/* ==== scene ==== */

#define ROLE_BYTES ((size_t)32) /* for each frame, about */

void scene_forget_panes(struct app *app)
{
	filter_follow(app);
	finder_follow(app);
	function_list_forget(&app->function_list);
	app->summary.has_lines = false;
	findings_walk_forget(app);
	pane_forget(&app->pane);
	app->pane.profile = app->s.profile;
	app->details.has_lines = false;
	source_page_forget(app);
	event_list_forget(&app->events_list);
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
		.color = before.color,
		.is_ascii = before.is_ascii,
		.times = before.times,
	};
	scene_forget_panes(app);
}

void scene_free_pictures(struct scene *s)
{
	for (int i = 0; i < s->chart.n_lanes; i++) {
		cover_free(s->lanes[i].cover);
		s->lanes[i].cover = NULL;
		lanes_free_strip(&s->lanes[i]);
		if (s->lanes[i].depths)
			depths_done(s->lanes[i].depths);
		free(s->lanes[i].depths);
		s->lanes[i].depths = NULL;
	}
	overview_done(&s->overview);
	span_find_done(&s->same);
}

void scene_make_roles(struct app *app)
{
	struct scene *s = &app->s;
	bool ignores = app->host && app->host->shows_cnames &&
		!app->host->shows_cnames(app->host->ctx);
	bool is_made = app->scheme.is_made && s->roles.profile == s->profile &&
		(!s->fold || s->roles.drawn == s->chart.profile) &&
		s->roles.color == s->chart.color && app->scheme.ignores_cnames == ignores;
	size_t n = s->profile->frames.n > app->base->frames.n ? s->profile->frames.n
							      : app->base->frames.n;

	if (is_made || s->has_no_roles)
		return;
	/* Without roles, frames have the colours of a profile of which nothing is known. */
	s->has_no_roles = !reserve_has_room(n * ROLE_BYTES);
	s->chart.roles = NULL;
	if (s->has_no_roles)
		return;
	if (!app->scheme.is_made && s->profile != app->base)
		frame_roles_scheme(app->base, &app->scheme);
	app->scheme.ignores_cnames = ignores;
	frame_roles_make(&s->roles, s->profile, &app->scheme, s->chart.color);
	if (s->fold)
		frame_roles_add(&s->roles, s->chart.profile);
	s->chart.roles = &s->roles;
}

void scene_end(struct app *app)
{
	struct scene *s = &app->s;

	scene_free_pictures(s);
	folds_drop(s);
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
	folds_drop(s);
	s->profile = profile;
	folds_drop(s);
	s->has_goal = false;
	scene_forget_panes(app);
	folds_make(app);
	if (s->chart.lane >= 0 && span_near(&profile->lanes[s->chart.lane], depth, t, &span)) {
		folds_close(s, s->chart.lane, &span, &span);
		select_span(app, s->chart.lane, &span);
	}
	view.scroll = s->view.scroll;
	s->view = view;
	state_clamp_scroll(app);
}
