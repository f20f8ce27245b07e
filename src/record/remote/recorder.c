/* SPDX-License-Identifier: GPL-2.0-or-later */
/* chunk_thread has the calls of one thread.
 *
 * A thread that does not answer, as in a long native call, is left alone: its next change comes
 * after the answer to the last one. What it did is in the profile that it sends then. */
#include "config.h"

#include "record/remote/recorder.h"

#include "base/alloc.h"
#include "base/buf.h"
#include "base/clock.h"
#include "base/json/cursor.h"
#include "base/text.h"
#include "base/units.h"
#include "record/remote/inspector.h"
#include "record/remote/process.h"
#include "record/remote/request_pull.h"
#include "record/remote/socket_watch.h"
#include "record/remote/target.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct chunk_thread {
	struct inspector *inspector;
	char *session; /* NULL: the main thread */
	char *title;
	int tid;
	bool is_gone;
	/* Calls that have no answer yet; 0: none. */
	int64_t id_begin;      /* begins a chunk */
	int64_t id_stop;       /* ends a chunk at a change, */
	int64_t id_last;       /* and the last one */
	int64_t id_bridge;     /* begins the recording between two chunks, */
	int64_t id_bridge_end; /* and ends it */
	bool has_bridged;      /* that recording did run at some time */
	bool has_no_bridge;    /* it cannot be begun */
	/* Not 0: one heap profile instead of chunks, with a sample each time this many bytes were
	 * allocated. Set before the first call. */
	int64_t heap_bytes;
	struct request_pull requests;
	int64_t new_interval_us; /* for the next chunk; 0: as before */
	bool is_ending;          /* the last chunk was asked for */
	int64_t asked_ns;        /* when the oldest call that has no answer was sent; 0: none */
	int64_t began_ns;        /* the current chunk */
};

static bool chunk_thread_begin(struct chunk_thread *t, struct error *err);

/* ==== chunk thread ====
 *
 * A chunk is begun by Profiler.start and ended by Profiler.stop, which answers with the profile.
 * Both work also while the program ends, when nothing can be evaluated any more.
 *
 * V8 gives its sampler up when no recording is left, and needs long to make another one. So a
 * second recording runs from before the end of a chunk until after the beginning of the next:
 * console.profile(TITLE), console.profileEnd(TITLE), which sends its profile as an event. It has
 * the samples of the time between the two. At a change all four calls are sent at once; those of a
 * thread run in their order.
 *
 * Where `console` was replaced by the program, that time is lost.
 *
 * A worker that ends takes its last chunk with it. It must not be made to wait for us as the main
 * thread does (NodeRuntime.notifyWhenWaitingForDisconnect): process.exit() joins the workers while
 * nothing passes our messages on to them, and the process hangs for ever (Node.js 18 to 24).
 *
 * A heap profile is one chunk, from the first call to the last. It has what was allocated, also
 * what was collected since. */

#define SEND_MS 2000

const char *chunk_thread_name(const char *title)
{
	const char *bracket = strstr(title, "] ");

	if (*title != '[')
		return title;
	return bracket ? bracket + 2 : "";
}

static int64_t call(struct chunk_thread *t, const char *method, const char *params,
		    struct error *err)
{
	return inspector_send(t->inspector, t->session, method, params,
			      connection_deadline(SEND_MS), err);
}

static int64_t evaluate(struct chunk_thread *t, enum expression expression, struct error *err)
{
	return evaluate_send(t->inspector, t->session, expression, connection_deadline(SEND_MS),
			     err);
}

static void expect(struct chunk_thread *t)
{
	if (t->asked_ns == 0)
		t->asked_ns = clock_ns();
}

static bool set_interval(struct chunk_thread *t, int64_t interval_us, struct error *err)
{
	char params[64];

	snprintf(params, sizeof params, "{\"interval\":%lld}", (long long)interval_us);
	return call(t, "Profiler.setSamplingInterval", params, err) != 0;
}

/* Prepare a thread that has just come, and begin its first chunk. All functions here return false
 * and err if the calls cannot be sent. */
static bool chunk_thread_set_up(struct chunk_thread *t, int64_t interval_us, struct error *err)
{
	if (t->heap_bytes)
		return chunk_thread_begin(t, err);
	return call(t, "Profiler.enable", "{}", err) != 0 && set_interval(t, interval_us, err) &&
		chunk_thread_begin(t, err);
}

