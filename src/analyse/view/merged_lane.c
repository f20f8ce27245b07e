/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A walk that takes the heaviest child first gives the order of the nodes, and the self time of
 * each node becomes a sample after those of its children.
 *
 * The children of all nodes are one array of items. A counting sort brings the children of each
 * node together, in the order of the tree; then each stretch is sorted by weight with a stable
 * sort, so that children of equal weight stay in the order of the tree. */
#include "config.h"

#include "analyse/view/merged_lane.h"

#include "base/alloc.h"
#include "base/phases.h"
#include "base/sort.h"

#include <stdlib.h>

#define FEW_CHILDREN 32u /* up to this number, a sort in place is faster */

struct item {
	uint32_t node;
	int64_t total;
};

struct merged_lane {
	struct merged_tree tree;
	struct lane *lane;
	const struct frame *frames;
	struct phases phases;
	struct item *items;
	uint32_t *first;         /* by node: the first of its children in `items` */
	uint32_t sorted;         /* children of the nodes before this one are in order */
	struct sorting *sorting; /* of the children of this node; NULL: not begun */
	/* The walk: */
	struct place {
		uint32_t node, as; /* in `tree`, and in the lane's tree */
		uint32_t next;     /* its next child in `items` */
	} * stack;
	size_t depth;
	int64_t now;
	int64_t *t;              /* times of the samples */
	node_id *parent, *order; /* the lane's tree, in the order of the walk */
	uint32_t *origin;        /* the nodes of `tree` in that order */
	frame_id *frame;
	uint32_t n;
	struct calltree_work *calltree;
	struct lane_link *link;
};

/* ---- the children of each node, heaviest first ---- */

static bool has_place(const struct merged_tree *tree, size_t i)
{
	return tree->total[i] > 0 || (tree->stays && tree->stays[i]);
}

static size_t begin_count(void *ctx)
{
	struct merged_lane *w = ctx;

	w->first = xcalloc((size_t)w->tree.n + 2, sizeof *w->first);
	return w->tree.n;
}

/* The number of children of node i is first[i + 2] at first, so that first[i + 1] becomes the place
 * of its next child, and in the end the place of the first child of node i + 1. */
static void count_children(void *ctx, size_t from, size_t end)
{
	struct merged_lane *w = ctx;

	for (size_t i = from ? from : 1; i < end; i++)
		w->first[w->tree.parent[i] + 2] += has_place(&w->tree, i);
}

static size_t begin_sums(void *ctx)
{
	return (size_t)((struct merged_lane *)ctx)->tree.n + 2;
}

static void add_counts(void *ctx, size_t from, size_t end)
{
	uint32_t *first = ((struct merged_lane *)ctx)->first;

	for (size_t i = from ? from : 1; i < end; i++)
		first[i] += first[i - 1];
}

static size_t begin_items(void *ctx)
{
	struct merged_lane *w = ctx;

	w->items = xmalloc((size_t)w->first[w->tree.n + 1] * sizeof *w->items);
	return w->tree.n;
}

static void place_children(void *ctx, size_t from, size_t end)
{
	struct merged_lane *w = ctx;
	const struct merged_tree *tree = &w->tree;

	for (size_t i = from ? from : 1; i < end; i++)
		if (has_place(tree, i))
			w->items[w->first[tree->parent[i] + 1]++] = (struct item){ (uint32_t)i,
										   tree->total[i] };
}

static bool is_heavier(const void *a, const void *b, const void *ctx)
{
	(void)ctx;
	return ((const struct item *)a)->total > ((const struct item *)b)->total;
}

/* Returns the number of comparisons. */
static uint32_t sort_few(struct item *items, uint32_t n)
{
	uint32_t work = 0;

	for (uint32_t i = 1; i < n; i++) {
		const struct item item = items[i];
		uint32_t at = i;

		for (; at > 0 && items[at - 1].total < item.total; at--)
			items[at] = items[at - 1];
		items[at] = item;
		work += i - at + 1;
	}
	return work;
}

static bool sort_children(void *ctx, struct budget *budget)
{
	struct merged_lane *w = ctx;

	while (w->sorted < w->tree.n) {
		struct item *items = w->items + w->first[w->sorted];
		uint32_t n = w->first[w->sorted + 1] - w->first[w->sorted], work = 1;

		if (n > FEW_CHILDREN) {
			if (!w->sorting)
				w->sorting = sort_begin(items, n, sizeof *items, is_heavier, NULL);
			if (!sort_step(w->sorting, budget))
				return false;
			sort_end(w->sorting);
			w->sorting = NULL;
		} else if (n > 1) {
			work += sort_few(items, n);
		}
		w->sorted++;
		if (budget_use(budget, work))
			return false;
	}
	return true;
}

/* ---- the walk ---- */

