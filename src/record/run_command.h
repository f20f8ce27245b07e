/* SPDX-License-Identifier: GPL-2.0-or-later */
/* `flametty run -- COMMAND`: profiles of all JavaScript processes that a command starts. */
#ifndef FLAMETTY_RUN_COMMAND_H
#define FLAMETTY_RUN_COMMAND_H

#include "base/buf.h"
#include "base/error.h"
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

struct run_hook {
	const char *folder;  /* of the run: see run_command.h */
	int64_t interval_us; /* between samples */
	int64_t heap_bytes;  /* between samples of what is allocated; 0: record time instead */
	int64_t most_bytes;  /* of the chunks that a thread keeps; 0: all */
};

/* Append the script, with the settings of this run. */
void run_hook_write(const struct run_hook *hook, struct buf *out);

/* Append a value of NODE_OPTIONS that loads the script at `path`. before: the value so far; NULL:
 * none. */
void run_hook_node_options(const char *path, const char *before, struct buf *out);

/* Append a value of BUN_OPTIONS by which Bun records itself. `folder`: where to, without blanks,
 * because Bun knows no way to quote them. before: as above. */
void run_hook_bun_options(const char *folder, int64_t interval_us, const char *before,
			  struct buf *out);

struct run_spawn {
	char **arguments;    /* of the command; NULL after the last */
	const char *preload; /* path of the script of run_place.h; NULL: Node.js is not recorded */
	const char *folder;  /* of the run, with the script of the run */
	const char *bun_folder;  /* of the profiles, absolute, by a path without blanks */
	int64_t interval_us;     /* between samples; 0: Bun and Deno do not record themselves */
	const sigset_t *signals; /* the mask of the command */
	/* What it does on these signals: SIG_DFL or SIG_IGN. */
	void (*sigchld)(int), (*sigpipe)(int), (*sigxfsz)(int);
};

/* The arguments with the options by which `deno run`, `deno eval` and `deno serve` record
 * themselves; other commands as they are. The caller frees the list, not the arguments; added ones
 * are in `texts`, which the caller frees, too. profiles: the folder; interval_us: as above. */
char **run_spawn_arguments(char **arguments, int n, const char *profiles, int64_t interval_us,
			   char *texts[2]);

/* Start it. Returns its pid; -1 and err if it cannot be started: then *status is the exit status
 * that shells have for that, 127 without such a command, and 126 otherwise. */
pid_t run_spawn(const struct run_spawn *spawn, int *status, struct error *err) MUST_USE;

#endif
