/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Spans of a lane of samples, in time order. Spans are not stored; they follow from three arrays:
 * the leaf of each sample, its time, and the number of rows that it shares with the next sample.
 * Depths count from 0, the outermost call; a node of `rows` frames is at depth rows - 1. Times are
 * ns since the start of the profile. */
#ifndef FLAMETTY_MODEL_SPAN_H
#define FLAMETTY_MODEL_SPAN_H

#include "model/calltree.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define TIMES_GROUP 128u

struct times_group {
	int64_t base; /* its first time */
	size_t high;  /* index into `high` of its first time, counted from 1; 0: it has none */
};

struct times {
	struct times_group *groups;
	uint32_t *step; /* the lower 32 bits of the time since the base of its group */
	uint32_t *high; /* of the groups that have them: the upper 32 bits */
};

static inline int64_t times_at(const struct times *times, size_t i)
{
	const struct times_group *g = &times->groups[i / TIMES_GROUP];
	uint64_t step = times->step[i];

	if (g->high)
		step |= (uint64_t)times->high[g->high - 1 + i % TIMES_GROUP] << 32;
	return g->base + (int64_t)step;
}

/* Store n times, each less by `by`. Takes the array, in whose memory the steps are stored; n must
 * not be 0. */
void times_pack(struct times *times, int64_t *take_t, size_t n, int64_t by);

/* The same; the array stays the caller's. */
void times_pack_copy(struct times *times, const int64_t *t, size_t n, int64_t by);

/* Store n + 1 times, n at least 1: t0; times that are later than the one before by steps 1 to n -
 * 1; and t1. Takes the array of n steps, in whose memory they are stored. */
void times_pack_steps(struct times *times, uint32_t *take_steps, size_t n, int64_t t0, int64_t t1);

/* Write times [from, from + n) to `out`. */
void times_read(const struct times *times, size_t from, size_t n, int64_t *out);

/* Add `by` to all n times. */
static inline void times_shift(struct times *times, size_t n, int64_t by)
{
	for (size_t i = 0; i < n; i += TIMES_GROUP)
		times->groups[i / TIMES_GROUP].base += by;
}

/* The number of times, of the first n, that are t or earlier. */
size_t times_until(const struct times *times, size_t n, int64_t t);

/* Free everything. */
static inline void times_done(struct times *times)
{
	free(times->groups);
	free(times->step);
	free(times->high);
	*times = (struct times){ 0 };
}

/* Sums of time by leaf node over blocks of samples: see blocks.h. */
struct blocks;

/* Samples of another lane whose stacks have fewer rows: `to` has a node of `tree` for each node. A
 * node stands for a node and for what it calls, too, or for that alone: `to` of a node is that of
 * its parent, or a child of it. All are borrowed. */
struct samples_folded {
	const struct samples *of;
	const struct calltree *of_tree, *tree;
	const node_id *to;
	bool has_siblings; /* as of the lane */
};

struct samples {
	size_t n;
	/* n + 1 times, see samples_time(): sample i lasts from time i to time i + 1. */
	struct times times;
	/* NULL: the samples have stacks of their own. Else all that follows is NULL, and found
	 * when it is needed. Borrowed. */
	const struct samples_folded *folded;
	node_id *leaf; /* n nodes; NODE_ROOT: an empty stack. samples_leaf() reads all */
	/* n counts: rows that sample i shares with i + 1; last: 0. In bytes where no stack has more
	 * than UINT8_MAX rows. samples_shared() reads all; one is NULL. */
	uint8_t *shared_byte;
	uint16_t *shared;
	/* Low[k][j]: smallest `shared` of the 64^(k+1) samples from j * 64^(k+1) on. */
	uint16_t **low;
	int n_low;
	uint16_t **high; /* high[k][j]: largest number of rows of one of those samples */
	int n_high;
	struct blocks *blocks;
};

/* A stretch of time during which one node stays on the stack. */
struct span {
	node_id node;
	int depth;
	int64_t t0, t1;    /* half-open; t1 == t0: the span has no length */
	size_t first, end; /* its samples: [first, end) */
};

/* The leaf of sample i. */
static inline node_id samples_leaf(const struct samples *s, size_t i)
{
	return s->leaf ? s->leaf[i] : s->folded->to[s->folded->of->leaf[i]];
}

/* Rows that sample i shares with sample i + 1. Of folded samples O(log depth). */
uint16_t samples_shared_folded(const struct samples_folded *folded, size_t i);

static inline uint16_t samples_shared(const struct samples *s, size_t i)
{
	if (s->shared_byte)
		return s->shared_byte[i];
	return s->shared ? s->shared[i] : samples_shared_folded(s->folded, i);
}

/* Time i, up to n. Times do not descend. */
static inline int64_t samples_time(const struct samples *s, size_t i)
{
	return times_at(&s->times, i);
}

/* Index of the last sample with time <= t, clamped to [0, n). n must not be 0. */
static inline size_t samples_find(const struct samples *s, int64_t t)
{
	size_t until = times_until(&s->times, s->n, t);

	return until ? until - 1 : 0;
}

/* The samples with time in [t0, t1), and those of no length that are at t0 or later and before t1:
 * [*first, *end). Returns false if there is none; they are then empty. */
bool samples_range(const struct samples *s, int64_t t0, int64_t t1, size_t *first, size_t *end);

/* First index i >= from with shared[i] < rows, or n - 1; the last index i < before
 * with shared[i] < rows, as i + 1, or 0. Both O(log n). */
size_t samples_run_end(const struct samples *s, size_t from, unsigned rows);
size_t samples_run_start(const struct samples *s, size_t before, unsigned rows);

/* The span at `depth` that sample `i` belongs to. Returns false if the sample's stack is not that
 * deep. */
bool span_of_sample(const struct samples *s, const struct calltree *tree, size_t i, int depth,
		    struct span *out);

/* The span at `depth` that covers time t. Returns false between spans and outside. */
static inline bool span_at(const struct samples *s, const struct calltree *tree, int depth,
			   int64_t t, struct span *out)
{
	if (s->n == 0 || t < samples_time(s, 0) || t >= samples_time(s, s->n))
		return false;
	return span_of_sample(s, tree, samples_find(s, t), depth, out);
}

/* The next span at `depth` that begins at sample `from` or later; the last span that ends at or
 * before sample `before` (both are indices of samples). Return false if there is none. O(log n). */
bool span_next(const struct samples *s, const struct calltree *tree, int depth, size_t from,
	       struct span *out);
bool span_before(const struct samples *s, const struct calltree *tree, int depth, size_t before,
		 struct span *out);

/* Number of samples that an entry of low[0] or high[0] summarises. */
#define SAMPLES_GROUP 64u

/* Whether shared rows fit into bytes. */
static inline bool samples_is_narrow(const struct calltree *tree)
{
	return tree->max_rows <= UINT8_MAX;
}

/* Fill low[] from the shared rows, which the caller may give in `shared` in any case, and high[]
 * from the leaves. If the caller has computed high[0], it is passed as a malloc'ed array, which
 * samples_index() takes over. */
void samples_index(struct samples *s, const struct calltree *tree, uint16_t *high);

/* Free everything. */
void samples_done(struct samples *s);

#endif
