/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What stands on the page, from its header to the warnings. */
#ifndef FLAMETTY_WRITE_REPORT_PAGE_BODY_H
#define FLAMETTY_WRITE_REPORT_PAGE_BODY_H

#include "write/report/page.h"

/* The page about what was gathered, with findings unless the user asked for lines. */
void page_body(struct page *page);

#endif
