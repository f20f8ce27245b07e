/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The page as text. Columns have a fixed width, and the last one that is not empty takes the rest
 * of the line. Sentences are wrapped: no number in them is lost. */
#include "config.h"

#include "write/report/page.h"

#include "base/text.h"
#include "base/units.h"

#include <string.h>

static void text_section(struct page *page, const char *title, const char *note)
{
	char words[AMOUNT_WORDS_MAX];

	title = amount_words(&page->unit, title, words);
	buf_addf(page->out, "\n%s%s%s\n", title, note ? " " : "", note ? note : "");
}

static void text_lines(struct page *page, const char *title, const char *text)
{
	buf_adds(page->out, title ? "\n" : "");
	buf_adds(page->out, text);
}

/* The length of the word at `text`, together with a unit after it: `50 ms`, `12 %;`. */
static size_t word(const char *text)
{
	size_t length = strcspn(text, " ");

	while (text[length]) {
		const char *next = text + length + 1;
		size_t more = strcspn(next, " ");

		if (*next != '%' && strncmp(next, "ms", 2) != 0 && strcspn(next, " ;,:)") != 1)
			break;
		length += 1 + more;
	}
	return length;
}

/* Append a text as lines of at most PAGE_CELLS cells, broken at blanks. The first line begins with
 * `indent` blanks, the others with two more. */
static void text_item(struct page *page, int level, const char *text, size_t len)
{
	int indent = level == 1 ? 2 : 6, col = indent;
	struct buf *out = page->out, own = { 0 };
	bool is_start = true;

	buf_add(&own, text, len);
	text = buf_text(&own);
	buf_addf(out, "%*s", indent, "");
	while (*text) {
		size_t length = word(text);

		if (!is_start && col + 1 + text_cells(text, length) > PAGE_CELLS) {
			buf_addf(out, "\n%*s", indent + 2, "");
			col = indent + 2;
			is_start = true;
		}
		if (!is_start)
			buf_addc(out, ' ');
		col += !is_start + text_fit(out, text, length, PAGE_CELLS - col - !is_start);
		is_start = false;
		text += length;
		text += *text == ' ';
	}
	buf_addc(out, '\n');
	buf_done(&own);
}

static void text_begin(struct page *page, const struct page_table *table)
{
	text_section(page, table->title, table->note);
	if (table->heading)
		buf_addf(page->out, "%s\n", table->heading);
}

static void add_right(struct buf *out, const char *text, int width)
{
	int cells = text_cells(text, strlen(text));

	for (; cells < width; cells++)
		buf_addc(out, ' ');
	buf_adds(out, text);
}

static bool is_text(enum page_kind kind)
{
	return kind >= PAGE_WORDS;
}

/* Append a cell of text, truncated to `width` cells; returns how many it has. */
static int add_cell(const struct page *page, const struct page_column *column,
		    const struct page_cell *cell, int width)
{
	struct buf name = { 0 };
	int used;

	if (cell->lane) {
		page_lane_name(page, cell->lane, width, &name);
		used = text_cells(buf_text(&name), name.len);
		buf_add(page->out, buf_text(&name), name.len);
	} else if (column->kind == PAGE_PATH) {
		used = text_fit_end(page->out, cell->text, cell->len, width);
	} else {
		used = text_fit(page->out, cell->text, cell->len, width);
	}
	buf_done(&name);
	return used;
}

static void add_number(struct page *page, const struct page_column *column,
		       const struct page_cell *cell)
{
	char text[UNITS_MAX];

	if (column->kind == PAGE_TIME)
		profile_value(page->g->profile, cell->ns, text);
	else if (column->kind == PAGE_SHARE)
		units_percent(cell->ns, cell->whole, text);
	add_right(page->out, column->kind == PAGE_NUMBER ? cell->text : text, column->width);
}

static bool is_empty(const struct page_cell *cell)
{
	return !cell->lane && cell->len == 0;
}

static void text_row(struct page *page, const struct page_table *table,
		     const struct page_cell *cells)
{
	int n = page_columns(table), col = 0;

	while (n > 0 && is_text(table->columns[n - 1].kind) && is_empty(&cells[n - 1]))
		n--;
	for (int i = 0; i < n; i++) {
		const struct page_column *c = &table->columns[i];
		bool has_rest = i == n - 1 && (c->kind == PAGE_NAME || c->width == 0);
		int width = has_rest ? PAGE_CELLS - col - c->gap : c->width, used = c->width;

		buf_addf(page->out, "%*s", c->gap, "");
		if (is_text(c->kind))
			used = add_cell(page, c, &cells[i], width);
		else
			add_number(page, c, &cells[i]);
		for (; i < n - 1 && used < width; used++)
			buf_addc(page->out, ' ');
		col += c->gap + used;
	}
	buf_addc(page->out, '\n');
}

static void text_note(struct page *page, const char *text)
{
	buf_addf(page->out, "  %s\n", text);
}

static void text_remark(struct page *page, const char *text)
{
	buf_addf(page->out, "\n%s\n", text);
}

static void text_gap(struct page *page, const struct page_table *table, const char *text)
{
	(void)table;
	text_note(page, text);
}

static void text_end(struct page *page, const struct page_table *table)
{
	(void)table;
	if (page->n_rows == 0)
		text_note(page, "none");
}

const struct page_form page_text = {
	.cells = PAGE_CELLS,
	.is_two_columns = true,
	.lines = text_lines,
	.section = text_section,
	.item = text_item,
	.begin = text_begin,
	.row = text_row,
	.gap = text_gap,
	.end = text_end,
	.remark = text_remark,
	.note = text_note,
};
