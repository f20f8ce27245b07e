/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Texts are those that the source pane shows. Blanks at both ends are left out, and so is what
 * follows the first CHARS_MOST characters. */
#include "config.h"

#include "report/line_table.h"

#include "base/text.h"
#include "base/units.h"
#include "model/source_text.h"
#include "report/csv_cell.h"
#include "report/json_out.h"
#include "report/page.h"

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

/* The text in visible form, with a blank for each tab. */
static void add_text(struct buf *out, struct str s)
{
	struct buf text = { 0 };

	buf_add(&text, s.p, s.len);
	for (size_t i = 0; i < text.len; i++)
		if (text.data[i] == '\t')
			text.data[i] = ' ';
	text_fit(out, buf_text(&text), text.len, PAGE_CELLS - 12 - PLACE_CELLS - 2);
	buf_done(&text);
}

static void add_row(const struct gathered *g, const struct hot_line *line, struct buf *out)
{
	const struct profile *p = g->scoped->original;
	struct frame place = *profile_frame(p, line->frame);
	struct buf text = { 0 }, fit = { 0 };

	place.line = line->line;
	place.column = 0;
	page_time(out, line->about_ns);
	profile_location(p, &place, false, &text);
	text_fit_end(&fit, buf_text(&text), text.len, PLACE_CELLS);
	buf_adds(out, "  ");
	page_cell(out, buf_text(&fit), fit.len, PLACE_CELLS);
	buf_adds(out, "  ");
	add_text(out, find_text(g, line));
	while (out->len && out->data[out->len - 1] == ' ')
		out->data[--out->len] = '\0';
	buf_addc(out, '\n');
	buf_done(&text);
	buf_done(&fit);
}

void line_table_page(const struct gathered *g, struct buf *out)
{
	struct hot_line *list;
	size_t n = summary_lines(g->originals, g->n_originals, &list), shown = 0, more = 0;

	buf_adds(out,
		 n ? "\nhottest lines of the whole recording: about, from V8's ticks\n"
		   : "\nno lines: the profile does not say on which lines time was spent\n");
	for (size_t i = 0; i < n; i++) {
		if (!gather_has_row(g, list[i].frame))
			continue;
		if (shown == (size_t)g->options->top) {
			more++;
			continue;
		}
		shown++;
		add_row(g, &list[i], out);
	}
	page_more(out, more, "line", "lines");
	free(list);
}