static int64_t begin_heap(struct chunk_thread *t, struct error *err)
{
	char params[160];

	snprintf(params, sizeof params,
		 "{\"samplingInterval\":%lld,\"includeObjectsCollectedByMajorGC\":true,"
		 "\"includeObjectsCollectedByMinorGC\":true}",
		 (long long)t->heap_bytes);
	return call(t, "HeapProfiler.startSampling", params, err);
}

/* Begin the first chunk. */
static bool chunk_thread_begin(struct chunk_thread *t, struct error *err)
{
	t->began_ns = clock_ns();
	expect(t);
	t->id_begin = t->heap_bytes ? begin_heap(t, err) : call(t, "Profiler.start", "{}", err);
	return t->id_begin != 0;
}

/* Begin the next chunk and end the current one. While a recording goes on, the interval cannot be
 * set. */
static bool chunk_thread_change(struct chunk_thread *t, struct error *err)
{
	int64_t interval_us = t->new_interval_us;
	bool has_bridge = !t->has_no_bridge && !interval_us;

	expect(t);
	if (has_bridge && (t->id_bridge = evaluate(t, EVALUATE_BRIDGE, err)) == 0)
		return false;
	t->id_stop = call(t, "Profiler.stop", "{}", err);
	t->new_interval_us = 0;
	if (t->id_stop == 0 || (interval_us && !set_interval(t, interval_us, err)) ||
	    !chunk_thread_begin(t, err))
		return false;
	if (has_bridge)
		t->id_bridge_end = evaluate(t, EVALUATE_BRIDGE_END, err);
	return !has_bridge || t->id_bridge_end != 0;
}

/* End the chunk that runs, once. Nothing is evaluated for that. */
static bool chunk_thread_end(struct chunk_thread *t, struct error *err)
{
	if (t->is_ending)
		return true;
	t->is_ending = true;
	expect(t);
	t->id_last = call(t, t->heap_bytes ? "HeapProfiler.stopSampling" : "Profiler.stop", "{}",
			  err);
	return t->id_last != 0;
}

/* Whether the thread has answered everything: then it may be asked again. */
static bool chunk_thread_is_quiet(const struct chunk_thread *t)
{
	return t->id_begin == 0 && t->id_stop == 0 && t->id_last == 0 && t->id_bridge == 0 &&
		t->id_bridge_end == 0;
}

/* ==== growth ====
 *
 * How much memory a process has gained while it is recorded: profiles that are not fetched yet lie
 * in its memory. */

struct growth {
	const char *proc;
	pid_t pid; /* 0: a process that cannot be looked at */
	bool is_by_minute;
	int64_t resident_kb; /* to compare with */
	int64_t resident_ns; /* when that was */
	int64_t looked_ns;
	int64_t now_kb; /* at the last look; 0: there was none */
};

#define GROWTH_LOOK_MS 1000    /* between two looks */
#define GROWTH_WITHIN_MS 60000 /* see growth_begin() */

/* Begin with the memory that the process has now. is_by_minute: it may grow over hours by itself,
 * so only what it gains within GROWTH_WITHIN_MS counts. Times are those of clock_ns(). */
static void growth_begin(struct growth *g, const char *proc, const struct process *process,
			 bool is_by_minute, int64_t now_ns)
{
	*g = (struct growth){ .proc = proc,
			      .pid = process->pid,
			      .is_by_minute = is_by_minute,
			      .resident_kb = process->resident_kb,
			      .resident_ns = now_ns,
			      .looked_ns = now_ns };
}

/* Look again, at most every GROWTH_LOOK_MS. Returns the KB that the process has gained if they are
 * more than GROWTH_MAX_KB; otherwise 0. */
static int64_t growth_look(struct growth *g, int64_t now_ns)
{
	struct process now = { 0 };
	struct error err = ERROR_INIT;
	int64_t gained_kb = 0;

	if (g->pid == 0 || now_ns - g->looked_ns < GROWTH_LOOK_MS * NS_PER_MS)
		return 0;
	g->looked_ns = now_ns;
	if (process_read(g->proc, g->pid, &now, &err)) {
		g->now_kb = now.resident_kb;
		gained_kb = now.resident_kb - g->resident_kb;
		if (gained_kb <= GROWTH_MAX_KB && g->is_by_minute &&
		    now_ns - g->resident_ns > GROWTH_WITHIN_MS * NS_PER_MS) {
			g->resident_kb = now.resident_kb;
			g->resident_ns = now_ns;
		}
	}
	process_done(&now);
	return gained_kb > GROWTH_MAX_KB ? gained_kb : 0;
}

