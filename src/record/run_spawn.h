/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Starts a command so that the JavaScript processes of it record themselves. */
#ifndef FLAMETTY_RUN_SPAWN_H
#define FLAMETTY_RUN_SPAWN_H

#include "base/error.h"

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

struct run_spawn {
	char **arguments;    /* of the command; NULL after the last */
	const char *preload; /* path of the script of run_place.h; NULL: Node.js is not recorded */
	const char *folder;  /* of the run, with the script of run_hook.h */
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
pid_t run_spawn(const struct run_spawn *spawn, int *status, struct error *err);

#endif
