/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Two counters under one mutex: items passed and items done. Both only grow; modulo PIPELINE_ITEMS
 * they are the numbers of items.
 *
 * Waking a thread costs more than most items do, so a thread that waits is woken for several items
 * at once: the worker when WAKE_AT items wait for it, the caller when at most RESUME_AT are left. A
 * caller that begins to wait wakes the worker for fewer items, so that never both wait. A thread
 * that goes on sends its signal after it has released the mutex, which the woken thread takes
 * first.
 *
 * The system may move the caller to the processor of the worker, which then moves away itself. */
#include "config.h"

#include "base/pipeline.h"

#include "base/alloc.h"
#include "base/thread.h"

#include <pthread.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#define WAKE_AT (PIPELINE_ITEMS / 2)
#define RESUME_AT (PIPELINE_ITEMS / 3)

struct pipeline {
	bool (*work)(void *ctx, unsigned item);
	bool (*help)(void *ctx);
	void *ctx;
	pthread_t thread;
	pthread_mutex_t mutex; /* protects everything below */
	int cpu; /* the processor of the caller, when it passed an item; -1: unknown */
	size_t n_passed, n_done;
	size_t enough_done; /* the caller waits for that many items done; SIZE_MAX: it does not */
	bool is_enough;     /* `work` wants no more: the remaining items are skipped */
	bool is_stopping;
	pthread_cond_t has_passed, has_done;
};

static bool has_none(const struct pipeline *r)
{
	return r->n_done == r->n_passed && !r->is_stopping;
}

/* Wait for an item, and help the caller meanwhile. cpu: the processor of the caller. Returns false
 * when there will be no more. */
static bool next_passed(struct pipeline *r, bool *is_enough, int *cpu)
{
	bool has_item, has_helped = r->help != NULL;

	pthread_mutex_lock(&r->mutex);
	while (has_none(r)) {
		if (has_helped) {
			pthread_mutex_unlock(&r->mutex);
			has_helped = r->help(r->ctx);
			pthread_mutex_lock(&r->mutex);
		} else {
			pthread_cond_wait(&r->has_passed, &r->mutex);
			has_helped = r->help != NULL;
		}
	}
	has_item = r->n_done < r->n_passed;
	*is_enough = r->is_enough;
	*cpu = r->cpu;
	pthread_mutex_unlock(&r->mutex);
	return has_item;
}

static void *work_on(void *arg)
{
	struct pipeline *r = arg;
	bool is_enough, is_awaited;
	int cpu, off = -1;

	for (size_t i = 0; next_passed(r, &is_enough, &cpu); i++) {
		off = thread_stay_off(cpu, off);
		if (!is_enough)
			is_enough = !r->work(r->ctx, (unsigned)(i % PIPELINE_ITEMS));
		pthread_mutex_lock(&r->mutex);
		r->is_enough = is_enough;
		is_awaited = ++r->n_done == r->enough_done;
		pthread_mutex_unlock(&r->mutex);
		if (is_awaited)
			pthread_cond_signal(&r->has_done);
	}
	return NULL;
}

static void pipeline_free(struct pipeline *r)
{
	pthread_cond_destroy(&r->has_passed);
	pthread_cond_destroy(&r->has_done);
	pthread_mutex_destroy(&r->mutex);
	free(r);
}

struct pipeline *pipeline_start(bool (*work)(void *ctx, unsigned item), bool (*help)(void *ctx),
				void *ctx)
{
	struct pipeline *r = xcalloc(1, sizeof *r);

	r->work = work;
	r->help = help;
	r->ctx = ctx;
	r->enough_done = SIZE_MAX;
	pthread_mutex_init(&r->mutex, NULL);
	thread_cond_init(&r->has_passed);
	thread_cond_init(&r->has_done);
	if (thread_start_small(&r->thread, work_on, r))
		return r;
	pipeline_free(r);
	return NULL;
}

/* If more than `most` items are not processed yet, wait until at most `left` of them are. */
static void wait_for(struct pipeline *r, size_t most, size_t left)
{
	pthread_mutex_lock(&r->mutex);
	if (r->n_passed - r->n_done > most) {
		r->enough_done = r->n_passed - left;
		pthread_cond_signal(&r->has_passed);
		while (r->n_done < r->enough_done)
			pthread_cond_wait(&r->has_done, &r->mutex);
		r->enough_done = SIZE_MAX;
	}
	pthread_mutex_unlock(&r->mutex);
}

unsigned pipeline_next(struct pipeline *r)
{
	wait_for(r, PIPELINE_ITEMS - 1, RESUME_AT);
	return (unsigned)(r->n_passed % PIPELINE_ITEMS);
}

bool pipeline_pass(struct pipeline *r)
{
	bool is_enough, are_many;

	pthread_mutex_lock(&r->mutex);
	r->cpu = thread_cpu();
	r->n_passed++;
	is_enough = r->is_enough;
	are_many = r->n_passed - r->n_done >= WAKE_AT;
	pthread_mutex_unlock(&r->mutex);
	if (are_many)
		pthread_cond_signal(&r->has_passed);
	return !is_enough;
}

bool pipeline_is_busy(struct pipeline *r)
{
	bool is_busy;

	pthread_mutex_lock(&r->mutex);
	is_busy = r->n_passed - r->n_done >= WAKE_AT;
	pthread_mutex_unlock(&r->mutex);
	return is_busy;
}

void pipeline_drain(struct pipeline *r)
{
	wait_for(r, 0, 0);
}

void pipeline_stop(struct pipeline *r)
{
	if (!r)
		return;
	pthread_mutex_lock(&r->mutex);
	r->is_stopping = true;
	pthread_mutex_unlock(&r->mutex);
	pthread_cond_signal(&r->has_passed);
	pthread_join(r->thread, NULL);
	pipeline_free(r);
}