/* ==== heap growth ====
 *
 * Where the memory of a process has grown in minutes, V8 samples what is allocated, for a while. Of
 * these samples it drops those of objects that are gone. So what a second profile has more than a
 * first one is alive, or waits for the next collection. */

#define HEAP_SLOTS 60
#define HEAP_PART 20 /* a profile after this part of the time, but */
#define HEAP_MIN_NS (5 * NS_PER_S)
#define HEAP_MAX_NS (60 * NS_PER_S)
/* Bytes between two samples: of what has grown, a thousandth. */
#define HEAP_MIN_BYTES 32768
#define HEAP_MAX_BYTES 524288

struct heap_growth {
	int64_t least_kb[HEAP_SLOTS]; /* in each part of the time, as a ring; 0: not known */
	int64_t slot;                 /* the number of the last part */
	int64_t grown_kb, grown_ns;
	unsigned part;   /* the profile that comes next; 0: V8 does not sample */
	int64_t id;      /* of a call that has no answer yet; 0: none */
	int64_t next_ns; /* of the next call */
	bool is_refused;
};

/* Count what a process has now, and return what it has gained since its least; *parts: how long ago
 * that was. */
static int64_t heap_growth_count(struct heap_growth *h, int64_t kb, int64_t slot, int64_t *parts)
{
	int64_t least_kb = kb;

	*parts = 0;
	h->slot = h->slot < slot - HEAP_SLOTS ? slot - HEAP_SLOTS : h->slot;
	while (h->slot < slot)
		h->least_kb[++h->slot % HEAP_SLOTS] = kb;
	for (int64_t k = slot; k > slot - HEAP_SLOTS; k--) {
		int64_t then_kb = h->least_kb[k % HEAP_SLOTS];

		if (then_kb > 0 && then_kb < least_kb) {
			least_kb = then_kb;
			*parts = slot - k + 1;
		}
	}
	if (kb < h->least_kb[slot % HEAP_SLOTS])
		h->least_kb[slot % HEAP_SLOTS] = kb;
	return kb - least_kb;
}

/* ==== losses ====
 *
 * What a recording misses, in words. What may happen thousands of times is counted. */

/* A zeroed struct: nothing is missing. */
struct losses {
	uint64_t n_workers; /* that ended while they were recorded */
	uint64_t n_ended;   /* bridges between chunks that the program ended too early */
};

static void add_name(int tid, const char *title, struct buf *line)
{
	const char *name = chunk_thread_name(title);
	size_t len = strlen(name);

	buf_addf(line, "worker %d", tid);
	if (len == 0)
		return;
	buf_adds(line, " (");
	text_visible(line, name, len < 80 ? len : 80);
	buf_adds(line, len < 80 ? ")" : "...)");
}

static void losses_add_worker(struct losses *l, int tid, const char *title, int64_t ns,
			      struct buf *line)
{
	if (l->n_workers++ >= LOSSES_NAMED)
		return;
	add_name(tid, title, line);
	buf_addf(line, " ended %.1f s after the recording began: its last slice is missing",
		 (double)ns / (double)NS_PER_S);
}

/* Append what was counted and not told yet: the other workers, and the chunks. Nothing is appended
 * if there were none. */
static void losses_workers(const struct losses *l, struct buf *line)
{
	uint64_t more = l->n_workers > LOSSES_NAMED ? l->n_workers - LOSSES_NAMED : 0;

	if (more > 0)
		buf_addf(line, "%" PRIu64 " more worker%s ended: the last slice%s missing", more,
			 more == 1 ? "" : "s", more == 1 ? " is" : "s are");
}

static void losses_chunks(const struct losses *l, struct buf *line)
{
	if (l->n_ended > 0)
		buf_addf(line,
			 "the program ended %" PRIu64 " recording%s between slices by "
			 "console.profileEnd(): some milliseconds are missing each time",
			 l->n_ended, l->n_ended == 1 ? "" : "s");
}

/* ==== recorder ==== */

#define CALL_MS 10000
#define METRICS_NS NS_PER_S /* between two pulls */

struct recorder {
	struct target *target;
	const struct recorder_options *options;
	struct chunk_thread *threads;
	uint32_t n;
	size_t cap;
	struct request_pull metrics;
	int64_t pulled_ns; /* when they were asked for */
	int64_t interval_us;
	int chunk_ms;
	struct growth growth; /* of the target */
	struct heap_growth heap;
	enum recorder_news news;
	int64_t created_ns;
	struct losses losses;
	bool is_ending; /* no new chunks */
};

