/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The second processor, for work that shares nothing but a counter of what is left. */
#ifndef FLAMETTY_BASE_PARALLEL_H
#define FLAMETTY_BASE_PARALLEL_H

#include <stddef.h>

/* Run work(ctx) here and, where a thread is to be had, on a second one at the same time; returns
 * when both have. The second takes no signals. work() has to get along alone. */
void parallel_run(void (*work)(void *ctx), void *ctx);

/* The same for `n` items that have nothing to do with each other: work(ctx, from, end) is called
 * for chunks of them, in no order. Few items are not worth a second thread. */
void parallel_chunks(size_t n, void (*work)(void *ctx, size_t from, size_t end), void *ctx);

#endif
