/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Commands of the lower pane: which tab it shows, and what one does to its rows. */
#include "config.h"

#include "ui/actions.h"

#include "base/alloc.h"
#include "ui/chart/select.h"
#include "ui/chart/views.h"

#include <stdlib.h>

/* Tabs in their order; the tables stand together, as in enum pane_table. */
enum tab {
	TAB_SUMMARY,
	TAB_BOTTOM_UP,
	TAB_TOP_DOWN,
	TAB_CALLERS,
	TAB_CALLEES,
	TAB_FUNCTIONS,
	TAB_DETAILS,
	TAB_EVENTS,
	TABS
};

static int tab_now(const struct app *app)
{
	static const int tab[] = { [PANE_SUMMARY] = TAB_SUMMARY,
				   [PANE_FUNCTIONS] = TAB_FUNCTIONS,
				   [PANE_FACTS] = TAB_DETAILS,
				   [PANE_EVENTS] = TAB_EVENTS };

	return app->shown == PANE_ROWS ? TAB_BOTTOM_UP + (int)app->pane.tab : tab[app->shown];
}

static unsigned show_tab(struct app *app, int tab)
{
	state_show_pane(app, true);
	switch (tab) {
	case TAB_SUMMARY:
		app->shown = PANE_SUMMARY;
		break;
	case TAB_FUNCTIONS:
		app->shown = PANE_FUNCTIONS;
		break;
	case TAB_DETAILS:
		app->shown = PANE_FACTS;
		break;
	case TAB_EVENTS:
		app->shown = PANE_EVENTS;
		break;
	default:
		app->shown = PANE_ROWS;
		app->pane.tab = (enum pane_table)(tab - TAB_BOTTOM_UP);
		break;
	}
	app->focus = KEYMAP_PANE;
	select_reveal_row(app);
	return APP_REDRAW;
}

unsigned pane_keys_bottom_up(struct app *app, int count)
{
	(void)count;
	return show_tab(app, TAB_BOTTOM_UP);
}

unsigned pane_keys_top_down(struct app *app, int count)
{
	(void)count;
	return show_tab(app, TAB_TOP_DOWN);
}

unsigned pane_keys_summary(struct app *app, int count)
{
	(void)count;
	return show_tab(app, TAB_SUMMARY);
}

unsigned pane_keys_functions(struct app *app, int count)
{
	(void)count;
	return show_tab(app, TAB_FUNCTIONS);
}

unsigned pane_keys_callers(struct app *app, int count)
{
	bool is_on = app->is_pane_open && app->shown == PANE_ROWS && app->pane.tab == PANE_CALLERS;
	frame_id frame;

	(void)count;
	/* The row of another table may be what it is to be about. */
	if (!is_on && views_target(app, &frame))
		pane_set_function(&app->pane, frame);
	return show_tab(app, is_on ? TAB_CALLEES : TAB_CALLERS);
}

unsigned pane_keys_details(struct app *app, int count)
{
	(void)count;
	return show_tab(app, TAB_DETAILS);
}

unsigned pane_keys_events(struct app *app, int count)
{
	(void)count;
	return show_tab(app, TAB_EVENTS);
}

unsigned pane_keys_event_length(struct app *app, int count)
{
	(void)count;
	event_list_shorter(app);
	return APP_REDRAW;
}

unsigned pane_keys_tab_next(struct app *app, int count)
{
	return show_tab(app, (tab_now(app) + count) % TABS);
}

unsigned pane_keys_tab_previous(struct app *app, int count)
{
	return show_tab(app, (tab_now(app) + TABS - count % TABS) % TABS);
}

unsigned pane_keys_focus(struct app *app, int count)
{
	(void)count;
	if (app->focus == KEYMAP_PANE) {
		app->focus = KEYMAP_CHART;
		app->is_pane_max = false;
	} else {
		state_show_pane(app, true);
		app->focus = KEYMAP_PANE;
	}
	select_reveal_row(app);
	return APP_REDRAW;
}

unsigned pane_keys_maximise(struct app *app, int count)
{
	(void)count;
	if (!app->is_pane_open)
		state_show_pane(app, true);
	app->is_pane_max = !app->is_pane_max;
	if (app->is_pane_max)
		app->focus = KEYMAP_PANE;
	state_clamp_scroll(app);
	return APP_REDRAW;
}

/* Rows of data on the pane's page. */
static int page(const struct app *app)
{
	struct screen_layout layout;

	state_layout(app, &layout);
	if (app->shown != PANE_ROWS && app->shown != PANE_FUNCTIONS)
		return layout.pane.rows > 1 ? layout.pane.rows - 1 : 1;
	return layout.pane.rows > 3 ? layout.pane.rows - 2 : 1;
}

/* Lines that no picture showed yet are to be scrolled, too. */
static void scroll_lines(struct app *app, int64_t rows)
{
	struct screen_layout layout;

	state_layout(app, &layout);
	if (app->shown == PANE_FACTS) {
		facts_update(app, layout.pane.cols);
		lines_scroll(&app->facts.lines, rows, layout.pane.rows);
	} else if (state_update_pane(app)) {
		summary_page_update(app, layout.pane.cols);
		lines_scroll(&app->summary.lines, rows, layout.pane.rows);
	}
}

