/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Each second the last minute of the processes is written to files, which are loaded as any others,
 * and shown by an app that takes over the state of the one before. Frozen, all minutes that are
 * kept are loaded once, with source maps, which would take too long every second.
 *
 * A profile begins at a whole second of the wall clock: the names of its files tell it exactly. */
#include "config.h"

#include "session/session_live.h"

#include "base/alloc.h"
#include "base/clock.h"
#include "base/sink.h"
#include "base/text.h"
#include "base/thread.h"
#include "base/units.h"
#include "cli/run.h"
#include "read/load/load.h"
#include "record/recording.h"
#include "record/remote/process.h"
#include "record/remote/ring.h"
#include "session/session.h"
#include "session/session_host.h"
#include "term/loop.h"
#include "ui/app.h"
#include "ui/chart/live.h"

#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* ==== live feed ====
 *
 * The files are written once a second, so they go where that costs no disk, if there is such a
 * place, and are removed as soon as they are loaded: a signal that ends the program leaves nothing.
 * They are readable by the user only. */

/* A thread of a process. */
struct live_thread {
	uint32_t process, thread; /* as in record_options.on_chunk */
	int tid;
	char *title;
	struct ring *ring;
};

struct live_feed {
	struct run *run;
	struct record_process *processes;
	uint32_t n_processes;
	struct record_options options;
	int64_t duration_ns; /* that the user has asked for; 0: none */
	struct recording recording;
	struct record *record;
	struct wake *news; /* borrowed; woken by each chunk, and at the end */
	char *folder;      /* of the files, while they are there */
	char **files;      /* those of the last live_feed_write(); they are replaced by the next */
	int n_files;

	pthread_mutex_t lock; /* of all below */
	struct live_thread *threads;
	size_t n_threads, cap_threads;
	uint64_t n_chunks;
	uint64_t n_broken; /* chunks that could not be read */
	struct buf note;   /* the last line that was not shown yet */
	int64_t last_us;   /* the latest sample */
	bool is_over;      /* chunks that come now are not kept */
};

/* Bytes of each thread, where there are several. */
#define SEVERAL_BYTES (RING_BYTES / 4)

/* ---- chunks ---- */

/* The ring of a thread; NULL: it has none yet. The caller has the lock. */
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

static void forget_thread(struct live_thread *t)
{
	free(t->title);
	ring_free(t->ring);
}

static void take_chunk(void *ctx, uint32_t process, const struct recorder_chunk *chunk)
{
	struct live_feed *f = ctx;

	pthread_mutex_lock(&f->lock);
	if (!f->is_over) {
		struct live_thread *t = find_thread(f, process, chunk->thread);
		struct error err = ERROR_INIT;
		size_t n = 0;

		if (!t)
			t = add_thread(f, process, chunk);
		if (chunk->requests.len)
			ring_add_requests(t->ring, chunk->requests);
		else if (!ring_add(t->ring, chunk->profile, &err))
			f->n_broken++;
		set_name(f, t);
		if (ring_last_us(t->ring) > f->last_us)
			f->last_us = ring_last_us(t->ring);
		f->n_chunks += !chunk->requests.len;
		/* Forget threads that ended so long ago that nothing of them would be shown. */
		for (size_t i = 0; i < f->n_threads; i++) {
			if (ring_samples(f->threads[i].ring) > 0 &&
			    ring_last_us(f->threads[i].ring) < f->last_us - RING_US)
				forget_thread(&f->threads[i]);
			else
				f->threads[n++] = f->threads[i];
		}
		f->n_threads = n;
	}
	pthread_mutex_unlock(&f->lock);
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
	pthread_mutex_lock(&f->lock);
	buf_clear(&f->note);
	text_visible(&f->note, text, strlen(text));
	pthread_mutex_unlock(&f->lock);
	wake_up(f->news);
}

/* Number of chunks so far; and the time of the latest sample, microseconds of CLOCK_MONOTONIC. */
static uint64_t live_feed_chunks(struct live_feed *f, int64_t *last_us)
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

/* Remove these files from the disk; their names stay in f->files. */
static void live_feed_remove_files(struct live_feed *f)
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

