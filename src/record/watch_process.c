/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Chunks are copied into a list, under a lock, on the thread that records; so a full disk or a slow
 * analysis does not keep the process waiting for its inspector.
 *
 * The connection ends a little before the process does. Then it has some time to go; if it is still
 * there after that, the recording was stopped for another reason. */
#include "config.h"

#include "record/watch_process.h"

#include "base/alloc.h"
#include "base/clock.h"
#include "base/json/cursor.h"
#include "base/text.h"
#include "base/units.h"
#include "record/recording.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PROC "/proc"
#define STARTED_S 10 /* a process of this age has started up */
#define LEAVE_NS (3 * NS_PER_S)

/* A chunk that has come. */
struct item {
	struct item *next;
	uint32_t thread;
	int tid;
	char *title;
	struct buf profile; /* with CURSOR_PAD bytes at the end */
};

struct watch_process {
	const struct watch_process_options *options;
	struct watch_thread_options thread_options;
	struct record_options record_options;
	struct record_process who;
	struct record *record;
	struct process process; /* as it was at the beginning; zeroed: known by an address */
	char address[96];
	pthread_mutex_t lock; /* of the list */
	struct item *first, **last;
	struct watch_thread **threads;
	uint32_t n_threads;
	bool has_begun, is_silent;
	int64_t ended_ns; /* when the recording has ended; 0: it goes on */
};

/* ---- on the thread that records ---- */

static void on_chunk(void *ctx, uint32_t process, const struct recorder_chunk *chunk)
{
	struct watch_process *p = ctx;
	struct item *item = xcalloc(1, sizeof *item);
	static const char pad[CURSOR_PAD];

	(void)process;
	item->thread = chunk->thread;
	item->tid = chunk->tid;
	item->title = xstrdup(chunk->title);
	buf_add(&item->profile, chunk->profile.p, chunk->profile.len);
	buf_add(&item->profile, pad, sizeof pad);
	pthread_mutex_lock(&p->lock);
	*p->last = item;
	p->last = &item->next;
	pthread_mutex_unlock(&p->lock);
	wake_up(p->options->news);
}

static void on_end(void *ctx, uint32_t process)
{
	const struct watch_process *p = ctx;

	(void)process;
	wake_up(p->options->news);
}

/* ---- lines and errors ---- */

static void on_line(void *ctx, struct watch_line *line)
{
	const struct watch_process *p = ctx;

	line->pid = p->who.pid;
	line->address = p->address;
	p->options->on_line(p->options->ctx, line);
}

static void on_error(void *ctx, const char *text)
{
	const struct watch_process *p = ctx;
	struct buf message = { 0 };

	buf_addf(&message, "process %s: ", p->address);
	text_visible(&message, text, strlen(text));
	p->options->on_error(p->options->ctx, buf_text(&message));
	buf_done(&message);
}

static void tell(struct watch_process *p, enum watch_line_kind kind, int64_t ago_ns,
		 const char *text)
{
	struct watch_line line = { .kind = kind,
				   .wall_ns = clock_wall_ns() - ago_ns,
				   .length_ns = ago_ns,
				   .text = text };

	on_line(p, &line);
}

static void tell_begin(struct watch_process *p)
{
	if (p->has_begun || record_began(p->record) == 0)
		return;
	p->has_begun = true;
	tell(p, WATCH_BEGIN, 0, buf_text(&p->process.command));
}

static void tell_silence(struct watch_process *p)
{
	int64_t silence = record_silence_of(p->record, 0);

	if (silence >= RECORDING_SILENT_NS && !p->is_silent)
		tell(p, WATCH_SILENT, silence, NULL);
	p->is_silent = silence >= RECORDING_SILENT_NS;
}

/* ---- chunks ---- */

static struct watch_thread *find_thread(struct watch_process *p, const struct item *item)
{
	while (p->n_threads <= item->thread) {
		p->threads = xrealloc(p->threads, (size_t)p->n_threads + 1, sizeof *p->threads);
		p->threads[p->n_threads++] = NULL;
	}
	if (!p->threads[item->thread]) {
		struct watch_thread *t = xcalloc(1, sizeof *t);
		struct buf name = { 0 };

		watch_thread_init(t, &p->thread_options, p, record_number(&p->who), item->tid,
				  item->tid == 0 && p->process.age_seconds >= STARTED_S);
		record_name(&p->who, item->title, &name);
		ring_begin_with(t->ring, buf_text(&name));
		buf_done(&name);
		p->threads[item->thread] = t;
	}
	return p->threads[item->thread];
}

