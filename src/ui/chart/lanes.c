/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A trace may have hundreds of lanes, so only the lanes that matter most are open at first, and
 * what a lane needs to be drawn is made when it comes into view. */
#include "config.h"

#include "ui/chart/lanes.h"

#include "base/alloc.h"
#include "draw/lane_title.h"
#include "draw/overview.h"
#include "ui/actions.h"
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

static const struct lane *lane_at(const struct scene *s, int i)
{
	return s->lanes[i].lane;
}

/* ---- pools ---- */

/* Fold or open the pool of a lane. No effect if it is in none. */
static void fold_pool(struct scene *s, int lane, bool is_folded)
{
	if (!s->lanes[lane].in_pool)
		return;
	while (!s->lanes[lane].has_pool)
		lane--;
	do
		s->lanes[lane].is_pooled = is_folded;
	while (++lane < s->chart.n_lanes && s->lanes[lane].in_pool && !s->lanes[lane].has_pool);
}

/* ---- other processes ---- */

/* After chart_lane.is_away has changed: find the lane with the row of other processes. It is below
 * the processes that have rows of their own, if a lane is there. */
static void place_others(struct scene *s)
{
	int first = -1, below = -1;
	bool has_open = false;

	for (int i = 0; i < s->chart.n_lanes; i++) {
		struct chart_lane *cl = &s->lanes[i];

		cl->has_others = false;
		has_open |= !cl->is_away && !cl->is_above;
		if (cl->is_away && first < 0)
			first = i;
		if (cl->is_away && has_open && below < 0)
			below = i;
	}
	if (first >= 0)
		s->lanes[below >= 0 ? below : first].has_others = true;
}

/* Put all processes that are folded, if there are several, onto one row. */
static void fold_others(struct scene *s)
{
	int n = 0;

	for (int i = 0; i < s->chart.n_lanes; i++)
		n += s->lanes[i].has_group && s->lanes[i].is_shut;
	for (int i = 0; i < s->chart.n_lanes && n > 1; i++)
		s->lanes[i].is_away = s->lanes[i].is_shut;
	place_others(s);
}

/* Give each process on the row of other processes a row of its own. */
static void open_others(struct scene *s)
{
	for (int i = 0; i < s->chart.n_lanes; i++)
		s->lanes[i].is_away = false;
	place_others(s);
}

/* ---- the flags of single lanes ---- */

static void settle_process(struct scene *s, int first)
{
	bool is_away = true;
	int end = first;

	do
		is_away &= s->lanes[end].is_away;
	while (++end < s->chart.n_lanes && !s->lanes[end].has_group);
	while (end-- > first)
		s->lanes[end].is_away = is_away;
}

void groups_settle(struct scene *s)
{
	for (int i = 0; i < s->chart.n_lanes; i++) {
		if (s->lanes[i].has_pool) {
			bool is_folded = true;
			int end = i;

			do
				is_folded &= s->lanes[end].is_pooled;
			while (++end < s->chart.n_lanes && s->lanes[end].in_pool &&
			       !s->lanes[end].has_pool);
			fold_pool(s, i, is_folded);
		}
		if (s->lanes[i].has_group)
			settle_process(s, i);
	}
	place_others(s);
}

/* ==== lanes ==== */

#define MAX_TRIES 16
#define MANY_LANES 8   /* if more lanes would be open at first, only the busiest is */
#define SERVED_ROOM 15 /* rows of the chart: with fewer, requests are open only if others leave */
#define WAITS_ROOM 20  /* ... room, and with fewer, what they wait for */
#define SERVED_ROWS 5  /* that is room enough; rows that do not fit are drawn as one */
#define MAX_ABOVE 4    /* more lanes of the whole trace have a row for all of them */

/* Whether lane `of`, marks or requests, is about the process of `lane`, or about the whole trace.
 */
static bool is_about(const struct scene *s, int of, int lane)
{
	const struct lane *a = lane_at(s, of), *b = lane_at(s, lane);

	/* Samples may be in another file than requests. */
	if (a->served)
		return lane_is_of_process(a, b);
	return a->is_across && (a->pid == LANE_NO_ID || (a->pid == b->pid && a->input == b->input));
}

/* The first lane of a lane's process. */
static int group_of(const struct scene *s, int lane)
{
	while (lane > 0 && !s->lanes[lane].has_group)
		lane--;
	return lane;
}

