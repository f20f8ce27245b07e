/* SPDX-License-Identifier: GPL-2.0-or-later */
/* From the state to the picture, in two steps. app_update() computes what the picture needs: the
 * columns of the chart and the overview, the totals and rows of the pane. It is the only place
 * that does, so keys that come faster than pictures cost almost nothing. app_draw() gathers the
 * results into a struct screen, which layout/screen.c draws.
 *
 * 1. app_draw() changes no state. What it draws of the chart comes from the covers' columns; a
 *    column that is missing is drawn as unfinished if the update was incomplete.
 * 2. Chart and pane share the budget: the chart gets half of the time, the pane what is left, and
 *    the chart what the pane leaves. Neither waits for the other to be complete. */
#include "config.h"

#include "ui/picture.h"

#include "base/alloc.h"
#include "base/units.h"
#include "ui/help_page.h"
#include "ui/chart/lanes.h"
#include "ui/search/search_line.h"
#include "ui/pane/panes.h"
#include "ui/pane/scope_line.h"
#include "ui/chart/select.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Texts that the picture borrows. */
struct texts {
	const char *tabs[PANES_COUNT];
	struct scope_line scope;
	char position[2 * UNITS_MAX + 8];
	struct buf status;
	struct event_table events;
	struct buf no_events;
	struct span event;   /* with the cursor */
	struct row function; /* the same */
	struct function_table functions;
	struct search_line search;
	struct screen_hint menu[48];
	struct buf about;
	struct help_page help;
};

static const enum command_id chart_hints[] = {
	CMD_HELP,     CMD_CLOSE, CMD_SEARCH_NEXT, CMD_SEARCH_PREVIOUS, CMD_ZOOM_SPAN, CMD_ZOOM_IN,
	CMD_ZOOM_OUT, CMD_BACK,  CMD_BOTTOM_UP,   CMD_TOP_DOWN,        CMD_WHOLE,     CMD_FOCUS,
};
static const enum command_id pane_hints[] = {
	CMD_HELP,       CMD_CLOSE,     CMD_ROW_TOGGLE, CMD_ROW_HOT, CMD_ROW_SHOW,
	CMD_SORT_RIGHT, CMD_BOTTOM_UP, CMD_TOP_DOWN,   CMD_IDLE,
};
static const enum command_id text_hints[] = {
	CMD_HELP, CMD_CLOSE, CMD_ROW_SHOW, CMD_BOTTOM_UP, CMD_TOP_DOWN, CMD_DETAILS, CMD_EVENTS,
};

static void texts_done(struct texts *texts)
{
	help_page_done(&texts->help);
	buf_done(&texts->status);
	search_line_done(&texts->search);
	buf_done(&texts->about);
	buf_done(&texts->no_events);
}

/* ---- pane ---- */

static const char no_match[] = "  no row matches the filter; & C-u Enter shows all";

/* The numbers are those of before. */
static void say_stale(const struct screen *screen, struct texts *texts)
{
	for (int i = 0; screen->is_stale && i < SCREEN_SCOPES; i++)
		snprintf(texts->scope.forms[i], sizeof(texts->scope.forms[i]),
			 "counting\342\200\246");
}

