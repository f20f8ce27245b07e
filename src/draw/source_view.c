/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The text of a line is drawn in runs of one kind. A line is measured from its beginning, so that
 * tabs and wide characters have their places; in a very long one (LONG_BYTES) each byte counts as a
 * cell, and only what is on the page is looked at. */
#include "config.h"

#include "draw/source_view.h"

#include "base/sort.h"
#include "base/text.h"
#include "base/units.h"
#include "draw/table/table.h"

#include <stdio.h>
#include <string.h>

#define LONG_BYTES ((size_t)1 << 16)
#define TAB_CELLS 4
#define TIME_CELLS 8
#define NARROW_COLS 60 /* below, there are no bars */
#define WIDE_COLS 120  /* from here on they are longer */
#define GAP 2          /* blanks before the text */

struct gutter {
	int bar_col, bar_cells; /* bar_cells 0: none */
	int line_col, line_cells;
	int text_col;
};

static void make_gutter(struct gutter *gutter, const struct source_text *text, int cols)
{
	size_t n = text->n_lines;
	int digits = 1;

	while (n >= 10) {
		n /= 10;
		digits++;
	}
	gutter->bar_col = 1 + TIME_CELLS + 1;
	gutter->bar_cells = cols < NARROW_COLS ? 0 : cols < WIDE_COLS ? 4 : 8;
	gutter->line_col = gutter->bar_col + gutter->bar_cells + (gutter->bar_cells ? 1 : 0);
	gutter->line_cells = digits < 4 ? 4 : digits;
	gutter->text_col = gutter->line_col + gutter->line_cells + GAP;
}

int source_view_text_cols(const struct source_text *text, int cols)
{
	struct gutter gutter;

	make_gutter(&gutter, text, cols);
	return cols > gutter.text_col ? cols - gutter.text_col : 1;
}

/* ---- cells ---- */

/* The cells of the character at *p, which moves behind it. */
static int next_cells(const char **p, const char *end, int64_t at)
{
	uint32_t cp = text_next(p, end);
	char form[12];

	if (cp == '\t')
		return TAB_CELLS - (int)(at % TAB_CELLS);
	if (!text_is_control(cp))
		return text_width(cp);
	text_control(cp, form);
	return (int)strlen(form);
}

int64_t source_view_cell(struct str line, size_t byte)
{
	const char *p = line.p, *end = line.p + (byte < line.len ? byte : line.len);
	int64_t at = 0;

	if (line.len > LONG_BYTES)
		return (int64_t)byte;
	while (p < end)
		at += next_cells(&p, line.p + line.len, at);
	return at;
}

/* The first byte of a line that is drawn when `left` cells are not; *cells: blanks before it, where
 * a character is cut. */
static size_t first_byte(struct str line, int64_t left, int *cells)
{
	const char *p = line.p, *end = line.p + line.len;
	int64_t at = 0;

	*cells = 0;
	if (line.len > LONG_BYTES) {
		size_t byte = left < (int64_t)line.len ? (size_t)left : line.len;

		while (byte < line.len && ((unsigned char)line.p[byte] & 0xC0) == 0x80)
			byte++;
		return byte;
	}
	while (p < end && at < left)
		at += next_cells(&p, end, at);
	*cells = (int)(at > left ? at - left : 0);
	return (size_t)(p - line.p);
}

/* ---- text ---- */

struct pen {
	struct grid *g;
	int row, col, end;     /* cells of the grid */
	int64_t at;            /* the cell of the line at `col` */
	const char *line;      /* where the line begins */
	size_t mark, mark_end; /* bytes of the line that are marked */
};

static enum role role_of(enum source_kind kind)
{
	switch (kind) {
	case SOURCE_COMMENT:
		return ROLE_COMMENT;
	case SOURCE_STRING:
		return ROLE_STRING;
	case SOURCE_KEYWORD:
		return ROLE_KEYWORD;
	default:
		return ROLE_PLAIN;
	}
}

