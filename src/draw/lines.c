/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A line is wrapped at its last blank that fits, if that is in the second half; otherwise between
 * characters. A number stays whole, with its unit: `37 %`, `3 609 ms`. Widths are in cells. */
#include "config.h"

#include "draw/lines.h"

#include "base/alloc.h"
#include "base/text.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

/* ==== prompt line ====
 *
 * The text around the cursor has priority over the answer: the longest answer that leaves room for
 * it is shown. An error has priority over the rest of a long text. */

#define GAP 2             /* blanks between text and answer, including the cell of the cursor */
#define ERROR_TEXT_MIN 20 /* cells that an error leaves for the text */

static int cells_of(const char *text)
{
	return text_cells(text, strlen(text));
}

/* The longest answer of at most `room` cells. */
static const char *answer_for(const struct prompt_line *line, int room)
{
	for (int i = 0; i < 3; i++)
		if (line->answers[i] && cells_of(line->answers[i]) <= room)
			return line->answers[i];
	return NULL;
}

/* The first visible byte of the text, such that the cursor is within `room` cells. */
static size_t first_shown(const struct prompt_line *line, int room)
{
	size_t from = 0;

	while (from < line->cursor && text_cells(line->text + from, line->cursor - from) >= room) {
		from++;
		while (from < line->cursor && ((unsigned char)line->text[from] & 0xC0) == 0x80)
			from++;
	}
	return from;
}

void prompt_line_draw(struct grid *g, struct rect r, const struct prompt_line *line)
{
	int label = cells_of(line->label), room = r.cols - 2 - label, text = cells_of(line->text),
	    used;
	const char *answer = answer_for(
		line,
		room - GAP - (line->is_error && text > ERROR_TEXT_MIN ? ERROR_TEXT_MIN : text));
	size_t from;

	grid_puts(g, r.row, r.col + 1, label, line->label, ROLE_KEY);
	if (answer) {
		used = cells_of(answer);
		grid_puts(g, r.row, r.col + r.cols - 1 - used, used, answer,
			  line->is_error ? ROLE_WARN : ROLE_DIM);
		room -= used + GAP - 1;
	}
	from = first_shown(line, room);
	grid_puts(g, r.row, r.col + 1 + label, room, line->text + from, ROLE_PROMPT);
	g->cursor_row = r.row;
	g->cursor_col = r.col + 1 + label + text_cells(line->text + from, line->cursor - from);
	if (line->is_error && line->error_at >= (int64_t)from) {
		int at = text_cells(line->text + from, (size_t)line->error_at - from);

		grid_flag(g, r.row, r.col + 1 + label + at, at < room ? 1 : 0, CELL_UNDERLINE);
	}
}

/* ==== lines ==== */

static bool is_unit(const char *text, size_t len)
{
	static const char *const units[] = { "%", "ns", "\302\265s", "ms", "s",  "min", "h",
					     "d", "B",  "kB",        "MB", "GB", "pt" };
	size_t n = 0;

	while (n < len && !strchr(" ,;:)/", text[n]))
		n++;
	for (size_t i = 0; i < ARRAY_LEN(units); i++)
		if (strlen(units[i]) == n && !memcmp(units[i], text, n))
			return true;
	return false;
}

/* Whether the blank before text[at] is within a number, or between it and its unit. */
static bool is_in_number(const char *text, size_t len, size_t at)
{
	return at >= 2 && at < len && isdigit((unsigned char)text[at - 2]) &&
		(isdigit((unsigned char)text[at]) || is_unit(text + at, len - at));
}

/* Where a line that has no blank ends: not between two digits, if that leaves half of it. */
static size_t before_digits(const char *text, size_t at)
{
	size_t begin = at;

	while (begin > 0 && isdigit((unsigned char)text[begin]) &&
	       isdigit((unsigned char)text[begin - 1]))
		begin--;
	return begin * 2 > at ? begin : at;
}

/* Bytes of `text` that fit into `cols` cells; at least one character. */
static size_t fit(const char *text, size_t len, int cols)
{
	size_t at = 0, blank = 0;
	int used = 0;

	while (at < len) {
		size_t next = at + 1;
		int cells;

		while (next < len && ((unsigned char)text[next] & 0xC0) == 0x80)
			next++;
		cells = text_cells(text + at, next - at);
		if (used + cells > cols && at > 0)
			return blank * 2 > at ? blank : before_digits(text, at);
		used += cells;
		at = next;
		if (text[at - 1] == ' ' && !is_in_number(text, len, at))
			blank = at;
	}
	return len;
}

static void add(struct lines *lines, const char *text, size_t len, int cols, int indent,
		bool is_head, int link)
{
	bool is_first = true;

	if (indent > cols / 2)
		indent = cols / 2;
	do {
		int set_in = is_first ? 0 : indent;
		size_t n = fit(text, len, cols - set_in > 1 ? cols - set_in : 1);

		lines->list = xgrow(lines->list, &lines->cap, lines->n + 1, sizeof *lines->list);
		lines->list[lines->n].start = lines->text.len;
		lines->list[lines->n].is_head = is_head;
		lines->list[lines->n].n_bars = 0;
		lines->list[lines->n].link = link;
		for (int i = 0; i < set_in; i++)
			buf_addc(&lines->text, ' ');
		buf_add(&lines->text, text, n);
		lines->list[lines->n].len = lines->text.len - lines->list[lines->n].start;
		lines->n++;
		text += n;
		len -= n;
		is_first = false;
	} while (len);
}

