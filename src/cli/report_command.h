/* SPDX-License-Identifier: GPL-2.0-or-later */
/* flametty report, and what the options ask of a report, with the texts of lines for it; the gates
 * of the command line (--fail-if), and the exit status that they cause. */
#ifndef FLAMETTY_CLI_REPORT_COMMAND_H
#define FLAMETTY_CLI_REPORT_COMMAND_H

#include "analyse/gate/gate.h"
#include "cli/options.h"
#include "cli/run.h"
#include "model/source_text.h"
#include "write/report/report.h"

struct gate_options {
	struct gate gates[OPTION_STEPS_MAX];
	struct gate_result results[OPTION_STEPS_MAX]; /* of a report */
	size_t n;
};

/* Parse the gates of a report or, as changes, of a comparison into run->gates. False: wrong usage,
 * and the user was told. The caller ends them with gate_options_done(), also then. */
bool gate_options_find(struct run *run);
void gate_options_done(struct run *run);

/* Let the option about one function (--callers) choose the table and the rows. False: wrong usage,
 * and the user was told. */
bool report_command_ask(struct run *run);

/* A gate cannot be decided for this profile: tell the user why. */
void gate_options_refuse(struct run *run, const struct error *err);

/* Tell the user of the gates of a comparison that failed or are not decided, and set the exit
 * status. */
void gate_options_tell_changes(struct run *run, const struct compare *compare,
			       const struct gate_runs *gates);

struct report_args {
	struct report_options options; /* with an empty scope */
	struct jobs *sources;
	struct source_host host;
};

/* The run must outlive the arguments, which must not be moved. */
void report_args_find(const struct run *run, struct report_args *args);

static inline void report_args_done(struct report_args *args)
{
	jobs_free(args->sources);
}

/* Print the report on the loaded profile, and print the results of the gates. */
void report_command(struct run *run);

#endif