static void take_chunks(struct watch_process *p)
{
	struct item *item;

	pthread_mutex_lock(&p->lock);
	item = p->first;
	p->first = NULL;
	p->last = &p->first;
	pthread_mutex_unlock(&p->lock);
	while (item) {
		struct item *next = item->next;
		struct str profile = { item->profile.data, item->profile.len - CURSOR_PAD };

		watch_thread_add(find_thread(p, item), profile);
		buf_done(&item->profile);
		free(item->title);
		free(item);
		item = next;
	}
}

/* ---- the end ---- */

static bool is_alive(const struct watch_process *p)
{
	return p->who.pid != 0 && process_is_same(PROC, &p->process);
}

static void end_threads(struct watch_process *p)
{
	for (uint32_t i = 0; i < p->n_threads; i++) {
		if (p->threads[i])
			watch_thread_end(p->threads[i]);
		free(p->threads[i]);
	}
	free(p->threads);
	p->threads = NULL;
	p->n_threads = 0;
}

/* Say why a process that is still there is not recorded any more. */
static void tell_failure(struct watch_process *p)
{
	struct buf why = { 0 };

	if (p->who.err.kind != ERR_NONE)
		buf_adds(&why, p->who.err.text);
	else if (p->who.notes.len > 1)
		buf_add(&why, buf_text(&p->who.notes), p->who.notes.len - 1);
	else
		buf_adds(&why, "the recording has ended");
	on_error(p, buf_text(&why));
	if (p->has_begun)
		tell(p, WATCH_END, 0, buf_text(&why));
	buf_done(&why);
}

enum watch_process_state watch_process_work(struct watch_process *p, bool is_ending)
{
	bool is_over = record_is_done_with(p->record, 0), has_failed;

	tell_begin(p);
	take_chunks(p);
	tell_silence(p);
	if (!is_over)
		return WATCH_PROCESS_RUNS;
	if (p->ended_ns == 0)
		p->ended_ns = clock_ns();
	has_failed = !is_ending && (!p->has_begun || is_alive(p));
	if (has_failed && p->has_begun && clock_ns() - p->ended_ns < LEAVE_NS)
		return WATCH_PROCESS_RUNS;
	end_threads(p);
	if (has_failed)
		tell_failure(p);
	else if (!is_ending)
		tell(p, WATCH_END, 0, "the process has ended");
	if (p->who.is_left_open && is_alive(p))
		on_error(p, RECORDING_LEFT_OPEN);
	return has_failed ? WATCH_PROCESS_FAILED : WATCH_PROCESS_ENDED;
}

/* ---- the whole ---- */

pid_t watch_process_pid(const struct watch_process *p)
{
	return p->who.pid;
}

struct watch_process *watch_process_new(const struct watch_process_options *options,
					const struct record_process *who)
{
	struct watch_process *p = xcalloc(1, sizeof *p);
	struct error err = ERROR_INIT;

	p->options = options;
	p->thread_options = options->thread;
	p->thread_options.on_line = on_line;
	p->thread_options.on_error = on_error;
	p->record_options = options->record;
	p->record_options.on_chunk = on_chunk;
	p->record_options.on_end = on_end;
	p->record_options.ctx = p;
	p->who = *who;
	if (p->who.pid) {
		snprintf(p->address, sizeof p->address, "%d", (int)p->who.pid);
		process_read(PROC, p->who.pid, &p->process, &err);
	} else {
		snprintf(p->address, sizeof p->address, "%s:%d", p->who.host, p->who.port);
		p->process.age_seconds = STARTED_S;
	}
	p->last = &p->first;
	pthread_mutex_init(&p->lock, NULL);
	p->record = record_start(&p->who, 1, &p->record_options);
	return p;
}

void watch_process_free(struct watch_process *p)
{
	record_free(p->record);
	take_chunks(p);
	end_threads(p);
	record_process_done(&p->who);
	process_done(&p->process);
	pthread_mutex_destroy(&p->lock);
	free(p);
}
