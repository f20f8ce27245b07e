/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Collects B and E events of each thread, and passes them on as slices at the end of the trace.
 * Events are kept in chunks, 16 bytes each, in the order of the file. The partner of each begin is
 * noted, 4 bytes for each event (trace_matcher.c). Then slices go to the builder in the order of
 * their begins, so that the first of two equal slices is the outer one. Chunks are freed as soon as
 * their slices have been passed on. */
#include "config.h"

#include "read/trace/trace_pair.h"

#include "base/alloc.h"
#include "base/progress.h"

#include <stdlib.h>

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

static void add_event(struct trace_thread *thread, struct begin_end e)
{
	struct pair_chunk *chunk;
	size_t at = thread->n_pairs % PAIR_CHUNK_EVENTS, cap;

	if (thread->n_pairs == (size_t)thread->n_pair_chunks * PAIR_CHUNK_EVENTS) {
		thread->pairs = xgrow(thread->pairs, &thread->cap_pair_chunks,
				      thread->n_pair_chunks + 1, sizeof *thread->pairs);
		thread->pairs[thread->n_pair_chunks++] = (struct pair_chunk){ NULL, 0, NULL };
	}
	chunk = &thread->pairs[thread->n_pairs / PAIR_CHUNK_EVENTS];
	if (at >= chunk->cap) {
		/* Many threads have few events. If a thread has many, most of its chunks are
		 * full. */
		cap = thread->n_pairs < PAIR_CHUNK_EVENTS ? at + at / 2 + 16 : PAIR_CHUNK_EVENTS;
		chunk->cap = cap < PAIR_CHUNK_EVENTS ? cap : PAIR_CHUNK_EVENTS;
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
		if (pair_is_end(pair_event(thread, i)) || ++n > PAIR_WAITING_MOST)
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
	if (!thread->slices)
		thread->slices =
			track_builder_add(t->b, LANE_SLICES, thread->pid, thread->tid, "", 0) + 1;
	track_builder_slice(
		t->b, thread->slices - 1,
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
	if (name > PAIR_NAME_MOST || thread->n_pairs >= t->most_pairs)
		return error_set(t->err, ERR_LIMIT, e->offset,
				 "more than %zu B and E events on one thread, or %u names",
				 t->most_pairs, PAIR_NAME_MOST);
	add_event(thread,
		  (struct begin_end){ e->ts * 2 + (e->ph == 'E'),
				      (uint64_t)name << PAIR_OFFSET_BITS |
					      (uint64_t)(e->offset < PAIR_OFFSET_END
								 ? e->offset
								 : PAIR_OFFSET_END - 1) });
	return true;
}

static void pass_slice(struct trace *t, struct trace_thread *thread, size_t i)
{
	const struct begin_end *e = pair_event(thread, i);
	uint32_t partner = *pair_partner(thread, i);
	int64_t end = t->last, end_offset = -1;
	unsigned flags = 0;

	if (partner == 0) {
		builder_warn(t->b, WARN_UNFINISHED, pair_offset(e));
		flags = SLICE_UNFINISHED;
	} else {
		const struct begin_end *by = pair_event(thread, (partner & ~PAIR_IS_CUT) - 1);

		end = pair_time(by);
		if (partner & PAIR_IS_CUT)
			flags = SLICE_CUT;
		else
			end_offset = pair_offset(by);
	}
	if (end < pair_time(e))
		end = pair_time(e);
	if (!thread->slices)
		thread->slices =
			track_builder_add(t->b, LANE_SLICES, thread->pid, thread->tid, "", 0) + 1;
	track_builder_slice(t->b, thread->slices - 1,
			    &(struct track_slice){ .t0 = pair_time(e),
						   .t1 = end,
						   .frame = trace_frame_of(t, pair_stored_name(e)),
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

void trace_pairs_finish(struct trace *t)
{
	struct progress *progress = builder_progress(t->b);
	int64_t n = 0;

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
		trace_pairs_free(thread);
		progress_step_to(progress, n);
	}
	progress_step(progress, NULL, 0);
}
