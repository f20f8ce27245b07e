/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A mark on the ruler stands where the selected span begins, or the window if none is selected. */
#include "config.h"

#include "ui/chart/marks.h"

#include "ui/actions.h"
#include "ui/chart/lanes.h"
#include "ui/chart/select.h"
#include "ui/state.h"

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

/* ==== mark keys ====
 *
 * Commands that set marks and go to them. */

static unsigned say_letters(struct app *app)
{
	state_say(app, false, "a mark is a letter, from a to z or A to Z");
	return APP_REDRAW;
}

static unsigned mark_keys_set(struct app *app, int count)
{
	int i = index_of(app->letter);

	(void)count;
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

static unsigned mark_keys_go(struct app *app, int count)
{
	int i = index_of(app->letter);

	(void)count;
	if (i < 0)
		return say_letters(app);
	if (!app->marks.list[i].is_set) {
		state_say(app, false, "mark %c is not set; m%c sets it", letter_of(i),
			  letter_of(i));
		return APP_REDRAW;
	}
	if (app->mode != VIEW_TIME)
		views_leave(app);
	show(app, &app->marks.list[i]);
	return APP_REDRAW;
}

static unsigned mark_keys_back(struct app *app, int count)
{
	/* Coming from there notes the place that is left. */
	struct mark last = app->marks.last;

	(void)count;
	if (!last.is_set) {
		state_say(app, false, "no jump yet");
		return APP_REDRAW;
	}
	if (app->mode != VIEW_TIME)
		views_leave(app);
	show(app, &last);
	return APP_REDRAW;
}

action *const mark_commands[COMMAND_COUNT] = {
#undef COMMAND_OF_mark
#define COMMAND_OF_mark(id, function) [id] = function,
#define COMMAND(file, id, function, ...) COMMAND_OF_##file(id, function)
#include "ui/command_list.h"
};
