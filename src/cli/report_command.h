/* SPDX-License-Identifier: GPL-2.0-or-later */
/* flametty report, and what the options ask of a report, with the texts of lines for it. */
#ifndef FLAMETTY_CLI_REPORT_COMMAND_H
#define FLAMETTY_CLI_REPORT_COMMAND_H

#include "cli/run.h"
#include "model/source_text.h"
#include "write/report/report.h"

struct report_args {
	struct report_options options; /* with an empty scope */
	struct jobs *sources;
	struct source_host host;
};

/* The run must outlive the arguments, which must not be moved. */
void report_args_find(const struct run *run, struct report_args *args);
void report_args_done(struct report_args *args);

/* Print the report on the loaded profile, and print the results of the gates. */
void report_command(struct run *run);

#endif
