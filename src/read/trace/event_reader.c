/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A job is one event. Two own it: the reader until it forgets it, and the thread that reads it
 * until it is done; the last one frees it. The mutex protects who owns what and the number of
 * threads; it is freed by its last owner, too. The text of a job belongs to the thread until
 * is_done.
 *
 * A thread without memory stops for ever (base/alloc.h). Its job is done and lost: what the thread
 * holds is not freed.
 *
 * Threads are detached: joining one that is blocked would block. No more than MOST_THREADS run at a
 * time. When all of them are blocked by one file system, another thread would be blocked, too. */
#include "config.h"

#include "read/trace/event_reader.h"

#include "base/alloc.h"
#include "base/thread.h"
#include "model/input_place.h"
#include "read/trace/event.h"

#include <stdlib.h>
#include <string.h>

#define MOST_THREADS 4

/* Most events come within this time, and then no picture without them is drawn. */
#define PATIENCE_MS 10

struct shared {
	pthread_mutex_t mutex;
	pthread_cond_t changed;
	int n_threads;
	bool has_reader;
};

struct job {
	struct job *next; /* of the reader */
	struct shared *shared;
	uint32_t input;
	char *path;
	struct fingerprint print;
	int64_t at, offset; /* in the file; in the input */
	struct buf text, stacks;
	bool is_wanted, is_done, is_lost;
};

struct event_reader {
	struct shared *shared;
	struct job *jobs; /* that were asked for */
};

struct event_reader *event_reader_new(void)
{
	struct event_reader *r = xcalloc(1, sizeof *r);

	r->shared = xcalloc(1, sizeof *r->shared);
	r->shared->has_reader = true;
	pthread_mutex_init(&r->shared->mutex, NULL);
	thread_cond_init(&r->shared->changed);
	return r;
}

/* Unlock the mutex, and free it if this was its last owner. */
static void unlock(struct shared *s)
{
	bool is_last = !s->has_reader && s->n_threads == 0;

	pthread_mutex_unlock(&s->mutex);
	if (!is_last)
		return;
	pthread_cond_destroy(&s->changed);
	pthread_mutex_destroy(&s->mutex);
	free(s);
}

static void job_free(struct job *job)
{
	if (job->is_lost)
		return;
	free(job->path);
	fingerprint_done(&job->print);
	buf_done(&job->text);
	buf_done(&job->stacks);
	free(job);
}

/* ---- the thread ---- */

static bool is_wanted(void *ctx, const struct progress *p)
{
	const struct job *job = ctx;
	bool is;

	(void)p;
	pthread_mutex_lock(&job->shared->mutex);
	is = job->is_wanted;
	pthread_mutex_unlock(&job->shared->mutex);
	return is;
}

/* The job is done, or its thread can do no more. */
static void end(struct job *job)
{
	struct shared *s = job->shared;

	pthread_mutex_lock(&s->mutex);
	job->is_done = true;
	if (!job->is_wanted)
		job_free(job);
	s->n_threads--;
	pthread_cond_broadcast(&s->changed);
	unlock(s);
}

static bool lose(void *ctx, const char *text)
{
	struct job *job = ctx;

	(void)text;
	job->is_lost = true;
	end(job);
	return true;
}

static void *read_it(void *ctx)
{
	struct job *job = ctx;
	struct event_place at = { job->path, &job->print, job->at };
	struct progress progress = { .tick = is_wanted, .ctx = job, .is_given_up = true };

	die_set_rescue(&(struct die_rescue){ lose, job });
	event_show(&at, &progress, &job->text, &job->stacks);
	end(job);
	return NULL;
}

/* ---- the reader ---- */

static struct job *find(const struct event_reader *r, uint32_t input, int64_t offset)
{
	struct job *job = r->jobs;

	while (job && (job->input != input || job->offset != offset))
		job = job->next;
	return job;
}

/* Start to read an event. NULL: too many threads are still reading. */
static struct job *start(struct event_reader *r, const struct profile *profile, uint32_t input,
			 int64_t offset)
{
	struct input_place place = input_place_at(&profile->inputs[input], offset);
	struct timespec until = thread_after_ms(PATIENCE_MS);
	pthread_t thread;
	struct job *job;

	if (r->shared->n_threads == MOST_THREADS)
		return NULL;
	job = xcalloc(1, sizeof *job);
	job->shared = r->shared;
	job->input = input;
	job->path = xstrdup(profile_text(profile, place.path));
	fingerprint_copy(&job->print, place.print);
	job->at = place.offset;
	job->offset = offset;
	job->is_wanted = true;
	job->next = r->jobs;
	r->jobs = job;
	if (!thread_start(&thread, read_it, job)) {
		buf_adds(&job->text, "cannot be read again: no thread can be started\n");
		job->is_done = true;
		return job;
	}
	pthread_detach(thread);
	r->shared->n_threads++;
	while (!job->is_done &&
	       pthread_cond_timedwait(&r->shared->changed, &r->shared->mutex, &until) == 0)
		;
	return job;
}

bool event_reader_read(void *ctx, const struct profile *profile, uint32_t input, int64_t offset,
		       struct buf *out, struct buf *stacks)
{
	struct event_reader *r = ctx;
	struct job *job;
	bool is_done;

	pthread_mutex_lock(&r->shared->mutex);
	job = find(r, input, offset);
	if (!job)
		job = start(r, profile, input, offset);
	is_done = job && job->is_done;
	if (is_done && job->is_lost) {
		buf_adds(out, "cannot be read again: not enough memory\n");
	} else if (is_done) {
		buf_add(out, buf_text(&job->text), job->text.len);
		if (stacks)
			buf_add(stacks, buf_text(&job->stacks), job->stacks.len);
	}
	pthread_mutex_unlock(&r->shared->mutex);
	return is_done;
}

static void forget(struct event_reader *r)
{
	while (r->jobs) {
		struct job *job = r->jobs;

		r->jobs = job->next;
		job->is_wanted = false;
		if (job->is_done)
			job_free(job);
	}
}

void event_reader_forget(void *ctx)
{
	struct event_reader *r = ctx;

	pthread_mutex_lock(&r->shared->mutex);
	forget(r);
	pthread_mutex_unlock(&r->shared->mutex);
}

bool event_reader_is_busy(const struct event_reader *r)
{
	bool is;

	pthread_mutex_lock(&r->shared->mutex);
	is = r->shared->n_threads > 0;
	pthread_mutex_unlock(&r->shared->mutex);
	return is;
}

void event_reader_free(struct event_reader *r)
{
	if (!r)
		return;
	pthread_mutex_lock(&r->shared->mutex);
	forget(r);
	r->shared->has_reader = false;
	unlock(r->shared);
	free(r);
}
