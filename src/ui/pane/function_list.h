/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The functions pane: a flat table with what single spans took. Times come at once; counting
 * spans is a pass over samples, done between keys. */
#ifndef FLAMETTY_UI_PANE_FUNCTION_LIST_H
#define FLAMETTY_UI_PANE_FUNCTION_LIST_H

#include "analysis/functions.h"
#include "layout/function_table.h"

struct app;

struct function_list {
	struct functions functions;
	struct functions_walk *walk; /* NULL: done, or not begun */
	frame_id *order;             /* frames with time, in the order of the table */
	size_t n;
	unsigned filter_changes; /* of the pane, when the order was made */
	bool has_list;
	unsigned generation; /* of the pane's totals that this is about */
	enum function_column sort;
	bool is_reversed;
	size_t cursor, top;
};

/* Bring the list up to date with the pane's totals. */
void function_list_update(struct app *app);

/* Forget it, as before the lanes are freed. */
void function_list_forget(struct function_list *list);

/* Count more spans, up to the time on clock_ns(). True: the table changed. */
bool function_list_work(struct app *app, int64_t until_ns);
bool function_list_is_busy(const struct app *app);

void function_list_move(struct app *app, int64_t rows);
void function_list_sort(struct app *app, int step);
void function_list_reverse(struct app *app);

/* The frame of the line with the cursor; FRAME_NONE: none. */
frame_id function_list_frame(const struct app *app);

/* Put the cursor on a frame; false: it has no line. */
bool function_list_go(struct app *app, frame_id frame);

/* Select its longest span in the chart. */
void function_list_show(struct app *app);

#endif
