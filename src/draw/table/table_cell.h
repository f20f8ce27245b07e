/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Cells that all tables have: numbers, bars, and the name of a function with its location. */
#ifndef FLAMETTY_LAYOUT_TABLE_CELL_H
#define FLAMETTY_LAYOUT_TABLE_CELL_H

#include "analyse/search.h"
#include "draw/frame_roles.h"
#include "draw/grid.h"

/* Draw a text aligned to the right; its end is cut if it needs more than `width` cells. */
void table_cell_number(struct grid *g, int row, int col, int width, const char *text, size_t len,
		       enum role ink);

/* A bar, from the right to the left: the part of the self time is full, the rest up to the total
 * time is low or pale. */
struct table_bar {
	int64_t self, total,
		full;   /* ns; the bar has all its cells for `full`, and none if it is 0 */
	enum role role; /* of the frame */
	bool is_ascii;
};

/* The cells of a bar in a table of `cols` cells: 20, fewer in a narrow table. */
int table_cell_bar_width(int cols);

void table_cell_bar(struct grid *g, int row, int col, int width, const struct table_bar *bar);

/* The scale above bars, from what a bar of all cells stands for to 0, `25 %     0`; nothing if that
 * is the whole. */
void table_cell_bar_head(struct grid *g, int row, int col, int width, int64_t full, int64_t whole);

/* The least of 100 %, 50 %, 25 % and 12.5 % of `whole` that is not below `most`; 0 if there is no
 * whole. */
int64_t table_cell_bar_full(int64_t most, int64_t whole);

/* A name and, two blanks behind it, the location of the function. */
struct table_name {
	const struct profile *profile;
	const struct frame *frame;
	frame_id id;                 /* of `frame` */
	const struct search *search; /* marks matches; NULL: none */
	enum role ink, place_ink;
	bool is_short; /* the location has no column */
	bool has_file; /* nor a file: that of the row above is the same */
};

/* Returns whether all of the location is there. */
bool table_cell_name(struct grid *g, int row, int col, int width, const struct table_name *name);

#endif
