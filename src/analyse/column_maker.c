/* SPDX-License-Identifier: GPL-2.0-or-later */
/* First the self time of each leaf comes from the samples or their blocks. Then the leaves are
 * taken in preorder from the last to the first, and each climbs up the tree until the next leaf
 * lies below. So each node is visited once, after all nodes below it. Its time is then complete:
 * its self time and sum[row + 1], where its children left theirs. */
#include "config.h"

#include "analyse/column_maker.h"

#include "base/alloc.h"
#include "base/bitset.h"
#include "model/blocks.h"

#include <stdlib.h>
#include <string.h>

#define AHEAD 6 /* entries before the first leaf, which the prefetch reads */

struct column_maker {
	const struct lane *lane;
	int64_t *own;       /* by node: self time in the column */
	struct bitset used; /* leaves of the column */
	node_id *leaves;    /* the same in preorder, from index AHEAD on; the root before them */
	int64_t *sum;       /* by row, see the top of the file */
	struct cover_cell *cells; /* of the column, by row; otherwise all empty */
	/* The column, between two steps: */
	enum { MAKE_NOTHING, MAKE_OWN, MAKE_CELLS, MAKE_DONE } what; /* the next phase */
	int64_t t0, t1;
	struct blocks_walk walk;
	const node_id *next; /* MAKE_CELLS: the leaf after `node`, which is the next to visit */
	node_id node;
	int row;     /* row of `node` */
	int deepest; /* deepest row so far */
};

static const struct cover_cell empty = { .node = NODE_ROOT };

struct column_maker *column_maker_new(const struct lane *lane)
{
	struct column_maker *m = xcalloc(1, sizeof *m);
	size_t n = lane->tree.n, n_rows = lane->tree.max_rows;

	m->lane = lane;
	m->own = xcalloc(n + 1, sizeof *m->own);
	bitset_init(&m->used, n);
	m->leaves = xmalloc((n + AHEAD + 1) * sizeof *m->leaves);
	memset(m->leaves, 0, AHEAD * sizeof *m->leaves);
	m->sum = xcalloc(n_rows + 2, sizeof *m->sum);
	m->cells = xmalloc((n_rows + 1) * sizeof *m->cells);
	for (size_t row = 0; row <= n_rows; row++)
		m->cells[row] = empty;
	return m;
}

size_t column_maker_bytes(const struct lane *lane)
{
	const struct column_maker *m = NULL;

	return sizeof *m + lane->tree.n * (sizeof *m->own + sizeof *m->leaves) + lane->tree.n / 8 +
		lane->tree.max_rows * (sizeof *m->sum + sizeof *m->cells);
}

void column_maker_free(struct column_maker *m)
{
	if (!m)
		return;
	free(m->own);
	bitset_done(&m->used);
	free(m->leaves);
	free(m->sum);
	free(m->cells);
	free(m);
}

static void take_one(void *ctx, node_id leaf, int64_t ns)
{
	struct column_maker *m = ctx;

	m->own[leaf] += ns;
	bitset_add(&m->used, leaf);
}

static void take_many(void *ctx, const node_id *leaf, const uint32_t *ns, size_t n)
{
	for (size_t i = 0; i < n; i++)
		take_one(ctx, leaf[i], ns[i]);
}

/* Add a node of the row with all its time. If two have the same time, the one that comes first in
 * preorder wins: it is added last. */
static inline void add_node(struct cover_cell *cell, node_id node, int64_t ns)
{
	if (cell->parts < 3)
		cell->parts++;
	cell->all_ns += ns;
	if (ns >= cell->node_ns) {
		cell->node = node;
		cell->node_ns = ns;
	}
}

static void begin_climb(struct column_maker *m)
{
	m->what = MAKE_CELLS;
	m->next = m->leaves + AHEAD + bitset_drain(&m->used, m->leaves + AHEAD) - 1;
	m->node = *m->next--;
	m->row = m->node == NODE_ROOT ? 0 : m->lane->tree.rows[m->node];
	m->deepest = 0;
}

/* Add the next `most` nodes to the cells; returns whether those were all. The loop has no branch
 * that depends on the shape of the tree: it could not be predicted. */
