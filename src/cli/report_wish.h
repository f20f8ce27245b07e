/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the options ask of a report, and the texts of lines for it. */
#ifndef FLAMETTY_REPORT_WISH_H
#define FLAMETTY_REPORT_WISH_H

#include "cli/run.h"
#include "model/source_text.h"
#include "write/report/report.h"

struct report_wish {
	struct report_options options; /* with an empty scope */
	struct source_reader *sources;
	struct source_host host;
};

/* The run must outlive the wish, which must not be moved. */
void report_wish_find(const struct run *run, struct report_wish *wish);
void report_wish_done(struct report_wish *wish);

#endif
