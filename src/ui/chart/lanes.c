/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A trace may have hundreds of lanes, so only the lanes that matter most are open at first, and
 * what a lane needs to be drawn is made when it comes into view. */
#include "config.h"

#include "ui/chart/lanes.h"

#include "base/alloc.h"
#include "draw/lane_title.h"
#include "draw/overview.h"
#include "ui/chart/fit.h"
#include "ui/chart/select.h"
#include "ui/state.h"

#include <stdlib.h>
#include <string.h>

/* ==== groups ====
 *
 * Lanes keep their order and their numbers. Those of a folded group have no rows, except that its
 * first lane has the row of the group.
 *
 * A pool is a run of lanes of one process (draw/lane_title.h): of threads with a name that Chromium
 * gives to the threads of a pool, or of the objects of one scope. It has at least two of them.
 * Other processes need not be a run: their row stands at one of their lanes. */

#define POOL_MIN 2 /* threads, or lanes of objects */

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

/* Find the pools of a new app. is_folded: fold them. */
static void groups_find_pools(struct app *app, bool is_folded)
{
	int n;

	for (int i = 0, end; i < app->s.chart.n_lanes; i = end) {
		end = i + 1;
		if (!pool_has(app->s.profile, lane_at(app, i)))
			continue;
		end = pool_end(app, i, &n);
		for (int k = i; k < end && n >= POOL_MIN; k++) {
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

/* Put all processes that are folded, if there are several, onto one row. */
static void groups_fold_others(struct app *app)
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

/* ==== lanes ==== */

#define MAX_TRIES 16
#define MANY_LANES 8 /* if more lanes would be open at first, only the busiest is */
#define MAX_ABOVE 4  /* more lanes of the whole trace have a row for all of them */

static const struct lane *lane_at_lanes(const struct app *app, int i)
{
	return app->s.lanes[i].lane;
}

int lanes_head(const struct scene *scene, int lane)
{
	while (lane > 0 && scene->lanes[lane].lane->is_joined)
		lane--;
	return lane;
}

int lanes_next(const struct app *app, int lane, int step)
{
	if (step < 0 && lane > 0)
		lane = chart_head(&app->s.chart, lane);
	for (lane += step; lane >= 0 && lane < app->s.chart.n_lanes; lane += step)
		if (chart_title_rows(&app->s.lanes[lane]) || chart_lane_rows(&app->s.lanes[lane]))
			return lane;
	return -1;
}

bool lanes_is_about(const struct app *app, int marks, int lane)
{
	const struct lane *a = lane_at_lanes(app, marks), *b = lane_at_lanes(app, lane);

	return a->is_across && (a->pid == LANE_NO_ID || (a->pid == b->pid && a->input == b->input));
}

int lanes_group(const struct app *app, int lane)
{
	while (lane > 0 && !app->s.lanes[lane].has_group)
		lane--;
	return lane;
}

int lanes_thread(const struct app *app, int lane)
{
	while (lane > 0 &&
	       lane_is_of_thread(lane_at_lanes(app, lane), lane_at_lanes(app, lane - 1)))
		lane--;
	return lane;
}

void lanes_shut(struct app *app, int lane, bool is_shut)
{
	bool was_away;

	lane = lanes_group(app, lane);
	if (!app->s.lanes[lane].has_group)
		return;
	was_away = app->s.lanes[lane].is_away;
	do {
		app->s.lanes[lane].is_shut = is_shut;
		app->s.lanes[lane].is_away &= is_shut;
	} while (++lane < app->s.chart.n_lanes && !app->s.lanes[lane].has_group);
	if (was_away && !is_shut)
		groups_place_others(app);
}

void lanes_open(struct app *app, int lane, bool is_open)
{
	lane = lanes_head(&app->s, lane);
	if (is_open) {
		lanes_shut(app, lane, false);
		groups_fold_pool(app, lane, false);
	}
	app->s.lanes[lane].is_open = is_open;
	for (int i = lane + 1; i < app->s.chart.n_lanes && lane_at_lanes(app, i)->is_joined; i++)
		app->s.lanes[i].is_open = is_open;
}

/* Whether a lane of slices belongs to a main thread: one that has samples too, or on which a page
 * or a program runs its scripts. */
static bool is_main(const struct app *app, int i)
{
	const struct lane *lane = lane_at_lanes(app, i);
	const char *name = profile_text(app->s.profile, lane->thread_name);

	if (strcmp(name, "CrRendererMain") == 0 || strcmp(name, "JavaScriptMainThread") == 0)
		return true;
	for (int k = i + 1;
	     k < app->s.chart.n_lanes && lane_is_of_thread(lane, lane_at_lanes(app, k)); k++)
		if (lane_at_lanes(app, k)->kind == LANE_SAMPLES)
			return true;
	return false;
}

static bool is_wanted(const struct app *app, int i, bool is_few)
{
	const struct lane *lane = lane_at_lanes(app, i);

	if (lane->is_folded)
		return false;
	return is_few || lane->kind == LANE_SAMPLES ||
		(lane->kind == LANE_SLICES && is_main(app, i));
}

/* The number of lanes that stand above all processes, as they are of the whole trace. */
static int count_above(const struct app *app)
{
	int n = 0;

	while (n < app->s.chart.n_lanes && lane_at_lanes(app, n)->pid == LANE_NO_ID &&
	       lane_at_lanes(app, n)->tid == LANE_NO_ID &&
	       lane_at_lanes(app, n)->kind != LANE_SAMPLES)
		n++;
	return n <= MAX_ABOVE ? n : 0;
}

/* If there are many lanes of several processes, each process gets a row. */
static void group_lanes(struct app *app, int n_titles)
{
	int n_above = count_above(app), n = n_above > 0;

	if (n_titles <= MANY_LANES)
		return;
	for (int i = n_above; i < app->s.chart.n_lanes; i++) {
		app->s.lanes[i].has_group = i == n_above ||
			!lane_is_of_process(lane_at_lanes(app, i), lane_at_lanes(app, i - 1));
		n += app->s.lanes[i].has_group;
	}
	app->s.chart.has_groups = n > 1;
	for (int i = 0; i < app->s.chart.n_lanes; i++) {
		app->s.lanes[i].has_group &= n > 1;
		app->s.lanes[i].is_above = n > 1 && i < n_above;
	}
}

void lanes_init(struct app *app)
{
	int n_titles = 0, n_open = 0;

	for (int i = 0; i < app->s.chart.n_lanes; i++)
		n_titles += !lane_at_lanes(app, i)->is_joined;
	group_lanes(app, n_titles);
	groups_find_pools(app, n_titles > MANY_LANES);
	for (int i = 0; i < app->s.chart.n_lanes; i++) {
		bool is_joined = i > 0 && lane_at_lanes(app, i)->is_joined;

		app->s.lanes[i].is_open = is_joined
			? app->s.lanes[i - 1].is_open
			: is_wanted(app, i, n_titles <= MANY_LANES || app->s.lanes[i].is_above);
		n_open += !is_joined && app->s.lanes[i].is_open;
	}
	for (int i = 0; i < app->s.chart.n_lanes && n_open > MANY_LANES; i++)
		app->s.lanes[i].is_open &= app->s.lanes[i].is_above;
	for (int i = 0; i < app->s.chart.n_lanes; i++)
		if (app->s.lanes[i].has_group)
			lanes_shut(app, i, true);
}

/* The rows of a lane and the lanes joined to it, without its title. */
static int rows_of_lane(struct app *app, int lane)
{
	int rows = 0;

	do
		rows += fit_wanted_rows(app, lane);
	while (++lane < app->s.chart.n_lanes && lane_at_lanes(app, lane)->is_joined);
	return rows;
}

/* What makes a lane worth a look: what its code does, and garbage collection. Native work that no
 * code asked for, `(program)`, does not count: browsers have threads that do little else. */
static int64_t work_ns(const struct lane *lane)
{
	return lane->busy_ns + lane->gc_ns;
}

/* The busiest lane of those that may be opened at first and are not open; -1: none. */
static int busiest_folded(const struct app *app, const uint8_t *is_tried)
{
	int best = -1;

	for (int i = 0; i < app->s.chart.n_lanes; i++)
		if (!is_tried[i] && !app->s.lanes[i].is_open && !app->s.lanes[i].is_shut &&
		    !app->s.lanes[i].is_pooled && !lane_at_lanes(app, i)->is_joined &&
		    lane_at_lanes(app, i)->has_timeline &&
		    is_wanted(app, i, !app->s.chart.has_groups) &&
		    (best < 0 ||
		     work_ns(lane_at_lanes(app, i)) > work_ns(lane_at_lanes(app, best))))
			best = i;
	return best;
}

void lanes_open_first(struct app *app)
{
	int lane = app->s.chart.lane, rows = 0, next;
	struct screen_layout layout;
	uint8_t *is_tried;

	if (lane < 0)
		return;
	state_layout(app, &layout);
	for (int i = 0; i < app->s.chart.n_lanes; i++)
		app->s.lanes[i].is_open &= app->s.lanes[i].is_shut || app->s.lanes[i].is_above;
	for (int i = lanes_thread(app, lane); i < lane; i++)
		if (lane_at_lanes(app, i)->kind == LANE_SLICES)
			lanes_open(app, i, true);
	lanes_open(app, lane, true);
	groups_fold_others(app);
	for (int i = 0; i < app->s.chart.n_lanes; i++) {
		rows += chart_title_rows(&app->s.lanes[i]);
		if (app->s.lanes[i].is_open && !app->s.lanes[i].is_shut)
			rows += fit_wanted_rows(app, i);
	}
	is_tried = xcalloc((size_t)app->s.chart.n_lanes, 1);
	for (int n = 0; n < MAX_TRIES && rows < layout.lanes.rows &&
	     (next = busiest_folded(app, is_tried)) >= 0;
	     n++) {
		int more = rows_of_lane(app, next);

		is_tried[next] = 1;
		if (rows + more > layout.lanes.rows)
			continue;
		rows += more;
		lanes_open(app, next, true);
	}
	free(is_tried);
}

/* Which of two lanes is the better first selection: samples before slices before others; the busier
 * one of equal kinds. */
static bool is_better(const struct lane *a, const struct lane *b)
{
	static const int rank[] = { [LANE_SAMPLES] = 0, [LANE_SLICES] = 1, [LANE_ASYNC] = 2,
				    [LANE_OBJECTS] = 3, [LANE_MARKS] = 4,  [LANE_COUNTER] = 5 };
	int x = rank[a->kind] + (a->is_folded || !a->has_timeline),
	    y = rank[b->kind] + (b->is_folded || !b->has_timeline);

	return x != y ? x < y : work_ns(a) > work_ns(b);
}

int lanes_best(const struct app *app)
{
	int best = app->s.chart.n_lanes > 0 ? 0 : -1;

	for (int i = 1; i < app->s.chart.n_lanes; i++)
		if (is_better(lane_at_lanes(app, i), lane_at_lanes(app, best)))
			best = i;
	return best;
}

struct cover *lanes_cover(struct app *app, int lane)
{
	struct chart_lane *of = &app->s.lanes[lane];

	if (of->cover || of->lane->samples.n == 0)
		return of->cover;
	of->cover = cover_new(of->lane);
	if (!of->cover) {
		lanes_open(app, lane, false);
		state_clamp_scroll(app);
	}
	return of->cover;
}

/* The cover of a lane, and of those laid over it that have something in the window: there may be
 * hundreds of them. */
static void make_covers(struct app *app, int lane)
{
	const struct viewport *view = &app->s.view;
	const struct chart_lane *cl = &app->s.lanes[lane];

	lanes_cover(app, lane);
	for (int i = 1; i <= cl->n_over && cl->is_open; i++)
		if (cl[i].lane->t0 < viewport_end(view) && cl[i].lane->t1 >= view->t0)
			lanes_cover(app, lane + i);
}

void lanes_make_covers(struct app *app)
{
	struct screen_layout layout;
	int top = 0, end;

	state_layout(app, &layout);
	end = app->s.view.scroll + layout.lanes.rows;
	for (int i = 0; i < app->s.chart.n_lanes && top < end; i++) {
		int height = chart_title_rows(&app->s.lanes[i]) + chart_lane_rows(&app->s.lanes[i]);

		if (top + height > app->s.view.scroll && app->s.lanes[i].is_open && height)
			make_covers(app, i);
		top += height;
	}
}

void lanes_free_strip(struct chart_lane *cl)
{
	if (cl->strip)
		lane_strip_done(cl->strip);
	free(cl->strip);
	cl->strip = NULL;
}

void lanes_make_strips(struct app *app)
{
	struct screen_layout layout;
	int top = 0, end;

	state_layout(app, &layout);
	end = app->s.view.scroll + layout.lanes.rows;
	for (int i = 0; i < app->s.chart.n_lanes; i++) {
		struct chart_lane *cl = &app->s.lanes[i];
		int height = chart_title_rows(cl) + chart_lane_rows(cl);
		bool is_shown = height && top < end && top + height > app->s.view.scroll;

		if (is_shown && !cl->is_shut && !cl->is_pooled &&
		    lane_strip_cols(&app->s.chart, i, layout.lanes.cols)) {
			if (!cl->strip)
				cl->strip = xcalloc(1, sizeof *cl->strip);
		} else if (cl->strip) {
			lanes_free_strip(cl);
		}
		top += height;
	}
}

/* Whether the lanes [from, end) have both slices and samples. */
static bool has_both(const struct app *app, int from, int end)
{
	bool has_slices = false, has_samples = false;

	for (int i = from; i < end; i++) {
		has_slices |= lane_at_lanes(app, i)->kind == LANE_SLICES;
		has_samples |= lane_at_lanes(app, i)->kind == LANE_SAMPLES;
	}
	return has_slices && has_samples;
}

void lanes_show_kinds(struct app *app, enum lanes_kinds kinds)
{
	for (int from = 0, end; from < app->s.chart.n_lanes; from = end) {
		bool is_both;

		for (end = from + 1; end < app->s.chart.n_lanes &&
		     lane_is_of_thread(lane_at_lanes(app, from), lane_at_lanes(app, end));
		     end++)
			;
		is_both = has_both(app, from, end);
		for (int i = from; i < end && is_both; i++)
			if (lane_at_lanes(app, i)->kind == LANE_SLICES)
				app->s.lanes[i].is_hidden = kinds == LANES_SAMPLES;
			else if (lane_at_lanes(app, i)->kind == LANE_SAMPLES)
				app->s.lanes[i].is_hidden = kinds == LANES_SLICES;
	}
}

bool lanes_hide(struct app *app)
{
	int lane = app->s.chart.lane, n_shown = 0;

	for (int i = 0; i < app->s.chart.n_lanes; i++)
		n_shown += chart_title_rows(&app->s.lanes[i]);
	if (lane < 0 || n_shown < 2)
		return false;
	lane = lanes_head(&app->s, lane);
	app->s.lanes[lane].is_hidden = true;
	for (int i = lane + 1; i < app->s.chart.n_lanes && lane_at_lanes(app, i)->is_joined; i++)
		app->s.lanes[i].is_hidden = true;
	return true;
}

int lanes_unhide(struct app *app)
{
	int n = 0;

	for (int i = 0; i < app->s.chart.n_lanes; i++) {
		n += app->s.lanes[i].is_hidden && !lane_at_lanes(app, i)->is_joined;
		app->s.lanes[i].is_hidden = false;
	}
	app->s.kinds = LANES_BOTH;
	return n;
}
