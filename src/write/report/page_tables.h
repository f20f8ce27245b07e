/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The tables of the page, each with its section. Those that would be empty are left out. */
#ifndef FLAMETTY_REPORT_PAGE_TABLES_H
#define FLAMETTY_REPORT_PAGE_TABLES_H

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

#endif