static void note(struct recorder *r, const char *format, ...) ERROR_PRINTF(2, 3);

static void note(struct recorder *r, const char *format, ...)
{
	char text[300];
	va_list args;

	va_start(args, format);
	vsnprintf(text, sizeof text, format, args);
	va_end(args);
	if (r->options->on_note)
		r->options->on_note(r->options->ctx, text);
}

/* ---- calls ---- */

/* The target is gone, or the user has cancelled; the caller gives up. */
static void give_up(struct recorder *r, const struct error *err)
{
	if (r->news != RECORDER_GOES_ON)
		return;
	r->news = err->kind == ERR_CANCELLED ? RECORDER_CANCELLED : RECORDER_GONE;
}

/* Check what a call to a thread returned. */
static void check(struct recorder *r, bool is_sent, const struct error *err)
{
	if (!is_sent)
		give_up(r, err);
}

static void begin_requests(struct recorder *r, struct chunk_thread *t)
{
	struct error err = ERROR_INIT;

	if (r->options->requests && r->news == RECORDER_GOES_ON && !r->is_ending)
		check(r,
		      request_pull_begin(&t->requests, t->inspector, t->session,
					 r->options->requests, connection_deadline(SEND_MS), &err),
		      &err);
}

static void end_requests(struct recorder *r, struct chunk_thread *t)
{
	struct error err = ERROR_INIT;

	check(r,
	      request_pull_end(&t->requests, t->inspector, t->session, connection_deadline(SEND_MS),
			       &err),
	      &err);
}

static void begin_metrics(struct recorder *r)
{
	struct error err = ERROR_INIT;

	if (r->options->on_metrics && r->news == RECORDER_GOES_ON)
		check(r,
		      request_pull_begin_metrics(&r->metrics, &r->target->inspector,
						 connection_deadline(SEND_MS), &err),
		      &err);
}

static void begin_chunk(struct recorder *r, struct chunk_thread *t)
{
	struct error err = ERROR_INIT;

	check(r, chunk_thread_begin(t, &err), &err);
}

/* ---- threads ---- */

static struct chunk_thread *add_thread(struct recorder *r, const char *session, const char *title)
{
	struct chunk_thread *t;
	const char *number = strstr(title, "[worker ");

	t = ARRAY_ADD(r->threads, r->n, r->cap);
	*t = (struct chunk_thread){ .inspector = &r->target->inspector,
				    .session = session ? xstrdup(session) : NULL,
				    .title = xstrdup(title),
				    .heap_bytes = r->options->heap_bytes,
				    .tid = number     ? (int)strtol(number + 8, NULL, 10)
					    : session ? (int)r->n - 1
						      : 0 };
	return t;
}

static struct chunk_thread *find_thread(struct recorder *r, struct str session)
{
	for (uint32_t i = 0; i < r->n; i++) {
		const char *own = r->threads[i].session;

		if (!r->threads[i].is_gone && (own ? str_is(session, own) : session.len == 0))
			return &r->threads[i];
	}
	return NULL;
}

/* A worker is there, or has just begun. info: the member that describes it. */
static void take_worker(struct recorder *r, struct str params, const char *info)
{
	BUF_LOCAL session = { 0 }, title = { 0 }, type = { 0 };
	struct str about;

	if (inspector_string(params, "sessionId", &session) && cursor_find(params, info, &about) &&
	    inspector_string(about, "type", &type) && strcmp(buf_text(&type), "worker") == 0) {
		inspector_string(about, "title", &title);
		if (!r->is_ending) {
			struct error err = ERROR_INIT;
			struct chunk_thread *t;

			t = add_thread(r, buf_text(&session), buf_text(&title));
			check(r, chunk_thread_set_up(t, r->interval_us, &err), &err);
			begin_requests(r, t);
		}
	}
}

static void note_line(struct recorder *r, const struct buf *line)
{
	if (line->len > 0)
		note(r, "%s", buf_text(line));
}

static void lose_worker(struct recorder *r, struct str params)
{
	BUF_LOCAL session = { 0 };
	struct chunk_thread *t = NULL;

	if (inspector_string(params, "sessionId", &session) && session.len > 0)
		t = find_thread(r, (struct str){ session.data, session.len });
	if (t) {
		BUF_LOCAL line = { 0 };

		t->is_gone = true;
		if (!r->is_ending)
			losses_add_worker(&r->losses, t->tid, t->title, clock_ns() - r->created_ns,
					  &line);
		note_line(r, &line);
	}
}

