/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The table of what a running process does: functions with their shares of the last seconds, and a
 * small graph of the last minute each. */
#ifndef FLAMETTY_LAYOUT_RECENT_TABLE_H
#define FLAMETTY_LAYOUT_RECENT_TABLE_H

#include "analyse/recent.h"
#include "draw/chart.h"
#include "draw/highlight.h"

struct recent_table {
	const struct profile *profile;
	const struct recent *recent;
	unsigned sort; /* the span that rows are sorted by */
	bool is_reversed;
	size_t top, cursor;
	bool has_focus;
	bool is_ascii;
	const struct frame_roles *roles; /* colours of swatches */
	const struct search *search;     /* the active search; NULL: none */
};

void recent_table_draw(struct grid *g, struct rect r, const struct recent_table *table);

/* The span whose head is at grid column `col`; RECENT_SPANS: none. */
unsigned recent_table_span_at(struct rect r, int col);

#endif
