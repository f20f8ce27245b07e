/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Moving sideways stays on a row; moving down selects the longest callee in the window. Going to
 * the caller and back returns to the same callee: goal_t remembers the time until the selection
 * moves in another way. */
#include "config.h"

#include "ui/chart/select.h"

#include "base/alloc.h"
#include "model/span_find.h"
#include "ui/actions.h"
#include "ui/chart/lanes.h"
#include "ui/state.h"

#include <stdint.h>
#include <stdlib.h>

/* The lane with the cursor as it is drawn; NULL: there is none. */
static const struct lane *drawn_lane(const struct app *app)
{
	return app->s.chart.lane >= 0 ? app->s.lanes[app->s.chart.lane].lane : NULL;
}

/* ==== select inside ====
 *
 * Selecting brings a span into view. Here the window is what the user asked for, so it is put back.
 * A span that sticks out of the window would lead out of it again: its callee in the middle is
 * taken instead, as long as there is one. */

/* Find the span of a lane at time t and at `depth`, or at the largest depth below it that has one.
 */
static bool find_at(const struct lane *lane, int depth, int64_t t, struct span *out)
{
	while (depth >= 0 && !span_at(&lane->samples, &lane->tree, depth, t, out))
		depth--;
	return depth >= 0;
}

#define STEPS_MAX 100 /* down a stack: each takes time for the samples of its span */

void select_inside_at(struct app *app, int64_t t)
{
	const struct lane *lane = drawn_lane(app);
	int depth = app->s.chart.has_selection ? app->s.chart.selected.depth : 0;
	struct span span;

	if (lane && lane->samples.n > 0 && find_at(lane, depth, t, &span))
		select_span(app, app->s.chart.lane, &span);
}

/* Spans of no length belong to the window that they begin in. */
static bool is_inside(const struct viewport *view, const struct span *span)
{
	return span->t0 < viewport_end(view) && (span->t1 > view->t0 || span->t0 >= view->t0);
}

/* Go on to the first callee at time t that does not stick out of the window; if all do, stay. */
static void go_in(const struct lane *lane, const struct viewport *view, int64_t t,
		  struct span *span)
{
	struct span in = *span;

	for (int steps = 0; in.t0 < view->t0 || in.t1 > view->t1; steps++)
		if (steps == STEPS_MAX ||
		    !span_at(&lane->samples, &lane->tree, in.depth + 1, t, &in))
			return;
	*span = in;
}

void select_inside(struct app *app)
{
	const struct lane *lane = drawn_lane(app);
	struct viewport view = app->s.view;
	int64_t middle = view.t0 + (view.t1 - view.t0) / 2;
	struct span span;

	if (!lane || !app->s.chart.has_selection || is_inside(&view, &app->s.chart.selected))
		return;
	app->s.has_goal = false;
	if (app->s.lanes[app->s.chart.lane].is_open &&
	    (find_at(lane, app->s.chart.selected.depth, middle, &span) ||
	     span_find_callee(lane, NULL, view.t0, viewport_end(&view), &span))) {
		go_in(lane, &view, middle, &span);
		select_span(app, app->s.chart.lane, &span);
		view.scroll = app->s.view.scroll;
		app->s.view = view;
	} else {
		app->s.chart.has_selection = false;
	}
}

/* ==== thread row ====
 *
 * Spans of one row do not overlap, whichever lanes they are of. So among the lanes, the next span
 * of a row is the one that begins first, and spans that begin at one time, without length, are in
 * the order of their lanes. */

/* A span of lane `lane`. */
struct thread_row_span {
	int lane;
	struct span span;
};

/* The lanes that have rows together: [first, first + n]. */
static int last_lane(const struct chart *chart, int first)
{
	return first + chart->lanes[first].n_over;
}

/* The depth that a lane has in a row; negative: it begins below. */
static int depth_in(const struct chart *chart, int lane, int row)
{
	return row - chart_first_row(&chart->lanes[lane]);
}

/* The row of a span, counted from that of depth 0 of the lane that is not laid over another. */
static int thread_row_of(const struct chart *chart, int lane, const struct span *span)
{
	return chart_first_row(&chart->lanes[lane]) + span->depth;
}