static void put_run(struct pen *pen, const char *from, const char *to, enum role role)
{
	while (from < to && pen->col < pen->end) {
		const char *tab = memchr(from, '\t', (size_t)(to - from));

		if (tab != from) {
			int cells = grid_put(pen->g, pen->row, pen->col, pen->end - pen->col, from,
					     (size_t)((tab ? tab : to) - from), role);

			pen->col += cells;
			pen->at += cells;
		}
		if (!tab)
			return;
		for (int n = TAB_CELLS - (int)(pen->at % TAB_CELLS); n > 0; n--) {
			pen->col++;
			pen->at++;
		}
		from = tab + 1;
	}
}

/* Draw a token: what is marked in it has a role of its own. */
static void put_token(struct pen *pen, const char *from, const char *to, enum role role)
{
	const char *mark = pen->line + pen->mark, *end = pen->line + pen->mark_end;
	int col;

	if (pen->mark >= pen->mark_end || end <= from || mark >= to) {
		put_run(pen, from, to, role);
		return;
	}
	mark = mark < from ? from : mark;
	end = end > to ? to : end;
	put_run(pen, from, mark, role);
	col = pen->col;
	put_run(pen, mark, end, ROLE_ROW_MARK);
	if (pen->col > col)
		grid_flag(pen->g, pen->row, col, pen->col - col, CELL_UNDERLINE);
	put_run(pen, end, to, role);
}

/* The mark is the word at its byte; in front of the parameters, the name before them; or that byte.
 */
static void find_mark(struct pen *pen, const struct source_view *view, size_t line, struct str text)
{
	size_t from = view->mark_byte, end = from;

	if (line != view->mark_line || from >= text.len)
		return;
	while (end < text.len && source_is_word(text.p[end]))
		end++;
	if (text.p[from] == '(')
		while (from > 0 && source_is_word(text.p[from - 1]))
			from--;
	pen->mark = from;
	pen->mark_end = end > from ? end : end + 1;
}

static bool has_text(const char *from, const char *to)
{
	while (from < to && (*from == ' ' || *from == '\t'))
		from++;
	return from < to;
}

static void draw_text(struct grid *g, int row, int col, int end, const struct source_view *view,
		      size_t line)
{
	const struct source_text *text = view->text;
	const char *bytes = buf_text(&text->bytes);
	struct str s = source_text_line(text, line);
	int cut;
	size_t first = first_byte(s, view->left, &cut), from = first, at, stop;
	struct source_lex lex = { 0 };
	struct pen pen = { .g = g,
			   .row = row,
			   .col = col + cut,
			   .end = end,
			   .line = s.p,
			   .at = view->left + cut };

	find_mark(&pen, view, line, s);
	from += (size_t)(s.p - bytes);
	stop = (size_t)(s.p - bytes) + s.len;
	/* Each cell has a byte at least; combining characters have few more. */
	if (stop - from > (size_t)(end - col) * 16)
		stop = from + (size_t)(end - col) * 16;
	at = text->marks ? source_text_lex(text, from, &lex) : from;
	while (at < stop && pen.col < pen.end) {
		enum source_kind kind = SOURCE_PLAIN;
		size_t next = text->marks ? source_lex_next(&lex, bytes, at, text->bytes.len, &kind)
					  : stop;

		if (next > from)
			put_token(&pen, bytes + (at > from ? at : from),
				  bytes + (next < stop ? next : stop), role_of(kind));
		at = next;
	}
	/* Signs where a line goes on: in the gap before it, and on its last cell. */
	if (has_text(s.p, s.p + first))
		grid_puts(g, row, col - 1, 1, view->is_ascii ? "<" : "\342\200\271", ROLE_KEY);
	if (source_view_cell(s, s.len) > view->left + end - col)
		grid_puts(g, row, end - 1, 1, view->is_ascii ? ">" : "\342\200\272", ROLE_KEY);
}

/* ---- rows ---- */

