/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The table of panes, made from pane_list.h. What all panes have in common on the screen is filled
 * here; the rest by the draw() of the pane that is shown, which is called for a pane of totals only
 * if there are totals. */
#include "config.h"

#include "ui/pane/panes.h"

#include "draw/flame/label.h"
#include "ui/actions.h"
#include "ui/chart/select.h"
#include "ui/pane/pane.h"
#include "ui/pane/pane_picture.h"
#include "ui/pane/pane_scope.h"
#include "ui/pane/row_stack.h"
#include "ui/state.h"

#include <stdlib.h>

/* ==== pane share ====
 *
 * Without idle time, shares of the whole still count as such. */

enum pane_share pane_share_get(const struct pane *pane)
{
	return pane->is_of_whole ? PANE_SHARE_WHOLE
		: pane->has_idle ? PANE_SHARE_RANGE
				 : PANE_SHARE_BUSY;
}

void pane_share_set(struct pane *pane, enum pane_share share)
{
	pane->has_idle = share != PANE_SHARE_BUSY;
	pane->is_of_whole = share == PANE_SHARE_WHOLE;
}

/* ==== pane open ====
 *
 * A row with hundreds of thousands of callers is opened in steps. It is shown as closed meanwhile.
 */

bool pane_open_step(struct pane *pane, struct budget *budget)
{
	struct pane_tab *tab = pane_shown(pane);

	tab->is_opening_row = !rows_open_step(&tab->rows, budget);
	return !tab->is_opening_row;
}

bool pane_open(struct pane *pane, struct budget *budget)
{
	struct pane_tab *tab = pane_shown(pane);
	size_t at = tab->cursor;

	if (at >= tab->rows.n)
		return true;
	if (!tab->rows.rows[at].is_open)
		return !rows_open_begin(&tab->rows, at) || pane_open_step(pane, budget);
	if (at + 1 < tab->rows.n && tab->rows.rows[at + 1].depth > tab->rows.rows[at].depth)
		tab->cursor++;
	return true;
}

/* ==== pane keys ====
 *
 * Commands of the lower pane: which tab it shows, and commands on its rows. */

#define NAME_CELLS 40

static unsigned show(struct app *app, const struct pane_kind *kind)
{
	panes_show(app, kind);
	return APP_REDRAW;
}

/* i: enum pane_index. */
unsigned pane_keys_show(struct app *app, int i)
{
	return show(app, panes_get(i));
}

unsigned pane_keys_functions(struct app *app, int count)
{
	(void)count;
	return show(app, live_is_moving(app) ? &live_list_pane : &function_list_pane);
}

unsigned pane_keys_callers(struct app *app, int count)
{
	bool is_on = app->is_pane_open && app->shown == &call_pane_callers;
	frame_id frame;

	(void)count;
	/* Take the function from the row of the pane that is still shown. */
	if (!is_on && pane_rows_target(app, &frame))
		pane_set_function(&app->pane, frame);
	return show(app, is_on ? &call_pane_callees : &call_pane_callers);
}

unsigned pane_keys_event_length(struct app *app, int count)
{
	(void)count;
	event_list_shorter(app);
	return APP_REDRAW;
}

/* What is selected has no file to show. */
static void say_other(struct app *app, frame_id frame)
{
	const struct frame *f = profile_frame(app->s.profile, frame);
	struct buf name = { 0 };

	label_frame(app->s.profile, frame, NAME_CELLS, &name);
	state_say(app, false, "%s is %s: this is the hottest function with a file", buf_text(&name),
		  f->category == CATEGORY_NODE ? "in Node.js itself" : "in no file");
	buf_done(&name);
}

unsigned pane_keys_source(struct app *app, int count)
{
	const struct lane *lane = state_lane(app);
	bool is_on = app->is_pane_open && app->shown == &source_page_pane, is_other = false;
	frame_id frame;

	(void)count;
	/* As for the callers: the function of the row of the pane that is still shown. */
	if (!is_on && (app->focus == KEYMAP_PANE || app->s.chart.has_selection) && lane &&
	    pane_rows_target(app, &frame)) {
		source_page_set(app, frame);
		is_other = app->source.frame != frame;
	}
	buf_clear(&app->message);
	show(app, &source_page_pane);
	if (is_other)
		say_other(app, frame);
	return APP_REDRAW;
}

