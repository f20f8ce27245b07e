/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Collects B and E events of each thread, and passes them on as slices at the end of the trace.
 * Events are kept in chunks, 16 bytes each, 24 of traces with `tts`, in the order of the file. The
 * partner of each begin is noted, 4 bytes for each event ("trace matcher" below). Then slices go to
 * the builder in the order of their begins, so that the first of two equal slices is the outer one.
 * Chunks are freed as soon as their slices have been passed on. */
#include "config.h"

#include "base/alloc.h"
#include "base/progress.h"
#include "base/sort.h"
#include "base/thread.h"
#include "model/warning.h"
#include "read/trace/trace.h"

#include <stdatomic.h>
#include <stdlib.h>

/* ==== trace pair ====
 *
 * Begins and ends of one thread, which "trace matcher" below pairs. */

struct begin_end {
	int64_t when;  /* ts * 2, + 1: an end */
	uint64_t what; /* name, then offset */
};

/* The last chunk may be smaller than PAIR_CHUNK_EVENTS. */
struct pair_chunk {
	struct begin_end *events;
	size_t cap;
	uint32_t *partner; /* NULL until events are paired */
	int64_t *tts;      /* by event: trace_event_tts() + 1; NULL: of none */
};

/* What pairing found: the two kinds, in the order in which they came up. */
struct pair_warnings {
	struct {
		enum warning_kind kind;
		int64_t offset; /* of the first */
		uint64_t n;
	} all[2];
	unsigned n;
};

#define PAIR_CHUNK_EVENTS 65536u
#define PAIR_OFFSET_BITS 36 /* slices do not keep larger offsets, either */
#define PAIR_OFFSET_END (INT64_C(1) << PAIR_OFFSET_BITS)
#define PAIR_OFFSET_MASK ((UINT64_C(1) << PAIR_OFFSET_BITS) - 1)
#define PAIR_NAME_MAX ((UINT32_C(1) << (64 - PAIR_OFFSET_BITS)) - 1)

/* A flag in `partner`, which is the number of the event that closes a begin, + 1; 0: none does. */
#define PAIR_IS_CUT (TRACE_PAIRS_MAX + 1) /* closed by the end of a slice around it */

/* Cap on ends of one instant that wait for begins. Beyond it the file is damaged, and matching
 * would be quadratic. */
#define PAIR_WAITING_MAX 1024

static struct begin_end *pair_event(const struct trace_thread *thread, size_t i)
{
	return &thread->pairs[i / PAIR_CHUNK_EVENTS].events[i % PAIR_CHUNK_EVENTS];
}

static uint32_t *pair_partner(const struct trace_thread *thread, size_t i)
{
	return &thread->pairs[i / PAIR_CHUNK_EVENTS].partner[i % PAIR_CHUNK_EVENTS];
}

static int64_t pair_tts(const struct trace_thread *thread, size_t i)
{
	const struct pair_chunk *chunk = &thread->pairs[i / PAIR_CHUNK_EVENTS];

	return chunk->tts ? chunk->tts[i % PAIR_CHUNK_EVENTS] : 0;
}

static void pair_set_tts(struct trace_thread *thread, size_t i, int64_t tts)
{
	struct pair_chunk *chunk = &thread->pairs[i / PAIR_CHUNK_EVENTS];

	if (tts && !chunk->tts)
		chunk->tts = xcalloc(chunk->cap, sizeof *chunk->tts);
	if (chunk->tts)
		chunk->tts[i % PAIR_CHUNK_EVENTS] = tts;
}

static int64_t pair_time(const struct begin_end *e)
{
	return e->when >> 1;
}

static bool pair_is_end(const struct begin_end *e)
{
	return e->when & 1;
}

/* The name with the event category of a begin: see trace_frame_name(). */
static text_id pair_stored_name(const struct begin_end *e)
{
	return (text_id)(e->what >> PAIR_OFFSET_BITS);
}

