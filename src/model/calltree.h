/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The call tree of one lane as arrays. Node 0 is the root: an empty stack, never drawn. Nodes are
 * numbered in preorder: a parent comes before its children, and the nodes of a subtree are [node,
 * end[node]). */
#ifndef FLAMETTY_MODEL_CALLTREE_H
#define FLAMETTY_MODEL_CALLTREE_H

#include "base/budget.h"
#include "base/hash.h"
#include "model/frame.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef uint32_t node_id;

#define NODE_ROOT 0u

struct calltree {
	uint32_t n;        /* number of nodes, including the root; 0: no tree */
	uint16_t max_rows; /* rows of the deepest node */
	node_id *parent;   /* parent[0] == 0 */
	frame_id *frame;
	uint16_t *rows;    /* frames from the root: 0 for the root, 1 for its children */
	node_id *jump;     /* an ancestor at some distance, see calltree.c */
	node_id *end;      /* one past the last node of the subtree */
	uint8_t *is_outer; /* 1: no ancestor has the same frame */
	bool has_twins;    /* nodes with one parent may have one frame, as their variants differ */
};

/* Limit of the rows of a stack. */
#define CALLTREE_MAX_ROWS 65000

/* Build from n nodes: node i is a child of parent[i] < n; node 0 is the root, and all nodes are
 * below it. Children of one node with the same frame become one node. order_out, of n entries, is
 * set to the new id of each node. Nodes deeper than CALLTREE_MAX_ROWS are merged into their
 * ancestor at that depth; the result is their number. Nothing is borrowed: all arrays are copied
 * and renumbered. The contents of `parent` are destroyed. */
uint32_t calltree_build(struct calltree *tree, uint32_t n, node_id *parent, const frame_id *frame,
			node_id *order_out);

static inline void calltree_done(struct calltree *tree)
{
	free(tree->parent);
	free(tree->frame);
	free(tree->rows);
	free(tree->jump);
	free(tree->end);
	free(tree->is_outer);
	*tree = (struct calltree){ 0 };
}

/* What is_outer is if the nodes of a tree have other frames. The caller frees it. */
uint8_t *calltree_outer(const struct calltree *tree, const frame_id *frame);

/* calltree_build() in steps: begin, call calltree_work() until it returns true, then end. What is
 * passed to begin must stay until then. Ended earlier, the tree is only good for calltree_done().
 */
struct calltree_work *calltree_begin(struct calltree *tree, uint32_t n, node_id *parent,
				     const frame_id *frame, node_id *order_out);
bool calltree_work(struct calltree_work *work, struct budget *budget);
uint32_t calltree_end(struct calltree_work *work); /* the result of calltree_build(); NULL: 0 */

/* The first part of calltree_work() for a tree with nodes: sets n, max_rows, parent, frame, rows
 * and order_out. If it returns true, these do not change any more, and calltree_work() may run on
 * another thread: it allocates nothing, and needs nothing of what was passed to begin but the tree.
 */
bool calltree_number(struct calltree_work *work);

/* The nearest common ancestor of two nodes. O(log depth). */
node_id calltree_common(const struct calltree *tree, node_id a, node_id b);

/* The ancestor of `node` (or itself) with `rows` frames from the root, rows <= tree->rows[node].
 * O(log depth). */
node_id calltree_ancestor(const struct calltree *tree, node_id node, unsigned rows);

static inline bool calltree_is_below(const struct calltree *tree, node_id node, node_id ancestor)
{
	return node >= ancestor && node < tree->end[ancestor];
}

/* ---- node map ----
 *
 * A call tree under construction: finds the node of a function that a parent calls, and adds it
 * when it is new. Node 0 is the root, an empty stack; a parent has a lower number than its
 * children. A zeroed struct is an empty map, without even the root. */

struct node_map {
	uint32_t *parent; /* by node; the caller may take it over and store NULL here */
	frame_id *frame;  /* by node; likewise */
	uint32_t n;
	size_t cap;
	/* Of all nodes except the root. It takes most of the memory: done with, nodes are neither
	 * found nor added any more. */
	struct hash_table index;
};

static inline void node_map_done(struct node_map *m)
{
	free(m->parent);
	free(m->frame);
	hash_table_done(&m->index);
	*m = (struct node_map){ 0 };
}

/* Add the root to an empty map. */
void node_map_init(struct node_map *m);

/* Find the node of `frame` under `parent`. Returns 0 if it was not added yet; then *probe is what
 * node_map_add() needs. */
static inline uint32_t node_map_find(const struct node_map *m, uint32_t parent, frame_id frame,
				     struct hash_probe *probe)
{
	*probe = hash_probe(hash_u64((uint64_t)parent << 32 | frame));
	while (hash_table_next(&m->index, probe))
		if (m->parent[probe->index] == parent && m->frame[probe->index] == frame)
			return probe->index;
	return 0;
}

/* Make room for another node. */
void node_map_grow(struct node_map *m);

/* Add a node that is never looked up. */
static inline uint32_t node_map_append(struct node_map *m, uint32_t parent, frame_id frame)
{
	if (m->n >= m->cap)
		node_map_grow(m);
	m->parent[m->n] = parent;
	m->frame[m->n] = frame;
	return m->n++;
}

/* Add the node that node_map_find() just did not find. Inline: in a trace, nearly every slice can
 * be a new node. */
static inline uint32_t node_map_add(struct node_map *m, uint32_t parent, frame_id frame,
				    const struct hash_probe *probe)
{
	hash_table_add_missing(&m->index, probe, m->n);
	return node_map_append(m, parent, frame);
}

/* Find the node, or add it. */
static inline uint32_t node_map_child(struct node_map *m, uint32_t parent, frame_id frame)
{
	struct hash_probe probe;
	uint32_t node = node_map_find(m, parent, frame, &probe);

	return node ? node : node_map_add(m, parent, frame, &probe);
}

#endif
