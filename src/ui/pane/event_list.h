/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The events pane: the spans of the lane with the cursor that open in the range of the panes. */
#ifndef FLAMETTY_UI_PANE_EVENT_LIST_H
#define FLAMETTY_UI_PANE_EVENT_LIST_H

#include "analyse/event_order.h"

struct app;

struct event_list {
	struct event_order order;
	size_t cursor, top;
	int64_t min_ns; /* asked for */
	enum event_sort sort;
	bool is_reversed;
	/* What the list was made for. */
	bool has_list;
	int64_t t0, t1;
	/* The cursor goes to this event when the list is complete: by sample and depth. */
	bool has_wish;
	size_t wish_sample;
	int wish_depth;
};

/* Free the list, as before its lane is freed. What was asked for stays. */
void event_list_forget(struct app *app);

/* A search has gone to a span of the lane with the cursor: if the pane is shown, so does its
 * cursor. */
void event_list_go(struct app *app, const struct span *span);

#endif
