/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A table of rows on the screen: headings, rows, and the number of rows that are not shown. */
#ifndef FLAMETTY_LAYOUT_TABLE_H
#define FLAMETTY_LAYOUT_TABLE_H

#include "draw/chart.h"
#include "draw/highlight.h"
#include "draw/table/column.h"

struct table {
	const struct rows *rows; /* NULL: show only `empty` */
	struct column_unit unit;
	size_t top; /* the first row shown */
	size_t cursor;
	bool has_focus;
	bool is_ascii;
	const struct frame_roles *roles; /* colours of the swatch before a name; see struct chart */
	const struct search *search;     /* the active search; NULL: none */
	const char *empty;               /* text if there are no rows */
};

/* The number of data rows that fit into `rows` lines if `top` is the first of n. One line has the
 * headings; the last one tells of more rows. */
int table_visible(int rows, size_t n, size_t top);

/* The first row to show so that `cursor` is visible: the one nearest to `top`. */
size_t table_scroll(int rows, size_t n, size_t top, size_t cursor);

void table_draw(struct grid *g, struct rect r, const struct table *table);

/* The order that a click on the heads at grid column `col` asks for: shares belong to the time at
 * their left. False: none. */
bool table_order_at(const struct table *table, struct rect r, int col, enum rows_sort *sort);

/* The data row at a grid row. False: there is none. */
bool table_hit(const struct table *table, struct rect r, int row, size_t *at);

#endif