static text_id pair_name(const struct trace *t, const struct begin_end *e)
{
	return trace_text_plain(&t->texts, pair_stored_name(e));
}

/* -1: too large to be kept. */
static int64_t pair_offset(const struct begin_end *e)
{
	int64_t offset = (int64_t)(e->what & PAIR_OFFSET_MASK);

	return offset < PAIR_OFFSET_END - 1 ? offset : -1;
}

/* ==== trace matcher ====
 *
 * Finds the end of each begin of a thread. Its events are sorted by time if they are not. An
 * instant is all events with one time: writers put ends and begins of one instant in any order, so
 * an end waits until its instant is complete.
 *
 * Open begins are on two stacks, because an end may close an older begin while begins of its own
 * instant stay open: `older`, and above it `fresh`, begins of the present instant, some of which
 * may be closed. Begins of one name are linked from the latest to the first; closed ones are
 * unlinked when they are met. */

#define REPORTED 65536u /* events between two reports of the progress */

struct unsorted {
	struct begin_end e;
	int64_t tts;
};

SORT_ORDER(compare, struct unsorted,
	   SORT_BY_2(pair_time(&x->e), pair_time(&y->e), x->e.what &PAIR_OFFSET_MASK,
		     y->e.what &PAIR_OFFSET_MASK))

struct indices {
	uint32_t *at;
	size_t n, cap;
};

struct trace_matcher {
	const struct trace *t;
	struct progress_shared *progress;
	struct trace_thread *thread;
	struct indices older, fresh, waiting;
	uint32_t *latest; /* by name: index + 1 */
	uint32_t *before; /* by index: the begin of that name before it, + 1 */
};

/* Warnings of two threads would come in any order, so they are kept with their thread. */
static void warn(struct trace_matcher *m, enum warning_kind kind, uint32_t event)
{
	struct pair_warnings *w = m->thread->pair_warnings;
	unsigned i = 0;

	if (!w)
		w = m->thread->pair_warnings = xcalloc(1, sizeof *w);
	while (i < w->n && w->all[i].kind != kind)
		i++;
	if (i == w->n) {
		w->n++;
		w->all[i].kind = kind;
		w->all[i].offset = pair_offset(pair_event(m->thread, event));
	}
	w->all[i].n++;
}

static void push(struct indices *x, uint32_t i)
{
	*ARRAY_ADD(x->at, x->n, x->cap) = i;
}

static bool is_closed(const struct trace_matcher *m, uint32_t i)
{
	return *pair_partner(m->thread, i) != 0;
}

/* The stack with the innermost open begin on top. NULL: none is open. */
static struct indices *innermost(struct trace_matcher *m)
{
	while (m->fresh.n && is_closed(m, m->fresh.at[m->fresh.n - 1]))
		m->fresh.n--;
	return m->fresh.n ? &m->fresh : m->older.n ? &m->older : NULL;
}

static bool close_innermost(struct trace_matcher *m, uint32_t end)
{
	text_id name = pair_name(m->t, pair_event(m->thread, end));
	struct indices *stack = innermost(m);

	if (!stack ||
	    (name && pair_name(m->t, pair_event(m->thread, stack->at[stack->n - 1])) != name))
		return false;
	*pair_partner(m->thread, stack->at[--stack->n]) = end + 1;
	return true;
}

/* Try the waiting ends until none of them matches. */
static void retry(struct trace_matcher *m)
{
	struct indices *x = &m->waiting;
	size_t i = 0;

	while (i < x->n) {
		if (!close_innermost(m, x->at[i])) {
			i++;
			continue;
		}
		for (size_t k = i + 1; k < x->n; k++)
			x->at[k - 1] = x->at[k];
		x->n--;
		i = 0;
	}
}

/* The latest open begin of a name, + 1; 0: none. */
static uint32_t find_open(struct trace_matcher *m, text_id name)
{
	while (m->latest[name] && is_closed(m, m->latest[name] - 1))
		m->latest[name] = m->before[m->latest[name] - 1];
	return m->latest[name];
}

