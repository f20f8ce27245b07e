/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A row with marks: a sign at each mark, with its name as far as there is room. Lanes of marks and
 * of objects have a row of nothing else; in other lanes slices may stand beside the marks. */
#ifndef FLAMETTY_DRAW_FLAME_MARK_ROW_H
#define FLAMETTY_DRAW_FLAME_MARK_ROW_H

#include "draw/flame/flame.h"

#define MARK_ROW_SIGN 0x25C6u
#define MARK_ROW_SIGN_ASCII '*'

/* The depth of the row that has nothing but marks; -1: the lane has none. */
static inline int mark_row_depth(const struct lane *lane)
{
	return lane->kind == LANE_MARKS ? 0 : lane->kind == LANE_OBJECTS ? 1 : -1;
}

/* Whether there is a mark in the row of such a lane in [t0, end). */
bool mark_row_has(const struct lane *lane, int64_t t0, int64_t end);

/* Draw the marks of lane `lane` at `depth` at row, col, f->cols cells wide. The cells must be
 * blank, or the boxes of that row: names are put into blank cells only. */
void mark_row_draw(const struct flame *f, struct grid *g, int lane, int depth, int row, int col);

/* The columns with such marks, by lane of marks. */
struct mark_lines {
	const struct chart *chart; /* borrowed */
	int cols;
	struct mark_line {
		int lane;
		uint8_t *has; /* by column: 0, 1, or 2 for the selected mark */
	} * lines;
	int n;
	size_t cap;
};

/* Find them for the picture of `flame`. mark_line_done() frees them. */
void mark_line_find(struct mark_lines *m, const struct flame *flame);
void mark_line_done(struct mark_lines *m);

/* Draw the lines that are about lane `lane` into its rows `r`, where the cells have no text. */
void mark_line_draw(const struct mark_lines *m, struct grid *g, struct rect r, int lane);

#endif
