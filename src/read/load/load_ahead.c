/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The threads take files in the order of the set, up to WINDOW before the one whose turn it is. The
 * thread that wants a file which is being read reads another one meanwhile, so it seldom waits.
 *
 * A file that cannot be read, or that is of another format, is left to its turn: messages, progress
 * and what is beside it are in one place.
 *
 * The mutex guards all members but those of a reader, which belong to its thread, and the maps,
 * which belong to the owner of struct load_ahead. */
#include "config.h"

#include "read/load/load_ahead.h"

#include "base/alloc.h"
#include "base/fingerprint.h"
#include "base/thread.h"
#include "model/build/apart.h"
#include "read/load/load_file.h"
#include "read/reader.h"

#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>

#define THREADS_MAX 16
#define WINDOW 64u                     /* files */
#define BYTES_MAX ((int64_t)256 << 10) /* of a file */
#define FILES_MIN 8u

/* A builder's ids in the profile. */
struct ahead_map {
	struct ahead_map *before;
	struct apart_map map;
	bool is_over; /* an input of the builder was not given */
};

struct reader_thread {
	struct load_ahead *of;
	pthread_t thread;
	struct apart apart;
	struct ahead_map *map;
};

struct slot {
	enum { SLOT_FREE, SLOT_TAKEN, SLOT_READ } state;
	size_t file;
	struct apart_input *input; /* NULL: it must be read in its turn */
	struct ahead_map *map;
	struct fingerprint print;
};

struct load_ahead {
	const struct file_set *set;
	const struct builder *builder;
	bool *is_small; /* by file */
	pthread_mutex_t mutex;
	pthread_cond_t changed;
	size_t at;   /* the file whose turn it is */
	size_t next; /* file to read */
	bool is_ended;
	struct slot slots[WINDOW]; /* by number of the file */
	struct ahead_map *maps;
	int n_threads;
	struct reader_thread own, others[THREADS_MAX];
};

static bool is_small(const struct set_file *file)
{
	return file->n_parts == 1 && !file->is_list && !file->print.is_known && file->bytes > 0 &&
		file->bytes <= BYTES_MAX;
}

bool load_ahead_has(const struct load_ahead *a, size_t i)
{
	return a && a->is_small[i];
}

/* ---- reading ---- */

static void renew(struct reader_thread *r)
{
	struct load_ahead *a = r->of;

	apart_end(&r->apart);
	apart_begin(&r->apart, a->builder);
	r->map = xcalloc(1, sizeof *r->map);
	pthread_mutex_lock(&a->mutex);
	r->map->before = a->maps;
	a->maps = r->map;
	pthread_mutex_unlock(&a->mutex);
}

static void read_file(struct reader_thread *r, struct slot *out, bool is_over)
{
	const struct file_set *set = r->of->set;
	struct load_file_order order = { set->files[out->file].path, set->reader, set->limits };

	if (!r->apart.builder || is_over)
		renew(r);
	out->print = (struct fingerprint){ 0 };
	out->input = load_file_apart(&order, &r->apart, &out->print);
	out->map = r->map;
}

/* Read the next file, if there is one in the window. The mutex is locked before and after. */
static bool read_next(struct reader_thread *r)
{
	struct load_ahead *a = r->of;
	struct slot slot = { .state = SLOT_READ }, *to;
	bool is_over;

	a->next = a->next < a->at ? a->at : a->next;
	while (a->next < a->set->n && a->next < a->at + WINDOW && !load_ahead_has(a, a->next))
		a->next++;
	if (a->is_ended || a->next >= a->set->n || a->next >= a->at + WINDOW)
		return false;
	slot.file = a->next++;
	to = &a->slots[slot.file % WINDOW];
	*to = (struct slot){ .state = SLOT_TAKEN, .file = slot.file };
	is_over = r->map && r->map->is_over;
	pthread_mutex_unlock(&a->mutex);
	read_file(r, &slot, is_over);
	pthread_mutex_lock(&a->mutex);
	*to = slot;
	pthread_cond_broadcast(&a->changed);
	return true;
}

