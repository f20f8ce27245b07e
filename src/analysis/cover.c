/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A column: own times by leaf come from the samples (or their blocks) and are pushed
 * up the tree, deepest row first, so that each node is met once and each row's
 * winner falls out on the way. Nodes wait in one list per row.
 *
 * Columns are kept by their time range in a table of CACHE_SIZE, two to a bucket;
 * while nothing but the selection changes, and after a pan, most come from there. */
#include "config.h"

#include "analysis/cover.h"

#include "base/alloc.h"
#include "base/hash.h"
#include "model/blocks.h"

#include <stdlib.h>
#include <string.h>

#define CACHE_SIZE 4096u
#define NO_NODE UINT32_MAX
#define NOT_IN (UINT32_MAX - 1)

/* All that is touched per node stands together: one cache line instead of three. */
struct work {
	int64_t ns;           /* time in the column being made */
	node_id next;         /* the next of the same row; NOT_IN: stands in no list */
	node_id parent;
};

struct column {
	int64_t t0, t1;
	struct cover_cell *cells;
	int n_rows;
	int cap;
	bool is_set;
};

struct cover {
	const struct lane *lane;
	struct work *work;    /* by node */
	node_id *head;        /* by row: first node of the list */
	int deepest;
	struct column cache[CACHE_SIZE];
};

struct cover *cover_new(const struct lane *lane)
{
	struct cover *c = xcalloc(1, sizeof *c);
	size_t n = lane->tree.n;

	c->lane = lane;
	c->work = xmalloc(n * sizeof *c->work);
	for (size_t i = 0; i < n; i++)
		c->work[i] = (struct work){ 0, NOT_IN, lane->tree.parent[i] };
	c->head = xmalloc(((size_t)lane->tree.max_rows + 1) * sizeof *c->head);
	for (size_t i = 0; i <= lane->tree.max_rows; i++)
		c->head[i] = NO_NODE;
	return c;
}

void cover_free(struct cover *c)
{
	if (!c)
		return;
	for (size_t i = 0; i < CACHE_SIZE; i++)
		free(c->cache[i].cells);
	free(c->work);
	free(c->head);
	free(c);
}

static inline void put(struct cover *c, node_id node, int row, int64_t ns)
{
	struct work *w = &c->work[node];

	if (w->next == NOT_IN) {
		w->next = c->head[row];
		c->head[row] = node;
	}
	w->ns += ns;
}

static void put_visit(void *ctx, node_id leaf, int64_t ns)
{
	struct cover *c = ctx;
	int row = c->lane->tree.rows[leaf];

	if (row > c->deepest)
		c->deepest = row;
	put(c, leaf, row, ns);
}

static bool wins(int64_t ns, node_id node, const struct cover_cell *cell)
{
	return cell->node == NODE_ROOT || ns > cell->node_ns || (ns == cell->node_ns && node < cell->node);
}

/* Push the times up to the root; fill the cells of the column. */
static void push_up(struct cover *c, struct column *col)
{
	if (c->deepest > col->cap) {
		col->cap = c->deepest;
		col->cells = xrealloc(col->cells, (size_t)col->cap, sizeof *col->cells);
	}
	col->n_rows = c->deepest;
	for (int row = c->deepest; row > 0; row--) {
		struct cover_cell cell = { .node = NODE_ROOT };
		node_id node = c->head[row], next;

		for (; node != NO_NODE; node = next) {
			struct work *w = &c->work[node];
			int64_t ns = w->ns;

			next = w->next;
			if (cell.parts < 3)
				cell.parts++;
			cell.all_ns += ns;
			if (wins(ns, node, &cell)) {
				cell.node = node;
				cell.node_ns = ns;
			}
			put(c, w->parent, row - 1, ns);
			w->ns = 0;
			w->next = NOT_IN;
		}
		c->head[row] = NO_NODE;
		col->cells[row - 1] = cell;
	}
	if (c->head[0] != NO_NODE) {
		c->head[0] = NO_NODE;
		c->work[NODE_ROOT].ns = 0;
		c->work[NODE_ROOT].next = NOT_IN;
	}
	c->deepest = 0;
}

const struct cover_cell *cover_column(struct cover *c, int64_t t0, int64_t t1, int *n_rows)
{
	const struct samples *s = &c->lane->samples;
	size_t bucket = (size_t)(hash_u64((uint64_t)t0 * 31 + (uint64_t)t1) % (CACHE_SIZE / 2)) * 2;
	struct column *col = &c->cache[bucket];

	if (!(col->is_set && col->t0 == t0 && col->t1 == t1)) {
		struct column first = *col;

		/* The second of the bucket is the older one: it is replaced. */
		*col = col[1];
		col[1] = first;
	}
	if (!(col->is_set && col->t0 == t0 && col->t1 == t1)) {
		col->is_set = true;
		col->t0 = t0;
		col->t1 = t1;
		blocks_each(s, t0, t1, put_visit, c);
		push_up(c, col);
	}
	*n_rows = col->n_rows;
	return col->cells;
}
