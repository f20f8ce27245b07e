/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A row stands for a set of nodes. Opening a top-down row groups the nodes that they call by
 * function. Opening a bottom-up row replaces each node by its parent and groups those. So opening a
 * level costs time in proportion to its nodes, and no level is computed before it is opened.
 *
 * Memory: a top-down row that is open owns the items of the rows below it, which are different
 * nodes in each row. A bottom-up row on the first level owns the items of all rows below it, of
 * which each one is a part ("rows below"). Closing a row frees what it owns. */
#include "config.h"

#include "analyse/rows/rows.h"

#include "analyse/rows/rows_sort.h"
#include "analyse/rows/rows_walk.h"
#include "base/alloc.h"
#include "base/sort.h"

#include <stdlib.h>
#include <string.h>

/* ==== rows below ====
 *
 * The items of the new rows are grouped by their frame: each frame gets a group when it is seen
 * first, then the items are moved to their group's place. Nothing is compared, so the cost is in
 * proportion to the items.
 *
 * Bottom-up, the items of a row are nodes of one function, each with the ancestor that stands on
 * the row's level. Time does not change on the way up. So a level needs no items of its own: those
 * that have a caller are moved behind those that have none, and the rows below are parts of the
 * rest. A recursion of n levels needs n items for all of its rows, not n for each. */

/* Units of work of an item, whose node stands anywhere, and of a row with its items and frame. */
#define ITEM_WORK 4
#define ROW_WORK 8

/* What is to be done next. */
enum { BELOW_FIND, BELOW_PLACE, BELOW_ADD, BELOW_KEYS, BELOW_SORT, BELOW_ROWS };

/* Whether rows are sorted by a comparison: the change or, of two sides, one of their times. */
static inline bool rows_are_compared(const struct rows *rows)
{
	return rows->change.after ? rows->sort != ROWS_BY_NAME : rows->sort == ROWS_BY_CHANGE;
}

/* The key of a row then; here, all: as of rows_change_of_row(). */
static inline int64_t rows_compared_key(const struct rows *rows, int64_t here, int64_t all)
{
	return rows->sort == ROWS_BY_SELF     ? here
		: rows->sort == ROWS_BY_TOTAL ? all
					      : rows_change_key(&rows->change, here, all);
}

static struct rows_below *get_below(struct rows *rows)
{
	if (!rows->below) {
		rows->below = xcalloc(1, sizeof *rows->below);
		rows->below->group_of = xcalloc((size_t)rows->totals->n_frames + 1,
						sizeof *rows->below->group_of);
	}
	return rows->below;
}

static void rows_below_free(struct rows_below *b)
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
	*ARRAY_ADD(b->found, b->n_items, b->cap_found) = (struct row_item){ k, k };
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
	struct rows_group group;
	uint32_t at = 0;

	while (rows_order_next(rows->order, row, &at, &group))
		*find_group(rows->below, group.frame) = group;
	rows->below->of_made = row->items;
}

/* ---- the rows ---- */

/* Whether a row whose items are known has rows below it, without a filter. */
static bool rows_below_can_open(const struct rows *rows, const struct row *row)
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

/* Whether it passes the filter. */
static bool rows_below_stays(const struct rows *rows, const struct row *row)
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
		if (rows_are_compared(rows) && (rows->change.after || rows->change.is_of_calls))
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

static void rows_below_drop(struct rows *rows)
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

/* Begin to make the rows below a row, and call rows_below_step() with the same row until the result
 * is true. Nothing else may be done to the rows meanwhile, except to drop the steps, or to free the
 * rows. Bottom-up, each item of the row is then on its own level or on that of its caller. */
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

static bool rows_below_step(struct rows *rows, const struct row *row, struct budget *budget)
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

void rows_below_make(struct rows *rows, const struct row *row)
{
	begin_below(rows, row, rows->order != NULL);
	rows_below_step(rows, row, BUDGET_UNLIMITED);
}

/* ==== rows first ====
 *
 * Only the sort takes long: it is done in steps. Between two of them, memory may become short. */

/* Whether there is memory of `bytes` for the first rows (base/alloc.h); if not, rows->is_lacking
 * is set. */
static bool rows_first_has_room(struct rows *rows, size_t bytes)
{
	rows->is_lacking |= !reserve_has_room(bytes);
	return !rows->is_lacking;
}

