/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The row tree of all tables, opened row by row. Made from totals, which must outlive it. Rows are
 * in display order. */
#ifndef FLAMETTY_ANALYSIS_ROWS_H
#define FLAMETTY_ANALYSIS_ROWS_H

#include "analysis/totals.h"
#include "base/arena.h"

enum rows_kind { ROWS_TOPDOWN, ROWS_BOTTOMUP };
/* ROWS_REVERSED may be added to the others: it reverses the order. */
enum rows_sort { ROWS_BY_SELF, ROWS_BY_TOTAL, ROWS_BY_NAME, ROWS_REVERSED = 4 };

/* The word for an order, below ROWS_REVERSED; NULL: i is past the last one. */
const char *rows_sort_word(unsigned i);

struct row_node {
	node_id node;
	int64_t self, total;
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
	bool is_free;                 /* below a match of the filter: everything is shown */
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
	/* By function: index of its first node in of_frame; NULL: not needed yet. */
	uint32_t *frame_start;
	node_id *of_frame;
	const uint8_t *filter; /* by frame: 1 if a row matches; NULL: all rows are shown */
	/* By node of the view: whether there is a match at or below it (top-down), at or above it
	 * (bottom-up). */
	uint8_t *keep;
	/* With a filter: rows of the first level that pass, and all; 0: the filter does not apply
	 * to the first row. */
	size_t n_first, n_all;
};

/* Fill with the first level. Bottom-up: functions by self time, those without self time last;
 * top-down: children of the root by total time. Rows without time in the range are left out. */
void rows_init(struct rows *rows, const struct totals *totals, enum rows_kind kind,
	       enum rows_sort sort);
void rows_done(struct rows *rows);

/* A table about one function: the first row is the function, opened. Below it are its callers
 * (bottom-up), with the part of its time that came by each, or its callees (top-down), merged over
 * all its outermost calls. */
void rows_init_function(struct rows *rows, const struct totals *totals, enum rows_kind kind,
			enum rows_sort sort, frame_id frame);

/* Show only rows that match, the rows on the way to them, and everything below them. No row may be
 * open except by rows_init_function(). filter: by frame of the view; must outlive the rows. In a
 * table about one function, the first row always passes. */
void rows_filter(struct rows *rows, const uint8_t *filter);

/* A separate table for row `at` of `from`, which must be closed and must outlive the table. For
 * walking through a large tree, one row of the first level at a time. */
void rows_init_one(struct rows *one, struct rows *from, size_t at);

/* Open row `at`: insert its callers (bottom-up) or callees (top-down) after it. Close: remove them.
 * No effect if the row cannot be opened or closed. */
void rows_open(struct rows *rows, size_t at);
void rows_close(struct rows *rows, size_t at);

/* Open the heaviest child of `at`, its heaviest child, and so on; returns the last row. */
size_t rows_open_hot(struct rows *rows, size_t at);

/* The nodes of row `at`. Borrowed from the rows. */
const struct row_node *rows_nodes(struct rows *rows, size_t at, uint32_t *n);

/* The parent row of `at`, or `at` itself on the first level. */
size_t rows_parent(const struct rows *rows, size_t at);

#endif
