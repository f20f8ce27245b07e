/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "config.h"

#include "draw/table/text_table.h"

#include "base/text.h"
#include "draw/table/table.h"

#include <string.h>

static bool is_shown(const struct text_column *c, struct rect r)
{
	return r.cols >= c->cols;
}

/* Cells that are kept for texts in the last column, which takes all that is left. */
#define LAST_CELLS 20

/* The cells of the first column: as many as the visible names need, or the others leave. */
static int name_cells(const struct text_table *t, struct rect r)
{
	int shown = table_visible(r.rows, t->n, t->top), most = 8, left = r.cols;
	BUF_LOCAL text = { 0 };

	for (int i = 0; i < shown; i++) {
		int cells;

		buf_clear(&text);
		t->cell(t->ctx, t->top + (size_t)i, 0, &text);
		cells = text_cells(buf_text(&text), text.len);
		most = cells > most ? cells : most;
	}
	for (size_t c = 1; c < t->n_columns; c++) {
		const struct text_column *column = &t->columns[c];

		if (is_shown(column, r))
			left -= c + 1 == t->n_columns && column->is_text ? LAST_CELLS
									 : column->width;
	}
	most = most < t->columns[0].width ? most : t->columns[0].width;
	return 2 + (most < left - 2 ? most : left > 10 ? left - 2 : 8);
}

static void draw_cell(struct grid *g, struct rect r, const struct text_column *c, int col,
		      const struct buf *text, enum role ink)
{
	BUF_LOCAL fit = { 0 };
	int room = c->width - 1;

	if (col + c->width > r.col + r.cols)
		room = r.col + r.cols - col - 1;
	if (room > 0)
		text_fit(&fit, buf_text(text), text->len, room);
	if (c->is_text)
		grid_puts(g, r.row, col + 1, room, buf_text(&fit), ink);
	else
		table_cell_number(g, r.row, col, c->width, buf_text(&fit), ink);
}

static void draw_heads(struct grid *g, struct rect r, const struct text_table *t, int first)
{
	BUF_LOCAL title = { 0 };
	int col = r.col + first;

	grid_fill(g, r.row, r.col, r.cols, ROLE_HEAD);
	for (size_t c = 0; c < t->n_columns; c++) {
		buf_clear(&title);
		buf_addf(&title, "%s%s", t->columns[c].title,
			 c != t->sort             ? ""
				 : t->is_reversed ? "\342\226\264"
						  : "\342\226\276");
		if (c == 0) {
			grid_puts(g, r.row, r.col + 2, first - 2, buf_text(&title), ROLE_HEAD);
		} else if (is_shown(&t->columns[c], r)) {
			draw_cell(g, r, &t->columns[c], col, &title, ROLE_HEAD);
			col += t->columns[c].width;
		}
	}
}

static void draw_row(struct grid *g, struct rect r, const struct text_table *t, size_t at,
		     int first)
{
	bool is_cursor = t->has_focus && at == t->cursor;
	enum role ink = is_cursor                    ? ROLE_ROW
		: t->is_bad && t->is_bad(t->ctx, at) ? ROLE_WARN
						     : ROLE_PLAIN;
	BUF_LOCAL text = { 0 }, fit = { 0 };
	int col = r.col + first;

	if (is_cursor)
		highlight_row(g, r.row, r.col, r.cols, t->is_ascii);
	t->cell(t->ctx, at, 0, &text);
	text_fit(&fit, buf_text(&text), text.len, first - 2);
	grid_puts(g, r.row, r.col + 2, first - 2, buf_text(&fit), ink);
	for (size_t c = 1; c < t->n_columns; c++) {
		if (!is_shown(&t->columns[c], r))
			continue;
		buf_clear(&text);
		t->cell(t->ctx, at, c, &text);
		draw_cell(g, r, &t->columns[c], col, &text, ink);
		col += t->columns[c].width;
	}
}

void text_table_draw(struct grid *g, struct rect r, const struct text_table *t)
{
	int shown = table_visible(r.rows, t->n, t->top), first;

	for (int row = 0; row < r.rows; row++)
		grid_fill(g, r.row + row, r.col, r.cols, ROLE_PLAIN);
	if (r.rows < 2)
		return;
	first = name_cells(t, r);
	draw_heads(g, r, t, first);
	if (t->n == 0)
		grid_puts(g, r.row + 1, r.col + 2, r.cols - 2, t->empty, ROLE_DIM);
	for (int i = 0; i < shown; i++)
		draw_row(g, (struct rect){ r.row + 1 + i, r.col, 1, r.cols }, t, t->top + (size_t)i,
			 first);
	table_draw_more(g, r, t->n, t->top);
}

size_t text_table_column_at(const struct text_table *t, struct rect r, int col)
{
	int at = r.col + name_cells(t, r);

	for (size_t c = 1; c < t->n_columns && col >= at; c++) {
		if (!is_shown(&t->columns[c], r))
			continue;
		at += t->columns[c].width;
		if (col < at)
			return c;
	}
	return 0;
}
