/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which processes a command starts: looked for in /proc while it runs, often enough to see each one
 * of Node.js, which takes 30 ms to start. Linux only. */
#ifndef FLAMETTY_RECORD_CHILD_WATCH_H
#define FLAMETTY_RECORD_CHILD_WATCH_H

#include "record/run_tally.h"

struct run_seen;

struct child_watch {
	pid_t child;         /* the command */
	const char *notes;   /* folder of the notes */
	const char *preload; /* what NODE_OPTIONS have in them; NULL: nothing */
	const char *folder;  /* the value of FLAMETTY_RUN */
	struct run_tally *tally;
	struct run_seen *seen; /* the tree of processes, sorted by pid */
	size_t n, cap;
	int64_t next_ns;    /* when to look again */
	int64_t threads_ns; /* when to look for the children of other threads than the first */
};

static inline void child_watch_done(struct child_watch *watch)
{
	free(watch->seen);
}

/* Look at the processes, if it is time. Returns the nanoseconds to the next time. */
int64_t child_watch_look(struct child_watch *watch);

/* Whether processes that record themselves are still there. */
bool child_watch_has_living(const struct child_watch *watch);

/* Whether all these stay: each has written a chunk, and had nothing to do for some time. To be
 * called every few milliseconds. */
bool child_watch_is_settled(struct child_watch *watch);

#endif
