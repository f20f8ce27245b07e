/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The tree of rows that all tables show. Rows are kept in display order and opened one by one;
 * their memory is in proportion to the rows that are open. They are made from totals, which must
 * outlive them. rows_walk.h goes through all rows without keeping them. */
#ifndef FLAMETTY_ANALYSE_ROWS_ROWS_H
#define FLAMETTY_ANALYSE_ROWS_ROWS_H

#include "analyse/rows/rows_sort.h"

enum rows_kind { ROWS_TOPDOWN, ROWS_BOTTOMUP };

/* A node that a row stands for. Bottom-up, `first` is a node of the function on the first level,
 * whose time it is, and `now` the ancestor of it that the deepest open row below has reached.
 * Top-down, both are the same. */
struct row_item {
	node_id first, now;
};

struct row {
	frame_id frame;
	int depth; /* 0: first level */
	/* Bottom-up, below the first level: the part of the first row's self time that came this
	 * way. */
	int64_t self;
	int64_t total;
	bool is_open;
	bool can_open;
	bool is_free; /* below a row that matches the filter: all of it is shown */
	uint32_t n_items;
	struct row_item *items; /* NULL: not known yet */
	struct row_item *owned; /* while the row is open: memory of items that it made. Top-down,
				   those of the rows below; bottom-up, its own on the first level */
};

struct rows_order;

/* Items with one function below or above a row. */
struct rows_group {
	frame_id frame;
	uint32_t n, start; /* its items */
	int64_t self, total;
};

/* The rows that were made last, in display order, and memory that all calls share. */
struct rows_below {
	struct row *made;
	size_t n, cap;
	struct row_item *items; /* top-down: the items of all these rows */
	size_t n_items, cap_items;
	struct row_item *found; /* items before they are grouped */
	size_t cap_found;
	struct rows_group *groups;
	uint32_t n_groups;
	size_t cap_groups;
	uint32_t *group_of; /* by frame: number of its group, from 1; 0 outside of a call */
	struct rows_key *keys;
	size_t cap_keys;
	int step;           /* what is to be done next; within it: */
	uint32_t at, item;  /* how far it is */
	node_id callee;     /* the next callee of an item; 0: the first one */
	uint32_t n_ended;   /* bottom-up: items of the row that have no caller, */
	int64_t ended_self; /* and the sums of their times */
	int64_t ended_total;
	uint32_t n_taken;         /* groups of which rows were made */
	struct sorting *sorting;  /* of the keys, while the rows are made in steps; */
	struct row_item *of_made; /* memory of their items */
};

struct rows {
	const struct totals *totals;
	enum rows_kind kind;
	enum rows_sort sort;
	bool is_reversed;
	struct rows_change change; /* for ROWS_BY_CHANGE: set after rows_begin() */
	struct row *rows;
	size_t n;
	size_t cap;
	struct row_item *first_items; /* top-down: those of the first level */
	uint32_t *frame_start; /* by function: index of its first node in of_frame; NULL: not needed
				*/
	node_id *of_frame;
	struct rows_below *below; /* NULL: not needed yet */
	struct rows_order *order; /* of walks through deep stacks; NULL: not needed */
	bool is_lacking; /* memory for the first rows or the filter was refused: there are none */
	bool is_weighed; /* whether the order is needed is known */
	const uint8_t *filter; /* by frame: 1 if its rows match; NULL: all rows are shown */
	uint8_t *keep; /* by node of the view: a match at it or below it (top-down), at or above it
			  (bottom-up) */
	struct rows_making {
		bool has_begun;
		bool has_row;          /* rows[0] is made, but not shown yet */
		frame_id frame;        /* the function that the table is about */
		struct rows_key *keys; /* of the functions */
		struct sorting *sorting;
	} making; /* while the first rows are made */
	struct {
		bool is_on;
		size_t at;
	} opening;             /* a row that is being opened in steps */
	size_t n_first, n_all; /* with a filter: first-level rows that pass it, and all of them; 0:
				  the filter does not apply to the first row */
};

