/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The lines fill the first column, then the second. A title may be the last line of a column,
 * because scrolling moves it. The first row of the screen is the title of the help screen; the last
 * row tells how to leave it. */
#include "config.h"

#include "layout/help.h"

#include "base/text.h"

#include <stdio.h>
#include <string.h>

#define MOST_KEYS 13
#define GAPS 4 /* cells before and after the keys */

static int keys_width(const struct help *help)
{
	int most = 0;

	for (size_t i = 0; i < help->n_lines; i++) {
		int cells = help->lines[i].keys
			? text_cells(help->lines[i].keys, strlen(help->lines[i].keys))
			: 0;

		most = cells > most ? cells : most;
	}
	return most < MOST_KEYS ? most : MOST_KEYS;
}

/* The number of columns: two, if no line is truncated by it. */
static int n_columns(struct rect r, const struct help *help)
{
	int keys = keys_width(help), most = 0;

	for (size_t i = 0; i < help->n_lines; i++) {
		const struct help_line *line = &help->lines[i];
		int own = line->keys ? text_cells(line->keys, strlen(line->keys)) : 0;
		int cells = (own > keys ? own : keys) + GAPS +
			(line->text ? text_cells(line->text, strlen(line->text)) : 0);

		most = cells > most ? cells : most;
	}
	return most < r.cols / 2 ? 2 : 1;
}

/* Rows of text in one column. */
static int column_rows(struct rect r)
{
	return r.rows > 2 ? r.rows - 2 : 0;
}

/* Lines in one column; with two columns, half of all lines, if that is more than the screen has. */
static int height(struct rect r, const struct help *help)
{
	int columns = n_columns(r, help);

	return ((int)help->n_lines + columns - 1) / columns;
}

int help_max_scroll(struct rect r, const struct help *help)
{
	int over = height(r, help) - column_rows(r);

	return over > 0 ? over : 0;
}

static void put_cut(struct grid *g, int row, int col, int width, const char *text, enum role ink)
{
	struct buf fit = { 0 };

	if (width > 0) {
		text_fit(&fit, text, strlen(text), width);
		grid_put(g, row, col, width, buf_text(&fit), fit.len, ink);
	}
	buf_done(&fit);
}

static void draw_line(struct grid *g, int row, int col, int width, int keys,
		      const struct help_line *line)
{
	if (line->title) {
		put_cut(g, row, col, width, line->title, ROLE_TITLE);
	} else if (line->keys) {
		int own = text_cells(line->keys, strlen(line->keys));

		/* A list of keys that is longer than most others moves only its own text. */
		keys = own > keys ? own : keys;
		if (line->fill != ROLE_PLAIN)
			grid_fill(g, row, col + 2, own, line->fill);
		put_cut(g, row, col + 2, keys < width - 2 ? keys : width - 2, line->keys,
			line->fill != ROLE_PLAIN ? ROLE_LABEL : ROLE_KEY);
		put_cut(g, row, col + keys + GAPS, width - keys - GAPS, line->text, ROLE_PLAIN);
	}
}

void help_draw(struct grid *g, struct rect r, const struct help *help)
{
	int columns = n_columns(r, help), width = r.cols / columns, rows = column_rows(r),
	    keys = keys_width(help);
	int max = help_max_scroll(r, help), scroll = help->scroll < max ? help->scroll : max,
	    per_column = height(r, help);
	char text[80];

	if (r.rows <= 0)
		return;
	grid_fill(g, r.row, r.col, r.cols, ROLE_HEADER);
	grid_puts(g, r.row, r.col + 1, r.cols - 1, "Help; :5 callee repeats a command",
		  ROLE_HEADER);
	for (int c = 0; c < columns; c++)
		for (int i = 0; i < rows && scroll + i < per_column; i++) {
			size_t at = (size_t)c * (size_t)per_column + (size_t)(scroll + i);

			if (at < help->n_lines)
				draw_line(g, r.row + 1 + i, r.col + c * width, width - 1, keys,
					  &help->lines[at]);
		}
	if (r.rows < 2)
		return;
	if (max > 0)
		snprintf(text, sizeof(text), "lines %d-%d of %d   j k Space: scroll   q: close",
			 scroll + 1, scroll + rows, per_column);
	else
		snprintf(text, sizeof(text), "q: close");
	grid_fill(g, r.row + r.rows - 1, r.col, r.cols, ROLE_STATUS);
	put_cut(g, r.row + r.rows - 1, r.col + 1, r.cols - 1, text, ROLE_STATUS);
}
