/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The files are written once a second, so they go where that costs no disk, if there is such a
 * place, and are removed as soon as they are loaded: a signal that ends the program leaves nothing.
 * They are readable by the user only. */
#include "config.h"

#include "session/live_feed.h"

#include "record/attach.h"
#include "record/attach_names.h"

#include "base/alloc.h"
#include "base/sink.h"
#include "base/text.h"
#include "base/units.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Of several threads each has a part of the memory. */
#define SEVERAL_BYTES (RING_BYTES / 4)

/* ---- slices ---- */

/* The ring of a thread; NULL: it has none yet. The caller has the lock. */
static struct live_thread *find_thread(struct live_feed *f, uint32_t process, uint32_t thread)
{
	for (size_t i = 0; i < f->n_threads; i++)
		if (f->threads[i].process == process && f->threads[i].thread == thread)
			return &f->threads[i];
	return NULL;
}

static struct live_thread *add_thread(struct live_feed *f, uint32_t process,
				      const struct recorder_slice *slice)
{
	struct buf name = { 0 };
	bool is_one = f->n_processes == 1 && !f->options.has_workers;
	struct live_thread *t;

	f->threads = xgrow(f->threads, &f->cap_threads, f->n_threads + 1, sizeof *f->threads);
	t = &f->threads[f->n_threads++];
	*t = (struct live_thread){ .process = process,
				   .thread = slice->thread,
				   .tid = slice->tid,
				   .ring = ring_new((struct ring_limits){
					   .bytes = is_one ? RING_BYTES : SEVERAL_BYTES }) };
	record_name(&f->processes[process], slice->title, &name);
	ring_begin_with(t->ring, buf_text(&name));
	buf_done(&name);
	return t;
}

/* Forget threads that ended so long ago that nothing of them would be shown. */
static void drop_old(struct live_feed *f)
{
	size_t n = 0;

	for (size_t i = 0; i < f->n_threads; i++) {
		if (ring_samples(f->threads[i].ring) > 0 &&
		    ring_last_us(f->threads[i].ring) < f->last_us - RING_US)
			ring_free(f->threads[i].ring);
		else
			f->threads[n++] = f->threads[i];
	}
	f->n_threads = n;
}

static void take_slice(void *ctx, uint32_t process, const struct recorder_slice *slice)
{
	struct live_feed *f = ctx;
	struct error err = ERROR_INIT;
	struct live_thread *t;

	pthread_mutex_lock(&f->lock);
	t = find_thread(f, process, slice->thread);
	if (!t)
		t = add_thread(f, process, slice);
	if (!ring_add(t->ring, slice->profile, &err))
		f->n_broken++;
	if (ring_last_us(t->ring) > f->last_us)
		f->last_us = ring_last_us(t->ring);
	f->n_slices++;
	drop_old(f);
	pthread_mutex_unlock(&f->lock);
	wake_up(f->news);
}

static void take_end(void *ctx, uint32_t process)
{
	struct live_feed *f = ctx;

	(void)process;
	wake_up(f->news);
}

uint64_t live_feed_slices(struct live_feed *f, int64_t *last_us)
{
	uint64_t n;

	pthread_mutex_lock(&f->lock);
	n = f->n_slices;
	*last_us = f->last_us;
	pthread_mutex_unlock(&f->lock);
	return n;
}

bool live_feed_has_ended(struct live_feed *f)
{
	return record_is_done(f->record);
}

int64_t live_feed_silence(struct live_feed *f)
{
	return record_silence(f->record);
}

/* ---- files ---- */

