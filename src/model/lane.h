/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A lane: one thread's samples (later: slices, async and counter tracks) with its
 * own call tree. Lanes belong to the profile. */
#ifndef FLAMETTY_MODEL_LANE_H
#define FLAMETTY_MODEL_LANE_H

#include "model/span.h"

typedef uint32_t lane_id;   /* counts from 1 */

enum lane_kind { LANE_SAMPLES, LANE_SLICES, LANE_ASYNC, LANE_COUNTER, LANE_MARKS };

/* Ticks that V8 counted on one line of a function (positionTicks). */
struct line_ticks {
	node_id node;
	int32_t line;        /* counted from 1 */
	uint32_t ticks;
};

struct lane {
	lane_id id;
	enum lane_kind kind;
	uint32_t input;      /* index of the file it came from */
	int64_t pid, tid;    /* -1: unknown */
	str_id process_name; /* 0: none */
	str_id thread_name;
	bool has_timeline;   /* false: no samples; `self` comes from hit counts */
	int64_t t0, t1;      /* ns since the start of the profile: recorded time, from startTime to endTime */
	struct calltree tree;
	struct samples samples;
	uint32_t *opens;     /* by node: how many spans with time it has over the whole lane */
	uint32_t *hits;      /* by node: hitCount of the file; NULL: the file has none */
	str_id *deopt;       /* by node: deoptReason, 0 for none; NULL: no node has one */
	struct line_ticks *ticks; /* sorted by node */
	size_t n_ticks;
	size_t n_file_nodes; /* as the file has them */
	uint64_t n_spans;
	int max_depth;       /* rows used */
	int64_t sampled_t0, sampled_t1; /* first sample, end of the last */
	int64_t busy_ns, idle_ns, program_ns, gc_ns; /* own time; busy: all that is none of the others */
	int64_t unsampled_ns;/* recorded but owned by no sample, or by an empty stack */
	int64_t interval_ns; /* average distance of samples; 0: unknown */
};

void lane_done(struct lane *lane);

#endif
