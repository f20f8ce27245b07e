/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The table of panes, made from pane_list.h. */
#include "config.h"

#include "ui/pane/panes.h"

#include "ui/chart/select.h"
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

void panes_show(struct app *app, const struct pane_kind *kind)
{
	state_show_pane(app, true);
	app->shown = kind;
	if (kind->table < PANE_TABS)
		app->pane.tab = kind->table;
	app->focus = KEYMAP_PANE;
	select_reveal_row(app);
}
