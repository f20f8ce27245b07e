/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The threads of a trace, in a hash table by process and thread id. */
#include "config.h"

#include "reader/trace/trace.h"

#include "base/alloc.h"

#include <stdlib.h>

static uint32_t *widen(uint32_t *slots, size_t *n_slots, size_t need)
{
	if (need * 2 <= *n_slots)
		return slots;
	*n_slots = *n_slots ? *n_slots * 4 : 256;
	free(slots);
	return xcalloc(*n_slots, sizeof *slots);
}

static uint64_t thread_hash(int64_t pid, int64_t tid)
{
	return trace_mix(hash_u64((uint64_t)pid), (uint64_t)tid);
}

static void widen_threads(struct trace *t)
{
	size_t before = t->n_thread_slots;

	t->thread_slots = widen(t->thread_slots, &t->n_thread_slots, t->n_threads + 1);
	if (t->n_thread_slots == before)
		return;
	for (size_t i = 0; i < t->n_threads; i++) {
		size_t at = thread_hash(t->threads[i].pid, t->threads[i].tid) &
			(t->n_thread_slots - 1);

		while (t->thread_slots[at])
			at = (at + 1) & (t->n_thread_slots - 1);
		t->thread_slots[at] = (uint32_t)i + 1;
	}
}

struct trace_thread *trace_thread_get(struct trace *t, int64_t pid, int64_t tid)
{
	size_t at;

	/* Events of one thread follow each other. */
	if (t->last_thread < t->n_threads && t->threads[t->last_thread].pid == pid &&
	    t->threads[t->last_thread].tid == tid)
		return &t->threads[t->last_thread];
	widen_threads(t);
	for (at = thread_hash(pid, tid) & (t->n_thread_slots - 1); t->thread_slots[at];
	     at = (at + 1) & (t->n_thread_slots - 1)) {
		struct trace_thread *thread = &t->threads[t->thread_slots[at] - 1];

		if (thread->pid == pid && thread->tid == tid) {
			t->last_thread = t->thread_slots[at] - 1;
			return thread;
		}
	}
	t->threads = xgrow(t->threads, &t->cap_threads, t->n_threads + 1, sizeof *t->threads);
	t->threads[t->n_threads] =
		(struct trace_thread){ .pid = pid, .tid = tid, .last_ts = INT64_MIN };
	t->last_thread = (uint32_t)t->n_threads++;
	t->thread_slots[at] = t->last_thread + 1;
	return &t->threads[t->last_thread];
}
