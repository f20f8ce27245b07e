/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How much time each stack has in a window. Time of garbage collection belongs to the stack that it
 * interrupted, and is kept apart. */
#ifndef FLAMETTY_FINDINGS_CHARGE_TIMES_H
#define FLAMETTY_FINDINGS_CHARGE_TIMES_H

#include "base/budget.h"
#include "model/blocks.h"
#include "model/profile.h"

enum charge_kind {
	CHARGE_STACK,
	CHARGE_WAITING, /* a stack whose leaf sleeps: CHARGE_SLEEPS */
	CHARGE_GC,
	CHARGE_IDLE,
	CHARGE_PROGRAM,
	CHARGE_EMPTY
};

#define CHARGE_KINDS (CHARGE_EMPTY + 1)
#define CHARGE_STACKS_WORD 32u /* nodes */

/* Which of CHARGE_STACKS_WORD nodes are stacks, and how many stacks there are before them. */
struct charge_stacks_word {
	uint32_t bits, before;
};

struct charge_stacks {
	const struct lane *lane;
	uint8_t *kind; /* by node: enum charge_kind; the caller sets it */
	uint32_t n;
	node_id *node; /* by stack, ascending */
	struct charge_stacks_word *words;
	/* By node: the time of all samples of the lane with it as the leaf; negative: it has none.
	 * The caller frees it as soon as no times of the whole lane are added any more. */
	int64_t *self;
	/* The state of the search. */
	struct blocks_walk walk; /* begun if it has samples */
};

/* All kinds are 0. */
void charge_stacks_init(struct charge_stacks *stacks, const struct lane *lane);

static inline void charge_stacks_done(struct charge_stacks *s)
{
	free(s->kind);
	free(s->node);
	free(s->words);
	free(s->self);
	*s = (struct charge_stacks){ 0 };
}

/* Find the stacks, when the kinds are set. Call it until it returns true. */
bool charge_stacks_find(struct charge_stacks *stacks, struct budget *budget);

/* The stack below garbage collection, as a node; NODE_ROOT if there is none. */
static inline node_id charge_stacks_below_gc(const struct charge_stacks *s, node_id node)
{
	while (s->kind[node] == CHARGE_GC)
		node = s->lane->tree.parent[node];
	return node;
}

/* The number of bits that are set. */
static inline uint32_t charge_stacks_bits(uint32_t bits)
{
	bits -= bits >> 1 & 0x55555555u;
	bits = (bits & 0x33333333u) + (bits >> 2 & 0x33333333u);
	return ((bits + (bits >> 4)) & 0x0f0f0f0fu) * 0x01010101u >> 24;
}

/* How many stacks are nodes before `node`, which may be one past the last node: the stack of a node
 * that is one. The stacks of a subtree follow each other. */
static inline uint32_t charge_stacks_before(const struct charge_stacks *stacks, node_id node)
{
	struct charge_stacks_word word = stacks->words[node / CHARGE_STACKS_WORD];

	return word.before +
		charge_stacks_bits(word.bits & ((1u << node % CHARGE_STACKS_WORD) - 1u));
}

/* Where time goes: a stack, with or without garbage collection on top of it. Keys are smaller than
 * 2 * stacks. */
typedef uint32_t charge_key;

#define CHARGE_KEY(stack, is_gc) ((charge_key)(stack) << 1 | (charge_key)(is_gc))
#define CHARGE_KEY_STACK(key) ((uint32_t)((key) >> 1))
#define CHARGE_KEY_IS_GC(key) ((key)&1u)
#define CHARGE_TIMES_READ 64u /* samples */

/* What is enough for a finding. */
#define CHARGE_SAMPLES_MIN 10
#define CHARGE_SHARE_MIN 20000 /* millionths of the busy time */

