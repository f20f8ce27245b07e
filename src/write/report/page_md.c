/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The page as Markdown, for tickets and pull requests. Tables of functions have the headings of
 * those that Deno writes with --cpu-prof-md, in its order: a share stands before its time. */
#include "config.h"

#include "write/report/markdown.h"
#include "write/report/page.h"

#include "base/text.h"
#include "base/units.h"

#include <ctype.h>
#include <string.h>

#define NAME_CELLS 160

static void md_section(struct page *page, const char *title, const char *note)
{
	char words[AMOUNT_WORDS_MAX];

	title = amount_words(&page->unit, title, words);
	buf_addf(page->out, "\n## %c%s%s%s\n\n", toupper((unsigned char)title[0]), title + 1,
		 note ? " " : "", note ? note : "");
}

static void md_item(struct page *page, int level, const char *text, size_t len)
{
	buf_adds(page->out, level == 1 ? "- " : "  - ");
	markdown_words(page->out, text, len);
	buf_addc(page->out, '\n');
}

static void md_lines(struct page *page, const char *title, const char *text)
{
	if (title)
		md_section(page, title, NULL);
	while (*text) {
		size_t len = strcspn(text, "\n");

		md_item(page, 1, text, len);
		text += len + (text[len] == '\n');
	}
}

/* The i-th column as it stands from left to right. */
static int column_at(const struct page_table *table, int i)
{
	const struct page_column *column = &table->columns[i];

	if (i + 1 < PAGE_COLUMNS && column->kind == PAGE_TIME && column[1].name &&
	    column[1].kind == PAGE_SHARE)
		return i + 1;
	if (i > 0 && column->kind == PAGE_SHARE && column[-1].kind == PAGE_TIME)
		return i - 1;
	return i;
}

static void md_begin(struct page *page, const struct page_table *table)
{
	int n = page_columns(table);

	md_section(page, table->title, table->note);
	for (int i = 0; i < n; i++)
		buf_addf(page->out, "| %s ", table->columns[column_at(table, i)].name);
	buf_adds(page->out, "|\n");
	for (int i = 0; i < n; i++)
		buf_adds(page->out,
			 table->columns[column_at(table, i)].kind < PAGE_WORDS ? "| ---: "
									       : "| --- ");
	buf_adds(page->out, "|\n");
}

static void add_cell(struct page *page, enum page_kind kind, const struct page_cell *cell)
{
	char number[UNITS_MAX];
	struct buf text = { 0 };

	switch (kind) {
	case PAGE_NUMBER:
		buf_adds(page->out, cell->text);
		break;
	case PAGE_TIME:
		profile_value(page->g->profile, cell->ns, number);
		buf_adds(page->out, number);
		break;
	case PAGE_SHARE:
		units_percent(cell->ns, cell->whole, number);
		buf_adds(page->out, number);
		break;
	case PAGE_WORDS:
		if (cell->lane)
			page_lane_name(page, cell->lane, NAME_CELLS, &text);
		else
			text_fit(&text, cell->text, cell->len, NAME_CELLS);
		markdown_words(page->out, buf_text(&text), text.len);
		break;
	case PAGE_PACKAGE:
	case PAGE_NAME:
		text_fit(&text, cell->text, cell->len, NAME_CELLS);
		markdown_code(page->out, buf_text(&text), text.len);
		break;
	case PAGE_PATH:
		text_fit_end(&text, cell->text, cell->len, NAME_CELLS);
		markdown_code(page->out, buf_text(&text), text.len);
		break;
	}
	buf_done(&text);
}

static void md_row(struct page *page, const struct page_table *table, const struct page_cell *cells)
{
	int n = page_columns(table);

	for (int i = 0; i < n; i++) {
		int k = column_at(table, i);

		buf_adds(page->out, "| ");
		add_cell(page, table->columns[k].kind, &cells[k]);
		buf_addc(page->out, ' ');
	}
	buf_adds(page->out, "|\n");
}

/* The words stand in the column of names. */
static void md_gap(struct page *page, const struct page_table *table, const char *text)
{
	bool is_done = false;

	for (int i = 0, n = page_columns(table); i < n; i++) {
		bool is_here = !is_done && table->columns[column_at(table, i)].kind >= PAGE_WORDS;

		buf_addf(page->out, "| %s ", is_here ? text : "");
		is_done |= is_here;
	}
	buf_adds(page->out, "|\n");
}

static void md_remark(struct page *page, const char *text)
{
	buf_adds(page->out, "\n");
	markdown_words(page->out, text, strlen(text));
	buf_addc(page->out, '\n');
}

static void md_end(struct page *page, const struct page_table *table)
{
	if (page->n_rows == 0)
		md_gap(page, table, "none");
}

const struct page_form page_md = {
	.cells = PAGE_NO_LIMIT,
	.lines = md_lines,
	.section = md_section,
	.item = md_item,
	.begin = md_begin,
	.row = md_row,
	.gap = md_gap,
	.end = md_end,
	.remark = md_remark,
	.note = md_remark,
};
