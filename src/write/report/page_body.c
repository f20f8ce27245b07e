/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What was recorded and how the time was spent, the findings (of slices, what stands out), self
 * time by category and package, the heaviest functions, the heaviest stack, and the warnings about
 * the files. Several lanes share one page, with a table of the lanes. A truncated list says so. */
#include "config.h"

#include "write/report/page_body.h"

#include "write/report/gates.h"
#include "write/report/line_table.h"
#include "write/report/page_events.h"
#include "write/report/page_findings.h"
#include "write/report/page_header.h"
#include "write/report/page_slices.h"
#include "write/report/page_tables.h"

void page_body_gather(struct gathered *g, const struct scoped *scoped,
		      const struct report_options *options)
{
	if (line_table_is_wanted(options))
		gather_init(g, scoped, options);
	else
		gather_init_findings(g, scoped, options);
}

void page_body_begin(struct page *page)
{
	if (!page->g->n_lanes) {
		page_events(page);
		gates_page(page);
		return;
	}
	page_header(page);
	gates_page(page);
	if (!line_table_is_wanted(page->g->options) && !page_findings(page))
		page_findings_standouts(page);
}

static void add_functions(struct page *page)
{
	const struct report_options *o = page->g->options;
	bool is_one = o->is_sorted || page->form->has_all;
	enum rows_sort sort = o->is_sorted ? o->sort : ROWS_BY_SELF;

	if (is_one) {
		page_tables_functions(page, sort);
		return;
	}
	page_tables_functions(page, ROWS_BY_SELF);
	page_tables_functions(page, ROWS_BY_TOTAL);
}

void page_body_tables(struct page *page)
{
	if (!page->g->n_lanes)
		return;
	if (line_table_is_wanted(page->g->options)) {
		line_table_page(page);
		return;
	}
	if (page->g->n_originals > 1)
		page_tables_lanes(page);
	page_slices(page);
	if (!page->form->has_all && page->g->scoped->original->n_inputs > 1)
		page_tables_inputs(page);
	page_tables_shares(page);
	page_tables_event_cats(page);
	add_functions(page);
	page_tables_stack(page);
}

void page_body(struct page *page)
{
	page_body_begin(page);
	page_body_tables(page);
	page_header_warnings(page);
}
