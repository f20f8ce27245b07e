/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Processes whose command line matches a pattern, as they come: for --command-line. */
#ifndef FLAMETTY_WATCH_FIND_H
#define FLAMETTY_WATCH_FIND_H

#include "analyse/pattern.h"

#include <stdint.h>
#include <sys/types.h>

struct watch_find_seen;

struct watch_find {
	struct pattern *pattern; /* borrowed */
	struct watch_find_seen *seen;
	size_t n, cap;
};

/* Look for the next JavaScript process that matches, and that was not returned before, or is to be
 * tried again; 0: there is none. now_ns: of clock_ns(). is_new: it was not returned before. */
pid_t watch_find_next(struct watch_find *find, int64_t now_ns, bool *is_new);

/* A process is watched already, and not to be returned. */
void watch_find_know(struct watch_find *find, pid_t pid);

/* Return a process again at this time, if it is still there. */
void watch_find_again(struct watch_find *find, pid_t pid, int64_t at_ns);

void watch_find_done(struct watch_find *find);

#endif