/* The functions and the summary, of the pane's totals. */
static void make_other_pane(const struct app *app, struct screen *screen, struct texts *texts)
{
	const struct function_list *l = &app->function_list;
	char a[UNITS_MAX], b[UNITS_MAX];

	scope_line_totals(app, app->shown == &function_list_pane, &texts->scope);
	say_stale(screen, texts);
	if (app->shown == &summary_page_pane) {
		screen->lines = &app->summary.lines;
		return;
	}
	texts->functions = (struct function_table){
		.frames = app->pane.view.frames,
		.functions = l->functions.list,
		.self = app->pane.totals.frame_self,
		.total = app->pane.totals.frame_total,
		.order = l->order,
		.n = l->n,
		.top = l->top,
		.cursor = l->cursor,
		.unit = { .profile = app->s.profile,
			  .has_idle = app->pane.has_idle,
			  .whole = pane_whole(&app->pane) },
		.sort = l->sort,
		.is_reversed = l->is_reversed,
		.is_counting = l->walk != NULL,
		.has_focus = app->focus == KEYMAP_PANE,
		.is_ascii = app->s.chart.is_ascii,
		.color = app->s.chart.color,
		.search = &app->finder.target.search,
		.empty = app->filter.target.search.matches ? no_match
							   : "nothing was sampled in this range",
	};
	screen->functions = &texts->functions;
	if (l->n) {
		units_count(l->cursor + 1, a);
		units_count(l->n, b);
		snprintf(texts->position, sizeof(texts->position), "%s of %s", a, b);
		screen->position = texts->position;
	}
	if (app->focus == KEYMAP_PANE && l->n) {
		frame_id f = l->order[l->cursor];

		texts->function = (struct row){ .frame = f,
						.self = app->pane.totals.frame_self[f],
						.total = app->pane.totals.frame_total[f] };
		screen->details.row = &texts->function;
		screen->details.unit = texts->functions.unit;
	}
}

static void make_events(const struct app *app, struct screen *screen, struct texts *texts)
{
	const struct event_list *l = &app->events_list;
	const struct lane *lane = state_lane(app);
	bool has_filter = app->filter.target.search.matches != NULL;

	scope_line_events(app, &texts->scope);
	if (has_filter)
		buf_adds(&texts->no_events,
			 "none matches the filter here or later; & C-u Enter shows all");
	else if (l->min_ns)
		buf_adds(&texts->no_events, "none is so long here or later; oe shows shorter ones");
	else
		buf_adds(&texts->no_events, "none opens in the window or after it on this lane");
	texts->events = (struct event_table){
		.profile = app->s.profile,
		.lane = lane,
		.top = l->top,
		.filter = l->filter,
		.has_any = l->has_any,
		.cursor = l->cursor,
		.search = &app->finder.target.search,
		.has_focus = app->focus == KEYMAP_PANE,
		.is_ascii = app->s.chart.is_ascii,
		.color = app->s.chart.color,
		.t1 = app->s.view.t1,
		.is_absolute = app->s.chart.is_absolute && !app->s.chart.is_merged,
		.empty = buf_text(&texts->no_events),
	};
	screen->events = &texts->events;
	if (app->focus == KEYMAP_PANE && event_list_span(app, &texts->event)) {
		screen->details.span = &texts->event;
		screen->details.self_ns = select_own_ns(lane, &texts->event);
	}
}

static void make_pane(const struct app *app, struct screen *screen, struct table *table,
		      struct texts *texts)
{
	const struct pane_tab *tab = &app->pane.tabs[app->pane.tab];
	char a[UNITS_MAX], b[UNITS_MAX];

	*table = (struct table){
		.has_focus = app->focus == KEYMAP_PANE,
		.is_ascii = app->s.chart.is_ascii,
		.color = app->s.chart.color,
		.search = &app->finder.target.search,
		.empty = "  nothing was sampled in this window",
		.unit = { .profile = app->s.profile, .has_idle = app->pane.has_idle },
	};
	for (int i = 0; i < SCREEN_SCOPES; i++)
		screen->scopes[i] = texts->scope.forms[i];
	screen->has_focus = table->has_focus;
	screen->table = table;
	for (int i = 0; i < PANES_COUNT; i++)
		texts->tabs[i] = panes_get(i)->title;
	screen->tabs = texts->tabs;
	screen->n_tabs = PANES_COUNT;
	screen->tab = panes_index(app->shown);
	if (app->shown == &event_list_pane) {
		make_events(app, screen, texts);
		return;
	}
	if (app->shown == &details_page_pane) {
		screen->lines = &app->details.lines;
		return;
	}
	screen->is_stale = app->is_pane_stale;
	if (!state_has_rows(app)) {
		table->empty = screen->is_stale ? "  counting\342\200\246" : table->empty;
		return;
	}
	if (app->shown->table == PANE_TABS) {
		make_other_pane(app, screen, texts);
		return;
	}
	table->rows = &tab->rows;
	table->top = tab->top;
	table->cursor = tab->cursor;
	table->unit.whole = pane_whole(&app->pane);
	scope_line_totals(app, true, &texts->scope);
	say_stale(screen, texts);
	if (app->filter.target.search.matches)
		table->empty = no_match;
	if (tab->rows.n) {
		units_count(tab->cursor + 1, a);
		units_count(tab->rows.n, b);
		snprintf(texts->position, sizeof(texts->position), "%s of %s", a, b);
		screen->position = texts->position;
		if (app->focus == KEYMAP_PANE) {
			screen->details.row = &tab->rows.rows[tab->cursor];
			screen->details.unit = table->unit;
		}
	}
}

