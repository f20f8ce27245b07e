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

#include "analysis/rows_below.h"

#include "analysis/rows_order.h"
#include "analysis/rows_sort.h"
#include "base/alloc.h"

#include <stdlib.h>
#include <string.h>

#define ROW_WORK 8 /* units of work of a row, whose items and frame stand anywhere */

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

/* Copy the items to the places of their groups. is_in_order: they stand in the order in which the
 * groups were found. Returns false if they are in their places already. */
static bool place_items(struct rows_below *b, const struct calltree *tree,
			const struct row_item *from, struct row_item *to, uint32_t n,
			bool is_in_order)
{
	uint32_t start = 0;

	for (uint32_t g = 0; g < b->n_groups; g++) {
		b->groups[g].start = start;
		start += b->groups[g].n;
	}
	if (b->n_groups == 1 || (is_in_order && b->n_groups == n))
		return false;
	for (uint32_t i = 0; i < n; i++)
		to[b->groups[b->group_of[tree->frame[from[i].now]] - 1].start++] = from[i];
	for (uint32_t g = 0; g < b->n_groups; g++)
		b->groups[g].start -= b->groups[g].n;
	return true;
}

/* ---- top-down ---- */

/* Find the items below those of the row: the nodes that they call, with time. */
static struct row_item *find_callees(struct rows *rows, const struct row *row)
{
	const struct totals *totals = rows->totals;
	const struct calltree *tree = totals->view->tree;
	struct rows_below *b = rows->below;
	uint32_t n = 0;

	for (uint32_t i = 0; i < row->n_items; i++) {
		node_id top = row->items[i].now;

		for (node_id k = top + 1; k < tree->end[top]; k = tree->end[k]) {
			struct rows_group *group;

			if (!totals->total[k])
				continue;
			b->found = xgrow(b->found, &b->cap_found, (size_t)n + 1, sizeof *b->found);
			b->found[n++] = (struct row_item){ k, k };
			group = find_group(b, tree->frame[k]);
			group->n++;
			group->self += totals->self[k];
			group->total += totals->total[k];
		}
	}
	b->n_items = n;
	if (n == 0)
		return NULL;
	b->items = xgrow(b->items, &b->cap_items, n, sizeof *b->items);
	if (!place_items(b, tree, b->found, b->items, n, true))
		memcpy(b->items, b->found, n * sizeof *b->items);
	return b->items;
}

/* ---- bottom-up ---- */

static void add_time(const struct totals *totals, const struct row_item *items, uint32_t n,
		     int64_t *self, int64_t *total)
{
	const uint8_t *is_outer = totals->view->tree->is_outer;

	for (uint32_t i = 0; i < n; i++) {
		*self += totals->self[items[i].first];
		*total += is_outer[items[i].first] ? totals->total[items[i].first] : 0;
	}
}

/* Move the items of a row on to their callers; returns the number of those that end here, which
 * come first then: they were called by nothing, or have no time. Below the first level all have
 * time. */
static uint32_t move_up(struct rows *rows, const struct row *row)
{
	const struct totals *totals = rows->totals;
	const struct calltree *tree = totals->view->tree;
	struct row_item *items = row->items;
	struct rows_group *group = NULL;
	uint32_t n_ended = 0;

	for (uint32_t i = 0; i < row->n_items; i++) {
		const struct row_item item = items[i];
		node_id above = tree->parent[item.now];
		frame_id frame;

		if (above == NODE_ROOT ||
		    (row->depth == 0 && !totals->self[item.first] && !tree->is_outer[item.first])) {
			items[i] = items[n_ended];
			items[n_ended++] = item;
			continue;
		}
		items[i].now = above;
		frame = tree->frame[above];
		if (!group || group->frame != frame)
			group = find_group(rows->below, frame);
		group->n++;
	}
	return n_ended;
}

/* The times of the groups. The largest group gets what the others and the ended items leave of the
 * row: along a recursion only a few items of each level have to be added up. */
