/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Small queries of the state that several files need. */
#include "config.h"

#include "ui/state.h"

#include <stdarg.h>
#include <stdio.h>

void state_say(struct app *app, bool is_warning, const char *format, ...)
{
	char text[512];
	va_list ap;

	va_start(ap, format);
	vsnprintf(text, sizeof(text), format, ap);
	va_end(ap);
	buf_clear(&app->message);
	buf_adds(&app->message, text);
	app->is_warning = is_warning;
}

void state_layout(const struct app *app, struct screen_layout *layout)
{
	enum screen_pane pane = SCREEN_PANE_NONE;

	if (app->is_pane_open)
		pane = app->is_pane_max ? SCREEN_PANE_ALL : SCREEN_PANE_BELOW;
	screen_split(layout, app->rows, app->cols, pane, culprit_pane_rows(app));
}

enum keymap_context state_context(const struct app *app)
{
	if (app->is_help && app->prompt.kind != PROMPT_HELP)
		return KEYMAP_HELP;
	if (app->prompt.kind != PROMPT_NONE)
		return KEYMAP_PROMPT;
	return app->range.is_on && app->focus == KEYMAP_CHART ? KEYMAP_RANGE : app->focus;
}

const struct lane *state_lane(const struct app *app)
{
	return app->s.chart.lane >= 0 ? &app->s.profile->lanes[app->s.chart.lane] : NULL;
}

const struct lane *state_drawn(const struct app *app)
{
	return app->s.chart.lane >= 0 ? app->s.lanes[app->s.chart.lane].lane : NULL;
}

void state_clamp_scroll(struct app *app)
{
	struct viewport *view = &app->s.view;
	/* Where there are fewer rows below it, the place at the top is still the one that the user
	 * has scrolled to. */
	bool is_top = view->scroll == view->top_scroll;
	struct screen_layout layout;
	int most;

	state_layout(app, &layout);
	most = chart_height(&app->s.chart) - layout.lanes.rows;
	if (view->scroll > most)
		view->scroll = most;
	if (view->scroll < 0)
		view->scroll = 0;
	if (is_top)
		view->top_scroll = view->scroll;
}

void state_show_pane(struct app *app, bool is_open)
{
	app->is_pane_open = is_open;
	app->is_pane_chosen = true;
	if (!is_open) {
		app->is_pane_max = false;
		app->focus = KEYMAP_CHART;
	}
}
