/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The tables of the page, each with its section. Those that would be empty are left out. */
#ifndef FLAMETTY_REPORT_PAGE_TABLES_H
#define FLAMETTY_REPORT_PAGE_TABLES_H

#include "base/json/json_writer.h"
#include "model/profile.h"
#include "write/report/page.h"

/* One line per lane, busiest first. */
void page_tables_lanes(struct page *page);

/* The files: how often each was sampled, how long, how much is in it. */
void page_tables_inputs(struct page *page);

/* The first functions in this order. */
void page_tables_functions(struct page *page, enum rows_sort sort);

/* The heaviest stack (summary.h). */
void page_tables_stack(struct page *page);

/* Self time by category and by package. */
void page_tables_shares(struct page *page);

/* Self time of slices by event category; where there are samples, the page is about them. */
void page_tables_event_cats(struct page *page);

/* Whether the user asked for it. */
bool line_table_is_wanted(const struct report_options *options);

/* Append the text of a line as one more cell of CSV, with its comma; empty: there is no text. */
void line_table_cell(const struct gathered *gathered, const struct hot_line *line, struct buf *out);

/* Write the text of a line as the member `text`, which may be null, if the user asked for it. */
void line_table_member(const struct gathered *gathered, const struct hot_line *line,
		       struct json_writer *w);

/* Append the table to a page. */
void line_table_page(struct page *page);

struct input_sums {
	uint32_t n_lanes;    /* without joined lanes */
	int64_t interval_ns; /* average distance of its samples; 0: unknown */
	int64_t duration_ns; /* from the first start of its lanes to the last end */
	uint64_t n_nodes, n_samples;
	int64_t t0, t1;
};

/* The sums of all inputs, by input. The caller frees them. */
struct input_sums *input_sums_new(const struct profile *profile);

#endif
