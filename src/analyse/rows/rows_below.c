/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The items of the new rows are grouped by their frame: each frame gets a group when it is seen
 * first, then the items are moved to their group's place. Nothing is compared, so the cost is in
 * proportion to the items.
 *
 * Bottom-up, the items of a row are nodes of one function, each with the ancestor that stands on
 * the row's level. Time does not change on the way up. So a level needs no items of its own: those
 * that have a caller are moved behind those that have none, and the rows below are parts of the
 * rest. A recursion of n levels needs n items for all of its rows, not n for each. */
#include "config.h"

#include "analyse/rows/rows_below.h"

#include "analyse/rows/rows.h"
#include "base/alloc.h"

#include <stdlib.h>
#include <string.h>

static void rows_below_make(struct rows *rows, const struct row *row);

/* ==== rows order ====
 *
 * Nodes get a rank by the functions on their stacks, leaf first: at first by their own function,
 * then by 2, 4, 8 ... functions. A round combines the rank of a node with the rank of the ancestor
 * at which the first half of its functions ends (prefix doubling, as for suffix arrays). The root
 * has the lowest rank and is its own ancestor, so a stack comes before those that continue it.
 *
 * Inside a row, all stacks begin with the same functions. Those that end there come first; the
 * others are sorted by the next function, so that the end of each group is found by bisection. */

/* The items of a row below the first level, or of the first level, by the function that called
 * them. `at` is the number of items of the row that were given before; it starts at 0. The result
 * is false if no more have a caller. */
struct rows_order_group {
	frame_id frame;
	uint32_t start, n; /* inside of the items of the row */
	int64_t self, total;
};

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

/* The items of a function. Borrowed. */
static struct row_item *rows_order_find(const struct rows_order *o, frame_id frame, uint32_t *n)
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