/* The first lane of a lane's thread. */
static int thread_of(const struct scene *s, int lane)
{
	while (lane > 0 && lane_is_of_thread(lane_at(s, lane), lane_at(s, lane - 1)))
		lane--;
	return lane;
}

void lanes_shut(struct scene *s, int lane, bool is_shut)
{
	bool was_away;

	lane = group_of(s, lane);
	if (!s->lanes[lane].has_group)
		return;
	was_away = s->lanes[lane].is_away;
	do {
		s->lanes[lane].is_shut = is_shut;
		s->lanes[lane].is_away &= is_shut;
	} while (++lane < s->chart.n_lanes && !s->lanes[lane].has_group);
	if (was_away && !is_shut)
		place_others(s);
}

void lanes_open(struct scene *s, int lane, bool is_open)
{
	lane = lanes_head(s, lane);
	if (is_open) {
		lanes_shut(s, lane, false);
		fold_pool(s, lane, false);
	}
	s->lanes[lane].is_open = is_open;
	for (int i = lane + 1; i < s->chart.n_lanes && lane_at(s, i)->is_joined; i++)
		s->lanes[i].is_open = is_open;
}

/* Whether a lane of slices belongs to a main thread: one that has samples too, or on which a page
 * or a program runs its scripts. */
static bool is_main(const struct scene *s, int i)
{
	const struct lane *lane = lane_at(s, i);
	const char *name = profile_text(s->profile, lane->thread_name);

	if (strcmp(name, "CrRendererMain") == 0 || strcmp(name, "JavaScriptMainThread") == 0)
		return true;
	for (int k = i + 1; k < s->chart.n_lanes && lane_is_of_thread(lane, lane_at(s, k)); k++)
		if (lane_at(s, k)->kind == LANE_SAMPLES)
			return true;
	return false;
}

static bool is_wanted(const struct scene *s, int i, bool is_few)
{
	const struct lane *lane = lane_at(s, i);

	if (lane->is_folded || lane->page_order > PAGE_OTHER)
		return false;
	/* Async lanes of a thread are those of a page: requests, interactions. */
	return is_few || lane->kind == LANE_SAMPLES ||
		(lane->kind == LANE_ASYNC && lane->tid != LANE_NO_ID) ||
		(lane->kind == LANE_SLICES && is_main(s, i));
}

/* The number of lanes that stand above all processes, as they are of the whole trace. */
static int count_above(const struct scene *s)
{
	int n = 0;

	while (n < s->chart.n_lanes && lane_at(s, n)->pid == LANE_NO_ID &&
	       lane_at(s, n)->tid == LANE_NO_ID && lane_at(s, n)->kind != LANE_SAMPLES)
		n++;
	return n <= MAX_ABOVE ? n : 0;
}

/* Find the processes without a name that have one lane, such as files that name none. */
static void find_lone(struct scene *s)
{
	for (int i = 0, end; i < s->chart.n_lanes; i = end) {
		bool is_lone = s->lanes[i].has_group && lane_at(s, i)->pid == LANE_NO_ID;

		for (end = i + 1; end < s->chart.n_lanes && !s->lanes[end].has_group; end++)
			is_lone &= lane_at(s, end)->is_joined;
		while (i < end)
			s->lanes[i++].is_lone = is_lone;
	}
}

/* If there are many lanes of several processes, each process gets a row. */
static void group_lanes(struct scene *s, int n_titles)
{
	int n_above = count_above(s), n = n_above > 0;

	if (n_titles <= MANY_LANES)
		return;
	for (int i = n_above; i < s->chart.n_lanes; i++) {
		s->lanes[i].has_group = i == n_above ||
			(!lane_is_across_all(lane_at(s, i)) &&
			 !lane_is_of_process(lane_at(s, i), lane_at(s, i - 1)));
		n += s->lanes[i].has_group;
	}
	s->chart.has_groups = n > 1;
	for (int i = 0; i < s->chart.n_lanes; i++) {
		s->lanes[i].has_group &= n > 1;
		s->lanes[i].is_above = n > 1 && i < n_above;
	}
	find_lone(s);
}