/* ---- messages ---- */

static void give(struct recorder *r, const struct chunk_thread *t, struct str profile,
		 struct str requests)
{
	r->options->on_chunk(r->options->ctx,
			     &(struct recorder_chunk){ .thread = (uint32_t)(t - r->threads),
						       .tid = t->tid,
						       .title = t->title,
						       .profile = profile,
						       .requests = requests });
}

static void take_chunk(struct recorder *r, struct chunk_thread *t, struct str profile)
{
	give(r, t, profile, (struct str){ 0 });
	if (profile.len > RECORDER_CHUNK_MAX && r->news == RECORDER_GOES_ON && !r->is_ending) {
		note(r,
		     "recording stopped: a slice of %zu MB (limit %zu MB) stops the process for too "
		     "long",
		     profile.len >> 20, RECORDER_CHUNK_MAX >> 20);
		r->news = RECORDER_STOPPED;
	}
}

/* Otherwise it is a recording of the program itself. */
static bool is_bridge(struct str params)
{
	BUF_LOCAL title = { 0 };

	return inspector_string(params, "title", &title) && title.len > 0 &&
		evaluate_is_bridge((struct str){ title.data, title.len });
}

/* The event comes before the answer. It is missing also while the program ends: then the answer is
 * an exception. */
static void check_bridge(struct recorder *r, struct chunk_thread *t,
			 const struct inspector_message *m)
{
	struct str why;

	if (t->has_bridged || m->error.len > 0 || cursor_find(m->value, "exceptionDetails", &why))
		return;
	t->has_no_bridge = true;
	note(r, "console.profile() does nothing in this program: slices have gaps between them");
}

/* The answer to a call for a heap profile. */
static void take_heap(struct recorder *r, const struct inspector_message *m)
{
	struct heap_growth *h = &r->heap;
	struct str profile;

	h->id = 0;
	if (!cursor_find(m->value, "profile", &profile)) {
		h->part = 0;
		h->is_refused = true;
		note(r, "its heap cannot be sampled: --grow says nothing");
		return;
	}
	r->options->on_chunk(r->options->ctx,
			     &(struct recorder_chunk){ .title = r->threads[0].title,
						       .profile = profile,
						       .heap_part = h->part,
						       .grown_kb = h->grown_kb,
						       .grown_ns = h->grown_ns });
	h->part = h->part == 1 ? 2 : 0;
	memset(h->least_kb, 0, sizeof h->least_kb);
}

static void take_answer(struct recorder *r, struct chunk_thread *t,
			const struct inspector_message *m)
{
	int64_t *const ids[] = { &t->id_begin, &t->id_stop, &t->id_last, &t->id_bridge,
				 &t->id_bridge_end };
	bool has_profile = m->id == t->id_stop || m->id == t->id_last;
	struct str profile;

	if (t == r->threads && m->id == r->heap.id)
		take_heap(r, m);
	if (m->id == t->id_bridge)
		check_bridge(r, t, m);
	for (size_t i = 0; i < ARRAY_LEN(ids); i++)
		if (*ids[i] == m->id)
			*ids[i] = 0;
	if (has_profile && cursor_find(m->value, "profile", &profile))
		take_chunk(r, t, profile);
}

/* What the kernel tells is about connections of the process: which thread has them is not known. */
static void take_arrivals(struct recorder *r)
{
	BUF_LOCAL text = { 0 };

	socket_watch_take(r->options->watch, &text);
	for (uint32_t i = 0; i < r->n && text.len; i++)
		if (!r->threads[i].is_gone && r->threads[i].requests.object)
			give(r, &r->threads[i], (struct str){ 0 },
			     (struct str){ text.data, text.len });
}

/* Whether the message was of the script that follows requests. */
static bool take_requests(struct recorder *r, struct chunk_thread *t,
			  const struct inspector_message *m)
{
	BUF_LOCAL text = { 0 };
	bool is_again;
	enum request_news news = request_pull_take(&t->requests, m, &text, &is_again);

	if (news == REQUEST_TEXT && t == r->threads)
		take_arrivals(r);
	if (news == REQUEST_TEXT)
		give(r, t, (struct str){ 0 }, (struct str){ buf_text(&text), text.len });
	if (news == REQUEST_REFUSED)
		note(r, "its requests are not followed: %s", buf_text(&text));
	if (news == REQUEST_BEGINS)
		begin_requests(r, t);
	if (is_again || (r->is_ending && !t->requests.is_ended))
		end_requests(r, t);
	return news != REQUEST_OTHER;
}

