/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A row stands for a set of nodes. Opening a top-down row groups the nodes that they call by
 * function. Opening a bottom-up row replaces each node by its parent and groups those. So opening a
 * level costs time in proportion to its nodes, and no level is computed before it is opened.
 *
 * Memory: a top-down row that is open owns the items of the rows below it, which are different
 * nodes in each row. A bottom-up row on the first level owns the items of all rows below it, of
 * which each one is a part (rows_below.c). Closing a row frees what it owns. */
#include "config.h"

#include "analyse/rows/rows.h"

#include "analyse/rows/rows_below.h"
#include "analyse/rows/rows_change.h"
#include "base/alloc.h"
#include "base/sort.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

/* ==== rows sort ====
 *
 * Few keys are sorted by comparison. Many keys are sorted by a radix sort of the first number, then
 * runs of equal first numbers by the second one. It is stable, so keys that were in the order of
 * their frames stay so where their numbers are equal. */

#define RADIX_FROM 250 /* least number of rows for a radix sort */
#define RADIX_BITS 8   /* so that the first-level cache holds one line for each digit */
#define RADIX_DIGITS 8 /* of a key of 64 bits */
#define RADIX (1u << RADIX_BITS)

static int name_order(const struct view *view, frame_id x, frame_id y)
{
	const struct profile *profile = view->profile;
	const struct frame *a = &view->frames[x], *b = &view->frames[y];
	int c = strcmp(profile_text(profile, a->name), profile_text(profile, b->name));

	if (c == 0)
		c = strcmp(profile_text(profile, a->url), profile_text(profile, b->url));
	if (c == 0)
		c = a->line != b->line          ? (a->line < b->line ? -1 : 1)
			: a->column < b->column ? -1
						: a->column > b->column;
	return c ? c : x < y ? -1 : x > y;
}

static bool is_before(const void *x, const void *y, const void *ctx)
{
	const struct rows_key *a = x, *b = y;

	if (a->first != b->first)
		return a->first > b->first;
	if (a->second != b->second)
		return a->second > b->second;
	/* Rows of equal weight keep the order of the file: comparing the names of thousands of rows
	 * costs too much. Both keys are 0 only in a sort by name. */
	if (a->first || a->second)
		return a->frame < b->frame;
	return name_order(ctx, a->frame, b->frame) < 0;
}

static bool is_frame_before(const void *x, const void *y, const void *ctx)
{
	const struct rows_key *a = x, *b = y;

	(void)ctx;
	return a->frame < b->frame;
}

/* One pass of a radix sort, descending and stable. */
static void sort_digit(const struct rows_key *from, struct rows_key *to, size_t n, bool is_first,
		       int shift)
{
	uint32_t start[RADIX] = { 0 }, before = 0;

	for (size_t i = 0; i < n; i++)
		start[(uint64_t)(is_first ? from[i].first : from[i].second) >> shift &
		      (RADIX - 1)]++;
	for (size_t d = RADIX; d-- > 0;) {
		uint32_t count = start[d];

		start[d] = before;
		before += count;
	}
	for (size_t i = 0; i < n; i++)
		to[start[(uint64_t)(is_first ? from[i].first : from[i].second) >> shift &
			 (RADIX - 1)]++] = from[i];
}

/* Sort by one of the two numbers, descending and stable. */
static void sort_number(struct rows_key *keys, struct rows_key *spare, size_t n, bool is_first)
{
	struct rows_key *from = keys, *to = spare;
	uint64_t bits = 0;

	for (size_t i = 0; i < n; i++)
		bits |= (uint64_t)(is_first ? keys[i].first : keys[i].second);
	for (int shift = 0; shift < RADIX_DIGITS * RADIX_BITS; shift += RADIX_BITS) {
		struct rows_key *swap = from;

		if (!(bits >> shift & (RADIX - 1)))
			continue;
		sort_digit(from, to, n, is_first, shift);
		from = to;
		to = swap;
	}
	if (from != keys)
		memcpy(keys, from, n * sizeof *keys);
}

/* Sort n keys: the larger `first` comes first, then the larger `second`, then the smaller frame. If
 * both numbers are 0 the name of the frame decides. The numbers must not be negative. spare: room
 * for n keys. */