void lanes_init(struct scene *s)
{
	int n_titles = 0, n_open = 0;
	int n;

	for (int i = 0; i < s->chart.n_lanes; i++)
		n_titles += !lane_at(s, i)->is_joined;
	group_lanes(s, n_titles);
	/* Many threads: the pools are folded. */
	for (int i = 0, end; i < s->chart.n_lanes; i = end) {
		end = pool_end(s->profile, s->lanes, s->chart.n_lanes, i, &n);
		for (int k = i; k < end && n >= POOL_MIN; k++) {
			s->lanes[k].in_pool = true;
			s->lanes[k].has_pool = k == i;
			s->lanes[k].is_pooled = n_titles > MANY_LANES;
		}
	}
	for (int i = 0; i < s->chart.n_lanes; i++) {
		bool is_joined = i > 0 && lane_at(s, i)->is_joined;

		s->lanes[i].is_open = is_joined
			? s->lanes[i - 1].is_open
			: is_wanted(s, i, n_titles <= MANY_LANES || s->lanes[i].is_above);
		n_open += !is_joined && s->lanes[i].is_open;
	}
	for (int i = 0; i < s->chart.n_lanes && n_open > MANY_LANES; i++)
		s->lanes[i].is_open &= s->lanes[i].is_above;
	for (int i = 0; i < s->chart.n_lanes; i++)
		if (s->lanes[i].has_group)
			lanes_shut(s, i, true);
}

/* The rows of a lane and the lanes joined to it, without its title. */
static int rows_of_lane(struct app *app, int lane)
{
	int rows = 0;

	do
		rows += fit_wanted_rows(app, lane);
	while (++lane < app->s.chart.n_lanes && lane_at(&app->s, lane)->is_joined);
	return rows;
}

/* What makes a lane worth a look: what its code does, and garbage collection. Native work that no
 * code asked for, `(program)`, does not count: browsers have threads that do little else. */
static int64_t work_ns(const struct lane *lane)
{
	return lane->busy_ns + lane->gc_ns;
}

/* Whether lane i is what requests wait for, which are folded. */
static bool is_below_folded(const struct scene *s, int i)
{
	int requests = i > 0 ? lanes_head(s, i - 1) : i;

	return lane_at(s, i)->served == LANE_WAITS && lane_at(s, requests)->served == LANE_SERVED &&
		!s->lanes[requests].is_open;
}

/* The busiest lane of those that may be opened at first and are not open; -1: none. */
static int busiest_folded(const struct scene *s, const uint8_t *is_tried)
{
	int best = -1;

	for (int i = 0; i < s->chart.n_lanes; i++)
		if (!is_tried[i] && !s->lanes[i].is_open && !s->lanes[i].is_shut &&
		    !s->lanes[i].is_pooled && !lane_at(s, i)->is_joined &&
		    lane_at(s, i)->has_timeline && is_wanted(s, i, !s->chart.has_groups) &&
		    !is_below_folded(s, i) &&
		    (best < 0 || work_ns(lane_at(s, i)) > work_ns(lane_at(s, best))))
			best = i;
	return best;
}

/* Open what the process of a lane serves, and waits for, if it has room beside other lanes or the
 * chart has rows enough. Returns the rows that it takes. */
static int open_served(struct app *app, int lane, int room, int all)
{
	int rows = 0;

	for (int i = 0; i < app->s.chart.n_lanes; i++) {
		const struct lane *of = lane_at(&app->s, i);
		int more;

		if (!of->served || of->is_joined || !is_about(&app->s, i, lane) ||
		    is_below_folded(&app->s, i))
			continue;
		more = rows_of_lane(app, i);
		more = more < SERVED_ROWS ? more : SERVED_ROWS;
		if (rows + more > room &&
		    all < (of->served == LANE_SERVED ? SERVED_ROOM : WAITS_ROOM))
			continue;
		rows += more;
		lanes_open(&app->s, i, true);
	}
	return rows;
}

/* Open the lanes that are open at first: the thread with the cursor, and other lanes of samples and
 * slices, the busiest first, as far as the screen has room for their rows. */
