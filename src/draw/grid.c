/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Cells and text in them. Invariants:
 * 1. A cell with ch 0 always follows a wide character. Overwriting one half of a wide character
 *    blanks the other half.
 * 2. No cell holds a control character: text is put in visible form.
 * 3. Nothing is written outside the grid: positions are clipped, not asserted, so a part of the
 *    picture may be larger than the screen. */
#include "config.h"

#include "draw/grid.h"

#include "base/alloc.h"
#include "base/text.h"

#include <string.h>

void grid_init(struct grid *g, int rows, int cols)
{
	static const struct cell blank = { ' ', 0, ROLE_PLAIN, ROLE_PLAIN, 0 };
	size_t n;

	g->rows = rows > 0 ? rows : 0;
	g->cols = cols > 0 ? cols : 0;
	g->cursor_row = g->cursor_col = -1;
	n = (size_t)g->rows * (size_t)g->cols;
	g->cells = xrealloc(g->cells, n, sizeof *g->cells);
	for (size_t i = 0; i < n; i++)
		g->cells[i] = blank;
}

/* Clip [*col, *col + *width) to the row. False: nothing is left. */
static bool clip(const struct grid *g, int row, int *col, int *width)
{
	int64_t end = (int64_t)*col + *width;

	if (row < 0 || row >= g->rows)
		return false;
	if (*col < 0)
		*col = 0;
	if (end > g->cols)
		end = g->cols;
	if (end <= *col)
		return false;
	*width = (int)(end - *col);
	return true;
}

/* Before col is overwritten: blank the other half of a wide character. */
static inline void split_wide(struct grid *g, int row, int col)
{
	struct cell *c = grid_at(g, row, col);

	if (c->ch == 0 && col > 0) {
		c[-1].ch = ' ';
		c[-1].mark = 0;
	}
	if (col + 1 < g->cols && c[1].ch == 0 && c->ch != 0)
		c[1].ch = ' ';
}

void grid_fill(struct grid *g, int row, int col, int width, enum role fill)
{
	const struct cell blank = { ' ', 0, ROLE_PLAIN, (uint8_t)fill, 0 };

	if (!clip(g, row, &col, &width))
		return;
	split_wide(g, row, col);
	split_wide(g, row, col + width - 1);
	for (int i = 0; i < width; i++)
		*grid_at(g, row, col + i) = blank;
}

/* Put one cell of text, if it is inside the grid. */
static struct cell *put_cell(struct grid *g, int row, int col, uint32_t ch, enum role ink)
{
	struct cell *c;

	if (row < 0 || row >= g->rows || col < 0 || col >= g->cols)
		return NULL;
	split_wide(g, row, col);
	c = grid_at(g, row, col);
	c->ch = ch;
	c->mark = 0;
	c->ink = (uint8_t)ink;
	return c;
}

/* Put a printable code point; returns its first cell, or NULL if no cell can take a mark. */
static struct cell *put_printable(struct grid *g, int row, int col, int cells, uint32_t cp,
				  enum role ink)
{
	struct cell *c, *second;

	if (cells == 1)
		return put_cell(g, row, col, cp, ink);
	/* A half of a wide character cannot be shown. */
	if (col < 0) {
		put_cell(g, row, col + 1, ' ', ink);
		return NULL;
	}
	c = put_cell(g, row, col, cp, ink);
	second = put_cell(g, row, col + 1, ' ', ink);
	if (!c || !second)
		return NULL;
	second->ch = 0;
	return c;
}

int grid_put(struct grid *g, int row, int col, int width, const char *text, size_t len,
	     enum role ink)
{
	const char *p = text, *end = text + (len == SIZE_MAX ? strlen(text) : len);
	struct cell *last = NULL;
	int used = 0;

	/* Stop at the right edge: a name may be a megabyte long. */
	if ((int64_t)col + width > g->cols)
		width = g->cols - col;
	while (p < end && (used < width || last)) {
		bool is_ascii = *p >= ' ' && *p < 0x7F;
		uint32_t cp = is_ascii ? (unsigned char)*p++ : text_next(&p, end);
		int cells = is_ascii ? 1 : text_is_control(cp) ? -1 : text_width(cp);

		if (cells == 0) {
			/* A combining mark without a character before it is left out. */
			if (last && !last->mark)
				last->mark = cp;
			continue;
		}
		last = NULL;
		if (used >= width)
			break;
		if (cells < 0) {
			char seen[12];
			int n = 0;

			text_control(cp, seen);
			for (; n < width - used && seen[n]; n++)
				put_cell(g, row, col + used + n, (unsigned char)seen[n], ink);
			used += n;
		} else if (used + cells > width) {
			put_cell(g, row, col + used, ' ', ink);
			used++;
		} else {
			last = put_printable(g, row, col + used, cells, cp, ink);
			used += cells;
		}
	}
	return used;
}

int grid_put_fit(struct grid *g, int row, int col, int width, const char *text, size_t len,
		 enum role ink)
{
	BUF_LOCAL fit = { 0 };

	text_fit(&fit, text, len == SIZE_MAX ? strlen(text) : len, width);
	return grid_put(g, row, col, width, buf_text(&fit), fit.len, ink);
}

void grid_flag(struct grid *g, int row, int col, int width, unsigned flags)
{
	if (!clip(g, row, &col, &width))
		return;
	for (int i = 0; i < width; i++)
		grid_at(g, row, col + i)->flags |= (uint16_t)flags;
}

/* One printable letter for the meaning of a cell; see grid_format(). */
static char letter_of(const struct cell *c)
{
#define LETTER(name, letter) [ROLE_##name] = letter,
	static const char letters[ROLE_FRAME] = { ROLE_LIST(LETTER) };
#undef LETTER
	unsigned role = c->fill;

	if (c->flags & CELL_SELECTED)
		return 'S';
	if (c->flags & CELL_MATCH)
		return 'M';
	if (c->flags & CELL_SAME)
		return 'm';
	if (c->flags & CELL_HINT)
		return '*';
	if (role == ROLE_PLAIN && c->ch != ' ')
		role = c->ink;
	if (role >= ROLE_CNAME && role < ROLE_CNAME + ROLE_CNAMES)
		return ROLE_CNAME_LETTER;
	if (role >= ROLE_FRAME && role < ROLE_CNAME)
		return (ROLE_OWN_LETTERS ROLE_DEPENDENCY_LETTERS)[role - ROLE_FRAME];
	return role < ROLE_FRAME ? letters[role] : '?';
}

void grid_format(const struct grid *g, bool with_roles, struct buf *out)
{
	for (int row = 0; row < g->rows; row++) {
		for (int col = 0; col < g->cols; col++) {
			const struct cell *c = grid_at(g, row, col);

			if (c->ch)
				buf_add_utf8(out, grid_is_stacked(c) ? 0x2588 : c->ch);
			if (c->mark)
				buf_add_utf8(out, c->mark);
		}
		buf_adds(out, "|\n");
	}
	if (!with_roles)
		return;
	for (int row = 0; row < g->rows; row++) {
		for (int col = 0; col < g->cols; col++)
			buf_addc(out, letter_of(grid_at(g, row, col)));
		buf_addc(out, '\n');
	}
}
