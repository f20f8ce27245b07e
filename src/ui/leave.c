/* SPDX-License-Identifier: GPL-2.0-or-later */
/* States are compared after each act: nothing that enters or leaves one has to say so. */
#include "config.h"

#include "ui/leave.h"

#include "ui/actions.h"
#include "ui/chart/select.h"
#include "ui/pane/panes.h"
#include "ui/state.h"

static bool shows(const struct app *app, const struct pane_kind *kind)
{
	return app->is_pane_open && app->shown == kind;
}

/* Whether the state is entered. */
static bool is_in_state(const struct app *app, enum leave_state state)
{
	const struct chart_diff_what *diff = &app->diff.what;

	switch (state) {
	case LEAVE_SEARCH:
		return finder_is_on(app);
	case LEAVE_FILTER:
		return app->filter.target.name.len > 0;
	case LEAVE_MAXIMUM:
		return app->is_pane_max;
	case LEAVE_FOCUS:
		return app->focus == KEYMAP_PANE;
	case LEAVE_CALLERS:
		return shows(app, &call_pane_callers) || shows(app, &call_pane_callees);
	case LEAVE_SOURCE:
		return shows(app, &source_page_pane);
	case LEAVE_COMPARISON:
		return diff->is_opened || (diff->is_on && !diff->has_files);
	case LEAVE_SANDWICH:
		return views_wanted(app) == VIEW_SANDWICH;
	case LEAVE_PIN:
		return app->range.is_pinned;
	default:
		return false;
	}
}

void leave_note(struct app *app)
{
	struct leave *l = &app->leave;

	l->acts++;
	for (int i = 0; i < LEAVE_STATES; i++) {
		bool is_in = is_in_state(app, (enum leave_state)i);

		if (is_in != (l->since[i] > 0))
			l->since[i] = is_in ? l->acts : 0;
	}
	if (!l->since[LEAVE_CALLERS] && !l->since[LEAVE_SOURCE])
		l->pane = app->is_pane_open ? app->shown : NULL;
	l->is_leaving = l->is_leaving && views_is_busy(app) && views_wanted(app) == l->view;
	if (!l->since[LEAVE_SANDWICH])
		l->view = views_wanted(app);
}

/* Show the pane that was there before callers or source. */
static void leave_pane(struct app *app)
{
	enum keymap_context focus = app->focus;

	if (app->leave.pane) {
		panes_show(app, app->leave.pane);
		app->focus = focus;
	} else {
		panes_close(app);
		app->shown = &call_pane_bottom_up;
		app->pane.tab = call_pane_bottom_up.table;
	}
}

static void leave(struct app *app, enum leave_state state)
{
	switch (state) {
	case LEAVE_SEARCH:
		finder_clear(app);
		break;
	case LEAVE_FILTER:
		filter_set(app, "", false);
		break;
	case LEAVE_MAXIMUM:
		app->is_pane_max = false;
		state_clamp_scroll(app);
		break;
	case LEAVE_FOCUS:
		app->focus = KEYMAP_CHART;
		app->is_pane_max = false;
		select_reveal_row(app);
		break;
	case LEAVE_CALLERS:
	case LEAVE_SOURCE:
		leave_pane(app);
		break;
	case LEAVE_COMPARISON:
		chart_diff_off(app);
		break;
	case LEAVE_SANDWICH:
		views_show(app, app->leave.view, FRAME_NONE);
		app->leave.is_leaving = true;
		break;
	case LEAVE_PIN:
		app->range.is_pinned = false;
		break;
	default:
		break;
	}
}

/* Leave what was entered last, with all that the same act entered. False: there is nothing. */
static bool leave_last(struct app *app)
{
	unsigned last = 0;

	for (int i = 0; i < LEAVE_STATES; i++)
		if (app->leave.since[i] > last)
			last = app->leave.since[i];
	for (int i = 0; last && i < LEAVE_STATES; i++)
		if (app->leave.since[i] == last && is_in_state(app, (enum leave_state)i))
			leave(app, (enum leave_state)i);
	return last > 0;
}

/* ==== leave keys ==== */

/* The key has closed already what is in front of the chart, such as a prompt, and the message. What
 * is left goes one by one, what was entered last first (leave.h). The window stays. */
unsigned leave_keys_escape(struct app *app, int count)
{
	(void)count;
	if (!leave_last(app))
		state_say(app, false, "nothing to leave: %s window, %s undo, %s quit",
			  state_key(app, CMD_BACK), state_key(app, CMD_UNDO),
			  state_key(app, CMD_CLOSE));
	return APP_REDRAW;
}

unsigned leave_keys_close(struct app *app, int count)
{
	(void)count;
	if (app->is_pane_max) {
		app->is_pane_max = false;
	} else if (app->focus == KEYMAP_PANE) {
		panes_close(app);
	} else if (is_in_state(app, LEAVE_COMPARISON)) {
		chart_diff_off(app);
	} else {
		return APP_QUIT;
	}
	state_clamp_scroll(app);
	return APP_REDRAW;
}
