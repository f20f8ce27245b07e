/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A range has two ends, the anchor and the cursor: each a span, or the window where none was
 * selected. When the selection moves, it becomes the cursor, and the range covers both again. */
#include "config.h"

#include "ui/chart/range.h"

#include "base/units.h"
#include "model/span.h"
#include "ui/actions.h"
#include "ui/chart/select.h"
#include "ui/state.h"

#include <stdbool.h>
#include <string.h>

static int64_t clip(const struct viewport *view, int64_t t)
{
	return t < view->t0 ? view->t0 : t > view->t1 ? view->t1 : t;
}

/* The selected span as an end of the range. */
static struct range_end end_of(const struct app *app)
{
	const struct chart *chart = &app->s.chart;
	const struct viewport *view = &app->s.view;
	bool has_span = chart->has_selection && chart->selected.t1 > view->t0 &&
		chart->selected.t0 < view->t1;

	return (struct range_end){ .t0 = has_span ? clip(view, chart->selected.t0) : view->t0,
				   .t1 = has_span ? clip(view, chart->selected.t1) : view->t1,
				   .has_span = has_span,
				   .lane = chart->lane,
				   .span = has_span ? folds_selected_span(&app->s)
						    : chart->selected };
}

void range_set(struct app *app, int64_t t0, int64_t t1)
{
	app->range.is_pinned = true;
	app->range.t0 = t0 < t1 ? t0 : t1;
	app->range.t1 = t0 < t1 ? t1 : t0;
	if (app->range.t1 == app->range.t0)
		app->range.t1++;
}

static void cover_both(struct app *app)
{
	const struct pinned_range *r = &app->range;

	range_set(app, r->anchor.t0 < r->cursor.t0 ? r->anchor.t0 : r->cursor.t0,
		  r->anchor.t1 > r->cursor.t1 ? r->anchor.t1 : r->cursor.t1);
}

void range_follow(struct app *app)
{
	const struct chart *chart = &app->s.chart;
	struct pinned_range *range = &app->range;
	const struct span *last = &range->cursor.span;
	struct span now;

	if (!range->is_on)
		return;
	if (app->mode != VIEW_TIME || !app->range.is_pinned) {
		range->is_on = false;
		return;
	}
	if (!chart->has_selection)
		return;
	now = folds_selected_span(&app->s);
	if (range->cursor.has_span && range->cursor.lane == chart->lane && last->t0 == now.t0 &&
	    last->t1 == now.t1 && last->depth == now.depth && last->node == now.node)
		return;
	range->cursor = end_of(app);
	cover_both(app);
}

/* Transforms may have changed the calls since the end was taken. */
static bool find_span(const struct app *app, struct range_end *end)
{
	const struct lane *lane;

	if (!end->has_span || end->lane >= app->s.chart.n_lanes)
		return false;
	lane = &app->s.profile->lanes[end->lane];
	return lane->samples.n &&
		span_at(&lane->samples, &lane->tree, end->span.depth, end->span.t0, &end->span);
}

static void range_drop(struct app *app)
{
	app->range.is_on = false;
	app->range.is_pinned = false;
}

/* ==== range keys ====
 *
 * Commands that select a range of time. */

/* Begin at the selected span, or with the window if none is selected. */
unsigned range_keys_select(struct app *app)
{
	const struct lane *lane = state_lane(app);

	if (app->mode != VIEW_TIME || (lane && !lane->has_timeline))
		return state_say(app, false, "ranges are on the time line%s",
				 app->mode != VIEW_TIME ? "; 1 shows it" : "");
	app->range.anchor = app->range.cursor = end_of(app);
	app->range.is_on = true;
	app->focus = KEYMAP_CHART;
	cover_both(app);
	return APP_REDRAW;
}

unsigned range_keys_keep(struct app *app)
{
	app->range.is_on = false;
	return state_say(app, false, "panes pinned to this range of %s; Esc unpins them",
			 profile_value(app->base, app->range.t1 - app->range.t0, UNITS_ROOM));
}

