/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Two threads take jobs in turn, large ones first: the B and E events of a thread of the trace, or
 * the positions of the samples of a CPU profile. A job changes only what it is about, so the result
 * is the same in any order. */
#include "config.h"

#include "read/trace/trace.h"

#include "base/alloc.h"
#include "base/parallel.h"
#include "base/progress.h"
#include "read/trace/trace_matcher.h"

#include <stdatomic.h>
#include <stdlib.h>

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
	size_t n, size, n_events;
	atomic_size_t next;
	struct progress_shared progress;
};

static void add(struct jobs *jobs, struct job job)
{
	if (job.size == 0)
		return;
	job.number = jobs->n;
	jobs->all[jobs->n++] = job;
	jobs->size += job.size;
	jobs->n_events += job.thread ? job.size : 0;
}

static int larger_first(const void *a, const void *b)
{
	const struct job *x = a, *y = b;

	if (x->size != y->size)
		return x->size > y->size ? -1 : 1;
	return x->number < y->number ? -1 : x->number > y->number;
}

static void work_on(void *ctx)
{
	struct jobs *jobs = ctx;
	struct trace_matcher *matcher = trace_matcher_new(jobs->t, &jobs->progress);
	size_t i;

	while ((i = atomic_fetch_add(&jobs->next, 1)) < jobs->n)
		if (jobs->all[i].thread)
			trace_matcher_pair(matcher, jobs->all[i].thread);
		else
			cpu_builder_parked_sort(jobs->all[i].profile);
	trace_matcher_free(matcher);
}

void trace_prepare(struct trace *t)
{
	struct jobs jobs = { .t = t };

	trace_cpu_park(t);
	jobs.all = xmalloc((t->n_threads + trace_cpu_count(t)) * sizeof *jobs.all);
	for (size_t i = 0; i < t->n_threads; i++)
		add(&jobs, (struct job){ .size = t->threads[i].n_pairs, .thread = &t->threads[i] });
	for (size_t i = 0; i < trace_cpu_count(t); i++) {
		struct cpu_raw *raw = trace_cpu_parked(t, i);

		add(&jobs, (struct job){ .size = cpu_builder_parked_lines(raw), .profile = raw });
	}
	qsort(jobs.all, jobs.n, sizeof *jobs.all, larger_first);
	progress_shared_begin(&jobs.progress, builder_progress(t->b), "pairing begins and ends",
			      2 * (int64_t)jobs.n_events);
	if (jobs.n > 1 && jobs.size >= MANY)
		parallel_run(work_on, &jobs);
	else if (jobs.n > 0)
		work_on(&jobs);
	free(jobs.all);
}
