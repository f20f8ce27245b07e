/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The call tree of a lane.
 *
 * Invariants of a built tree:
 * 1. parent[i] < i for i > 0: preorder.
 * 2. end[i] is one past the last node below i; subtrees are ranges.
 * 3. jump[i] is the parent of i or a more distant ancestor, chosen so that any ancestor is found in
 *    O(log depth) steps: the skew-binary scheme of E. Myers, "An applicative random-access stack",
 *    Inf. Proc. Letters 17 (1983). The distance depends on the number of rows alone. */
#include "config.h"

#include "model/calltree.h"

#include "base/alloc.h"

#include <stdlib.h>
#include <string.h>

#define NO_NODE UINT32_MAX
#define TWIN 0x80000000u

/* The input tree, by old id. */
struct links {
	uint32_t *up;      /* parent: the caller's array */
	uint32_t *first;   /* first child */
	uint32_t *next;    /* next sibling */
	uint32_t *seen_at; /* by frame: the last node with such a child, plus 1 */
	uint32_t *seen_as; /* by frame: that child */
	bool has_twins;
};

static void links_init(struct links *l, uint32_t n, node_id *parent, const frame_id *frame)
{
	frame_id most = 0;

	l->has_twins = false;
	l->up = parent;
	l->first = xmalloc((size_t)n * sizeof *l->first);
	l->next = xmalloc((size_t)n * sizeof *l->next);
	for (uint32_t i = 0; i < n; i++) {
		l->first[i] = NO_NODE;
		if (frame[i] > most)
			most = frame[i];
	}
	l->seen_at = xcalloc((size_t)most + 1, sizeof *l->seen_at);
	l->seen_as = xmalloc(((size_t)most + 1) * sizeof *l->seen_as);
	for (uint32_t i = n; i-- > 1;) {
		l->next[i] = l->first[parent[i]];
		l->first[parent[i]] = i;
	}
	if (n)
		l->next[0] = NO_NODE;
}

static void links_done(struct links *l)
{
	free(l->first);
	free(l->next);
	free(l->seen_at);
	free(l->seen_as);
}

/* V8 sometimes writes two nodes for one function below one caller: the children of the second move
 * to the first, and the second leaves the list. Until the end, order_out has the node that it
 * became, marked by TWIN. */
static void join_twins(struct links *l, uint32_t at, const frame_id *frame, node_id *order_out)
{
	uint32_t *link = &l->first[at];

	while (*link != NO_NODE) {
		uint32_t child = *link, twin, last;

		if (l->seen_at[frame[child]] != at + 1) {
			l->seen_at[frame[child]] = at + 1;
			l->seen_as[frame[child]] = child;
			link = &l->next[child];
			continue;
		}
		twin = l->seen_as[frame[child]];
		*link = l->next[child];
		order_out[child] = TWIN | twin;
		l->has_twins = true;
		if (l->first[child] == NO_NODE)
			continue;
		for (last = l->first[child];; last = l->next[last]) {
			l->up[last] = twin;
			if (l->next[last] == NO_NODE)
				break;
		}
		l->next[last] = l->first[twin];
		l->first[twin] = l->first[child];
	}
}

static void add_node(struct calltree *tree, node_id parent, frame_id frame)
{
	node_id id = tree->n++;

	tree->parent[id] = parent;
	tree->frame[id] = frame;
	tree->rows[id] = id == NODE_ROOT ? 0 : (uint16_t)(tree->rows[parent] + 1);
	if (tree->rows[id] > tree->max_rows)
		tree->max_rows = tree->rows[id];
}

static void find_jumps(struct calltree *tree)
{
	const uint16_t *rows = tree->rows;

	tree->jump = xmalloc((size_t)tree->n * sizeof *tree->jump);
	tree->jump[NODE_ROOT] = NODE_ROOT;
	for (node_id i = 1; i < tree->n; i++) {
		node_id parent = tree->parent[i], far = tree->jump[parent];

		tree->jump[i] = rows[parent] - rows[far] == rows[far] - rows[tree->jump[far]]
			? tree->jump[far]
			: parent;
	}
}

/* Mark the nodes that have no ancestor with the same frame. */
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

uint32_t calltree_build(struct calltree *tree, uint32_t n, node_id *parent, const frame_id *frame,
			node_id *order_out)
{
	struct links l;
	uint32_t at = 0, n_cut = 0;

	*tree = (struct calltree){ 0 };
	tree->parent = xmalloc((size_t)n * sizeof *tree->parent);
	tree->frame = xmalloc((size_t)n * sizeof *tree->frame);
	tree->rows = xmalloc((size_t)n * sizeof *tree->rows);
	if (n == 0)
		return 0;
	links_init(&l, n, parent, frame);
	memset(order_out, 0, (size_t)n * sizeof *order_out);
	while (at != NO_NODE) {
		node_id above = at ? order_out[l.up[at]] : NODE_ROOT;

		if (at && tree->rows[above] >= CALLTREE_MAX_ROWS) {
			order_out[at] = above;
			n_cut++;
		} else {
			order_out[at] = tree->n;
			add_node(tree, above, frame[at]);
		}
		join_twins(&l, at, frame, order_out);
		if (l.first[at] != NO_NODE) {
			at = l.first[at];
			continue;
		}
		while (at != 0 && l.next[at] == NO_NODE)
			at = l.up[at];
		at = at ? l.next[at] : NO_NODE;
	}
	/* The node that a twin became is never marked itself: it is the first of its kind. */
	for (uint32_t i = 0; l.has_twins && i < n; i++)
		if (order_out[i] & TWIN)
			order_out[i] = order_out[order_out[i] & ~TWIN];
	links_done(&l);
	find_jumps(tree);
	tree->end = xmalloc((size_t)tree->n * sizeof *tree->end);
	for (node_id i = 0; i < tree->n; i++)
		tree->end[i] = i + 1;
	for (node_id i = tree->n; i-- > 1;)
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
	/* Consecutive samples mostly diverge near their leaves. */
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