/* Close the latest open begin with the name of an end, and older begins inside it. */
static bool close_outer(struct trace_matcher *m, uint32_t end)
{
	const struct begin_end *e = pair_event(m->thread, end);
	text_id name = pair_name(m->t, e);
	uint32_t found = name ? find_open(m, name) : 0;

	if (!found)
		return false;
	*pair_partner(m->thread, found - 1) = end + 1;
	if (pair_time(pair_event(m->thread, found - 1)) == pair_time(e))
		return true;
	while (m->older.at[--m->older.n] != found - 1) {
		uint32_t inner = m->older.at[m->older.n];

		*pair_partner(m->thread, inner) = (end + 1) | PAIR_IS_CUT;
		warn(m, WARN_CLOSED_BY_OUTER, inner);
	}
	return true;
}

static void settle(struct trace_matcher *m)
{
	for (size_t i = 0; i < m->waiting.n; i++)
		if (!close_innermost(m, m->waiting.at[i]) && !close_outer(m, m->waiting.at[i]))
			warn(m, WARN_UNMATCHED_END, m->waiting.at[i]);
	m->waiting.n = 0;
}

static void take_event(struct trace_matcher *m, uint32_t i)
{
	const struct begin_end *e = pair_event(m->thread, i);
	text_id name = pair_name(m->t, e);

	if (!pair_is_end(e)) {
		push(&m->fresh, i);
		m->before[i] = m->latest[name];
		m->latest[name] = i + 1;
		if (m->waiting.n)
			retry(m);
	} else if (close_innermost(m, i)) {
		if (m->waiting.n)
			retry(m);
	} else {
		push(&m->waiting, i);
		if (m->waiting.n >= PAIR_WAITING_MAX)
			settle(m);
	}
}

/* End an instant: match its waiting ends, and move its open begins to `older`. */
static void next_instant(struct trace_matcher *m)
{
	if (m->waiting.n)
		settle(m);
	for (size_t i = 0; i < m->fresh.n; i++)
		if (!is_closed(m, m->fresh.at[i]))
			push(&m->older, m->fresh.at[i]);
	m->fresh.n = 0;
}

/* Set `partner` of all events of a thread, and its pair_warnings. */
static void trace_matcher_pair(struct trace_matcher *m, struct trace_thread *thread)
{
	size_t n = thread->n_pairs, reported = 0;

	m->thread = thread;
	m->before = xmalloc(n * sizeof *m->before);
	m->older.n = m->fresh.n = m->waiting.n = 0;
	for (size_t i = 0; i < thread->n_pair_chunks; i++)
		thread->pairs[i].partner = xcalloc(thread->pairs[i].cap,
						   sizeof *thread->pairs[i].partner);
	if (thread->is_unsorted) {
		ALLOC_LOCAL struct unsorted *all = xmalloc(n * sizeof *all);

		for (size_t i = 0; i < n; i++)
			all[i] = (struct unsorted){ *pair_event(thread, i), pair_tts(thread, i) };
		qsort(all, n, sizeof *all, compare);
		for (size_t i = 0; i < n; i++) {
			*pair_event(thread, i) = all[i].e;
			pair_set_tts(thread, i, all[i].tts);
		}
	}
	for (size_t i = 0; i < n; i++) {
		if (i - reported == REPORTED) {
			progress_shared_add(m->progress, REPORTED);
			reported = i;
		}
		take_event(m, (uint32_t)i);
		if (i + 1 == n ||
		    pair_time(pair_event(thread, i + 1)) != pair_time(pair_event(thread, i)))
			next_instant(m);
	}
	progress_shared_add(m->progress, (int64_t)(n - reported));
	for (size_t i = 0; i < n; i++)
		m->latest[pair_name(m->t, pair_event(thread, i))] = 0;
	free(m->before);
	m->before = NULL;
}