static void open_node(struct merged_lane *w, uint32_t node, uint32_t parent)
{
	w->parent[w->n] = parent;
	w->frame[w->n] = w->tree.frame[node];
	w->origin[w->n] = node;
	w->stack[w->depth++] = (struct place){ node, w->n++, w->first[node] };
}

static void emit(struct merged_lane *w, uint32_t as, uint32_t node)
{
	struct samples *s = &w->lane->samples;
	int64_t ns = w->tree.self[node];

	if (ns <= 0 && !(w->tree.stays && w->tree.stays[node]))
		return;
	s->leaf[s->n] = as;
	w->t[s->n++] = w->now;
	w->now += ns;
}

/* Each node with time is opened and closed. */
static size_t begin_walk(void *ctx)
{
	struct merged_lane *w = ctx;
	struct samples *s = &w->lane->samples;
	size_t n = (size_t)w->first[w->tree.n] + 1;

	w->parent = xmalloc(n * sizeof *w->parent);
	w->frame = xmalloc(n * sizeof *w->frame);
	w->order = xmalloc(n * sizeof *w->order);
	w->origin = xmalloc(n * sizeof *w->origin);
	w->stack = xmalloc(n * sizeof *w->stack);
	w->t = xmalloc((n + 1) * sizeof *w->t);
	s->leaf = xmalloc((n + 1) * sizeof *s->leaf);
	open_node(w, NODE_ROOT, 0);
	return 2 * n - 1;
}

/* Depth first without recursion: trees may be 65 000 levels deep. The root has no sample. */
static void walk(void *ctx, size_t from, size_t end)
{
	struct merged_lane *w = ctx;

	for (; from < end; from++) {
		struct place *top = &w->stack[w->depth - 1];

		if (top->next < w->first[top->node + 1]) {
			open_node(w, w->items[top->next++].node, top->as);
			continue;
		}
		if (--w->depth > 0)
			emit(w, top->as, top->node);
	}
}

/* ---- the lane ---- */

static bool build_tree(void *ctx, struct budget *budget)
{
	struct merged_lane *w = ctx;

	if (!w->calltree)
		w->calltree = calltree_begin(&w->lane->tree, w->n, w->parent, w->frame, w->order);
	return calltree_work(w->calltree, budget);
}

static size_t begin_leaves(void *ctx)
{
	return ((struct merged_lane *)ctx)->lane->samples.n;
}

static void place_leaves(void *ctx, size_t from, size_t end)
{
	struct merged_lane *w = ctx;
	node_id *leaf = w->lane->samples.leaf;

	for (size_t i = from; i < end; i++)
		leaf[i] = w->order[leaf[i]];
}

static bool link_samples(void *ctx, struct budget *budget)
{
	struct merged_lane *w = ctx;
	struct lane *lane = w->lane;

	if (!w->link) {
		w->t[lane->samples.n] = w->now;
		times_pack(&lane->samples.times, w->t, lane->samples.n + 1, 0);
		w->t = NULL;
		lane->t1 = lane->sampled_t1 = w->now;
		w->link = lane_link_begin(lane, w->frames);
	}
	return lane_link_work(w->link, budget);
}

/* ---- the whole ---- */

static const struct phase phases_of_lane[] = {
	{ begin_count, count_children, NULL },
	{ begin_sums, add_counts, NULL },
	{ begin_items, place_children, NULL },
	{ NULL, NULL, sort_children },
	{ begin_walk, walk, NULL },
	{ NULL, NULL, build_tree },
	{ begin_leaves, place_leaves, NULL },
	{ NULL, NULL, link_samples },
	{ NULL, NULL, NULL },
};

struct merged_lane *merged_lane_begin(const struct merged_tree *tree, struct lane *lane,
				      const struct frame *frames)
{
	struct merged_lane *w = xcalloc(1, sizeof *w);

	w->tree = *tree;
	w->lane = lane;
	w->frames = frames;
	return w;
}

bool merged_lane_work(struct merged_lane *w, struct budget *budget)
{
	return phases_work(&w->phases, phases_of_lane, w, budget);
}

void merged_lane_free(struct merged_lane *w)
{
	if (!w)
		return;
	if (w->calltree)
		calltree_end(w->calltree);
	if (w->link)
		lane_link_end(w->link);
	sort_end(w->sorting);
	free(w->items);
	free(w->first);
	free(w->stack);
	free(w->parent);
	free(w->order);
	free(w->origin);
	free(w->frame);
	free(w->t);
	free(w);
}

node_id *merged_lane_origins(const struct merged_lane *w)
{
	node_id *origins = xmalloc((size_t)w->n * sizeof *origins);

	for (uint32_t i = 0; i < w->n; i++)
		origins[w->order[i]] = w->origin[i];
	return origins;
}
