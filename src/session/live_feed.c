/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The files are written once a second, so they go where that costs no disk, if there is such a
 * place, and are removed as soon as they are loaded: a signal that ends the program leaves nothing.
 * They are readable by the user only. */
#include "config.h"

#include "session/live_feed.h"

#include "base/alloc.h"
#include "base/clock.h"
#include "base/sink.h"
#include "base/text.h"
#include "base/units.h"
#include "cli/run.h"
#include "record/remote/ring.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* A thread of a process. */
struct live_thread {
	uint32_t process, thread; /* as in record_options.on_chunk */
	int tid;
	char *title;
	struct ring *ring;
	struct request_counts counts; /* what its texts say that they lack */
};

/* What the texts of a thread have told of requests, or will. */
struct live_requests {
	uint32_t process, thread; /* as above */
	int tid;
	char *title;
	uint64_t n_read;  /* texts, as ring_requests() counts */
	struct buf texts; /* that the reader did not get yet */
	struct request_reader reader;
	bool is_there; /* the thread is not forgotten */
};

/* Bytes of each thread, where there are several. */
#define SEVERAL_BYTES (RING_BYTES / 4)

/* ---- chunks ---- */

/* The ring of a thread; NULL: it has none yet. The caller has the lock of the rings. */
static struct live_thread *find_thread(struct live_feed *f, uint32_t process, uint32_t thread)
{
	for (size_t i = 0; i < f->n_threads; i++)
		if (f->threads[i].process == process && f->threads[i].thread == thread)
			return &f->threads[i];
	return NULL;
}

static struct live_thread *add_thread(struct live_feed *f, uint32_t process,
				      const struct recorder_chunk *chunk)
{
	bool is_one = f->n_processes == 1 && !f->options.has_workers;
	struct live_thread *t;

	f->threads = xgrow(f->threads, &f->cap_threads, f->n_threads + 1, sizeof *f->threads);
	t = &f->threads[f->n_threads++];
	*t = (struct live_thread){ .process = process,
				   .thread = chunk->thread,
				   .tid = chunk->tid,
				   .title = xstrdup(chunk->title),
				   .ring = ring_new((struct ring_limits){
					   .bytes = is_one ? RING_BYTES : SEVERAL_BYTES }) };
	return t;
}

/* What it waits for changes. */
static void set_name(struct live_feed *f, const struct live_thread *t)
{
	BUF_LOCAL name = { 0 };

	record_name(&f->processes[t->process], t->title, &name);
	ring_begin_with(t->ring, buf_text(&name));
}

static void add_counts(struct request_counts *sum, const struct request_counts *more)
{
	sum->n_lost += more->n_lost;
	sum->n_errors += more->n_errors;
	sum->n_unseen += more->n_unseen;
}

static void forget_thread(struct live_feed *f, struct live_thread *t)
{
	add_counts(&f->counts, &t->counts);
	free(t->title);
	ring_free(t->ring);
}

static void keep_note(void *ctx, const char *text)
{
	struct live_feed *f = ctx;

	pthread_mutex_lock(&f->lock);
	buf_clear(&f->note);
	text_visible(&f->note, text, strlen(text));
	pthread_mutex_unlock(&f->lock);
}

/* Count what a text says that it lacks. What a thread lacks for the first time is told at once, the
 * whole at the end. */
static void count_lacks(struct live_feed *f, struct live_thread *t, struct str text)
{
	const struct request_counts before = t->counts;
	struct request_counts news;

	request_reader_count(text, &t->counts);
	news = (struct request_counts){ .n_lost = before.n_lost ? 0 : t->counts.n_lost,
					.n_errors = before.n_errors ? 0 : t->counts.n_errors,
					.n_unseen = before.n_unseen ? 0 : t->counts.n_unseen };
	request_trace_lacks(&news, keep_note, f);
}

