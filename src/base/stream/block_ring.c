/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Blocks after `at`, n_ready of them, are filled; those before it are the owner's, and the others
 * are free. The ring has room for all of them, so that a block which is filled early is none that
 * the owner still uses. */
#include "config.h"

#include "base/stream/block_ring.h"

#include <sched.h>

#define YIELDS_MOST 1000u

void block_ring_init(struct block_ring *r)
{
	*r = (struct block_ring){ .at = 0 };
	pthread_mutex_init(&r->turn, NULL);
}

void block_ring_done(struct block_ring *r)
{
	for (unsigned i = 0; i < BLOCK_RING_SIZE; i++)
		read_ahead_block_done(&r->blocks[i]);
	pthread_mutex_destroy(&r->turn);
}

/* Block i after the last one taken, with memory. */
static struct read_ahead_block *block_after(struct block_ring *r, unsigned i)
{
	struct read_ahead_block *b = &r->blocks[(r->at + i) % BLOCK_RING_SIZE];

	if (!b->text)
		read_ahead_block_init(b);
	return b;
}

struct read_ahead_block *block_ring_last(struct block_ring *r)
{
	return block_after(r, 0);
}

/* Another thread may be filling the next block. That takes less time than to sleep and to be woken,
 * unless the file is slow. */
static void take_turn(struct block_ring *r)
{
	for (unsigned i = 0; i < YIELDS_MOST; i++) {
		if (pthread_mutex_trylock(&r->turn) == 0)
			return;
		sched_yield();
	}
	pthread_mutex_lock(&r->turn);
}

struct read_ahead_block *block_ring_take(struct block_ring *r, block_ring_fill *fill, void *ctx,
					 bool *has_help)
{
	struct read_ahead_block *b;

	take_turn(r);
	b = block_after(r, 1);
	r->at = (r->at + 1) % BLOCK_RING_SIZE;
	*has_help = r->n_ready > 0;
	if (*has_help)
		r->n_ready--;
	else
		fill(ctx, b, false);
	pthread_mutex_unlock(&r->turn);
	return b;
}

bool block_ring_help(struct block_ring *r, block_ring_fill *fill, bool (*more)(void *ctx),
		     void *ctx)
{
	bool is_needed;

	if (pthread_mutex_trylock(&r->turn) != 0)
		return false;
	is_needed = r->n_ready < BLOCK_RING_READY && more(ctx);
	if (is_needed) {
		fill(ctx, block_after(r, r->n_ready + 1), true);
		r->n_ready++;
	}
	pthread_mutex_unlock(&r->turn);
	return is_needed;
}

void block_ring_trim(struct block_ring *r)
{
	for (unsigned i = 0; i < BLOCK_RING_SIZE; i++)
		if (i != r->at)
			read_ahead_block_done(&r->blocks[i]);
}