static unsigned move_row(struct app *app, int64_t rows)
{
	if (app->shown == PANE_EVENTS)
		event_list_move(app, rows, page(app));
	else if (app->shown == PANE_FACTS || app->shown == PANE_SUMMARY)
		scroll_lines(app, rows);
	else if (app->shown == PANE_FUNCTIONS)
		function_list_move(app, rows);
	else if (state_update_pane(app))
		pane_move(&app->pane, rows);
	return APP_REDRAW;
}

/* From the chart to the row: the other way of pane_keys_row_show(). */
unsigned pane_keys_row_of_span(struct app *app, int count)
{
	const struct lane *lane = state_lane(app);
	frame_id *path;
	uint32_t n;
	bool has_found;

	(void)count;
	if (!lane || !app->s.chart.has_selection) {
		state_say(app, false, "nothing is selected");
		return APP_REDRAW;
	}
	show_tab(app,
		 app->shown == PANE_ROWS || app->shown == PANE_FUNCTIONS ? tab_now(app)
									 : TAB_BOTTOM_UP);
	if (!state_update_pane(app))
		return APP_REDRAW;
	path = select_path(app, &n);
	has_found = app->shown == PANE_FUNCTIONS ? function_list_go(app, path[n - 1])
						 : pane_go(&app->pane, path, n);
	free(path);
	if (!has_found)
		state_say(
			app, false,
			"the table has no row for it: it has no time in the range, or is filtered out");
	return APP_REDRAW;
}

unsigned pane_keys_row_down(struct app *app, int count)
{
	return move_row(app, count);
}

unsigned pane_keys_row_up(struct app *app, int count)
{
	return move_row(app, -count);
}

unsigned pane_keys_row_first(struct app *app, int count)
{
	(void)count;
	return move_row(app, -INT32_MAX);
}

unsigned pane_keys_row_last(struct app *app, int count)
{
	(void)count;
	return move_row(app, INT32_MAX);
}

unsigned pane_keys_row_page_down(struct app *app, int count)
{
	return move_row(app, (int64_t)count * page(app));
}

unsigned pane_keys_row_page_up(struct app *app, int count)
{
	return move_row(app, -(int64_t)count * page(app));
}

unsigned pane_keys_row_half_down(struct app *app, int count)
{
	return move_row(app, (int64_t)count * ((page(app) + 1) / 2));
}

unsigned pane_keys_row_half_up(struct app *app, int count)
{
	return move_row(app, -(int64_t)count * ((page(app) + 1) / 2));
}

unsigned pane_keys_row_toggle(struct app *app, int count)
{
	(void)count;
	if (app->shown == PANE_ROWS && state_update_pane(app))
		pane_toggle(&app->pane);
	return APP_REDRAW;
}

unsigned pane_keys_row_open(struct app *app, int count)
{
	(void)count;
	if (app->shown == PANE_ROWS && state_update_pane(app))
		pane_open(&app->pane);
	return APP_REDRAW;
}

unsigned pane_keys_row_close(struct app *app, int count)
{
	(void)count;
	if (app->shown == PANE_ROWS && state_update_pane(app))
		pane_close(&app->pane);
	return APP_REDRAW;
}

unsigned pane_keys_row_hot(struct app *app, int count)
{
	(void)count;
	if (app->shown == PANE_ROWS && state_update_pane(app))
		pane_hot(&app->pane);
	return APP_REDRAW;
}

unsigned pane_keys_row_show(struct app *app, int count)
{
	struct pane_tab *tab = pane_shown(&app->pane);

	(void)count;
	if (app->shown == PANE_EVENTS)
		event_list_show(app);
	else if (app->shown == PANE_FUNCTIONS)
		function_list_show(app);
	else if (app->shown == PANE_ROWS && state_update_pane(app) && tab->cursor < tab->rows.n)
		select_row(app, &tab->rows, tab->cursor);
	return APP_REDRAW;
}

static unsigned sort(struct app *app, int step)
{
	static const char *const names[] = { [ROWS_BY_SELF] = "self time",
					     [ROWS_BY_TOTAL] = "total time",
					     [ROWS_BY_NAME] = "name" };
	int now = (int)pane_shown(&app->pane)->sort + step, last = (int)ARRAY_LEN(names) - 1;

	if (app->shown == PANE_FUNCTIONS) {
		function_list_sort(app, step);
		return APP_REDRAW;
	}

	now = now < 0 ? 0 : now > last ? last : now;
	pane_sort(&app->pane, (enum rows_sort)now);
	state_say(app, false, "sorted by %s", names[now]);
	return APP_REDRAW;
}

unsigned pane_keys_sort_reverse(struct app *app, int count)
{
	(void)count;
	if (app->shown == PANE_FUNCTIONS)
		function_list_reverse(app);
	else if (app->shown == PANE_ROWS)
		pane_reverse(&app->pane);
	state_say(app, false, "sorted the other way round");
	return APP_REDRAW;
}

unsigned pane_keys_sort_left(struct app *app, int count)
{
	return sort(app, -count);
}

unsigned pane_keys_sort_right(struct app *app, int count)
{
	return sort(app, count);
}
