/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The first and the last part of the page: what it is about, and what was wrong with the files. */
#ifndef FLAMETTY_WRITE_REPORT_PAGE_HEADER_H
#define FLAMETTY_WRITE_REPORT_PAGE_HEADER_H

#include "write/report/page.h"

/* The files, the lanes, the scope, and how the time was spent. */
void page_header(struct page *page);

/* The warnings and notes about the files; nothing if there are none. */
void page_header_warnings(struct page *page);

#endif
