/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The functions pane: a flat table of functions with numbers of their spans. Times are known at
 * once; counting spans is a pass over samples, done between keys. A new order is made in steps;
 * until it is complete, the one before is shown. */
#ifndef FLAMETTY_UI_PANE_FUNCTION_LIST_H
#define FLAMETTY_UI_PANE_FUNCTION_LIST_H

#include "draw/table/function_table.h"

struct function_key;
struct sorting;

/* What an order of the functions depends on. */
struct function_order {
	unsigned generation;     /* pane.generation */
	unsigned filter_changes; /* pane.filter_changes */
	enum function_column sort;
	bool is_reversed;
	bool is_counted; /* the spans were counted */
};

/* An order while it is being made. */
struct function_ordering {
	struct function_order of;
	struct function_key *keys; /* NULL: none is being made */
	uint32_t n_seen;           /* functions that the filter was asked about */
	size_t n;
	struct sorting *sorting; /* NULL: the keys are not complete */
};

struct function_list {
	struct functions functions;
	struct functions_walk *walk; /* NULL: counting is complete, or has not begun */
	frame_id *order;             /* frames with time, in the order of the table */
	size_t n;
	struct function_order ordered; /* of `order` */
	struct function_ordering next; /* replaces it when it is complete */
	int64_t hit_ns;                /* lane_value_hit_ns() */
	bool has_list;
	bool has_walk;       /* the walk was begun for `generation` */
	bool goes_to_top;    /* the cursor, with the next order */
	unsigned generation; /* pane.generation of the totals that this is about */
	enum function_column sort;
	enum function_column sides_sort; /* while two sides are compared; 0: FUNCTION_CHANGE */
	bool is_reversed;
	size_t cursor, top;
	size_t placed; /* where the cursor began: at the culprit, or at the top */
	bool has_kept; /* the order has the function that had the cursor before */
	/* The order is of a range before, or of spans that are not all counted. Until it is
	 * replaced, what was true before it is kept: */
	bool is_provisional;
	bool is_first;      /* no order was shown, or the cursor was where it is at first, */
	frame_id kept;      /* the function with the cursor; FRAME_NONE: by number, */
	size_t kept_cursor; /* its number, */
	size_t kept_top;    /* and the first line */
};

#endif