/* The caller has the lock. */
static bool write_thread(struct live_feed *f, const struct live_thread *t, const char *path,
			 int64_t t0, int64_t t1, struct error *err)
{
	struct sink *sink = sink_open(path, true, err);

	if (!sink)
		return false;
	if (!ring_write_whole(t->ring, t0, t1, sink_buf(sink))) {
		sink_drop(sink);
		return true;
	}
	f->files[f->n_files++] = xstrdup(path);
	return sink_close(sink, err);
}

/* Write what the threads have of requests in a range into the folder. If there is something,
 * *n_files is one more, and `path` becomes that of the file. The caller has the lock. */
static bool write_requests(const struct live_feed *f, const char *folder,
			   struct request_range range, bool is_forced, struct buf *path,
			   uint32_t *n_files, struct error *err)
{
	ALLOC_LOCAL struct request_source *sources = xcalloc(f->n_threads + 1, sizeof *sources);
	ALLOC_LOCAL struct buf *texts = xcalloc(f->n_threads + 1, sizeof *texts);
	struct request_counts counts;
	bool is_good = true;
	size_t n = 0;

	for (size_t i = 0; i < f->n_threads; i++) {
		const struct live_thread *t = &f->threads[i];

		ring_requests(t->ring, &texts[n]);
		sources[n] = (struct request_source){ record_number(&f->processes[t->process]),
						      t->tid,
						      "",
						      chunk_thread_name(t->title),
						      { texts[n].data, texts[n].len } };
		n += texts[n].len > 0;
	}
	if (n) {
		buf_clear(path);
		buf_addf(path, "%s/" RECORDING_REQUESTS, folder);
		is_good = request_trace_file(sources, n, range, buf_text(path), is_forced, &counts,
					     err);
		*n_files += is_good;
	}
	for (size_t i = 0; i < n; i++)
		buf_done(&texts[i]);
	return is_good;
}

/* Write the stretch [t0, t1) of all threads as files, and set f->files. All have the whole stretch;
 * where a thread was not recorded, nothing is sampled. Their names tell the wall clock at t0, which
 * should be a whole second. Returns false and err on failure; there may be no files. */
static bool live_feed_write(struct live_feed *f, int64_t t0, int64_t t1, struct error *err)
{
	/* The second that it is nearest to: both clocks are not read at the same time. */
	time_t at = (time_t)((ring_wall_ns(t0) + NS_PER_S / 2) / NS_PER_S);
	BUF_LOCAL path = { 0 };
	bool is_good = true;
	uint32_t n = 0;

	forget_files(f);
	if (!make_folder(f, err))
		return false;
	pthread_mutex_lock(&f->lock);
	f->files = xrealloc(f->files, f->n_threads + 2, sizeof *f->files);
	for (size_t i = 0; i < f->n_threads && is_good; i++) {
		const struct live_thread *t = &f->threads[i];

		buf_clear(&path);
		buf_adds(&path, f->folder);
		recording_file_name(false, at, record_number(&f->processes[t->process]), t->tid,
				    (long)i + 1, &path);
		is_good = write_thread(f, t, path.data, t0, t1, err);
	}
	if (is_good)
		is_good = write_requests(f, f->folder, (struct request_range){ t0, t1 }, true,
					 &path, &n, err);
	if (n)
		f->files[f->n_files++] = xstrdup(path.data);
	pthread_mutex_unlock(&f->lock);
	return is_good;
}

/* The time of the first sample that is kept; 0: there is none. */
static int64_t live_feed_first_us(struct live_feed *f)
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
	return is_good && *n > 0
		? write_requests(f, path, REQUEST_RANGE_ALL, is_forced, name, n, err)
		: is_good;
}

/* Write everything that is kept to the user's file or, as files named as Node.js would, into the
 * user's folder. Appends a message, also on failure. */
static bool live_feed_save(struct live_feed *f, const char *path, bool is_forced, struct buf *said)
{
	struct error err = ERROR_INIT;
	BUF_LOCAL name = { 0 };
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
	return is_good;
}

/* ---- the whole ---- */

