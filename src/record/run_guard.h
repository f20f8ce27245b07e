/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A second process of `flametty run`, in the group of the first. It knows which signals went to the
 * whole group, so to the command, too; and when the first one has ended, however that was, it
 * removes the folder of the run. */
#ifndef FLAMETTY_RECORD_RUN_GUARD_H
#define FLAMETTY_RECORD_RUN_GUARD_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#define RUN_GUARD_SIGNALS 4

struct run_guard {
	int to, from; /* pipes; -1: there is no guard */
	pid_t pid;
	uint32_t n_seen[RUN_GUARD_SIGNALS]; /* by the guard, and not asked for yet */
	uint32_t n_open;                    /* questions without an answer */
};

/* Start it, before there are threads. folder: see run_command.h. Without one, signals count as sent
 * to this process alone. */
void run_guard_start(struct run_guard *guard, const char *folder);

/* Whether the group got this signal when this process did. Waits a moment. Call it for each signal
 * that this process takes, so that no other one is mistaken for it; the signals are blocked. */
bool run_guard_saw(struct run_guard *guard, int number);

/* End it. is_kept: the profiles in the folder stay. A zeroed struct is left alone. */
void run_guard_stop(struct run_guard *guard, bool is_kept);

#endif