/* Fill with the first level. Bottom-up: functions by self time, those without self time last.
 * Top-down: the root's children by total time. Rows without time in the range are left out.
 *
 * With a frame: a table about one function. Its only first-level row is the function, open. Below
 * are its callers with the part of its time that came through each (bottom-up), or its callees,
 * merged over all its outermost calls (top-down). FRAME_NONE: all functions.
 *
 * Begin, step until the result is true. There are no rows until then; rows_done() may be called at
 * any time. If memory is refused (base/alloc.h), begin returns false, or the result of a step is
 * true and rows->is_lacking is set. */
bool rows_begin(struct rows *rows, const struct totals *totals, enum rows_kind kind,
		enum rows_sort sort, frame_id frame);
bool rows_step(struct rows *rows, struct budget *budget);
void rows_done(struct rows *rows);

/* The same at once. */
static inline void rows_init(struct rows *rows, const struct totals *totals, enum rows_kind kind,
			     enum rows_sort sort, frame_id frame)
{
	rows_begin(rows, totals, kind, sort, frame);
	rows_step(rows, BUDGET_UNLIMITED);
}

/* Show only rows that match, the rows on the way to them, and all rows below them. All rows must be
 * closed, except the first one of a table about one function, which always stays. filter: by frame
 * of the view; it must outlive the rows. If memory is refused, rows->is_lacking is set. */
void rows_filter(struct rows *rows, const uint8_t *filter);

/* Open row `at`: insert its callers (bottom-up) or callees (top-down) after it. Close: remove them.
 * Without effect if the row cannot be opened or closed, or memory for it is refused (base/alloc.h).
 *
 * Begin, and if that is not without effect (false), step until the result is true. The row is
 * closed until then, and again after cancelling; closing any row, opening another one and
 * rows_walk_begin() cancel. Without a row that is being opened, step returns true. */
bool rows_open_begin(struct rows *rows, size_t at);
bool rows_open_step(struct rows *rows, struct budget *budget);
void rows_open_cancel(struct rows *rows);
void rows_close(struct rows *rows, size_t at);

/* Open it at once. */
static inline void rows_open(struct rows *rows, size_t at)
{
	if (rows_open_begin(rows, at))
		rows_open_step(rows, BUDGET_UNLIMITED);
}

/* Units of work (base/budget.h) that opening row `at` took: to visit its items, and to move the
 * rows after it. */
static inline uint32_t rows_work(const struct rows *rows, size_t at)
{
	return 1 + rows->rows[at].n_items + (uint32_t)((rows->n - at) / 8);
}

/* Open row *at and, repeatedly, its heaviest child; *at becomes the index of the last row. to_self:
 * stop at a row, open, whose own time is at least that of its heaviest child. Returns whether it is
 * the last one: if the budget is spent before, the next call goes on from there. */
bool rows_open_hot(struct rows *rows, size_t *at, bool to_self, struct budget *budget);

/* The nodes of row `at`; the caller frees them. */
node_id *rows_nodes(struct rows *rows, size_t at, uint32_t *n);

/* The parent of row `at`; `at` itself on the first level. */
size_t rows_parent(const struct rows *rows, size_t at);

/* ---- for rows_walk.c ---- */

/* Find the items of row `at` on the first level, from the heap. Bottom-up only. */
struct row_item *rows_find_items(struct rows *rows, size_t at, uint32_t *n);

/* Make the rows below `row`, whose items must be known; the filter leaves rows out. The result is
 * in rows->below until the next call.
 *
 * Top-down: the items of the new rows are in below->items; a caller that keeps the rows copies
 * them. Bottom-up: the items of the row move on to their callers and are grouped in place, so the
 * new rows share the row's array. With rows->order, the items are those of the order and stay where
 * they are. */
void rows_below_make(struct rows *rows, const struct row *row);

#endif