/* The span at time t in row `row` of `lane` or a lane that is laid over it. */
static bool thread_row_at(const struct chart *chart, int lane, int row, int64_t t,
			  struct thread_row_span *out)
{
	int first = chart_head(chart, lane);

	for (int i = first; i <= last_lane(chart, first); i++) {
		const struct lane *of = chart->lanes[i].lane;

		int depth = depth_in(chart, i, row);

		out->lane = i;
		if (depth < 0 || !of->samples.n)
			continue;
		if (span_at(&of->samples, &of->tree, depth, t, &out->span))
			return true;
		if (slice_time_span_at(of, depth, t, &out->span)) {
			/* As span_at() returns it. */
			out->span.t1 = samples_time(&of->samples, out->span.end);
			return true;
		}
	}
	return false;
}

/* The same in `row` or the nearest row above it that has one. */
static bool thread_row_near(const struct chart *chart, int lane, int row, int64_t t,
			    struct thread_row_span *out)
{
	for (; row >= 0; row--)
		if (thread_row_at(chart, lane, row, t, out))
			return true;
	return false;
}

/* The first sample that begins at t or later, or, if is_after, later than t. */
static size_t first_sample(const struct samples *s, int64_t t, bool is_after)
{
	int64_t last = is_after ? t : t - 1;

	return samples_time(s, 0) > last ? 0 : samples_find(s, last) + 1;
}

/* The nearest span of lane i in the row of `from`, of another lane. */
static bool find_beside(const struct chart *chart, int i, const struct thread_row_span *from,
			bool is_next, struct span *out)
{
	const struct lane *lane = chart->lanes[i].lane;
	const struct samples *s = &lane->samples;
	int depth = depth_in(chart, i, thread_row_of(chart, from->lane, &from->span));
	int64_t t = from->span.t0;

	if (depth < 0 || depth >= lane->max_depth || !s->n)
		return false;
	/* Spans without length at the same time follow each other in the order of the lanes. */
	if (is_next)
		return span_next(s, &lane->tree, depth, first_sample(s, t, i < from->lane), out);
	return span_before(s, &lane->tree, depth, first_sample(s, t, i < from->lane), out);
}

/* The next span, or the one before, in the row of `from`. */
static bool thread_row_beside(const struct chart *chart, const struct thread_row_span *from,
			      bool is_next, struct thread_row_span *out)
{
	const struct lane *lane = chart->lanes[from->lane].lane;
	int first = chart_head(chart, from->lane);
	const struct span *span = &from->span;
	bool has_found;

	out->lane = from->lane;
	if (is_next)
		has_found = span_next(&lane->samples, &lane->tree, span->depth, span->end,
				      &out->span);
	else
		has_found = span_before(&lane->samples, &lane->tree, span->depth, span->first,
					&out->span);
	for (int i = first; i <= last_lane(chart, first); i++) {
		struct span other;

		if (i == from->lane || !find_beside(chart, i, from, is_next, &other))
			continue;
		if (!has_found ||
		    (is_next ? other.t0 < out->span.t0 ||
				     (other.t0 == out->span.t0 && i < out->lane)
			     : other.t0 > out->span.t0 ||
				     (other.t0 == out->span.t0 && i > out->lane)))
			*out = (struct thread_row_span){ i, other };
		has_found = true;
	}
	return has_found;
}

/* The span above `from`: its caller or, if another lane has that row at the start of `from`, the
 * span there. */
static bool thread_row_above(const struct chart *chart, const struct thread_row_span *from,
			     struct thread_row_span *out)
{
	const struct lane *lane = chart->lanes[from->lane].lane;

	out->lane = from->lane;
	if (span_of_sample(&lane->samples, &lane->tree, from->span.first, from->span.depth - 1,
			   &out->span))
		return true;
	if (from->span.depth > 0 || !chart->lanes[from->lane].is_over)
		return false;
	return thread_row_near(chart, from->lane, thread_row_of(chart, from->lane, &from->span) - 1,
			       from->span.t0, out);
}

