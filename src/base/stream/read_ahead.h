/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reading ahead: a thread fills a few blocks, which the caller takes in order.
 *
 * Threads: `fill` runs on that thread, one call after the other. No other thread may touch what
 * `fill` uses until read_ahead_stop() has returned. All functions except read_ahead_is_stopping()
 * are for the caller's thread. The thread blocks signals. */
#ifndef FLAMETTY_BASE_READ_AHEAD_H
#define FLAMETTY_BASE_READ_AHEAD_H

#include "base/error.h"

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define READ_AHEAD_SIZE ((size_t)1 << 18) /* bytes of text in a block */
#define READ_AHEAD_HEAD ((size_t)1 << 14) /* room before the text */
#define READ_AHEAD_TAIL ((size_t)64)      /* and after it */
#define READ_AHEAD_KEPT 6u /* the blocks taken last, which still belong to the caller */

/* Memory for text, and the state of the source after that text: file_bytes and damage are what
 * stream_file_bytes() and stream_damage() return then. */
struct read_ahead_block {
	unsigned char *text;   /* room for READ_AHEAD_SIZE bytes, READ_AHEAD_HEAD before and
				  READ_AHEAD_TAIL after */
	unsigned char *memory; /* where it lies */
	ptrdiff_t n;           /* bytes of text; 0: the end; -1: failed */
	struct error err;      /* why n is -1 */
	int64_t file_bytes;
	const char *damage;
};

struct read_ahead;

/* Start to fill blocks. Filling ends with the first block whose n is 0 or -1. Returns NULL when no
 * thread can be started; `fill` was not called then. */
struct read_ahead *read_ahead_start(void (*fill)(void *ctx, struct read_ahead *a,
						 struct read_ahead_block *b),
				    void *ctx);

/* Take the next filled block; NULL when there was none within wait_ms. The last READ_AHEAD_KEPT
 * blocks taken belong to the caller until the next call; older ones are filled again. Must not be
 * called after the last block. */
struct read_ahead_block *read_ahead_take(struct read_ahead *a, int wait_ms);

/* Free the blocks that were taken before the last one, if all that will be filled are filled. NULL
 * is allowed. */
void read_ahead_trim(struct read_ahead *a);

/* For `fill`, while it waits: whether the caller wants no more blocks. */
bool read_ahead_is_stopping(struct read_ahead *a);

/* Wait until the current call of `fill` returns, end the thread, and free everything. NULL is
 * allowed. */
void read_ahead_stop(struct read_ahead *a);

#define BLOCK_RING_READY 3u /* blocks that others fill before the owner needs them */
#define BLOCK_RING_SIZE (READ_AHEAD_KEPT + BLOCK_RING_READY)

/* Fill a block. is_helping: not on the owner's thread. */
typedef void block_ring_fill(void *ctx, struct read_ahead_block *b, bool is_helping);

struct block_ring {
	struct read_ahead_block blocks[BLOCK_RING_SIZE];
	pthread_mutex_t turn; /* held while a block is filled; protects the two below */
	unsigned at;          /* the block that was taken last */
	unsigned n_ready;     /* blocks after it that are filled */
};

void block_ring_init(struct block_ring *r);
void block_ring_done(struct block_ring *r);

/* The block that was taken last, without text before the first one. Its memory belongs to the
 * owner. */
struct read_ahead_block *block_ring_last(struct block_ring *r);

/* Take the next block; the last READ_AHEAD_KEPT blocks taken belong to the owner. *has_help:
 * another thread has filled it. */
struct read_ahead_block *block_ring_take(struct block_ring *r, block_ring_fill *fill, void *ctx,
					 bool *has_help);

/* Fill the next block that is not filled, on another thread than the owner's. more: whether there
 * is text to fill it; called as `fill` is. Returns false when there is none, when enough blocks are
 * filled, and when one is being filled. */
bool block_ring_help(struct block_ring *r, block_ring_fill *fill, bool (*more)(void *ctx),
		     void *ctx);

/* Free the memory of all blocks but the last one. No block is filled any more. */
void block_ring_trim(struct block_ring *r);

#endif
