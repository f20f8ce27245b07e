/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The page of a file without samples and slices: what it has instead. */
#ifndef FLAMETTY_REPORT_PAGE_EVENTS_H
#define FLAMETTY_REPORT_PAGE_EVENTS_H

#include "write/report/page.h"

/* Append the files, the numbers of marks, async spans and counters in the scope, the lanes, the
 * first marks, and the threads and processes that only have names. */
void page_events(struct page *page);

#endif