static int64_t part_in(const struct span *span, int64_t t0, int64_t t1)
{
	return (span->t1 < t1 ? span->t1 : t1) - (span->t0 > t0 ? span->t0 : t0);
}

/* The span below `from` with the longest part in [t0, t1). */
static bool thread_row_below(const struct chart *chart, const struct thread_row_span *from,
			     int64_t t0, int64_t t1, struct thread_row_span *out)
{
	int first = chart_head(chart, from->lane);
	int row = thread_row_of(chart, from->lane, &from->span) + 1;
	const struct lane *lane = chart->lanes[from->lane].lane;
	int64_t end = from->span.t0 + slice_time_of_span(lane, &from->span);
	bool has_found = span_find_callee(lane, &from->span, t0, t1, &out->span);

	out->lane = from->lane;
	t0 = t0 > from->span.t0 ? t0 : from->span.t0;
	t1 = t1 < end ? t1 : end;
	for (int i = first + 1; i <= last_lane(chart, first) && t0 < t1; i++) {
		struct span span;

		if (depth_in(chart, i, row) != 0 || !chart->lanes[i].lane->samples.n ||
		    !span_find_callee(chart->lanes[i].lane, NULL, t0, t1, &span) ||
		    span.t0 >= end || span.t1 < from->span.t0)
			continue;
		if (!has_found || part_in(&span, t0, t1) > part_in(&out->span, t0, t1))
			*out = (struct thread_row_span){ i, span };
		has_found = true;
	}
	return has_found;
}

/* The span of which only the end is in [t0, t1), behind that of its samples. */
static bool find_over(const struct lane *lane, int depth, int64_t t0, int64_t t1, struct span *out)
{
	if (!slice_time_span_at(lane, depth, t0, out) &&
	    !slice_time_span_at(lane, depth, t0 + (t1 - t0) / 2, out))
		return false;
	out->t1 = samples_time(&lane->samples, out->end);
	return true;
}

/* The span at `depth` that touches [t0, t1) and is nearest to `at`. */
static bool find_nearest(const struct lane *lane, int depth, int64_t t0, int64_t t1, int64_t at,
			 struct span *out)
{
	const struct samples *s = &lane->samples;
	size_t i = s->n ? first_sample(s, at, false) : 0;
	struct span before;
	bool has_next;

	if (!s->n || span_at(s, &lane->tree, depth, at, out))
		return s->n > 0;
	has_next = span_next(s, &lane->tree, depth, i, out) && out->t0 < t1;
	if (span_before(s, &lane->tree, depth, i, &before) && before.t1 > t0 &&
	    (!has_next || at - before.t1 < out->t0 - at)) {
		*out = before;
		return true;
	}
	return has_next;
}

/* The span with most time in [t0, t1) in a row, and in that time of it. It looks at each lane by
 * its coverage, which is made. */
static bool thread_row_drawn(const struct chart *chart, int lane, int row, int64_t t0, int64_t t1,
			     struct thread_row_span *out)
{
	int first = chart_head(chart, lane);
	int64_t most = -1;
	bool has_found = false;

	for (int i = first; i <= last_lane(chart, first); i++) {
		const struct chart_lane *cl = &chart->lanes[i];
		int depth = depth_in(chart, i, row), n_rows;
		const struct cover_cell *cells;
		struct span_find seek;
		struct span span;

		if (depth < 0 || !cl->cover)
			continue;
		cells = cover_column(cl->cover, t0, t1, &n_rows);
		if (depth >= n_rows || cells[depth].node == NODE_ROOT ||
		    cells[depth].all_ns <= most)
			continue;
		span_find_init_nodes(&seek, cl->lane, &cells[depth].node, 1);
		if (span_find_longest(&seek, t0, t1, &span) ||
		    find_over(cl->lane, depth, t0, t1, &span)) {
			*out = (struct thread_row_span){ i, span };
			most = cells[depth].all_ns;
			has_found = true;
		}
		span_find_done(&seek);
	}
	return has_found;
}

/* ==== select ==== */

#define NO_LANES "there are no lanes"