static void add_times(struct rows *rows, const struct row *row, const struct row_item *items,
		      uint32_t n_ended)
{
	struct rows_below *b = rows->below;
	int64_t self = 0, total = 0;
	uint32_t largest = 0;

	for (uint32_t g = 1; g < b->n_groups; g++)
		if (b->groups[g].n > b->groups[largest].n)
			largest = g;
	for (uint32_t g = 0; g < b->n_groups; g++) {
		struct rows_group *group = &b->groups[g];

		if (g == largest)
			continue;
		add_time(rows->totals, items + group->start, group->n, &group->self, &group->total);
		self += group->self;
		total += group->total;
	}
	add_time(rows->totals, row->items, n_ended, &self, &total);
	b->groups[largest].self = row->self - self;
	b->groups[largest].total = row->total - total;
}

static struct row_item *find_callers(struct rows *rows, const struct row *row)
{
	struct rows_below *b = rows->below;
	uint32_t n_ended = move_up(rows, row), n = row->n_items - n_ended;
	struct row_item *rest = row->items + n_ended;

	if (n == 0)
		return rest;
	b->found = xgrow(b->found, &b->cap_found, b->n_groups == 1 ? 1 : n, sizeof *b->found);
	if (place_items(b, rows->totals->view->tree, rest, b->found, n, false))
		memcpy(rest, b->found, n * sizeof *rest);
	add_times(rows, row, rest, n_ended);
	return rest;
}

/* The same by the order: nothing moves, and only a few items are visited. */
static struct row_item *find_callers_in_order(struct rows *rows, const struct row *row)
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
	return row->items;
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
	const struct row row = { .frame = group->frame,
				 .total = group->total,
				 .items = rows->below->of_made + group->start,
				 .n_items = group->n };
	int64_t here, all;

	key->second = group->total;
	if (rows_change_of_row(&rows->change, &row, &here, &all))
		key->first = rows_change_key(&rows->change, here, all);
}

/* Make the keys by which the rows of the groups are sorted. */
static void make_keys(struct rows *rows)
{
	struct rows_below *b = rows->below;
	uint32_t n = b->n_groups;

	b->made = xgrow(b->made, &b->cap, n, sizeof *b->made);
	b->keys = xgrow(b->keys, &b->cap_keys, 2 * (size_t)n, sizeof *b->keys);
	for (uint32_t g = 0; g < n; g++) {
		const struct rows_group *group = &b->groups[g];

		b->keys[g] = rows_sort_key(rows->sort, group->frame, group->self, group->total, g);
		if (rows->sort == ROWS_BY_CHANGE && rows->change.is_of_calls)
			compare(rows, group, &b->keys[g]);
	}
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

	b->n = b->n_items = b->n_groups = b->n_taken = 0;
	b->is_sorted = false;
	if (rows->kind == ROWS_TOPDOWN)
		b->of_made = find_callees(rows, row);
	else if (is_in_order)
		b->of_made = find_callers_in_order(rows, row);
	else
		b->of_made = find_callers(rows, row);
	for (uint32_t g = 0; g < b->n_groups; g++)
		b->group_of[b->groups[g].frame] = 0;
	if (b->n_groups)
		make_keys(rows);
}

void rows_below_begin(struct rows *rows, const struct row *row)
{
	begin_below(rows, row, false);
}

bool rows_below_step(struct rows *rows, const struct row *row, struct budget *budget)
{
	struct rows_below *b = rows->below;

	if (!b->is_sorted && b->n_groups &&
	    !rows_sort_step(&b->sorting, rows->totals->view, b->keys, b->n_groups, budget))
		return false;
	b->is_sorted = true;
	return make_rows(rows, row, budget);
}

void rows_below_make(struct rows *rows, const struct row *row)
{
	begin_below(rows, row, rows->order != NULL);
	rows_below_step(rows, row, BUDGET_UNLIMITED);
}