/* Begin to record what the arguments name. Returns false if that is not possible; the user was
 * told. live_feed_stop() in both cases. */
static bool live_feed_start(struct live_feed *f, struct run *run, struct wake *news)
{
	*f = (struct live_feed){ .run = run, .news = news, .recording = RECORDING_NONE };
	pthread_mutex_init(&f->lock, NULL);
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
	f->options.target = recording_target(&f->recording);
	f->record = record_start(f->processes, f->n_processes, &f->options);
	return true;
}

/* Stop recording, close the inspectors, say what there is to say, and free everything. */
static void live_feed_stop(struct live_feed *f)
{
	if (f->record) {
		wake_up(&f->recording.cancel);
		record_free(f->record);
		for (uint32_t i = 0; i < f->n_processes; i++)
			recording_tell(f->run, &f->processes[i]);
		if (f->n_broken > 0)
			run_warn("%llu slices could not be read", (unsigned long long)f->n_broken);
	}
	recording_end(&f->recording);
	for (uint32_t i = 0; i < f->n_processes; i++)
		record_process_done(&f->processes[i]);
	for (size_t i = 0; i < f->n_threads; i++)
		forget_thread(&f->threads[i]);
	buf_done(&f->note);
	forget_files(f);
	free(f->files);
	free(f->processes);
	free(f->threads);
	pthread_mutex_destroy(&f->lock);
}

/* ==== session live ==== */

#define MINUTE_US ((int64_t)60 * 1000000)
#define SECOND_US 1000000
/* Between two pictures; chunks of several threads come apart. */
#define MIN_NS (700 * NS_PER_MS)
#define TICK_MS 250 /* between two looks at whether the process answers */
#define LOOK_MS 100
#define RENDER_NS (5 * NS_PER_S)
#define FIRST_NS NS_PER_S /* in which the first chunk comes, though the time is over */

struct live {
	struct session_host host; /* the first member: callbacks get it */
	struct run *run;
	struct live_feed feed;
	struct wake news; /* chunks, the end, and loads that have ended */
	struct app_live state;
	struct session_shown *shown; /* NULL: nothing yet */
	struct event_source events;
	struct jobs *sources;

	struct load_options options; /* of `load` */
	struct load *load;           /* NULL: nothing is being loaded */
	struct profile *ready;       /* was loaded, and waits to be shown */
	bool is_whole;               /* `load` or `ready` has all that is kept, */
	bool shows_whole;            /* and so has what is shown */
	int64_t now_ns;              /* of `load` or `ready`: for state.now_ns */
	uint64_t n_chunks;           /* when it was begun */
	int64_t begun_ns;
};

/* ---- loading ---- */

static void load_ended(void *ctx)
{
	wake_up(ctx);
}

/* The last whole second of the wall clock before a time. */
static int64_t whole_second(int64_t us)
{
	int64_t past_ns = ring_wall_ns(us) % NS_PER_S;

	return us - past_ns / NS_PER_US;
}

/* Load the last minute, or all that is kept. */
static void begin(struct live *l, bool is_whole)
{
	struct error err = ERROR_INIT;
	int64_t last_us, t0, t1;

	l->n_chunks = live_feed_chunks(&l->feed, &last_us);
	l->begun_ns = clock_ns();
	l->state.wants_rest = false;
	l->is_whole = is_whole;
	if (is_whole) {
		t0 = whole_second(live_feed_first_us(&l->feed));
		t1 = last_us + 1;
	} else {
		t0 = whole_second(last_us - MINUTE_US);
		t1 = t0 + MINUTE_US + SECOND_US;
	}
	l->now_ns = (last_us - t0) * NS_PER_US;
	if (!live_feed_write(&l->feed, t0, t1, &err) || l->feed.n_files == 0) {
		if (err.kind != ERR_NONE && l->shown)
			app_say(l->shown->app, true, err.text, strlen(err.text));
		else if (err.kind != ERR_NONE)
			run_complain(l->run, err.text);
		return;
	}
	l->run->options.files = l->feed.files;
	l->run->options.n_files = l->feed.n_files;
	if (!run_load_options(l->run, &l->options))
		return;
	l->options.has_previews = false;
	/* The minute begins long before the first seconds of a recording: that is no stray time. */
	l->options.keeps_strays = true;
	l->options.maps.is_off |= !is_whole;
	l->options.ended = load_ended;
	l->options.ended_ctx = &l->news;
	l->load = load_begin(&l->options);
}

