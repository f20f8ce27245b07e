/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A thread of this program owns one struct record_process while it records it. What others may look
 * at meanwhile is under the lock. */
#include "config.h"

#include "record/remote/record.h"

#include "base/alloc.h"
#include "base/clock.h"
#include "base/command_name.h"
#include "base/json/json_writer.h"
#include "base/thread.h"
#include "base/units.h"
#include "record/remote/inspector.h"
#include "record/remote/join.h"
#include "record/remote/locate.h"
#include "record/remote/recorder.h"
#include "record/remote/socket_watch.h"

#include <poll.h>
#include <stdio.h>
#include <stdlib.h>

#define STEP_MS 100              /* between two reports of progress and looks at cancel_fd */
#define WATCH_STEP_MS 500        /* the same where many are recorded for long */
#define END_MS 5000              /* for the last chunks */
#define OPENING_MS 20            /* between two looks whether all others are open */
#define WAITS_MS 300             /* for what the process waits for, */
#define WAITS_NS (10 * NS_PER_S) /* and between two looks at it */
#define COMMAND_MS 2000          /* for the command line */
#define ANCESTORS_MAX 64
#define LEAVE_MS 2000 /* the same while the process waits for it with its end */

struct job {
	struct record *record;
	struct record_process *process;
	pthread_t thread;
	bool is_started;
	bool is_tried, is_open;  /* its inspector; under the lock */
	struct record_pace pace; /* to be set; interval_us: 0: it is; under the lock */
};

struct record {
	const struct record_options *options;
	struct job *jobs;
	struct record_process *processes;
	uint32_t n;           /* under the lock */
	uint32_t n_opening;   /* processes whose inspectors are not open yet */
	pthread_mutex_t lock; /* of what says so, and of is_done, began_ns and silence_ns */
};

/* The thread of the process that a chunk is of, added if it is new. */
static struct record_thread *thread_of(struct record_process *p, const struct recorder_chunk *chunk)
{
	struct record_thread *t;

	while (p->n_threads <= chunk->thread) {
		p->threads = xrealloc(p->threads, (size_t)p->n_threads + 1, sizeof *p->threads);
		p->threads[p->n_threads++] = (struct record_thread){ .join = join_new() };
	}
	t = &p->threads[chunk->thread];
	if (!t->title) {
		t->title = xstrdup(chunk->title);
		t->tid = chunk->tid;
	}
	return t;
}

static void add_chunk(void *ctx, const struct recorder_chunk *chunk)
{
	struct job *job = ctx;
	const struct record_options *o = job->record->options;
	struct record_process *p = job->process;
	struct record_thread *t;

	if (o->on_chunk)
		o->on_chunk(o->ctx, (uint32_t)(job - job->record->jobs), chunk);
	if (o->on_chunk && !o->joins)
		return;
	t = thread_of(p, chunk);
	if (chunk->requests.len) {
		buf_add(&t->requests, chunk->requests.p, chunk->requests.len);
		buf_addc(&t->requests, '\n');
	} else if (o->heap_bytes) {
		buf_clear(&t->heap);
		buf_add(&t->heap, chunk->profile.p, chunk->profile.len);
	} else {
		join_add(t->join, chunk->profile, &p->err);
	}
}

static void keep_note(struct job *job, const char *text)
{
	buf_adds(&job->process->notes, text);
	buf_addc(&job->process->notes, '\n');
}

static void add_note(void *ctx, const char *text)
{
	struct job *job = ctx;
	const struct record_options *o = job->record->options;

	keep_note(job, text);
	if (o->on_note)
		o->on_note(o->ctx, (uint32_t)(job - job->record->jobs), text);
}

static void publish(struct job *job, const struct recorder *r)
{
	pthread_mutex_lock(&job->record->lock);
	job->process->silence_ns = r ? recorder_silence(r) : 0;
	pthread_mutex_unlock(&job->record->lock);
}

static void add_metrics(void *ctx, struct str text)
{
	struct job *job = ctx;
	const struct record_options *o = job->record->options;

	o->on_metrics(o->ctx, (uint32_t)(job - job->record->jobs), text);
}

static void set_pace(struct job *job, struct recorder *r)
{
	struct record_pace pace;

	pthread_mutex_lock(&job->record->lock);
	pace = job->pace;
	job->pace.interval_us = 0;
	pthread_mutex_unlock(&job->record->lock);
	if (pace.interval_us)
		recorder_set_pace(r, pace.interval_us, pace.chunk_ms);
}

