/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Time by leaf node over any stretch of samples without looking at each: the
 * samples stand in blocks, the blocks in larger ones, and each block keeps how
 * much time each leaf node has in it. */
#ifndef FLAMETTY_MODEL_BLOCKS_H
#define FLAMETTY_MODEL_BLOCKS_H

#include "model/span.h"

/* Who takes own times by leaf node. The same node may come again, also with 0 ns, and a
 * long time comes in parts. */
struct blocks_visitor {
	void *ctx;
	void (*many)(void *ctx, const node_id *leaf, const uint32_t *ns, size_t n);
	void (*one)(void *ctx, node_id leaf, int64_t ns);
};

/* Build the blocks of `s`. n_nodes: nodes of its tree. Returns NULL for few samples,
 * where a pass over them is as fast. */
struct blocks *blocks_build(const struct samples *s, uint32_t n_nodes);
void blocks_free(struct blocks *blocks);

/* Visit the time of every sample in [t0, t1), those at the edges with the part
 * inside. Together the visits add up to the part of [t0, t1) that is sampled. */
void blocks_each(const struct samples *s, int64_t t0, int64_t t1,
		 const struct blocks_visitor *visitor);

/* The same in parts: begin, which visits the edges; then step until true, each visiting about
 * `most` entries or samples, a block at least. The samples must stay until then. */
struct blocks_walk {
	const struct samples *samples;
	size_t next, end;
};

void blocks_begin(struct blocks_walk *walk, const struct samples *s, int64_t t0, int64_t t1,
		  const struct blocks_visitor *visitor);
bool blocks_step(struct blocks_walk *walk, size_t most, const struct blocks_visitor *visitor);

#endif
