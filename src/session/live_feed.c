/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The files are written once a second, so they go where that costs no disk, if there is such a
 * place, and are removed as soon as they are loaded: a signal that ends the program leaves nothing.
 * They are readable by the user only. */
#include "config.h"

#include "session/live_feed.h"

#include "base/alloc.h"
#include "base/clock.h"
#include "base/command_name.h"
#include "base/sink.h"
#include "base/text.h"
#include "base/units.h"
#include "cli/run.h"
#include "model/metrics.h"
#include "record/metric_log.h"
#include "record/remote/process.h"
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

/* Several processes: how many at a time, and how they are recorded while none is shown. */
#define MANY_MAX 256
#define MANY_INTERVAL_US 10000
#define MANY_CHUNK_MS 3000
#define MANY_LOOK_NS (2 * NS_PER_S)  /* between two looks at which there are */
#define MANY_GONE_NS (10 * NS_PER_S) /* so long one that has ended stays in the list */

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
	bool is_one = (f->n_processes == 1 || f->is_many) && !f->options.has_workers;
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
	struct metric_log *log = f->lives[process].log;
	bool is_shown;

	if (chunk->thread == 0 && chunk->requests.len)
		metric_log_requests(log, chunk->requests);
	else if (chunk->thread == 0)
		metric_log_chunk(log, chunk->profile);
	pthread_mutex_lock(&f->rings_lock);
	is_shown = !f->is_over && (!f->is_many || f->shown == process);
	if (is_shown)
		add_chunk(f, process, chunk);
	pthread_mutex_unlock(&f->rings_lock);
	if (is_shown)
		wake_up(f->news);
}