/* The keys of the functions, with room for as many again. */
static struct rows_key *function_keys(const struct rows *rows)
{
	const struct totals *totals = rows->totals;
	struct rows_key *keys = xmalloc(2 * (size_t)totals->n_used * sizeof *keys);

	for (uint32_t i = 0; i < totals->n_used; i++) {
		frame_id f = totals->used[i];
		int64_t here = totals->frame_self[f], all;

		keys[i] = rows_sort_key(rows->sort, f, totals->frame_self[f],
					totals->frame_total[f], i);
		if (rows_are_compared(rows) && (rows->change.after || !rows->change.is_of_calls) &&
		    rows_change_of_function(&rows->change, f, &here, &all))
			keys[i].first = rows_compared_key(rows, here, all);
	}
	return keys;
}

/* Make the first level of a bottom-up tree, straight from the totals. Returns true when its rows
 * are there, or memory for them is refused; until then there are none. The nodes of a function are
 * looked up when its row is opened. */
static bool rows_first_functions(struct rows *rows, struct budget *budget)
{
	const struct totals *totals = rows->totals;
	struct rows_making *m = &rows->making;
	size_t n = totals->n_used;

	if (n == 0)
		return true;
	if (!m->keys && !rows_first_has_room(rows, n * (3 * sizeof *m->keys + sizeof *rows->rows)))
		return true;
	if (!m->keys)
		m->keys = function_keys(rows);
	if (!rows_sort_step(&m->sorting, totals->view, m->keys, n, budget))
		return false;
	if (!rows_first_has_room(rows, n * sizeof *rows->rows))
		return true;
	rows->rows = xgrow(rows->rows, &rows->cap, n, sizeof *rows->rows);
	for (size_t i = 0; i < n; i++) {
		frame_id f = m->keys[rows->is_reversed ? n - 1 - i : i].frame;

		rows->rows[i] = (struct row){ .frame = f,
					      .self = totals->frame_self[f],
					      .total = totals->frame_total[f],
					      .can_open = totals->is_called[f] };
	}
	rows->n = n;
	free(m->keys);
	m->keys = NULL;
	return true;
}

/* ==== rows ==== */

/* The nodes of all functions, sorted by function with a counting sort. Made when the first row is
 * opened. */
static void index_nodes(struct rows *rows)
{
	const struct totals *totals = rows->totals;
	const struct calltree *tree = totals->view->tree;
	uint32_t *start = xcalloc((size_t)totals->n_frames + 2, sizeof *start);

	for (node_id i = 1; i < tree->n; i++)
		start[tree->frame[i] + 2] += totals->total[i] != 0;
	for (uint32_t f = 2; f < totals->n_frames + 2; f++)
		start[f] += start[f - 1];
	rows->of_frame = xmalloc((size_t)start[totals->n_frames + 1] * sizeof *rows->of_frame);
	for (node_id i = 1; i < tree->n; i++)
		if (totals->total[i] != 0)
			rows->of_frame[start[tree->frame[i] + 1]++] = i;
	rows->frame_start = start;
}

/* The nodes of a function with time. */
static const node_id *nodes_of(struct rows *rows, frame_id frame, uint32_t *n)
{
	uint32_t first;

	if (!rows->frame_start)
		index_nodes(rows);
	first = rows->frame_start[frame];
	*n = rows->frame_start[frame + 1] - first;
	return rows->of_frame + first;
}

struct row_item *rows_find_items(struct rows *rows, size_t at, uint32_t *n)
{
	const node_id *nodes = nodes_of(rows, rows->rows[at].frame, n);
	struct row_item *items = xmalloc((size_t)*n * sizeof *items);

	for (uint32_t i = 0; i < *n; i++)
		items[i] = (struct row_item){ nodes[i], nodes[i] };
	return items;
}

/* Insert the rows that were made below `above` at index `where`. Top-down, `items` is the memory
 * for their items. */
static void insert_made(struct rows *rows, size_t where, struct row_item *items)
{
	const struct rows_below *b = rows->below;

	if (b->n == 0)
		return;
	rows->rows = xgrow(rows->rows, &rows->cap, rows->n + b->n, sizeof *rows->rows);
	memmove(rows->rows + where + b->n, rows->rows + where,
		(rows->n - where) * sizeof *rows->rows);
	memcpy(rows->rows + where, b->made, b->n * sizeof *rows->rows);
	rows->n += b->n;
	if (rows->kind == ROWS_BOTTOMUP)
		return;
	for (size_t i = 0; i < b->n; i++)
		rows->rows[where + i].items = items + (b->made[i].items - b->items);
}

