/* SPDX-License-Identifier: GPL-2.0-or-later */
/* `flametty run -- COMMAND`: profiles of all JavaScript processes that a command starts. */
#ifndef FLAMETTY_RECORD_RUN_COMMAND_H
#define FLAMETTY_RECORD_RUN_COMMAND_H

#include "cli/run.h"

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#define RUN_GUARD_SIGNALS 4

/* A second process of `flametty run`, in the group of the first. It knows which signals went to the
 * whole group, so to the command, too; and when the first one has ended, however that was, it
 * removes the folder of the run. */
struct run_guard {
	int to, from; /* pipes; -1: there is no guard */
	pid_t pid;
	uint32_t n_seen[RUN_GUARD_SIGNALS]; /* by the guard, and not asked for yet */
	uint32_t n_open;                    /* questions without an answer */
};

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

#endif