/* Take the last chunks, and say what is missing. */
static void end_recording(struct job *job, struct recorder *r, enum recorder_news news)
{
	bool is_heap = job->record->options->heap_bytes != 0;
	bool is_whole = news != RECORDER_GONE &&
		recorder_end(r, news == RECORDER_LEAVES ? LEAVE_MS : END_MS);

	if (news == RECORDER_GONE || (news == RECORDER_LEAVES && !is_whole))
		keep_note(job,
			  is_heap ? "the process ended before its heap profile was taken"
				  : "the process ended while it was recorded: the last second is "
				    "missing");
	else if (news == RECORDER_LEAVES)
		keep_note(job, "the process ended while it was recorded");
	else if (!is_whole)
		keep_note(job, "the process does not answer: its last seconds are missing");
}

/* Requests that lie unread are seen from outside only. NULL: they are not. */
static struct socket_watch *start_watch(struct job *job, const struct target *target)
{
	const struct target_options *o = &job->record->options->target;
	struct socket_watch *watch;
	const char *why;
	char text[200];

	if (!job->record->options->requests || !target->process.pid)
		return NULL;
	watch = socket_watch_start(o->proc, target->process.pid, &why);
	if (!watch) {
		snprintf(text, sizeof text,
			 "when requests arrived is not known, only when they were read: %s", why);
		add_note(job, text);
	}
	return watch;
}

/* Look what the process waits for: what its loop is alive for, by the names of Node.js, and its
 * connections, by what the kernel tells. */
static void look_at_waits(struct job *job, struct target *target)
{
	static const struct {
		const char *begin, *one, *more; /* begin: of names */
	} kinds[] = {
		{ "Timeout", "timer", "s" },        { "FSReq", "file operation", "s" },
		{ "FSEvent", "watched file", "s" }, { "GetAddrInfo", "DNS lookup", "s" },
		{ "TCPConnect", "connect", "s" },   { "Process", "child process", "es" },
	};
	BUF_LOCAL names = { 0 };
	BUF_LOCAL waits = { 0 };
	struct error err = ERROR_INIT;

	buf_clear(&job->process->waits);
	if (!evaluate_text(&target->inspector, EVALUATE_RESOURCES, connection_deadline(WAITS_MS),
			   &names, &err))
		return;
	for (size_t i = 0; i < ARRAY_LEN(kinds); i++) {
		int n = 0;

		for (const char *p = buf_text(&names); *p; p += strcspn(p, ","), p += *p == ',')
			n += strncmp(p, kinds[i].begin, strlen(kinds[i].begin)) == 0;
		if (n)
			buf_addf(&waits, ", %d %s%s", n, kinds[i].one, n == 1 ? "" : kinds[i].more);
		if (i == 0 && target->process.pid)
			ports_tell(target->options->proc, &target->process, &waits);
	}
	/* Without the first comma. */
	if (waits.len)
		buf_adds(&job->process->waits, waits.data + strlen(", "));
}

static void record_target(struct job *job, struct target *target)
{
	const struct record_options *o = job->record->options;
	struct recorder_options options = { .interval_us = o->interval_us,
					    .heap_bytes = o->heap_bytes,
					    .chunk_ms = o->chunk_ms,
					    .has_workers = o->has_workers,
					    .has_no_end = o->duration_ns == 0,
					    .requests = o->requests,
					    .grow_kb = o->grow_kb,
					    .grow_ns = o->grow_ns,
					    .watch = start_watch(job, target),
					    .on_chunk = add_chunk,
					    .on_metrics = o->on_metrics ? add_metrics : NULL,
					    .on_note = add_note,
					    .ctx = job };
	struct recorder *r = recorder_new(target, &options);
	enum recorder_news news = RECORDER_GOES_ON;
	int64_t end, look_ns = o->duration_ns || !o->has_waits ? INT64_MAX : 0;

	if (recorder_begin(r, &job->process->err)) {
		pthread_mutex_lock(&job->record->lock);
		job->process->began_ns = clock_ns();
		pthread_mutex_unlock(&job->record->lock);
		end = o->duration_ns > 0 ? job->process->began_ns + o->duration_ns : INT64_MAX;
		while (news == RECORDER_GOES_ON && clock_ns() < end) {
			int64_t step = connection_deadline(o->most ? WATCH_STEP_MS : STEP_MS);

			set_pace(job, r);
			news = recorder_run(r, step < end ? step : end);
			publish(job, r);
			if (news == RECORDER_GOES_ON && clock_ns() >= look_ns) {
				look_at_waits(job, target);
				look_ns = clock_ns() + WAITS_NS;
			}
		}
		end_recording(job, r, news);
		if (o->has_waits)
			look_at_waits(job, target);
		publish(job, NULL);
	}
	recorder_free(r);
	if (!socket_watch_end(options.watch))
		keep_note(job,
			  "when some requests arrived is not known, only when they were "
			  "read: too many came");
}

