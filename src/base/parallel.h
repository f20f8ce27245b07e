/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A second processor for work that can be split into independent chunks. */
#ifndef FLAMETTY_BASE_PARALLEL_H
#define FLAMETTY_BASE_PARALLEL_H

#include <stddef.h>

/* Run work(ctx) on the calling thread and, when a thread can be started, on a second one at the
 * same time. Returns when both calls have returned. work() must be able to do everything alone. The
 * second thread blocks signals. */
void parallel_run(void (*work)(void *ctx), void *ctx);

/* Run own(ctx) on the calling thread and, when a thread can be started, other(ctx) on a second one
 * at the same time. Returns when they have returned. */
void parallel_pair(void (*own)(void *ctx), void (*other)(void *ctx), void *ctx);

/* The same as parallel_run() for `n` independent items: work(ctx, from, end) is called for chunks
 * of them, in any order. Few items are done on the calling thread alone. */
void parallel_chunks(size_t n, void (*work)(void *ctx, size_t from, size_t end), void *ctx);

#endif
