/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Pairs B and E events of each thread at the end of the trace. Events are kept in chunks, 16 bytes
 * each, in the order of the file, and sorted by time if they are not. The partner of each begin is
 * noted, 4 bytes for each event. Then slices go to the builder in the order of their begins, so
 * that the first of two equal slices is the outer one. Chunks are freed as soon as their slices
 * have been passed on.
 *
 * An instant is all events of a thread with one time. Writers put ends and begins of one
 * instant in any order, so an end waits until its instant is complete. */
#include "config.h"

#include "reader/trace/trace.h"

#include "base/alloc.h"
#include "base/progress.h"

#include <stdlib.h>

#define CHUNK_EVENTS 65536u
#define OFFSET_BITS 36 /* slices do not keep larger offsets, either */
#define OFFSET_END (INT64_C(1) << OFFSET_BITS)
#define OFFSET_MASK ((UINT64_C(1) << OFFSET_BITS) - 1)
#define NAME_MOST ((UINT32_C(1) << (64 - OFFSET_BITS)) - 1)

/* A flag in `partner`, which is the number of the event that closes a begin, + 1; 0: none does. */
#define IS_CUT (TRACE_PAIRS_MOST + 1) /* closed by the end of a slice around it */

/* Cap on ends of one instant that wait for begins. Beyond it the file is damaged, and matching
 * would be quadratic. */
#define WAITING_MOST 1024

#define REPORTED 65536u /* events between two reports of the progress */

struct begin_end {
	int64_t when;  /* ts * 2, + 1: an end */
	uint64_t what; /* name, then offset */
};

/* The last chunk may be smaller than CHUNK_EVENTS. */
struct pair_chunk {
	struct begin_end *events;
	size_t cap;
	uint32_t *partner; /* set while events are paired */
};

/* The colour that a begin asks for. Few traces have any, so these are apart. */
struct pair_color {
	int64_t offset;
	unsigned color;
};

static void add_color(struct trace_thread *thread, int64_t offset, unsigned color)
{
	thread->colors = xgrow(thread->colors, &thread->cap_colors, thread->n_colors + 1,
			       sizeof *thread->colors);
	thread->colors[thread->n_colors++] = (struct pair_color){ offset, color };
}

/* The colour of the begin at a byte of the file; 0: none. */
static unsigned color_at(const struct trace_thread *thread, int64_t offset)
{
	size_t lo = 0, hi = thread->n_colors;

	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;

		if (thread->colors[mid].offset < offset)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo < thread->n_colors && thread->colors[lo].offset == offset
		? thread->colors[lo].color
		: 0;
}

static struct begin_end *event_at(const struct trace_thread *thread, size_t i)
{
	return &thread->pairs[i / CHUNK_EVENTS].events[i % CHUNK_EVENTS];
}

static uint32_t *partner_at(const struct trace_thread *thread, size_t i)
{
	return &thread->pairs[i / CHUNK_EVENTS].partner[i % CHUNK_EVENTS];
}

static int64_t time_of(const struct begin_end *e)
{
	return e->when >> 1;
}

static bool is_end(const struct begin_end *e)
{
	return e->when & 1;
}

/* The name with the event category of a begin: see trace_frame_name(). */
static text_id stored_name_of(const struct begin_end *e)
{
	return (text_id)(e->what >> OFFSET_BITS);
}

static text_id name_of(const struct trace *t, const struct begin_end *e)
{
	return trace_text_plain(&t->texts, stored_name_of(e));
}

/* -1: too large to be kept. */
static int64_t offset_of(const struct begin_end *e)
{
	int64_t offset = (int64_t)(e->what & OFFSET_MASK);

	return offset < OFFSET_END - 1 ? offset : -1;
}

static void add_event(struct trace_thread *thread, struct begin_end e)
{
	struct pair_chunk *chunk;
	size_t at = thread->n_pairs % CHUNK_EVENTS, cap;

	if (thread->n_pairs == (size_t)thread->n_pair_chunks * CHUNK_EVENTS) {
		thread->pairs = xgrow(thread->pairs, &thread->cap_pair_chunks,
				      thread->n_pair_chunks + 1, sizeof *thread->pairs);
		thread->pairs[thread->n_pair_chunks++] = (struct pair_chunk){ NULL, 0, NULL };
	}
	chunk = &thread->pairs[thread->n_pairs / CHUNK_EVENTS];
	if (at >= chunk->cap) {
		/* Many threads have few events. If a thread has many, most of its chunks are
		 * full. */
		cap = thread->n_pairs < CHUNK_EVENTS ? at + at / 2 + 16 : CHUNK_EVENTS;
		chunk->cap = cap < CHUNK_EVENTS ? cap : CHUNK_EVENTS;
		chunk->events = xrealloc(chunk->events, chunk->cap, sizeof *chunk->events);
	}
	chunk->events[at] = e;
	thread->n_pairs++;
}