/* ==== trace prepare ====
 *
 * Two threads take jobs in turn, large ones first: the B and E events of a thread of the trace, or
 * the positions of the samples of a CPU profile. A job changes only what it is about, so the result
 * is the same in any order. */

#define MANY 50000u /* events and positions: from here on two threads are faster */

struct job {
	size_t size;                 /* events or positions */
	struct trace_thread *thread; /* NULL: the job is about `profile` */
	struct cpu_raw *profile;
	size_t number; /* makes the order definite */
};

struct jobs {
	const struct trace *t;
	struct job *all;
	size_t n, cap, size, n_events;
	atomic_size_t next;
	struct progress_shared progress;
};

static void add(struct jobs *jobs, struct job job)
{
	if (job.size == 0)
		return;
	job.number = jobs->n;
	*ARRAY_ADD(jobs->all, jobs->n, jobs->cap) = job;
	jobs->size += job.size;
	jobs->n_events += job.thread ? job.size : 0;
}

SORT_ORDER(larger_first, struct job, SORT_BY_2(y->size, x->size, x->number, y->number))

static void work_on(void *ctx)
{
	struct jobs *jobs = ctx;
	struct trace_matcher m = { .t = jobs->t,
				   .progress = &jobs->progress,
				   .latest = xcalloc(jobs->t->texts.n, sizeof *m.latest) };
	size_t i;

	while ((i = atomic_fetch_add(&jobs->next, 1)) < jobs->n)
		if (jobs->all[i].thread)
			trace_matcher_pair(&m, jobs->all[i].thread);
		else
			cpu_builder_parked_sort(jobs->all[i].profile);
	free(m.older.at);
	free(m.fresh.at);
	free(m.waiting.at);
	free(m.latest);
}

/* ==== trace pairs ==== */

/* The colour that a begin asks for. Few traces have any, so these are apart. */
struct pair_color {
	int64_t offset;
	unsigned color;
};

/* The colour of the begin at a byte of the file; 0: none. */
static unsigned color_at(const struct trace_thread *thread, int64_t offset)
{
	size_t lo = 0;

	SORT_BISECT(lo, thread->n_colors, mid, thread->colors[mid].offset < offset);
	return lo < thread->n_colors && thread->colors[lo].offset == offset
		? thread->colors[lo].color
		: 0;
}

/* tts: as in the chunk. */
static void add_event(struct trace_thread *thread, struct begin_end e, int64_t tts)
{
	struct pair_chunk *chunk;
	size_t at = thread->n_pairs % PAIR_CHUNK_EVENTS, cap;

	if (thread->n_pairs == (size_t)thread->n_pair_chunks * PAIR_CHUNK_EVENTS) {
		*ARRAY_ADD(thread->pairs, thread->n_pair_chunks,
			   thread->cap_pair_chunks) = (struct pair_chunk){ 0 };
	}
	chunk = &thread->pairs[thread->n_pairs / PAIR_CHUNK_EVENTS];
	if (at >= chunk->cap) {
		/* Many threads have few events. If a thread has many, most of its chunks are
		 * full. */
		cap = thread->n_pairs < PAIR_CHUNK_EVENTS ? at + at / 2 + 16 : PAIR_CHUNK_EVENTS;
		chunk->cap = cap < PAIR_CHUNK_EVENTS ? cap : PAIR_CHUNK_EVENTS;
		chunk->events = xrealloc(chunk->events, chunk->cap, sizeof *chunk->events);
		if (chunk->tts)
			chunk->tts = xrealloc(chunk->tts, chunk->cap, sizeof *chunk->tts);
	}
	chunk->events[at] = e;
	if (tts || chunk->tts)
		pair_set_tts(thread, thread->n_pairs, tts);
	thread->n_pairs++;
}

static void free_chunk(struct pair_chunk *chunk)
{
	free(chunk->events);
	free(chunk->partner);
	free(chunk->tts);
	*chunk = (struct pair_chunk){ 0 };
}

