/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Time by leaf over any stretch of samples, without a walk over the samples: samples are grouped
 * into blocks, blocks into larger blocks, and each block stores the time of each leaf in it. */
#ifndef FLAMETTY_MODEL_BLOCKS_H
#define FLAMETTY_MODEL_BLOCKS_H

#include "base/budget.h"
#include "model/span.h"

/* Receives self times by leaf. A node may come several times, also with 0 ns; a long time comes in
 * parts. samples: NULL, or receives whole samples [i, end) that are in no block, instead of `many`,
 * unless they are folded. */
struct blocks_visitor {
	void *ctx;
	void (*many)(void *ctx, const node_id *leaf, const uint32_t *ns, size_t n);
	void (*one)(void *ctx, node_id leaf, int64_t ns);
	void (*samples)(void *ctx, const struct samples *s, size_t i, size_t end);
};

/* Defines `many` as calls of `one`. */
#define BLOCKS_MANY(many, one)                                                                     \
	static void many(void *ctx, const node_id *leaf, const uint32_t *ns, size_t n)             \
	{                                                                                          \
		for (size_t i = 0; i < n; i++)                                                     \
			one(ctx, leaf[i], ns[i]);                                                  \
	}

/* Build the blocks of `s`. n_nodes: number of nodes of its tree. Returns NULL for few samples,
 * where a walk is as fast. */
struct blocks *blocks_build(const struct samples *s, uint32_t n_nodes);

/* The same in steps: begin, call blocks_work() until it returns true, then end, which returns the
 * blocks. Ended earlier, or of NULL, it returns NULL and frees what was built. The leaves and times
 * of `s` must not change meanwhile; its `blocks` are not used. */
struct blocks_work *blocks_work_begin(const struct samples *s, uint32_t n_nodes);

bool blocks_work(struct blocks_work *work, struct budget *budget);

/* About how many of the samples are done. */
size_t blocks_work_done(const struct blocks_work *work);
struct blocks *blocks_work_end(struct blocks_work *work);

void blocks_free(struct blocks *blocks);

/* Visit the time of every sample in [t0, t1); samples at the edges count with the part inside. The
 * visits add up to the sampled part of [t0, t1). Samples of no length are visited if they are at t0
 * or later and before t1. */
void blocks_each(const struct samples *s, int64_t t0, int64_t t1,
		 const struct blocks_visitor *visitor);

/* The visitor that adds up the times of each leaf. self: by node. */
static inline void blocks_add_leaf(void *self, node_id leaf, int64_t ns)
{
	((int64_t *)self)[leaf] += ns;
}

static inline void blocks_add_leaves(void *self, const node_id *leaf, const uint32_t *ns, size_t n)
{
	int64_t *sums = self;

	for (size_t i = 0; i < n; i++)
		sums[leaf[i]] += ns[i];
}

static inline struct blocks_visitor blocks_sums(int64_t *self)
{
	return (struct blocks_visitor){ self, blocks_add_leaves, blocks_add_leaf, NULL };
}

/* A stretch of samples whose leaves all stand for one of the nodes [first, end) of folded samples.
 */
struct blocks_run {
	const node_id *to; /* by leaf: the node */
	node_id first, end;
	size_t tried; /* the smallest block at which the last call stopped; at first SIZE_MAX */
};

/* Go on from sample i of a run, as far as whole blocks are in it: to the last one of their samples
 * or, if is_back, to the first one. Returns i if its block is not in the run, or was tried. */
size_t blocks_run_on(const struct samples *s, size_t i, bool is_back, struct blocks_run *run);

/* The number of samples of each of the smallest blocks: block i has those from i times this on. 0:
 * there are no blocks. */
size_t blocks_size(const struct blocks *blocks);

/* Visit the time of all samples of one of these. */
void blocks_one(const struct blocks *blocks, size_t i, const struct blocks_visitor *visitor);

/* The same as blocks_each() in steps: begin visits the edges; call blocks_walk_work() until it
 * returns true. A step visits about budget->step entries or samples, but at least one block. The
 * samples must not change meanwhile. */
struct blocks_walk {
	const struct samples *samples;
	size_t next, end;
};

void blocks_begin(struct blocks_walk *walk, const struct samples *s, int64_t t0, int64_t t1,
		  const struct blocks_visitor *visitor);
bool blocks_walk_work(struct blocks_walk *walk, const struct blocks_visitor *visitor,
		      struct budget *budget);

#endif
