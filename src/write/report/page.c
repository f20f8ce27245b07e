/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What is the same in all forms. */
#include "config.h"

#include "write/report/page.h"

#include "base/buf.h"
#include "base/text.h"
#include "base/units.h"
#include "model/profile.h"
#include "write/report/gather.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#define PAGE_CELLS 100    /* longest line of text, unless the form is narrower */
#define PAGE_NO_LIMIT 999 /* cells of the lines of forms that are not wrapped */

/* The number of columns of a table. */
static int page_columns(const struct page_table *table)
{
	int n = 0;

	while (n < PAGE_COLUMNS && table->columns[n].name)
		n++;
	return n;
}

/* Append the name of a lane in at most `room` cells. */
static void page_lane_name(const struct page *page, const struct lane *lane, int room,
			   struct buf *out)
{
	const struct scoped *scoped = page->g->scoped;

	lane_name_fit(scoped->original, scoped_original(scoped, lane), room, out);
}

/* ==== page text ====
 *
 * The page as text. Columns have a fixed width, and the last one that is not empty takes the rest
 * of the line. Sentences are wrapped: no number in them is lost. */

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
static size_t word_text(const char *text)
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

/* Append a text as lines of at most form->cells cells, broken at blanks. The first line begins with
 * `indent` blanks, the others with two more. */
static void text_item(struct page *page, int level, const char *text, size_t len)
{
	int indent = level == 1 ? 2 : 6, col = indent, cells = page->form->cells;
	struct buf *out = page->out;
	BUF_LOCAL own = { 0 };
	bool is_start = true;

	buf_add(&own, text, len);
	text = buf_text(&own);
	buf_addf(out, "%*s", indent, "");
	while (*text) {
		size_t length = word_text(text);

		if (!is_start && col + 1 + text_cells(text, length) > cells) {
			buf_addf(out, "\n%*s", indent + 2, "");
			col = indent + 2;
			is_start = true;
		}
		if (!is_start)
			buf_addc(out, ' ');
		col += !is_start + text_fit(out, text, length, cells - col - !is_start);
		is_start = false;
		text += length;
		text += *text == ' ';
	}
	buf_addc(out, '\n');
}

static void text_begin(struct page *page, const struct page_table *table)
{
	text_section(page, table->title, table->note);
	if (table->heading)
		buf_addf(page->out, "%s\n", table->heading);
}

/* A number that fills its column or is wider has a blank in front of it, too. */
static void add_right(struct buf *out, const char *text, int width)
{
	int cells = text_cells(text, strlen(text));

	if (cells >= width && out->len && !strchr(" \n", out->data[out->len - 1]))
		buf_addc(out, ' ');
	for (; cells < width; cells++)
		buf_addc(out, ' ');
	buf_adds(out, text);
}

/* The text of a cell that is not of text. */
static const char *number_of(const struct page *page, enum page_kind kind,
			     const struct page_cell *cell, char out[UNITS_MAX])
{
	return kind == PAGE_TIME     ? profile_value(page->g->profile, cell->ns, out)
		: kind == PAGE_SHARE ? units_percent(cell->ns, cell->whole, out)
				     : cell->text;
}

static bool is_text(enum page_kind kind)
{
	return kind >= PAGE_WORDS;
}

/* Append a cell of text, truncated to `width` cells; returns how many it has. */
static int add_cell(const struct page *page, const struct page_column *column,
		    const struct page_cell *cell, int width)
{
	BUF_LOCAL name = { 0 };
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
	return used;
}