/* The items of the rows made last, on the heap. */
static struct row_item *copy_items(const struct rows_below *b)
{
	struct row_item *items = xmalloc(b->n_items * sizeof *items);

	memcpy(items, b->items, b->n_items * sizeof *items);
	return items;
}

/* Free what a row owns; closed rows own nothing. */
static void forget_items(const struct rows *rows, struct row *row)
{
	free(row->owned);
	row->owned = NULL;
	if (rows->kind == ROWS_BOTTOMUP && row->depth == 0)
		row->items = NULL;
}

/* Nodes without time are not shown and do not keep a row. */
static void find_kept(struct rows *rows)
{
	const struct totals *totals = rows->totals;
	const struct calltree *tree = totals->view->tree;

	rows->keep = xcalloc((size_t)tree->n + 1, 1);
	if (rows->kind == ROWS_BOTTOMUP) {
		for (node_id i = 1; i < tree->n; i++)
			rows->keep[i] = rows->keep[tree->parent[i]] || rows->filter[tree->frame[i]];
		return;
	}
	for (node_id i = tree->n; i-- > 1;) {
		rows->keep[i] |= totals->total[i] != 0 && rows->filter[tree->frame[i]];
		rows->keep[tree->parent[i]] |= rows->keep[i];
	}
}

void rows_filter(struct rows *rows, const uint8_t *filter)
{
	bool is_about_one = rows->n > 0 && rows->rows[0].is_open;
	size_t n = 0;

	if (!rows_first_has_room(rows, (size_t)rows->totals->view->tree->n + 1))
		return;
	rows->filter = filter;
	find_kept(rows);
	if (is_about_one) {
		rows_close(rows, 0);
		rows_open(rows, 0);
		return;
	}
	for (size_t i = 0; i < rows->n; i++)
		if (rows->kind == ROWS_BOTTOMUP ? filter[rows->rows[i].frame]
						: rows_below_stays(rows, &rows->rows[i]))
			rows->rows[n++] = rows->rows[i];
	rows->n_all = rows->n;
	rows->n_first = rows->n = n;
}

/* Free what the rows [first, end) own. */
static void free_owned(struct rows *rows, size_t first, size_t end)
{
	for (size_t i = first; i < end; i++)
		free(rows->rows[i].owned);
}

void rows_done(struct rows *rows)
{
	free_owned(rows, 0, rows->making.has_row ? 1 : rows->n);
	free(rows->making.keys);
	sort_end(rows->making.sorting);
	free(rows->rows);
	free(rows->first_items);
	free(rows->keep);
	free(rows->frame_start);
	free(rows->of_frame);
	rows_below_free(rows->below);
	rows_order_free(rows->order);
	*rows = (struct rows){ 0 };
}

/* The node of an item on the level of its row. */
static node_id node_of(const struct rows *rows, const struct row *row, const struct row_item *item)
{
	const struct calltree *tree = rows->totals->view->tree;

	if (rows->kind == ROWS_TOPDOWN)
		return item->now;
	return calltree_ancestor(tree, item->first, tree->rows[item->first] - (unsigned)row->depth);
}

node_id *rows_nodes(struct rows *rows, size_t at, uint32_t *n)
{
	const struct row *row = &rows->rows[at];
	const node_id *known = NULL;
	node_id *nodes;

	*n = row->n_items;
	if (!row->items)
		known = nodes_of(rows, row->frame, n);
	nodes = xmalloc((size_t)*n * sizeof *nodes);
	for (uint32_t i = 0; i < *n; i++)
		nodes[i] = row->items ? node_of(rows, row, &row->items[i]) : known[i];
	return nodes;
}

/* How much memory the rows take before any is opened. */
static size_t rows_bytes(const struct totals *totals, enum rows_kind kind)
{
	const struct calltree *tree = totals->view->tree;

	/* The first level of a top-down tree has few rows. */
	return (kind == ROWS_BOTTOMUP
			? totals->n_used * (2 * sizeof(struct rows_key) + sizeof(struct row))
			: 0) +
		(tree ? tree->n : 0);
}

