/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Two-stage pipeline: the caller fills the items of a small ring, a worker thread processes them in
 * that order, so that two steps of one job run at the same time.
 *
 * Threads: all functions here are for the caller's thread. What `work` uses besides the items
 * belongs to the worker from pipeline_start() until pipeline_drain() or pipeline_stop() has
 * returned. The worker blocks signals. */
#ifndef FLAMETTY_BASE_PIPELINE_H
#define FLAMETTY_BASE_PIPELINE_H

#include <stdbool.h>

/* One being processed, one being filled, and four that wait: with those a thread seldom has to be
 * woken. */
#define PIPELINE_ITEMS 6u

struct pipeline;

/* Start the worker. work: called with the number of an item, below PIPELINE_ITEMS; returns false
 * when it wants no more items. help: called while there is no item, to do some of the caller's
 * work, until it returns false, and again after the next wait; NULL: there is no such work. Returns
 * NULL when no thread can be started. */
struct pipeline *pipeline_start(bool (*work)(void *ctx, unsigned item), bool (*help)(void *ctx),
				void *ctx);

/* The item to fill next. Waits until it is free. All items but the last PIPELINE_ITEMS - 1 that
 * were passed are processed by then. */
unsigned pipeline_next(struct pipeline *r);

/* Pass that item to the worker, which may wait for more items before it begins, until
 * pipeline_drain() at the latest. Returns false when `work` wants no more. */
bool pipeline_pass(struct pipeline *r);

/* Whether the worker has enough to do for some time, so that the caller should do what either of
 * them can do. */
bool pipeline_is_busy(struct pipeline *r);

/* Wait until the worker has processed all items that were passed. */
void pipeline_drain(struct pipeline *r);

/* The same, then end the thread and free the pipeline. NULL is allowed. */
void pipeline_stop(struct pipeline *r);

#endif
