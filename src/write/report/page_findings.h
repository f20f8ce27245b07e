/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The findings in reports. */
#ifndef FLAMETTY_REPORT_PAGE_FINDINGS_H
#define FLAMETTY_REPORT_PAGE_FINDINGS_H

#include "write/report/page.h"

/* Append the section; nothing if there are no findings, or if calls are grouped by something else
 * than functions. Returns whether they say more than that there are few samples. */
bool page_findings(struct page *page);

/* Append the section of what stands out, for pages without findings. */
void page_findings_standouts(struct page *page);

#endif