void lines_add(struct lines *lines, const char *text, size_t len, int cols, int indent,
	       bool is_head)
{
	add(lines, text, len, cols, indent, is_head, -1);
}

void lines_add_link(struct lines *lines, const char *text, size_t len, int cols, int indent)
{
	add(lines, text, len, cols, indent, false, lines->n_links++);
}

void lines_add_bar(struct lines *lines, const struct line_bar *bar, bool is_ascii)
{
	struct line_of *line = lines->n ? &lines->list[lines->n - 1] : NULL;

	lines->is_ascii = is_ascii;
	if (line && line->n_bars < LINES_BARS)
		line->bars[line->n_bars++] = *bar;
}

/* The lines [*from, *end) of the link with the cursor. */
static void find_link(const struct lines *lines, size_t *from, size_t *end)
{
	*from = 0;
	while (*from < lines->n && lines->list[*from].link != lines->link)
		++*from;
	for (*end = *from; *end < lines->n && lines->list[*end].link == lines->link; ++*end)
		;
}

bool lines_is_link_visible(const struct lines *lines, int page)
{
	size_t from, end;

	find_link(lines, &from, &end);
	return from >= lines->top && end + 1 <= lines->top + (size_t)page;
}

void lines_reveal(struct lines *lines, int page)
{
	size_t from, end;

	find_link(lines, &from, &end);
	/* The last row of a page gives the number of lines that follow. */
	if (end + 1 > lines->top + (size_t)page)
		lines_scroll(lines, (int64_t)(end + 1 - lines->top) - page, page);
	/* Above the first link is only its heading. */
	if (from < lines->top || lines->link == 0)
		lines->top = lines->link == 0 ? 0 : from;
}

void lines_move(struct lines *lines, int64_t rows, int page)
{
	/* No page has more lines than that above and below the links. */
	int64_t n = rows < 0 ? -rows : rows, most = (int64_t)lines->n + lines->n_links;

	if (!lines->n_links) {
		lines_scroll(lines, rows, page);
		return;
	}
	for (n = n < most ? n : most; n > 0; n--) {
		/* One step. Below the last link, and back to it, the page scrolls. */
		size_t from, end;

		find_link(lines, &from, &end);
		if (rows > 0 ? lines->link + 1 == lines->n_links : from < lines->top) {
			lines_scroll(lines, rows > 0 ? 1 : -1, page);
		} else if (rows > 0 || lines->link > 0) {
			lines->link += rows > 0 ? 1 : -1;
			lines_reveal(lines, page);
		}
	}
}

void lines_scroll(struct lines *lines, int64_t rows, int page)
{
	int64_t most = (int64_t)lines->n - page, top = (int64_t)lines->top + rows;

	if (top > most)
		top = most;
	lines->top = top < 0 ? 0 : (size_t)top;
}

/* As in tables, blocks leave an eighth of the row free. The row with the cursor is behind them: on
 * the page, they would be no bar but a part of that row where a terminal has no colours. */
static void draw_bar(struct grid *g, struct rect r, const struct line_bar *bar, bool is_ascii)
{
	static const char *const part[] = { "",
					    "\342\226\217",
					    "\342\226\216",
					    "\342\226\215",
					    "\342\226\214",
					    "\342\226\213",
					    "\342\226\212",
					    "\342\226\211" };
	int eighths = is_ascii ? (bar->eighths + 4) / 8 * 8 : bar->eighths,
	    cells = (eighths + 7) / 8;

	for (int i = 0; i < cells && bar->col + i < r.cols; i++, eighths -= 8) {
		grid_puts(g, r.row, r.col + bar->col + i, 1,
			  is_ascii               ? "#"
				  : eighths >= 8 ? "\342\226\207"
						 : part[eighths],
			  bar->role);
	}
}

/* Draw the lines from line `top` on into all rows of an area. */
static void draw_part(struct grid *g, struct rect r, const struct lines *lines, size_t top,
		      bool has_focus)
{
	for (int row = 0; row < r.rows && top + (size_t)row < lines->n; row++) {
		const struct line_of *line = &lines->list[top + (size_t)row];

		if (has_focus && line->link >= 0 && line->link == lines->link)
			grid_fill(g, r.row + row, r.col, r.cols, ROLE_ROW);
		grid_put(g, r.row + row, r.col + 1, r.cols - 1, lines->text.data + line->start,
			 line->len, line->is_head ? ROLE_HEAD : ROLE_PLAIN);
		for (int i = 0; i < line->n_bars; i++)
			draw_bar(g, (struct rect){ r.row + row, r.col + 1, 1, r.cols - 1 },
				 &line->bars[i], lines->is_ascii);
	}
}

void lines_draw(struct grid *g, struct rect r, const struct lines *lines, const struct lines *right,
		int left_cols, bool has_focus)
{
	size_t left = lines->n > lines->top ? lines->n - lines->top : 0;
	char more[48];

	for (int row = 0; row < r.rows; row++)
		grid_fill(g, r.row + row, r.col, r.cols, ROLE_PLAIN);
	/* The last row gives the number of lines that do not fit. */
	if (r.rows > 1 && left > (size_t)r.rows) {
		r.rows--;
		snprintf(more, sizeof more, "\342\200\246 %zu more lines", left - (size_t)r.rows);
		grid_puts(g, r.row + r.rows, r.col + 1, r.cols - 1, more, ROLE_DIM);
	}
	if (right)
		draw_part(g, (struct rect){ r.row, r.col + left_cols, r.rows, r.cols - left_cols },
			  right, lines->top, false);
	if (right)
		r.cols = left_cols;
	draw_part(g, r, lines, lines->top, has_focus);
}