/* ---- status ---- */

static void make_status(const struct app *app, struct screen *screen, struct texts *texts)
{
	char name[16];
	bool is_prefix;

	if (app->prefix != KEYC_NONE) {
		key_format(app->prefix, name);
		buf_addf(&texts->status, "%s: and then?  Esc never mind", name);
		while (screen->n_menu < (int)ARRAY_LEN(texts->menu) &&
		       keymap_continuation(state_context(app), app->prefix, (size_t)screen->n_menu,
					   &texts->menu[screen->n_menu].keys,
					   &texts->menu[screen->n_menu].text))
			screen->n_menu++;
		screen->menu = texts->menu;
	} else if (app->count > 0) {
		buf_addf(&texts->status, "%d: how often?  Esc never mind", app->count);
		if (app->digit != KEYC_NONE) {
			enum command_id id = keymap_find(state_context(app), KEYC_NONE, app->digit,
							 &is_prefix);

			buf_clear(&texts->status);
			buf_addf(&texts->status, "%d: %s, or how often the next key?", app->count,
				 command_get(id)->name);
		}
	} else if (app->finder.is_told && app->message.len == 0) {
		search_line_status(app, app->cols - 2, &texts->status);
	} else {
		buf_adds(&texts->status, buf_text(&app->message));
		screen->is_warning = app->is_warning;
	}
	screen->message = buf_text(&texts->status);
}

/* The first key of a command, where it works. */
static const char *first_key(enum keymap_context context, enum command_id id)
{
	const struct binding *b;
	const char *any = "";

	for (size_t i = 0; (b = keymap_row(i)); i++) {
		if (b->command == id && b->context == context)
			return b->keys;
		if (b->command == id && b->context == KEYMAP_ANY && !*any)
			any = b->keys;
	}
	return any;
}

static void make_hints(const struct app *app, struct screen *screen)
{
	const enum command_id *list = app->focus == KEYMAP_PANE ? pane_hints : chart_hints;
	size_t n = app->focus == KEYMAP_PANE ? ARRAY_LEN(pane_hints) : ARRAY_LEN(chart_hints);

	if (app->focus == KEYMAP_PANE && !app->shown->step) {
		list = text_hints;
		n = ARRAY_LEN(text_hints);
	}

	for (size_t i = 0; i < n; i++) {
		enum command_id id = list[i];

		if (id == CMD_BACK && app->s.history.n == 0 && !app->s.chart.matches)
			continue;
		if ((id == CMD_SEARCH_NEXT || id == CMD_SEARCH_PREVIOUS) && !app->s.chart.matches)
			continue;
		if (app->is_pane_open && id == app->shown->command)
			continue;
		if (id == CMD_ROW_SHOW && !app->shown->show)
			continue;
		screen->hints[screen->n_hints].keys = first_key(app->focus, id);
		screen->hints[screen->n_hints++].text = id == CMD_CLOSE && app->focus == KEYMAP_PANE
			? "close"
			: command_get(id)->hint;
	}
}

/* ---- update ---- */