/* How much memory it takes to open a row, at most. */
static size_t bytes_below(const struct rows *rows, const struct row *row)
{
	const uint32_t *end = rows->totals->view->tree->end;
	size_t n = 0, n_rows;

	for (uint32_t i = 0; row->items && i < row->n_items && rows->kind == ROWS_TOPDOWN; i++)
		for (node_id top = row->items[i].now, k = top + 1; k < end[top]; k = end[k])
			n++;
	n = rows->kind == ROWS_TOPDOWN ? n : row->n_items;
	n_rows = n < rows->totals->n_frames ? n : rows->totals->n_frames;
	return n * 4 * sizeof *row->items +
		n_rows * (3 * sizeof *row + 2 * sizeof(struct rows_key));
}

/* Whether there is memory to open a row. Only a bottom-up row of the first level has no items
 * yet. */
static bool has_room_below(struct rows *rows, size_t at)
{
	struct row row = rows->rows[at];

	if (!reserve_is_kept())
		return true;
	if (!row.items && !rows->frame_start &&
	    !reserve_has_room((rows->totals->view->tree->n + (size_t)rows->totals->n_frames) *
			      sizeof *rows->of_frame))
		return false;
	if (!row.items)
		nodes_of(rows, row.frame, &row.n_items);
	return reserve_has_room(bytes_below(rows, &row));
}

/* Begin to make the rows below row `at`. Returns false if memory for them is refused. */
static bool begin_open(struct rows *rows, size_t at)
{
	struct row *row = &rows->rows[at];

	if (!has_room_below(rows, at))
		return false;
	if (!row->items)
		row->items = row->owned = rows_find_items(rows, at, &row->n_items);
	begin_below(rows, row, false);
	return true;
}

/* Insert them when they are made. */
static void end_open(struct rows *rows, size_t at)
{
	struct row *row = &rows->rows[at];

	row->is_open = true;
	if (rows->kind == ROWS_TOPDOWN)
		row->owned = copy_items(rows->below);
	insert_made(rows, at + 1, row->owned);
}

/* The items of a bottom-up row go back to its level. */
static void move_back(const struct rows *rows, struct row *row)
{
	for (uint32_t i = 0; i < row->n_items; i++)
		row->items[i].now = node_of(rows, row, &row->items[i]);
}

void rows_open_cancel(struct rows *rows)
{
	struct row *row;

	if (!rows->opening.is_on)
		return;
	row = &rows->rows[rows->opening.at];
	rows->opening.is_on = false;
	rows_below_drop(rows);
	forget_items(rows, row);
	if (row->items && rows->kind == ROWS_BOTTOMUP)
		move_back(rows, row);
}

bool rows_open_begin(struct rows *rows, size_t at)
{
	rows_open_cancel(rows);
	rows->opening.at = at;
	rows->opening.is_on = at < rows->n && !rows->rows[at].is_open && rows->rows[at].can_open &&
		begin_open(rows, at);
	return rows->opening.is_on;
}

bool rows_open_step(struct rows *rows, struct budget *budget)
{
	size_t at = rows->opening.at;

	if (!rows->opening.is_on)
		return true;
	if (!rows_below_step(rows, &rows->rows[at], budget))
		return false;
	rows->opening.is_on = false;
	end_open(rows, at);
	return true;
}

/* The first level of a top-down tree: what the root calls. */
static bool insert_callees(struct rows *rows, struct budget *budget)
{
	struct row_item item = { NODE_ROOT, NODE_ROOT };
	const struct row root = { .depth = -1, .items = &item, .n_items = 1 };

	if (!rows->totals->view->tree->n)
		return true;
	if (!rows->making.has_begun) {
		rows->making.has_begun = true;
		if (reserve_is_kept() && !rows_first_has_room(rows, bytes_below(rows, &root)))
			return true;
		begin_below(rows, &root, false);
	}
	if (!rows_below_step(rows, &root, budget))
		return false;
	if (rows->below->n)
		rows->first_items = copy_items(rows->below);
	insert_made(rows, 0, rows->first_items);
	return true;
}

/* Whether there is memory for the nodes of a function. */
static bool has_room_for_nodes(struct rows *rows, frame_id frame)
{
	size_t n_index = (size_t)rows->totals->view->tree->n + rows->totals->n_frames;
	uint32_t n;

	if (!rows->frame_start && !rows_first_has_room(rows, n_index * sizeof *rows->of_frame))
		return false;
	nodes_of(rows, frame, &n);
	return rows_first_has_room(rows, n * sizeof(struct row_item));
}

/* Make the only row of the first level of a table about one function. It is not shown until the
 * rows below it are made. */
