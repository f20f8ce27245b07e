/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A merged view is a scene of its own with a profile made for it; app->time keeps the scene of the
 * time line meanwhile. */
#include "config.h"

#include "ui/chart/views.h"

#include "analysis/merged.h"
#include "base/reserve.h"
#include "base/text.h"
#include "base/units.h"
#include "ui/chart/lanes.h"
#include "ui/chart/scene.h"
#include "ui/pane/pane_scope.h"
#include "ui/chart/select.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MERGED_BYTES 150 /* for each node, at most */

static const char *const merged_titles[] = { "All calls, merged, heaviest first" };
static const char *const sandwich_titles[] = { "Callers, merged (read upwards)",
					       "Callees, merged (read downwards)" };

void views_leave(struct app *app)
{
	if (app->mode == VIEW_TIME)
		return;
	scene_end(app);
	app->s = app->time;
	app->s.chart.view = &app->s.view;
	app->s.chart.overview = &app->s.overview;
	profile_free(app->merged);
	app->merged = NULL;
	app->mode = VIEW_TIME;
	scene_forget_panes(app);
}

/* Describe what the view shows, for the header. n_levels: of callers; 0: all. */
static void describe(struct app *app, enum app_view view, frame_id frame,
		     const struct totals *totals, uint32_t n_levels)
{
	char time[UNITS_MAX], levels[UNITS_MAX];

	units_time(totals->sampled_ns, time);
	buf_clear(&app->mode_text);
	if (view == VIEW_MERGED) {
		buf_addf(&app->mode_text, "left heavy: %s", time);
		return;
	}
	buf_adds(&app->mode_text, "callers and callees of ");
	text_fit(&app->mode_text, profile_text(totals->profile, totals->view->frames[frame].name),
		 intern_len(&totals->profile->strings, totals->view->frames[frame].name), 24);
	if (!n_levels)
		return;
	units_count(n_levels, levels);
	buf_addf(&app->mode_text, ", %s levels of callers", levels);
	state_say(app, true, "too many callers: only %s levels of them are shown", levels);
}

static void open_all(struct app *app, enum app_view view)
{
	struct scene *s = &app->s;
	struct span span;

	s->chart.is_merged = true;
	s->chart.titles = view == VIEW_MERGED ? merged_titles : sandwich_titles;
	for (int i = 0; i < s->chart.n_lanes; i++)
		s->lanes[i].is_open = true;
	if (view == VIEW_SANDWICH)
		s->lanes[0].is_flipped = true;
	s->chart.lane = s->chart.n_lanes - 1;
	if (seek_callee(s->lanes[s->chart.lane].lane, NULL, 0, s->profile->t1, &span))
		select_span(app, s->chart.lane, &span);
	s->view.scroll = 0;
	if (view == VIEW_SANDWICH)
		select_reveal_row(app);
}

void views_show(struct app *app, enum app_view view, frame_id frame)
{
	struct pane_scope range;
	struct profile *merged;
	uint32_t n_levels = 0;

	views_leave(app);
	if (view == VIEW_TIME)
		return;
	if (!pane_scope_init(app, app->pane.has_idle, &range))
		return;
	if (!reserve_has_room(range.view.tree->n * (size_t)MERGED_BYTES)) {
		pane_scope_done(&range);
		return;
	}
	merged = view == VIEW_MERGED ? merged_left_heavy(&range.totals)
				     : merged_sandwich(&range.totals, frame, &n_levels);
	if (merged) {
		describe(app, view, frame, &range.totals, n_levels);
		app->time = app->s;
		app->merged = merged;
		app->mode = view;
		scene_begin(app, merged);
		open_all(app, view);
	} else {
		state_say(app, false, "nothing was sampled in the range");
	}
	pane_scope_done(&range);
}