static int64_t middle(int64_t t0, int64_t t1)
{
	return t0 + (t1 - t0) / 2;
}

int64_t select_anchor(const struct app *app)
{
	const struct viewport *view = &app->s.view;
	const struct span *span = &app->s.chart.selected;

	if (!app->s.chart.has_selection || span->t1 < view->t0 || span->t0 >= viewport_end(view))
		return middle(view->t0, view->t1);
	return middle(span->t0 > view->t0 ? span->t0 : view->t0,
		      span->t1 < view->t1 ? span->t1 : view->t1);
}

frame_id *select_path(const struct app *app, uint32_t *n)
{
	const struct calltree *tree = &state_lane(app)->tree;
	node_id node = folds_subject(&app->s).node;
	frame_id *path;

	*n = tree->rows[node];
	path = xmalloc(*n * sizeof *path);
	for (uint32_t i = *n; i-- > 0; node = tree->parent[node])
		path[i] = tree->frame[node];
	return path;
}

/* The row of the chart with the selected span; there must be one. */
static int selected_row(const struct chart *chart)
{
	return chart_row_of(chart, chart->lane, chart->selected.depth);
}

bool select_is_shown(const struct app *app)
{
	struct screen_layout layout;
	int row;

	if (app->s.chart.lane < 0 || !app->s.chart.has_selection)
		return false;
	state_layout(app, &layout);
	row = selected_row(&app->s.chart) - app->s.view.scroll;
	return row >= (chart_sticky(&app->s.chart, layout.lanes.rows) >= 0) &&
		row < layout.lanes.rows;
}

void select_reveal_row(struct app *app)
{
	const struct chart *chart = &app->s.chart;
	struct screen_layout layout;
	int row, rows;

	state_layout(app, &layout);
	rows = layout.lanes.rows;
	if (rows == 0 || chart->lane < 0)
		return;
	row = chart_lane_top(chart, chart->lane) - 1 +
		chart_title_rows(&chart->lanes[chart_head(chart, chart->lane)]);
	/* Keep the title in view with the first rows if there is room for both. */
	if (chart->has_selection) {
		if (selected_row(chart) - row < rows && app->s.view.scroll > row)
			app->s.view.scroll = row;
		row = selected_row(chart);
	}
	if (row < app->s.view.scroll)
		app->s.view.scroll = row;
	if (row >= app->s.view.scroll + rows)
		app->s.view.scroll = row - rows + 1;
	/* A title that stays at the top covers a row. */
	if (row == app->s.view.scroll && chart->has_selection && chart_sticky(chart, rows) >= 0)
		app->s.view.scroll--;
	app->s.is_following = chart->has_selection;
	state_clamp_scroll(app);
}

void select_span(struct app *app, int lane, const struct span *span)
{
	app->s.chart.lane = lane;
	app->s.chart.has_selection = true;
	app->s.chart.selected = *span;
	lanes_open(&app->s, lane, true);
	app->s.has_goal = false;
	app->s.self_ns = span_find_self_ns(app->s.lanes[lane].lane, span);
	viewport_reveal(&app->s.view, span->t0, span->t1);
	select_reveal_row(app);
}

void select_call(struct app *app, int lane, const struct span *call)
{
	struct viewport view = app->s.view;
	struct span drawn;

	folds_lane(app, lane);
	folds_close(&app->s, lane, call, &drawn);
	select_span(app, lane, &drawn);
	/* A run may begin earlier than the call, and the call may get a row of its own later. */
	view.scroll = app->s.view.scroll;
	app->s.view = view;
	viewport_reveal(&app->s.view, call->t0, call->t1);
}

/* Select a span that is in the window at least in part. The window stays as it is. */
static void select_in_window(struct app *app, int lane, const struct span *span)
{
	struct viewport view = app->s.view;

	select_span(app, lane, span);
	if (span->t1 > view.t0 && span->t0 < view.t1) {
		view.scroll = app->s.view.scroll;
		app->s.view = view;
	}
}

static const char *span_word(const struct app *app, const struct lane *lane)
{
	return profile_is_mark(app->s.chart.profile, lane, app->s.chart.selected.node) ? "mark"
										       : "span";
}

