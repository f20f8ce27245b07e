/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A table of texts: the first column has names, at the left; the others are as wide as they say. A
 * last column of texts takes what is left. */
#ifndef FLAMETTY_DRAW_TABLE_TEXT_TABLE_H
#define FLAMETTY_DRAW_TABLE_TEXT_TABLE_H

#include "base/buf.h"
#include "draw/grid.h"

#include <stdbool.h>
#include <stddef.h>

struct text_column {
	const char *title;
	int width;    /* cells, with a blank before it; of the first column: at most */
	int cols;     /* narrower tables leave it out */
	bool is_text; /* aligned to the left */
};

struct text_table {
	const struct text_column *columns;
	size_t n_columns;
	/* Append the text of a cell. */
	void (*cell)(const void *ctx, size_t row, size_t column, struct buf *out);
	/* Whether a row is bad news. */
	bool (*is_bad)(const void *ctx, size_t row);
	const void *ctx;
	size_t n, top, cursor;
	size_t sort; /* the column that rows are sorted by */
	bool is_reversed;
	bool has_focus;
	bool is_ascii;
	const char *empty; /* text if there are no rows */
};

void text_table_draw(struct grid *g, struct rect r, const struct text_table *table);

/* The column whose head is at grid column `col`. */
size_t text_table_column_at(const struct text_table *table, struct rect r, int col);

#endif