unsigned range_keys_span(struct app *app)
{
	const struct span *span = &app->s.chart.selected;

	if (app->mode != VIEW_TIME || !app->s.chart.has_selection || span->t1 <= span->t0)
		return state_say(app, false,
				 "no span with a duration is selected on the time line");
	range_set(app, span->t0, span->t1);
	return range_keys_keep(app);
}

/* Select the span at the other end. */
unsigned range_keys_swap(struct app *app)
{
	struct range_end anchor = app->range.anchor;

	if (!find_span(app, &anchor))
		return APP_REDRAW;
	app->range.anchor = app->range.cursor;
	app->range.cursor = anchor;
	select_call(app, anchor.lane, &anchor.span);
	return APP_REDRAW;
}

unsigned range_keys_zoom(struct app *app)
{
	viewport_set(&app->s.view, app->range.t0, app->range.t1);
	select_inside(app);
	range_drop(app);
	return APP_REDRAW;
}

unsigned range_keys_drop(struct app *app)
{
	range_drop(app);
	return state_say(app, false, "panes follow the window");
}

/* ==== marks ====
 *
 * A mark on the ruler stands where the selected span begins, or the window if none is selected. */

/* The index of a letter in the list; -1: it is none. The letter of an index. */
static int index_of(uint32_t letter)
{
	if (letter >= 'a' && letter <= 'z')
		return (int)(letter - 'a');
	return letter >= 'A' && letter <= 'Z' ? (int)(letter - 'A') + MARKS_MAX / 2 : -1;
}

static char letter_of(int i)
{
	return (char)(i < MARKS_MAX / 2 ? 'a' + i : 'A' + i - MARKS_MAX / 2);
}

void marks_take(const struct scene *scene, struct mark *mark)
{
	const struct chart *chart = &scene->chart;

	*mark = (struct mark){ .is_set = true,
			       .t0 = scene->view.t0,
			       .t1 = scene->view.t1,
			       .lane = chart->lane,
			       .scroll = scene->view.scroll,
			       .has_selection = chart->lane >= 0 && chart->has_selection,
			       .depth = chart->lane >= 0 && chart->has_selection
				       ? folds_selected_span(scene).depth
				       : 0,
			       .span_t0 = chart->selected.t0 };
	if (chart->lane >= 0)
		mark->scroll -= chart_lane_top(chart, chart->lane);
}

void marks_jumped(struct app *app, const struct mark *before)
{
	struct mark now;

	marks_take(&app->s, &now);
	if (now.t0 != before->t0 || now.t1 != before->t1 || now.lane != before->lane ||
	    now.has_selection != before->has_selection || now.depth != before->depth ||
	    now.span_t0 != before->span_t0)
		app->marks.last = *before;
}

/* Show the place of a mark on the time line; the view must be that of the time line. */
static void show(struct app *app, const struct mark *mark)
{
	const struct lane *lane;
	struct span span;

	app->focus = KEYMAP_CHART;
	app->is_pane_max = false;
	if (mark->lane >= 0 && mark->lane < app->s.chart.n_lanes) {
		lane = &app->s.profile->lanes[mark->lane];
		app->s.lanes[mark->lane].is_hidden = false;
		if (mark->has_selection && lane->samples.n &&
		    span_at(&lane->samples, &lane->tree, mark->depth, mark->span_t0, &span)) {
			select_call(app, mark->lane, &span);
		} else {
			select_lane(app, mark->lane);
		}
		app->s.view.scroll = mark->scroll + chart_lane_top(&app->s.chart, mark->lane);
	}
	viewport_set(&app->s.view, mark->t0, mark->t1);
	select_inside(app);
	state_clamp_scroll(app);
}

int marks_list(const struct app *app, struct ruler_mark list[MARKS_MAX])
{
	int n = 0;

	for (int i = 0; i < MARKS_MAX; i++) {
		const struct mark *m = &app->marks.list[i];

		if (m->is_set)
			list[n++] = (struct ruler_mark){ .letter = letter_of(i),
							 .t = m->has_selection && m->span_t0 > m->t0
								 ? m->span_t0
								 : m->t0 };
	}
	return n;
}

