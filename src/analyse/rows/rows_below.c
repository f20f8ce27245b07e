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

#include "analyse/rows/rows_order.h"
#include "analyse/rows/rows_sort.h"
#include "base/alloc.h"

#include <stdlib.h>
#include <string.h>

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

/* For a sort by change: the key of a group of calls. */
static void compare(const struct rows *rows, const struct rows_group *group, struct rows_key *key)
{
	/* Not on the first level, which functions have bottom-up. */
	const struct row row = { .frame = group->frame,
				 .depth = 1,
				 .total = group->total,
				 .items = rows->below->of_made + group->start,
				 .n_items = group->n };
	int64_t here, all, ns[SIDES];

	key->second = group->total;
	if (rows->change.after) {
		rows_change_sides_of_row(&rows->change, &row, ns);
		rows_change_sides_key(&rows->change, rows->sort, ns, &key->first);
	} else if (rows_change_of_row(&rows->change, &row, &here, &all)) {
		key->first = rows_change_key(&rows->change, here, all);
	}
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
		if (rows->change.after ? rows->sort != ROWS_BY_NAME
				       : rows->sort == ROWS_BY_CHANGE && rows->change.is_of_calls)
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

void rows_below_make(struct rows *rows, const struct row *row)
{
	begin_below(rows, row, rows->order != NULL);
	rows_below_step(rows, row, BUDGET_UNLIMITED);
}
