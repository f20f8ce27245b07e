/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The mutex guards all state that threads share: how far the loader is, and the profiles that are
 * ready or given back.
 *
 * Each preview reads GROWTH times as much of the file as the one before, up to one in PREVIEW_PART
 * of it. So all of them together read a sixth of the file at most, and the thread takes little from
 * a loader that has the processor to share with it. */
#include "config.h"

#include "read/load/preview.h"

#include "base/alloc.h"
#include "base/thread.h"
#include "read/load/load_file.h"

#include <stdlib.h>
#include <sys/resource.h>

#define PREVIEW_NICE 10
#define GROWTH 4
#define PREVIEW_PART 8

struct preview {
	struct preview_options options;
	pthread_t thread;
	pthread_mutex_t mutex;
	pthread_cond_t changed;
	int64_t done, total, elapsed_ns; /* of the loader */
	struct fingerprint file;         /* the identity of what it reads; empty: not known yet */
	bool is_ended;
	bool is_reading;
	bool is_left; /* nothing will be given back any more */
	struct profile *ready;
	struct profile *garbage;
};

/* ---- one preview ---- */

/* How far one preview reads. */
struct beginning {
	struct preview *preview;
	int64_t most; /* bytes of the file */
};

static bool goes_on(void *ctx, const struct progress *p)
{
	struct beginning *to = ctx;
	bool is_ended;

	pthread_mutex_lock(&to->preview->mutex);
	is_ended = to->preview->is_ended;
	pthread_mutex_unlock(&to->preview->mutex);
	return !is_ended && p->done < to->most;
}

/* Whether a profile has anything to show. */
static bool is_of_use(const struct profile *p)
{
	for (uint32_t i = 0; i < p->n_lanes; i++)
		if (p->lanes[i].has_timeline || p->lanes[i].hits)
			return true;
	return false;
}

static struct profile *read_beginning(struct preview *v, int64_t most)
{
	const struct preview_options *o = &v->options;
	const struct load_file_order order = { o->path, o->reader, o->limits };
	struct builder *b = builder_new(
		&(struct builder_options){ .is_raw = o->is_raw,
					   .has_idle_gaps = o->has_idle_gaps,
					   .keeps_strays = o->keeps_strays,
					   .sample_type = o->sample_type });
	struct beginning to = { v, most };
	struct progress progress = { .tick = goes_on, .ctx = &to };
	struct error err = ERROR_INIT;
	struct profile *p = NULL;
	struct fingerprint file;

	pthread_mutex_lock(&v->mutex);
	file = v->file;
	pthread_mutex_unlock(&v->mutex);
	if (file.is_known && load_file(&order, b, &progress, &file, &err))
		p = builder_finish(b, &err);
	else
		builder_free(b);
	fingerprint_done(&file);
	if (p && !is_of_use(p)) {
		profile_free(p);
		p = NULL;
	}
	return p;
}

/* ---- the thread ---- */

static void set_read(struct preview *v)
{
	pthread_mutex_lock(&v->mutex);
	v->is_reading = false;
	pthread_mutex_unlock(&v->mutex);
}

/* Wait until the loader has read GROWTH times `last`. Returns how much it has read; 0: there will
 * be no further preview. */
static int64_t next_beginning(struct preview *v, int64_t last)
{
	int64_t most;

	pthread_mutex_lock(&v->mutex);
	while (!v->is_ended &&
	       (!atomic_load(v->options.has_begun) || v->elapsed_ns < v->options.first_ns ||
		v->done < GROWTH * last))
		pthread_cond_wait(&v->changed, &v->mutex);
	most = v->is_ended || v->done > v->total / PREVIEW_PART ? 0 : v->done;
	v->is_reading = most > 0;
	pthread_mutex_unlock(&v->mutex);
	return most;
}

/* Free what is given back, until nothing will be any more. */
static void free_garbage(struct preview *v)
{
	pthread_mutex_lock(&v->mutex);
	for (;;) {
		struct profile *garbage = v->garbage;

		v->garbage = NULL;
		if (garbage) {
			pthread_mutex_unlock(&v->mutex);
			profile_free(garbage);
			pthread_mutex_lock(&v->mutex);
		} else if (v->is_left) {
			break;
		} else {
			pthread_cond_wait(&v->changed, &v->mutex);
		}
	}
	pthread_mutex_unlock(&v->mutex);
}

