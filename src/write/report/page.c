/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What is the same in all forms. */
#include "config.h"

#include "write/report/page.h"

#include "model/lane_name.h"

#include <stdio.h>
#include <string.h>

void page_section(struct page *page, const char *title, const char *note)
{
	page->form->section(page, title, note);
}

void page_item(struct page *page, int level, const char *text, size_t len)
{
	page->form->item(page, level, text, len);
}

void page_begin(struct page *page, const struct page_table *table)
{
	page->n_rows = 0;
	page->form->begin(page, table);
}

void page_row(struct page *page, const struct page_table *table, const struct page_cell *cells)
{
	page->n_rows++;
	page->form->row(page, table, cells);
}

void page_gap(struct page *page, const struct page_table *table, const char *text)
{
	page->form->gap(page, table, text);
}

void page_more(struct page *page, size_t n, const char *one, const char *many)
{
	struct buf text = { 0 };

	if (!n)
		return;
	buf_addf(&text, "\342\200\246 %zu more %s (--top=N)", n, n == 1 ? one : many);
	page->form->note(page, buf_text(&text));
	buf_done(&text);
}

void page_end(struct page *page, const struct page_table *table, size_t n, const char *one,
	      const char *many)
{
	page->form->end(page, table);
	page_more(page, n, one, many);
}

struct page_cell page_string(const struct page *page, str_id id)
{
	const struct profile *p = page->g->profile;

	return (struct page_cell){ .text = profile_text(p, id),
				   .len = intern_len(&p->strings, id) };
}

struct page_cell page_short(const char *text)
{
	return (struct page_cell){ .text = text, .len = strlen(text) };
}

void page_id(uint32_t id, char text[UNITS_MAX])
{
	snprintf(text, UNITS_MAX, "%u", (unsigned)id);
}

int page_columns(const struct page_table *table)
{
	int n = 0;

	while (n < PAGE_COLUMNS && table->columns[n].name)
		n++;
	return n;
}

void page_lane_name(const struct page *page, const struct lane *lane, int room, struct buf *out)
{
	const struct scoped *scoped = page->g->scoped;

	lane_name_fit(scoped->original, scoped_original(scoped, lane), room, out);
}
