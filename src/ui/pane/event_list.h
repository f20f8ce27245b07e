/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The events pane: which line is its first, and where its cursor is. */
#ifndef FLAMETTY_UI_PANE_EVENT_LIST_H
#define FLAMETTY_UI_PANE_EVENT_LIST_H

#include "analysis/events.h"

struct app;

struct event_list {
	struct event_at top;
	bool has_any;
	int cursor; /* lines below top */
	struct event_filter filter;
	int64_t min_ns; /* asked for */
	/* What the list was made for. */
	const struct lane *lane;
	int64_t t0;
};

/* Begin anew where the window does, if that or the lane changed. */
void event_list_update(struct app *app);

/* Bring the cursor back onto a page of `page` lines, which may have become less. */
void event_list_reveal(struct app *app, int page);

/* The event with the cursor; false: there is none. */
bool event_list_span(const struct app *app, struct span *out);

/* Spans of at least 0, 1, 15 ms, in turn. */
void event_list_shorter(struct app *app);

#endif