/* Called on the thread of previews, or on one that it started, when it gets no memory: there will
 * be no further preview. No allocation happens with the mutex locked. */
static bool lose(void *ctx, const char *text)
{
	struct preview *v = ctx;

	(void)text;
	pthread_mutex_lock(&v->mutex);
	v->is_ended = v->is_reading = true;
	pthread_mutex_unlock(&v->mutex);
	return true;
}

static void *run(void *ctx)
{
	struct preview *v = ctx;
	int64_t most = 0;

	die_set_rescue(&(struct die_rescue){ lose, v });

#ifdef __linux__
	/* On Linux this concerns the calling thread only: the loader has priority. */
	(void)setpriority(PRIO_PROCESS, 0, PREVIEW_NICE);
#endif
	while ((most = next_beginning(v, most)) > 0) {
		struct profile *p, *before;

		/* The preview and the whole must fit together. */
		if (v->options.max_memory && memory_used() > v->options.max_memory / 3) {
			set_read(v);
			break;
		}
		p = read_beginning(v, most);
		set_read(v);
		if (!p)
			continue;
		pthread_mutex_lock(&v->mutex);
		before = v->ready;
		v->ready = p;
		pthread_mutex_unlock(&v->mutex);
		profile_free(before);
	}
	free_garbage(v);
	return NULL;
}

/* ---- for the others ---- */

static void release(struct preview *v)
{
	profile_free(v->ready);
	profile_free(v->garbage);
	pthread_cond_destroy(&v->changed);
	pthread_mutex_destroy(&v->mutex);
	free(v);
}

struct preview *preview_new(const struct preview_options *options)
{
	struct preview *v = xcalloc(1, sizeof *v);

	v->options = *options;
	pthread_mutex_init(&v->mutex, NULL);
	pthread_cond_init(&v->changed, NULL);
	if (thread_start(&v->thread, run, v))
		return v;
	release(v);
	return NULL;
}

void preview_progress(struct preview *v, const struct progress *progress,
		      const struct fingerprint *file)
{
	if (!v)
		return;
	pthread_mutex_lock(&v->mutex);
	v->done = progress->done;
	v->total = progress->total;
	v->elapsed_ns = progress->elapsed_ns;
	v->file = fingerprint_identity(file);
	pthread_cond_broadcast(&v->changed);
	pthread_mutex_unlock(&v->mutex);
}

void preview_end(struct preview *v)
{
	if (!v)
		return;
	pthread_mutex_lock(&v->mutex);
	v->is_ended = true;
	pthread_cond_broadcast(&v->changed);
	pthread_mutex_unlock(&v->mutex);
}

struct profile *preview_take(struct preview *v)
{
	struct profile *p;

	if (!v)
		return NULL;
	pthread_mutex_lock(&v->mutex);
	p = v->ready;
	v->ready = NULL;
	pthread_mutex_unlock(&v->mutex);
	return p;
}

void preview_give_back(struct preview *v, struct profile *profile)
{
	struct profile *before = profile;

	if (v) {
		pthread_mutex_lock(&v->mutex);
		before = v->garbage;
		v->garbage = profile;
		pthread_cond_broadcast(&v->changed);
		pthread_mutex_unlock(&v->mutex);
	}
	profile_free(before);
}

bool preview_is_reading(struct preview *v)
{
	bool is;

	if (!v)
		return false;
	pthread_mutex_lock(&v->mutex);
	is = v->is_reading;
	pthread_mutex_unlock(&v->mutex);
	return is;
}

void preview_free(struct preview *v)
{
	if (!v)
		return;
	pthread_mutex_lock(&v->mutex);
	v->is_ended = v->is_left = true;
	pthread_cond_broadcast(&v->changed);
	pthread_mutex_unlock(&v->mutex);
	pthread_join(v->thread, NULL);
	release(v);
}
