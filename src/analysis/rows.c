/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A row stands for a set of nodes, each with the time that it contributes. Opening a top-down row
 * groups the children of its nodes by function. Opening a bottom-up row replaces each node by its
 * parent and groups those. So opening a level costs time in proportion to its nodes, and no level
 * is computed before it is opened. */
#include "config.h"

#include "analysis/rows.h"

#include "analysis/rows_sort.h"
#include "base/alloc.h"

#include <stdlib.h>
#include <string.h>

/* A node with its function, before grouping. */
struct item {
	frame_id frame;
	struct row_node node;
};

struct items {
	struct item *list;
	size_t n, cap;
};

static void items_add(struct items *items, const struct rows *rows, node_id node, int64_t self,
		      int64_t total)
{
	items->list = xgrow(items->list, &items->cap, items->n + 1, sizeof *items->list);
	items->list[items->n++] = (struct item){ rows->totals->view->tree->frame[node],
						 { node, self, total } };
}

static int by_frame(const void *a, const void *b)
{
	const struct item *x = a, *y = b;

	if (x->frame != y->frame)
		return x->frame < y->frame ? -1 : 1;
	return x->node.node < y->node.node ? -1 : x->node.node > y->node.node;
}

static struct rows_key key_of(enum rows_sort sort, frame_id frame, int64_t self, int64_t total,
			      uint32_t at)
{
	if (sort == ROWS_BY_SELF)
		return (struct rows_key){ self, total, at, frame };
	if (sort == ROWS_BY_TOTAL)
		return (struct rows_key){ total, self, at, frame };
	return (struct rows_key){ 0, 0, at, frame };
}

static bool can_open(const struct rows *rows, const struct row *row)
{
	const struct calltree *tree = rows->totals->view->tree;

	for (uint32_t i = 0; i < row->n_nodes; i++) {
		node_id node = row->nodes[i].node;

		if (rows->kind == ROWS_BOTTOMUP
			    ? tree->parent[node] != NODE_ROOT
			    : rows->totals->total[node] > rows->totals->self[node])
			return true;
	}
	return false;
}

/* Sort `n` new rows and insert them at index `where`. */
static void insert_rows(struct rows *rows, size_t where, const struct row *made, size_t n)
{
	struct rows_key *keys;

	if (n == 0)
		return;
	keys = xmalloc(2 * n * sizeof *keys);
	for (size_t i = 0; i < n; i++)
		keys[i] = key_of(rows->sort, made[i].frame, made[i].self, made[i].total,
				 (uint32_t)i);
	rows_sort_keys(rows->totals->view, keys, keys + n, n);
	rows->rows = xgrow(rows->rows, &rows->cap, rows->n + n, sizeof *rows->rows);
	memmove(rows->rows + where + n, rows->rows + where, (rows->n - where) * sizeof *rows->rows);
	for (size_t i = 0; i < n; i++)
		rows->rows[where + i] = made[keys[rows->is_reversed ? n - 1 - i : i].at];
	rows->n += n;
	free(keys);
}

/* Whether a row passes the filter. */
static bool stays(const struct rows *rows, const struct row *row)
{
	for (uint32_t i = 0; i < row->n_nodes; i++)
		if (rows->keep[row->nodes[i].node])
			return true;
	return false;
}

/* Group items by function and insert the rows at index `where`. */
static void insert_groups(struct rows *rows, size_t where, int depth, struct items *items)
{
	const struct row *above = depth > 0 ? &rows->rows[where - 1] : NULL;
	bool is_free = above && rows->filter && (above->is_free || rows->filter[above->frame]);
	struct row *made;
	size_t n = 0;

	if (items->n == 0)
		return;
	made = xmalloc(items->n * sizeof *made);
	qsort(items->list, items->n, sizeof *items->list, by_frame);
	for (size_t i = 0, j; i < items->n; i = j) {
		struct row row = { .frame = items->list[i].frame, .depth = depth };
		struct row_node *nodes;

		for (j = i; j < items->n && items->list[j].frame == row.frame; j++)
			;
		nodes = arena_alloc(&rows->arena, (j - i) * sizeof *nodes);
		for (size_t k = i; k < j; k++) {
			nodes[k - i] = items->list[k].node;
			row.self += items->list[k].node.self;
			row.total += items->list[k].node.total;
		}
		row.nodes = nodes;
		row.n_nodes = (uint32_t)(j - i);
		row.can_open = can_open(rows, &row);
		row.is_free = is_free;
		if (!rows->filter || is_free || stays(rows, &row))
			made[n++] = row;
	}
	insert_rows(rows, where, made, n);
	free(made);
}

