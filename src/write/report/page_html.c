/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The page as HTML: headings, paragraphs and tables. Cells have their exact value as data-v, for a
 * script that sorts; shares are drawn as bars, too. */
#include "config.h"

#include "write/report/page_html.h"

#include "base/text.h"
#include "base/units.h"
#include "write/report/markup.h"

#include <ctype.h>
#include <inttypes.h>
#include <string.h>

#define NAME_CELLS 120
#define NAME_BYTES 480

/* Where a text of at most NAME_BYTES bytes ends, between two characters. */
static size_t cut(const char *text, size_t len)
{
	if (len <= NAME_BYTES)
		return len;
	len = NAME_BYTES;
	while (len > 0 && ((unsigned char)text[len] & 0xC0) == 0x80)
		len--;
	return len;
}

void page_html_text(struct buf *out, const char *text, size_t len, bool is_path)
{
	struct buf fit = { 0 };

	if (is_path)
		text_fit_end(&fit, text, len, NAME_CELLS);
	else
		text_fit(&fit, text, len, NAME_CELLS);
	markup_text(out, buf_text(&fit), cut(buf_text(&fit), fit.len));
	buf_done(&fit);
}

/* Sentences and lines are longer than names; their names were truncated by those who made them. */
static void add_paragraph(struct page *page, const char *name, const char *text, size_t len)
{
	struct buf visible = { 0 };

	text_visible(&visible, text, len);
	buf_addf(page->out, "<p class=\"%s\">", name);
	markup_text(page->out, buf_text(&visible), visible.len);
	buf_adds(page->out, "</p>\n");
	buf_done(&visible);
}

static void html_section(struct page *page, const char *title, const char *note)
{
	char words[AMOUNT_WORDS_MAX];

	title = amount_words(&page->unit, title, words);
	buf_addf(page->out, "<h2>%c", toupper((unsigned char)title[0]));
	markup_text(page->out, title + 1, strlen(title + 1));
	if (note) {
		buf_adds(page->out, " <small>");
		markup_text(page->out, note, strlen(note));
		buf_adds(page->out, "</small>");
	}
	buf_adds(page->out, "</h2>\n");
}

static void html_item(struct page *page, int level, const char *text, size_t len)
{
	add_paragraph(page, level == 1 ? "item" : "sub", text, len);
}

static void html_lines(struct page *page, const char *title, const char *text)
{
	if (title)
		html_section(page, title, NULL);
	while (*text) {
		size_t len = strcspn(text, "\n");

		add_paragraph(page, "line", text, len);
		text += len + (text[len] == '\n');
	}
}

static void html_begin(struct page *page, const struct page_table *table)
{
	html_section(page, table->title, table->note);
	buf_adds(page->out, "<div class=\"wide\"><table><thead><tr>");
	for (int i = 0; i < page_columns(table); i++)
		buf_addf(page->out, "<th%s>%s</th>",
			 table->columns[i].kind < PAGE_WORDS ? " class=\"num\"" : "",
			 table->columns[i].name);
	buf_adds(page->out, "</tr></thead><tbody>\n");
}

/* A share with its bar. */
static void add_share(struct buf *out, const struct page_cell *cell)
{
	char text[UNITS_MAX];
	double part = cell->whole > 0 ? 100.0 * (double)cell->ns / (double)cell->whole : 0;

	units_percent(cell->ns, cell->whole, text);
	part = part < 0 ? 0 : part > 100 ? 100 : part;
	buf_addf(out, "<td class=\"num bar\" data-v=\"%" PRId64 "\" style=\"--w:%.1f%%\">%s",
		 cell->whole > 0 ? cell->ns : -1, part, text);
}

/* Short text; a plain number is sorted as such. */
static void add_number(struct buf *out, const char *text)
{
	buf_adds(out, "<td class=\"num\"");
	if (text[strspn(text, "0123456789 ")] == '\0') {
		buf_adds(out, " data-v=\"");
		for (; *text; text++)
			if (*text != ' ')
				buf_addc(out, *text);
		buf_addc(out, '"');
	}
	buf_adds(out, ">");
}

static void add_cell(struct page *page, enum page_kind kind, const struct page_cell *cell)
{
	struct buf *out = page->out, name = { 0 };
	char text[UNITS_MAX];

	switch (kind) {
	case PAGE_NUMBER:
		add_number(out, cell->text);
		markup_text(out, cell->text, strlen(cell->text));
		break;
	case PAGE_TIME:
		profile_value(page->g->profile, cell->ns, text);
		buf_addf(out, "<td class=\"num\" data-v=\"%" PRId64 "\">%s", cell->ns, text);
		break;
	case PAGE_SHARE:
		add_share(out, cell);
		break;
	case PAGE_WORDS:
		buf_adds(out, "<td>");
		if (cell->lane)
			page_lane_name(page, cell->lane, NAME_CELLS, &name);
		else
			buf_add(&name, cell->text, cell->len);
		page_html_text(out, buf_text(&name), name.len, false);
		break;
	case PAGE_PACKAGE:
	case PAGE_NAME:
	case PAGE_PATH:
		buf_adds(out, "<td class=\"name\">");
		page_html_text(out, cell->text, cell->len, kind == PAGE_PATH);
		break;
	}
	buf_adds(out, "</td>");
	buf_done(&name);
}

static void html_row(struct page *page, const struct page_table *table,
		     const struct page_cell *cells)
{
	buf_adds(page->out, "<tr>");
	for (int i = 0; i < page_columns(table); i++)
		add_cell(page, table->columns[i].kind, &cells[i]);
	buf_adds(page->out, "</tr>\n");
}

static void html_gap(struct page *page, const struct page_table *table, const char *text)
{
	buf_addf(page->out, "<tr class=\"gap\"><td colspan=\"%d\">", page_columns(table));
	markup_text(page->out, text, strlen(text));
	buf_adds(page->out, "</td></tr>\n");
}

static void html_end(struct page *page, const struct page_table *table)
{
	if (page->n_rows == 0)
		html_gap(page, table, "none");
	buf_adds(page->out, "</tbody></table></div>\n");
}

static void html_note(struct page *page, const char *text)
{
	add_paragraph(page, "more", text, strlen(text));
}

const struct page_form page_html = {
	.cells = PAGE_NO_LIMIT,
	.has_all = true,
	.lines = html_lines,
	.section = html_section,
	.item = html_item,
	.begin = html_begin,
	.row = html_row,
	.gap = html_gap,
	.end = html_end,
	.remark = html_note,
	.note = html_note,
};
