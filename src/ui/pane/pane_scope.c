/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "config.h"

#include "ui/pane/pane_scope.h"

#include "analyse/totals.h"
#include "base/alloc.h"
#include "model/frame.h"
#include "ui/chart/lanes.h"
#include "ui/state.h"

#include <stdbool.h>
#include <stdlib.h>

static void pane_scope_all(const struct app *app, int64_t ns[2]);

/* ==== pane rows ====
 *
 * Totals are computed for the scope of the panes; the rows of the pane that is shown are made from
 * them by its update_rows(). */

static bool has_totals(const struct app *app)
{
	const struct lane *lane = state_lane(app);

	return app->is_pane_open && lane && app->shown->has_totals && lane->tree.n;
}

bool pane_rows_count(struct app *app, struct budget *budget)
{
	const struct lane **lanes;
	int64_t t0, t1;
	uint32_t n;

	if (!has_totals(app))
		return true;
	pane_scope_range(app, &t0, &t1);
	n = pane_scope_lanes(app, &lanes);
	pane_scope_all(app, app->pane.all_ns);
	/* Without a time line there is nothing to be a part of; two sides are compared with each
	 * other. */
	if (pane_scope_is_timeless(app) || app->pane.sides.of)
		pane_change_set(&app->pane, 0, 0);
	else
		pane_change_set(&app->pane, app->s.view.t_min, app->s.view.t_max);
	if (!pane_totals(&app->pane, lanes, n, t0, t1, budget))
		return false;
	pane_gc_find(&app->pane);
	return true;
}

/* Returns whether all rows are as they should be. */
static bool update_rows(struct app *app, struct budget *budget)
{
	if (app->focus == KEYMAP_CHART && app->s.chart.has_selection)
		pane_set_function(&app->pane, folds_selected(&app->s));
	return !app->shown->update_rows || app->shown->update_rows(app, budget);
}

bool pane_rows_update(struct app *app)
{
	struct budget budget;

	if (!has_totals(app))
		return false;
	if (!pane_rows_count(app, BUDGET_UNLIMITED))
		return false;
	budget = budget_ns(PANE_ROWS_KEY_NS);
	if (!update_rows(app, &budget))
		pane_stop(&app->pane);
	return true;
}

bool pane_rows_exist(const struct app *app)
{
	return has_totals(app) && app->pane.has_totals;
}

bool pane_rows_show(struct app *app, struct budget *budget, bool *is_complete)
{
	if (!pane_rows_exist(app))
		return false;
	*is_complete = update_rows(app, budget);
	return true;
}

bool pane_rows_target(struct app *app, frame_id *frame)
{
	const struct lane *lane = state_lane(app);
	struct span span;

	*frame = FRAME_NONE;
	if (app->focus == KEYMAP_PANE && app->shown->frame && pane_rows_update(app))
		*frame = app->shown->frame(app);
	else if (app->focus == KEYMAP_PANE && app->shown->span && lane &&
		 app->shown->span(app, &span))
		*frame = lane->tree.frame[span.node];
	if (*frame == FRAME_NONE && lane && lane->tree.n && app->s.chart.has_selection)
		*frame = folds_selected(&app->s);
	if (*frame == FRAME_NONE)
		state_say(app, false, "nothing is selected");
	return *frame != FRAME_NONE;
}

bool pane_rows_is_at_leaf(const struct app *app)
{
	const struct pane_tab *tab = &app->pane.tabs[app->pane.tab];
	const struct row *row = tab->cursor < tab->rows.n ? &tab->rows.rows[tab->cursor] : NULL;

	return row && !row->can_open && !row->is_open;
}

/* ==== pane scope ==== */

/* Whether lane i is among "all lanes" of this kind: visible, with a time line or sums. */
static bool is_of_all(const struct scene *s, int i, enum lane_kind kind)
{
	const struct lane *lane = &s->profile->lanes[i];

	return lane->kind == kind && !s->lanes[i].is_hidden &&
		(lane->has_timeline || lane->value.type);
}

static bool has_lanes(const struct scene *s, enum lane_kind kind)
{
	for (int i = 0; i < s->chart.n_lanes; i++)
		if (is_of_all(s, i, kind))
			return true;
	return false;
}

/* "All lanes" are of the kind of the lane with the cursor, if that has calls. Otherwise they are of
 * samples or, if there are none, of slices. */