static void open_first(struct app *app)
{
	int lane = app->s.chart.lane, rows = 0, next;
	struct screen_layout layout;
	ALLOC_LOCAL uint8_t *is_tried = NULL;

	if (lane < 0)
		return;
	state_layout(app, &layout);
	for (int i = 0; i < app->s.chart.n_lanes; i++)
		app->s.lanes[i].is_open &= app->s.lanes[i].is_shut || app->s.lanes[i].is_above;
	for (int i = thread_of(&app->s, lane); i < lane; i++)
		if (lane_at(&app->s, i)->kind == LANE_SLICES)
			lanes_open(&app->s, i, true);
	lanes_open(&app->s, lane, true);
	fold_others(&app->s);
	for (int i = 0; i < app->s.chart.n_lanes; i++) {
		rows += chart_title_rows(&app->s.lanes[i]);
		if (app->s.lanes[i].is_open && !app->s.lanes[i].is_shut)
			rows += fit_wanted_rows(app, i);
	}
	rows += open_served(app, lane, layout.lanes.rows - rows, layout.lanes.rows);
	is_tried = xcalloc((size_t)app->s.chart.n_lanes, 1);
	for (int n = 0; n < MAX_TRIES && rows < layout.lanes.rows &&
	     (next = busiest_folded(&app->s, is_tried)) >= 0;
	     n++) {
		int more = rows_of_lane(app, next);

		is_tried[next] = 1;
		if (rows + more > layout.lanes.rows)
			continue;
		rows += more;
		lanes_open(&app->s, next, true);
	}
}

/* Which of two lanes is the better first selection: the page before others; samples before slices
 * before others; the busier one of equal kinds. */
static bool is_better(const struct lane *a, const struct lane *b)
{
	static const int rank[] = { [LANE_SAMPLES] = 0, [LANE_SLICES] = 1, [LANE_ASYNC] = 2,
				    [LANE_OBJECTS] = 3, [LANE_MARKS] = 4,  [LANE_COUNTER] = 5 };
	int x = rank[a->kind] + (a->is_folded || !a->has_timeline),
	    y = rank[b->kind] + (b->is_folded || !b->has_timeline);

	if (a->is_page_main != b->is_page_main)
		return a->is_page_main;
	return x != y ? x < y : work_ns(a) > work_ns(b);
}

/* The lane to select at first: the page; samples, the busiest, if there are any; -1: there is no
 * lane. */
