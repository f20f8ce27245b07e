/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The events pane: spans as they open, one a line. */
#ifndef FLAMETTY_LAYOUT_EVENT_TABLE_H
#define FLAMETTY_LAYOUT_EVENT_TABLE_H

#include "analysis/events.h"
#include "layout/chart.h"
#include "layout/highlight.h"

struct event_table {
	const struct profile *profile;
	const struct lane *lane;
	struct event_at top; /* first one shown */
	struct event_filter filter;
	bool has_any;                /* false: `top` is nothing */
	int cursor;                  /* lines below top */
	const struct search *search; /* that is on; NULL: none */
	bool has_focus;
	bool is_ascii;
	enum chart_color color;
	bool is_absolute;  /* starts are of the file's clock */
	const char *empty; /* said when there are no lines */
	int64_t t1;        /* the window ends here: later ones are dim */
};

void event_table_draw(struct grid *g, struct rect r, const struct event_table *table);

#endif