static bool make_folder(struct live_feed *f, struct error *err)
{
	const char *const places[] = { getenv("XDG_RUNTIME_DIR"), "/dev/shm", getenv("TMPDIR"),
				       "/tmp" };

	for (size_t i = 0; i < ARRAY_LEN(places) && !f->folder; i++) {
		struct buf path = { 0 };

		if (!places[i] || places[i][0] != '/')
			continue;
		buf_addf(&path, "%s/flametty-XXXXXX", places[i]);
		if (mkdtemp(path.data)) {
			buf_addc(&path, '/');
			f->folder = xstrdup(buf_text(&path));
		}
		buf_done(&path);
	}
	if (f->folder)
		return true;
	error_errno(err, errno, "a folder for the recording");
	return false;
}

void live_feed_remove_files(struct live_feed *f)
{
	for (int i = 0; i < f->n_files; i++)
		unlink(f->files[i]);
	if (f->folder)
		rmdir(f->folder);
	free(f->folder);
	f->folder = NULL;
}

/* Remove the files, and forget their names. */
static void forget_files(struct live_feed *f)
{
	live_feed_remove_files(f);
	for (int i = 0; i < f->n_files; i++)
		free(f->files[i]);
	f->n_files = 0;
}

static bool write_file(const char *path, const struct buf *text, struct error *err)
{
	FILE *file = fopen(path, "we");
	bool is_good = file && fwrite(text->data, 1, text->len, file) == text->len;

	if (file && fclose(file) != 0)
		is_good = false;
	if (!is_good)
		error_errno(err, errno, "%s", path);
	return is_good;
}

/* The caller has the lock. */
static bool write_thread(struct live_feed *f, const struct live_thread *t, const char *path,
			 int64_t t0, int64_t t1, struct error *err)
{
	struct buf text = { 0 };
	bool is_good = true;

	if (ring_write_whole(t->ring, t0, t1, &text)) {
		is_good = write_file(path, &text, err);
		f->files[f->n_files++] = xstrdup(path);
	}
	buf_done(&text);
	return is_good;
}

bool live_feed_write(struct live_feed *f, int64_t t0, int64_t t1, struct error *err)
{
	/* The second that it is nearest to: both clocks are not read at the same time. */
	time_t at = (time_t)((ring_wall_ns(t0) + NS_PER_S / 2) / NS_PER_S);
	struct buf path = { 0 };
	bool is_good = true;

	forget_files(f);
	if (!make_folder(f, err))
		return false;
	pthread_mutex_lock(&f->lock);
	f->files = xrealloc(f->files, f->n_threads + 1, sizeof *f->files);
	for (size_t i = 0; i < f->n_threads && is_good; i++) {
		const struct live_thread *t = &f->threads[i];

		buf_clear(&path);
		buf_adds(&path, f->folder);
		attach_file_name(&f->processes[t->process], t->tid, at, (uint32_t)i + 1, &path);
		is_good = write_thread(f, t, path.data, t0, t1, err);
	}
	pthread_mutex_unlock(&f->lock);
	buf_done(&path);
	return is_good;
}

int64_t live_feed_first_us(struct live_feed *f)
{
	int64_t first = 0;

	pthread_mutex_lock(&f->lock);
	for (size_t i = 0; i < f->n_threads; i++) {
		int64_t us = ring_first_us(f->threads[i].ring);

		if (us > 0 && (first == 0 || us < first))
			first = us;
	}
	pthread_mutex_unlock(&f->lock);
	return first;
}

/* ---- the user's file ---- */

static bool is_folder(const char *path)
{
	struct stat st;

	return path[strlen(path) - 1] == '/' || (stat(path, &st) == 0 && S_ISDIR(st.st_mode));
}

static bool save_thread(const struct live_thread *t, const char *path, bool is_forced,
			struct error *err)
{
	struct sink *sink = sink_open(path, is_forced, err);

	if (!sink)
		return false;
	ring_write(t->ring, INT64_MIN, INT64_MAX, sink_buf(sink));
	return sink_close(sink, err);
}

