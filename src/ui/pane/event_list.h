/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The events pane: its first line, and its cursor. */
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

/* Change the shortest span that is listed to the next of 0, 1 and 15 ms. */
void event_list_shorter(struct app *app);

#endif
