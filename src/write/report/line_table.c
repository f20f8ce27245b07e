/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Texts are those that the source pane shows. Blanks at both ends are left out, and so is what
 * follows the first CHARS_MOST characters. */
#include "config.h"

#include "write/report/line_table.h"

#include "base/text.h"
#include "model/source_text.h"
#include "write/report/csv_cell.h"
#include "write/report/json_out.h"

#include <stdlib.h>
#include <string.h>

#define CHARS_MOST 200
#define PLACE_CELLS 30

bool line_table_is_wanted(const struct report_options *options)
{
	return strcmp(report_csv_word(options->table), "lines") == 0;
}

static bool is_blank(char c)
{
	return c == ' ' || c == '\t';
}

/* The text of a line; empty: there is none. Valid until the next text is asked for. */
static struct str find_text(const struct gathered *g, const struct hot_line *line)
{
	const struct source_host *host = g->options->sources;
	const struct source_text *text;
	struct source_wanted wanted;
	struct str s = { "", 0 };
	const char *end;

	if (!host || !g->n_originals ||
	    !source_text_wanted(g->scoped->original, line->frame, g->originals[0]->input, &wanted))
		return s;
	wanted.is_plain = true;
	text = host->read(host->ctx, &wanted);
	if (!text || !text->is_found)
		return s;
	s = source_text_line(text, (size_t)line->line - 1);
	while (s.len && is_blank(s.p[0])) {
		s.p++;
		s.len--;
	}
	end = s.p;
	for (int i = 0; i < CHARS_MOST && end < s.p + s.len; i++)
		text_next(&end, s.p + s.len);
	s.len = (size_t)(end - s.p);
	while (s.len && is_blank(s.p[s.len - 1]))
		s.len--;
	return s;
}

void line_table_cell(const struct gathered *g, const struct hot_line *line, struct buf *out)
{
	struct str s = find_text(g, line);

	buf_addc(out, ',');
	csv_cell_text(out, s.p, s.len, g->options->is_raw_csv);
}

void line_table_member(const struct gathered *g, const struct hot_line *line, struct buf *out)
{
	struct str s = { "", 0 };

	if (!line_table_is_wanted(g->options))
		return;
	s = find_text(g, line);
	buf_adds(out, ", \"text\": ");
	if (s.len)
		json_out_text(out, s.p, s.len);
	else
		buf_adds(out, "null");
}

static const struct page_table table = {
	.title = "hottest lines: about, by V8's ticks",
	.columns = { { "About", PAGE_TIME, 0, 10 },
		     { "Location", PAGE_PATH, 2, PLACE_CELLS },
		     { "Text", PAGE_NAME, 2, 0 } },
};

static void add_row(struct page *page, const struct hot_line *line)
{
	const struct profile *p = page->g->scoped->original;
	struct frame place = *profile_frame(p, line->frame);
	struct buf where = { 0 }, text = { 0 };
	struct str s = find_text(page->g, line);

	place.line = line->line;
	place.column = 0;
	profile_location(p, &place, false, &where);
	/* A blank for each tab. */
	for (size_t i = 0; i < s.len; i++)
		buf_addc(&text, s.p[i] == '\t' ? ' ' : s.p[i]);
	page_row(page, &table,
		 (struct page_cell[]){ { .ns = line->about_ns },
				       { .text = buf_text(&where), .len = where.len },
				       { .text = buf_text(&text), .len = text.len } });
	buf_done(&where);
	buf_done(&text);
}

void line_table_page(struct page *page)
{
	const struct gathered *g = page->g;
	struct hot_line *list;
	size_t n = summary_lines(g->scoped->original, g->originals, g->n_originals,
				 g->options->scope.t0, g->options->scope.t1, &list),
	       shown = 0, more = 0;

	if (n)
		page_begin(page, &table);
	else
		page->form->remark(
			page, "no lines: the profile does not say on which lines time was spent");
	for (size_t i = 0; i < n; i++) {
		if (!gather_has_row(g, list[i].frame))
			continue;
		if (shown == (size_t)g->options->top) {
			more++;
			continue;
		}
		shown++;
		add_row(page, &list[i]);
	}
	if (n)
		page_end(page, &table, more, "line", "lines");
	free(list);
}
