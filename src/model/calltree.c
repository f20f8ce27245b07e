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

/* ==== node map ====
 *
 * Two arrays by node, and an index table over (parent, frame). The root is not in the table, so 0
 * can mean that a node was not found. */

#define NODES_FIRST 64u

void node_map_init(struct node_map *m)
{
	*m = (struct node_map){ .n = 1 };
	m->parent = xgrow(NULL, &m->cap, NODES_FIRST, sizeof *m->parent);
	m->frame = xmalloc(m->cap * sizeof *m->frame);
	m->parent[0] = 0;
	m->frame[0] = FRAME_NONE;
}

void node_map_grow(struct node_map *m)
{
	m->parent = xgrow(m->parent, &m->cap, (size_t)m->n + 1, sizeof *m->parent);
	m->frame = xrealloc(m->frame, m->cap, sizeof *m->frame);
}

/* ==== calltree ==== */

#define NO_NODE UINT32_MAX
#define TWIN 0x80000000u

struct calltree_work {
	struct calltree *tree;
	uint32_t n;
	node_id *parent; /* of a node of the input; changes */
	const frame_id *frame;
	node_id *order;
	uint32_t n_cut; /* the result: nodes that were merged into an ancestor */
	struct phases numbering, finishing;
	uint32_t *first, *next; /* by node of the input: first child, next sibling */
	frame_id most;          /* the largest frame */
	frame_id *ids, *rank; /* few nodes among many frames: `frame` is `rank`, by frame_ranks() */
	uint32_t *seen_at;    /* by frame: the last node with such a child, plus 1 */
	uint32_t *seen_as;    /* by frame: that child */
	bool has_twins;
	uint32_t at;    /* the walk through the input */
	uint32_t *open; /* the walk through the tree: by frame, nodes of the stack */
	node_id *stack;
	size_t depth;
};

/* ---- the input as lists of children ---- */

static size_t begin_lists(void *ctx)
{
	struct calltree_work *w = ctx;

	w->first = xmalloc((size_t)w->n * sizeof *w->first);
	w->next = xmalloc((size_t)w->n * sizeof *w->next);
	return w->n;
}

static void clear_lists(void *ctx, size_t from, size_t end)
{
	struct calltree_work *w = ctx;
	frame_id most = w->most;

	for (size_t i = from; i < end; i++) {
		w->first[i] = NO_NODE;
		w->order[i] = 0;
		if (w->frame[i] > most)
			most = w->frame[i];
	}
	w->most = most;
}

static size_t begin_links(void *ctx)
{
	struct calltree_work *w = ctx;

	if (frame_ranks_pay(w->n, w->most)) {
		w->rank = xmalloc((size_t)w->n * sizeof *w->rank);
		w->ids = frame_ranks(w->frame, w->n, w->rank, &w->most);
		w->frame = w->rank;
	}
	w->seen_at = xcalloc((size_t)w->most + 1, sizeof *w->seen_at);
	w->seen_as = xmalloc(((size_t)w->most + 1) * sizeof *w->seen_as);
	w->next[0] = NO_NODE;
	return w->n - 1;
}

/* From the last node to the first, so that the lists are in the order of the nodes. */
static void add_links(void *ctx, size_t from, size_t end)
{
	struct calltree_work *w = ctx;
	uint32_t *first = w->first, *next = w->next;
	const node_id *parent = w->parent;

	for (size_t i = w->n - from; i-- > w->n - end;) {
		next[i] = first[parent[i]];
		first[parent[i]] = (uint32_t)i;
	}
}

/* ---- the walk that numbers the nodes ---- */

/* V8 sometimes writes two nodes for one function below one caller: the children of the second move
 * to the first, and the second leaves the list. Until the end, `order` has the node that it became,
 * marked by TWIN. Returns how many nodes were looked at: few nodes may have most of them as
 * children, as the trees of many lanes have. */