static int best_lane(const struct scene *s)
{
	int best = s->chart.n_lanes > 0 ? 0 : -1;

	for (int i = 1; i < s->chart.n_lanes; i++)
		if (is_better(lane_at(s, i), lane_at(s, best)))
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
		lanes_open(&app->s, lane, false);
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

/* The end of the lanes of the thread that begin with `from`. */
static int thread_end(const struct scene *s, int from)
{
	int end = from + 1;

	while (end < s->chart.n_lanes && lane_is_of_thread(lane_at(s, from), lane_at(s, end)))
		end++;
	return end;
}

/* Whether the lanes [from, end) have both slices and samples. */
static bool has_both(const struct scene *s, int from, int end)
{
	bool has_slices = false, has_samples = false;

	for (int i = from; i < end; i++) {
		has_slices |= lane_at(s, i)->kind == LANE_SLICES;
		has_samples |= lane_at(s, i)->kind == LANE_SAMPLES;
	}
	return has_slices && has_samples;
}

void lanes_show_kinds(struct scene *s, enum lanes_kinds kinds)
{
	for (int from = 0, end; from < s->chart.n_lanes; from = end) {
		bool is_both;

		end = thread_end(s, from);
		is_both = has_both(s, from, end);
		for (int i = from; i < end && is_both; i++)
			if (lane_at(s, i)->kind == LANE_SLICES)
				s->lanes[i].is_hidden = kinds == LANES_SAMPLES;
			else if (lane_at(s, i)->kind == LANE_SAMPLES)
				s->lanes[i].is_hidden = kinds == LANES_SLICES;
	}
}

/* ==== select start ====
 *
 * The first selection is the longest call at the beginning of the busiest lane, unless a window was
 * asked for: then it is a call in the window. */

/* Open the lanes that are open at first, and scroll to the thread with the cursor. Slices that the
 * thread itself recorded belong to the first screen, from the thread's title on. */
void select_start_show(struct app *app)
{
	int lane = app->s.chart.lane, first;

	if (lane < 0)
		return;
	open_first(app);
	fit_lanes(app);
	first = thread_of(&app->s, lane);
	while (first > 0 && is_about(&app->s, first - 1, lane))
		first--;
	app->s.view.top_scroll = -1;
	app->s.view.scroll = chart_lane_top(&app->s.chart, first);
	if (app->s.lanes[first].has_group && first > 0)
		app->s.view.scroll += chart_title_rows(&app->s.lanes[first]) - 1;
	state_clamp_scroll(app);
	select_reveal_row(app);
}

#define START_MAX 1000000u /* limit of samples that are searched for the first screen */

/* The longest outermost span among the first million samples of the lane, except idle, (program)
 * and garbage collection. */
static bool find_start(const struct profile *profile, const struct lane *lane, struct span *out)
{
	const struct samples *s = &lane->samples;
	size_t best = SIZE_MAX, end = s->n < START_MAX ? s->n : START_MAX;
	int64_t longest = 0;

	for (size_t i = 0; i < end; i++) {
		size_t last;
		enum category category;

		if (lane->tree.rows[samples_leaf(s, i)] == 0)
			continue;
		last = samples_run_end(s, i, 1);
		if (samples_time(s, last + 1) - samples_time(s, i) > longest) {
			category = profile_node_frame(
					   profile, lane,
					   calltree_ancestor(&lane->tree, samples_leaf(s, i), 1))
					   ->category;
			if (category != CATEGORY_IDLE && category != CATEGORY_PROGRAM &&
			    category != CATEGORY_GC) {
				longest = samples_time(s, last + 1) - samples_time(s, i);
				best = i;
			}
		}
		i = last;
	}
	return best != SIZE_MAX && span_of_sample(s, &lane->tree, best, 0, out);
}

/* Select the first lane and span of a new app. */
void select_start_first(struct app *app)
{
	int best = best_lane(&app->s);
	struct viewport view = app->s.view;
	struct span span;

	app->s.chart.lane = best;
	if (best < 0)
		return;
	lanes_open(&app->s, best, true);
	if (app->s.lanes[best].lane->has_timeline &&
	    find_start(app->s.profile, app->s.lanes[best].lane, &span))
		select_span(app, best, &span);
	else
		select_reveal_row(app);
	view.scroll = app->s.view.scroll;
	app->s.view = view;
	select_inside(app);
	select_start_show(app);
}

/* After the screen got another size: until the user does something, the first lanes are chosen anew
 * for it; later, the selection stays on the screen. */
void select_start_resized(struct app *app)
{
	if (!app->is_touched) {
		culprit_again(app);
		select_start_show(app);
	} else if (app->s.chart.has_selection) {
		select_reveal_row(app);
	}
}

/* ==== lane keys ====
 *
 * Commands that fold, open and hide lanes. */

/* Whether the selected call is one that the chart folds into the row of the trunk, or would. */
static bool is_on_trunk(const struct app *app)
{
	const struct chart_lane *cl = &app->s.lanes[app->s.chart.lane];

	return cl->is_open && !cl->is_flipped && app->s.chart.has_selection &&
		app->s.chart.selected.depth < cl->trunk;
}

/* Whether Space shows more or fewer calls: in all rows of a lane in which something folds, except
 * those that stand for others of their own. */
static bool turns_folds(const struct app *app)
{
	int lane = app->s.chart.lane;

	if (!app->s.chart.has_selection || !fold_has(app->s.fold, lane) ||
	    !app->s.lanes[lane].is_open)
		return false;
	return app->s.lanes[lane].is_unfolded ||
		(chart_is_folded(&app->s.chart, lane) &&
		 fold_is_run(app->s.fold, lane, app->s.chart.selected.node)) ||
		!(is_on_trunk(app) || fit_is_at_rest(app));
}

/* Fold the lane to its title, or open it. */
static void turn_lane(struct app *app)
{
	lanes_open(&app->s, app->s.chart.lane, !app->s.lanes[app->s.chart.lane].is_open);
}

unsigned lane_keys_fold(struct app *app)
{
	int lane = app->s.chart.lane;
	struct chart_lane *cl;

	if (lane < 0)
		return APP_REDRAW;
	cl = &app->s.lanes[lane];
	if (turns_folds(app)) {
		cl->is_unfolded = !cl->is_unfolded;
		folds_follow(app);
		cl->is_trunk_open = cl->is_unfolded;
		state_say(app, false, "%s",
			  !chart_is_folded(&app->s.chart, lane)
				  ? "all calls of packages and Node.js; Space folds them"
				  : "packages and Node.js are folded; Space shows their calls");
	} else if (is_on_trunk(app)) {
		cl->is_trunk_open = !cl->is_trunk_open;
	} else if (fit_is_at_rest(app)) {
		cl = &app->s.lanes[chart_head(&app->s.chart, lane)];
		cl->is_whole = !cl->is_whole;
		fit_lanes(app);
	} else {
		if (cl->is_away)
			open_others(&app->s);
		else if (cl->is_shut)
			lanes_shut(&app->s, lane, false);
		else if (cl->is_pooled)
			fold_pool(&app->s, lane, false);
		else
			turn_lane(app);
		state_clamp_scroll(app);
		return APP_REDRAW;
	}
	select_reveal_row(app);
	return APP_REDRAW;
}

/* Open the row of other processes, or fold or open the thread pool, if the cursor is there. */
static bool fold_other_group(struct app *app)
{
	int lane = app->s.chart.lane;
	struct chart_lane *cl = lane < 0 ? NULL : &app->s.lanes[lane];

	if (!cl || !(cl->is_away || (cl->in_pool && !cl->is_shut)))
		return false;
	if (cl->is_away) {
		open_others(&app->s);
	} else {
		fold_pool(&app->s, lane, !cl->is_pooled);
		while (cl->is_pooled && !app->s.lanes[lane].has_pool)
			lane--;
		app->s.chart.has_selection &= !cl->is_pooled;
		app->s.chart.lane = lane;
	}
	select_reveal_row(app);
	return true;
}

unsigned lane_keys_fold_process(struct app *app)
{
	int first = app->s.chart.lane < 0 ? -1 : group_of(&app->s, app->s.chart.lane);

	if (fold_other_group(app))
		return APP_REDRAW;
	if (first < 0)
		return APP_REDRAW;
	if (!app->s.lanes[first].has_group) {
		turn_lane(app);
		state_clamp_scroll(app);
		return APP_REDRAW;
	}
	lanes_shut(&app->s, first, !app->s.lanes[first].is_shut);
	if (app->s.lanes[first].is_shut) {
		app->s.chart.lane = first;
		app->s.chart.has_selection = false;
	}
	select_reveal_row(app);
	return APP_REDRAW;
}

unsigned lane_keys_hide(struct app *app)
{
	int lane = app->s.chart.lane, n_shown = 0;

	for (int i = 0; i < app->s.chart.n_lanes; i++)
		n_shown += chart_title_rows(&app->s.lanes[i]);
	if (lane < 0 || n_shown < 2)
		return state_say(app, false,
				 app->s.chart.n_lanes ? "this is the only lane"
						      : "there are no lanes");
	lane = lanes_head(&app->s, lane);
	do
		app->s.lanes[lane].is_hidden = true;
	while (++lane < app->s.chart.n_lanes && lane_at(&app->s, lane)->is_joined);
	select_shown_lane(app);
	return state_say(app, false, "lane hidden; oh shows hidden lanes");
}

unsigned lane_keys_show(struct app *app)
{
	int n = 0;

	for (int i = 0; i < app->s.chart.n_lanes; i++) {
		n += app->s.lanes[i].is_hidden && !lane_at(&app->s, i)->is_joined;
		app->s.lanes[i].is_hidden = false;
	}
	app->s.kinds = LANES_BOTH;
	return state_say(app, false, n ? "%d hidden lane%s shown" : "no lane is hidden", n,
			 n == 1 ? "" : "s");
}

/* Whether any thread has both slices and samples: else there is nothing to choose between. */
static bool has_both_kinds(const struct scene *s)
{
	for (int from = 0, end; from < s->chart.n_lanes; from = end) {
		end = thread_end(s, from);
		if (has_both(s, from, end))
			return true;
	}
	return false;
}

/* If the lane with the cursor is hidden, stay on its thread if another lane of that is shown. */
static void select_of_thread(struct app *app)
{
	int lane = app->s.chart.lane;

	for (int i = 0; lane >= 0 && app->s.lanes[lane].is_hidden && i < app->s.chart.n_lanes; i++)
		if (!app->s.lanes[i].is_hidden && !app->s.lanes[i].lane->is_joined &&
		    lane_is_of_thread(app->s.lanes[i].lane, app->s.lanes[lane].lane)) {
			select_lane(app, i);
			return;
		}
	select_shown_lane(app);
}

unsigned lane_keys_kinds(struct app *app)
{
	static const char *const names[LANES_KINDS] = { "slices and CPU samples", "slices only",
							"CPU samples only" };

	if (!has_both_kinds(&app->s))
		return state_say(app, false,
				 "no thread has both slices and CPU samples: nothing to hide");
	app->s.kinds = (app->s.kinds + 1) % LANES_KINDS;
	lanes_show_kinds(&app->s, (enum lanes_kinds)app->s.kinds);
	select_of_thread(app);
	return state_say(app, false, "threads with slices and samples show %s",
			 names[app->s.kinds]);
}
