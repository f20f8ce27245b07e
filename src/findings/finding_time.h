/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tasks: slices of the trace that say so, or else runs of samples with the same function in row 0,
 * in a lane that has an event loop. Calls of one function that follow each other without a gap look
 * like one: the length of a task is "at most". Start-up is no task, unless the caller counts it.
 *
 * Stretches: time without a pause, of the same lanes; a pause is longer than lane_bridge_ns().
 *
 * Periods: runs of the functions that timers call. */
#ifndef FLAMETTY_FINDINGS_FINDING_TIME_H
#define FLAMETTY_FINDINGS_FINDING_TIME_H

#include "base/alloc.h"
#include "findings/charge.h"
#include "model/slice_work.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

struct finding_tally {
	int64_t *ns;    /* by index; 0: not used */
	uint32_t *used; /* indices */
	size_t n;
};

static inline void finding_tally_init(struct finding_tally *tally, size_t n_indices)
{
	tally->ns = xcalloc(n_indices, sizeof *tally->ns);
	tally->used = xmalloc(n_indices * sizeof *tally->used);
	tally->n = 0;
}

static inline void finding_tally_done(struct finding_tally *tally)
{
	free(tally->ns);
	free(tally->used);
}

static inline void finding_tally_add(struct finding_tally *t, uint32_t index, int64_t ns)
{
	if (ns <= 0)
		return;
	if (!t->ns[index])
		t->used[t->n++] = index;
	t->ns[index] += ns;
}

/* Find the index with the largest sum; the smallest index of several. Returns false, and leaves
 * *index as it is, when nothing was added. */
bool finding_tally_largest(const struct finding_tally *tally, uint32_t *index);

static inline void finding_tally_clear(struct finding_tally *t)
{
	for (size_t i = 0; i < t->n; i++)
		t->ns[t->used[i]] = 0;
	t->n = 0;
}

/* Kinds of work (enum work), and of Node.js what its event loop calls. */
enum finding_work_kind {
	FINDING_WORK_TIMERS = WORK_COUNT,
	FINDING_WORK_IMMEDIATES,
	FINDING_WORK_COUNT
};

struct finding_slices {
	const struct charge *charge;
	const struct lane *lane;    /* the companion, or the lane itself; NULL: none */
	uint8_t *flags;             /* by its nodes */
	size_t next;                /* the stretch of the companion that the last piece was in */
	bool has_tasks;             /* the companion tells tasks */
	struct span task;           /* the last one */
	struct span gc, longest_gc; /* the last garbage collection, and the longest one */
	struct span layout, longest_forced;
	uint8_t *kinds; /* by its nodes: enum work, enum finding_work_kind */
	/* Time of (program), of a lane of slices all. What is in no slice is idle. */
	int64_t work_ns[FINDING_WORK_COUNT];
	struct finding_tally forced; /* by owner: layout below its calls */
	int64_t forced_ns;           /* also without an owner */
};

#define FINDING_TASK_LONG (INT64_C(50) * 1000000) /* ns: what browsers call a long task */

struct finding_task {
	int64_t t0, t1;
	frame_id entry;
	frame_id owner; /* with most time; FRAME_NONE: none, or mostly none */
	int64_t owner_ns;
	int64_t busy_ns;  /* without idle time: a slice or a stretch may have some */
	int64_t start_ns; /* of loading modules, of the start of Node.js */
};

struct finding_tasks {
	const struct charge *charge;
	bool is_on;      /* the lane has an event loop */
	bool is_exact;   /* tasks are slices: their lengths are exact */
	int64_t t0, t1;  /* the window */
	int64_t *most;   /* by function: its time in the task where it has most; NULL: not on */
	uint32_t n_long; /* tasks of FINDING_TASK_LONG or more, */
	int64_t long_ns; /* their sum, */
	struct finding_tally owners; /* and the time of each owner in them */
	struct finding_task worst;   /* the longest task; t1 <= t0: none */
	struct finding_task busiest; /* the longest stretch; entry is not set */
	int64_t busiest_task;        /* the longest task in it, ns */
	/* What the caller may set after finding_task_init(). */
	bool counts_startup; /* start-up is a task */
	bool counts_waiting; /* a function that sleeps does not end its task */
	bool joins_rounds;   /* nor does the end of promise jobs */
	/* Called at the end of each task, with its owner; NULL: nothing is called. */
	void (*visit)(void *ctx, const struct finding_task *task);
	void *visit_ctx;
	/* The task and the stretch in progress. */
	struct finding_task task, stretch;
	bool is_in_task, is_in_stretch;
	bool is_in_jobs; /* promise jobs ran last */
	int64_t stretch_task;
	struct finding_tally in_task, in_stretch;
};

/* [t0, t1): the window. is_exact: slices of the trace tell the tasks. */
void finding_task_init(struct finding_tasks *tasks, const struct charge *charge, int64_t t0,
		       int64_t t1, bool is_exact);

static inline void finding_task_done(struct finding_tasks *t)
{
	free(t->most);
	finding_tally_done(&t->owners);
	finding_tally_done(&t->in_task);
	finding_tally_done(&t->in_stretch);
	*t = (struct finding_tasks){ 0 };
}

/* Add the next sample; at the end, finish what is in progress. */
void finding_task_add(struct finding_tasks *tasks, const struct charge_sample *sample);
void finding_task_finish(struct finding_tasks *tasks);

/* The runs of one function. */
struct finding_runs {
	frame_id function;
	int64_t *starts;
	size_t n, cap;
	int64_t last; /* end of its last sample */
	int64_t ns;   /* all of its time */
};

struct finding_periods {
	const struct charge *charge;
	uint32_t *of; /* by function: index + 1 into list; NULL: no timers */
	struct finding_runs *list;
	size_t n, cap;
};

/* ---- all of these, for a window ---- */

struct finding_window;

void finding_time_init(struct finding_window *w);
void finding_time_done(struct finding_window *w);

/* The time of [t0, t1) in which a lane was sampled and not idle. */
int64_t finding_time_busy(const struct profile *profile, const struct lane *lane, int64_t t0,
			  int64_t t1);

/* Go through the samples of the window, if more is to be known of them than their times. Call it
 * until it returns true. */
bool finding_time_work(struct finding_window *w, struct budget *budget);

#endif
