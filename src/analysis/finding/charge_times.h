/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How much time each node has in a window. Time of garbage collection belongs to the stack that it
 * interrupted, and is kept apart. */
#ifndef FLAMETTY_ANALYSIS_FINDING_CHARGE_TIMES_H
#define FLAMETTY_ANALYSIS_FINDING_CHARGE_TIMES_H

#include "base/budget.h"
#include "model/profile.h"

/* Where time goes: a node, with or without garbage collection on top of it. Keys are smaller than
 * 2 * nodes. */
typedef uint32_t charge_key;

#define CHARGE_KEY(node, is_gc) ((charge_key)(node) << 1 | (charge_key)(is_gc))
#define CHARGE_KEY_NODE(key) ((node_id)((key) >> 1))
#define CHARGE_KEY_IS_GC(key) ((key)&1u)

enum charge_kind {
	CHARGE_STACK,
	CHARGE_WAITING, /* a stack whose leaf sleeps: CHARGE_SLEEPS */
	CHARGE_GC,
	CHARGE_IDLE,
	CHARGE_PROGRAM,
	CHARGE_EMPTY
};

struct charge_times {
	const struct lane *lane;
	const uint8_t *kind;             /* by node: enum charge_kind; borrowed */
	int64_t t0, t1;                  /* the sampled part of the window */
	int64_t *ns;                     /* by key; idle time and empty stacks have none */
	uint32_t *count;                 /* by key: samples with a length */
	int64_t busy, idle, program, gc; /* busy: all but idle and empty stacks */
	int64_t waiting;                 /* a part of busy */
	uint64_t n_busy;                 /* samples */
	size_t next, end;                /* samples to do */
	node_id last;                    /* the last stack that was not garbage collection */
};

/* Walks over samples of a window, with the key of each. */
struct charge_sample {
	size_t i;
	int64_t t0, t1; /* within the window; t1 > t0 */
	charge_key key;
	enum charge_kind kind; /* of the leaf */
};

/* Begin to add the window [t0, t1). kind: by node of the lane. */
void charge_times_init(struct charge_times *times, const struct lane *lane, const uint8_t *kind,
		       int64_t t0, int64_t t1);
void charge_times_done(struct charge_times *times);

/* Add a sample. */
void charge_times_add(struct charge_times *times, const struct charge_sample *sample);

/* Add the next samples. Returns true when all are added. */
bool charge_times_step(struct charge_times *times, struct budget *budget);

/* Start again with the first sample, to go through them with charge_times_next(). */
void charge_times_rewind(struct charge_times *times);

/* The next sample that has a length. Returns false at the end. */
bool charge_times_next(struct charge_times *times, struct charge_sample *out);

/* Whether `part` is at least this many percent of `whole`, which is more than 0. The products do
 * not overflow, however long a profile claims to be. */
static inline bool charge_times_has(int64_t part, int64_t whole, int percent)
{
	return whole > 0 && (double)part * 100 >= (double)whole * percent;
}

/* 0 for the time of an empty stack and of idle samples. */
static inline bool charge_times_is_busy(enum charge_kind kind)
{
	return kind != CHARGE_IDLE && kind != CHARGE_EMPTY;
}

#endif