static void free_pairs(struct trace_thread *thread)
{
	for (size_t i = 0; i < thread->n_pair_chunks; i++)
		free_chunk(&thread->pairs[i]);
	free(thread->pairs);
	free(thread->colors);
	free(thread->pair_warnings);
	thread->pair_warnings = NULL;
	thread->pairs = NULL;
	thread->colors = NULL;
	thread->n_colors = thread->cap_colors = 0;
	thread->n_pairs = thread->n_pair_chunks = thread->cap_pair_chunks = 0;
}

/* Whether an end in the instant of the last event may wait for a begin, and take that one. */
static bool has_waiting(const struct trace_thread *thread)
{
	int64_t instant = pair_time(pair_event(thread, thread->n_pairs - 1));
	int n = 0;

	for (size_t i = thread->n_pairs; i-- > 0 && pair_time(pair_event(thread, i)) == instant;)
		if (pair_is_end(pair_event(thread, i)) || ++n > PAIR_WAITING_MAX)
			return true;
	return false;
}

/* When a subset is loaded, pass a pair on at once if nothing is open between its events. */
static bool pass_pair(struct trace *t, struct trace_thread *thread, const struct trace_event *e)
{
	const struct begin_end *begin = thread->n_pairs ? pair_event(thread, thread->n_pairs - 1)
							: NULL;

	if (e->ph != 'E' || !begin || pair_is_end(begin) || has_waiting(thread) ||
	    pair_time(begin) >= e->ts || (e->name && e->name != pair_name(t, begin)) ||
	    thread->is_unsorted || !builder_is_partial(t->b))
		return false;
	track_builder_slice(
		t->b, trace_thread_slices(t, thread),
		&(struct track_slice){ .t0 = pair_time(begin),
				       .t1 = e->ts,
				       .frame = trace_frame_of(t, pair_stored_name(begin)),
				       .offset = pair_offset(begin),
				       .end_offset = e->offset,
				       .color = color_at(thread, pair_offset(begin)) });
	thread->n_pairs--;
	thread->has_passed_pairs = true;
	return true;
}

bool trace_pairs_add(struct trace *t, const struct trace_event *e)
{
	struct trace_thread *thread = trace_thread_get(t, e->pid, e->tid);
	text_id name = e->name;
	frame_id run = FRAME_NONE;

	if (e->ts < thread->last_ts) {
		thread->is_unsorted = true;
		/* Events of pairs that were passed on might belong to other pairs. */
		if (thread->has_passed_pairs)
			builder_no_subset(t->b);
	}
	thread->last_ts = e->ts;
	if (e->ph == 'B') {
		if (trace_run_is_meant(e, trace_text_get(&t->texts, name)->meaning))
			run = trace_run_frame(t, e);
		name = run ? trace_text_of_run(&t->texts, name, run) : trace_frame_name(t, e);
		trace_frame_of(t, name);
		if (trace_color(e)) {
			*ARRAY_ADD(thread->colors, thread->n_colors, thread->cap_colors) =
				(struct pair_color){ e->offset, trace_color(e) };
		}
	}
	if (pass_pair(t, thread, e))
		return true;
	if (name > PAIR_NAME_MAX || thread->n_pairs >= t->most_pairs)
		return error_set(t->err, ERR_LIMIT, e->offset,
				 "more than %zu B and E events on one thread, or %u names",
				 t->most_pairs, PAIR_NAME_MAX);
	add_event(thread,
		  (struct begin_end){ e->ts * 2 + (e->ph == 'E'),
				      (uint64_t)name << PAIR_OFFSET_BITS |
					      (uint64_t)(e->offset < PAIR_OFFSET_END
								 ? e->offset
								 : PAIR_OFFSET_END - 1) },
		  e->tts ? trace_event_tts(e) + 1 : 0);
	return true;
}