/* The lane with the cursor if it has spans; otherwise NULL, with a message. */
static const struct lane *usable_lane(struct app *app)
{
	const struct lane *lane = drawn_lane(app);

	if (lane && lane->has_timeline && lane->samples.n > 0)
		return lane;
	state_say(app, false,
		  !lane                                ? NO_LANES
			  : lane->kind == LANE_COUNTER ? "a counter has no spans"
						       : "this lane has no time line");
	return NULL;
}

static bool select_outermost(struct app *app, const struct lane *lane)
{
	struct span span;

	if (!span_find_callee(lane, NULL, app->s.view.t0, viewport_end(&app->s.view), &span))
		return state_refuse(app, false, "nothing runs in the window on this lane");
	select_in_window(app, app->s.chart.lane, &span);
	return true;
}

static struct thread_row_span selected(const struct app *app)
{
	return (struct thread_row_span){ app->s.chart.lane, app->s.chart.selected };
}

void select_value(struct app *app, int64_t t)
{
	app->s.chart.counter_t = t;
	viewport_reveal(&app->s.view, t, t);
}

/* Move the cursor of a counter to its next or last value. */
static bool step_value(struct app *app, const struct lane *lane, bool is_next)
{
	int64_t t = counter_cursor(&app->s.chart), to = t;

	for (uint32_t i = 0; i < lane->n_series; i++) {
		const struct series *s = &lane->series[i];
		size_t at = is_next ? series_find(s, t) + 1 : series_find(s, t - 1);

		if (at < s->n && (to == t || (s->t[at] < to) == is_next))
			to = s->t[at];
	}
	if (to != t)
		select_value(app, to);
	else
		state_say(app, false, "this is the %s value", is_next ? "last" : "first");
	return to != t;
}

static bool step_sideways(struct app *app, bool is_next)
{
	const struct lane *lane = drawn_lane(app);
	struct thread_row_span from = selected(app), to;

	if (lane && lane->series)
		return step_value(app, lane, is_next);
	lane = usable_lane(app);
	if (!lane)
		return false;
	if (!app->s.chart.has_selection)
		return select_outermost(app, lane);
	if (!thread_row_beside(&app->s.chart, &from, is_next, &to))
		return state_refuse(app, false, "this is the %s %s on this row",
				    is_next ? "last" : "first", span_word(app, lane));
	select_span(app, to.lane, &to.span);
	return true;
}

/* Cross the border to the lane above or below that is joined to this one and has rows of its own:
 * select the nearest span there at the time of `from`. */
static bool select_joined(struct app *app, int step, const struct span *from)
{
	int head = chart_head(&app->s.chart, app->s.chart.lane);
	int to = step < 0 ? head - 1 : head + app->s.lanes[head].n_over + 1;
	int64_t t = from->t0 + (from->t1 - from->t0) / 2;
	const struct lane *lane;
	struct span span;
	size_t i;

	if (to < 0 || to >= app->s.chart.n_lanes || app->s.lanes[to].is_hidden ||
	    !app->s.lanes[step > 0 ? to : to + 1].lane->is_joined)
		return false;
	if (step < 0)
		to = chart_head(&app->s.chart, to);
	lane = app->s.lanes[to].lane;
	if (lane->samples.n == 0)
		return false;
	if (step > 0 &&
	    span_find_callee(lane, NULL, from->t0, from->t1 > from->t0 ? from->t1 : from->t0 + 1,
			     &span)) {
		select_span(app, to, &span);
		return true;
	}
	if (step < 0 && app->s.lanes[to].n_over) {
		struct thread_row_span above;

		if (!thread_row_near(&app->s.chart, to, chart_lane_rows(&app->s.lanes[to]) - 1, t,
				     &above))
			return false;
		select_span(app, above.lane, &above.span);
		return true;
	}
	i = samples_find(&lane->samples, t);
	if (step > 0 ||
	    !span_of_sample(&lane->samples, &lane->tree, i,
			    lane->tree.rows[samples_leaf(&lane->samples, i)] - 1, &span))
		return false;
	select_span(app, to, &span);
	return true;
}