/* Whether the message was of the script that measures. Where it does not begin, nothing is told. */
static bool take_metrics(struct recorder *r, const struct inspector_message *m)
{
	BUF_LOCAL text = { 0 };
	bool is_again;
	enum request_news news;

	if (!r->options->on_metrics || m->session.len || m->id == 0)
		return false;
	news = request_pull_take(&r->metrics, m, &text, &is_again);
	if (news == REQUEST_TEXT)
		r->options->on_metrics(r->options->ctx, (struct str){ buf_text(&text), text.len });
	return news != REQUEST_OTHER;
}

static void take_message(struct recorder *r, const struct inspector_message *m)
{
	struct chunk_thread *t = find_thread(r, m->session);

	if (!t || take_metrics(r, m) || (r->options->requests && take_requests(r, t, m)))
		return;
	if (m->id == 0) {
		if (str_is(m->method, "Profiler.consoleProfileStarted") && is_bridge(m->value))
			t->has_bridged = true;
		else if (str_is(m->method, "Profiler.consoleProfileFinished") &&
			 is_bridge(m->value)) {
			struct str profile;

			/* By console.profileEnd() of the program. */
			if (t->id_begin != 0)
				r->losses.n_ended++;
			if (cursor_find(m->value, "profile", &profile))
				take_chunk(r, t, profile);
		} else if (str_is(m->method, "NodeWorker.attachedToWorker"))
			take_worker(r, m->value, "workerInfo");
		else if (str_is(m->method, "Target.attachedToTarget"))
			take_worker(r, m->value, "targetInfo");
		else if (str_is(m->method, "NodeWorker.detachedFromWorker") ||
			 str_is(m->method, "Target.detachedFromTarget"))
			lose_worker(r, m->value);
	} else {
		take_answer(r, t, m);
	}
	/* Threads may have moved. */
	t = find_thread(r, m->session);
	if (t)
		t->asked_ns = chunk_thread_is_quiet(t) ? 0 : clock_ns();
}

/* ---- the whole ---- */

static void look_at_memory(struct recorder *r)
{
	int64_t gained_kb, now = clock_ns();

	/* Long chunks are those of many processes: a look at each costs. */
	if (r->chunk_ms > GROWTH_LOOK_MS && now - r->growth.looked_ns < 5 * NS_PER_S)
		return;
	gained_kb = growth_look(&r->growth, now);
	if (gained_kb == 0)
		return;
	note(r, "recording stopped: the process has grown by %lld MB %s",
	     (long long)gained_kb / 1024,
	     r->options->has_no_end ? "within a minute" : "since it began");
	r->news = RECORDER_STOPPED;
}

/* Look whether the memory has grown for long, and what has grown in it. */
static void look_at_heap(struct recorder *r)
{
	const struct recorder_options *o = r->options;
	struct heap_growth *h = &r->heap;
	int64_t now = clock_ns(), part_ns = o->grow_ns / HEAP_SLOTS,
		wait_ns = o->grow_ns / HEAP_PART, parts,
		bytes = o->grow_kb < HEAP_MIN_BYTES ? HEAP_MIN_BYTES
		: o->grow_kb > HEAP_MAX_BYTES       ? HEAP_MAX_BYTES
						    : o->grow_kb;
	struct error err = ERROR_INIT;
	char params[64];

	if (!o->grow_kb || !r->growth.now_kb || h->id || h->is_refused)
		return;
	if (h->part == 0) {
		h->grown_kb = heap_growth_count(h, r->growth.now_kb, now / part_ns, &parts);
		h->grown_ns = parts * part_ns;
		if (h->grown_kb < o->grow_kb)
			return;
		snprintf(params, sizeof params, "{\"samplingInterval\":%lld}", (long long)bytes);
		check(r, call(r->threads, "HeapProfiler.startSampling", params, &err) != 0, &err);
		h->part = 1;
	} else if (now < h->next_ns) {
		return;
	} else {
		h->id = call(r->threads,
			     h->part == 1 ? "HeapProfiler.getSamplingProfile"
					  : "HeapProfiler.stopSampling",
			     "{}", &err);
		check(r, h->id != 0, &err);
	}
	wait_ns = wait_ns < HEAP_MIN_NS ? HEAP_MIN_NS : wait_ns;
	h->next_ns = now + (wait_ns > HEAP_MAX_NS ? HEAP_MAX_NS : wait_ns);
}