/* The caller has the lock. */
static bool save_all(struct live_feed *f, const char *path, bool is_forced, struct buf *name,
		     uint32_t *n, struct error *err)
{
	bool has_folder = is_folder(path), is_good = true;

	if (has_folder && mkdir(path, 0777) != 0 && errno != EEXIST)
		return error_errno(err, errno, "%s", path);
	for (size_t i = 0; i < f->n_threads && is_good; i++) {
		const struct live_thread *t = &f->threads[i];
		time_t at = (time_t)(ring_wall_ns(ring_first_us(t->ring)) / NS_PER_S);

		if (ring_samples(t->ring) == 0)
			continue;
		if (!has_folder && f->n_threads > 1)
			return error_set(err, ERR_IO, -1, "several threads need a folder: %s/",
					 path);
		buf_clear(name);
		buf_adds(name, path);
		if (has_folder) {
			if (name->data[name->len - 1] != '/')
				buf_addc(name, '/');
			attach_file_name(&f->processes[t->process], t->tid, at, *n + 1, name);
		}
		is_good = save_thread(t, buf_text(name), is_forced, err);
		*n += is_good;
	}
	return is_good;
}

bool live_feed_save(struct live_feed *f, const char *path, bool is_forced, struct buf *said)
{
	struct error err = ERROR_INIT;
	struct buf name = { 0 };
	uint32_t n = 0;
	bool is_good;

	pthread_mutex_lock(&f->lock);
	is_good = save_all(f, path, is_forced, &name, &n, &err);
	pthread_mutex_unlock(&f->lock);
	if (!is_good) {
		text_visible(said, err.text, strlen(err.text));
	} else if (n == 0) {
		buf_adds(said, "nothing was recorded yet");
		is_good = false;
	} else {
		buf_adds(said, "wrote ");
		text_visible(said, name.data, name.len);
		if (n > 1)
			buf_addf(said, " and %u more", (unsigned)n - 1);
	}
	buf_done(&name);
	return is_good;
}

/* ---- the whole ---- */

bool live_feed_start(struct live_feed *f, struct run *run, struct wake *news)
{
	*f = (struct live_feed){ .run = run,
				 .news = news,
				 .cancel = { -1, -1 },
				 .guard = { .fd = -1 } };
	pthread_mutex_init(&f->lock, NULL);
	if (run->options.is_heap) {
		run_complain_usage(run, "--heap is for attach: ", "live shows times", "");
		return false;
	}
	if (!attach_find_options(run, &f->options) ||
	    !attach_names_find(run, &f->processes, &f->n_processes))
		return false;
	/* Before there are threads: the guard is a copy of this process. */
	if (!guard_start(&f->guard))
		run_warn("no process can be started that closes the inspector if this one is "
			 "killed");
	if (!wake_open(&f->cancel)) {
		run_complain(run, "no file descriptors are left");
		return false;
	}
	f->duration_ns = run->options.duration ? f->options.duration_ns : 0;
	f->options.duration_ns = 0;
	f->options.on_slice = take_slice;
	f->options.on_end = take_end;
	f->options.ctx = f;
	f->options.target = (struct target_options){ "/proc", wake_fd(&f->cancel), &f->guard };
	f->record = record_start(f->processes, f->n_processes, &f->options);
	return true;
}

void live_feed_stop(struct live_feed *f)
{
	if (f->record) {
		wake_up(&f->cancel);
		record_free(f->record);
		for (uint32_t i = 0; i < f->n_processes; i++)
			attach_tell(f->run, &f->processes[i]);
		if (f->n_broken > 0)
			run_warn("%llu slices could not be read", (unsigned long long)f->n_broken);
	}
	if (f->guard.fd >= 0)
		guard_stop(&f->guard);
	if (f->cancel.in >= 0)
		wake_close(&f->cancel);
	for (uint32_t i = 0; i < f->n_processes; i++)
		record_process_done(&f->processes[i]);
	for (size_t i = 0; i < f->n_threads; i++)
		ring_free(f->threads[i].ring);
	forget_files(f);
	free(f->files);
	free(f->processes);
	free(f->threads);
	pthread_mutex_destroy(&f->lock);
}
