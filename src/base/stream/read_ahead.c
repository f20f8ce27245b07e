/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A ring of blocks under one mutex. n_taken and n_filled only grow; modulo the size of the ring
 * they are the numbers of blocks. The last READ_AHEAD_KEPT blocks taken belong to the caller, those
 * from n_taken to n_filled wait for it, the others belong to the thread. When the thread waits for
 * room, it is woken for FILL_AT_ONCE blocks: waking it costs about as much as filling one. */
#include "config.h"

#include "base/stream/read_ahead.h"

#include "base/alloc.h"
#include "base/error.h"
#include "base/thread.h"

#include <pthread.h>
#include <sched.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

static void read_ahead_block_done(struct read_ahead_block *b);
static void read_ahead_block_init(struct read_ahead_block *b);

/* ==== block ring ====
 *
 * Blocks after `at`, n_ready of them, are filled; those before it are the owner's, and the others
 * are free. The ring has room for all of them, so that a block which is filled early is none that
 * the owner still uses. */

#define YIELDS_MAX 1000u

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
	for (unsigned i = 0; i < YIELDS_MAX; i++) {
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

/* ==== read ahead ==== */

#define N_AHEAD 4u /* blocks being filled, or waiting */
#define N_BLOCKS (READ_AHEAD_KEPT + N_AHEAD)
#define FILL_AT_ONCE 3u

/* Text begins with a page, as the system's copy of the file does. Processors of AMD (Zen 3, "rep
 * movsb") copy 1.7 instead of 10 GB a second to addresses that are 1 to 31 bytes further in their
 * page than where they copy from, and malloc() returns large blocks 16 bytes after a page begins.
 */
#define PAGE ((uintptr_t)4096)

struct read_ahead {
	void (*fill)(void *ctx, struct read_ahead *a, struct read_ahead_block *b);
	void *ctx;
	pthread_t thread;
	pthread_mutex_t mutex; /* protects the four below */
	int cpu;               /* the processor of the caller, when it took a block; -1: unknown */
	size_t n_filled, n_taken;
	bool is_stopping;
	pthread_cond_t has_filled, has_room;
	struct read_ahead_block blocks[N_BLOCKS];
};

static void read_ahead_block_init(struct read_ahead_block *b)
{
	*b = (struct read_ahead_block){ .err = ERROR_INIT };
	b->memory = xmalloc(PAGE + READ_AHEAD_HEAD + READ_AHEAD_SIZE + READ_AHEAD_TAIL);
	b->text = b->memory + READ_AHEAD_HEAD;
	b->text += -(uintptr_t)b->text % PAGE;
}

static void read_ahead_block_done(struct read_ahead_block *b)
{
	free(b->memory);
	b->memory = b->text = NULL;
}

/* How many blocks can be filled. */
static size_t room(const struct read_ahead *a)
{
	return a->n_taken + N_AHEAD - a->n_filled;
}

/* Wait for a block to fill. cpu: the processor of the caller. NULL: it wants no more. */
static struct read_ahead_block *next_free(struct read_ahead *a, int *cpu)
{
	struct read_ahead_block *b = NULL;

	pthread_mutex_lock(&a->mutex);
	if (room(a) == 0)
		while (!a->is_stopping && room(a) < FILL_AT_ONCE)
			pthread_cond_wait(&a->has_room, &a->mutex);
	if (!a->is_stopping)
		b = &a->blocks[a->n_filled % N_BLOCKS];
	*cpu = a->cpu;
	pthread_mutex_unlock(&a->mutex);
	return b;
}

static void *fill_blocks(void *arg)
{
	struct read_ahead *a = arg;
	struct read_ahead_block *b;
	bool is_last;
	int cpu, off = -1;

	do {
		b = next_free(a, &cpu);
		if (!b)
			break;
		off = thread_stay_off(cpu, off);
		a->fill(a->ctx, a, b);
		pthread_mutex_lock(&a->mutex);
		a->n_filled++;
		is_last = b->n <= 0;
		pthread_mutex_unlock(&a->mutex);
		pthread_cond_signal(&a->has_filled);
	} while (!is_last);
	return NULL;
}

static void read_ahead_free(struct read_ahead *a)
{
	pthread_cond_destroy(&a->has_room);
	pthread_cond_destroy(&a->has_filled);
	pthread_mutex_destroy(&a->mutex);
	for (size_t i = 0; i < N_BLOCKS; i++)
		read_ahead_block_done(&a->blocks[i]);
	free(a);
}

struct read_ahead *read_ahead_start(void (*fill)(void *ctx, struct read_ahead *a,
						 struct read_ahead_block *b),
				    void *ctx)
{
	struct read_ahead *a = xcalloc(1, sizeof *a);

	a->fill = fill;
	a->ctx = ctx;
	for (size_t i = 0; i < N_BLOCKS; i++)
		read_ahead_block_init(&a->blocks[i]);
	pthread_mutex_init(&a->mutex, NULL);
	thread_cond_init(&a->has_filled);
	thread_cond_init(&a->has_room);
	a->cpu = thread_cpu();
	if (thread_start_small(&a->thread, fill_blocks, a))
		return a;
	read_ahead_free(a);
	return NULL;
}

struct read_ahead_block *read_ahead_take(struct read_ahead *a, int wait_ms)
{
	struct timespec until = thread_after_ms(wait_ms);
	struct read_ahead_block *b = NULL;
	bool is_late = false, has_room;

	pthread_mutex_lock(&a->mutex);
	a->cpu = thread_cpu();
	while (!is_late && a->n_taken == a->n_filled)
		is_late = pthread_cond_timedwait(&a->has_filled, &a->mutex, &until) != 0;
	if (a->n_taken < a->n_filled)
		b = &a->blocks[a->n_taken++ % N_BLOCKS];
	has_room = room(a) >= FILL_AT_ONCE;
	pthread_mutex_unlock(&a->mutex);
	if (has_room)
		pthread_cond_signal(&a->has_room);
	return b;
}

void read_ahead_trim(struct read_ahead *a)
{
	bool is_needed[N_BLOCKS] = { false };
	size_t n_filled;

	if (!a)
		return;
	pthread_mutex_lock(&a->mutex);
	n_filled = a->n_filled;
	pthread_mutex_unlock(&a->mutex);
	if (n_filled == 0 || a->blocks[(n_filled - 1) % N_BLOCKS].n > 0)
		return;
	for (size_t i = a->n_taken ? a->n_taken - 1 : 0; i < n_filled; i++)
		is_needed[i % N_BLOCKS] = true;
	for (size_t i = 0; i < N_BLOCKS; i++)
		if (!is_needed[i])
			read_ahead_block_done(&a->blocks[i]);
}

bool read_ahead_is_stopping(struct read_ahead *a)
{
	bool is_stopping;

	pthread_mutex_lock(&a->mutex);
	is_stopping = a->is_stopping;
	pthread_mutex_unlock(&a->mutex);
	return is_stopping;
}

void read_ahead_stop(struct read_ahead *a)
{
	if (!a)
		return;
	pthread_mutex_lock(&a->mutex);
	a->is_stopping = true;
	pthread_cond_signal(&a->has_room);
	pthread_mutex_unlock(&a->mutex);
	pthread_join(a->thread, NULL);
	read_ahead_free(a);
}
