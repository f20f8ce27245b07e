/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Commands that select a range of time. */
#include "config.h"

#include "ui/actions.h"

#include "base/units.h"
#include "ui/chart/select_inside.h"
#include "ui/state.h"

unsigned range_keys_select(struct app *app, int count)
{
	(void)count;
	range_begin(app);
	return APP_REDRAW;
}

unsigned range_keys_span(struct app *app, int count)
{
	const struct span *span = &app->s.chart.selected;

	(void)count;
	if (app->mode != VIEW_TIME || !app->s.chart.has_selection || span->t1 <= span->t0) {
		state_say(app, false, "no span with a duration is selected on the time line");
		return APP_REDRAW;
	}
	range_set(app, span->t0, span->t1);
	return range_keys_keep(app, 1);
}

unsigned range_keys_swap(struct app *app, int count)
{
	(void)count;
	range_swap(app);
	return APP_REDRAW;
}

unsigned range_keys_zoom(struct app *app, int count)
{
	(void)count;
	viewport_set(&app->s.view, app->range_t0, app->range_t1);
	select_inside(app);
	range_drop(app);
	return APP_REDRAW;
}

unsigned range_keys_keep(struct app *app, int count)
{
	char length[UNITS_MAX];

	(void)count;
	range_keep(app);
	profile_value(app->base, app->range_t1 - app->range_t0, length);
	state_say(app, false, "panes pinned to this range of %s; Esc unpins them", length);
	return APP_REDRAW;
}

unsigned range_keys_drop(struct app *app, int count)
{
	(void)count;
	range_drop(app);
	state_say(app, false, "panes follow the window");
	return APP_REDRAW;
}
