/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The part of the JSON report about all lanes: the same figures as the text report has. */
#ifndef FLAMETTY_REPORT_JSON_SUMMARY_H
#define FLAMETTY_REPORT_JSON_SUMMARY_H

#include "base/json/json_writer.h"
#include "write/report/report.h"

/* Write the members findings, labels, scope and summary. */
void json_summary(struct json_writer *w, const struct scoped *scoped,
		  const struct report_options *options);

#endif
