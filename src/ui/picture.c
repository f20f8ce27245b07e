/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Gathers what is to be seen into a struct screen. Here, and only here, is what a
 * picture needs brought up to date: the overview for the width, the rows of the pane
 * for the window. So keys that come faster than pictures cost next to nothing. */
#include "config.h"

#include "ui/picture.h"

#include "base/alloc.h"
#include "base/clock.h"
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
static void make_other_pane(struct app *app, const struct screen_layout *layout,
			    struct screen *screen, struct texts *texts)
{
	struct function_list *l = &app->function_list;
	char a[UNITS_MAX], b[UNITS_MAX];

	scope_line_totals(app, app->shown == &function_list_pane, &texts->scope);
	say_stale(screen, texts);
	if (app->shown == &summary_page_pane) {
		summary_page_update(app, layout->pane.cols);
		screen->lines = &app->summary.lines;
		return;
	}
	l->top = table_scroll(layout->pane.rows, l->n, l->top, l->cursor);
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

static void make_events(struct app *app, struct screen *screen, struct texts *texts)
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

static void make_pane(struct app *app, const struct screen_layout *layout, struct screen *screen,
		      struct table *table, struct texts *texts)
{
	struct pane_tab *tab = pane_shown(&app->pane);
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
		event_list_update(app);
		event_list_reveal(app, layout->pane.rows - 1);
		make_events(app, screen, texts);
		return;
	}
	if (app->shown == &details_page_pane) {
		details_page_update(app, layout->pane.cols);
		screen->lines = &app->details.lines;
		return;
	}
	screen->is_stale = !state_count_pane(
		app, app->is_hasty ? clock_ns() + app->draw_ns / 2 : INT64_MAX);
	if (!state_show_rows(app)) {
		table->empty = screen->is_stale ? "  counting\342\200\246" : table->empty;
		return;
	}
	if (app->shown->table == PANE_TABS) {
		make_other_pane(app, layout, screen, texts);
		return;
	}
	tab->top = table_scroll(layout->pane.rows, tab->rows.n, tab->top, tab->cursor);
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

/* What the chart and the overview need. */
static bool prepare_chart(struct app *app, int64_t until_ns)
{
	struct overview *o = &app->s.overview;
	struct screen_layout layout;

	state_layout(app, &layout);
	if (layout.overview.rows && o->cols != app->cols)
		overview_begin(o, &app->s.chart, app->cols);
	app->s.chart.overview = o;
	lanes_make_covers(app);
	finder_light(app);
	return !layout.lanes.rows ||
		(chart_prepare(&app->s.chart, layout.lanes, until_ns) &&
		 overview_make(o, &app->s.chart, until_ns) &&
		 overview_mark(o, &app->s.chart, &app->finder.target.search, until_ns));
}

/* The chart first: that is where people look. */
bool picture_prepare(struct app *app, int64_t until_ns)
{
	bool has_chart = prepare_chart(app, until_ns), has_pane = state_count_pane(app, until_ns);

	app->is_unfinished = !has_chart || !has_pane;
	return !app->is_unfinished;
}

static int64_t deadline(const struct app *app, int64_t begun_ns)
{
	/* However long the pane took, columns get some of it. */
	int64_t at = begun_ns + app->draw_ns, least = clock_ns() + app->draw_ns / 4;

	return !app->is_hasty ? INT64_MAX : at > least ? at : least;
}

void app_draw(struct app *app, struct grid *grid)
{
	struct screen_layout layout;
	struct screen screen = { .chart = &app->s.chart, .is_ascii = app->s.chart.is_ascii };
	struct texts texts = { 0 };
	struct table table;
	struct help help;
	int64_t begun_ns = clock_ns();

	grid_init(grid, app->rows, app->cols);
	state_layout(app, &layout);
	if (app->is_pane_open)
		screen.pane = app->is_pane_max ? SCREEN_PANE_ALL : SCREEN_PANE_BELOW;
	screen.details = (struct details){ .chart = &app->s.chart, .self_ns = app->s.self_ns };
	if (app->is_help) {
		help_page_make(app, &texts.help, &help);
		screen.help = &help;
	} else if (!layout.is_too_small) {
		buf_clear(&texts.about);
		buf_adds(&texts.about, buf_text(&app->loading));
		transforms_format(app, &texts.about);
		if (app->mode != VIEW_TIME) {
			buf_adds(&texts.about, texts.about.len ? " \302\267 " : "");
			buf_adds(&texts.about, buf_text(&app->mode_text));
		}
		app->s.chart.about = buf_text(&texts.about);
		app->s.chart.base = app->mode == VIEW_TIME ? app->base : NULL;
		app->s.chart.has_range = app->has_range && app->mode == VIEW_TIME;
		app->s.chart.range_t0 = app->range_t0;
		app->s.chart.range_t1 = app->range_t1;
		if (app->is_pane_open)
			make_pane(app, &layout, &screen, &table, &texts);
		/* Not picture_prepare(): what the pane lent is drawn below. */
		app->is_unfinished = !prepare_chart(app, deadline(app, begun_ns)) ||
			screen.is_stale;
		app->drawn_ns = clock_ns();
		app->s.chart.is_partial = app->is_unfinished;
		/* It says how many rows there are. */
		screen.prompt = search_line_make(app, &texts.search);
		make_status(app, &screen, &texts);
		make_hints(app, &screen);
	}
	screen_draw(grid, &screen);
	app->s.chart.about = NULL;
	texts_done(&texts);
}
