/* SPDX-License-Identifier: GPL-2.0-or-later */
/* For tests of what draws into a rectangle of a grid. picture() draws the same three times: into a
 * grid of the size of the rectangle, into a rectangle inside a larger grid, and into one that has
 * no room for its edges. The cells must be equal, and nothing may change outside the rectangle. */
#ifndef FLAMETTY_TESTS_PICTURE_H
#define FLAMETTY_TESTS_PICTURE_H

#include "draw/chart.h"

#include <check.h>
#include <string.h>

#define PICTURE_TOP 2
#define PICTURE_LEFT 5

typedef void picture_draw(struct grid *g, struct rect r);

/* The last picture, and its text. */
static struct grid picture_grid;
static struct buf picture_buf;

static inline void picture_done(void)
{
	grid_done(&picture_grid);
	buf_done(&picture_buf);
}

static inline void picture_compare(const struct grid *larger)
{
	int rows = picture_grid.rows, cols = picture_grid.cols;

	for (int row = 0; row < larger->rows; row++)
		for (int col = 0; col < larger->cols; col++) {
			const struct cell *there = grid_at(larger, row, col), *here;
			int own_row = row - PICTURE_TOP, own_col = col - PICTURE_LEFT;

			if (own_row < 0 || own_row >= rows || own_col < 0 || own_col >= cols) {
				ck_assert_msg(there->ch == '#' && there->fill == ROLE_GC &&
						      there->flags == 0,
					      "drawn outside: row %d, column %d", own_row, own_col);
				continue;
			}
			here = grid_at(&picture_grid, own_row, own_col);
			ck_assert_msg(here->ch == there->ch && here->mark == there->mark &&
					      here->ink == there->ink &&
					      here->fill == there->fill &&
					      here->flags == there->flags,
				      "row %d, column %d depends on the place of the rectangle",
				      own_row, own_col);
		}
}

/* A grid without the last rows and columns. Half of a wide character cannot be shown. */
static inline void picture_clip(picture_draw *draw)
{
	int rows = picture_grid.rows, cols = picture_grid.cols;
	struct grid smaller = { 0 };

	grid_init(&smaller, rows - 2, cols - 4);
	draw(&smaller, (struct rect){ 0, 0, rows, cols });
	for (int row = 0; row < smaller.rows; row++)
		for (int col = 0; col < smaller.cols; col++) {
			const struct cell *here = grid_at(&picture_grid, row, col);
			bool is_cut = col == smaller.cols - 1 && here[1].ch == 0;

			ck_assert_msg(is_cut ||
					      (here->ch == grid_at(&smaller, row, col)->ch &&
					       here->fill == grid_at(&smaller, row, col)->fill),
				      "row %d, column %d depends on the size of the grid", row,
				      col);
		}
	grid_done(&smaller);
}

/* Draws `rows` x `cols` cells that were blank. Returns the text, each row with `|` at its end; it
 * stays until the next call. */
static inline const char *picture(picture_draw *draw, int rows, int cols)
{
	struct grid larger = { 0 };

	grid_init(&picture_grid, rows, cols);
	draw(&picture_grid, (struct rect){ 0, 0, rows, cols });
	grid_init(&larger, rows + PICTURE_TOP + 3, cols + PICTURE_LEFT + 4);
	for (int row = 0; row < larger.rows; row++) {
		grid_fill(&larger, row, 0, larger.cols, ROLE_GC);
		for (int col = 0; col < larger.cols; col++)
			grid_at(&larger, row, col)->ch = '#';
	}
	for (int row = 0; row < rows; row++)
		grid_fill(&larger, PICTURE_TOP + row, PICTURE_LEFT, cols, ROLE_PLAIN);
	draw(&larger, (struct rect){ PICTURE_TOP, PICTURE_LEFT, rows, cols });
	picture_compare(&larger);
	picture_clip(draw);
	grid_done(&larger);
	buf_clear(&picture_buf);
	grid_format(&picture_grid, false, &picture_buf);
	return buf_text(&picture_buf);
}

/* One row of the last picture, without the blanks at its end; it stays until the next call. */
static inline const char *picture_row(int row)
{
	static char text[1024];
	const char *at = buf_text(&picture_buf), *end;
	size_t len;

	for (int i = 0; i < row; i++) {
		at = strchr(at, '\n');
		ck_assert_ptr_nonnull(at);
		at++;
	}
	end = strstr(at, "|\n");
	ck_assert_ptr_nonnull(end);
	len = (size_t)(end - at);
	while (len && at[len - 1] == ' ')
		len--;
	ck_assert_uint_lt(len, sizeof text);
	memcpy(text, at, len);
	text[len] = '\0';
	return text;
}

#endif