unsigned pane_keys_hot_line(struct app *app, int n)
{
	return source_page_next_hot(app, n) ? APP_REDRAW : select_keys_same(app, n);
}

/* Of the functions pane and the live pane only one is there. */
unsigned pane_keys_tab(struct app *app, int n)
{
	const struct pane_kind *away = live_is_moving(app) ? &function_list_pane : &live_list_pane;
	int at = panes_index(app->shown), by = n < 0 ? PANES_COUNT - 1 : 1;

	for (int left = abs(n) % PANES_COUNT; left > 0; left--) {
		at = (at + by) % PANES_COUNT;
		if (panes_get(at) == away)
			at = (at + by) % PANES_COUNT;
	}
	return show(app, panes_get(at));
}

/* Open or close the pane at the user's request. */
static void show_pane(struct app *app, bool is_open)
{
	app->is_pane_open = is_open;
	app->is_pane_chosen = true;
	if (!is_open) {
		app->is_pane_max = false;
		app->focus = KEYMAP_CHART;
	}
}

unsigned pane_keys_focus(struct app *app, int count)
{
	(void)count;
	if (app->focus == KEYMAP_PANE) {
		app->focus = KEYMAP_CHART;
		app->is_pane_max = false;
	} else {
		show_pane(app, true);
		app->focus = KEYMAP_PANE;
	}
	select_reveal_row(app);
	return APP_REDRAW;
}

unsigned pane_keys_maximise(struct app *app, int count)
{
	(void)count;
	if (!app->is_pane_open)
		show_pane(app, true);
	app->is_pane_max = !app->is_pane_max;
	if (app->is_pane_max)
		app->focus = KEYMAP_PANE;
	state_clamp_scroll(app);
	return APP_REDRAW;
}

/* ---- rows ---- */

/* Whether the totals and rows that the pane's functions need are up to date. */
static bool is_ready(struct app *app)
{
	return !app->shown->has_totals || pane_rows_update(app);
}

/* Rows of data on the pane's page. */
static int page(const struct app *app)
{
	struct screen_layout layout;
	int head = app->shown->head_rows;

	state_layout(app, &layout);
	return layout.pane.rows > head + 1 ? layout.pane.rows - head : 1;
}

unsigned pane_keys_row(struct app *app, int n)
{
	struct screen_layout layout;

	state_layout(app, &layout);
	if (is_ready(app))
		app->shown->move(app, n, &layout.pane);
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
	panes_show(app, app->shown->go ? app->shown : &call_pane_bottom_up);
	if (!pane_rows_update(app))
		return APP_REDRAW;
	path = select_path(app, &n);
	has_found = app->shown->go(app, path, n);
	free(path);
	if (!has_found)
		state_say(app, false,
			  "the table has no row for it: no time in the range, or filtered out");
	return APP_REDRAW;
}

unsigned pane_keys_row_page(struct app *app, int n)
{
	return pane_keys_row(app, n * page(app));
}

unsigned pane_keys_row_half(struct app *app, int n)
{
	return pane_keys_row(app, n * ((page(app) + 1) / 2));
}

static unsigned take_step(struct app *app, enum pane_step step)
{
	if (app->shown->step && is_ready(app))
		app->shown->step(app, step);
	return APP_REDRAW;
}

unsigned pane_keys_row_toggle(struct app *app, int n)
{
	/* As in less where nothing can be opened: on a page of text, and at a row without rows
	 * below it. */
	if (!app->shown->step || (is_ready(app) && pane_rows_is_at_leaf(app)))
		return pane_keys_row_page(app, n);
	return take_step(app, PANE_TOGGLE);
}

/* n: negative: close the row; else open it. */
unsigned pane_keys_row_open(struct app *app, int n)
{
	if (source_page_aside(app, n) || (is_ready(app) && summary_page_aside(app, n)))
		return APP_REDRAW;
	return take_step(app, n < 0 ? PANE_CLOSE : PANE_OPEN);
}