struct charge_times {
	const struct lane *lane;
	const struct charge_stacks *stacks; /* borrowed */
	int64_t t0, t1;                     /* the sampled part of the window */
	int64_t *ns;                        /* by key; idle time and empty stacks have none */
	/* By key: samples with a length. NULL: no sample is so long that CHARGE_SHARE_MIN of the
	 * busy time may be less than CHARGE_SAMPLES_MIN samples. */
	uint32_t *count;
	/* By the kind of the leaf: time and samples. */
	int64_t kind_ns[CHARGE_KINDS];
	uint64_t kind_count[CHARGE_KINDS];
	/* The sums of these. busy: all but idle and empty stacks; it includes program, gc and
	 * waiting. */
	int64_t busy, idle, program, gc, waiting;
	uint64_t n_busy;  /* samples */
	size_t next, end; /* samples to do */
	/* Times from that of sample `read` on, up to `until`, which are read some at once. */
	size_t read, until;
	int64_t t[CHARGE_TIMES_READ + 1];
	node_id last; /* the last stack that was not garbage collection */
	/* What charge_times_stack() said last: the sample + 1, or 0, and its stack. A sample of
	 * many in a row need not look further back. */
	size_t known;
	node_id known_stack;
	bool is_one_each; /* each sample counts once */
	/* The state of the computation. */
	struct phases phases;
	struct blocks_walk walk; /* begun if it has samples */
	int64_t *self;           /* by node, while it is added up; NULL: that of the stacks */
	int64_t raw_gc;          /* time of garbage collection below no stack, not added yet */
	int64_t longest;         /* busy sample */
};

/* Walks over samples of a window, with the key of each. */
struct charge_sample {
	size_t i;
	int64_t t0, t1; /* within the window; t1 > t0 */
	charge_key key;
	enum charge_kind kind; /* of the leaf */
};

/* Begin to add the window [t0, t1). */
void charge_times_init(struct charge_times *times, const struct charge_stacks *stacks, int64_t t0,
		       int64_t t1);

static inline void charge_times_done(struct charge_times *t)
{
	free(t->ns);
	free(t->count);
	free(t->self);
	*t = (struct charge_times){ 0 };
}

/* Move times, which are rewound, to `out` if they are those of [t0, t1), as far as it was sampled;
 * otherwise free them. Returns whether they were; only the first call may find them. */
bool charge_times_take(struct charge_times *times, int64_t t0, int64_t t1,
		       struct charge_times *out);

/* Start again with the first sample, to go through them with charge_times_next(). */
void charge_times_rewind(struct charge_times *times);

/* Go on with sample `from` of the window. */
void charge_times_go_to(struct charge_times *times, size_t from);

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

/* The stack of sample i, or the one that it interrupts, as a node. */
node_id charge_times_stack(struct charge_times *times, size_t i);

/* The part of sample i in the window. Returns false if it has no length. */
static inline bool charge_times_clip(struct charge_times *t, size_t i, int64_t *t0, int64_t *t1)
{
	const int64_t *time;

	if (i >= t->until)
		charge_times_read(t, i);
	time = &t->t[i - t->read];
	*t0 = time[0] > t->t0 ? time[0] : t->t0;
	*t1 = time[1] < t->t1 ? time[1] : t->t1;
	return *t1 > *t0;
}

/* The next sample that has a length. Returns false at the end. */
static inline bool charge_times_next(struct charge_times *t, struct charge_sample *out)
{
	const struct samples *s = &t->lane->samples;

	while (t->next < t->end) {
		size_t i = t->next++;
		node_id leaf = s->leaf[i];
		enum charge_kind kind = (enum charge_kind)t->stacks->kind[leaf];

		if (kind == CHARGE_GC) {
			leaf = charge_stacks_below_gc(t->stacks, leaf);
			leaf = leaf != NODE_ROOT ? leaf : t->last;
		}
		t->last = leaf;
		if (!charge_times_clip(t, i, &out->t0, &out->t1))
			continue;
		out->i = i;
		out->kind = kind;
		out->key = CHARGE_KEY(charge_stacks_before(t->stacks, leaf), kind == CHARGE_GC);
		return true;
	}
	return false;
}

/* Units of work of a sample: its node and the sums of its key stand anywhere in memory. */
#define CHARGE_TIMES_SAMPLE_WORK 8

/* Compute the times, in steps. Returns true when they are complete, and the sums are made; the
 * samples are rewound. */
bool charge_times_step(struct charge_times *times, struct budget *budget);

#endif