/* Add a chunk to the ring of its thread. The caller has the lock of the rings. */
static void add_chunk(struct live_feed *f, uint32_t process, const struct recorder_chunk *chunk)
{
	struct live_thread *t = find_thread(f, process, chunk->thread);
	struct error err = ERROR_INIT;
	bool is_broken = false;
	int64_t last_us;
	size_t n = 0;

	if (!t)
		t = add_thread(f, process, chunk);
	if (chunk->requests.len) {
		ring_add_requests(t->ring, chunk->requests);
		count_lacks(f, t, chunk->requests);
	} else {
		is_broken = !ring_add(t->ring, chunk->profile, &err);
	}
	set_name(f, t);
	last_us = ring_last_us(t->ring);
	pthread_mutex_lock(&f->lock);
	f->last_us = last_us > f->last_us ? last_us : f->last_us;
	last_us = f->last_us;
	f->n_broken += is_broken;
	f->n_chunks += !chunk->requests.len;
	pthread_mutex_unlock(&f->lock);
	/* Forget threads that ended so long ago that nothing of them would be shown. */
	for (size_t i = 0; i < f->n_threads; i++) {
		if (ring_samples(f->threads[i].ring) > 0 &&
		    ring_last_us(f->threads[i].ring) < last_us - RING_US)
			forget_thread(f, &f->threads[i]);
		else
			f->threads[n++] = f->threads[i];
	}
	f->n_threads = n;
}

static void take_chunk(void *ctx, uint32_t process, const struct recorder_chunk *chunk)
{
	struct live_feed *f = ctx;

	pthread_mutex_lock(&f->rings_lock);
	if (!f->is_over)
		add_chunk(f, process, chunk);
	pthread_mutex_unlock(&f->rings_lock);
	wake_up(f->news);
}

static void take_end(void *ctx, uint32_t process)
{
	struct live_feed *f = ctx;

	(void)process;
	wake_up(f->news);
}

static void take_note(void *ctx, uint32_t process, const char *text)
{
	struct live_feed *f = ctx;

	(void)process;
	keep_note(f, text);
	wake_up(f->news);
}

uint64_t live_feed_chunks(struct live_feed *f, int64_t *last_us)
{
	uint64_t n;

	pthread_mutex_lock(&f->lock);
	n = f->n_chunks;
	*last_us = f->last_us;
	pthread_mutex_unlock(&f->lock);
	return n;
}

/* ---- files ---- */

