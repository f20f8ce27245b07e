/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The call tree of a lane.
 *
 * Invariants of a built tree:
 * 1. parent[i] < i for i > 0: preorder.
 * 2. end[i] is one past the last node below i; subtrees are ranges.
 * 3. jump[i] is i's parent or an ancestor further up, so chosen that any
 *    ancestor is found in O(log depth) steps: the skew-binary scheme of E. Myers,
 *    "An applicative random-access stack", Inf. Proc. Letters 17 (1983).
 *    How far it leads depends on the number of rows alone. */
#include "config.h"

#include "model/calltree.h"

#include "base/alloc.h"

#include <stdlib.h>

#define NO_NODE UINT32_MAX

struct links {
	uint32_t *first;   /* first child, by old id */
	uint32_t *next;    /* next sibling, by old id */
};

static void links_init(struct links *l, uint32_t n, const node_id *parent)
{
	l->first = xmalloc((size_t)n * sizeof *l->first);
	l->next = xmalloc((size_t)n * sizeof *l->next);
	for (uint32_t i = 0; i < n; i++)
		l->first[i] = NO_NODE;
	for (uint32_t i = n; i-- > 1; ) {
		l->next[i] = l->first[parent[i]];
		l->first[parent[i]] = i;
	}
	if (n)
		l->next[0] = NO_NODE;
}

static void add_node(struct calltree *tree, node_id parent, frame_id frame)
{
	node_id id = tree->n++;
	node_id far;

	tree->parent[id] = parent;
	tree->frame[id] = frame;
	if (id == NODE_ROOT) {
		tree->rows[id] = 0;
		tree->jump[id] = NODE_ROOT;
		return;
	}
	tree->rows[id] = (uint16_t)(tree->rows[parent] + 1);
	if (tree->rows[id] > tree->max_rows)
		tree->max_rows = tree->rows[id];
	far = tree->jump[parent];
	if (tree->rows[parent] - tree->rows[far] == tree->rows[far] - tree->rows[tree->jump[far]])
		tree->jump[id] = tree->jump[far];
	else
		tree->jump[id] = parent;
}

/* Mark the nodes that have no node of the same frame above them. */
static void find_outer(struct calltree *tree)
{
	frame_id most = 0;
	uint32_t *open;
	node_id *stack = xmalloc(((size_t)tree->max_rows + 1) * sizeof *stack);
	size_t depth = 0;

	for (node_id i = 0; i < tree->n; i++)
		if (tree->frame[i] > most)
			most = tree->frame[i];
	open = xcalloc((size_t)most + 1, sizeof *open);
	for (node_id i = 1; i < tree->n; i++) {
		while (depth && tree->end[stack[depth - 1]] <= i)
			open[tree->frame[stack[--depth]]]--;
		tree->is_outer[i] = open[tree->frame[i]]++ == 0;
		stack[depth++] = i;
	}
	free(stack);
	free(open);
}

uint32_t calltree_build(struct calltree *tree, uint32_t n, const node_id *parent, const frame_id *frame, node_id *order_out)
{
	struct links l;
	uint32_t at = 0, n_cut = 0;

	*tree = (struct calltree){ 0 };
	tree->parent = xmalloc((size_t)n * sizeof *tree->parent);
	tree->frame = xmalloc((size_t)n * sizeof *tree->frame);
	tree->rows = xmalloc((size_t)n * sizeof *tree->rows);
	tree->jump = xmalloc((size_t)n * sizeof *tree->jump);
	if (n == 0)
		return 0;
	links_init(&l, n, parent);
	while (at != NO_NODE) {
		node_id above = at ? order_out[parent[at]] : NODE_ROOT;

		if (at && tree->rows[above] >= CALLTREE_MAX_ROWS) {
			order_out[at] = above;
			n_cut++;
		} else {
			order_out[at] = tree->n;
			add_node(tree, above, frame[at]);
		}
		if (l.first[at] != NO_NODE) {
			at = l.first[at];
			continue;
		}
		while (at != 0 && l.next[at] == NO_NODE)
			at = parent[at];
		at = at ? l.next[at] : NO_NODE;
	}
	free(l.first);
	free(l.next);
	tree->end = xmalloc((size_t)tree->n * sizeof *tree->end);
	for (node_id i = 0; i < tree->n; i++)
		tree->end[i] = i + 1;
	for (node_id i = tree->n; i-- > 1; )
		if (tree->end[i] > tree->end[tree->parent[i]])
			tree->end[tree->parent[i]] = tree->end[i];
	tree->is_outer = xcalloc(tree->n, sizeof *tree->is_outer);
	find_outer(tree);
	return n_cut;
}

void calltree_done(struct calltree *tree)
{
	free(tree->parent);
	free(tree->frame);
	free(tree->rows);
	free(tree->jump);
	free(tree->end);
	free(tree->is_outer);
	*tree = (struct calltree){ 0 };
}

node_id calltree_common(const struct calltree *tree, node_id a, node_id b)
{
	/* Samples that follow each other mostly part near their leaves. */
	for (int i = 0; i < 8; i++) {
		if (calltree_is_below(tree, b, a))
			return a;
		a = tree->parent[a];
	}
	while (!calltree_is_below(tree, b, a)) {
		node_id far = tree->jump[a];

		a = calltree_is_below(tree, b, far) ? tree->parent[a] : far;
	}
	return a;
}

node_id calltree_ancestor(const struct calltree *tree, node_id node, unsigned rows)
{
	while (tree->rows[node] > rows) {
		node_id far = tree->jump[node];

		node = tree->rows[far] >= rows ? far : tree->parent[node];
	}
	return node;
}