/* Returns whether all columns of the lanes and the overview are known. */
static bool update_chart(struct app *app, const struct screen_layout *layout, struct budget *budget)
{
	struct overview *o = &app->s.overview;

	if (layout->overview.rows && o->cols != app->cols)
		overview_begin(o, &app->s.chart, app->cols);
	app->s.chart.overview = o;
	lanes_make_covers(app);
	finder_light(app);
	return !layout->lanes.rows ||
		(chart_prepare(&app->s.chart, layout->lanes, budget) &&
		 overview_make(o, &app->s.chart, budget) &&
		 overview_mark(o, &app->s.chart, &app->finder.target.search, budget));
}

/* Returns whether the totals of the pane are those of its range; the rows are made of what was
 * counted last. */
static bool update_pane(struct app *app, const struct screen_layout *layout, struct budget *budget)
{
	struct function_list *l = &app->function_list;
	struct pane_tab *tab = pane_shown(&app->pane);
	bool is_current;

	if (!app->is_pane_open)
		return true;
	if (app->shown == &event_list_pane) {
		event_list_update(app);
		event_list_reveal(app, layout->pane.rows - 1);
		return true;
	}
	if (app->shown == &details_page_pane) {
		details_page_update(app, layout->pane.cols);
		return true;
	}
	is_current = state_count_pane(app, budget);
	if (!state_show_rows(app))
		return is_current;
	if (app->shown == &summary_page_pane)
		summary_page_update(app, layout->pane.cols);
	else if (app->shown == &function_list_pane && (is_current || l->top >= l->n))
		l->top = table_scroll(layout->pane.rows, l->n, l->top, l->cursor);
	/* Scrolling for rows that are out of date would move those that replace them. */
	else if (app->shown->table != PANE_TABS && (is_current || tab->top >= tab->rows.n))
		tab->top = table_scroll(layout->pane.rows, tab->rows.n, tab->top, tab->cursor);
	return is_current;
}

bool picture_update(struct app *app, struct budget *budget)
{
	struct screen_layout layout;
	struct budget half = budget_part(budget, 2);
	bool has_chart;

	state_layout(app, &layout);
	app->is_unfinished = false;
	if (app->is_help || layout.is_too_small)
		return true;
	has_chart = update_chart(app, &layout, &half);
	app->is_pane_stale = !update_pane(app, &layout, budget);
	has_chart = has_chart || update_chart(app, &layout, budget);
	app->is_unfinished = !has_chart || app->is_pane_stale;
	app->s.chart.is_partial = !has_chart;
	return !app->is_unfinished;
}

/* ---- draw ---- */

void app_draw(const struct app *app, struct grid *grid)
{
	struct chart chart = app->s.chart;
	struct screen_layout layout;
	struct screen screen = { .chart = &chart, .is_ascii = chart.is_ascii };
	struct texts texts = { 0 };
	struct table table;
	struct help help;

	grid_init(grid, app->rows, app->cols);
	state_layout(app, &layout);
	if (app->is_pane_open)
		screen.pane = app->is_pane_max ? SCREEN_PANE_ALL : SCREEN_PANE_BELOW;
	screen.details = (struct details){ .chart = &chart, .self_ns = app->s.self_ns };
	if (app->is_help) {
		help_page_make(app, &texts.help, &help);
		screen.help = &help;
	} else if (!layout.is_too_small) {
		buf_adds(&texts.about, buf_text(&app->loading));
		transforms_format(app, &texts.about);
		if (app->mode != VIEW_TIME) {
			buf_adds(&texts.about, texts.about.len ? " \302\267 " : "");
			buf_adds(&texts.about, buf_text(&app->mode_text));
		}
		chart.about = buf_text(&texts.about);
		chart.base = app->mode == VIEW_TIME ? app->base : NULL;
		chart.has_range = app->has_range && app->mode == VIEW_TIME;
		chart.range_t0 = app->range_t0;
		chart.range_t1 = app->range_t1;
		if (app->is_pane_open)
			make_pane(app, &screen, &table, &texts);
		/* After the pane, as it states the number of rows. */
		screen.prompt = search_line_make(app, &texts.search);
		make_status(app, &screen, &texts);
		make_hints(app, &screen);
	}
	screen_draw(grid, &screen);
	texts_done(&texts);
}
