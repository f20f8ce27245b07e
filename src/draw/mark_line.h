/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Marks of a process and of the whole trace: lines across the lanes that they are about. */
#ifndef FLAMETTY_LAYOUT_MARK_LINE_H
#define FLAMETTY_LAYOUT_MARK_LINE_H

#include "draw/flame/flame.h"

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