static bool step_flow(struct app *app, bool is_next)
{
	const struct profile *p = app->s.profile;
	const struct span *from = &app->s.chart.selected;
	const struct flow_point *to;
	struct flow_link link;
	size_t first, n = 0;

	if (!app->s.chart.has_selection ||
	    !flow_link_find(p, (uint32_t)app->s.chart.lane, from, is_next, &link)) {
		if (app->s.chart.has_selection)
			n = profile_flows_of(p, (uint32_t)app->s.chart.lane, from, &first);
		return state_refuse(app, false,
				    n == 0            ? "no flow begins or ends in this slice"
					    : is_next ? "no flow starts at or passes this slice"
						      : "no flow leads to this slice");
	}
	n = profile_flows_of(p, (uint32_t)app->s.chart.lane, from, &first);
	to = is_next ? link.to : link.from;
	app->s.lanes[to->lane].is_hidden = false;
	select_span(app, (int)to->lane, &to->span);
	state_say(app, false,
		  n > 1 ? "one of %zu flows of the slice; 8 lists them" : "followed the flow", n);
	return true;
}

bool select_initiator(struct app *app)
{
	return step_flow(app, false);
}

bool select_has_initiator(const struct app *app)
{
	const struct chart *chart = &app->s.chart;
	struct flow_link link;

	return chart->has_selection &&
		flow_link_find(app->s.profile, (uint32_t)chart->lane, &chart->selected, false,
			       &link);
}

/* Of requests, which are in no one's row: go to the next row above (step -1) or below (1) that has
 * one in the window, the nearest in time. */
static bool step_row(struct app *app, int step)
{
	const struct chart *chart = &app->s.chart;
	const struct viewport *view = &app->s.view;
	int first = chart_head(chart, chart->lane), i = chart->lane;
	int depth = chart->selected.depth + step;
	int64_t at = app->s.has_goal ? app->s.goal_t : select_anchor(app);
	struct span span;

	for (; i >= first && i <= last_lane(chart, first); depth += step) {
		const struct lane *lane = chart->lanes[i].lane;

		if (depth < 0 || depth >= lane->max_depth) {
			i += step;
			depth = step > 0 ? -1 : i >= first ? chart->lanes[i].lane->max_depth : 0;
			continue;
		}
		if (!find_nearest(lane, depth, view->t0, viewport_end(view), at, &span))
			continue;
		select_in_window(app, i, &span);
		app->s.has_goal = true;
		app->s.goal_t = at;
		return true;
	}
	return state_refuse(app, false, "no request in a row %s", step < 0 ? "above" : "below");
}

static bool step_caller(struct app *app)
{
	const struct lane *lane = usable_lane(app);
	const struct thread_row_span from = selected(app);
	int64_t goal = app->s.has_goal ? app->s.goal_t : select_anchor(app);
	struct thread_row_span to;

	if (!lane)
		return false;
	if (!app->s.chart.has_selection)
		return select_outermost(app, lane);
	if (lane->served)
		return step_row(app, -1);
	if (!thread_row_above(&app->s.chart, &from, &to)) {
		if (from.span.depth == 0 && lane->is_joined && select_joined(app, -1, &from.span))
			return true;
		return state_refuse(app, false, "this is the outermost call");
	}
	select_in_window(app, to.lane, &to.span);
	app->s.has_goal = true;
	app->s.goal_t = goal;
	return true;
}

static bool step_callee(struct app *app)
{
	const struct chart *chart = &app->s.chart;
	const struct lane *lane = usable_lane(app);
	const struct thread_row_span from = selected(app);
	bool has_goal = app->s.has_goal;
	int64_t goal = app->s.goal_t;
	struct thread_row_span to;

	if (!lane)
		return false;
	if (!chart->has_selection)
		return select_outermost(app, lane);
	if (lane->served)
		return step_row(app, 1);
	has_goal = has_goal && goal >= app->s.view.t0 && goal < app->s.view.t1 &&
		goal >= from.span.t0 && goal < from.span.t1;
	if (!(has_goal &&
	      thread_row_at(chart, from.lane, thread_row_of(chart, from.lane, &from.span) + 1, goal,
			    &to)) &&
	    !thread_row_below(chart, &from, app->s.view.t0, viewport_end(&app->s.view), &to) &&
	    !thread_row_below(chart, &from, from.span.t0,
			      from.span.t0 + slice_time_of_span(lane, &from.span), &to)) {
		if (select_joined(app, 1, &from.span))
			return true;
		return state_refuse(app, false,
				    lane->kind == LANE_SAMPLES ? "no callee was sampled"
							       : "nothing is nested in it");
	}
	select_in_window(app, to.lane, &to.span);
	app->s.has_goal = has_goal;
	return true;
}

