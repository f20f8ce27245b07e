/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The state that the files of this folder share: what the text of `perf script` says, as far as it
 * was read.
 *
 *	event     what takes samples: cpu-clock, cycles, a trace point. One of them is shown
 *	sample    a head (its thread, its time, its event) and a stack of frames, innermost first
 *	thread    its samples become a lane; the idle task, thread 0, has one for each processor */
#ifndef FLAMETTY_READ_PERF_PERF_H
#define FLAMETTY_READ_PERF_PERF_H

#include "base/buf.h"
#include "base/intern.h"
#include "read/perf/perf_line.h"
#include "read/reader.h"
#include "read/stack_lane.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* How V8 compiled a function. */
enum perf_tier { PERF_INTERPRETED, PERF_BASELINE, PERF_MAGLEV, PERF_TURBOFAN, PERF_TIERS };

struct perf_thread {
	struct stack_lane lane; /* its frames: ids of perf.frames */
	str_id comm;            /* its last name */
	uint32_t *hits;         /* the samples of these */
	int64_t *sum;           /* of an event that is counted: occurrences by node of the lane */
	size_t cap_sum, n_sum;
	int64_t pid, tid; /* pid: LANE_NO_ID unknown */
	int64_t cpu;      /* of the idle task; -1: of another thread, or unknown */
};

/* A frame of the sample that is being read. */
struct perf_stacked {
	str_id frame; /* in perf.frames */
	uint64_t address;
	bool is_inlined; /* its module is not known yet */
};

struct perf {
	struct scan *s;
	struct builder *b;
	struct error *err;

	struct intern frames; /* see perf_line.c */
	struct intern comms;
	struct intern thread_keys; /* id - 1 is the index in `threads` */
	struct perf_thread *threads;
	size_t n_threads, cap_threads;

	struct intern events; /* see perf_script.c; those after the first count from id 1 */
	uint64_t *n_samples;  /* by event: how many there are */
	size_t cap_events;
	str_id event; /* the one that is shown, once has_event */
	bool has_event;
	bool is_count;     /* it is occurrences of something, not time */
	int64_t period;    /* of most of its samples; while counting, of the sample being read */
	uint64_t n_period; /* how many more samples had it than others, of those that count */

	struct perf_thread *open; /* the sample being read is of this one; NULL: none */
	bool is_other;            /* the sample being read is of an event that is not shown */
	bool has_empty_lines;     /* samples end with empty lines */
	int64_t t;                /* its time */
	struct perf_stacked *stack;
	size_t n_stack, cap_stack;

	bool is_monotonic; /* times are those of the clock that V8 uses */
	uint64_t n_tier[PERF_TIERS], n_in_kernel, n_unnamed, n_branches, n_sources;
	int64_t n_lost;
	struct buf key, text; /* scratch */
};

/* ---- perf_script.c ---- */

/* Count a sample of this event. Returns whether the event is shown. */
bool perf_event_add(struct perf *r, struct str event);

/* After the last sample. Fails when there is no event of the name that the user wants. Adds notes
 * about events that are not shown. */
bool perf_event_end(struct perf *r);

/* Whether the event that is shown is occurrences of something: a trace point, page faults. */
bool perf_event_is_count(const struct perf *r);

/* The distance of samples that the event states; 0: none. */
int64_t perf_event_interval(const struct perf *r);

/* ---- perf_line.c ---- */

/* The frame of a symbol. tier: set where it is of JavaScript. is_kernel, is_unnamed: of the kernel;
 * compiled code of which perf knows no function. */
struct perf_frame {
	str_id id;
	int tier; /* -1: none */
	bool is_kernel, is_unnamed;
};
struct perf_frame perf_frame_add(struct perf *r, const struct perf_symbol *symbol);

/* The frame (idle). */
str_id perf_frame_idle(struct perf *r);

/* Whether a function is one in which the idle task waits. */
bool perf_frame_is_idle(const struct perf *r, str_id frame);

/* Pass a frame to the builder. Returns its number there. */
uint32_t perf_frame_pass(struct perf *r, str_id frame);

/* ---- perf_script.c ---- */

/* The thread of a sample, added if it is new. Valid until the next one is added. */
struct perf_thread *perf_thread_find(struct perf *r, const struct perf_head *head);

/* Make a lane of each thread. */
bool perf_thread_lanes(struct perf *r);

/* Add occurrences to a node of a thread. */
void perf_thread_count(struct perf_thread *thread, uint32_t node, int64_t n);

void perf_thread_done(struct perf *r);

#endif
