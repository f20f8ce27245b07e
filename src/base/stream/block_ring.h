/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Blocks of text that their owner takes in turn. The owner fills the next block itself, unless
 * another thread, which has nothing else to do, has filled it before.
 *
 * Threads: block_ring_help() is for any thread, all other functions are for the owner. `fill` runs
 * on one thread at a time. */
#ifndef FLAMETTY_BASE_BLOCK_RING_H
#define FLAMETTY_BASE_BLOCK_RING_H

#include "base/stream/read_ahead.h"

#include <pthread.h>
#include <stdbool.h>

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
