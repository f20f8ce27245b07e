/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The functions pane of a process that runs: what it did in the last 1, 10 and 60 seconds. While
 * the window moves, it takes the place of the functions pane. */
#ifndef FLAMETTY_UI_PANE_LIVE_LIST_H
#define FLAMETTY_UI_PANE_LIVE_LIST_H

#include "analyse/recent.h"

#include <stdbool.h>

struct app;

struct live_list {
	struct recent recent;
	bool has_list; /* `recent` is made, */
	unsigned sort; /* in this order, */
	bool is_reversed;
	int lane;       /* for this lane with the cursor, */
	bool is_of_all; /* or for all */
};

/* Bring the list up to date; the header needs it, too. */
void live_list_update(struct app *app);

#endif
