/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A job is one text. Two own it: the reader until it forgets it, and the thread that reads it until
 * it is done; the last one frees it. The mutex protects who owns what and the number of threads; it
 * is freed by its last owner, too. The text of a job belongs to the thread until is_done.
 *
 * A thread without memory stops for ever (base/alloc.h). Its job is done and lost: what the thread
 * holds is not freed.
 *
 * Jobs are kept with the last one that was asked for first. Those behind are forgotten when they
 * are too many, or their texts too long. */
#include "config.h"

#include "source/source_reader.h"

#include "base/alloc.h"
#include "base/thread.h"
#include "source/source_find.h"

#include <stdlib.h>
#include <string.h>

#define MOST_THREADS 4
#define MOST_JOBS 64
#define MOST_BYTES (2 * SOURCE_TEXT_MAX)

/* Most texts come within this time, and then no picture without them is drawn. */
#define PATIENCE_MS 20

struct shared {
	pthread_mutex_t mutex;
	pthread_cond_t changed;
	int n_threads;
	bool has_reader;
};

struct job {
	struct job *next; /* of the reader */
	struct shared *shared;
	struct maps_options options;
	char *url, *script, *map_path, *input; /* what `wanted` points to */
	struct fingerprint map_print;
	struct source_wanted wanted;
	struct source_text text;
	bool is_wanted, is_done, is_lost;
};

struct source_reader {
	struct shared *shared;
	struct maps_options options;
	bool waits;
	struct job *jobs;
};

struct source_reader *source_reader_new(const struct maps_options *options, bool waits)
{
	struct source_reader *r = xcalloc(1, sizeof *r);

	r->options = *options;
	r->waits = waits;
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
	free(job->url);
	free(job->script);
	free(job->map_path);
	fingerprint_done(&job->map_print);
	free(job->input);
	source_text_done(&job->text);
	free(job);
}

/* ---- the thread ---- */

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

	die_set_rescue(&(struct die_rescue){ lose, job });
	source_find(&job->wanted, &job->options, &job->text);
	end(job);
	return NULL;
}

/* ---- the reader ---- */

static bool is_same(const char *a, const char *b)
{
	return a && b ? strcmp(a, b) == 0 : !a && !b;
}

/* Find a job, and put it in front. A text with a highlight serves who needs none. */
static struct job *find(struct source_reader *r, const struct source_wanted *w)
{
	struct job **at = &r->jobs, *job;

	while (*at &&
	       !(is_same((*at)->url, w->url) && is_same((*at)->script, w->script) &&
		 is_same((*at)->input, w->input) && (w->is_plain || !(*at)->wanted.is_plain)))
		at = &(*at)->next;
	job = *at;
	if (job) {
		*at = job->next;
		job->next = r->jobs;
		r->jobs = job;
	}
	return job;
}

static char *copy(const char *text)
{
	return text ? xstrdup(text) : NULL;
}

static struct job *add(struct source_reader *r, const struct source_wanted *w)
{
	struct job *job = xcalloc(1, sizeof *job);

	job->shared = r->shared;
	job->options = r->options;
	job->wanted = *w;
	job->wanted.url = job->url = xstrdup(w->url);
	job->wanted.script = job->script = copy(w->script);
	job->wanted.map_path = job->map_path = copy(w->map_path);
	if (w->map_print)
		fingerprint_copy(&job->map_print, w->map_print);
	job->wanted.map_print = &job->map_print;
	job->wanted.input = job->input = copy(w->input);
	job->is_wanted = true;
	job->next = r->jobs;
	r->jobs = job;
	return job;
}

static void forget_from(struct job **at)
{
	while (*at) {
		struct job *job = *at;

		*at = job->next;
		job->is_wanted = false;
		if (job->is_done)
			job_free(job);
	}
}

/* Keep only the texts that were asked for last. */
static void forget_rest(struct source_reader *r)
{
	size_t bytes = 0;
	int n = 0;

	for (struct job **at = &r->jobs; *at; at = &(*at)->next) {
		bytes += (*at)->is_done && !(*at)->is_lost ? (*at)->text.bytes.len : 0;
		if (n++ && (n > MOST_JOBS || bytes > MOST_BYTES)) {
			forget_from(at);
			return;
		}
	}
}

/* Start to read a text. NULL: too many threads are still reading. */
static struct job *start(struct source_reader *r, const struct source_wanted *w)
{
	struct timespec until = thread_after_ms(PATIENCE_MS);
	pthread_t thread;
	struct job *job;

	if (r->shared->n_threads == MOST_THREADS)
		return NULL;
	forget_rest(r);
	job = add(r, w);
	if (r->waits || !thread_start(&thread, read_it, job)) {
		source_find(&job->wanted, &job->options, &job->text);
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

const struct source_text *source_reader_read(void *ctx, const struct source_wanted *wanted)
{
	static const struct source_text lost = { .is_found = false };
	struct source_reader *r = ctx;
	const struct source_text *text = NULL;
	struct job *job;

	pthread_mutex_lock(&r->shared->mutex);
	job = find(r, wanted);
	if (!job)
		job = start(r, wanted);
	if (job && job->is_done)
		text = job->is_lost ? &lost : &job->text;
	pthread_mutex_unlock(&r->shared->mutex);
	return text;
}

void source_reader_forget(void *ctx)
{
	struct source_reader *r = ctx;

	pthread_mutex_lock(&r->shared->mutex);
	forget_from(&r->jobs);
	pthread_mutex_unlock(&r->shared->mutex);
}

struct source_host source_reader_host(struct source_reader *r)
{
	return (struct source_host){ source_reader_read, source_reader_forget, r };
}

bool source_reader_is_busy(const struct source_reader *r)
{
	bool is;

	pthread_mutex_lock(&r->shared->mutex);
	is = r->shared->n_threads > 0;
	pthread_mutex_unlock(&r->shared->mutex);
	return is;
}

void source_reader_free(struct source_reader *r)
{
	if (!r)
		return;
	pthread_mutex_lock(&r->shared->mutex);
	forget_from(&r->jobs);
	r->shared->has_reader = false;
	unlock(r->shared);
	free(r);
}
