/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A merged view is a scene of its own with a profile made for it; app->time keeps the scene of the
 * time line meanwhile.
 *
 * The profile is made in steps, between keys. Until it is complete, the view before is shown. It is
 * not replaced while a prompt is open, which keeps a span to go back to. */
#include "config.h"

#include "ui/chart/views.h"

#include "analyse/view/merged.h"
#include "base/alloc.h"
#include "base/reserve.h"
#include "base/text.h"
#include "base/units.h"
#include "draw/change.h"
#include "model/lane_name.h"
#include "model/lane_value.h"
#include "ui/app_state.h"
#include "ui/chart/folds.h"
#include "ui/chart/lanes.h"
#include "ui/chart/live.h"
#include "ui/chart/scene.h"
#include "ui/chart/select.h"
#include "ui/pane/pane_scope.h"
#include "ui/same_stack.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MERGED_BYTES 154 /* for each node, at most */

static const char *const hits_titles[] = {
	"All calls, merged. No time order: hit counts only, no samples"
};
static const char *const diff_titles[] = { change_legend };
static const char *const sandwich_titles[] = { "Callers, merged (read upwards)",
					       "Callees, merged (read downwards)" };

struct views_change {
	enum app_view view;
	frame_id frame;
	bool is_inverted;
	struct pane_scope scope;
	struct merged *merged;    /* NULL: not begun */
	struct sides_merge *diff; /* of two sides, instead of both; NULL: none */
	bool is_ready;            /* the work is complete */
};

bool views_stop(struct app *app)
{
	struct views_change *c = app->next_view;

	if (!c)
		return false;
	if (c->merged)
		profile_free(merged_end(c->merged, &(uint32_t){ 0 }));
	if (c->diff) {
		struct sides sides;

		profile_free(sides_merge_end(c->diff, &sides));
		sides_done(&sides);
	}
	pane_scope_done(&c->scope);
	free(c);
	app->next_view = NULL;
	return true;
}

bool views_cancel(struct app *app)
{
	if (app->is_help || !views_stop(app))
		return false;
	state_say(app, false, "stopped; the view stays as it is");
	return true;
}

void views_done(struct app *app)
{
	buf_done(&app->mode_text);
	buf_done(&app->merged_title);
}

enum app_view views_wanted(const struct app *app)
{
	return app->next_view ? app->next_view->view : app->mode;
}

void views_leave(struct app *app)
{
	views_stop(app);
	if (app->mode == VIEW_TIME)
		return;
	diff_leave(app);
	scene_end(app);
	app->s = app->time;
	app->s.chart.view = &app->s.view;
	app->s.chart.overview = &app->s.overview;
	profile_free(app->merged);
	app->merged = NULL;
	app->mode = VIEW_TIME;
	scene_forget_panes(app);
	folds_renew(app);
}

/* Whether all that the profile has are sums by stack. */
static bool has_sums(const struct app *app)
{
	const struct lane *lane = lane_value_first(app->base);

	return !views_has_time_order(app) && lane && lane->value.type;
}

/* Write the title of a view of one lane of calls: which calls these are. */
static void make_title(struct app *app, const struct pane_scope *scope, bool is_inverted)
{
	const struct viewport *view = &app->s.view;
	struct buf *title = &app->merged_title;
	char length[UNITS_MAX], from[UNITS_MAX];
	enum lane_kind kind;

	buf_clear(title);
	if (app->has_all_lanes && pane_scope_count(app, &kind) > 1)
		buf_addf(title, "%u lanes together", (unsigned)pane_scope_count(app, &kind));
	else if (app->s.chart.n_lanes > 1 && state_lane(app))
		lane_name(app->s.profile, state_lane(app), true, title);
	else
		buf_adds(title, "All calls");
	profile_value(app->base, scope->t1 - scope->t0, length);
	profile_value_near(app->base, scope->t0, (scope->t1 - scope->t0) / 100, from);
	if (live_is_moving(app) && !app->has_range)
		buf_addf(title, " of the last %s", length);
	else if (scope->t0 > view->t_min || scope->t1 < view->t_max)
		buf_addf(title, ", %s from %s on", length, from);
	buf_adds(title,
		 is_inverted ? ", inverted (read upwards: callers)" : ", merged, heaviest first");
	if (has_sums(app))
		buf_adds(title,
			 amount_is_time(&app->base->unit) ? ". No times of samples"
							  : ". Sums without order");
}