static void pass_slice(struct trace *t, struct trace_thread *thread, size_t i)
{
	const struct begin_end *e = pair_event(thread, i);
	uint32_t partner = *pair_partner(thread, i);
	int64_t end = t->last, end_offset = -1, cpu = 0;
	unsigned flags = 0;

	if (partner == 0) {
		builder_warn(t->b, WARN_UNFINISHED, pair_offset(e));
		flags = SLICE_UNFINISHED;
	} else {
		size_t at = (partner & ~PAIR_IS_CUT) - 1;
		const struct begin_end *by = pair_event(thread, at);

		end = pair_time(by);
		if (pair_tts(thread, i) && pair_tts(thread, at))
			cpu = pair_tts(thread, at) - pair_tts(thread, i);
		if (partner & PAIR_IS_CUT)
			flags = SLICE_CUT;
		else
			end_offset = pair_offset(by);
	}
	if (end < pair_time(e))
		end = pair_time(e);
	track_builder_slice(t->b, trace_thread_slices(t, thread),
			    &(struct track_slice){ .t0 = pair_time(e),
						   .t1 = end,
						   .frame = trace_frame_of(t, pair_stored_name(e)),
						   .group = SLICE_GROUP_OF_CPU(cpu),
						   .offset = pair_offset(e),
						   .end_offset = end_offset,
						   .flags = flags,
						   .color = color_at(thread, pair_offset(e)) });
}

/* Pass on all slices. An end may come before its begin, but within one instant: chunks before
 * that are free. */
static void pass_on(struct trace *t, struct trace_thread *thread)
{
	size_t instant = 0, n_free = 0;

	for (size_t i = 0; i < thread->n_pairs; i++) {
		if (pair_time(pair_event(thread, i)) != pair_time(pair_event(thread, instant)))
			instant = i;
		while (n_free < instant / PAIR_CHUNK_EVENTS)
			free_chunk(&thread->pairs[n_free++]);
		if (!pair_is_end(pair_event(thread, i)))
			pass_slice(t, thread, i);
	}
}

static void finish(struct trace *t)
{
	struct progress *progress = builder_options(t->b)->progress;
	int64_t n = 0;
	struct jobs jobs = { .t = t };
	struct cpu_raw *raw;

	/* Pair B and E events, and sort the positions of samples, on two threads if there are many.
	 * Begins a step of the progress, which finish() ends. */
	trace_cpu_park(t);
	for (size_t i = 0; i < t->n_threads; i++)
		add(&jobs, (struct job){ .size = t->threads[i].n_pairs, .thread = &t->threads[i] });
	for (size_t i = 0; trace_cpu_parked(t, i, &raw); i++)
		add(&jobs, (struct job){ .size = cpu_builder_parked_lines(raw), .profile = raw });
	if (jobs.n)
		qsort(jobs.all, jobs.n, sizeof *jobs.all, larger_first);
	progress_shared_begin(&jobs.progress, builder_options(t->b)->progress,
			      "pairing begins and ends", 2 * (int64_t)jobs.n_events);
	if (jobs.n > 1 && jobs.size >= MANY)
		parallel_run(work_on, &jobs);
	else if (jobs.n > 0)
		work_on(&jobs);
	free(jobs.all);
	/* The first half of the step was to pair them. */
	for (size_t i = 0; i < t->n_threads; i++)
		n += (int64_t)t->threads[i].n_pairs;
	for (size_t i = 0; i < t->n_threads; i++) {
		struct trace_thread *thread = &t->threads[i];
		const struct pair_warnings *w = thread->pair_warnings;

		for (unsigned k = 0; w && k < w->n; k++)
			builder_warn_times(t->b, w->all[k].kind, w->all[k].offset, w->all[k].n);
		n += (int64_t)thread->n_pairs;
		pass_on(t, thread);
		free_pairs(thread);
		progress_step_to(progress, n);
	}
	progress_step(progress, NULL, 0);
}

static void free_all(struct trace *t)
{
	for (size_t i = 0; i < t->n_threads; i++)
		free_pairs(&t->threads[i]);
}

const struct trace_part trace_pairs_part = { finish, free_all };
