/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The functions pane: a flat table of functions with numbers of their spans. Times are known at
 * once; counting spans is a pass over samples, done between keys. */
#ifndef FLAMETTY_UI_PANE_FUNCTION_LIST_H
#define FLAMETTY_UI_PANE_FUNCTION_LIST_H

#include "analysis/functions.h"
#include "layout/function_table.h"

struct app;

struct function_list {
	struct functions functions;
	struct functions_walk *walk; /* NULL: counting is complete, or has not begun */
	frame_id *order;             /* frames with time, in the order of the table */
	size_t n;
	unsigned filter_changes; /* pane.filter_changes when the order was made */
	bool has_list;
	unsigned generation; /* pane.generation of the totals that this is about */
	enum function_column sort;
	bool is_reversed;
	size_t cursor, top;
};

/* Free what was computed, as before the lanes are freed. Sort order and cursor stay. */
void function_list_forget(struct function_list *list);

#endif
