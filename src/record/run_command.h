/* SPDX-License-Identifier: GPL-2.0-or-later */
/* `flametty run -- COMMAND`: profiles of all JavaScript processes that a command starts. */
#ifndef FLAMETTY_RECORD_RUN_COMMAND_H
#define FLAMETTY_RECORD_RUN_COMMAND_H

#include "cli/run.h"
#include "record/run_guard.h"

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

struct run_command {
	char *folder;   /* of our own, with the script and the notes; NULL: none */
	char *profiles; /* folder of the profiles: within `folder`, or the user's */
	bool is_own;    /* the profiles are in `folder` */
	bool is_kept;   /* and stay there */
	char **files;   /* the profiles that were written */
	int n_files;
	void (*sigpipe)(int), (*sigxfsz)(int); /* what the command does on these signals */
	int status;                            /* the exit status of the command */
	struct run_guard guard;                /* removes the folder */
	int signal;                            /* the signal that ended the command; 0: none */
};

/* Run the command that the arguments are, to its end. Then the arguments of `run` are the profiles.
 * Returns false if there is nothing to open; the user was told why. */
bool run_command_record(struct run *run, struct run_command *command);

/* Remove files that the user did not ask for, and end as the command has ended: with its exit
 * status, unless something else failed, or by the same signal. A zeroed struct is left alone. */
void run_command_done(struct run *run, struct run_command *command);

/* Remove the folder; is_kept: all but the profiles in it. */
void run_folder_clear(const char *folder, bool is_kept);

#endif
