/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What stands on the page, from its header to the warnings. */
#ifndef FLAMETTY_REPORT_PAGE_BODY_H
#define FLAMETTY_REPORT_PAGE_BODY_H

#include "report/page.h"

void page_body(struct page *page);

#endif