/* The time of the next change; INT64_MAX: there is none. */
static int64_t next_change(const struct recorder *r)
{
	bool has_metrics = r->metrics.object && !r->metrics.id_pull && !r->is_ending;
	int64_t next = has_metrics ? r->pulled_ns + METRICS_NS : INT64_MAX;

	for (uint32_t i = 0; i < r->n && !r->is_ending; i++) {
		const struct chunk_thread *t = &r->threads[i];
		int64_t at = t->began_ns + r->chunk_ms * NS_PER_MS;

		if (!t->is_gone && chunk_thread_is_quiet(t) && at < next)
			next = at;
	}
	return next;
}

/* Take one message. */
static void step(struct recorder *r, int64_t deadline)
{
	struct inspector_message message;
	struct error err = ERROR_INIT;

	switch (inspector_next(&r->target->inspector, deadline, &message, &err)) {
	case WEBSOCKET_MESSAGE:
		take_message(r, &message);
		if (r->target->inspector.is_leaving && r->news == RECORDER_GOES_ON && !r->is_ending)
			r->news = RECORDER_LEAVES;
		break;
	case WEBSOCKET_LATE:
		break;
	case WEBSOCKET_CLOSED:
	case WEBSOCKET_FAILED:
		give_up(r, &err);
		break;
	}
}

/* Ask for what is due. */
static void ask(struct recorder *r, int64_t now)
{
	struct error err = ERROR_INIT;

	if (r->metrics.object && now - r->pulled_ns >= METRICS_NS) {
		r->pulled_ns = now;
		check(r,
		      request_pull_ask(&r->metrics, &r->target->inspector, NULL,
				       connection_deadline(SEND_MS), &err),
		      &err);
	}
	for (uint32_t i = 0; i < r->n && r->news == RECORDER_GOES_ON; i++) {
		struct chunk_thread *t = &r->threads[i];

		err = (struct error)ERROR_INIT;
		if (!t->is_gone && chunk_thread_is_quiet(t) &&
		    now - t->began_ns >= r->chunk_ms * NS_PER_MS) {
			check(r,
			      request_pull_ask(&t->requests, t->inspector, t->session,
					       connection_deadline(SEND_MS), &err),
			      &err);
			check(r, chunk_thread_change(t, &err), &err);
		}
	}
}

void recorder_set_pace(struct recorder *r, int64_t interval_us, int chunk_ms)
{
	r->interval_us = interval_us;
	r->chunk_ms = chunk_ms;
	for (uint32_t i = 0; i < r->n; i++) {
		r->threads[i].new_interval_us = interval_us;
		r->threads[i].began_ns = 0;
	}
}

enum recorder_news recorder_run(struct recorder *r, int64_t deadline)
{
	while (r->news == RECORDER_GOES_ON) {
		int64_t next = next_change(r);

		/* It may have said so in the answer to another question. */
		if (r->target->inspector.is_leaving)
			r->news = RECORDER_LEAVES;
		if (r->news != RECORDER_GOES_ON || clock_ns() >= deadline)
			break;
		step(r, next < deadline ? next : deadline);
		if (r->news == RECORDER_GOES_ON)
			ask(r, clock_ns());
		if (r->news == RECORDER_GOES_ON)
			look_at_memory(r);
		if (r->news == RECORDER_GOES_ON)
			look_at_heap(r);
	}
	return r->news;
}

/* Workers of a process that leaves go on for as long as it waits: they are not waited for. */
static bool is_all_ended(const struct recorder *r)
{
	uint32_t n = r->target->inspector.is_leaving ? 1 : r->n;

	for (uint32_t i = 0; i < n; i++) {
		const struct chunk_thread *t = &r->threads[i];

		/* Whether the last chunk has come. */
		if (!t->is_gone &&
		    (!(t->is_ending && chunk_thread_is_quiet(t)) ||
		     (!r->target->inspector.is_leaving && !request_pull_is_quiet(&t->requests))))
			return false;
	}
	return true;
}

/* Node.js is asked to close the inspector only when nothing of it is in use. */
static void leave(struct recorder *r, int64_t deadline)
{
	struct inspector *i = &r->target->inspector;
	struct inspector_message answer;
	struct error err = ERROR_INIT;

	if (r->options->has_workers && i->has_sessions)
		inspector_call(i, NULL, "Target.setAutoAttach",
			       "{\"autoAttach\":false,\"waitForDebuggerOnStart\":false}", deadline,
			       &answer, &err);
	else if (r->options->has_workers)
		inspector_call(i, NULL, "NodeWorker.disable", "{}", deadline, &answer, &err);
	err = (struct error)ERROR_INIT;
	if (r->heap.part)
		inspector_call(i, NULL, "HeapProfiler.stopSampling", "{}", deadline, &answer, &err);
	err = (struct error)ERROR_INIT;
	inspector_call(i, NULL, "Profiler.disable", "{}", deadline, &answer, &err);
}

