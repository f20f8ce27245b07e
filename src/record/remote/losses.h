/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a recording misses, in words. What may happen thousands of times is counted. */
#ifndef FLAMETTY_REMOTE_LOSSES_H
#define FLAMETTY_REMOTE_LOSSES_H

#include "base/buf.h"

#include <stdint.h>

/* A zeroed struct: nothing is missing. */
struct losses {
	uint64_t n_workers; /* that ended while they were recorded */
	uint64_t n_ended;   /* bridges (slice_thread.c) that the program ended too early */
};

/* Count a worker that ended `ns` after the recording began. Appends a line to `line`, without a
 * newline, for the first LOSSES_NAMED of them. */
#define LOSSES_NAMED 5
void losses_add_worker(struct losses *l, int tid, const char *title, int64_t ns, struct buf *line);

/* Append what was counted and not told yet: the other workers, and the slices. Nothing is appended
 * if there were none. */
void losses_workers(const struct losses *l, struct buf *line);
void losses_slices(const struct losses *l, struct buf *line);

#endif
