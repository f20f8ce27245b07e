/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The part of the JSON report about all lanes: the same figures as the text report has. */
#ifndef FLAMETTY_REPORT_JSON_SUMMARY_H
#define FLAMETTY_REPORT_JSON_SUMMARY_H

#include "write/report/report.h"

/* Append the members "scope" and "summary", with a comma after each. */
void json_summary(struct buf *out, const struct scoped *scoped,
		  const struct report_options *options);

#endif
