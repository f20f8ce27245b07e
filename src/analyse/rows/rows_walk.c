/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A stack of rows: the next row is taken from it, and the rows below that row are put onto it when
 * the walk goes on.
 *
 * Items: bottom-up, all rows are parts of the items of the first one, in place (rows_below.c); if
 * stacks are deep, of the items of an order that all walks share (rows_order.h).
 * Top-down, the items of the rows below a row stand behind those of its siblings, and give their
 * place up when the walk returns to that level. */
#include "config.h"

#include "analyse/rows/rows_walk.h"

#include "analyse/rows/rows_below.h"
#include "analyse/rows/rows_order.h"
#include "base/alloc.h"

#include <stdlib.h>
#include <string.h>

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
