/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A line takes as many rows as its text needs. Both columns scroll together; a single column has
 * the lines of the second one after those of the first. The first row of the screen is the title of
 * the help screen; the last row tells how to leave it, or is the prompt. */
#include "config.h"

#include "draw/help.h"

#include "base/text.h"

#include <stdio.h>
#include <string.h>

#define TWO_COLUMNS 100 /* cells, from which on there are two */
#define MAX_KEYS 13
#define GAPS 4     /* cells before and after the keys */
#define MIN_TEXT 8 /* a text with less room is truncated, not continued */

/* Some lines one below the other. */
struct column {
	const struct help_line *lines;
	size_t n;
	int col, width;
	int keys; /* cells of the keys */
};

static int keys_width(const struct help *help)
{
	int most = 0;

	for (size_t i = 0; i < help->n_lines; i++) {
		int cells = help->lines[i].keys
			? text_cells(help->lines[i].keys, strlen(help->lines[i].keys))
			: 0;

		most = cells > most ? cells : most;
	}
	return most < MAX_KEYS ? most : MAX_KEYS;
}

static int split_columns(struct rect r, const struct help *help, struct column columns[2])
{
	int n = r.cols >= TWO_COLUMNS ? 2 : 1, keys = keys_width(help);
	size_t first = n == 2 && help->right < help->n_lines ? help->right : help->n_lines;

	columns[0] = (struct column){ help->lines, first, r.col, r.cols / n - 1, keys };
	columns[1] = (struct column){ help->lines + first, help->n_lines - first,
				      r.col + r.cols / n, r.cols - r.cols / n - 1, keys };
	return n;
}

/* Rows of text in one column. */
static int column_rows(struct rect r)
{
	return r.rows > 2 ? r.rows - 2 : 0;
}

/* The cells before the text of a line: a list of keys that is longer than most others moves only
 * its own text. */
static int text_col(const struct column *c, const struct help_line *line)
{
	int own = text_cells(line->keys, strlen(line->keys));

	return (own > c->keys ? own : c->keys) + GAPS;
}

/* The bytes of a text that fit into `room` cells, up to the end of a word. */
static size_t wrap(const char *text, int room)
{
	size_t len = strlen(text), end = len;

	while (end > 0 && text_cells(text, end) > room) {
		do
			end--;
		while (end > 0 && text[end] != ' ');
	}
	return end ? end : len;
}

/* Draw a line from `row` on into a grid, or only count its rows if `g` is NULL. Rows outside
 * [first, end) are left out. Returns the number of rows. */
static int place_text(struct grid *g, const struct column *c, const struct help_line *line, int row,
		      int first, int end)
{
	int col = text_col(c, line), room = c->width - col, n = 0;
	const char *text = line->text ? line->text : "";

	do {
		size_t len = room >= MIN_TEXT ? wrap(text, room) : strlen(text);

		if (g && row + n >= first && row + n < end)
			grid_put_fit(g, row + n, c->col + col, room, text, len, ROLE_PLAIN);
		n++;
		text += len;
		while (*text == ' ')
			text++;
	} while (*text);
	return n;
}

static int rows_of(const struct column *c, const struct help_line *line)
{
	return line->keys && !line->title ? place_text(NULL, c, line, 0, 0, 0) : 1;
}

/* Draw a line from `row` on; only rows in [first, end) are on the screen. */
static void draw_line(struct grid *g, const struct column *c, const struct help_line *line, int row,
		      int first, int end)
{
	int own = line->keys ? text_cells(line->keys, strlen(line->keys)) : 0, room = c->width - 2;
	bool is_shown = row >= first && row < end;

	if (line->title && is_shown)
		grid_put_fit(g, row, c->col, c->width, line->title, SIZE_MAX, ROLE_TITLE);
	if (line->title || !line->keys)
		return;
	if (is_shown && line->fill != ROLE_PLAIN)
		grid_fill(g, row, c->col + 2, own < room ? own : room, line->fill);
	if (is_shown)
		grid_put_fit(g, row, c->col + 2, own < room ? own : room, line->keys, SIZE_MAX,
			     line->fill != ROLE_PLAIN ? ROLE_LABEL : ROLE_KEY);
	place_text(g, c, line, row, first, end);
}

static int height(const struct column *c)
{
	int rows = 0;

	for (size_t i = 0; i < c->n; i++)
		rows += rows_of(c, &c->lines[i]);
	return rows;
}

int help_max_scroll(struct rect r, const struct help *help)
{
	struct column columns[2];
	int n = split_columns(r, help, columns), most = height(&columns[0]);

	if (n == 2 && height(&columns[1]) > most)
		most = height(&columns[1]);
	return most > column_rows(r) ? most - column_rows(r) : 0;
}

static void draw_foot(struct grid *g, struct rect r, const struct help *help, int max, int scroll)
{
	const char *filter = help->is_filtered ? "/ filters again, Esc shows all" : "/ filters";
	int row = r.row + r.rows - 1;
	char text[128];

	if (help->prompt) {
		prompt_line_draw(g, (struct rect){ row, r.col, 1, r.cols }, help->prompt);
		return;
	}
	if (max > 0)
		snprintf(text, sizeof text, "rows %d-%d of %d   j k Space: scroll   %s   q: close",
			 scroll + 1, scroll + column_rows(r), max + column_rows(r), filter);
	else
		snprintf(text, sizeof text, "%s   q: close", filter);
	grid_fill(g, row, r.col, r.cols, ROLE_STATUS);
	grid_put_fit(g, row, r.col + 1, r.cols - 1, text, SIZE_MAX, ROLE_STATUS);
}

void help_draw(struct grid *g, struct rect r, const struct help *help)
{
	struct column columns[2];
	int n = split_columns(r, help, columns), max = help_max_scroll(r, help),
	    scroll = help->scroll < max ? help->scroll : max, first = r.row + 1,
	    end = first + column_rows(r);

	if (r.rows <= 0)
		return;
	grid_fill(g, r.row, r.col, r.cols, ROLE_HEADER);
	grid_puts(g, r.row, r.col + 1, r.cols - 1,
		  "Help; every command has a name (flametty keys): :5 callee repeats one",
		  ROLE_HEADER);
	for (int c = 0; c < n; c++) {
		int row = first - scroll;

		for (size_t i = 0; i < columns[c].n && row < end; i++) {
			draw_line(g, &columns[c], &columns[c].lines[i], row, first, end);
			row += rows_of(&columns[c], &columns[c].lines[i]);
		}
	}
	if (r.rows > 1)
		draw_foot(g, r, help, max, scroll);
}