static enum lane_kind kind_of_all(const struct scene *s)
{
	enum lane_kind kind = s->chart.lane >= 0 ? s->lanes[s->chart.lane].lane->kind
						 : LANE_SAMPLES;

	if ((kind == LANE_SLICES || kind == LANE_SAMPLES) && has_lanes(s, kind))
		return kind;
	return has_lanes(s, LANE_SAMPLES) ? LANE_SAMPLES : LANE_SLICES;
}

static bool is_time_line(const struct app *app, const struct scene *s)
{
	return s == &app->time || app->mode == VIEW_TIME;
}

static bool is_timeless(const struct app *app, const struct scene *s)
{
	if (s->chart.lane < 0 || s->lanes[s->chart.lane].lane->has_timeline)
		return false;
	return !app->has_all_lanes || !is_time_line(app, s) || !has_lanes(s, kind_of_all(s));
}

bool pane_scope_is_timeless(const struct app *app)
{
	return is_timeless(app, &app->s);
}

bool pane_scope_is_hits(const struct app *app)
{
	return is_timeless(app, &app->s) && !app->s.lanes[app->s.chart.lane].lane->value.type;
}

static void find_range(const struct app *app, const struct scene *s, int64_t *t0, int64_t *t1)
{
	/* A merged view has an axis of its own, on which the pinned range has no place. */
	bool is_pinned = app->range.is_pinned && is_time_line(app, s);

	if (is_timeless(app, s)) {
		*t0 = s->lanes[s->chart.lane].lane->t0;
		*t1 = s->lanes[s->chart.lane].lane->t1;
		return;
	}
	/* The first picture may show a part; the tables are about all until the user moves. */
	if (!is_pinned && (app->mode == VIEW_TIME) == (s == &app->s) && culprit_has_window(app)) {
		*t0 = s->view.t_min;
		*t1 = s->view.t_max;
		return;
	}
	*t0 = is_pinned ? app->range.t0 : s->view.t0;
	*t1 = is_pinned ? app->range.t1 : s->view.t1;
}

void pane_scope_range(const struct app *app, int64_t *t0, int64_t *t1)
{
	find_range(app, &app->s, t0, t1);
}

/* The lane with the cursor and those joined to it. */
static uint32_t find_joined(const struct scene *s, const struct lane **lanes)
{
	uint32_t n = 0;
	int at = lanes_head(s, s->chart.lane);

	do {
		/* Joined lanes of another kind, such as marks below slices, do not count in times.
		 */
		if (s->lanes[at].lane->kind == s->lanes[s->chart.lane].lane->kind)
			lanes[n++] = &s->profile->lanes[at];
	} while (++at < s->chart.n_lanes && s->lanes[at].lane->is_joined);
	return n;
}

static uint32_t find_lanes(const struct app *app, const struct scene *s, const struct lane ***lanes)
{
	uint32_t n = 0;

	*lanes = xcalloc((size_t)s->chart.n_lanes + 1, sizeof **lanes);
	if (s->chart.lane < 0)
		return 0;
	if (app->has_all_lanes && is_time_line(app, s)) {
		enum lane_kind kind = kind_of_all(s);

		for (int i = 0; i < s->chart.n_lanes; i++)
			if (is_of_all(s, i, kind))
				(*lanes)[n++] = &s->profile->lanes[i];
	}
	return n ? n : find_joined(s, *lanes);
}

uint32_t pane_scope_count(const struct app *app, enum lane_kind *kind)
{
	const struct scene *s = app->mode == VIEW_TIME ? &app->s : &app->time;
	const struct lane **lanes;
	uint32_t n = find_lanes(app, s, &lanes), n_titles = 0;

	for (uint32_t i = 0; i < n; i++)
		n_titles += i == 0 || !lanes[i]->is_joined;
	if (n)
		*kind = lanes[0]->kind;
	free(lanes);
	return n_titles;
}

uint32_t pane_scope_lanes(const struct app *app, const struct lane ***lanes)
{
	return find_lanes(app, &app->s, lanes);
}

uint32_t pane_scope_of_time(const struct app *app, int64_t *t0, int64_t *t1,
			    const struct lane ***lanes)
{
	const struct scene *s = app->mode == VIEW_TIME ? &app->s : &app->time;

	*t0 = *t1 = 0;
	if (s->chart.lane >= 0)
		find_range(app, s, t0, t1);
	return find_lanes(app, s, lanes);
}