static void rows_sort_keys(const struct view *view, struct rows_key *keys, struct rows_key *spare,
			   size_t n)
{
	bool has_weight = true;

	for (size_t i = 0; i < n; i++)
		has_weight &= (keys[i].first | keys[i].second) != 0;
	if (n < RADIX_FROM || !has_weight) {
		sort_stable(keys, n, sizeof *keys, is_before, view);
		return;
	}
	sort_stable(keys, n, sizeof *keys, is_frame_before, NULL);
	sort_number(keys, spare, n, true);
	for (size_t i = 0, j; i < n; i = j) {
		for (j = i + 1; j < n && keys[j].first == keys[i].first; j++)
			;
		/* Most runs are one key: no call for them. */
		if (j - i == 1)
			continue;
		if (j - i < RADIX_FROM)
			sort_stable(keys + i, j - i, sizeof *keys, is_before, view);
		else
			sort_number(keys + i, spare, j - i, false);
	}
}

bool rows_sort_step(struct sorting **sorting, const struct view *view, struct rows_key *keys,
		    size_t n, struct budget *budget)
{
	if (!*sorting && (n < budget->step || budget_is_unlimited(budget))) {
		rows_sort_keys(view, keys, keys + n, n);
		return true;
	}
	if (!*sorting)
		*sorting = sort_begin(keys, n, sizeof *keys, is_before, view);
	if (!sort_step(*sorting, budget))
		return false;
	sort_end(*sorting);
	*sorting = NULL;
	return true;
}

const char *rows_sort_word(unsigned i)
{
	static const char *const words[] = { [ROWS_BY_SELF] = "self",
					     [ROWS_BY_TOTAL] = "total",
					     [ROWS_BY_NAME] = "name" };

	return i < ARRAY_LEN(words) ? words[i] : NULL;
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
		if (rows_are_compared(rows) &&
		    (rows->change.after || !rows->change.is_of_calls) &&
		    rows_change_of_function(&rows->change, f, &here, &all))
			keys[i].first = rows_compared_key(rows, here, all);
	}
	return keys;
}

/* Make the rows within the budget. Returns true when they are there, or memory for them is refused;
 * until then there are none. */
/* The first level of a bottom-up tree comes straight from the totals. The nodes of a function are
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

/* ==== rows top ====
 *
 * Keys are collected until there are twice as many as wanted; then they are sorted, and the second
 * half is dropped. From then on a key that comes behind the last one that is kept is not added. */

struct keys {
	const struct view *view;
	struct rows_key *list; /* with room for as many again */
	size_t n, room, most;
	bool is_cut;   /* some were dropped: */
	int64_t least; /* `first` of the last one that was kept then */
};

static void cut(struct keys *k)
{
	if (k->n)
		rows_sort_keys(k->view, k->list, k->list + k->room, k->n);
	if (k->n <= k->most)
		return;
	k->n = k->most;
	k->is_cut = true;
	k->least = k->n ? k->list[k->n - 1].first : INT64_MAX;
}

static void add(struct keys *k, struct rows_key key)
{
	if (k->is_cut && key.first < k->least)
		return;
	if (k->n == k->room)
		cut(k);
	if (k->n < k->room)
		k->list[k->n++] = key;
}

void rows_top_init(struct rows_top *top, const struct totals *t, enum rows_sort sort, size_t most,
		   bool (*is_wanted)(const void *ctx, frame_id frame), const void *ctx)
{
	struct keys k = { .view = t->view, .most = most < t->n_used ? most : t->n_used };
	size_t all = 0;

	*top = (struct rows_top){ 0 };
	k.room = 2 * k.most;
	k.list = xmalloc(2 * k.room * sizeof *k.list);
	for (uint32_t i = 0; i < t->n_used; i++) {
		frame_id f = t->used[i];

		if (!is_wanted(ctx, f))
			continue;
		all++;
		add(&k, rows_sort_key(sort, f, t->frame_self[f], t->frame_total[f], i));
	}
	cut(&k);
	top->n = k.n;
	top->n_left = all - k.n;
	top->list = xmalloc(k.n * sizeof *top->list);
	for (size_t i = 0; i < k.n; i++)
		top->list[i] = k.list[i].frame;
	free(k.list);
}

void rows_top_done(struct rows_top *top)
{
	free(top->list);
	*top = (struct rows_top){ 0 };
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

/* Keep the outermost nodes of a function: the time of those inside them is theirs. */
static void keep_outermost(const struct rows *rows, struct row *row)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < row->n_items; i++)
		if (rows->totals->view->tree->is_outer[row->items[i].now])
			row->items[n++] = row->items[i];
	row->n_items = n;
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
	rows_below_begin(rows, row);
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
	struct row *row = &rows->rows[rows->opening.at];

	if (!rows->opening.is_on)
		return;
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
		rows_below_begin(rows, &root);
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
		rows->first_items = row->items;
		keep_outermost(rows, row);
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
