/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "config.h"

#include "ui/pane/function_sort.h"

#include "ui/state.h"

int64_t function_sort_value(const struct function_list *l, const struct totals *t,
			    enum function_column c, const struct rows_change *change, frame_id f)
{
	const struct function *fn = &l->functions.list[f];
	int64_t here = t->frame_self[f], all, ns[SIDES];

	if (change && change->after && c != FUNCTION_NAME) {
		rows_change_sides_of_function(change, f, c == FUNCTION_TOTAL_CHANGE, ns);
		return c == FUNCTION_BEFORE ? ns[SIDE_BEFORE]
			: c == FUNCTION_AFTER
			? ns[SIDE_AFTER]
			: rows_change_key(change, ns[SIDE_AFTER], ns[SIDE_BEFORE]);
	}
	switch (c) {
	case FUNCTION_SELF:
		return t->frame_self[f];
	case FUNCTION_TOTAL:
		return t->frame_total[f];
	case FUNCTION_CHANGE:
		return change && rows_change_of_function(change, f, &here, &all)
			? rows_change_key(change, here, all)
			: 0;
	case FUNCTION_SPANS:
		return (int64_t)fn->n_spans;
	case FUNCTION_LONGEST:
		return fn->longest;
	case FUNCTION_MEAN:
		return functions_mean(fn);
	case FUNCTION_SHORTEST:
		return fn->shortest;
	case FUNCTION_GC:
	case FUNCTION_BEFORE:
	case FUNCTION_AFTER:
	case FUNCTION_TOTAL_CHANGE:
	case FUNCTION_NAME:
	case FUNCTION_COLUMNS:
		break;
	}
	return 0;
}

bool function_sort_is_of_spans(enum function_column c)
{
	return c >= FUNCTION_SPANS && c <= FUNCTION_SHORTEST;
}

struct rows_change function_sort_change(const struct app *app)
{
	return pane_sides_exist(&app->pane) ? pane_sides_change(&app->pane, false, false)
					    : pane_change_get(&app->pane, false);
}

bool function_sort_has(const struct app *app, int column)
{
	bool is_of_sides = column == FUNCTION_BEFORE || column == FUNCTION_AFTER ||
		column == FUNCTION_TOTAL_CHANGE;

	if (column == FUNCTION_NAME)
		return true;
	if (pane_sides_exist(&app->pane))
		return is_of_sides || column == FUNCTION_CHANGE;
	return !is_of_sides && column != FUNCTION_GC &&
		(column != FUNCTION_CHANGE || pane_change_exists(&app->pane));
}