static void say_no_more(struct app *app, frame_id frame, bool is_next)
{
	const struct profile *p = app->s.chart.profile;
	const struct frame *f = profile_frame(p, frame);
	BUF_LOCAL name = { 0 };
	struct span span;
	size_t n = 0;

	profile_add_name(p, f, &name);
	/* Two are enough to choose the message. */
	for (size_t at = 0; n < 2 && span_find_next(&app->s.same, at, &span); at = span.end)
		n++;
	if (n < 2)
		state_say(app, false, "this is the only %s of %.200s on this lane",
			  span_word(app, app->s.same.lane), buf_text(&name));
	else
		state_say(app, false, "no %s %s of %.200s on this lane",
			  is_next ? "later" : "earlier", span_word(app, app->s.same.lane),
			  buf_text(&name));
}

static bool step_same(struct app *app, bool is_next)
{
	const struct lane *lane = usable_lane(app);
	struct span outer, span;
	frame_id frame;

	if (!lane)
		return false;
	if (!app->s.chart.has_selection)
		return select_outermost(app, lane);
	frame = lane->tree.frame[app->s.chart.selected.node];
	if (app->s.same.lane != lane || app->s.same_frame != frame) {
		span_find_done(&app->s.same);
		span_find_init_frame(&app->s.same, lane, frame);
		app->s.same_frame = frame;
	}
	outer = app->s.chart.selected;
	span_find_at(&app->s.same, app->s.chart.selected.first, &outer);
	if (is_next ? !span_find_next(&app->s.same, outer.end, &span)
		    : !span_find_before(&app->s.same, outer.first, &span)) {
		say_no_more(app, frame, is_next);
		return false;
	}
	select_span(app, app->s.chart.lane, &span);
	return true;
}

bool select_lane(struct app *app, int lane)
{
	int64_t t = select_anchor(app);
	int row = app->s.chart.has_selection
		? thread_row_of(&app->s.chart, app->s.chart.lane, &app->s.chart.selected)
		: 0;
	struct thread_row_span near;
	const struct lane *to;

	if (lane < 0 || lane >= app->s.chart.n_lanes)
		return state_refuse(app, false,
				    app->s.chart.n_lanes > 1       ? "there is no further lane"
					    : app->s.chart.n_lanes ? "there is only one lane"
								   : NO_LANES);
	to = app->s.lanes[lane].lane;
	app->s.chart.lane = lane;
	app->s.chart.has_selection = false;
	app->s.has_goal = false;
	if (to->has_timeline && to->samples.n && app->s.lanes[lane].is_open &&
	    !app->s.lanes[lane].is_shut && !app->s.lanes[lane].is_pooled) {
		struct viewport view = app->s.view;
		struct span span;

		if (thread_row_near(&app->s.chart, lane, row, t, &near))
			select_span(app, near.lane, &near.span);
		else if (span_find_callee(to, NULL, view.t0, viewport_end(&view), &span))
			select_span(app, lane, &span);
		view.scroll = app->s.view.scroll;
		app->s.view = view;
	}
	select_reveal_row(app);
	return true;
}

/* The next lane that can have the cursor, above (step -1) or below (1) `lane`: one with a visible
 * title, or a joined one with rows. -1: none. */
static int next_lane(const struct scene *s, int lane, int step)
{
	if (step < 0 && lane > 0)
		lane = chart_head(&s->chart, lane);
	for (lane += step; lane >= 0 && lane < s->chart.n_lanes; lane += step)
		if (chart_title_rows(&s->lanes[lane]) || chart_lane_rows(&s->lanes[lane]))
			return lane;
	return -1;
}

