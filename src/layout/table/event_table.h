/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The table of events: spans in the order in which they open, one per line. */
#ifndef FLAMETTY_LAYOUT_EVENT_TABLE_H
#define FLAMETTY_LAYOUT_EVENT_TABLE_H

#include "analysis/events.h"
#include "layout/chart.h"
#include "layout/highlight.h"
#include "layout/time_label.h"

struct event_table {
	const struct profile *profile;
	const struct lane *lane;
	struct event_at top; /* the first event shown */
	struct event_filter filter;
	bool has_any;                /* false: `top` is not valid */
	int cursor;                  /* line of the cursor, counted from `top` */
	const struct search *search; /* the active search; NULL: none */
	bool has_focus;
	bool is_ascii;
	const struct frame_roles *roles; /* colours of swatches */
	struct time_label times;         /* the clock of starts */
	const char *empty;               /* text if there are no lines */
	int64_t t1;                      /* end of the window: later events are dim */
};

void event_table_draw(struct grid *g, struct rect r, const struct event_table *table);

#endif
