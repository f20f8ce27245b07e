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

#define CHARGE_KINDS (CHARGE_EMPTY + 1)

#define CHARGE_TIMES_READ 64u /* samples */

struct charge_times {
	const struct lane *lane;
	const uint8_t *kind; /* by node: enum charge_kind; borrowed */
	int64_t t0, t1;      /* the sampled part of the window */
	int64_t *ns;         /* by key; idle time and empty stacks have none */
	uint32_t *count;     /* by key: samples with a length */
	/* By the kind of the leaf: time and samples. */
	int64_t kind_ns[CHARGE_KINDS];
	uint64_t kind_count[CHARGE_KINDS];
	/* The sums of these, as charge_times_sum() makes them. busy: all but idle and empty stacks;
	 * it includes program, gc and waiting. */
	int64_t busy, idle, program, gc, waiting;
	uint64_t n_busy;  /* samples */
	size_t next, end; /* samples to do */
	/* Times from that of sample `read` on, up to `until`, which are read some at once. */
	size_t read, until;
	int64_t t[CHARGE_TIMES_READ + 1];
	node_id last;     /* the last stack that was not garbage collection */
	bool is_one_each; /* each sample counts once */
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

/* Whether the times are those of the window [t0, t1), as far as it was sampled. */
bool charge_times_is_window(const struct charge_times *times, int64_t t0, int64_t t1);

/* Start again with the first sample, to go through them with charge_times_next(). */
void charge_times_rewind(struct charge_times *times);

/* The stack below garbage collection; NODE_ROOT if there is none. */
node_id charge_times_below_gc(const struct charge_times *times, node_id node);

/* How many samples a sample stands for. */
uint32_t charge_times_count(const struct lane *lane, const struct charge_sample *sample);

/* Make the sums of all that was added. */
void charge_times_sum(struct charge_times *times);

/* Whether `part` is at least this many percent of `whole`, which is more than 0. The products do
 * not overflow, however long a profile claims to be. */
static inline bool charge_times_has(int64_t part, int64_t whole, int percent)
{
	return whole > 0 && (double)part * 100 >= (double)whole * percent;
}

/* Whether it is neither idle time nor an empty stack. */
static inline bool charge_times_is_busy(enum charge_kind kind)
{
	return kind != CHARGE_IDLE && kind != CHARGE_EMPTY;
}

/* Read the times of sample i and of those after it. */
void charge_times_read(struct charge_times *times, size_t i);

/* The next sample that has a length. Returns false at the end. */
static inline bool charge_times_next(struct charge_times *t, struct charge_sample *out)
{
	const struct samples *s = &t->lane->samples;

	while (t->next < t->end) {
		size_t i = t->next++;
		node_id leaf = s->leaf[i];
		enum charge_kind kind = (enum charge_kind)t->kind[leaf];
		const int64_t *time;

		if (kind == CHARGE_GC) {
			leaf = charge_times_below_gc(t, leaf);
			leaf = leaf != NODE_ROOT ? leaf : t->last;
		}
		t->last = leaf;
		if (i >= t->until)
			charge_times_read(t, i);
		time = &t->t[i - t->read];
		out->t0 = time[0] > t->t0 ? time[0] : t->t0;
		out->t1 = time[1] < t->t1 ? time[1] : t->t1;
		if (out->t1 <= out->t0)
			continue;
		out->i = i;
		out->kind = kind;
		out->key = CHARGE_KEY(leaf, kind == CHARGE_GC);
		return true;
	}
	return false;
}

/* Add a sample. */
static inline void charge_times_add(struct charge_times *t, const struct charge_sample *s)
{
	int64_t ns = s->t1 - s->t0;
	uint32_t count = t->is_one_each ? 1 : charge_times_count(t->lane, s);

	t->kind_ns[s->kind] += ns;
	t->kind_count[s->kind] += count;
	if (!charge_times_is_busy(s->kind))
		return;
	t->ns[s->key] += ns;
	t->count[s->key] += count;
}

/* Add the next samples. Returns true when all are added, and the sums are made. */
bool charge_times_step(struct charge_times *times, struct budget *budget);

#endif
