/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Work passed on to a second thread: the caller fills the items of a small ring, the thread works
 * on them in that order, so that two steps of one job go on at the same time.
 *
 * Threads: all functions here are for one thread, the caller's. What `work` uses besides the items
 * is the second thread's from pipeline_start() until pipeline_drain() or pipeline_stop() has
 * returned. It gets no signals. */
#ifndef FLAMETTY_BASE_PIPELINE_H
#define FLAMETTY_BASE_PIPELINE_H

#include <stdbool.h>

#define PIPELINE_ITEMS 3u /* one that is worked on, one that waits, one that is filled */

struct pipeline;

/* work: called with the number of an item, below PIPELINE_ITEMS; returns false when it has no use
 * for any more. Returns NULL when there can be no thread. */
struct pipeline *pipeline_start(bool (*work)(void *ctx, unsigned item), void *ctx);

/* The item to be filled next: waits until it is free. Those passed on before the last two are
 * worked off. */
unsigned pipeline_next(struct pipeline *r);

/* Pass it on. Returns false when there is no use for more. */
bool pipeline_pass(struct pipeline *r);

/* Wait until all that was passed on is worked off. */
void pipeline_drain(struct pipeline *r);

/* The same, and end the thread. NULL: nothing. */
void pipeline_stop(struct pipeline *r);

#endif