/* Loading has ended. What could not be read is told by the next one. */
static void finish(struct live *l)
{
	struct load_result result;

	load_take(l->load, &result);
	load_free(l->load);
	l->load = NULL;
	live_feed_remove_files(&l->feed);
	if (l->ready)
		profile_free(l->ready);
	l->ready = result.profile;
	if (!result.profile && l->shown)
		app_say(l->shown->app, true, buf_text(&result.messages), result.messages.len);
	buf_done(&result.messages);
}

/* ---- showing ---- */

static const char frozen[] =
	"frozen: everything works as with a file; p goes on, :save FILE keeps it";

static const char ended[] = "the process has ended; its last minutes stay here";

/* What was said stays until the next key, though there is another app. */
static void keep_message(const struct app *before, struct app *next)
{
	bool is_warning, ignored;
	const char *text = app_message(before, &is_warning);

	if (*text && !*app_message(next, &ignored))
		app_say(next, is_warning, text, strlen(text));
}

/* Say what the recording had to say meanwhile. */
static void tell_note(struct live *l, struct app *app)
{
	pthread_mutex_lock(&l->feed.lock);
	if (l->feed.note.len)
		app_say(app, true, l->feed.note.data, l->feed.note.len);
	buf_clear(&l->feed.note);
	pthread_mutex_unlock(&l->feed.lock);
}

/* Show the profile that is ready, with the state of the app before. */
static void show(struct live *l)
{
	struct session_shown *before = l->shown, *next;
	struct app_state state = { 0 };
	struct error why = ERROR_INIT;
	int64_t now_before = l->state.now_ns;

	if (before)
		app_state_get(before->app, &state);
	l->state.now_ns = l->now_ns;
	next = session_shown_new(&l->host, l->ready, &l->events, before ? &state : NULL, &why);
	app_state_done(&state);
	l->ready = NULL;
	if (!next->app && before) {
		app_say(before->app, true, why.text, strlen(why.text));
		l->state.now_ns = now_before;
		l->run->profile = before->profile;
		session_shown_free(next);
		return;
	}
	if (!next->app)
		run_complain_usage(l->run, "", why.text, "");
	if (before)
		keep_message(before->app, next->app);
	if (l->is_whole && !l->shows_whole && next->app) {
		const char *text = l->state.has_ended ? ended : frozen;

		app_say(next->app, l->state.has_ended, text, strlen(text));
	}
	if (next->app)
		tell_note(l, next->app);
	l->shows_whole = l->is_whole;
	l->shown = next;
	session_shown_free(before);
}

/* What is to be loaded now. */
static bool wants_load(struct live *l, bool *is_whole)
{
	int64_t last_us;

	*is_whole = !l->state.is_moving;
	if (l->load || l->ready)
		return false;
	if (*is_whole)
		return !l->shows_whole || l->state.wants_rest;
	/* After it was frozen at once; otherwise when there is more. */
	return l->shows_whole ||
		(live_feed_chunks(&l->feed, &last_us) > l->n_chunks &&
		 clock_ns() - l->begun_ns >= MIN_NS);
}

static void tell_silence(struct live *l, char out[sizeof l->state.silence])
{
	int64_t silence = record_silence(l->feed.record);

	out[0] = '\0';
	if (silence > RECORDING_SILENT_NS)
		snprintf(out, sizeof l->state.silence, "no answer since %.1f s",
			 (double)silence / (double)NS_PER_S);
}

static bool is_settled(const struct live *l)
{
	return app_is_settled(l->shown->app);
}

