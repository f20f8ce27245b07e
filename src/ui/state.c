/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Small questions about the state that several files ask. */
#include "config.h"

#include "ui/pane/pane_scope.h"
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
	screen_split(layout, app->rows, app->cols, pane);
}

enum keymap_context state_context(const struct app *app)
{
	if (app->is_help)
		return KEYMAP_HELP;
	return app->prompt.kind != PROMPT_NONE ? KEYMAP_PROMPT : app->focus;
}

const struct lane *state_lane(const struct app *app)
{
	return app->s.chart.lane >= 0 ? app->s.lanes[app->s.chart.lane].lane : NULL;
}

void state_clamp_scroll(struct app *app)
{
	struct screen_layout layout;
	int most;

	state_layout(app, &layout);
	most = chart_height(&app->s.chart) - layout.lanes.rows;
	if (app->s.view.scroll > most)
		app->s.view.scroll = most;
	if (app->s.view.scroll < 0)
		app->s.view.scroll = 0;
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

static bool has_totals(const struct app *app)
{
	const struct lane *lane = state_lane(app);

	return app->is_pane_open && lane && app->shown->has_totals && lane->tree.n;
}

bool state_count_pane(struct app *app, struct budget *budget)
{
	const struct lane **lanes;
	int64_t t0, t1;
	uint32_t n;

	if (!has_totals(app))
		return true;
	pane_scope_range(app, &t0, &t1);
	n = pane_scope_lanes(app, &lanes);
	return pane_totals(&app->pane, lanes, n, t0, t1, budget);
}

static void update_rows(struct app *app)
{
	const struct lane *lane = state_lane(app);

	if (app->focus == KEYMAP_CHART && app->s.chart.has_selection)
		pane_set_function(&app->pane, lane->tree.frame[app->s.chart.selected.node]);
	if (app->shown->update_rows)
		app->shown->update_rows(app);
}

bool state_update_pane(struct app *app)
{
	if (!has_totals(app))
		return false;
	state_count_pane(app, BUDGET_UNLIMITED);
	update_rows(app);
	return true;
}

bool state_has_rows(const struct app *app)
{
	return has_totals(app) && app->pane.has_totals;
}

bool state_show_rows(struct app *app)
{
	if (!state_has_rows(app))
		return false;
	update_rows(app);
	return true;
}

bool state_target(struct app *app, frame_id *frame)
{
	const struct lane *lane = state_lane(app);

	*frame = FRAME_NONE;
	if (app->focus == KEYMAP_PANE && app->shown->frame && state_update_pane(app))
		*frame = app->shown->frame(app);
	if (*frame == FRAME_NONE && lane && lane->tree.n && app->s.chart.has_selection)
		*frame = lane->tree.frame[app->s.chart.selected.node];
	if (*frame == FRAME_NONE)
		state_say(app, false, "nothing is selected");
	return *frame != FRAME_NONE;
}