static void free_chunk(struct pair_chunk *chunk)
{
	free(chunk->events);
	free(chunk->partner);
	*chunk = (struct pair_chunk){ NULL, 0, NULL };
}

void trace_pairs_free(struct trace_thread *thread)
{
	for (size_t i = 0; i < thread->n_pair_chunks; i++)
		free_chunk(&thread->pairs[i]);
	free(thread->pairs);
	free(thread->colors);
	thread->pairs = NULL;
	thread->colors = NULL;
	thread->n_colors = thread->cap_colors = 0;
	thread->n_pairs = thread->n_pair_chunks = thread->cap_pair_chunks = 0;
}

/* Whether an end in the instant of the last event may wait for a begin, and take that one. */
static bool has_waiting(const struct trace_thread *thread)
{
	int64_t instant = time_of(event_at(thread, thread->n_pairs - 1));
	int n = 0;

	for (size_t i = thread->n_pairs; i-- > 0 && time_of(event_at(thread, i)) == instant;)
		if (is_end(event_at(thread, i)) || ++n > WAITING_MOST)
			return true;
	return false;
}

/* When a subset is loaded, pass a pair on at once if nothing is open between its events. */
static bool pass_pair(struct trace *t, struct trace_thread *thread, const struct trace_event *e)
{
	const struct begin_end *begin = thread->n_pairs ? event_at(thread, thread->n_pairs - 1)
							: NULL;

	if (e->ph != 'E' || !begin || is_end(begin) || has_waiting(thread) ||
	    time_of(begin) >= e->ts || (e->name && e->name != name_of(t, begin)) ||
	    thread->is_unsorted || !builder_is_partial(t->b))
		return false;
	if (!thread->slices)
		thread->slices =
			track_builder_add(t->b, LANE_SLICES, thread->pid, thread->tid, "", 0) + 1;
	track_builder_slice(
		t->b, thread->slices - 1,
		&(struct track_slice){ .t0 = time_of(begin),
				       .t1 = e->ts,
				       .frame = trace_frame_of(t, stored_name_of(begin)),
				       .offset = offset_of(begin),
				       .end_offset = e->offset,
				       .color = color_at(thread, offset_of(begin)) });
	thread->n_pairs--;
	thread->has_passed_pairs = true;
	return true;
}

bool trace_pairs_add(struct trace *t, const struct trace_event *e)
{
	struct trace_thread *thread = trace_thread_get(t, e->pid, e->tid);
	text_id name = e->name;

	if (e->ts < thread->last_ts) {
		thread->is_unsorted = true;
		/* Events of pairs that were passed on might belong to other pairs. */
		if (thread->has_passed_pairs)
			builder_no_subset(t->b);
	}
	thread->last_ts = e->ts;
	if (e->ph == 'B') {
		name = trace_frame_name(t, e);
		trace_frame_of(t, name);
		if (trace_color(e))
			add_color(thread, e->offset, trace_color(e));
	}
	if (pass_pair(t, thread, e))
		return true;
	if (name > NAME_MOST || thread->n_pairs >= t->most_pairs)
		return error_set(t->err, ERR_LIMIT, e->offset,
				 "more than %zu B and E events on one thread, or %u names",
				 t->most_pairs, NAME_MOST);
	add_event(
		thread,
		(struct begin_end){
			e->ts * 2 + (e->ph == 'E'),
			(uint64_t)name << OFFSET_BITS |
				(uint64_t)(e->offset < OFFSET_END ? e->offset : OFFSET_END - 1) });
	return true;
}

static int compare(const void *a, const void *b)
{
	const struct begin_end *x = a, *y = b;

	if (time_of(x) != time_of(y))
		return time_of(x) < time_of(y) ? -1 : 1;
	return (x->what & OFFSET_MASK) < (y->what & OFFSET_MASK)
		? -1
		: (x->what & OFFSET_MASK) > (y->what & OFFSET_MASK);
}

