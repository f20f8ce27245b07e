/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A row with hundreds of thousands of callers is opened in steps. It is shown as closed meanwhile.
 */
#include "config.h"

#include "ui/pane/pane.h"

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
