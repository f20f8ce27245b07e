/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A walk makes the rows below a row when it comes to it, and forgets them behind it. Where stacks
 * are deep, all walks share an order of the nodes, in which the rows below a row are found by
 * bisection. */
#include "config.h"

#include "analyse/rows/rows_walk.h"

#include "analyse/rows/rows.h"
#include "base/alloc.h"
#include "base/sort.h"

#include <stdlib.h>
#include <string.h>

/* ==== rows order ====
 *
 * Nodes get a rank by the functions on their stacks, leaf first: at first by their own function,
 * then by 2, 4, 8 ... functions. A round combines the rank of a node with the rank of the ancestor
 * at which the first half of its functions ends (prefix doubling, as for suffix arrays). The root
 * has the lowest rank and is its own ancestor, so a stack comes before those that continue it.
 *
 * Inside a row, all stacks begin with the same functions. Those that end there come first; the
 * others are sorted by the next function, so that the end of each group is found by bisection. */

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

/* Whether the stacks are so deep that the order costs less than visits of all nodes in all rows. */
static bool rows_order_pays(const struct totals *totals)
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

static struct rows_order *rows_order_new(const struct totals *totals)
{
	const struct calltree *tree = totals->view->tree;
	ALLOC_LOCAL node_id *nodes = sort_nodes(tree, totals->n_frames);
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
	return o;
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

/* The items of a function. Borrowed. */
static struct row_item *rows_order_find(const struct rows_order *o, frame_id frame, uint32_t *n)
{
	const frame_id *frames = o->totals->view->tree->frame;
	size_t low = 0;

	SORT_BISECT(low, o->n, mid, frames[o->items[mid].first] < frame);
	*n = low < o->n && frames[o->items[low].first] == frame
		? find_end(o, o->items, (uint32_t)low, o->n, 0) - (uint32_t)low
		: 0;
	return o->items + low;
}

bool rows_order_next(const struct rows_order *o, const struct row *row, uint32_t *at,
		     struct rows_group *group)
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

/* ==== rows walk ====
 *
 * A stack of rows: the next row is taken from it, and the rows below that row are put onto it when
 * the walk goes on.
 *
 * Items: bottom-up, all rows are parts of the items of the first one, in place (rows.c); if
 * stacks are deep, of the items of an order that all walks share ("rows order" above).
 * Top-down, the items of the rows below a row stand behind those of its siblings, and give their
 * place up when the walk returns to that level. */

struct rows_walk_row {
	struct row row;
	size_t first; /* index of its first item */
};

static void push(struct rows_walk *w, const struct row *row, size_t first)
{
	*ARRAY_ADD(w->stack, w->n, w->cap) = (struct rows_walk_row){ *row, first };
}

/* Copy items behind those of a level. Returns the index of the first one. */
static size_t keep_items(struct rows_walk *w, int depth, const struct row_item *items, size_t n)
{
	size_t at = depth > 0 ? w->end[depth - 1] : 0;

	w->items = xgrow(w->items, &w->cap_items, at + n, sizeof *w->items);
	memcpy(w->items + at, items, n * sizeof *items);
	w->end = xgrow(w->end, &w->cap_end, (size_t)depth + 1, sizeof *w->end);
	w->end[depth] = at + n;
	return at;
}

/* The array of which all rows of the walk have a part. */
static struct row_item *items_of(const struct rows_walk *w)
{
	return w->rows->order ? w->rows->order->items : w->items;
}

/* Bottom-up: find the items of the first row. Returns the index of the first one. */
static size_t find_first(struct rows_walk *w, size_t at, struct row *row)
{
	struct rows *rows = w->rows;

	if (!rows->is_weighed && !rows->filter && rows_order_pays(rows->totals))
		rows->order = rows_order_new(rows->totals);
	rows->is_weighed = true;
	if (rows->order)
		return (size_t)(rows_order_find(rows->order, row->frame, &row->n_items) -
				rows->order->items);
	free(w->items);
	w->items = rows_find_items(rows, at, &row->n_items);
	w->cap_items = row->n_items;
	return 0;
}

void rows_walk_begin(struct rows_walk *w, struct rows *rows, size_t at)
{
	struct row row;
	size_t first = 0;

	rows_open_cancel(rows);
	row = rows->rows[at];
	w->rows = rows;
	w->has_current = false;
	w->n = 0;
	if (rows->kind == ROWS_TOPDOWN)
		keep_items(w, 0, row.items, row.n_items);
	else
		first = find_first(w, at, &row);
	push(w, &row, first);
}

const struct row *rows_walk_next(struct rows_walk *w)
{
	if (w->has_current && w->current.can_open) {
		/* Put the rows below the current one onto the stack. */
		const struct rows_below *b;
		const struct row_item *base = items_of(w);
		size_t at = 0;

		rows_below_make(w->rows, &w->current);
		b = w->rows->below;
		if (b->n && w->rows->kind == ROWS_TOPDOWN) {
			base = b->items;
			at = keep_items(w, w->current.depth + 1, b->items, b->n_items);
		}
		for (size_t i = b->n; i-- > 0;)
			push(w, &b->made[i], at + (size_t)(b->made[i].items - base));
	}
	w->has_current = w->n > 0;
	if (!w->has_current)
		return NULL;
	w->n--;
	w->current = w->stack[w->n].row;
	w->current.items = items_of(w) + w->stack[w->n].first;
	return &w->current;
}

uint64_t rows_walk_skip(struct rows_walk *w)
{
	const struct rows *rows = w->rows;
	const struct row *row;
	uint64_t n = 0;

	while ((row = rows_walk_next(w))) {
		n++;
		/* The callers of a single node are one row on each level up to the root. */
		if (rows->kind == ROWS_BOTTOMUP && row->n_items == 1 && !rows->filter) {
			n += rows->totals->view->tree->rows[row->items[0].first] -
				(unsigned)row->depth - 1;
			w->current.can_open = false;
		}
	}
	return n;
}
