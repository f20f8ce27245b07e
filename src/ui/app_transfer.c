/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What is handed over is what a user set: the window, by the clock of the files, as the start of
 * the profile may have moved; the place of the selection; what is open; panes, their order, the
 * search. */
#include "config.h"

#include "ui/app.h"

#include "ui/chart/lanes.h"
#include "ui/chart/select.h"
#include "ui/state.h"

#include <string.h>

bool app_is_settled(const struct app *app)
{
	return app->prompt.kind == PROMPT_NONE && app->prefix == KEYC_NONE && app->count == 0;
}

void app_set_loading(struct app *app, const char *text)
{
	buf_clear(&app->loading);
	buf_adds(&app->loading, text ? text : "");
}

/* ---- lanes ---- */

static bool is_same_lane(const struct app *a, int i, const struct app *b, int k)
{
	const struct lane *x = a->s.lanes[i].lane, *y = b->s.lanes[k].lane;

	return x->kind == y->kind && x->pid == y->pid && x->tid == y->tid &&
		x->is_joined == y->is_joined &&
		strcmp(profile_text(a->base, x->title), profile_text(b->base, y->title)) == 0;
}

/* The lane of `from` that is lane i of `app`; they mostly come in the same order, so it is looked
 * for from `near` on. -1: it is new. */
static int find_lane(const struct app *app, int i, const struct app *from, int near)
{
	int n = from->s.chart.n_lanes;

	for (int k = 0; k < n; k++)
		if (is_same_lane(app, i, from, (near + k) % n))
			return (near + k) % n;
	return -1;
}

/* What is open and hidden; returns the lane with the cursor, or -1. */
static int take_lanes(struct app *app, const struct app *from)
{
	int at = -1, near = 0;

	for (int i = 0; i < app->s.chart.n_lanes; i++) {
		int k = find_lane(app, i, from, near);

		if (k < 0)
			continue;
		app->s.lanes[i].is_open = from->s.lanes[k].is_open;
		app->s.lanes[i].is_hidden = from->s.lanes[k].is_hidden;
		if (app->s.lanes[i].has_group && from->s.lanes[k].has_group)
			lanes_shut(app, i, from->s.lanes[k].is_shut);
		at = k == from->s.chart.lane ? i : at;
		near = k + 1;
	}
	return at;
}

/* ---- places ---- */

/* From times of the one profile to those of the other. */
struct carry {
	int64_t shift;
	const struct samples *was, *is; /* of the lane with the cursor, where the times of the first
					   are made up; else NULL */
};

static int64_t carry_time(const struct carry *c, int64_t t)
{
	size_t i;

	if (!c->was || c->was->n == 0 || t < c->was->t[0])
		return t + c->shift;
	/* The same sample is the same place, whenever it turns out to be. */
	i = t >= c->was->t[c->was->n] ? c->was->n : samples_find(c->was, t);
	return c->is->t[i < c->is->n ? i : c->is->n];
}

static struct carry find_carry(const struct app *app, const struct app *from, int at)
{
	struct carry c = { 0 };

	if (!app->base->has_own_zero && !from->base->has_own_zero)
		c.shift = from->base->origin_ns - app->base->origin_ns;
	if (at >= 0 && profile_has_made_up_times(from->base) &&
	    app->s.lanes[at].lane->samples.n > 0) {
		c.was = &from->s.lanes[from->s.chart.lane].lane->samples;
		c.is = &app->s.lanes[at].lane->samples;
	}
	return c;
}

static void take_window(struct app *app, const struct app *from, const struct carry *c)
{
	const struct viewport *was = &from->s.view;

	if (was->t0 != was->t_min || was->t1 != was->t_max)
		viewport_set(&app->s.view, carry_time(c, was->t0), carry_time(c, was->t1));
	app->has_range = from->has_range;
	app->range_t0 = carry_time(c, from->range_t0);
	app->range_t1 = carry_time(c, from->range_t1);
}

/* The cursor is on a lane, and on no span of it. */
static void select_none(struct app *app, int lane)
{
	app->s.chart.lane = lane;
	app->s.chart.has_selection = false;
	app->s.has_goal = false;
	app->s.self_ns = 0;
}

/* The span at the place of the one that was selected, and the row of the screen that it was on. */
static void take_selection(struct app *app, const struct app *from, int at, const struct carry *c)
{
	const struct lane *lane = app->s.lanes[at].lane;
	struct viewport view = app->s.view;
	struct span span;

	if (from->s.chart.has_selection && lane->samples.n &&
	    span_at(&lane->samples, &lane->tree, from->s.chart.selected.depth,
		    carry_time(c, from->s.chart.selected.t0), &span))
		select_span(app, at, &span);
	else
		select_none(app, at);
	view.scroll = from->s.view.scroll - chart_lane_top(&from->s.chart, from->s.chart.lane) +
		chart_lane_top(&app->s.chart, at);
	app->s.view = view;
	state_clamp_scroll(app);
}

static void take_panes(struct app *app, const struct app *from)
{
	app->is_pane_open = from->is_pane_open;
	app->is_pane_chosen = from->is_pane_chosen;
	app->is_pane_max = from->is_pane_max;
	app->focus = from->focus;
	app->shown = from->shown;
	app->has_all_lanes = from->has_all_lanes;
	app->pane.tab = from->pane.tab;
	app->pane.has_idle = from->pane.has_idle;
	for (int i = 0; i < PANE_TABS; i++) {
		app->pane.tabs[i].sort = from->pane.tabs[i].sort;
		app->pane.tabs[i].is_reversed = from->pane.tabs[i].is_reversed;
	}
	app->function_list.sort = from->function_list.sort;
	app->function_list.is_reversed = from->function_list.is_reversed;
}

void app_take_over(struct app *app, struct app *from)
{
	struct prompt prompt = app->prompt;
	struct carry carry;
	int at;

	app_resize(app, from->rows, from->cols);
	app->prompt = from->prompt;
	from->prompt = prompt;
	/* Nobody did anything yet: it begins as it would have. */
	if (!from->is_begun)
		return;
	app->is_begun = true;
	app->is_help = from->is_help;
	app->help_scroll = from->help_scroll;
	app->s.chart.color = from->s.chart.color;
	app->s.chart.is_absolute = from->s.chart.is_absolute;
	at = take_lanes(app, from);
	/* Hit counts have no places in time: then it begins where it would have. */
	if (at < 0 || from->s.lanes[from->s.chart.lane].lane->has_timeline) {
		carry = find_carry(app, from, at);
		take_window(app, from, &carry);
		if (at >= 0)
			take_selection(app, from, at, &carry);
	}
	take_panes(app, from);
	finder_take(app, &from->finder, from->base);
}
