/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Signals are for the thread that reads keys. */
#include "config.h"

#include "base/parallel.h"

#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
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
	sigset_t all, before;
	pthread_t second;
	bool has_second;

	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	has_second = pthread_create(&second, NULL, run, &task) == 0;
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	work(ctx);
	if (has_second)
		pthread_join(second, NULL);
}
