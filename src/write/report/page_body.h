/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What stands on the page, from its header to the warnings. */
#ifndef FLAMETTY_WRITE_REPORT_PAGE_BODY_H
#define FLAMETTY_WRITE_REPORT_PAGE_BODY_H

#include "write/report/page.h"

/* The page about what was gathered, with findings unless the user asked for lines. */
void page_body(struct page *page);

/* Append a page of Markdown within the number of bytes of the options, from what it is without. */
void report_brief(const struct gathered *gathered, const char *page, struct buf *out);

#endif