/* Whether step() has something to do. */
static bool has_next(void *ctx)
{
	struct live *l = ctx;
	char silence[sizeof l->state.silence];
	bool is_whole;

	if (!l->shown || !l->shown->app)
		return false;
	tell_silence(l, silence);
	return strcmp(silence, l->state.silence) != 0 || (l->load && load_wait(l->load, 0)) ||
		wants_load(l, &is_whole) ||
		(is_settled(l) &&
		 (l->ready || session_host_is_changed(&l->host) ||
		  (!l->state.has_ended && record_is_done(l->feed.record)))) ||
		wake_has_news(&l->news);
}

static struct app *step(void *ctx, struct app *now, bool *is_loading)
{
	struct live *l = ctx;
	bool is_whole;

	(void)now;
	*is_loading = false;
	wake_forget(&l->news);
	tell_silence(l, l->state.silence);
	if (is_settled(l) && session_host_is_changed(&l->host))
		l->shown = session_shown_again(&l->host, l->shown, &l->events);
	if (l->load && load_wait(l->load, 0))
		finish(l);
	/* What the user has frozen meanwhile stays. */
	if (l->ready && l->is_whole == l->state.is_moving) {
		profile_free(l->ready);
		l->ready = NULL;
	}
	if (l->ready && is_settled(l))
		show(l);
	if (!l->state.has_ended && is_settled(l) && record_is_done(l->feed.record)) {
		/* The processes have ended: what is kept of them stays. */
		if (l->state.is_moving)
			app_command(l->shown->app, CMD_FREEZE, 1);
		l->state.has_ended = true;
		app_say(l->shown->app, true, ended, strlen(ended));
	}
	if (wants_load(l, &is_whole))
		begin(l, is_whole);
	return l->shown->app;
}

/* ---- the whole ---- */

/* How the header calls what is shown. */
static void find_title(struct live *l)
{
	const struct record_process *p = &l->feed.processes[0];
	struct process process = { 0 };
	struct error err = ERROR_INIT;
	BUF_LOCAL text = { 0 };

	if (l->feed.n_processes > 1)
		buf_addf(&text, "%u processes", (unsigned)l->feed.n_processes);
	else if (p->pid == 0)
		buf_addf(&text, "%s:%d", p->host, p->port);
	else if (process_read(PROCESS_PROC, p->pid, &process, &err) && process.command.len > 0)
		text_visible(&text, process.command.data, process.command.len);
	else
		buf_adds(&text, "a process");
	process_done(&process);
	snprintf(l->state.title, sizeof l->state.title, "%s", buf_text(&text));
}

/* Load the last minute or all that is kept, and show it. */
static void load_now(struct live *l, bool is_whole)
{
	begin(l, is_whole);
	if (!l->load)
		return;
	while (!load_wait(l->load, LOOK_MS))
		;
	finish(l);
	if (l->ready)
		show(l);
}

/* Wait for the first profile. duration_ns: of a picture that is printed; 0: the user stops it. When
 * it is over without a profile, the recording is ended, which gives what there is. False: there
 * will be none, and the user was told why. */
static bool wait_for_first(struct live *l, int64_t duration_ns)
{
	bool is_tty = isatty(STDERR_FILENO), has_ended = false, is_stopped = false;
	int64_t last_us, until = clock_ns() + duration_ns;

	while (!has_ended && (live_feed_chunks(&l->feed, &last_us) == 0 || clock_ns() < until)) {
		int64_t began = record_began(l->feed.record);

		if (duration_ns > 0 && began > 0 && !is_stopped &&
		    clock_ns() >= began + duration_ns + FIRST_NS) {
			wake_up(&l->feed.recording.cancel);
			is_stopped = true;
		}
		if (is_tty)
			fprintf(stderr, "\r\033[Kflametty: %s",
				began == 0 ? "opening the inspector"
					   : "waiting for the first second");
		poll(&(struct pollfd){ .fd = wake_fd(&l->news), .events = POLLIN }, 1, LOOK_MS);
		wake_forget(&l->news);
		has_ended = record_is_done(l->feed.record);
	}
	if (is_tty)
		fprintf(stderr, "\r\033[K");
	if (live_feed_chunks(&l->feed, &last_us) == 0)
		return false;
	if (duration_ns > 0) {
		/* What is printed and what is saved after it are about the same time. */
		pthread_mutex_lock(&l->feed.lock);
		l->feed.is_over = true;
		pthread_mutex_unlock(&l->feed.lock);
	}
	load_now(l, false);
	return l->shown && l->shown->app;
}

