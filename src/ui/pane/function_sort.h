/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The orders of the functions pane. */
#ifndef FLAMETTY_UI_PANE_FUNCTION_SORT_H
#define FLAMETTY_UI_PANE_FUNCTION_SORT_H

#include "analyse/rows/rows_change.h"
#include "ui/pane/function_list.h"

/* The number of a function by which a column sorts, largest first. change: NULL if that is not the
 * order, unless it is of two sides. */
int64_t function_sort_value(const struct function_list *list, const struct totals *totals,
			    enum function_column column, const struct rows_change *change,
			    frame_id frame);

/* Whether a column is known only when the spans are counted. */
bool function_sort_is_of_spans(enum function_column column);

/* The comparison that the table shows; zeroed: none, or not known yet. */
struct rows_change function_sort_change(const struct app *app);

/* Whether the table can be sorted by a column. */
bool function_sort_has(const struct app *app, int column);

#endif