unsigned pane_keys_row_hot(struct app *app, int count)
{
	(void)count;
	return take_step(app, PANE_HOT);
}

unsigned pane_keys_row_show(struct app *app, int count)
{
	if (app->has_shown) {
		app->has_shown = false;
		return camera_keys_zoom_span(app, count);
	}
	if (app->shown->show && is_ready(app)) {
		app->shown->show(app);
		/* If there is nothing to select, a message says so. */
		app->has_shown = app->s.chart.has_selection && !app->message.len;
	}
	return APP_REDRAW;
}

/* Whether the pane has columns to sort by, even while keys go to the chart; otherwise it says so.
 */
static bool has_columns(struct app *app)
{
	bool has = app->is_pane_open && app->shown->sort;

	if (!has)
		state_say(app, false, "%s",
			  app->is_pane_open ? "this pane has no columns to sort by"
					    : "no table is open: 5 shows one");
	return has;
}

/* Sort by the column `n` columns to the right. */
unsigned pane_keys_sort(struct app *app, int n)
{
	if (has_columns(app) && is_ready(app))
		app->shown->sort(app, n);
	return APP_REDRAW;
}

unsigned pane_keys_sort_reverse(struct app *app, int count)
{
	(void)count;
	if (has_columns(app) && is_ready(app)) {
		app->shown->reverse(app);
		state_say(app, false, "sort order reversed");
	}
	return APP_REDRAW;
}

/* ==== panes ==== */

static const struct pane_kind *const panes[PANES_COUNT] = {
#define PANE(index, kind) [index] = &kind,
#include "ui/pane/pane_list.h"
};

const struct pane_kind *panes_get(int i)
{
	return panes[i];
}

int panes_index(const struct pane_kind *kind)
{
	int i = 0;

	while (panes[i] != kind)
		i++;
	return i;
}

static void leave(struct app *app)
{
	if (app->shown->leave)
		app->shown->leave(app);
}

void panes_close(struct app *app)
{
	leave(app);
	show_pane(app, false);
}

void panes_show(struct app *app, const struct pane_kind *kind)
{
	if (kind != app->shown)
		leave(app);
	show_pane(app, true);
	app->shown = kind;
	if (kind->table < PANE_TABS)
		app->pane.tab = kind->table;
	app->focus = KEYMAP_PANE;
	select_reveal_row(app);
}

void panes_tabs(const struct app *app, struct screen_tab tabs[PANES_COUNT])
{
	for (int i = 0; i < PANES_COUNT; i++) {
		const struct pane_kind *kind = panes[i];

		/* These two share a tab. */
		if (kind == &function_list_pane && live_is_moving(app))
			kind = &live_list_pane;
		tabs[i] = (struct screen_tab){ kind->title, !kind->has_no_scope };
	}
}

void panes_draw(const struct app *app, struct screen *screen, struct pane_picture *picture)
{
	const struct chart *chart = &app->s.chart;

	*picture = (struct pane_picture){ .screen = screen };
	picture->table = (struct table){
		.has_focus = app->focus == KEYMAP_PANE,
		.is_ascii = chart->is_ascii,
		.roles = chart->roles,
		.search = &app->finder.target.search,
		.empty = "nothing was sampled in this window",
		.unit = { .profile = app->s.profile,
			  .has_idle = app->pane.has_idle,
			  .has_gc = app->pane.gc.is_on },
	};
	for (int i = 0; i < SCREEN_SCOPES; i++)
		screen->scopes[i] = picture->scope.forms[i];
	panes_tabs(app, picture->tabs);
	screen->has_focus = picture->table.has_focus;
	screen->table = &picture->table;
	screen->tabs = picture->tabs;
	screen->n_tabs = PANES_COUNT;
	screen->tab = panes_index(app->shown);
	screen->has_side = row_stack_has_room(app);
	screen->stack = row_stack_get(app);
	screen->is_stale = app->shown->has_totals && app->is_pane_stale;
	if (!app->shown->has_totals || pane_rows_exist(app))
		app->shown->draw(app, picture);
	else if (screen->is_stale)
		picture->table.empty = "counting\342\200\246";
}
