/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Work done ahead on a thread: it fills a few blocks, which the caller takes in order.
 *
 * Threads: `fill` runs on the thread, one call after the other, and nobody else may touch
 * what it works on before read_ahead_stop() has returned. All else here is for one
 * thread, the caller's. The thread gets no signals. */
#ifndef FLAMETTY_BASE_READ_AHEAD_H
#define FLAMETTY_BASE_READ_AHEAD_H

#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define READ_AHEAD_SIZE ((size_t)1 << 18) /* bytes of text in a block */
#define READ_AHEAD_HEAD ((size_t)1 << 14) /* room in front of it */
#define READ_AHEAD_TAIL ((size_t)64)      /* and behind it */

#define READ_AHEAD_KEPT 3u /* blocks taken last that are still the caller's */

/* Memory for text, and what was known when the text had been put there. */
struct read_ahead_block {
	unsigned char *text; /* room for READ_AHEAD_SIZE bytes, READ_AHEAD_HEAD before and
				READ_AHEAD_TAIL behind */
	ptrdiff_t n;         /* bytes of text; 0: the end; -1: failed */
	struct error err;    /* why */
	int64_t file_bytes;
	const char *damage;
};

void read_ahead_block_init(struct read_ahead_block *b);
void read_ahead_block_done(struct read_ahead_block *b);

struct read_ahead;

/* Start to fill blocks. Filling ends with the first block whose n is not above 0. Returns NULL
 * when there can be no thread; fill was not called then. */
struct read_ahead *read_ahead_start(void (*fill)(void *ctx, struct read_ahead *a,
						 struct read_ahead_block *b),
				    void *ctx);

/* The next filled block; NULL when none came within wait_ms. The last READ_AHEAD_KEPT that were
 * taken belong to the caller until the next call; older ones are filled anew. After the last
 * block there is no other: do not ask. */
struct read_ahead_block *read_ahead_take(struct read_ahead *a, int wait_ms);

/* For fill, where it waits: whether the caller wants no more. */
bool read_ahead_is_stopping(struct read_ahead *a);

/* Wait for the end of the call of fill that is under way, if any; free all. NULL: nothing. */
void read_ahead_stop(struct read_ahead *a);

#endif
