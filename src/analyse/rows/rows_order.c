/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Nodes get a rank by the functions on their stacks, leaf first: at first by their own function,
 * then by 2, 4, 8 ... functions. A round combines the rank of a node with the rank of the ancestor
 * at which the first half of its functions ends (prefix doubling, as for suffix arrays). The root
 * has the lowest rank and is its own ancestor, so a stack comes before those that continue it.
 *
 * Inside a row, all stacks begin with the same functions. Those that end there come first; the
 * others are sorted by the next function, so that the end of each group is found by bisection. */
#include "config.h"

#include "analyse/rows/rows_order.h"

#include "base/alloc.h"

#include <stdlib.h>
#include <string.h>

/* Average depth from which the order pays: a round of the ranks costs as much as some dozen visits.
 */
#define DEEP 256

struct ranking {
	uint32_t n;
	uint32_t *rank, *next;     /* by node */
	node_id *up;               /* by node: the ancestor behind the functions of the rank */
	node_id *order, *spare;    /* nodes by rank */
	uint32_t *start, n_starts; /* of the counting sort */
};

bool rows_order_pays(const struct totals *totals)
{
	const struct calltree *tree = totals->view->tree;
	uint64_t depth = 0;

	if (!tree || tree->max_rows < DEEP)
		return false;
	for (node_id i = 1; i < tree->n; i++)
		depth += totals->total[i] ? tree->rows[i] : 0;
	return depth > (uint64_t)tree->n * DEEP;
}

/* Sort nodes by a number of each node's relative: stable, by counting. relative: NULL: the node
 * itself. */
static void sort_by(struct ranking *r, const uint32_t *number, const node_id *relative,
		    const node_id *from, node_id *to)
{
	memset(r->start, 0, ((size_t)r->n_starts + 1) * sizeof *r->start);
	for (uint32_t i = 0; i < r->n; i++)
		r->start[number[relative ? relative[i] : i] + 1]++;
	for (uint32_t i = 0; i < r->n_starts; i++)
		r->start[i + 1] += r->start[i];
	for (uint32_t i = 0; i < r->n; i++)
		to[r->start[number[relative ? relative[from[i]] : from[i]]]++] = from[i];
}

/* Give nodes their rank in the order: the same where both numbers are the same. Returns the number
 * of ranks. */
static uint32_t number_nodes(struct ranking *r)
{
	uint32_t rank = 0;
	node_id last = r->order[0];

	for (uint32_t i = 0; i < r->n; i++) {
		node_id k = r->order[i];

		rank += r->rank[k] != r->rank[last] || r->rank[r->up[k]] != r->rank[r->up[last]];
		r->next[k] = rank;
		last = k;
	}
	memcpy(r->rank, r->next, r->n * sizeof *r->rank);
	return rank + 1;
}

/* Sort all nodes of the tree; the root is the first one. */
static node_id *sort_nodes(const struct calltree *tree, uint32_t n_frames)
{
	uint32_t n = tree->n, n_starts = n > n_frames ? n : n_frames;
	struct ranking r = {
		.n = n,
		.rank = xmalloc(n * sizeof *r.rank),
		.next = xmalloc(n * sizeof *r.next),
		.up = xmalloc(n * sizeof *r.up),
		.order = xmalloc(n * sizeof *r.order),
		.spare = xmalloc(n * sizeof *r.spare),
		.start = xmalloc(((size_t)n_starts + 2) * sizeof *r.start),
		.n_starts = n_starts + 1,
	};
	uint32_t n_ranks = 0;

	for (node_id i = 0; i < n; i++) {
		r.rank[i] = i == NODE_ROOT ? 0 : tree->frame[i];
		r.spare[i] = i;
		r.up[i] = NODE_ROOT;
	}
	sort_by(&r, r.rank, NULL, r.spare, r.order);
	number_nodes(&r);
	memcpy(r.up, tree->parent, n * sizeof *r.up);
	for (unsigned done = 1; done <= tree->max_rows && n_ranks < n; done *= 2) {
		sort_by(&r, r.rank, r.up, r.order, r.spare);
		sort_by(&r, r.rank, NULL, r.spare, r.order);
		n_ranks = number_nodes(&r);
		/* Descending: the ancestor of an ancestor is not replaced yet. */
		for (node_id i = n; i-- > 0;)
			r.up[i] = r.up[r.up[i]];
	}
	free(r.rank);
	free(r.next);
	free(r.up);
	free(r.spare);
	free(r.start);
	return r.order;
}