const struct source_hot *source_view_hot(const struct source_hot *hot, size_t n, size_t line)
{
	size_t low = 0;

	SORT_BISECT(low, n, mid, (size_t)hot[mid].line < line + 1);
	return low < n && (size_t)hot[low].line == line + 1 ? &hot[low] : NULL;
}

static int64_t hottest(const struct source_view *view)
{
	int64_t most = 0;

	for (size_t i = 0; i < view->n_hot; i++) {
		int64_t ns = view->hot[i].ns + view->hot[i].whole_ns;

		most = ns > most ? ns : most;
	}
	return most;
}

static void draw_line(struct grid *g, struct rect r, int row, const struct source_view *view,
		      size_t line, int64_t full)
{
	const struct source_hot *hot = source_view_hot(view->hot, view->n_hot, line);
	bool is_cursor = line == view->cursor;
	struct gutter at;
	char text[UNITS_MAX];

	make_gutter(&at, view->text, r.cols);
	/* The bar keeps the page: without colours it would be the same as the fill. */
	if (is_cursor && view->has_focus) {
		grid_fill(g, row, r.col, at.bar_col, ROLE_ROW);
		grid_fill(g, row, r.col + at.line_col, at.line_cells + 1, ROLE_ROW);
	}
	if (hot) {
		struct table_bar bar = { .self = hot->ns,
					 .total = hot->ns + hot->whole_ns,
					 .full = full,
					 .role = view->role,
					 .is_ascii = view->is_ascii };

		profile_value(view->profile, hot->ns ? hot->ns : hot->whole_ns, text);
		table_cell_number(g, row, r.col + 1, TIME_CELLS, text,
				  hot->ns ? ROLE_PLAIN : ROLE_DIM);
		if (at.bar_cells)
			table_cell_bar(g, row, r.col + at.bar_col, at.bar_cells, &bar);
	}
	snprintf(text, sizeof text, "%zu", line + 1);
	table_cell_number(g, row, r.col + at.line_col, at.line_cells, text,
			  is_cursor ? ROLE_ROW_MARK : ROLE_DIM);
	draw_text(g, row, r.col + at.text_col, r.col + r.cols, view, line);
}

static void draw_head(struct grid *g, struct rect r, const struct source_view *view)
{
	struct gutter at;
	BUF_LOCAL path = { 0 };
	int room, about = view->about ? text_cells(view->about, strlen(view->about)) : 0, cells;

	make_gutter(&at, view->text, r.cols);
	table_cell_number(g, r.row, r.col + 1, TIME_CELLS, "Self", ROLE_HEAD);
	table_cell_number(g, r.row, r.col + at.line_col, at.line_cells, "Line", ROLE_HEAD);
	room = r.cols - at.text_col - 1;
	cells = text_cells(view->path, strlen(view->path));
	/* The path counts more than the rest. */
	if (cells + 2 + about > room)
		about = 0;
	text_fit_end(&path, view->path, strlen(view->path), about ? room - about - 2 : room);
	cells = grid_put(g, r.row, r.col + at.text_col, room, buf_text(&path), path.len, ROLE_HEAD);
	if (about)
		grid_puts(g, r.row, r.col + at.text_col + cells + 2, about, view->about, ROLE_DIM);
}

void source_view_draw(struct grid *g, struct rect r, const struct source_view *view)
{
	bool has_note = view->note && *view->note;
	int head = source_view_head_rows(has_note);
	int64_t full = hottest(view);

	for (int row = 0; row < r.rows; row++)
		grid_fill(g, r.row + row, r.col, r.cols, ROLE_PLAIN);
	draw_head(g, r, view);
	if (has_note && r.rows > 1)
		grid_put_fit(g, r.row + 1, r.col + 1, r.cols - 2, view->note, SIZE_MAX,
			     view->is_warning ? ROLE_WARN : ROLE_DIM);
	for (int row = head; row < r.rows; row++) {
		size_t line = view->top + (size_t)(row - head);

		if (line < view->text->n_lines)
			draw_line(g, r, r.row + row, view, line, full);
	}
}
