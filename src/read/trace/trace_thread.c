/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The threads of a trace, in a hash table by process and thread id. */
#include "config.h"

#include "read/trace/trace.h"

#include "base/alloc.h"

struct trace_thread *trace_thread_find(struct trace *t, int64_t pid, int64_t tid)
{
	uint64_t hash = trace_mix(hash_u64((uint64_t)pid), (uint64_t)tid);
	struct hash_probe probe = hash_probe(hash);

	while (hash_table_next(&t->thread_index, &probe)) {
		struct trace_thread *thread = &t->threads[probe.index];

		if (thread->pid == pid && thread->tid == tid) {
			t->last_thread = probe.index;
			return thread;
		}
	}
	t->threads = xgrow(t->threads, &t->cap_threads, t->n_threads + 1, sizeof *t->threads);
	t->threads[t->n_threads] =
		(struct trace_thread){ .pid = pid, .tid = tid, .last_ts = INT64_MIN };
	t->last_thread = (uint32_t)t->n_threads++;
	hash_table_add(&t->thread_index, hash, t->last_thread);
	return &t->threads[t->last_thread];
}

void trace_thread_no_self(struct trace *t, const struct trace_event *e)
{
	struct trace_thread *thread = trace_thread_get(t, e->pid, e->tid);

	if (!(e->has & HAS_TS) || !(e->has & HAS_DUR) || e->dur <= 0) {
		builder_warn(t->b, e->has & HAS_TS ? WARN_DUR_MISSING : WARN_TIME_MISSING,
			     e->offset);
		return;
	}
	if (!thread->slices)
		thread->slices = track_builder_add(t->b, LANE_SLICES, e->pid, e->tid, "", 0) + 1;
	track_builder_cover(t->b, thread->slices - 1,
			    &(struct track_cover){ .t0 = e->ts,
						   .t1 = e->ts + e->dur,
						   .depth = TRACK_COVER_INNERMOST });
}
