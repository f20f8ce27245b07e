/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The findings in reports. */
#ifndef FLAMETTY_REPORT_PAGE_FINDINGS_H
#define FLAMETTY_REPORT_PAGE_FINDINGS_H

#include "report/gather.h"

/* Append the section of the text report; nothing if there are no findings, or if calls are
 * grouped by something else than functions. Returns whether they say more than that there are few
 * samples. */
bool page_findings(const struct gathered *g, struct buf *out);

#endif