void select_shown_lane(struct app *app)
{
	int lane = app->s.chart.lane;

	if (lane >= 0 && app->s.lanes[lane].is_hidden) {
		lane = next_lane(&app->s, lane, 1);
		if (lane < 0)
			lane = next_lane(&app->s, app->s.chart.lane, -1);
		if (lane >= 0)
			select_lane(app, lane);
	}
	state_clamp_scroll(app);
}

bool select_row(struct app *app, struct rows *rows, size_t at)
{
	const struct view *view = rows->totals->view;
	int64_t t0 = app->s.view.t0, t1 = viewport_end(&app->s.view);
	ALLOC_LOCAL node_id *nodes = NULL;
	uint32_t n_nodes;
	struct span span, best;
	int lane = -1;

	if (!usable_lane(app))
		return false;
	/* The tables are about the whole in the first window. */
	if (app->mode == VIEW_TIME && culprit_has_window(app)) {
		t0 = app->s.view.t_min;
		t1 = app->s.view.t_max;
	}
	nodes = rows_nodes(rows, at, &n_nodes);
	for (uint32_t i = 0; i < view->n_sources; i++) {
		struct span_find seek;

		view_seek_init(&seek, view, i, nodes, n_nodes);
		if (span_find_longest(&seek, t0, t1, &span) &&
		    (lane < 0 || part_in(&span, t0, t1) > part_in(&best, t0, t1))) {
			lane = (int)(view->sources[i].lane - app->s.profile->lanes);
			best = span;
		}
		span_find_done(&seek);
	}
	if (lane < 0)
		return state_refuse(app, false, "none of its spans is in the window");
	app->is_pane_max = false;
	select_call(app, lane, &best);
	return true;
}

bool select_frame(struct app *app, frame_id frame)
{
	struct span_find seek;
	struct span span;
	bool has_found;

	if (!usable_lane(app))
		return false;
	span_find_init_frame(&seek, state_lane(app), frame);
	has_found = span_find_longest(&seek, app->s.view.t0, viewport_end(&app->s.view), &span);
	span_find_done(&seek);
	if (has_found) {
		app->is_pane_max = false;
		select_call(app, app->s.chart.lane, &span);
	} else {
		state_say(app, false, "none of its spans is in the window on this lane");
	}
	return has_found;
}

bool select_drawn(struct app *app, int lane, int depth, int64_t t0, int64_t t1)
{
	const struct chart *chart = &app->s.chart;
	struct thread_row_span at;

	if (!chart->lanes[lane].lane->has_timeline || depth < 0 || !lanes_cover(app, lane) ||
	    !thread_row_drawn(chart, lane, depth, t0, t1, &at))
		return false;
	select_span(app, at.lane, &at.span);
	return true;
}

/* ==== select keys ====
 *
 * Commands that move the selection: to another span, another lane, along a flow. */

/* Take `n` steps, backwards if it is negative, until one is not possible. */
static unsigned go(struct app *app, int n, bool (*step)(struct app *app, bool is_next))
{
	for (int left = abs(n); left > 0 && step(app, n > 0); left--)
		;
	return APP_REDRAW;
}

unsigned select_keys_sideways(struct app *app, int n)
{
	return go(app, n, step_sideways);
}

static bool step_depth(struct app *app, bool is_deeper)
{
	return is_deeper ? step_callee(app) : step_caller(app);
}

unsigned select_keys_depth(struct app *app, int n)
{
	return go(app, n, step_depth);
}

unsigned select_keys_same(struct app *app, int n)
{
	return go(app, n, step_same);
}

unsigned select_keys_flow(struct app *app, int n)
{
	return go(app, n, step_flow);
}

static bool step_lane(struct app *app, bool is_next)
{
	return select_lane(app, next_lane(&app->s, app->s.chart.lane, is_next ? 1 : -1));
}

unsigned select_keys_lane(struct app *app, int n)
{
	return go(app, n, step_lane);
}
