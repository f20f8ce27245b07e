/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Lanes keep their order and their numbers. Those of a folded group have no rows, except that its
 * first lane has the row of the group.
 *
 * A pool is a run of lanes of one process (draw/pool.h): of threads with a name that Chromium
 * gives to the threads of a pool, or of the objects of one scope. It has at least two of them.
 * Other processes need not be a run: their row stands at one of their lanes. */
#include "config.h"

#include "ui/chart/groups.h"

#include "draw/pool.h"

#include <string.h>

#define POOL_LEAST 2 /* threads, or lanes of objects */

static const struct lane *lane_at(const struct app *app, int i)
{
	return app->s.lanes[i].lane;
}

/* ---- pools ---- */

/* The end of the pool that begins with a lane, and its number of threads or lanes of objects. */
static int pool_end(const struct app *app, int first, int *n)
{
	int end = first + 1;

	*n = 1;
	for (; end < app->s.chart.n_lanes; end++) {
		const struct lane *before = lane_at(app, end - 1), *lane = lane_at(app, end);

		if (!pool_goes_on(app->s.profile, before, lane))
			break;
		*n += pool_counts(before, lane);
	}
	return end;
}

void groups_find_pools(struct app *app, bool is_folded)
{
	int n;

	for (int i = 0, end; i < app->s.chart.n_lanes; i = end) {
		end = i + 1;
		if (!pool_has(app->s.profile, lane_at(app, i)))
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
		has_open |= !cl->is_away && !cl->is_above;
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
