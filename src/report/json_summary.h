/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The JSON report's summary of all lanes in scope, the same figures as the text page has. */
#ifndef FLAMETTY_REPORT_JSON_SUMMARY_H
#define FLAMETTY_REPORT_JSON_SUMMARY_H

#include "report/report.h"

/* The members "scope" and "summary", with a comma behind each. */
void json_summary(struct buf *out, const struct scoped *scoped,
		  const struct report_options *options);

#endif