static bool make_folder(struct live_feed *f, struct error *err)
{
	const char *const places[] = { getenv("XDG_RUNTIME_DIR"), "/dev/shm", getenv("TMPDIR"),
				       "/tmp" };

	for (size_t i = 0; i < ARRAY_LEN(places) && !f->folder; i++) {
		BUF_LOCAL path = { 0 };

		if (!places[i] || places[i][0] != '/')
			continue;
		if (recording_make_folder(places[i], &path))
			f->folder = xstrdup(buf_text(&path));
	}
	if (f->folder)
		return true;
	return error_errno(err, errno, "a folder for the recording");
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

void live_feed_take_files(struct live_feed *f)
{
	for (int i = 0; i < f->n_files; i++)
		free(f->files[i]);
	free(f->files);
	f->files = f->written;
	f->n_files = f->n_written;
	f->written = NULL;
	f->n_written = 0;
}

/* The caller has the lock of the rings. */
static bool write_thread(struct live_feed *f, const struct live_thread *t, const char *path,
			 int64_t t0, int64_t t1, struct error *err)
{
	struct sink *sink = sink_open(path, false, err);

	if (!sink)
		return false;
	if (!ring_write_whole(t->ring, t0, t1, sink_buf(sink))) {
		sink_drop(sink);
		return true;
	}
	f->written[f->n_written++] = xstrdup(path);
	return sink_close(sink, err);
}

static void forget_requests(struct live_requests *r)
{
	request_reader_done(&r->reader);
	buf_done(&r->texts);
	free(r->title);
}

static void free_requests(struct live_requests_list *l)
{
	for (size_t i = 0; i < l->n; i++)
		forget_requests(&l->list[i]);
	free(l->list);
}

static struct live_requests *requests_of(struct live_requests_list *l, const struct live_thread *t)
{
	for (size_t i = 0; i < l->n; i++)
		if (l->list[i].process == t->process && l->list[i].thread == t->thread)
			return &l->list[i];
	l->list = xgrow(l->list, &l->cap, l->n + 1, sizeof *l->list);
	l->list[l->n] = (struct live_requests){ .process = t->process,
						.thread = t->thread,
						.tid = t->tid,
						.title = xstrdup(t->title) };
	request_reader_init(&l->list[l->n].reader);
	return &l->list[l->n++];
}

/* Copy the texts that have come since the last call, and forget threads that are not there any
 * more. The caller has the lock of the rings. */
static void copy_requests(const struct live_feed *f, struct live_requests_list *l)
{
	size_t n = 0;

	for (size_t i = 0; i < f->n_threads; i++) {
		struct live_requests *r = requests_of(l, &f->threads[i]);

		r->is_there = true;
		buf_clear(&r->texts);
		r->n_read = ring_requests(f->threads[i].ring, r->n_read, &r->texts);
	}
	for (size_t i = 0; i < l->n; i++) {
		if (l->list[i].is_there) {
			l->list[n] = l->list[i];
			l->list[n++].is_there = false;
		} else {
			forget_requests(&l->list[i]);
		}
	}
	l->n = n;
}

/* Write the requests of a range into the folder: with what the readers have, or, if the texts are
 * all that there is, by themselves. If there is something, *n_files is one more, and `path` becomes
 * that of the file. */
static bool write_requests(const struct live_feed *f, struct live_requests_list *l, bool is_all,
			   const char *folder, struct request_range range, bool is_forced,
			   struct buf *path, uint32_t *n_files, struct error *err)
{
	ALLOC_LOCAL struct request_source *sources = xcalloc(l->n + 1, sizeof *sources);
	struct request_counts counts;
	size_t n = 0;

	for (size_t i = 0; i < l->n; i++) {
		struct live_requests *r = &l->list[i];

		sources[n] = (struct request_source){ record_number(&f->processes[r->process]),
						      r->tid,
						      "",
						      chunk_thread_name(r->title),
						      { r->texts.data, r->texts.len },
						      is_all ? NULL : &r->reader };
		n += r->n_read > 0;
	}
	if (n == 0)
		return true;
	buf_clear(path);
	buf_addf(path, "%s/" RECORDING_REQUESTS, folder);
	if (!request_trace_file(sources, n, range, buf_text(path), is_forced, &counts, err))
		return false;
	++*n_files;
	return true;
}

bool live_feed_write(struct live_feed *f, bool is_all, int64_t t0, int64_t t1, struct error *err)
{
	/* The second that it is nearest to: both clocks are not read at the same time. */
	time_t at = (time_t)((ring_wall_ns(t0) + NS_PER_S / 2) / NS_PER_S);
	struct live_requests_list all = { 0 }, *requests = is_all ? &all : &f->requests;
	BUF_LOCAL path = { 0 };
	bool is_good = true;
	uint32_t n = 0;

	if (!make_folder(f, err))
		return false;
	pthread_mutex_lock(&f->rings_lock);
	f->written = xcalloc(f->n_threads + 1, sizeof *f->written);
	for (size_t i = 0; i < f->n_threads && is_good; i++) {
		const struct live_thread *t = &f->threads[i];

		buf_clear(&path);
		buf_adds(&path, f->folder);
		recording_file_name(false, at, record_number(&f->processes[t->process]), t->tid,
				    (long)i + 1, &path);
		is_good = write_thread(f, t, path.data, t0, t1, err);
	}
	copy_requests(f, requests);
	pthread_mutex_unlock(&f->rings_lock);
	if (is_good)
		is_good = write_requests(f, requests, is_all, f->folder,
					 (struct request_range){ t0, t1 }, false, &path, &n, err);
	if (n)
		f->written[f->n_written++] = xstrdup(path.data);
	free_requests(&all);
	return is_good;
}

int64_t live_feed_first_us(struct live_feed *f)
{
	int64_t first = 0;

	pthread_mutex_lock(&f->rings_lock);
	for (size_t i = 0; i < f->n_threads; i++) {
		int64_t us = ring_first_us(f->threads[i].ring);

		if (us > 0 && (first == 0 || us < first))
			first = us;
	}
	pthread_mutex_unlock(&f->rings_lock);
	return first;
}

/* ---- the user's file ---- */

static bool save_thread(const struct live_thread *t, const char *path, bool is_forced,
			struct error *err)
{
	struct sink *sink = sink_open(path, is_forced, err);

	if (!sink)
		return false;
	ring_write(t->ring, INT64_MIN, INT64_MAX, sink_buf(sink));
	return sink_close(sink, err);
}

/* Save the profiles. The caller has the lock of the rings. */
static bool save_profiles(struct live_feed *f, const char *path, bool is_forced, struct buf *name,
			  uint32_t *n, struct error *err)
{
	bool has_folder = recording_is_folder(path), is_good = true;

	if (!has_folder && f->options.requests)
		return error_set(err, ERR_IO, -1, "a recording with requests needs a folder: %s/",
				 path);
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
		if (has_folder)
			recording_file_name(false, at, record_number(&f->processes[t->process]),
					    t->tid, (long)*n + 1, name);
		is_good = save_thread(t, buf_text(name), is_forced, err);
		*n += is_good;
	}
	return is_good;
}