static void take_metrics(void *ctx, uint32_t process, struct str text)
{
	struct live_feed *f = ctx;
	int64_t us;

	metric_log_pull(f->lives[process].log, text);
	us = metric_log_last(f->lives[process].log);
	pthread_mutex_lock(&f->lock);
	if (f->is_many && f->shown == LIVE_ALL) {
		f->last_us = us > f->last_us ? us : f->last_us;
		f->n_chunks++;
	}
	pthread_mutex_unlock(&f->lock);
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

/* The state of a process for people. */
static void find_state(struct live_feed *f, uint32_t i)
{
	const struct record_process *p = &f->processes[i];
	struct process process = { 0 };
	struct error ignored = ERROR_INIT;
	struct buf *state = &f->lives[i].state;
	bool is_there = p->pid && process_read(PROCESS_PROC, p->pid, &process, &ignored) &&
		!process.is_zombie;

	process_done(&process);
	buf_clear(state);
	if (!is_there)
		buf_adds(state, METRICS_ENDED);
	else if (p->err.kind != ERR_NONE)
		text_visible(state, p->err.text, strlen(p->err.text));
	else if (p->notes.len)
		text_visible(state, p->notes.data, strcspn(p->notes.data, "\n"));
	else
		buf_adds(state, "not recorded any more");
}

/* A process whose child is a worker is the primary of a cluster. */
static const char *role_of(const struct live_feed *f, uint32_t i)
{
	if (f->lives[i].is_worker)
		return METRICS_WORKER;
	for (uint32_t k = 0; k < f->n_processes; k++)
		if (f->lives[k].is_worker && f->lives[k].parent == f->processes[i].pid)
			return METRICS_PRIMARY;
	return "";
}

/* Write what is measured of the processes that are shown. */
static bool write_metrics(struct live_feed *f, int64_t t0, int64_t t1, const char *path,
			  bool is_forced, struct error *err)
{
	bool is_list = f->is_many && f->shown == LIVE_ALL;
	ALLOC_LOCAL struct metric_process *all = xcalloc(f->n_processes, sizeof *all);
	struct sink *sink = sink_open(path, is_forced, err);
	int64_t first;

	if (!sink)
		return false;
	for (uint32_t i = 0; i < f->n_processes; i++) {
		struct live_process *p = &f->lives[i];

		all[i] = (struct metric_process){ .log = p->log,
						  .pid = record_number(&f->processes[i]),
						  .name = is_list ? p->name : NULL,
						  .role = role_of(f, i),
						  .state = buf_text(&p->state) };
	}
	/* Before the first answer nothing is known: roles and reasons are no older than it. */
	first = metric_log_first(all, f->n_processes);
	t0 = first > t0 ? first : t0;
	for (uint32_t i = 0; f->is_many && !is_list && i < f->n_processes; i++)
		if (f->shown != i)
			all[i].log = NULL;
	metric_log_write(all, f->n_processes, t0, t1, sink_buf(sink));
	return sink_close(sink, err);
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
	f->written = xcalloc(f->n_threads + 2, sizeof *f->written);
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
	if (!is_good)
		return false;
	buf_clear(&path);
	buf_addf(&path, "%s/" METRICS_FILE, f->folder);
	is_good = write_metrics(f, t0, t1, path.data, false, err);
	if (is_good)
		f->written[f->n_written++] = xstrdup(path.data);
	return is_good;
}

int64_t live_feed_first_us(struct live_feed *f)
{
	int64_t first = 0;

	if (f->is_many && f->shown == LIVE_ALL)
		return f->last_us - RING_US;
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
	if (is_good && recording_is_folder(path)) {
		buf_clear(&name);
		buf_adds(&name, path);
		recording_add_slash(&name);
		buf_adds(&name, METRICS_FILE);
		is_good = write_metrics(f, live_feed_first_us(f), INT64_MAX, name.data, is_forced,
					&err);
		n += is_good;
	}
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

/* ---- several processes ---- */

static void begin_life(struct live_feed *f, uint32_t i, const struct record_process *p)
{
	struct live_process *life = &f->lives[i];
	struct process process = { 0 };
	struct error ignored = ERROR_INIT;
	BUF_LOCAL name = { 0 };

	if (p->pid && process_read(PROCESS_PROC, p->pid, &process, &ignored) && process.command.len)
		command_name(&name, (struct str){ process.command.data, process.command.len });
	else if (p->pid)
		buf_addf(&name, "process %d", (int)p->pid);
	else
		buf_addf(&name, "%s:%d", p->host, p->port);
	*life = (struct live_process){ .log = metric_log_new(RING_US),
				       .name = xstrdup(buf_text(&name)),
				       .is_worker = p->pid &&
					       process_is_worker(PROCESS_PROC, p->pid),
				       .parent = process.parent };
	process_done(&process);
}

static void end_life(struct live_process *life)
{
	metric_log_free(life->log);
	free(life->name);
	buf_done(&life->state);
	*life = (struct live_process){ 0 };
}

uint32_t live_feed_find(const struct live_feed *f, int64_t pid)
{
	for (uint32_t i = 0; i < f->n_processes; i++)
		if (f->lives[i].log && record_number(&f->processes[i]) == pid)
			return i;
	return LIVE_ALL;
}

static void add_process(struct live_feed *f, pid_t pid)
{
	const struct record_process new = { .pid = pid };
	uint32_t i = 0;

	while (i < f->n_processes && f->lives[i].log)
		i++;
	if (i == MANY_MAX)
		return;
	pthread_mutex_lock(&f->rings_lock);
	begin_life(f, i, &new);
	f->n_processes = i < f->n_processes ? f->n_processes : i + 1;
	pthread_mutex_unlock(&f->rings_lock);
	record_add(f->record, i, pid);
}

/* Those that have ended stay in the list for a while; one that cannot be recorded does as long as
 * it is there. */
static void look_at_ends(struct live_feed *f, int64_t now)
{
	for (uint32_t i = 0; i < f->n_processes; i++) {
		struct live_process *life = &f->lives[i];

		if (!life->log || !record_has_ended(f->record, i))
			continue;
		find_state(f, i);
		if (strcmp(buf_text(&life->state), METRICS_ENDED) != 0)
			continue;
		life->ended_ns = life->ended_ns ? life->ended_ns : now;
		if (now - life->ended_ns < MANY_GONE_NS || f->shown == i)
			continue;
		pthread_mutex_lock(&f->rings_lock);
		end_life(life);
		record_process_done(&f->processes[i]);
		pthread_mutex_unlock(&f->rings_lock);
	}
}

void live_feed_look(struct live_feed *f)
{
	struct record_process *more;
	int64_t now = clock_ns();
	uint32_t n;

	if (!f->is_many || now - f->looked_ns < MANY_LOOK_NS)
		return;
	f->looked_ns = now;
	look_at_ends(f, now);
	recording_processes_more(f->run, &f->seen, &more, &n);
	for (uint32_t i = 0; i < n; i++)
		if (live_feed_find(f, more[i].pid) == LIVE_ALL)
			add_process(f, more[i].pid);
	free(more);
}

void live_feed_show(struct live_feed *f, uint32_t process)
{
	const struct record_pace usual = { f->usual_us, RECORDING_CHUNK_MS },
				 coarse = { MANY_INTERVAL_US, MANY_CHUNK_MS };
	uint32_t before = f->shown;

	pthread_mutex_lock(&f->rings_lock);
	f->shown = process;
	for (size_t i = 0; i < f->n_threads; i++)
		forget_thread(f, &f->threads[i]);
	f->n_threads = 0;
	free_requests(&f->requests);
	f->requests = (struct live_requests_list){ 0 };
	pthread_mutex_lock(&f->lock);
	f->n_chunks = 0;
	f->last_us = 0;
	pthread_mutex_unlock(&f->lock);
	pthread_mutex_unlock(&f->rings_lock);
	if (before != LIVE_ALL)
		record_set_pace(f->record, before, coarse);
	if (process != LIVE_ALL)
		record_set_pace(f->record, process, usual);
}

bool live_feed_is_over(struct live_feed *f)
{
	return f->is_many && f->shown != LIVE_ALL ? record_has_ended(f->record, f->shown)
		: f->is_many                      ? false
						  : record_is_done(f->record);
}

/* ---- the whole ---- */

static bool make_many(struct live_feed *f)
{
	if (f->n_processes > MANY_MAX)
		return run_complain_usage(f->run, "these are too many processes: live shows ",
					  "256 at most", "");
	f->processes = xrealloc(f->processes, MANY_MAX, sizeof *f->processes);
	f->seen.words = f->run->options.files;
	f->seen.n_words = f->run->options.n_files;
	f->usual_us = f->options.interval_us;
	f->options.interval_us = MANY_INTERVAL_US;
	f->options.chunk_ms = MANY_CHUNK_MS;
	f->options.most = MANY_MAX;
	f->options.has_waits = false;
	return true;
}

bool live_feed_start(struct live_feed *f, struct run *run, struct wake *news)
{
	*f = (struct live_feed){ .run = run,
				 .news = news,
				 .shown = LIVE_ALL,
				 .recording = RECORDING_NONE };
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
	f->is_many = f->n_processes > 1 || run->options.is_all_node;
	f->lives = xcalloc(f->is_many ? MANY_MAX : f->n_processes, sizeof *f->lives);
	if (f->is_many && !make_many(f))
		return false;
	for (uint32_t i = 0; i < f->n_processes; i++)
		begin_life(f, i, &f->processes[i]);
	f->options.on_chunk = take_chunk;
	f->options.on_metrics = take_metrics;
	f->options.on_note = take_note;
	f->options.on_end = take_end;
	f->options.ctx = f;
	f->options.target = recording_target(
		&f->recording, f->is_many && f->n_processes == 1 ? 2 : f->n_processes);
	f->record = record_start(f->processes, f->n_processes, &f->options);
	return true;
}

void live_feed_stop(struct live_feed *f)
{
	if (f->record) {
		wake_up(&f->recording.cancel);
		record_free(f->record);
		for (uint32_t i = 0; i < f->n_processes; i++)
			if (f->lives[i].log)
				recording_tell(f->run, &f->processes[i]);
		if (f->n_broken > 0)
			run_warn("%llu slices could not be read", (unsigned long long)f->n_broken);
	}
	for (size_t i = 0; i < f->n_threads; i++)
		forget_thread(f, &f->threads[i]);
	request_trace_lacks(&f->counts, request_trace_warn, NULL);
	recording_end(&f->recording);
	for (uint32_t i = 0; i < f->n_processes; i++) {
		record_process_done(&f->processes[i]);
		if (f->lives)
			end_life(&f->lives[i]);
	}
	free(f->lives);
	free(f->seen.pids);
	buf_done(&f->note);
	live_feed_remove_files(f);
	live_feed_take_files(f);
	free_requests(&f->requests);
	free(f->processes);
	free(f->threads);
	pthread_mutex_destroy(&f->lock);
	pthread_mutex_destroy(&f->rings_lock);
}