/* ---- milestones ---- */

const struct marks_page marks_page[MARKS_PAGE] = {
	{ "L", MILESTONE_LCP, "LCP" },   { "I", MILESTONE_INP, "INP" },
	{ "C", MILESTONE_SHIFT, "CLS" }, { "F", MILESTONE_FCP, "FCP" },
	{ "D", MILESTONE_DCL, "DCL" },   { "O", MILESTONE_LOAD, "load" },
};

static void go_to_event(struct app *app, int64_t offset, int64_t t)
{
	struct viewport *v = &app->s.view;
	struct span span;

	if (t < v->t0 || t >= v->t1)
		viewport_pan(v, t - v->t0 - (v->t1 - v->t0) / 2);
	for (int i = 0; i < app->s.chart.n_lanes; i++)
		if (slice_find(&app->s.profile->lanes[i], offset, t, &span)) {
			select_call(app, i, &span);
			return;
		}
}

bool marks_go_to_page(struct app *app, const char *name, struct buf *out)
{
	const struct profile *p = app->base;
	const struct page_load *to = NULL;
	enum milestone_kind kind;
	int i = 0;

	while (i < MARKS_PAGE && strcmp(name, marks_page[i].name) != 0)
		i++;
	if (i == MARKS_PAGE || !p->n_loads || app->mode != VIEW_TIME)
		return false;
	kind = marks_page[i].kind;
	for (size_t k = p->n_loads; k-- > 0;)
		if (p->loads[k].after[kind] >= 0 &&
		    (!to || p->loads[k].t + p->loads[k].after[kind] > app->marks.milestone ||
		     to->t + to->after[kind] <= app->marks.milestone))
			to = &p->loads[k];
	if (to) {
		app->marks.milestone = to->t + to->after[kind];
		go_to_event(app, to->events[kind], app->marks.milestone);
		milestone_format(to, kind, out);
	} else {
		buf_adds(out, "no such event: ");
		vital_format(p->loads, out);
	}
	return true;
}

/* ==== mark keys ====
 *
 * Commands that set marks and go to them. */

static unsigned say_letters(struct app *app)
{
	return state_say(app, false, "a mark is a letter, from a to z or A to Z");
}

unsigned mark_keys_set(struct app *app)
{
	int i = index_of(app->letter);

	if (i < 0)
		return say_letters(app);
	if (app->mode != VIEW_TIME) {
		state_say(app, false, "marks are places of the time line; 1 shows it");
	} else {
		marks_take(&app->s, &app->marks.list[i]);
		state_say(app, false, "mark %c is set; '%c comes back here", letter_of(i),
			  letter_of(i));
	}
	return APP_REDRAW;
}

unsigned mark_keys_go(struct app *app)
{
	int i = index_of(app->letter);
	BUF_LOCAL text = { 0 };

	if (i < 0)
		return say_letters(app);
	for (int n = 0; n < MARKS_PAGE && !app->marks.list[i].is_set && !text.len; n++)
		if (*marks_page[n].letter == letter_of(i))
			marks_go_to_page(app, marks_page[n].name, &text);
	if (text.len) {
		state_say(app, false, "%s", buf_text(&text));
	} else if (!app->marks.list[i].is_set) {
		state_say(app, false, "mark %c is not set; m%c sets it", letter_of(i),
			  letter_of(i));
	} else {
		if (app->mode != VIEW_TIME)
			views_leave(app);
		show(app, &app->marks.list[i]);
	}
	return APP_REDRAW;
}

unsigned mark_keys_back(struct app *app)
{
	/* Coming from there notes the place that is left. */
	struct mark last = app->marks.last;

	if (!last.is_set)
		return state_say(app, false, "no jump yet");
	if (app->mode != VIEW_TIME)
		views_leave(app);
	show(app, &last);
	return APP_REDRAW;
}
