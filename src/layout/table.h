/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A table of rows on the screen: headings, rows, and how many are not shown. */
#ifndef FLAMETTY_LAYOUT_TABLE_H
#define FLAMETTY_LAYOUT_TABLE_H

#include "layout/chart.h"
#include "layout/column.h"
#include "layout/highlight.h"

struct table {
	const struct rows *rows; /* NULL: nothing to show but `empty` */
	struct column_unit unit;
	size_t top; /* first row shown */
	size_t cursor;
	bool has_focus;
	bool is_ascii;
	enum chart_color color;      /* of the swatch before a name */
	const struct search *search; /* that is on; NULL: none */
	const char *empty;           /* said when there are no rows */
};

/* Rows of data that fit into `rows` lines when `top` is the first of n: one line is the
 * headings, and the last one tells how many more there are. */
int table_visible(int rows, size_t n, size_t top);

/* The first row to show so that `cursor` is in view, as near to `top` as can be. */
size_t table_scroll(int rows, size_t n, size_t top, size_t cursor);

void table_draw(struct grid *g, struct rect r, const struct table *table);

/* The row of data at a grid row. False: none there. */
bool table_hit(const struct table *table, struct rect r, int row, size_t *at);

#endif