static bool rows_order_next(const struct rows_order *o, const struct row *row, uint32_t *at,
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

/* ==== rows walk ====
 *
 * A stack of rows: the next row is taken from it, and the rows below that row are put onto it when
 * the walk goes on.
 *
 * Items: bottom-up, all rows are parts of the items of the first one, in place (rows_below.c); if
 * stacks are deep, of the items of an order that all walks share ("rows order" below).
 * Top-down, the items of the rows below a row stand behind those of its siblings, and give their
 * place up when the walk returns to that level. */

struct rows_walk_row {
	struct row row;
	size_t first; /* index of its first item */
};

static void push(struct rows_walk *w, const struct row *row, size_t first)
{
	w->stack = xgrow(w->stack, &w->cap, w->n + 1, sizeof *w->stack);
	w->stack[w->n++] = (struct rows_walk_row){ *row, first };
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

void rows_walk_done(struct rows_walk *w)
{
	free(w->stack);
	free(w->items);
	free(w->end);
	*w = (struct rows_walk){ 0 };
}

/* Put the rows below the current one onto the stack. */
static void push_below(struct rows_walk *w)
{
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

const struct row *rows_walk_next(struct rows_walk *w)
{
	if (w->has_current && w->current.can_open)
		push_below(w);
	w->has_current = w->n > 0;
	if (!w->has_current)
		return NULL;
	w->n--;
	w->current = w->stack[w->n].row;
	w->current.items = items_of(w) + w->stack[w->n].first;
	return &w->current;
}

void rows_walk_pass(struct rows_walk *w)
{
	w->current.can_open = false;
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

/* ==== rows below ==== */

/* Units of work of an item, whose node stands anywhere, and of a row with its items and frame. */
#define ITEM_WORK 4
#define ROW_WORK 8

/* What is to be done next. */
enum { BELOW_FIND, BELOW_PLACE, BELOW_ADD, BELOW_KEYS, BELOW_SORT, BELOW_ROWS };

struct rows_group {
	frame_id frame;
	uint32_t n, start; /* its items */
	int64_t self, total;
};

static struct rows_below *get_below(struct rows *rows)
{
	if (!rows->below) {
		rows->below = xcalloc(1, sizeof *rows->below);
		rows->below->group_of = xcalloc((size_t)rows->totals->n_frames + 1,
						sizeof *rows->below->group_of);
	}
	return rows->below;
}

void rows_below_free(struct rows_below *b)
{
	if (!b)
		return;
	free(b->made);
	free(b->items);
	free(b->found);
	free(b->groups);
	free(b->group_of);
	free(b->keys);
	sort_end(b->sorting);
	free(b);
}

static struct rows_group *find_group(struct rows_below *b, frame_id frame)
{
	if (!b->group_of[frame]) {
		b->groups = xgrow(b->groups, &b->cap_groups, (size_t)b->n_groups + 1,
				  sizeof *b->groups);
		b->groups[b->n_groups] = (struct rows_group){ .frame = frame };
		b->group_of[frame] = ++b->n_groups;
	}
	return &b->groups[b->group_of[frame] - 1];
}

/* Copy n items to the places of their groups. is_in_order: they stand in the order in which the
 * groups were found. *is_moved: false if they are in their places already. Returns whether this is
 * done. */
static bool place_items(struct rows_below *b, const struct calltree *tree,
			const struct row_item *from, struct row_item *to, uint32_t n,
			bool is_in_order, bool *is_moved, struct budget *budget)
{
	uint32_t start = 0;

	*is_moved = b->n_groups > 1 && !(is_in_order && b->n_groups == n);
	for (uint32_t g = 0; b->at == 0 && g < b->n_groups; g++) {
		b->groups[g].start = start;
		start += b->groups[g].n;
	}
	while (*is_moved && b->at < n) {
		const struct row_item item = from[b->at++];

		to[b->groups[b->group_of[tree->frame[item.now]] - 1].start++] = item;
		if (budget_use(budget, ITEM_WORK))
			return false;
	}
	for (uint32_t g = 0; *is_moved && g < b->n_groups; g++)
		b->groups[g].start -= b->groups[g].n;
	return true;
}

/* ---- top-down ---- */

static void add_callee(struct rows_below *b, const struct totals *totals, node_id k)
{
	struct rows_group *group;

	if (!totals->total[k])
		return;
	b->found = xgrow(b->found, &b->cap_found, b->n_items + 1, sizeof *b->found);
	b->found[b->n_items++] = (struct row_item){ k, k };
	group = find_group(b, totals->view->tree->frame[k]);
	group->n++;
	group->self += totals->self[k];
	group->total += totals->total[k];
}

/* Find the items below those of the row: the nodes that they call, with time. */
static bool find_callees(struct rows *rows, const struct row *row, struct budget *budget)
{
	const uint32_t *end = rows->totals->view->tree->end;
	struct rows_below *b = rows->below;

	for (; b->at < row->n_items; b->at++, b->callee = 0) {
		node_id top = row->items[b->at].now, k = b->callee ? b->callee : top + 1;

		while (k < end[top]) {
			add_callee(b, rows->totals, k);
			k = end[k];
			b->callee = k;
			if (budget_use(budget, ITEM_WORK))
				return false;
		}
	}
	return true;
}

static bool place_callees(struct rows *rows, struct budget *budget)
{
	struct rows_below *b = rows->below;
	bool is_moved;

	if (b->n_items == 0)
		return true;
	b->items = xgrow(b->items, &b->cap_items, b->n_items, sizeof *b->items);
	if (!place_items(b, rows->totals->view->tree, b->found, b->items, (uint32_t)b->n_items,
			 true, &is_moved, budget))
		return false;
	if (!is_moved)
		memcpy(b->items, b->found, b->n_items * sizeof *b->items);
	b->of_made = b->items;
	return true;
}

/* ---- bottom-up ---- */

/* Move the items of a row on to their callers. Those that end here come first then: they were
 * called by nothing, or have no time. Below the first level all have time. */
static bool move_up(struct rows *rows, const struct row *row, struct budget *budget)
{
	const struct totals *totals = rows->totals;
	const struct calltree *tree = totals->view->tree;
	struct row_item *items = row->items;
	struct rows_below *b = rows->below;
	struct rows_group *group = NULL;

	while (b->at < row->n_items) {
		uint32_t i = b->at++;
		const struct row_item item = items[i];
		node_id above = tree->parent[item.now];

		if (above == NODE_ROOT ||
		    (row->depth == 0 && !totals->self[item.first] && !tree->is_outer[item.first])) {
			items[i] = items[b->n_ended];
			items[b->n_ended++] = item;
		} else {
			frame_id frame = tree->frame[above];

			items[i].now = above;
			if (!group || group->frame != frame)
				group = find_group(b, frame);
			group->n++;
		}
		if (budget_use(budget, ITEM_WORK))
			return false;
	}
	b->of_made = items + b->n_ended;
	return true;
}

static bool place_callers(struct rows *rows, const struct row *row, struct budget *budget)
{
	struct rows_below *b = rows->below;
	uint32_t n = row->n_items - b->n_ended;
	bool is_moved;

	if (n == 0)
		return true;
	if (b->at == 0)
		b->found = xgrow(b->found, &b->cap_found, b->n_groups == 1 ? 1 : n,
				 sizeof *b->found);
	if (!place_items(b, rows->totals->view->tree, b->of_made, b->found, n, false, &is_moved,
			 budget))
		return false;
	if (is_moved)
		memcpy(b->of_made, b->found, n * sizeof *b->found);
	return true;
}

static void add_time(const struct totals *totals, const struct row_item *item, int64_t *self,
		     int64_t *total)
{
	*self += totals->self[item->first];
	*total += totals_outer(totals, item->first);
}

/* The times of the groups. The largest group gets what the others and the ended items leave of the
 * row: along a recursion only a few items of each level have to be added up. */
static bool add_times(struct rows *rows, const struct row *row, struct budget *budget)
{
	struct rows_below *b = rows->below;
	uint32_t largest = 0;
	int64_t self, total;

	for (uint32_t g = 1; g < b->n_groups; g++)
		if (b->groups[g].n > b->groups[largest].n)
			largest = g;
	for (; b->at < b->n_groups; b->at++, b->item = 0) {
		struct rows_group *group = &b->groups[b->at];

		while (b->at != largest && b->item < group->n) {
			add_time(rows->totals, &b->of_made[group->start + b->item++], &group->self,
				 &group->total);
			if (budget_use(budget, ITEM_WORK))
				return false;
		}
	}
	while (b->item < b->n_ended) {
		add_time(rows->totals, &row->items[b->item++], &b->ended_self, &b->ended_total);
		if (budget_use(budget, ITEM_WORK))
			return false;
	}
	self = row->self - b->ended_self;
	total = row->total - b->ended_total;
	for (uint32_t g = 0; g < b->n_groups; g++) {
		self -= g == largest ? 0 : b->groups[g].self;
		total -= g == largest ? 0 : b->groups[g].total;
	}
	b->groups[largest].self = self;
	b->groups[largest].total = total;
	return true;
}

/* The same by the order: nothing moves, and only a few items are visited. */
static void find_callers_in_order(struct rows *rows, const struct row *row)
{
	struct rows_order_group in_order;
	uint32_t at = 0;

	while (rows_order_next(rows->order, row, &at, &in_order)) {
		struct rows_group *group = find_group(rows->below, in_order.frame);

		group->start = in_order.start;
		group->n = in_order.n;
		group->self = in_order.self;
		group->total = in_order.total;
	}
	rows->below->of_made = row->items;
}

/* ---- the rows ---- */

bool rows_below_can_open(const struct rows *rows, const struct row *row)
{
	const struct totals *totals = rows->totals;
	const struct calltree *tree = totals->view->tree;

	for (uint32_t i = 0; i < row->n_items; i++) {
		const struct row_item *item = &row->items[i];

		if (rows->kind == ROWS_BOTTOMUP
			    ? tree->rows[item->first] > row->depth + 1
			    : totals->total[item->now] > totals->self[item->now])
			return true;
	}
	return false;
}

bool rows_below_stays(const struct rows *rows, const struct row *row)
{
	for (uint32_t i = 0; i < row->n_items; i++)
		if (rows->keep[row->items[i].now])
			return true;
	return false;
}

static struct row make_row(const struct rows *rows, const struct row *above,
			   const struct rows_group *group, struct row_item *items)
{
	struct row row = { .frame = group->frame,
			   .depth = above->depth + 1,
			   .self = group->self,
			   .total = group->total,
			   .items = items + group->start,
			   .n_items = group->n };

	row.can_open = rows_below_can_open(rows, &row);
	row.is_free = rows->filter && above->depth >= 0 &&
		(above->is_free || rows->filter[above->frame]);
	return row;
}

/* For a sort by a comparison: the key of a group of calls. */
static void compare(const struct rows *rows, const struct rows_group *group, struct rows_key *key)
{
	/* Not on the first level, which functions have bottom-up. */
	const struct row row = { .frame = group->frame,
				 .depth = 1,
				 .total = group->total,
				 .items = rows->below->of_made + group->start,
				 .n_items = group->n };
	int64_t here, all;

	key->second = group->total;
	if (rows_change_of_row(&rows->change, &row, &here, &all))
		key->first = rows_compared_key(rows, here, all);
}

/* Make the keys by which the rows of the groups are sorted. */
static bool make_keys(struct rows *rows, struct budget *budget)
{
	struct rows_below *b = rows->below;
	uint32_t n = b->n_groups;

	if (b->at == 0 && n > 0) {
		b->made = xgrow(b->made, &b->cap, n, sizeof *b->made);
		b->keys = xgrow(b->keys, &b->cap_keys, 2 * (size_t)n, sizeof *b->keys);
	}
	while (b->at < n) {
		uint32_t g = b->at++;
		const struct rows_group *group = &b->groups[g];

		b->group_of[group->frame] = 0;
		b->keys[g] = rows_sort_key(rows->sort, group->frame, group->self, group->total, g);
		if (rows_are_compared(rows) &&
		    (rows->change.after || rows->change.is_of_calls))
			compare(rows, group, &b->keys[g]);
		if (budget_use(budget, ITEM_WORK))
			return false;
	}
	return true;
}

/* Make the rows of the groups, in display order. Returns false when the budget is spent. */
static bool make_rows(struct rows *rows, const struct row *above, struct budget *budget)
{
	struct rows_below *b = rows->below;
	uint32_t n = b->n_groups;

	while (b->n_taken < n) {
		uint32_t i = b->n_taken++;
		const struct rows_group *group =
			&b->groups[b->keys[rows->is_reversed ? n - 1 - i : i].at];
		struct row row = make_row(rows, above, group, b->of_made);

		if (!rows->filter || row.is_free || rows_below_stays(rows, &row))
			b->made[b->n++] = row;
		if (budget_use(budget, ROW_WORK))
			return false;
	}
	return true;
}

static void begin_below(struct rows *rows, const struct row *row, bool is_in_order)
{
	struct rows_below *b = get_below(rows);

	rows_below_drop(rows);
	b->n = b->n_items = b->n_groups = b->n_taken = b->n_ended = 0;
	b->ended_self = b->ended_total = 0;
	b->step = BELOW_FIND;
	b->at = b->item = b->callee = 0;
	if (is_in_order && rows->kind == ROWS_BOTTOMUP) {
		find_callers_in_order(rows, row);
		b->step = BELOW_KEYS;
	}
}

void rows_below_drop(struct rows *rows)
{
	struct rows_below *b = rows->below;

	if (!b)
		return;
	for (uint32_t g = 0; b->step <= BELOW_KEYS && g < b->n_groups; g++)
		b->group_of[b->groups[g].frame] = 0;
	b->n_groups = 0;
	sort_end(b->sorting);
	b->sorting = NULL;
}

void rows_below_begin(struct rows *rows, const struct row *row)
{
	begin_below(rows, row, false);
}

static bool work(struct rows *rows, const struct row *row, struct budget *budget)
{
	struct rows_below *b = rows->below;
	bool is_topdown = rows->kind == ROWS_TOPDOWN;

	switch (b->step) {
	case BELOW_FIND:
		return is_topdown ? find_callees(rows, row, budget) : move_up(rows, row, budget);
	case BELOW_PLACE:
		return is_topdown ? place_callees(rows, budget) : place_callers(rows, row, budget);
	case BELOW_ADD:
		return is_topdown || b->n_groups == 0 || add_times(rows, row, budget);
	case BELOW_KEYS:
		return make_keys(rows, budget);
	case BELOW_SORT:
		return b->n_groups == 0 ||
			rows_sort_step(&b->sorting, rows->totals->view, b->keys, b->n_groups,
				       budget);
	default:
		return make_rows(rows, row, budget);
	}
}

bool rows_below_step(struct rows *rows, const struct row *row, struct budget *budget)
{
	struct rows_below *b = rows->below;

	while (work(rows, row, budget)) {
		if (b->step == BELOW_ROWS)
			return true;
		b->step++;
		b->at = b->item = 0;
	}
	return false;
}

/* Make the rows below `row`, whose items must be known; the filter leaves rows out. The result is
 * in rows->below until the next call.
 *
 * Top-down: the items of the new rows are in below->items; a caller that keeps the rows copies
 * them. Bottom-up: the items of the row move on to their callers and are grouped in place, so the
 * new rows share the row's array. With rows->order, the items are those of the order and stay where
 * they are. */
static void rows_below_make(struct rows *rows, const struct row *row)
{
	begin_below(rows, row, rows->order != NULL);
	rows_below_step(rows, row, BUDGET_UNLIMITED);
}