static void text_row(struct page *page, const struct page_table *table,
		     const struct page_cell *cells)
{
	int n = page_columns(table), col = 0;

	while (n > 0 && is_text(table->columns[n - 1].kind) && !cells[n - 1].lane &&
	       !cells[n - 1].len)
		n--;
	for (int i = 0; i < n; i++) {
		const struct page_column *c = &table->columns[i];
		bool has_rest = i == n - 1 && (c->kind == PAGE_NAME || c->width == 0);
		int width = has_rest ? page->form->cells - col - c->gap : c->width, used = c->width;

		buf_addf(page->out, "%*s", c->gap, "");
		if (is_text(c->kind))
			used = add_cell(page, c, &cells[i], width);
		else
			add_right(page->out, number_of(page, c->kind, &cells[i], UNITS_ROOM),
				  c->width);
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

/* ==== markdown ====
 *
 * Nothing inside a code span is markup, except for two things: backticks, which end it, and in a
 * table the bar, which ends the cell. Text with one of these is an element <code> instead, in which
 * all punctuation is written as character references. References never become markup. */

/* What can be markup within a word. A slash or a colon can be that of a URL. */
#define SPECIAL "`*_[]<>|\\~#@$&:/!{}^"

/* What can be markup at the start of a line, too. */
#define STARTS "+-=>#"
#define ENDS ".,;:!?)\"'"

/* The text is visible. */
static void add_code(struct buf *out, const char *text, size_t len)
{
	bool is_plain = !memchr(text, '`', len) && !memchr(text, '|', len);

	if (len == 0)
		return;
	if (!is_plain) {
		buf_adds(out, "<code>");
		for (size_t i = 0; i < len; i++)
			if (ispunct((unsigned char)text[i]) && (unsigned char)text[i] < 0x80)
				buf_addf(out, "&#%d;", text[i]);
			else
				buf_addc(out, text[i]);
		buf_adds(out, "</code>");
		return;
	}
	buf_addc(out, '`');
	buf_add(out, text, len);
	buf_addc(out, '`');
}

void markdown_code(struct buf *out, const char *text, size_t len)
{
	BUF_LOCAL visible = { 0 };

	text_visible(&visible, text, len);
	add_code(out, buf_text(&visible), visible.len);
}

static bool is_special(const char *word, size_t len)
{
	for (size_t i = 0; i < len; i++)
		if (strchr(SPECIAL, word[i]))
			return true;
	return len > 4 && strncmp(word, "www.", 4) == 0;
}

/* Whether a word at the start of a line makes something else of it, such as a list. */
static bool is_start_markdown(const char *word)
{
	size_t digits = strspn(word, "0123456789");

	return strchr(STARTS, word[0]) || (digits && (word[digits] == '.' || word[digits] == ')'));
}

static void add_word(struct buf *out, const char *word, size_t len, bool is_first)
{
	size_t own = len;

	/* The punctuation of the sentence around the word. */
	while (own && strchr(ENDS, word[own - 1]))
		own--;
	if (!is_special(word, own ? own : len) && !(is_first && is_start_markdown(word))) {
		buf_add(out, word, len);
		return;
	}
	own = own ? own : len;
	if (own > 1 && word[0] == '(') {
		buf_addc(out, '(');
		word++;
		own--;
		len--;
	}
	add_code(out, word, own);
	buf_add(out, word + own, len - own);
}

/* Append a sentence. Words that could be markup become code. Blanks between words become one. */
static void markdown_words(struct buf *out, const char *text, size_t len)
{
	BUF_LOCAL visible = { 0 };
	const char *word, *end;
	bool is_first = true;

	text_visible(&visible, text, len);
	for (word = buf_text(&visible); *word; word = *end ? end + 1 : end) {
		end = word + strcspn(word, " ");
		if (end == word)
			continue;
		buf_adds(out, is_first ? "" : " ");
		add_word(out, word, (size_t)(end - word), is_first);
		is_first = false;
	}
}

/* ==== page md ====
 *
 * The page as Markdown, for tickets and pull requests. Tables of functions have the headings of
 * those that Deno writes with --cpu-prof-md, in its order: a share stands before its time. */

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

static void add_cell_md(struct page *page, enum page_kind kind, const struct page_cell *cell)
{
	BUF_LOCAL text = { 0 };

	switch (kind) {
	case PAGE_NUMBER:
	case PAGE_TIME:
	case PAGE_SHARE:
		buf_adds(page->out, number_of(page, kind, cell, UNITS_ROOM));
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
}

static void md_row(struct page *page, const struct page_table *table, const struct page_cell *cells)
{
	int n = page_columns(table);

	for (int i = 0; i < n; i++) {
		int k = column_at(table, i);

		buf_adds(page->out, "| ");
		add_cell_md(page, table->columns[k].kind, &cells[k]);
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
	.has_ids = true,
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

/* ==== markup ====
 *
 * Characters, not bytes, are looked at, as bytes that are not UTF-8 must not reach the file. */

void markup_text(struct buf *out, const char *text, size_t len)
{
	const char *end = text + len;

	while (text < end) {
		const char *from = text;
		uint32_t cp = text_next(&text, end);

		if (cp == '<') {
			buf_adds(out, "&lt;");
		} else if (cp == '>') {
			buf_adds(out, "&gt;");
		} else if (cp == '&') {
			buf_adds(out, "&amp;");
		} else if (text_is_ill_formed(cp, from, text)) {
			buf_add_utf8(out, TEXT_REPLACEMENT);
		} else if (text_is_control(cp) && cp != '\n') {
			char seen[12];

			/* The visible form has < and >. XML permits few of these characters, and a
			 * viewer obeys others. */
			text_control(cp, seen);
			if (*seen == '<')
				buf_addf(out, "&lt;%.*s&gt;", (int)strlen(seen) - 2, seen + 1);
			else
				buf_adds(out, seen);
		} else {
			buf_add(out, from, (size_t)(text - from));
		}
	}
}

/* ==== page html ====
 *
 * The page as HTML: headings, paragraphs and tables. Cells have their exact value as data-v, for a
 * script that sorts; shares are drawn as bars, too. */

#define HTML_NAME_CELLS 120
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
	BUF_LOCAL fit = { 0 };

	if (is_path)
		text_fit_end(&fit, text, len, HTML_NAME_CELLS);
	else
		text_fit(&fit, text, len, HTML_NAME_CELLS);
	markup_text(out, buf_text(&fit), cut(buf_text(&fit), fit.len));
}

/* Sentences and lines are longer than names; their names were truncated by those who made them. */
static void add_paragraph(struct page *page, const char *name, const char *text, size_t len)
{
	BUF_LOCAL visible = { 0 };

	text_visible(&visible, text, len);
	buf_addf(page->out, "<p class=\"%s\">", name);
	markup_text(page->out, buf_text(&visible), visible.len);
	buf_adds(page->out, "</p>\n");
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
	double part = cell->whole > 0 ? 100.0 * (double)cell->ns / (double)cell->whole : 0;

	part = part < 0 ? 0 : part > 100 ? 100 : part;
	buf_addf(out, "<td class=\"num bar\" data-v=\"%" PRId64 "\" style=\"--w:%.1f%%\">%s",
		 cell->whole > 0 ? cell->ns : -1, part,
		 units_percent(cell->ns, cell->whole, UNITS_ROOM));
}

/* Short text; a plain number is sorted as such. */
static void add_number_html(struct buf *out, const char *text)
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

static void add_cell_html(struct page *page, enum page_kind kind, const struct page_cell *cell)
{
	struct buf *out = page->out;
	BUF_LOCAL name = { 0 };

	switch (kind) {
	case PAGE_NUMBER:
		add_number_html(out, cell->text);
		markup_text(out, cell->text, strlen(cell->text));
		break;
	case PAGE_TIME:
		buf_addf(out, "<td class=\"num\" data-v=\"%" PRId64 "\">%s", cell->ns,
			 profile_value(page->g->profile, cell->ns, UNITS_ROOM));
		break;
	case PAGE_SHARE:
		add_share(out, cell);
		break;
	case PAGE_WORDS:
		buf_adds(out, "<td>");
		if (cell->lane)
			page_lane_name(page, cell->lane, HTML_NAME_CELLS, &name);
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
}

static void html_row(struct page *page, const struct page_table *table,
		     const struct page_cell *cells)
{
	buf_adds(page->out, "<tr>");
	for (int i = 0; i < page_columns(table); i++)
		add_cell_html(page, table->columns[i].kind, &cells[i]);
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

/* ==== page ==== */

void page_more(struct page *page, size_t n, const char *one, const char *many)
{
	BUF_LOCAL text = { 0 };

	if (!n)
		return;
	buf_addf(&text, "\342\200\246 %zu more %s (--top=N)", n, n == 1 ? one : many);
	page->form->note(page, buf_text(&text));
}