static void add_self(void *ctx, node_id node, int64_t self_ns, int64_t total_ns)
{
	(void)node;
	(void)total_ns;
	*(int64_t *)ctx += self_ns;
}

/* The time of these lanes in the whole profile, busy, and with idle time; while a merged view is
 * shown, of those of the time line. */
static void pane_scope_all(const struct app *app, int64_t ns[2])
{
	const struct lane **lanes;
	uint32_t n = find_lanes(app, app->mode == VIEW_TIME ? &app->s : &app->time, &lanes);

	ns[0] = ns[1] = 0;
	for (uint32_t i = 0; i < n; i++) {
		const struct slice_time *time = lanes[i]->slice_time;
		int64_t all = lanes[i]->t1 - lanes[i]->t0 - lanes[i]->unsampled_ns -
			slice_time_lacking(time, INT64_MIN, INT64_MAX);

		/* The self time of slices that their samples lack. */
		slice_time_each(time, INT64_MIN, INT64_MAX, add_self, &all);
		ns[0] += all - lanes[i]->idle_ns;
		ns[1] += all;
	}
	free(lanes);
}

/* Begin the view of n lanes. The caller sets the range. */
static bool begin_lanes(const struct scene *s, const struct lane *const *lanes, uint32_t n,
			bool has_idle, struct pane_scope *scope)
{
	static const struct transform no_idle = { .kind = TRANSFORM_DROP,
						  .by = BY_CATEGORY,
						  .id = CATEGORY_IDLE };
	const struct view_plan plan = { .transforms = &no_idle,
					.n_transforms = has_idle ? 0 : 1,
					.group = GROUP_FUNCTION };

	*scope = (struct pane_scope){ .making = NULL };
	/* What is made from the totals takes some memory for each function, too. */
	if (n &&
	    reserve_has_room(view_bytes(lanes, n, &plan) +
			     totals_bytes(lanes, n, 3 * s->profile->frames.n)))
		scope->making = view_begin(&scope->view, s->profile, lanes, n, &plan);
	return scope->making != NULL;
}

static bool begin(const struct app *app, const struct scene *s, bool has_idle,
		  struct pane_scope *scope)
{
	const struct lane **lanes;
	uint32_t n = find_lanes(app, s, &lanes);
	bool has_begun = begin_lanes(s, lanes, n, has_idle, scope);

	free(lanes);
	if (has_begun)
		find_range(app, s, &scope->t0, &scope->t1);
	return has_begun;
}

bool pane_scope_begin(const struct app *app, bool has_idle, struct pane_scope *scope)
{
	return begin(app, app->mode == VIEW_TIME ? &app->s : &app->time, has_idle, scope);
}

bool pane_scope_work(struct pane_scope *scope, struct budget *budget)
{
	if (scope->making) {
		if (!view_work(scope->making, budget))
			return false;
		view_end(scope->making);
		scope->making = NULL;
		totals_init(&scope->totals, &scope->view);
		totals_begin(&scope->totals, scope->t0, scope->t1);
	}
	scope->is_complete = scope->is_complete || totals_step(&scope->totals, budget);
	return scope->is_complete;
}

bool pane_scope_init(const struct app *app, bool has_idle, struct pane_scope *scope)
{
	return begin(app, &app->s, has_idle, scope) && pane_scope_work(scope, BUDGET_UNLIMITED);
}

bool pane_scope_init_span(const struct app *app, bool has_idle, struct pane_scope *scope)
{
	const struct chart *chart = &app->s.chart;
	const struct lane **lanes = xcalloc((size_t)chart->n_lanes + 1, sizeof *lanes);
	uint32_t n = find_joined(&app->s, lanes);
	bool has_begun = begin_lanes(&app->s, lanes, n, has_idle, scope);

	free(lanes);
	if (!has_begun)
		return false;
	scope->t0 = chart->selected.t0;
	scope->t1 = chart->selected.t1;
	return pane_scope_work(scope, BUDGET_UNLIMITED);
}

void pane_scope_done(struct pane_scope *scope)
{
	if (scope->making)
		view_end(scope->making);
	totals_done(&scope->totals);
	view_done(&scope->view);
}