/* The walk through the events of one thread. Open begins are on two stacks, because an end may
 * close an older begin while begins of its own instant stay open: `older`, and above it `fresh`,
 * begins of the present instant, some of which may be closed. Begins of one name are linked from
 * the latest to the first; closed ones are unlinked when they are met. */
struct indices {
	uint32_t *at;
	size_t n, cap;
};

struct walk {
	struct trace *t;
	const struct trace_thread *thread;
	struct indices older, fresh, waiting;
	uint32_t *latest; /* by name: index + 1 */
	uint32_t *before; /* by index: the begin of that name before it, + 1 */
	size_t n_before;  /* events of the threads before, for the progress */
};

static void push(struct indices *x, uint32_t i)
{
	x->at = xgrow(x->at, &x->cap, x->n + 1, sizeof *x->at);
	x->at[x->n++] = i;
}

static bool is_closed(const struct walk *w, uint32_t i)
{
	return *partner_at(w->thread, i) != 0;
}

/* The stack with the innermost open begin on top. NULL: none is open. */
static struct indices *innermost(struct walk *w)
{
	while (w->fresh.n && is_closed(w, w->fresh.at[w->fresh.n - 1]))
		w->fresh.n--;
	return w->fresh.n ? &w->fresh : w->older.n ? &w->older : NULL;
}

static bool close_innermost(struct walk *w, uint32_t end)
{
	text_id name = name_of(w->t, event_at(w->thread, end));
	struct indices *stack = innermost(w);

	if (!stack || (name && name_of(w->t, event_at(w->thread, stack->at[stack->n - 1])) != name))
		return false;
	*partner_at(w->thread, stack->at[--stack->n]) = end + 1;
	return true;
}

