/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How much memory a process has gained while it is recorded: profiles that are not fetched yet lie
 * in its memory. */
#ifndef FLAMETTY_REMOTE_GROWTH_H
#define FLAMETTY_REMOTE_GROWTH_H

#include "record/remote/process.h"

#define GROWTH_MOST_KB ((int64_t)256 << 10)
#define GROWTH_LOOK_MS 1000    /* between two looks */
#define GROWTH_WITHIN_MS 60000 /* see growth_begin() */

struct growth {
	const char *proc;
	pid_t pid; /* 0: a process that cannot be looked at */
	bool is_by_minute;
	int64_t resident_kb; /* to compare with */
	int64_t resident_ns; /* when that was */
	int64_t looked_ns;
};

/* Begin with the memory that the process has now. is_by_minute: it may grow over hours by itself,
 * so only what it gains within GROWTH_WITHIN_MS counts. Times are those of clock_ns(). */
void growth_begin(struct growth *g, const char *proc, const struct process *process,
		  bool is_by_minute, int64_t now_ns);

/* Look again, at most every GROWTH_LOOK_MS. Returns the KB that the process has gained if they are
 * more than GROWTH_MOST_KB; otherwise 0. */
int64_t growth_look(struct growth *g, int64_t now_ns);

#endif