/* The first level of a bottom-up tree comes straight from the totals. The nodes of a function are
 * looked up when its row is opened. */
static void insert_functions(struct rows *rows)
{
	const struct totals *totals = rows->totals;
	size_t n = totals->n_used;
	struct rows_key *keys;

	if (n == 0)
		return;
	keys = xmalloc(2 * n * sizeof *keys);
	for (uint32_t i = 0; i < n; i++) {
		frame_id f = totals->used[i];

		keys[i] = key_of(rows->sort, f, totals->frame_self[f], totals->frame_total[f], i);
	}
	rows_sort_keys(totals->view, keys, keys + n, n);
	rows->rows = xgrow(rows->rows, &rows->cap, n, sizeof *rows->rows);
	for (size_t i = 0; i < n; i++) {
		frame_id f = keys[rows->is_reversed ? n - 1 - i : i].frame;

		rows->rows[i] = (struct row){ .frame = f,
					      .self = totals->frame_self[f],
					      .total = totals->frame_total[f],
					      .can_open = totals->is_called[f] };
	}
	rows->n = n;
	free(keys);
}

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

/* Nodes without self time count only for functions that have no self time at all. */
static void find_nodes(struct rows *rows, struct row *row)
{
	const struct totals *totals = rows->totals;
	struct row_node *nodes;
	uint32_t first;

	if (!rows->frame_start)
		index_nodes(rows);
	first = rows->frame_start[row->frame];
	row->n_nodes = rows->frame_start[row->frame + 1] - first;
	nodes = arena_alloc(&rows->arena, row->n_nodes * sizeof *nodes);
	row->nodes = nodes;
	for (uint32_t i = 0; i < row->n_nodes; i++) {
		node_id node = rows->of_frame[first + i];

		nodes[i] = (struct row_node){ node, totals->self[node],
					      totals->view->tree->is_outer[node]
						      ? totals->total[node]
						      : 0 };
	}
}

void rows_init(struct rows *rows, const struct totals *totals, enum rows_kind kind,
	       enum rows_sort sort)
{
	const struct calltree *tree = totals->view->tree;
	struct items items = { 0 };

	*rows = (struct rows){ .totals = totals,
			       .kind = kind,
			       .sort = (enum rows_sort)(sort & 3),
			       .is_reversed = (sort & ROWS_REVERSED) != 0 };
	if (kind == ROWS_TOPDOWN) {
		for (node_id i = 1; i < tree->n; i = tree->end[i])
			if (totals->total[i])
				items_add(&items, rows, i, totals->self[i], totals->total[i]);
		insert_groups(rows, 0, 0, &items);
	} else {
		insert_functions(rows);
	}
	free(items.list);
}

/* The outermost nodes of a function: the time of those inside them is theirs. */
static void keep_outermost(struct rows *rows, struct row *row)
{
	const struct totals *totals = rows->totals;
	struct row_node *nodes = arena_alloc(&rows->arena, row->n_nodes * sizeof *nodes);
	uint32_t n = 0;

	for (uint32_t i = 0; i < row->n_nodes; i++) {
		node_id node = row->nodes[i].node;

		if (totals->view->tree->is_outer[node])
			nodes[n++] = (struct row_node){ node, totals->self[node],
							totals->total[node] };
	}
	row->nodes = nodes;
	row->n_nodes = n;
}

void rows_init_function(struct rows *rows, const struct totals *totals, enum rows_kind kind,
			enum rows_sort sort, frame_id frame)
{
	struct row *row;

	*rows = (struct rows){ .totals = totals,
			       .kind = kind,
			       .sort = (enum rows_sort)(sort & 3),
			       .is_reversed = (sort & ROWS_REVERSED) != 0 };
	if (frame == FRAME_NONE || frame >= totals->n_frames || totals->frame_total[frame] == 0)
		return;
	rows->rows = xgrow(NULL, &rows->cap, 1, sizeof *rows->rows);
	row = &rows->rows[rows->n++];
	*row = (struct row){ .frame = frame,
			     .self = totals->frame_self[frame],
			     .total = totals->frame_total[frame] };
	find_nodes(rows, row);
	if (kind == ROWS_TOPDOWN)
		keep_outermost(rows, row);
	row->can_open = can_open(rows, row);
	rows_open(rows, 0);
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

