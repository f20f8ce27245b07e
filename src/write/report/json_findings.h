/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The findings in the JSON report. */
#ifndef FLAMETTY_REPORT_JSON_FINDINGS_H
#define FLAMETTY_REPORT_JSON_FINDINGS_H

#include "write/report/gather.h"

/* Append `"findings": [...],`. */
void json_findings(struct buf *out, const struct gathered *g);

#endif
