/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What all panes have in common is filled here; the rest by the draw() of the pane that is shown,
 * which a pane of totals is asked for only when there are some. */
#include "config.h"

#include "ui/pane/pane_picture.h"

#include "ui/state.h"

#include <stdio.h>

const char pane_picture_no_match[] = "  no row matches the filter; & C-u Enter shows all";

void pane_picture_place(struct pane_picture *picture, size_t cursor, size_t n)
{
	char a[UNITS_MAX], b[UNITS_MAX];

	if (n == 0)
		return;
	units_count(cursor + 1, a);
	units_count(n, b);
	snprintf(picture->position, sizeof picture->position, "%s of %s", a, b);
	picture->screen->position = picture->position;
}

void pane_picture_totals(const struct app *app, struct pane_picture *picture, bool has_filter)
{
	struct scope_line *scope = &picture->scope;

	scope_line_totals(app, has_filter, scope);
	/* The numbers are those of another range. */
	for (int i = 0; picture->screen->is_stale && i < SCREEN_SCOPES; i++)
		snprintf(scope->forms[i], sizeof scope->forms[i], "counting\342\200\246");
}

void pane_picture_make(const struct app *app, struct screen *screen, struct pane_picture *picture)
{
	const struct chart *chart = &app->s.chart;

	*picture = (struct pane_picture){ .screen = screen };
	picture->table = (struct table){
		.has_focus = app->focus == KEYMAP_PANE,
		.is_ascii = chart->is_ascii,
		.color = chart->color,
		.search = &app->finder.target.search,
		.empty = "  nothing was sampled in this window",
		.unit = { .profile = app->s.profile, .has_idle = app->pane.has_idle },
	};
	for (int i = 0; i < SCREEN_SCOPES; i++)
		screen->scopes[i] = picture->scope.forms[i];
	for (int i = 0; i < PANES_COUNT; i++)
		picture->tabs[i] = panes_get(i)->title;
	screen->has_focus = picture->table.has_focus;
	screen->table = &picture->table;
	screen->tabs = picture->tabs;
	screen->n_tabs = PANES_COUNT;
	screen->tab = panes_index(app->shown);
	screen->is_stale = app->shown->has_totals && app->is_pane_stale;
	if (!app->shown->has_totals || state_has_rows(app))
		app->shown->draw(app, picture);
	else if (screen->is_stale)
		picture->table.empty = "  counting\342\200\246";
}
