/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The row tree that all tables show, opened row by row. Made of totals, which must
 * outlive it. Rows are kept in display order. */
#ifndef FLAMETTY_ANALYSIS_ROWS_H
#define FLAMETTY_ANALYSIS_ROWS_H

#include "analysis/totals.h"
#include "base/arena.h"

enum rows_kind { ROWS_TOPDOWN, ROWS_BOTTOMUP };
/* ROWS_REVERSED, added to one of the others, turns the order round. */
enum rows_sort { ROWS_BY_SELF, ROWS_BY_TOTAL, ROWS_BY_NAME, ROWS_REVERSED = 4 };

/* The word for a way to sort, below ROWS_REVERSED; NULL: i is past the last one. */
const char *rows_sort_word(unsigned i);

struct row_node {
	node_id node;
	int64_t self, total;
};

struct row {
	frame_id frame;
	int depth;    /* 0 for the first level */
	int64_t self; /* bottom-up below the first level: the part of the first row's self time that
			 came this way */
	int64_t total;
	bool is_open;
	bool can_open;
	bool is_free;                 /* below a match of the filter: all of it is shown */
	const struct row_node *nodes; /* NULL: not looked up yet; see rows_nodes() */
	uint32_t n_nodes;
};

struct rows {
	const struct totals *totals;
	enum rows_kind kind;
	enum rows_sort sort;
	bool is_reversed;
	struct row *rows;
	size_t n;
	size_t cap;
	struct arena arena;
	uint32_t *frame_start; /* by function: where its nodes begin in of_frame; NULL: not needed
				  yet */
	node_id *of_frame;
	const uint8_t *filter; /* by frame: 1 where a row matches; NULL: all rows are shown */
	uint8_t *keep; /* by node of the view: a match at it or below it (top-down), at or above it
			  (bottom-up) */
	size_t n_first, n_all; /* with a filter: first rows that stay, and that there were; 0: the
				  first row is not the filter's */
};

/* Fill with the first level. Bottom-up: functions by self time, those without any
 * last; top-down: children of the root by total time. Rows with no time in the range are
 * left out. */
void rows_init(struct rows *rows, const struct totals *totals, enum rows_kind kind,
	       enum rows_sort sort);
void rows_done(struct rows *rows);

/* A table about one function: it is the first row, opened; below it stand its callers (bottom-up),
 * with the part of its time that came by each, or what it calls (top-down), merged over all its
 * outermost calls. */
void rows_init_function(struct rows *rows, const struct totals *totals, enum rows_kind kind,
			enum rows_sort sort, frame_id frame);

/* Show only rows that match, the rows on the way to them, and what is below them. No row is open
 * but by rows_init_function(). filter: by frame of the view; outlives the rows. Where the first row
 * is what the table is about it stays. */
void rows_filter(struct rows *rows, const uint8_t *filter);

/* A table of its own for row `at` of `from`, which must be closed and must outlive it: to
 * go through a large tree one first row at a time. */
void rows_init_one(struct rows *one, struct rows *from, size_t at);

/* Open row `at`: its callers (bottom-up) or callees (top-down) are put behind it.
 * Close: they are taken away. Nothing happens where it cannot be. */
void rows_open(struct rows *rows, size_t at);
void rows_close(struct rows *rows, size_t at);

/* Open the heaviest child of `at`, its heaviest child, and so on; returns the last row. */
size_t rows_open_hot(struct rows *rows, size_t at);

/* The nodes that row `at` stands for. Borrowed from the rows. */
const struct row_node *rows_nodes(struct rows *rows, size_t at, uint32_t *n);

/* The row that `at` stands below, or `at` itself on the first level. */
size_t rows_parent(const struct rows *rows, size_t at);

#endif