static void *run(void *ctx)
{
	struct reader_thread *r = ctx;
	struct load_ahead *a = r->of;

	pthread_mutex_lock(&a->mutex);
	while (!a->is_ended && a->next < a->set->n)
		if (!read_next(r))
			pthread_cond_wait(&a->changed, &a->mutex);
	pthread_mutex_unlock(&a->mutex);
	return NULL;
}

/* ---- for the owner ---- */

struct load_ahead *load_ahead_start(const struct file_set *set, const struct builder *b)
{
	int n_more = thread_processors() - 1;
	size_t n_small = 0;
	struct load_ahead *a;

	for (size_t i = 0; i < set->n; i++)
		n_small += is_small(&set->files[i]);
	if (n_small < FILES_MIN || n_more < 1 || !apart_is_possible(b) ||
	    (set->reader && set->reader != &reader_cpuprofile))
		return NULL;
	memory_keep_small();
	a = xcalloc(1, sizeof *a);
	a->set = set;
	a->is_small = xcalloc(set->n, sizeof *a->is_small);
	for (size_t i = 0; i < set->n; i++)
		a->is_small[i] = is_small(&set->files[i]);
	a->builder = b;
	pthread_mutex_init(&a->mutex, NULL);
	pthread_cond_init(&a->changed, NULL);
	a->own.of = a;
	for (int i = 0; i < n_more && i < THREADS_MAX; i++) {
		struct reader_thread *r = &a->others[a->n_threads];

		r->of = a;
		if (!thread_start(&r->thread, run, r))
			break;
		a->n_threads++;
	}
	if (a->n_threads)
		return a;
	load_ahead_stop(a);
	return NULL;
}

/* Wait until file i is read. */
static struct slot take(struct load_ahead *a, size_t i)
{
	struct slot *at = &a->slots[i % WINDOW], slot;

	pthread_mutex_lock(&a->mutex);
	a->at = i;
	pthread_cond_broadcast(&a->changed);
	while (at->state != SLOT_READ || at->file != i)
		if (!read_next(&a->own))
			pthread_cond_wait(&a->changed, &a->mutex);
	slot = *at;
	at->state = SLOT_FREE;
	pthread_mutex_unlock(&a->mutex);
	return slot;
}

static void slot_done(struct slot *slot)
{
	apart_input_free(slot->input);
	fingerprint_done(&slot->print);
}

bool load_ahead_give(struct load_ahead *a, size_t i, struct builder *b, struct set_file *file)
{
	struct slot slot = take(a, i);
	bool is_given = slot.input && !slot.map->is_over &&
		load_file_give(file->path, b, &slot.map->map, slot.input);

	if (is_given) {
		file->print = slot.print;
		slot.print = (struct fingerprint){ 0 };
	} else if (slot.input) {
		pthread_mutex_lock(&a->mutex);
		slot.map->is_over = true;
		pthread_mutex_unlock(&a->mutex);
	}
	slot_done(&slot);
	return is_given;
}

void load_ahead_stop(struct load_ahead *a)
{
	struct ahead_map *before;

	if (!a)
		return;
	pthread_mutex_lock(&a->mutex);
	a->is_ended = true;
	pthread_cond_broadcast(&a->changed);
	pthread_mutex_unlock(&a->mutex);
	for (int i = 0; i < a->n_threads; i++) {
		pthread_join(a->others[i].thread, NULL);
		apart_end(&a->others[i].apart);
	}
	apart_end(&a->own.apart);
	for (size_t i = 0; i < WINDOW; i++)
		if (a->slots[i].state == SLOT_READ)
			slot_done(&a->slots[i]);
	for (struct ahead_map *map = a->maps; map; map = before) {
		before = map->before;
		apart_map_done(&map->map);
		free(map);
	}
	pthread_cond_destroy(&a->changed);
	pthread_mutex_destroy(&a->mutex);
	free(a->is_small);
	free(a);
}