bool recorder_end(struct recorder *r, int ms)
{
	int64_t deadline = connection_deadline(ms);

	if (r->news == RECORDER_GONE)
		return false;
	/* The user has cancelled the recording, not its end. */
	r->target->inspector.socket.connection.cancel_fd = -1;
	r->news = RECORDER_GOES_ON;
	r->is_ending = true;
	for (uint32_t i = r->n; i-- > 0;) {
		struct chunk_thread *t = &r->threads[i];
		struct error err = ERROR_INIT;

		if (!t->is_gone) {
			end_requests(r, t);
			check(r, chunk_thread_end(t, &err), &err);
		}
	}
	while (r->news == RECORDER_GOES_ON && !is_all_ended(r) && clock_ns() < deadline)
		step(r, deadline);
	take_arrivals(r);
	if (r->news == RECORDER_GOES_ON && is_all_ended(r) && !r->target->inspector.is_leaving)
		leave(r, deadline);
	return is_all_ended(r);
}

int64_t recorder_silence(const struct recorder *r)
{
	int64_t oldest = 0;

	for (uint32_t i = 0; i < r->n; i++)
		if (!r->threads[i].is_gone && r->threads[i].asked_ns > 0 &&
		    (oldest == 0 || r->threads[i].asked_ns < oldest))
			oldest = r->threads[i].asked_ns;
	return oldest > 0 ? clock_ns() - oldest : 0;
}

struct recorder *recorder_new(struct target *target, const struct recorder_options *options)
{
	struct recorder *r = xcalloc(1, sizeof *r);

	*r = (struct recorder){ .target = target,
				.options = options,
				.interval_us = options->interval_us,
				.chunk_ms = options->chunk_ms,
				.created_ns = clock_ns() };
	growth_begin(&r->growth, target->options ? target->options->proc : "", &target->process,
		     options->has_no_end, r->created_ns);
	add_thread(r, NULL, "");
	return r;
}

void recorder_free(struct recorder *r)
{
	struct buf line = { 0 };

	if (!r)
		return;
	losses_workers(&r->losses, &line);
	note_line(r, &line);
	buf_clear(&line);
	losses_chunks(&r->losses, &line);
	note_line(r, &line);
	buf_done(&line);
	r->target->inspector.on_message = NULL;
	for (uint32_t i = 0; i < r->n; i++) {
		free(r->threads[i].session);
		free(r->threads[i].title);
		request_pull_done(&r->threads[i].requests);
	}
	free(r->threads);
	request_pull_done(&r->metrics);
	free(r);
}

static void take_early(void *ctx, const struct inspector_message *message)
{
	take_message(ctx, message);
}

bool recorder_begin(struct recorder *r, struct error *err)
{
	struct inspector *i = &r->target->inspector;
	struct inspector_message answer;
	char params[64];
	int64_t deadline = connection_deadline(CALL_MS);

	snprintf(params, sizeof params, "{\"interval\":%lld}", (long long)r->options->interval_us);
	i->on_message = take_early;
	i->on_message_ctx = r;
	if (!r->options->heap_bytes &&
	    (!inspector_call(i, NULL, "Profiler.enable", "{}", deadline, &answer, err) ||
	     !inspector_call(i, NULL, "Profiler.setSamplingInterval", params, deadline, &answer,
			     err)))
		return false;
	begin_chunk(r, &r->threads[0]);
	begin_requests(r, &r->threads[0]);
	begin_metrics(r);
	if (r->options->has_workers) {
		struct error ignored = ERROR_INIT;

		/* Node.js knows the first, Chromium the second. */
		if (inspector_call(i, NULL, "NodeWorker.enable",
				   "{\"waitForDebuggerOnStart\":false}", deadline, &answer,
				   &ignored))
			return true;
		ignored = (struct error)ERROR_INIT;
		i->has_sessions = true;
		inspector_call(i, NULL, "Target.setAutoAttach",
			       "{\"autoAttach\":true,\"waitForDebuggerOnStart\":false,"
			       "\"flatten\":true}",
			       deadline, &answer, &ignored);
	}
	return true;
}