static void make_function(struct rows *rows, frame_id frame)
{
	const struct totals *totals = rows->totals;
	struct row *row;

	if (frame >= totals->n_frames || totals->frame_total[frame] == 0 ||
	    !has_room_for_nodes(rows, frame))
		return;
	rows->rows = xgrow(NULL, &rows->cap, 1, sizeof *rows->rows);
	row = &rows->rows[0];
	*row = (struct row){ .frame = frame,
			     .self = totals->frame_self[frame],
			     .total = totals->frame_total[frame] };
	row->items = rows_find_items(rows, 0, &row->n_items);
	if (rows->kind == ROWS_TOPDOWN) {
		uint32_t n = 0;

		rows->first_items = row->items;
		/* Outermost nodes: the time of those inside them is theirs. */
		for (uint32_t i = 0; i < row->n_items; i++)
			if (totals->view->tree->is_outer[row->items[i].now])
				row->items[n++] = row->items[i];
		row->n_items = n;
	} else {
		row->owned = row->items;
	}
	row->can_open = rows_below_can_open(rows, row);
	rows->making.has_row = true;
}

static void show_function(struct rows *rows)
{
	rows->making.has_row = false;
	rows->n = 1;
}

/* Returns whether the function and the rows below it are complete. */
static bool open_function(struct rows *rows, struct budget *budget)
{
	struct rows_making *m = &rows->making;

	if (!m->has_begun) {
		m->has_begun = true;
		make_function(rows, m->frame);
		if (!m->has_row)
			return true;
		if (!rows->rows[0].can_open)
			forget_items(rows, &rows->rows[0]);
		if (!rows->rows[0].can_open || !begin_open(rows, 0)) {
			show_function(rows);
			return true;
		}
	}
	if (!rows_below_step(rows, &rows->rows[0], budget))
		return false;
	show_function(rows);
	end_open(rows, 0);
	return true;
}

bool rows_begin(struct rows *rows, const struct totals *totals, enum rows_kind kind,
		enum rows_sort sort, frame_id frame)
{
	*rows = (struct rows){ .totals = totals,
			       .kind = kind,
			       .sort = (enum rows_sort)(sort & 3),
			       .is_reversed = (sort & ROWS_REVERSED) != 0,
			       .making.frame = frame };
	return reserve_has_room(rows_bytes(totals, kind));
}

bool rows_step(struct rows *rows, struct budget *budget)
{
	if (rows->making.frame != FRAME_NONE)
		return open_function(rows, budget);
	return rows->kind == ROWS_BOTTOMUP ? rows_first_functions(rows, budget)
					   : insert_callees(rows, budget);
}

void rows_close(struct rows *rows, size_t at)
{
	size_t end = at + 1;
	struct row *row;

	rows_open_cancel(rows);
	if (at >= rows->n || !rows->rows[at].is_open)
		return;
	row = &rows->rows[at];
	while (end < rows->n && rows->rows[end].depth > row->depth)
		end++;
	free_owned(rows, at + 1, end);
	forget_items(rows, row);
	if (row->items && rows->kind == ROWS_BOTTOMUP)
		move_back(rows, row);
	row->is_open = false;
	memmove(rows->rows + at + 1, rows->rows + end, (rows->n - end) * sizeof *rows->rows);
	rows->n -= end - at - 1;
}

bool rows_open_hot(struct rows *rows, size_t *at, bool to_self, struct budget *budget)
{
	while (*at < rows->n && rows->rows[*at].can_open) {
		size_t top = *at, best = top + 1, i = best;
		int depth = rows->rows[top].depth;

		if (!rows->opening.is_on)
			rows_open_begin(rows, top);
		if (!rows_open_step(rows, budget))
			return false;
		for (; i < rows->n && rows->rows[i].depth > depth; i++)
			if (rows->rows[i].depth == depth + 1 &&
			    rows->rows[i].total > rows->rows[best].total)
				best = i;
		if (i == top + 1 || (to_self && rows->rows[top].self >= rows->rows[best].total))
			break;
		*at = best;
		if (budget_use(budget, rows_work(rows, top) + (uint32_t)(i - top)))
			return false;
	}
	return true;
}

size_t rows_parent(const struct rows *rows, size_t at)
{
	size_t i = at;

	while (i > 0 && rows->rows[i].depth >= rows->rows[at].depth)
		i--;
	return rows->n && rows->rows[i].depth < rows->rows[at].depth ? i : at;
}