static bool save(void *ctx, const char *path, bool is_forced, struct buf *said)
{
	struct live *l = ctx;

	return live_feed_save(&l->feed, path, is_forced, said);
}

/* After a key: what it asks for is loaded before the next one. What was recorded meanwhile is not,
 * so that the picture stands still. */
static struct app *play_on(void *ctx, struct app *now)
{
	struct live *l = ctx;

	(void)now;
	if (session_host_is_changed(&l->host))
		l->shown = session_shown_again(&l->host, l->shown, &l->events);
	if (l->shown->app && (l->state.wants_rest || l->shows_whole == l->state.is_moving))
		load_now(l, !l->state.is_moving);
	return l->shown->app;
}

static void no_progress(void *ctx, struct progress *progress, const char **name)
{
	(void)ctx;
	(void)progress;
	*name = "";
}

static void no_stop(void *ctx)
{
	(void)ctx;
}

static void interact(struct live *l)
{
	bool is_ascii = l->run->options.is_ascii || l->run->charset == CHARSET_ASCII;
	struct error err = ERROR_INIT;

	if (!term_open(&l->run->term, &err)) {
		run_complain(l->run, err.text);
		return;
	}
	term_wake_on(wake_fd(&l->news));
	loop_run(&(struct loop_feed){ .next = step,
				      .has_next = has_next,
				      .progress = no_progress,
				      .stop = no_stop,
				      .ctx = l,
				      .is_ascii = is_ascii,
				      .tick_ms = TICK_MS });
	term_close();
	session_host_print_copied();
}

static void run_live(struct run *run)
{
	bool is_rendered = run->options.render_cols > 0;
	struct live l = { .run = run,
			  .news = { -1, -1 },
			  .state = { .is_moving = true, .length_ns = LIVE_NS, .sort = 1 } };
	int64_t duration_ns = 0;

	if (!wake_open(&l.news)) {
		run_complain(run, "no file descriptors are left");
		return;
	}
	if (live_feed_start(&l.feed, run, &l.news)) {
		if (is_rendered)
			duration_ns = l.feed.duration_ns > 0 ? l.feed.duration_ns : RENDER_NS;
		find_title(&l);
		session_host_init(&l.host, run);
		session_host_start(&l.host);
		l.host.host.save = save;
		l.host.live = &l.state;
		l.sources = run_source_reader(run, false);
		l.host.sources = source_reader_host(l.sources);
		if (wait_for_first(&l, duration_ns)) {
			if (is_rendered) {
				const struct options *o = &l.run->options;

				app_resize(l.shown->app, o->render_rows, o->render_cols);
				if (session_shown_play(l.shown, l.run,
						       &(struct script_feed){ play_on, &l }) &&
				    l.shown->app)
					session_shown_print(l.shown, l.run);
			} else {
				interact(&l);
			}
		} else if (run->status == EXIT_OK) {
			run_complain(run, "nothing was recorded");
		}
		if (l.load) {
			load_stop(l.load);
			while (!load_wait(l.load, LOOK_MS))
				;
			finish(&l);
		}
	}
	live_feed_stop(&l.feed);
	/* As in session_interact(): a thread that reads may never end. */
	if (l.sources && jobs_are_busy(l.sources)) {
		fflush(NULL);
		_exit(run->status);
	}
	profile_free(l.ready);
	session_shown_free(l.shown);
	if (l.sources)
		session_host_done(&l.host);
	jobs_free(l.sources);
	wake_close(&l.news);
	run->options.files = NULL;
	run->options.n_files = 0;
	run->profile = NULL;
}

void session_live(struct run *run)
{
	if (run->options.n_files == 0)
		recording_processes_list(run);
	else if (!run->is_interactive && !run->options.render_cols)
		run_complain_usage(run, "live needs a terminal; flametty attach records without",
				   "", "");
	else
		run_live(run);
}
