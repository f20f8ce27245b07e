/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The versions of runtimes, by texts in their programs: nothing is run, and no process is asked. A
 * version that is not certain is not reported. */
#ifndef FLAMETTY_RECORD_REMOTE_VERSIONS_H
#define FLAMETTY_RECORD_REMOTE_VERSIONS_H

#include "record/remote/process.h"

#include <stddef.h>

/* The programs that were read; zeroed: none. Processes of one program have it read once. */
struct versions {
	struct versions_program *list;
	size_t n, cap;
};

static inline void versions_done(struct versions *v)
{
	free(v->list);
}

/* The version of Node.js, Deno or Bun that a process runs, such as `20.20.2`; "": not known.
 * proc: as for process_read(). Borrowed until the next call. */
const char *versions_find(struct versions *v, const char *proc, const struct process *process);

#endif