/* The next process above that runs JavaScript; shells and the like are between. */
static pid_t find_parent(const char *proc, const struct process *process)
{
	pid_t pid = process->parent, found = 0;

	for (int i = 0; i < ANCESTORS_MAX && pid > 0 && found == 0; i++) {
		struct error err = ERROR_INIT;
		struct process p;

		if (process_read(proc, pid, &p, &err) &&
		    (p.runtime == RUNTIME_NODE || p.runtime == RUNTIME_DENO ||
		     p.runtime == RUNTIME_BUN))
			found = pid;
		pid = p.parent;
		process_done(&p);
	}
	return found;
}

/* Wait until the inspectors of all processes are open, or failed to, so that all are recorded at
 * the same time. A process that ends meanwhile is let go. */
static void await_others(struct job *job, struct target *target)
{
	struct record *r = job->record;
	struct pollfd cancel = { .fd = r->options->target.cancel_fd, .events = POLLIN };
	struct inspector_message message;
	struct error err = ERROR_INIT;
	enum websocket_news news = WEBSOCKET_MESSAGE;

	while (r->options->duration_ns && !target->inspector.is_leaving &&
	       (news == WEBSOCKET_MESSAGE || news == WEBSOCKET_LATE)) {
		bool is_last;

		pthread_mutex_lock(&r->lock);
		is_last = r->n_opening == 0;
		pthread_mutex_unlock(&r->lock);
		if (is_last || poll(&cancel, 1, 0) > 0)
			return;
		news = inspector_next(&target->inspector, connection_deadline(OPENING_MS), &message,
				      &err);
	}
}

/* Wait until the inspector of a process is open. False: it will not be. */
static bool await_open(struct record *r, pid_t pid)
{
	struct pollfd cancel = { .fd = r->options->target.cancel_fd, .events = POLLIN };
	bool is_tried = false, is_open = false;
	uint32_t n;

	pthread_mutex_lock(&r->lock);
	n = r->n;
	pthread_mutex_unlock(&r->lock);
	for (uint32_t i = 0; i < n; i++) {
		bool is_it;

		pthread_mutex_lock(&r->lock);
		is_it = r->jobs[i].process->pid == pid;
		pthread_mutex_unlock(&r->lock);
		if (!is_it)
			continue;
		do {
			pthread_mutex_lock(&r->lock);
			is_tried = r->jobs[i].is_tried;
			is_open = r->jobs[i].is_open;
			pthread_mutex_unlock(&r->lock);
		} while (!is_tried && poll(&cancel, 1, OPENING_MS) <= 0);
	}
	return is_open;
}

/* A worker of a cluster gets SIGUSR1 when the inspector of the main process opens. That does
 * nothing only if its own inspector is open. */
static bool may_open(void *ctx, const struct process *process, struct error *err)
{
	struct job *job = ctx;
	ALLOC_LOCAL pid_t *workers = NULL;
	size_t n = process_cluster(job->record->options->target.proc, process, &workers);

	for (size_t i = 0; i < n; i++)
		if (!await_open(job->record, workers[i]))
			return error_set(
				err, ERR_IO, -1,
				"it is the main process of a cluster: its inspector would open "
				"that of process %d, too, which is not recorded (--tree records "
				"all)",
				(int)workers[i]);
	return true;
}

static void *run(void *ctx)
{
	struct job *job = ctx;
	struct record_process *p = job->process;
	struct target_options options = job->record->options->target;
	struct target target;
	bool is_alive, is_open;

	options.may_open = may_open;
	options.ctx = job;
	is_open = p->pid ? target_open(&target, p->pid, &options, &p->err)
			 : target_open_at(&target, p->host, p->port, &options, &p->err);
	pthread_mutex_lock(&job->record->lock);
	job->record->n_opening--;
	job->is_tried = true;
	job->is_open = is_open;
	pthread_mutex_unlock(&job->record->lock);
	if (is_open) {
		const struct process *process;
		struct error err = ERROR_INIT;

		buf_add(&p->title, buf_text(&target.title), target.title.len);
		/* Of a process that is not on this machine only its inspector can tell the command.
		 */
		process = &target.process;
		p->found_pid = process->pid;
		if (process->pid != 0) {
			buf_add(&p->command, buf_text(&process->command), process->command.len);
			p->parent = find_parent(target.options->proc, process);
		} else {
			evaluate_text(&target.inspector, EVALUATE_COMMAND,
				      connection_deadline(COMMAND_MS), &p->command, &err);
		}
		await_others(job, &target);
		record_target(job, &target);
		is_alive = target_is_alive(&target);
		p->is_left_open = !target_close(&target) && is_alive;
	}
	pthread_mutex_lock(&job->record->lock);
	p->is_done = true;
	pthread_mutex_unlock(&job->record->lock);
	if (job->record->options->on_end)
		job->record->options->on_end(job->record->options->ctx,
					     (uint32_t)(job - job->record->jobs));
	return NULL;
}

