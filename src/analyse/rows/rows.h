/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The tree of rows that all tables show. Rows are kept in display order and opened one by one;
 * their memory is in proportion to the rows that are open. They are made from totals, which must
 * outlive them. rows_below.h goes through all rows without keeping them. */
#ifndef FLAMETTY_ANALYSE_ROWS_ROWS_H
#define FLAMETTY_ANALYSE_ROWS_ROWS_H

#include "analyse/rows/rows_change.h"
#include "base/sort.h"

#include <stddef.h>

enum rows_kind { ROWS_TOPDOWN, ROWS_BOTTOMUP };

/* ROWS_BY_CHANGE is only for rows with `change`; the rows without a comparison are by self time.
 * ROWS_REVERSED is a flag: the opposite order. */
enum rows_sort { ROWS_BY_SELF, ROWS_BY_TOTAL, ROWS_BY_NAME, ROWS_BY_CHANGE, ROWS_REVERSED = 4 };

/* The name of a sort order, below ROWS_BY_CHANGE; NULL: i is past the last one. */
const char *rows_sort_word(unsigned i);

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

struct rows_below;
struct rows_key;
struct rows_order;
struct sorting;

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

/* Find the items of row `at` on the first level, from the heap. Bottom-up only; rows_below.c. */
struct row_item *rows_find_items(struct rows *rows, size_t at, uint32_t *n);

/* The parent of row `at`; `at` itself on the first level. */
size_t rows_parent(const struct rows *rows, size_t at);

/* Sort keys apart from the rows: a third of the bytes to move. */
struct rows_key {
	int64_t first, second;
	uint32_t at; /* in the rows */
	frame_id frame;
};

/* The key of a row. */
static inline struct rows_key rows_sort_key(enum rows_sort sort, frame_id frame, int64_t self,
					    int64_t total, uint32_t at)
{
	if (sort == ROWS_BY_SELF)
		return (struct rows_key){ self, total, at, frame };
	if (sort == ROWS_BY_TOTAL)
		return (struct rows_key){ total, self, at, frame };
	/* The comparison becomes the first number where there is one. */
	if (sort == ROWS_BY_CHANGE)
		return (struct rows_key){ 0, self, at, frame };
	return (struct rows_key){ 0, 0, at, frame };
}

/* The same in steps, of `keys` with room for n more keys behind them; for few keys, or without a
 * limit, at once. *sorting: NULL at first, and again when the result is true; a sort that is
 * abandoned is ended with sort_end(). */
bool rows_sort_step(struct sorting **sorting, const struct view *view, struct rows_key *keys,
		    size_t n, struct budget *budget);

struct rows_top {
	frame_id *list;
	size_t n;
	size_t n_left; /* wanted functions that are not in the list */
};

/* Find the first `most` functions in an order below ROWS_BY_CHANGE, as rows_init() has them
 * bottom-up, of those that is_wanted() returns true for. */
void rows_top_init(struct rows_top *top, const struct totals *totals, enum rows_sort sort,
		   size_t most, bool (*is_wanted)(const void *ctx, frame_id frame),
		   const void *ctx);
void rows_top_done(struct rows_top *top);

#endif
