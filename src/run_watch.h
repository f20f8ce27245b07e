/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the processes of a run do while it lasts: which of them run JavaScript without recording
 * themselves, and which do not come to handle a signal. */
#ifndef FLAMETTY_RUN_WATCH_H
#define FLAMETTY_RUN_WATCH_H

#include "remote/guard.h"
#include "remote/pending.h"
#include "run_tally.h"

/* A signal that a process has not handled so far. */
struct run_unhandled {
	pid_t pid;
	struct pending pending;
	int64_t since_ns;
	bool is_left; /* to the program, which handles it itself */
};

struct run_watch {
	pid_t child; /* the command */
	const char *notes;
	struct run_tally *tally;
	struct guard guard; /* started when it is needed */
	bool has_guard;
	struct run_unhandled *list;
	size_t n, cap;
};

/* Borrows its arguments. */
void run_watch_begin(struct run_watch *watch, pid_t child, const char *notes,
		     struct run_tally *tally);
void run_watch_done(struct run_watch *watch);

/* Look once. This may take seconds if a process has a signal that it does not handle: it is made to
 * write its profile, and ended. */
void run_watch_look(struct run_watch *watch);

/* Whether processes that record themselves are still there. */
bool run_watch_has_living(const struct run_watch *watch);

/* Send a signal to these. */
void run_watch_signal(const struct run_watch *watch, int signal);

/* Send SIGKILL to the command and to all that it has started. */
void run_watch_kill(const struct run_watch *watch);

#endif
