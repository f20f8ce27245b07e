/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The table of panes, made from pane_list.h. What all panes have in common on the screen is filled
 * here; the rest by the draw() of the pane that is shown, which is called for a pane of totals only
 * if there are totals. */
#include "config.h"

#include "ui/pane/panes.h"

#include "ui/chart/select.h"
#include "ui/pane/pane_rows.h"
#include "ui/pane/row_stack.h"
#include "ui/state.h"

static const struct pane_kind *const panes[PANES_COUNT] = {
#define PANE(kind) &kind,
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
	state_show_pane(app, false);
}

void panes_show(struct app *app, const struct pane_kind *kind)
{
	if (kind != app->shown)
		leave(app);
	state_show_pane(app, true);
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