bool live_feed_save(struct live_feed *f, const char *path, bool is_forced, struct buf *said)
{
	struct live_requests_list requests = { 0 };
	struct error err = ERROR_INIT;
	BUF_LOCAL name = { 0 };
	uint32_t n = 0;
	bool is_good;

	pthread_mutex_lock(&f->rings_lock);
	is_good = save_profiles(f, path, is_forced, &name, &n, &err);
	copy_requests(f, &requests);
	pthread_mutex_unlock(&f->rings_lock);
	if (is_good && n > 0)
		is_good = write_requests(f, &requests, true, path, REQUEST_RANGE_ALL, is_forced,
					 &name, &n, &err);
	free_requests(&requests);
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
	return is_good;
}

/* ---- the whole ---- */

bool live_feed_start(struct live_feed *f, struct run *run, struct wake *news)
{
	*f = (struct live_feed){ .run = run, .news = news, .recording = RECORDING_NONE };
	pthread_mutex_init(&f->lock, NULL);
	pthread_mutex_init(&f->rings_lock, NULL);
	if (run->options.is_heap)
		return run_complain_usage(run, "--heap is for attach: ", "live shows times", "");
	if (!recording_find_options(run, &f->options) ||
	    !recording_processes_find(run, &f->processes, &f->n_processes) ||
	    !recording_begin(&f->recording, run))
		return false;
	f->duration_ns = run->options.duration ? f->options.duration_ns : 0;
	f->options.duration_ns = 0;
	f->options.on_chunk = take_chunk;
	f->options.on_note = take_note;
	f->options.on_end = take_end;
	f->options.ctx = f;
	f->options.target = recording_target(&f->recording, f->n_processes);
	f->record = record_start(f->processes, f->n_processes, &f->options);
	return true;
}

void live_feed_stop(struct live_feed *f)
{
	if (f->record) {
		wake_up(&f->recording.cancel);
		record_free(f->record);
		for (uint32_t i = 0; i < f->n_processes; i++)
			recording_tell(f->run, &f->processes[i]);
		if (f->n_broken > 0)
			run_warn("%llu slices could not be read", (unsigned long long)f->n_broken);
	}
	for (size_t i = 0; i < f->n_threads; i++)
		forget_thread(f, &f->threads[i]);
	request_trace_lacks(&f->counts, request_trace_warn, NULL);
	recording_end(&f->recording);
	for (uint32_t i = 0; i < f->n_processes; i++)
		record_process_done(&f->processes[i]);
	buf_done(&f->note);
	live_feed_remove_files(f);
	live_feed_take_files(f);
	free_requests(&f->requests);
	free(f->processes);
	free(f->threads);
	pthread_mutex_destroy(&f->lock);
	pthread_mutex_destroy(&f->rings_lock);
}