/* Describe what the view shows, for the header. n_levels: of callers; 0: all. */
static void describe(struct app *app, enum app_view view, frame_id frame,
		     const struct totals *totals, uint32_t n_levels)
{
	char time[UNITS_MAX], levels[UNITS_MAX];

	profile_value(app->base, totals->sampled_ns, time);
	buf_clear(&app->mode_text);
	if (view == VIEW_MERGED) {
		buf_addf(&app->mode_text, "merged: %s", time);
		if (!views_has_time_order(app)) {
			buf_adds(&app->mode_text, " of ");
			lane_value_text(app->base, lane_value_first(app->base), &app->mode_text);
		}
	} else {
		buf_adds(&app->mode_text, "callers and callees of ");
		text_fit(&app->mode_text,
			 profile_text(totals->profile, totals->view->frames[frame].name),
			 intern_len(&totals->profile->strings, totals->view->frames[frame].name),
			 24);
	}
	if (!n_levels)
		return;
	units_count(n_levels, levels);
	buf_addf(&app->mode_text, ", %s levels of callers", levels);
	state_say(app, true, "too many callers: only %s levels of them are shown", levels);
}

/* Find the call that was selected in the view before, where all calls of its stack are one. */
static bool find_before(const struct app *app, const struct same_stack *before, struct span *out)
{
	const struct scene *s = &app->s;
	const struct lane *lane = s->profile->lanes;
	node_id node = before->n ? same_stack_find(before, s->profile, &lane->tree) : NODE_ROOT;

	if (node == NODE_ROOT || !same_stack_is(before, s->profile, &lane->tree, node) ||
	    !same_stack_span(lane, node, 0, out))
		return false;
	folds_close(s, 0, out, out);
	return true;
}

/* before: the call that was selected. */
static void open_all(struct app *app, enum app_view view, bool is_inverted,
		     const struct same_stack *before)
{
	struct scene *s = &app->s;
	struct span span;
	bool has_start;

	s->chart.is_merged = true;
	s->chart.sides = diff_shown(app);
	app->merged_titles[0] = buf_text(&app->merged_title);
	s->chart.titles = diff_shown(app)                                   ? diff_titles
		: view == VIEW_SANDWICH                                     ? sandwich_titles
		: is_inverted || views_has_time_order(app) || has_sums(app) ? app->merged_titles
									    : hits_titles;
	for (int i = 0; i < s->chart.n_lanes; i++)
		s->lanes[i].is_open = true;
	s->lanes[0].is_flipped = view == VIEW_SANDWICH || is_inverted;
	folds_make(app);
	s->chart.lane = s->chart.n_lanes - 1;
	has_start = diff_find_start(app, &span) ||
		(view == VIEW_MERGED && !is_inverted && find_before(app, before, &span));
	if (has_start || seek_callee(s->lanes[s->chart.lane].lane, NULL, 0, s->profile->t1, &span))
		select_span(app, s->chart.lane, &span);
	s->view.scroll = 0;
	if (s->lanes[0].is_flipped || has_start)
		select_reveal_row(app);
}

/* Show the profile that is ready. */
static void show(struct app *app)
{
	struct views_change *c = app->next_view;
	uint32_t n_levels = 0;
	struct sides sides;
	struct profile *merged = c->diff ? sides_merge_end(c->diff, &sides)
					 : merged_end(c->merged, &n_levels);
	bool has_sides = c->diff != NULL;
	struct same_stack before = { 0 };
	struct span selected;

	/* While a process runs, the time line has just begun with some call. */
	if (app->s.chart.has_selection && !live_is_moving(app)) {
		selected = folds_subject(&app->s);
		same_stack_take(app->s.profile, &app->s.profile->lanes[app->s.chart.lane].tree,
				selected.node, &before);
	}
	c->diff = NULL;
	c->merged = NULL;
	app->next_view = NULL;
	views_leave(app);
	if (merged) {
		if (!has_sides) {
			describe(app, c->view, c->frame, &c->scope.totals, n_levels);
			make_title(app, &c->scope, c->is_inverted);
		}
		app->time = app->s;
		app->merged = merged;
		app->mode = c->view;
		app->view_frame = c->frame;
		scene_begin(app, merged);
		if (has_sides)
			diff_take(app, &sides);
		open_all(app, c->view, c->is_inverted, &before);
	} else {
		if (!has_sides)
			state_say(app, false, "nothing was sampled in the range");
	}
	pane_scope_done(&c->scope);
	free(c);
	same_stack_done(&before);
	if (!merged && has_sides) {
		diff_say_none(app, &sides);
		sides_done(&sides);
	}
}