static uint32_t join_twins(struct calltree_work *w, uint32_t at)
{
	uint32_t *link = &w->first[at], n = 0;

	/* An only child. */
	if (*link == NO_NODE || w->next[*link] == NO_NODE)
		return 0;
	while (*link != NO_NODE) {
		uint32_t child = *link, twin, last;
		frame_id frame = w->frame[child];

		n++;
		if (w->seen_at[frame] != at + 1) {
			w->seen_at[frame] = at + 1;
			w->seen_as[frame] = child;
			link = &w->next[child];
			continue;
		}
		twin = w->seen_as[frame];
		*link = w->next[child];
		w->order[child] = TWIN | twin;
		w->has_twins = true;
		if (w->first[child] == NO_NODE)
			continue;
		for (last = w->first[child];; last = w->next[last]) {
			n++;
			w->parent[last] = twin;
			if (w->next[last] == NO_NODE)
				break;
		}
		w->next[last] = w->first[twin];
		w->first[twin] = w->first[child];
	}
	return n;
}

static size_t begin_walk(void *ctx)
{
	struct calltree_work *w = ctx;
	struct calltree *tree = w->tree;

	tree->parent = xmalloc((size_t)w->n * sizeof *tree->parent);
	tree->frame = xmalloc((size_t)w->n * sizeof *tree->frame);
	tree->rows = xmalloc((size_t)w->n * sizeof *tree->rows);
	return 0;
}

/* The node of the input after `at`, in preorder. */
static uint32_t next_node(const struct calltree_work *w, uint32_t at)
{
	if (w->first[at] != NO_NODE)
		return w->first[at];
	while (at != 0 && w->next[at] == NO_NODE)
		at = w->parent[at];
	return at ? w->next[at] : NO_NODE;
}

/* Twins are not visited. */
static bool walk(void *ctx, struct budget *budget)
{
	struct calltree_work *w = ctx;
	struct calltree *tree = w->tree;

	while (w->at != NO_NODE) {
		uint32_t at = w->at, n;
		node_id above = at ? w->order[w->parent[at]] : NODE_ROOT;

		if (at && tree->rows[above] >= CALLTREE_MAX_ROWS) {
			w->order[at] = above;
			w->n_cut++;
		} else {
			node_id id;

			w->order[at] = tree->n;
			id = tree->n++;
			tree->parent[id] = above;
			tree->frame[id] = w->frame[at];
			tree->rows[id] = id == NODE_ROOT ? 0 : (uint16_t)(tree->rows[above] + 1);
			if (tree->rows[id] > tree->max_rows)
				tree->max_rows = tree->rows[id];
		}
		n = join_twins(w, at);
		w->at = next_node(w, at);
		if (budget_use(budget, 1 + n))
			return false;
	}
	return true;
}

static size_t begin_twins(void *ctx)
{
	struct calltree_work *w = ctx;

	return w->has_twins ? w->n : 0;
}

/* The node that a twin became is never marked itself: it is the first of its kind. */
static void place_twins(void *ctx, size_t from, size_t end)
{
	node_id *order = ((struct calltree_work *)ctx)->order;

	for (size_t i = from; i < end; i++)
		if (order[i] & TWIN)
			order[i] = order[order[i] & ~TWIN];
}

/* ---- what follows from the parents ---- */

static void begin_stacks(struct calltree_work *w)
{
	struct calltree *tree = w->tree;

	tree->is_outer = xcalloc(tree->n, sizeof *tree->is_outer);
	w->open = xcalloc((size_t)w->most + 1, sizeof *w->open);
	w->stack = xmalloc(((size_t)tree->max_rows + 1) * sizeof *w->stack);
}

/* Everything that the rest needs: it may be done by a thread that must not allocate. */
static size_t begin_rest(void *ctx)
{
	struct calltree_work *w = ctx;
	struct calltree *tree = w->tree;

	free(w->first);
	free(w->next);
	w->first = w->next = NULL;
	tree->jump = xmalloc((size_t)tree->n * sizeof *tree->jump);
	tree->end = xmalloc((size_t)tree->n * sizeof *tree->end);
	tree->jump[NODE_ROOT] = NODE_ROOT;
	begin_stacks(w);
	return 0;
}

static size_t begin_nodes(void *ctx)
{
	return ((struct calltree_work *)ctx)->tree->n;
}

static void find_jumps(void *ctx, size_t from, size_t end)
{
	struct calltree *tree = ((struct calltree_work *)ctx)->tree;
	const uint16_t *rows = tree->rows;
	node_id *jump = tree->jump;

	for (size_t i = from; i < end; i++) {
		node_id parent = tree->parent[i], far = jump[parent];

		tree->end[i] = (node_id)i + 1;
		jump[i] = rows[parent] - rows[far] == rows[far] - rows[jump[far]] ? jump[far]
										  : parent;
	}
}

