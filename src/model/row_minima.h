/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The rows that two stacks share, in constant time, for millions of pairs: calltree_common()
 * follows pointers from node to node instead, which pays for few pairs.
 *
 * Nodes are in preorder. After the lower one of two nodes, up to the other, comes a child of their
 * common ancestor, and no node that is not below this ancestor. So the fewest rows of the nodes in
 * this range are one more than the shared rows. */
#ifndef FLAMETTY_MODEL_ROW_MINIMA_H
#define FLAMETTY_MODEL_ROW_MINIMA_H

#include "model/calltree.h"

#include <stddef.h>

#define ROW_MINIMA_BLOCK 32u /* nodes */
#define ROW_MINIMA_LEVELS 32

/* Borrows the rows of the tree. */
struct row_minima {
	const uint16_t *rows;
	size_t n, n_blocks;
	uint16_t *until; /* by node: the fewest rows from the start of its block to the node */
	uint16_t *since; /* the fewest rows from the node to the end of its block */
	/* levels[k][j]: the fewest rows of the 2^k blocks from block j on. */
	uint16_t *levels[ROW_MINIMA_LEVELS];
};

/* Begin with a tree, which has nodes; add all blocks [0, n_blocks), in any parts; then end. _done()
 * frees everything, and accepts a zeroed struct. */
void row_minima_begin(struct row_minima *m, const struct calltree *tree);
void row_minima_add(struct row_minima *m, size_t from, size_t end);
void row_minima_end(struct row_minima *m);
void row_minima_done(struct row_minima *m);

/* The fewest rows of the nodes [first, last], first <= last. */
static inline unsigned row_minima_find(const struct row_minima *m, node_id first, node_id last)
{
	size_t a = first / ROW_MINIMA_BLOCK, b = last / ROW_MINIMA_BLOCK;
	unsigned least = m->rows[last];

	if (a == b) {
		for (size_t i = first; i < last; i++)
			least = m->rows[i] < least ? m->rows[i] : least;
		return least;
	}
	least = m->since[first] < m->until[last] ? m->since[first] : m->until[last];
	if (b - a > 1) {
		/* Two ranges of 2^k blocks, which may overlap, are all blocks in between. */
		int k = 31 - __builtin_clz((unsigned)(b - a - 1));
		const uint16_t *level = m->levels[k];
		unsigned x = level[a + 1], y = level[b - ((size_t)1 << k)];

		x = x < y ? x : y;
		least = x < least ? x : least;
	}
	return least;
}

/* The rows that the stacks of two nodes share. */
static inline unsigned row_minima_shared(const struct row_minima *m, node_id a, node_id b)
{
	if (a == b)
		return m->rows[a];
	return (a < b ? row_minima_find(m, a + 1, b) : row_minima_find(m, b + 1, a)) - 1;
}

#endif