bool views_is_busy(const struct app *app)
{
	const struct views_change *c = app->next_view;

	return c && !(c->is_ready && app->prompt.kind != PROMPT_NONE);
}

/* Begin to merge the calls of the scope. False: memory for that was refused. */
static bool begin_merged(struct views_change *c)
{
	const struct totals *totals = &c->scope.totals;

	if (!reserve_has_room(c->scope.view.tree->n * (size_t)MERGED_BYTES))
		return false;
	c->merged = c->view == VIEW_SANDWICH ? merged_begin_sandwich(totals, c->frame)
		: c->is_inverted             ? merged_begin_inverted(totals)
					     : merged_begin_left_heavy(totals);
	return true;
}

bool views_work(struct app *app, struct budget *budget)
{
	struct views_change *c = app->next_view;

	if (!views_is_busy(app))
		return false;
	if (!c->diff && !c->merged) {
		if (!pane_scope_work(&c->scope, budget))
			return false;
		if (!begin_merged(c))
			return views_stop(app);
	}
	c->is_ready = c->is_ready ||
		(c->diff ? sides_merge_work(c->diff, budget) : merged_work(c->merged, budget));
	if (!c->is_ready || app->prompt.kind != PROMPT_NONE)
		return false;
	show(app);
	return true;
}

bool views_has_time_order(const struct app *app)
{
	const struct profile *p = app->base;

	for (uint32_t i = 0; i < p->n_lanes; i++)
		if (p->lanes[i].has_timeline)
			return true;
	return p->n_lanes == 0;
}

void views_start(struct app *app, const struct app_options *options)
{
	if (options->diff && !(options->state && options->state->is_touched)) {
		app->diff.what = *options->diff;
		views_show(app, VIEW_MERGED, FRAME_NONE);
		return;
	}
	if (live_is_moving(app) && app->live->is_merged &&
	    !(options->state && options->state->is_touched)) {
		views_show(app, VIEW_MERGED, FRAME_NONE);
		return;
	}
	/* The order of allocations says little: which calls they are of is what counts. */
	if (!amount_is_time(&app->base->unit) && !options->state && views_has_time_order(app)) {
		views_show(app, VIEW_MERGED, FRAME_NONE);
		return;
	}
	/* Of a preview, the samples may still come. */
	if (!views_has_time_order(app) && !profile_warns(app->base, WARN_STOPPED)) {
		app->has_all_lanes |= has_sums(app) && app->base->n_lanes > 1;
		views_show(app, VIEW_MERGED, FRAME_NONE);
	}
}

static void say_no_order(struct app *app)
{
	if (!amount_is_time(&app->base->unit))
		state_say(app, false, "no order: the file has only sums; 2 shows the calls");
	else if (has_sums(app))
		state_say(app, false,
			  "no time order: the file has no times of samples; 2 shows the calls");
	else
		state_say(app, false,
			  "no time order: the file has hit counts, but no samples; 2 shows the "
			  "calls");
}

void views_show(struct app *app, enum app_view view, frame_id frame)
{
	struct budget budget = budget_ns(app->key_ns);
	struct views_change *c;
	bool has_sides;

	views_stop(app);
	if (view == VIEW_TIME) {
		views_leave(app);
		if (transforms_is_inverted(app))
			state_say(app, false,
				  "time order is not inverted; 2 shows the merged view");
		if (!views_has_time_order(app))
			say_no_order(app);
		return;
	}
	c = xcalloc(1, sizeof *c);
	c->view = view;
	c->frame = frame;
	has_sides = app->diff.what.is_on && view == VIEW_MERGED;
	c->is_inverted = view == VIEW_MERGED && !has_sides && transforms_is_inverted(app);
	if (has_sides)
		c->diff = diff_begin(app);
	if (has_sides ? !c->diff : !pane_scope_begin(app, app->pane.has_idle, &c->scope)) {
		free(c);
		return;
	}
	app->next_view = c;
	if (app->key_ns > 0)
		views_work(app, &budget);
}
