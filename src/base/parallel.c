/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "config.h"

#include "base/parallel.h"

#include "base/thread.h"

#include <stddef.h>

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

void parallel_run(void (*work)(void *ctx), void *ctx)
{
	struct task task = { work, ctx };
	pthread_t second;
	bool has_second = thread_start(&second, run, &task);

	work(ctx);
	if (has_second)
		pthread_join(second, NULL);
}
