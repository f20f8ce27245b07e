/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Totals are computed for the scope of the panes; the rows of the pane that is shown are made from
 * them by its update_rows(). */
#include "config.h"

#include "ui/pane/pane_rows.h"

#include "ui/chart/folds.h"
#include "ui/pane/pane_scope.h"
#include "ui/state.h"

static bool has_totals(const struct app *app)
{
	const struct lane *lane = state_lane(app);

	return app->is_pane_open && lane && app->shown->has_totals && lane->tree.n;
}

bool pane_rows_count(struct app *app, struct budget *budget)
{
	const struct lane **lanes;
	int64_t t0, t1;
	uint32_t n;

	if (!has_totals(app))
		return true;
	pane_scope_range(app, &t0, &t1);
	n = pane_scope_lanes(app, &lanes);
	pane_scope_all(app, app->pane.all_ns);
	/* Without a time line there is nothing to be a part of; two sides are compared with each
	 * other. */
	if (pane_scope_is_timeless(app) || app->pane.sides.of)
		pane_change_set(&app->pane, 0, 0);
	else
		pane_change_set(&app->pane, app->s.view.t_min, app->s.view.t_max);
	return pane_totals(&app->pane, lanes, n, t0, t1, budget) &&
		pane_gc_work(&app->pane, budget);
}

/* Returns whether all rows are as they should be. */
static bool update_rows(struct app *app, struct budget *budget)
{
	if (app->focus == KEYMAP_CHART && app->s.chart.has_selection)
		pane_set_function(&app->pane, folds_selected(&app->s));
	return !app->shown->update_rows || app->shown->update_rows(app, budget);
}

bool pane_rows_update(struct app *app)
{
	struct budget budget;

	if (!has_totals(app))
		return false;
	if (!pane_rows_count(app, BUDGET_UNLIMITED))
		return false;
	budget = budget_ns(PANE_ROWS_KEY_NS);
	if (!update_rows(app, &budget))
		pane_stop(&app->pane);
	return true;
}

bool pane_rows_exist(const struct app *app)
{
	return has_totals(app) && app->pane.has_totals;
}

bool pane_rows_show(struct app *app, struct budget *budget, bool *is_complete)
{
	if (!pane_rows_exist(app))
		return false;
	*is_complete = update_rows(app, budget);
	return true;
}

bool pane_rows_target(struct app *app, frame_id *frame)
{
	const struct lane *lane = state_lane(app);
	struct span span;

	*frame = FRAME_NONE;
	if (app->focus == KEYMAP_PANE && app->shown->frame && pane_rows_update(app))
		*frame = app->shown->frame(app);
	else if (app->focus == KEYMAP_PANE && app->shown->span && lane &&
		 app->shown->span(app, &span))
		*frame = lane->tree.frame[span.node];
	if (*frame == FRAME_NONE && lane && lane->tree.n && app->s.chart.has_selection)
		*frame = folds_selected(&app->s);
	if (*frame == FRAME_NONE)
		state_say(app, false, "nothing is selected");
	return *frame != FRAME_NONE;
}

bool pane_rows_is_at_leaf(const struct app *app)
{
	const struct pane_tab *tab = &app->pane.tabs[app->pane.tab];
	const struct row *row = tab->cursor < tab->rows.n ? &tab->rows.rows[tab->cursor] : NULL;

	return row && !row->can_open && !row->is_open;
}
