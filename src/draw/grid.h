/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A screen as rows x columns of cells. The layout draws into it, the terminal shows it, tests print
 * it as text. A grid owns its cells and is reused for the next picture. */
#ifndef FLAMETTY_DRAW_GRID_H
#define FLAMETTY_DRAW_GRID_H

#include "base/buf.h"
#include "draw/role.h"

#include <assert.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* One character cell. `ch` is a printable code point; it is 0 in the second cell of a wide
 * character. `mark` is one combining code point, or 0. `ink` and `fill` are the roles (role.h) of
 * the character and of its background; fill ROLE_PLAIN is the empty page. `flags` are cell_flag
 * bits. */
struct cell {
	uint32_t ch;
	uint32_t mark;
	uint8_t ink;
	uint8_t fill;
	uint16_t flags;
};

struct grid {
	int rows;
	int cols;
	int cursor_row; /* row of the terminal's cursor; -1: hidden */
	int cursor_col;
	struct cell *cells; /* rows * cols, row by row */
};

/* A part of it. */
struct rect {
	int row, col, rows, cols;
};

/* Make `g` a blank grid of rows x cols. It must be zeroed before its first use. */
void grid_init(struct grid *g, int rows, int cols);

static inline void grid_done(struct grid *g)
{
	free(g->cells);
	memset(g, 0, sizeof *g);
}

/* The cell at row, col, which must be inside. Borrowed. */
static inline struct cell *grid_at(const struct grid *g, int row, int col)
{
	assert(row >= 0 && row < g->rows && col >= 0 && col < g->cols);
	return &g->cells[(size_t)row * (size_t)g->cols + (size_t)col];
}

/* Fill `width` cells with blanks of role `fill`, clipped to the grid. */
void grid_fill(struct grid *g, int row, int col, int width, enum role fill);

/* Put UTF-8 `text` of `len` bytes (len SIZE_MAX: up to its NUL) at row, col, at most `width` cells.
 * Control characters are made visible, never copied; a combining mark joins the character before
 * it; half a wide character becomes blank. The fill and the flags of the cells stay as they are.
 * Returns the number of cells used. */
int grid_put(struct grid *g, int row, int col, int width, const char *text, size_t len,
	     enum role ink);

/* grid_put() of a NUL-terminated text. */
static inline int grid_puts(struct grid *g, int row, int col, int width, const char *text,
			    enum role ink)
{
	return grid_put(g, row, col, width, text, SIZE_MAX, ink);
}

/* The same of a text that is truncated in its middle to `width` cells. */
int grid_put_fit(struct grid *g, int row, int col, int width, const char *text, size_t len,
		 enum role ink);

/* Set `flags` in `width` cells. */
void grid_flag(struct grid *g, int row, int col, int width, unsigned flags);

/* Whether the cell is a block of eighths from below on a frame: where colours are not shown, it
 * must look like a full block, as none of it is the page. */
static inline bool grid_is_stacked(const struct cell *c)
{
	return c->ch >= 0x2581 && c->ch <= 0x2587 && c->fill >= ROLE_IDLE;
}

/* Append the grid as text: the characters, with `|` at the end of each row; then, if with_roles, a
 * second block with one letter per cell for its meaning; `.` for the plain page. Flags come first,
 * then the fill, then, on the plain page, the ink of a character.
 *     S selected  M match  m same function as the selected  * match in a shared cell
 *     a..l own code by hue  D..Z (ROLE_DEPENDENCY_LETTERS) dependencies by hue  n node
 *     I idle  P program  G garbage collector  N native  0..5 heat  6 7 less  _ as much  8 9 more
 *     & a colour that the trace asks for
 *     o scripting  v rendering  p painting  q loading  z other slices
 *     H header  T title of a lane  R ruler  s status  K key  ! warning  t tab  A active tab
 *     C column heading  r selected row  = bar  > prompt  B busy  W window  , dim text
 *     ~ comment  " string  w keyword of a source */
void grid_format(const struct grid *g, bool with_roles, struct buf *out);

#endif
