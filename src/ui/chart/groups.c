/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Lanes keep their order and their numbers. Those of a folded group have no rows, except that its
 * first lane has the row of the group.
 *
 * A pool is a run of lanes of one process whose threads have a name that Chromium gives to the
 * threads of a pool; it has at least two threads. Other processes need not be a run: their row
 * stands at one of their lanes. */
#include "config.h"

#include "ui/chart/groups.h"

#include "layout/chart.h"

#include <string.h>

#define POOL_LEAST 2 /* threads */

static const struct lane *lane_at(const struct app *app, int i)
{
	return app->s.lanes[i].lane;
}

/* ---- thread pools ---- */

/* Whether lane `i` continues the pool of the lane before it. */
static bool is_same_pool(const struct app *app, int i)
{
	const struct lane *a = lane_at(app, i - 1), *b = lane_at(app, i);
	const struct profile *p = app->s.profile;

	return a->pid == b->pid && a->input == b->input &&
		chart_pool_name(p, a) == chart_pool_name(p, b);
}

/* The end of the pool that begins with a lane, and its number of threads. */
static int pool_end(const struct app *app, int first, int *n_threads)
{
	int end = first + 1;

	*n_threads = 1;
	while (end < app->s.chart.n_lanes && is_same_pool(app, end)) {
		*n_threads += lane_at(app, end)->tid != lane_at(app, end - 1)->tid;
		end++;
	}
	return end;
}

void groups_find_pools(struct app *app, bool is_folded)
{
	int n;

	for (int i = 0, end; i < app->s.chart.n_lanes; i = end) {
		end = i + 1;
		if (!chart_pool_name(app->s.profile, lane_at(app, i)))
			continue;
		end = pool_end(app, i, &n);
		for (int k = i; k < end && n >= POOL_LEAST; k++) {
			app->s.lanes[k].in_pool = true;
			app->s.lanes[k].has_pool = k == i;
			app->s.lanes[k].is_pooled = is_folded;
		}
	}
}

void groups_fold_pool(struct app *app, int lane, bool is_folded)
{
	if (!app->s.lanes[lane].in_pool)
		return;
	while (!app->s.lanes[lane].has_pool)
		lane--;
	do
		app->s.lanes[lane].is_pooled = is_folded;
	while (++lane < app->s.chart.n_lanes && app->s.lanes[lane].in_pool &&
	       !app->s.lanes[lane].has_pool);
}

/* ---- other processes ---- */

void groups_fold_others(struct app *app)
{
	int n = 0;

	for (int i = 0; i < app->s.chart.n_lanes; i++)
		n += app->s.lanes[i].has_group && app->s.lanes[i].is_shut;
	for (int i = 0; i < app->s.chart.n_lanes && n > 1; i++)
		app->s.lanes[i].is_away = app->s.lanes[i].is_shut;
	groups_place_others(app);
}

void groups_open_others(struct app *app)
{
	for (int i = 0; i < app->s.chart.n_lanes; i++)
		app->s.lanes[i].is_away = false;
	groups_place_others(app);
}

void groups_place_others(struct app *app)
{
	int first = -1, below = -1;
	bool has_open = false;

	for (int i = 0; i < app->s.chart.n_lanes; i++) {
		struct chart_lane *cl = &app->s.lanes[i];

		cl->has_others = false;
		has_open |= !cl->is_away;
		if (cl->is_away && first < 0)
			first = i;
		if (cl->is_away && has_open && below < 0)
			below = i;
	}
	if (first >= 0)
		app->s.lanes[below >= 0 ? below : first].has_others = true;
}

/* ---- the flags of single lanes ---- */

static void settle_pool(struct app *app, int first)
{
	bool is_folded = true;
	int end = first;

	do
		is_folded &= app->s.lanes[end].is_pooled;
	while (++end < app->s.chart.n_lanes && app->s.lanes[end].in_pool &&
	       !app->s.lanes[end].has_pool);
	groups_fold_pool(app, first, is_folded);
}

static void settle_process(struct app *app, int first)
{
	bool is_away = true;
	int end = first;

	do
		is_away &= app->s.lanes[end].is_away;
	while (++end < app->s.chart.n_lanes && !app->s.lanes[end].has_group);
	while (end-- > first)
		app->s.lanes[end].is_away = is_away;
}

void groups_settle(struct app *app)
{
	for (int i = 0; i < app->s.chart.n_lanes; i++) {
		if (app->s.lanes[i].has_pool)
			settle_pool(app, i);
		if (app->s.lanes[i].has_group)
			settle_process(app, i);
	}
	groups_place_others(app);
}
