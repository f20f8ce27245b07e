/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The two threads share one atomic counter, the index of the next chunk. Each takes the next chunk
 * when it has finished one, so that neither waits for the other before the end. */
#include "config.h"

#include "base/parallel.h"

#include "base/thread.h"

#include <stdatomic.h>
#include <stddef.h>

#define CHUNKS 64u /* small enough that the faster thread takes more of them */
#define LEAST_CHUNK 4096u
#define MANY 20000u /* below that a second thread costs more than it saves */

struct task {
	void (*work)(void *ctx);
	void *ctx;
};

static void *run(void *arg)
{
	const struct task *task = arg;

	task->work(task->ctx);
	return NULL;
}

void parallel_pair(void (*own)(void *ctx), void (*other)(void *ctx), void *ctx)
{
	struct task task = { other, ctx };
	pthread_t second;
	bool has_second = thread_start_small(&second, run, &task);

	own(ctx);
	if (has_second)
		pthread_join(second, NULL);
}

void parallel_run(void (*work)(void *ctx), void *ctx)
{
	parallel_pair(work, work, ctx);
}

struct chunks {
	void (*work)(void *ctx, size_t from, size_t end);
	void *ctx;
	size_t n, size;
	atomic_size_t next;
};

static void take_chunks(void *arg)
{
	struct chunks *c = arg;
	size_t from;

	while ((from = atomic_fetch_add(&c->next, c->size)) < c->n)
		c->work(c->ctx, from, c->n - from > c->size ? from + c->size : c->n);
}

void parallel_chunks(size_t n, void (*work)(void *ctx, size_t from, size_t end), void *ctx)
{
	struct chunks chunks = { .work = work,
				 .ctx = ctx,
				 .n = n,
				 .size = n / CHUNKS > LEAST_CHUNK ? n / CHUNKS : LEAST_CHUNK };

	if (n >= MANY)
		parallel_run(take_chunks, &chunks);
	else
		work(ctx, 0, n);
}