static bool climb(struct column_maker *m, uint32_t most)
{
	const node_id *next = m->next, *parents = m->lane->tree.parent;
	const uint16_t *rows = m->lane->tree.rows;
	int64_t *own = m->own, *sum = m->sum;
	struct cover_cell *cells = m->cells;
	node_id node = m->node;
	int row = m->row, deepest = m->deepest;

	for (uint32_t left = most; node != NODE_ROOT && left > 0; left--) {
		/* Load both candidates, so that the choice compiles to a conditional move. */
		node_id parent = parents[node], below = *next;
		int below_row = rows[below];
		int64_t ns = own[node] + sum[row + 1];
		bool is_done;

		own[node] = 0;
		sum[row + 1] = 0;
		sum[row] += ns;
		add_node(&cells[row], node, ns);
		deepest = row > deepest ? row : deepest;
		/* In preorder, all nodes between a node and a leaf below it are below it too. */
		is_done = parent <= below;
		node = is_done ? below : parent;
		row = is_done ? below_row : row - 1;
		next -= is_done;
		__builtin_prefetch(&parents[next[2 - AHEAD]]);
		__builtin_prefetch(&rows[next[2 - AHEAD]]);
		__builtin_prefetch(&own[next[2 - AHEAD]], 1);
	}
	m->next = next;
	m->node = node;
	m->row = row;
	m->deepest = deepest;
	if (node != NODE_ROOT)
		return false;
	own[NODE_ROOT] = 0;
	sum[0] = sum[1] = 0;
	return true;
}

static void begin_column(struct column_maker *m, int64_t t0, int64_t t1)
{
	const struct blocks_visitor visitor = { m, take_many, take_one, NULL };

	m->what = MAKE_OWN;
	m->t0 = t0;
	m->t1 = t1;
	blocks_begin(&m->walk, &m->lane->samples, t0, t1, &visitor);
}

static void clear_cells(struct column_maker *m)
{
	for (int row = 1; row <= m->deepest; row++)
		m->cells[row] = empty;
}

/* Drop the column that was begun and clear the work space for the next one. */
static void drop_column(struct column_maker *m)
{
	if (m->what == MAKE_OWN)
		begin_climb(m);
	if (m->what == MAKE_CELLS) {
		m->own[m->node] = 0;
		for (const node_id *leaf = m->next; leaf >= m->leaves + AHEAD; leaf--)
			m->own[*leaf] = 0;
		memset(m->sum, 0, ((size_t)m->row + 2) * sizeof *m->sum);
	}
	if (m->what != MAKE_NOTHING)
		clear_cells(m);
	m->what = MAKE_NOTHING;
}

/* Slices that outlast the one around them: the samples have them only until that one ends. */
static void add_over(struct column_maker *m)
{
	const struct slice_time *time = m->lane->slice_time;

	if (!slice_time_is_seen(time, m->t1 - m->t0))
		return;
	for (size_t i = slice_time_reaching(&time->over, m->t0);
	     i < time->over.n && time->over.list[i].t0 < m->t1; i++) {
		const struct slice_stretch *over = &time->over.list[i];
		int64_t from = over->t0 > m->t0 ? over->t0 : m->t0,
			end = over->t1 < m->t1 ? over->t1 : m->t1;
		int row = m->lane->tree.rows[over->node];
		struct cover_cell *cell = &m->cells[row];

		if (end <= from)
			continue;
		/* A slice that ends in the column is one part of it. */
		if (cell->parts && cell->node == over->node) {
			cell->node_ns += end - from;
			cell->all_ns += end - from;
		} else {
			add_node(cell, over->node, end - from);
		}
		m->deepest = row > m->deepest ? row : m->deepest;
	}
}

bool column_maker_has(const struct column_maker *m, int64_t t0, int64_t t1)
{
	return m->what != MAKE_NOTHING && m->t0 == t0 && m->t1 == t1;
}

bool column_maker_work(struct column_maker *m, int64_t t0, int64_t t1, struct budget *budget)
{
	const struct blocks_visitor visitor = { m, take_many, take_one, NULL };

	if (!column_maker_has(m, t0, t1)) {
		drop_column(m);
		begin_column(m, t0, t1);
	}
	if (m->what == MAKE_OWN) {
		if (!blocks_walk_work(&m->walk, &visitor, budget))
			return false;
		begin_climb(m);
	}
	while (m->what == MAKE_CELLS) {
		if (climb(m, budget->step)) {
			add_over(m);
			m->what = MAKE_DONE;
		} else if (budget_spent(budget)) {
			return false;
		}
	}
	return true;
}

int column_maker_rows(const struct column_maker *m)
{
	return m->deepest;
}

const struct cover_cell *column_maker_cells(const struct column_maker *m)
{
	return m->cells + 1;
}

void column_maker_take(struct column_maker *m, struct cover_cell *to)
{
	/* Without rows there may be no cells to copy, and no place for them. */
	if (m->deepest > 0 && to)
		memcpy(to, m->cells + 1, (size_t)m->deepest * sizeof *to);
	clear_cells(m);
	m->what = MAKE_NOTHING;
}
