/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The flat table of functions. */
#ifndef FLAMETTY_DRAW_TABLE_FUNCTION_TABLE_H
#define FLAMETTY_DRAW_TABLE_FUNCTION_TABLE_H

#include "analyse/figures.h"
#include "draw/grid.h"
#include "draw/table/table.h"

struct frame_roles;

#define FUNCTION_ID(X, id, ...) FUNCTION_##id,
#define FUNCTION_NO_ID(...)

/* clang-format off */
enum function_column {
	FIGURES_OF_TIME(FUNCTION_ID, FUNCTION_NO_ID, )
	FUNCTION_BEFORE, /* self time of two sides; instead of all others but the name */
	FUNCTION_AFTER,
	FUNCTION_CHANGE,
	FUNCTION_TOTAL_CHANGE, /* the change of the total time */
	FIGURES_OF_SPANS(FUNCTION_ID, FUNCTION_NO_ID, )
	FUNCTION_NAME,
	FUNCTION_COLUMNS
};
/* clang-format on */

/* The value of a column of one side; 0 of others. FUNCTION_GC has no order. */
static inline int64_t function_table_value(const struct function_figures *f,
					   enum function_column column)
{
#define FUNCTION_VALUE(X, id, kind, where, key, heading, share, width, cols, value)                \
	case FUNCTION_##id:                                                                        \
		return value;
	switch (column) {
		FIGURES_OF_TIME(FUNCTION_VALUE, FUNCTION_NO_ID, )
		FIGURES_OF_SPANS(FUNCTION_VALUE, FUNCTION_NO_ID, )
	default:
		return 0;
	}
}

static inline bool function_table_is_of_spans(enum function_column column)
{
	return column > FUNCTION_TOTAL_CHANGE && column < FUNCTION_NAME;
}

/* Whether a table has the column, if it is one of spans: requests have columns of their own. */
static inline bool function_table_has_spans(enum function_column c, bool has_ranks,
					    bool has_requests)
{
	if (c >= FUNCTION_BEGUN && c <= FUNCTION_BYTES)
		return has_requests;
	/* All of the time of a request is its own. */
	return !((c == FUNCTION_TOTAL || (c > FUNCTION_SPANS && c < FUNCTION_NAME)) &&
		 has_requests) &&
		(c < FUNCTION_P50 || c > FUNCTION_P99 || has_ranks);
}

/* Whether a table has the column, if it is compared with the whole time or has two sides. */
static inline bool function_table_has(enum function_column c, bool has_change, bool has_sides)
{
	bool is_of_sides = c == FUNCTION_BEFORE || c == FUNCTION_AFTER ||
		c == FUNCTION_TOTAL_CHANGE;

	return c == FUNCTION_CHANGE ? has_change : c == FUNCTION_NAME || is_of_sides == has_sides;
}

struct function_table {
	const struct frame *frames;       /* the frames that `order` refers to */
	const struct function *functions; /* by frame: spans */
	const int64_t *self, *total;      /* by frame, ns */
	int64_t hit_ns;                   /* lane_value_hit_ns() */
	const frame_id *order;
	size_t n, top, cursor;
	const char *empty; /* text if there are no rows */
	struct column_unit unit;
	enum function_column sort;
	bool is_reversed;
	bool has_ranks, has_cpu, has_requests; /* of struct functions */
	bool is_counting;                      /* the counts of spans are incomplete: shown dim */
	bool has_focus;
	bool is_ascii;
	const struct frame_roles *roles; /* colours of swatches */
	const struct search *search;     /* the active search; NULL: none */
};

/* The column at grid column `col`, with its shares; FUNCTION_COLUMNS: none, or the bars. */
enum function_column function_table_column_at(const struct function_table *table, struct rect r,
					      int col);

void function_table_draw(struct grid *g, struct rect r, const struct function_table *table);

#endif