/* Try the waiting ends until none of them matches. */
static void retry(struct walk *w)
{
	struct indices *x = &w->waiting;
	size_t i = 0;

	while (i < x->n) {
		if (!close_innermost(w, x->at[i])) {
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
static uint32_t find_open(struct walk *w, text_id name)
{
	while (w->latest[name] && is_closed(w, w->latest[name] - 1))
		w->latest[name] = w->before[w->latest[name] - 1];
	return w->latest[name];
}

/* Close the latest open begin with the name of an end, and older begins inside it. */
static bool close_outer(struct walk *w, uint32_t end)
{
	const struct begin_end *e = event_at(w->thread, end);
	text_id name = name_of(w->t, e);
	uint32_t found = name ? find_open(w, name) : 0;

	if (!found)
		return false;
	*partner_at(w->thread, found - 1) = end + 1;
	if (time_of(event_at(w->thread, found - 1)) == time_of(e))
		return true;
	while (w->older.at[--w->older.n] != found - 1) {
		uint32_t inner = w->older.at[w->older.n];

		*partner_at(w->thread, inner) = (end + 1) | IS_CUT;
		builder_warn(w->t->b, WARN_CLOSED_BY_OUTER, offset_of(event_at(w->thread, inner)));
	}
	return true;
}

static void settle(struct walk *w)
{
	for (size_t i = 0; i < w->waiting.n; i++)
		if (!close_innermost(w, w->waiting.at[i]) && !close_outer(w, w->waiting.at[i]))
			builder_warn(w->t->b, WARN_UNMATCHED_END,
				     offset_of(event_at(w->thread, w->waiting.at[i])));
	w->waiting.n = 0;
}

static void walk_event(struct walk *w, uint32_t i)
{
	const struct begin_end *e = event_at(w->thread, i);
	text_id name = name_of(w->t, e);

	if (!is_end(e)) {
		push(&w->fresh, i);
		w->before[i] = w->latest[name];
		w->latest[name] = i + 1;
		if (w->waiting.n)
			retry(w);
	} else if (close_innermost(w, i)) {
		if (w->waiting.n)
			retry(w);
	} else {
		push(&w->waiting, i);
		if (w->waiting.n >= WAITING_MOST)
			settle(w);
	}
}

/* End an instant: match its waiting ends, and move its open begins to `older`. */
static void next_instant(struct walk *w)
{
	if (w->waiting.n)
		settle(w);
	for (size_t i = 0; i < w->fresh.n; i++)
		if (!is_closed(w, w->fresh.at[i]))
			push(&w->older, w->fresh.at[i]);
	w->fresh.n = 0;
}

static void pass_slice(struct trace *t, struct trace_thread *thread, size_t i)
{
	const struct begin_end *e = event_at(thread, i);
	uint32_t partner = *partner_at(thread, i);
	int64_t end = t->last, end_offset = -1;
	unsigned flags = 0;

	if (partner == 0) {
		builder_warn(t->b, WARN_UNFINISHED, offset_of(e));
		flags = SLICE_UNFINISHED;
	} else {
		const struct begin_end *by = event_at(thread, (partner & ~IS_CUT) - 1);

		end = time_of(by);
		if (partner & IS_CUT)
			flags = SLICE_CUT;
		else
			end_offset = offset_of(by);
	}
	if (end < time_of(e))
		end = time_of(e);
	if (!thread->slices)
		thread->slices =
			track_builder_add(t->b, LANE_SLICES, thread->pid, thread->tid, "", 0) + 1;
	track_builder_slice(t->b, thread->slices - 1,
			    &(struct track_slice){ .t0 = time_of(e),
						   .t1 = end,
						   .frame = trace_frame_of(t, stored_name_of(e)),
						   .offset = offset_of(e),
						   .end_offset = end_offset,
						   .flags = flags,
						   .color = color_at(thread, offset_of(e)) });
}

/* Pass on all slices. An end may come before its begin, but within one instant: chunks before
 * that are free. */
static void pass_on(struct trace *t, struct trace_thread *thread)
{
	size_t instant = 0, n_free = 0;

	for (size_t i = 0; i < thread->n_pairs; i++) {
		if (time_of(event_at(thread, i)) != time_of(event_at(thread, instant)))
			instant = i;
		while (n_free < instant / CHUNK_EVENTS)
			free_chunk(&thread->pairs[n_free++]);
		if (!is_end(event_at(thread, i)))
			pass_slice(t, thread, i);
	}
}

static void sort(struct trace_thread *thread)
{
	struct begin_end *all = xmalloc(thread->n_pairs * sizeof *all);

	for (size_t i = 0; i < thread->n_pairs; i++)
		all[i] = *event_at(thread, i);
	qsort(all, thread->n_pairs, sizeof *all, compare);
	for (size_t i = 0; i < thread->n_pairs; i++)
		*event_at(thread, i) = all[i];
	free(all);
}

static void finish_thread(struct walk *w, struct trace_thread *thread)
{
	size_t n = thread->n_pairs;

	w->thread = thread;
	w->before = xmalloc(n * sizeof *w->before);
	w->older.n = w->fresh.n = w->waiting.n = 0;
	for (size_t i = 0; i < thread->n_pair_chunks; i++)
		thread->pairs[i].partner = xcalloc(thread->pairs[i].cap,
						   sizeof *thread->pairs[i].partner);
	if (thread->is_unsorted)
		sort(thread);
	for (size_t i = 0; i < n; i++) {
		if (i % REPORTED == 0)
			progress_step_to(builder_progress(w->t->b), (int64_t)(w->n_before + i));
		walk_event(w, (uint32_t)i);
		if (i + 1 == n || time_of(event_at(thread, i + 1)) != time_of(event_at(thread, i)))
			next_instant(w);
	}
	for (size_t i = 0; i < n; i++)
		w->latest[name_of(w->t, event_at(thread, i))] = 0;
	free(w->before);
	pass_on(w->t, thread);
	trace_pairs_free(thread);
}

void trace_pairs_finish(struct trace *t)
{
	struct walk w = { .t = t, .latest = xcalloc(t->texts.n, sizeof *w.latest) };
	size_t n = 0;

	for (size_t i = 0; i < t->n_threads; i++)
		n += t->threads[i].n_pairs;
	progress_step(builder_progress(t->b), "pairing begins and ends", (int64_t)n);
	n = 0;
	for (size_t i = 0; i < t->n_threads; i++) {
		w.n_before = n;
		n += t->threads[i].n_pairs;
		if (t->threads[i].n_pairs)
			finish_thread(&w, &t->threads[i]);
	}
	progress_step(builder_progress(t->b), NULL, 0);
	free(w.older.at);
	free(w.fresh.at);
	free(w.waiting.at);
	free(w.latest);
}