	rows->filter = filter;
	find_kept(rows);
	if (is_about_one) {
		rows_close(rows, 0);
		rows_open(rows, 0);
		return;
	}
	for (size_t i = 0; i < rows->n; i++)
		if (rows->kind == ROWS_BOTTOMUP ? filter[rows->rows[i].frame]
						: stays(rows, &rows->rows[i]))
			rows->rows[n++] = rows->rows[i];
	rows->n_all = rows->n;
	rows->n_first = rows->n = n;
}

void rows_done(struct rows *rows)
{
	free(rows->rows);
	free(rows->keep);
	free(rows->frame_start);
	free(rows->of_frame);
	arena_done(&rows->arena);
	*rows = (struct rows){ 0 };
}

static void add_callees(const struct rows *rows, const struct row *row, struct items *items)
{
	const struct totals *totals = rows->totals;
	const struct calltree *tree = totals->view->tree;

	for (uint32_t i = 0; i < row->n_nodes; i++) {
		node_id top = row->nodes[i].node;

		for (node_id k = top + 1; k < tree->end[top]; k = tree->end[k])
			if (totals->total[k])
				items_add(items, rows, k, totals->self[k], totals->total[k]);
	}
}

/* Below the first level, self and total are the time that came to the first row through this chain.
 */
static void add_callers(const struct rows *rows, const struct row *row, struct items *items)
{
	const struct calltree *tree = rows->totals->view->tree;

	for (uint32_t i = 0; i < row->n_nodes; i++) {
		node_id above = tree->parent[row->nodes[i].node];

		if (above != NODE_ROOT && (row->nodes[i].self || row->nodes[i].total))
			items_add(items, rows, above, row->nodes[i].self, row->nodes[i].total);
	}
}

void rows_init_one(struct rows *one, struct rows *from, size_t at)
{
	uint32_t n;

	rows_nodes(from, at, &n);
	*one = (struct rows){ .totals = from->totals,
			      .kind = from->kind,
			      .sort = from->sort,
			      .is_reversed = from->is_reversed,
			      .n = 1 };
	one->rows = xgrow(NULL, &one->cap, 1, sizeof *one->rows);
	one->rows[0] = from->rows[at];
}

const struct row_node *rows_nodes(struct rows *rows, size_t at, uint32_t *n)
{
	struct row *row = &rows->rows[at];

	if (!row->nodes)
		find_nodes(rows, row);
	*n = row->n_nodes;
	return row->nodes;
}

void rows_open(struct rows *rows, size_t at)
{
	struct items items = { 0 };
	struct row *row;
	uint32_t n;

	if (at >= rows->n || rows->rows[at].is_open || !rows->rows[at].can_open)
		return;
	row = &rows->rows[at];
	row->is_open = true;
	rows_nodes(rows, at, &n);
	if (rows->kind == ROWS_TOPDOWN)
		add_callees(rows, row, &items);
	else
		add_callers(rows, row, &items);
	insert_groups(rows, at + 1, row->depth + 1, &items);
	free(items.list);
}

void rows_close(struct rows *rows, size_t at)
{
	size_t end = at + 1;

	if (at >= rows->n || !rows->rows[at].is_open)
		return;
	while (end < rows->n && rows->rows[end].depth > rows->rows[at].depth)
		end++;
	memmove(rows->rows + at + 1, rows->rows + end, (rows->n - end) * sizeof *rows->rows);
	rows->n -= end - at - 1;
	rows->rows[at].is_open = false;
}

size_t rows_open_hot(struct rows *rows, size_t at)
{
	while (at < rows->n && rows->rows[at].can_open) {
		size_t best = at + 1;

		rows_open(rows, at);
		if (best >= rows->n || rows->rows[best].depth <= rows->rows[at].depth)
			break;
		for (size_t i = best; i < rows->n && rows->rows[i].depth > rows->rows[at].depth;
		     i++)
			if (rows->rows[i].depth == rows->rows[at].depth + 1 &&
			    rows->rows[i].total > rows->rows[best].total)
				best = i;
		at = best;
	}
	return at;
}

size_t rows_parent(const struct rows *rows, size_t at)
{
	size_t i = at;

	while (i > 0 && rows->rows[i].depth >= rows->rows[at].depth)
		i--;
	return rows->n && rows->rows[i].depth < rows->rows[at].depth ? i : at;
}

const char *rows_sort_word(unsigned i)
{
	static const char *const words[] = { [ROWS_BY_SELF] = "self",
					     [ROWS_BY_TOTAL] = "total",
					     [ROWS_BY_NAME] = "name" };

	return i < ARRAY_LEN(words) ? words[i] : NULL;
}