struct rows_order *rows_order_new(const struct totals *totals)
{
	const struct calltree *tree = totals->view->tree;
	node_id *nodes = sort_nodes(tree, totals->n_frames);
	struct rows_order *o = xcalloc(1, sizeof *o);
	uint64_t self = 0, total = 0;

	o->totals = totals;
	o->items = xmalloc(tree->n * sizeof *o->items);
	o->self = xmalloc(((size_t)tree->n + 1) * sizeof *o->self);
	o->total = xmalloc(((size_t)tree->n + 1) * sizeof *o->total);
	o->self[0] = o->total[0] = 0;
	for (uint32_t i = 1; i < tree->n; i++) {
		node_id k = nodes[i];

		/* The time of the others is that of an outer call, or there is none. */
		if (!totals->total[k] || (!totals->self[k] && !tree->is_outer[k]))
			continue;
		self += (uint64_t)totals->self[k];
		total += (uint64_t)totals_outer(totals, k);
		o->items[o->n++] = (struct row_item){ k, k };
		o->self[o->n] = self;
		o->total[o->n] = total;
	}
	free(nodes);
	return o;
}

void rows_order_free(struct rows_order *o)
{
	if (!o)
		return;
	free(o->items);
	free(o->self);
	free(o->total);
	free(o);
}

/* The function `depth` calls above an item. */
static frame_id frame_above(const struct rows_order *o, const struct row_item *item, unsigned depth)
{
	const struct calltree *tree = o->totals->view->tree;

	return tree->frame[calltree_ancestor(tree, item->first, tree->rows[item->first] - depth)];
}

/* The index behind the last item of [from, end) with the same function `depth` calls above it as
 * the first one. */
static uint32_t find_end(const struct rows_order *o, const struct row_item *items, uint32_t from,
			 uint32_t end, unsigned depth)
{
	frame_id frame = frame_above(o, &items[from], depth);
	uint32_t low = from, step = 1;

	if (frame_above(o, &items[end - 1], depth) == frame)
		return end;
	/* Most groups are small. */
	while (step < end - low && frame_above(o, &items[low + step], depth) == frame) {
		low += step;
		step *= 2;
	}
	end = step < end - low ? low + step : end;
	while (end - low > 1) {
		uint32_t middle = low + (end - low) / 2;

		if (frame_above(o, &items[middle], depth) == frame)
			low = middle;
		else
			end = middle;
	}
	return end;
}

struct row_item *rows_order_find(const struct rows_order *o, frame_id frame, uint32_t *n)
{
	const frame_id *frames = o->totals->view->tree->frame;
	uint32_t low = 0, end = o->n;

	while (low < end) {
		uint32_t middle = low + (end - low) / 2;

		if (frames[o->items[middle].first] < frame)
			low = middle + 1;
		else
			end = middle;
	}
	*n = low < o->n && frames[o->items[low].first] == frame
		? find_end(o, o->items, low, o->n, 0) - low
		: 0;
	return o->items + low;
}

bool rows_order_next(const struct rows_order *o, const struct row *row, uint32_t *at,
		     struct rows_order_group *group)
{
	const uint16_t *rows = o->totals->view->tree->rows;
	unsigned depth = (unsigned)row->depth + 1;
	size_t first = (size_t)(row->items - o->items), start, end;

	/* The stacks that end here; their nodes have no caller. */
	while (*at < row->n_items && rows[row->items[*at].first] <= depth)
		++*at;
	if (*at == row->n_items)
		return false;
	group->frame = frame_above(o, &row->items[*at], depth);
	group->start = *at;
	*at = find_end(o, row->items, *at, row->n_items, depth);
	group->n = *at - group->start;
	start = first + group->start;
	end = first + *at;
	group->self = (int64_t)(o->self[end] - o->self[start]);
	group->total = (int64_t)(o->total[end] - o->total[start]);
	return true;
}
