/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The table of events: spans in an order, one per line, with start, duration and self time. */
#ifndef FLAMETTY_DRAW_TABLE_EVENT_TABLE_H
#define FLAMETTY_DRAW_TABLE_EVENT_TABLE_H

#include "analyse/event_order.h"
#include "analyse/recent.h"
#include "draw/grid.h"
#include "draw/ruler.h"

struct frame_roles;
struct lane;
struct profile;

struct event_table {
	const struct profile *profile;
	const struct lane *lane;
	const struct event_order *order;
	size_t n;           /* events that are listed */
	size_t top, cursor; /* the first event shown, and that with the cursor */
	bool is_reversed;
	const struct search *search; /* the active search; NULL: none */
	bool has_focus;
	bool is_ascii;
	const struct frame_roles *roles; /* colours of swatches */
	struct time_label times;         /* the clock of starts */
	const char *empty;               /* text if there are no lines */
};

void event_table_draw(struct grid *g, struct rect r, const struct event_table *table);

/* The order that a click on column `col` of the heads asks for. */
enum event_sort event_table_sort_at(const struct event_table *table, struct rect r, int col);

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