static void start(struct record *r, uint32_t i)
{
	struct job *job = &r->jobs[i];

	job->is_started = thread_start(&job->thread, run, job);
	if (job->is_started)
		return;
	error_set(&job->process->err, ERR_LIMIT, -1, "no thread can be started");
	pthread_mutex_lock(&r->lock);
	r->n_opening--;
	job->is_tried = true;
	job->process->is_done = true;
	pthread_mutex_unlock(&r->lock);
	if (r->options->on_end)
		r->options->on_end(r->options->ctx, i);
}

struct record *record_start(struct record_process *processes, uint32_t n,
			    const struct record_options *options)
{
	struct record *r = xcalloc(1, sizeof *r);

	r->options = options;
	r->jobs = xcalloc(options->most > n ? options->most : n, sizeof *r->jobs);
	r->processes = processes;
	r->n = r->n_opening = n;
	pthread_mutex_init(&r->lock, NULL);
	for (uint32_t i = 0; i < n; i++)
		r->jobs[i] = (struct job){ .record = r, .process = &processes[i] };
	for (uint32_t i = 0; i < n; i++)
		start(r, i);
	return r;
}

void record_add(struct record *r, uint32_t i, pid_t pid)
{
	if (r->jobs[i].is_started)
		pthread_join(r->jobs[i].thread, NULL);
	pthread_mutex_lock(&r->lock);
	r->processes[i] = (struct record_process){ .pid = pid, .err = ERROR_INIT };
	r->jobs[i] = (struct job){ .record = r, .process = &r->processes[i] };
	r->n = i < r->n ? r->n : i + 1;
	r->n_opening++;
	pthread_mutex_unlock(&r->lock);
	start(r, i);
}

bool record_has_ended(struct record *r, uint32_t i)
{
	bool is_done;

	pthread_mutex_lock(&r->lock);
	is_done = r->jobs[i].process->is_done;
	pthread_mutex_unlock(&r->lock);
	return is_done;
}

void record_set_pace(struct record *r, uint32_t i, struct record_pace pace)
{
	pthread_mutex_lock(&r->lock);
	r->jobs[i].pace = pace;
	pthread_mutex_unlock(&r->lock);
}

bool record_is_done(struct record *r)
{
	bool is_done = true;

	pthread_mutex_lock(&r->lock);
	for (uint32_t i = 0; i < r->n; i++)
		is_done &= r->jobs[i].process->is_done;
	pthread_mutex_unlock(&r->lock);
	return is_done;
}

int64_t record_began(struct record *r)
{
	int64_t first = 0;

	pthread_mutex_lock(&r->lock);
	for (uint32_t i = 0; i < r->n; i++) {
		int64_t began = r->jobs[i].process->began_ns;

		if (began > 0 && (first == 0 || began < first))
			first = began;
	}
	pthread_mutex_unlock(&r->lock);
	return first;
}

int64_t record_silence(struct record *r)
{
	int64_t longest = 0;

	pthread_mutex_lock(&r->lock);
	for (uint32_t i = 0; i < r->n; i++)
		if (r->jobs[i].process->silence_ns > longest)
			longest = r->jobs[i].process->silence_ns;
	pthread_mutex_unlock(&r->lock);
	return longest;
}

void record_free(struct record *r)
{
	if (!r)
		return;
	for (uint32_t i = 0; i < r->n; i++)
		if (r->jobs[i].is_started)
			pthread_join(r->jobs[i].thread, NULL);
	pthread_mutex_destroy(&r->lock);
	free(r->jobs);
	free(r);
}

void record_name(const struct record_process *p, const char *title, struct buf *out)
{
	struct json_writer w = { .out = out };
	BUF_LOCAL command = { 0 };
	const char *thread = chunk_thread_name(title);

	if (p->command.len > 0)
		command_name(&command, (struct str){ p->command.data, p->command.len });
	if (command.len > 0 || p->found_pid != 0 || *thread)
		json_put(&w, json_begin("flametty", "{"),
			 json_if(command.len > 0,
				 json_text("process", buf_text(&command), command.len)),
			 json_if(p->found_pid != 0, json_integer("parent", p->parent)),
			 json_if(*thread, json_string("thread", thread)),
			 json_if(!*title && p->waits.len,
				 json_text("waits", buf_text(&p->waits), p->waits.len)),
			 json_end("},"));
}

void record_process_done(struct record_process *p)
{
	for (uint32_t i = 0; i < p->n_threads; i++) {
		free(p->threads[i].title);
		join_free(p->threads[i].join);
		buf_done(&p->threads[i].heap);
		buf_done(&p->threads[i].requests);
	}
	free(p->threads);
	buf_done(&p->notes);
	buf_done(&p->title);
	buf_done(&p->command);
	buf_done(&p->waits);
}