static size_t begin_ends(void *ctx)
{
	return ((struct calltree_work *)ctx)->tree->n - 1;
}

/* From the last node to the first. */
static void find_ends(void *ctx, size_t from, size_t end)
{
	struct calltree *tree = ((struct calltree_work *)ctx)->tree;
	const node_id *parent = tree->parent;
	node_id *ends = tree->end;

	for (size_t i = tree->n - from; i-- > tree->n - end;)
		if (ends[i] > ends[parent[i]])
			ends[parent[i]] = ends[i];
}

/* Mark the nodes that have no ancestor with the same frame. */
static void find_outer(void *ctx, size_t from, size_t end)
{
	struct calltree_work *w = ctx;
	struct calltree *tree = w->tree;
	uint32_t *open = w->open;
	node_id *stack = w->stack;
	size_t depth = w->depth;

	for (size_t i = from ? from : 1; i < end; i++) {
		while (depth && tree->end[stack[depth - 1]] <= i)
			open[tree->frame[stack[--depth]]]--;
		tree->is_outer[i] = open[tree->frame[i]]++ == 0;
		stack[depth++] = (node_id)i;
	}
	w->depth = depth;
}

uint8_t *calltree_outer(const struct calltree *tree, const frame_id *frame)
{
	struct calltree with = *tree;
	struct calltree_work w = { .tree = &with };

	with.frame = (frame_id *)frame;
	for (node_id i = 0; i < tree->n; i++)
		w.most = frame[i] > w.most ? frame[i] : w.most;
	begin_stacks(&w);
	find_outer(&w, 0, tree->n);
	free(w.open);
	free(w.stack);
	return with.is_outer;
}

static size_t begin_ids(void *ctx)
{
	struct calltree_work *w = ctx;

	return w->ids ? w->tree->n : 0;
}

static void put_ids(void *ctx, size_t from, size_t end)
{
	struct calltree_work *w = ctx;

	for (size_t i = from; i < end; i++)
		w->tree->frame[i] = w->ids[w->tree->frame[i]];
}

/* ---- the whole ---- */

static const struct phase numbering[] = {
	{ begin_lists, clear_lists, NULL },
	{ begin_links, add_links, NULL },
	{ begin_walk, NULL, NULL },
	{ NULL, NULL, walk },
	{ begin_twins, place_twins, NULL },
	{ begin_rest, NULL, NULL },
	{ NULL, NULL, NULL },
};

static const struct phase finishing[] = {
	{ begin_nodes, find_jumps, NULL },
	{ begin_ends, find_ends, NULL },
	{ begin_nodes, find_outer, NULL },
	{ begin_ids, put_ids, NULL },
	{ NULL, NULL, NULL },
};

struct calltree_work *calltree_begin(struct calltree *tree, uint32_t n, node_id *parent,
				     const frame_id *frame, node_id *order_out)
{
	struct calltree_work *w = xcalloc(1, sizeof *w);

	*w = (struct calltree_work){ .tree = tree,
				     .n = n,
				     .parent = parent,
				     .frame = frame,
				     .order = order_out };
	*tree = (struct calltree){ 0 };
	return w;
}

bool calltree_work(struct calltree_work *w, struct budget *budget)
{
	return w->n == 0 ||
		(phases_work(&w->numbering, numbering, w, budget) &&
		 phases_work(&w->finishing, finishing, w, budget));
}

bool calltree_number(struct calltree_work *w)
{
	phases_work(&w->numbering, numbering, w, BUDGET_UNLIMITED);
	return !w->ids;
}

uint32_t calltree_end(struct calltree_work *w)
{
	uint32_t n_cut;

	if (!w)
		return 0;
	n_cut = w->n_cut;
	free(w->first);
	free(w->next);
	free(w->ids);
	free(w->rank);
	free(w->seen_at);
	free(w->seen_as);
	free(w->open);
	free(w->stack);
	free(w);
	return n_cut;
}

uint32_t calltree_build(struct calltree *tree, uint32_t n, node_id *parent, const frame_id *frame,
			node_id *order_out)
{
	struct calltree_work *w = calltree_begin(tree, n, parent, frame, order_out);

	calltree_work(w, BUDGET_UNLIMITED);
	return calltree_end(w);
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
