/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How a column is computed. First the self time of each leaf comes from the samples or their
 * blocks. Then the leaves are taken in preorder from the last to the first, and each climbs up the
 * tree until the next leaf lies below. So each node is visited once, after all nodes below it. Its
 * time is then complete: its self time and sum[row + 1], where its children left theirs. `making`
 * holds the state between two steps.
 *
 * Columns are cached by their time range, WAYS of them in a bucket. Most columns of a picture come
 * from the cache if only the selection changes, and after a pan. A very deep column has many cells:
 * beyond CELLS_MOST, columns that were not requested recently are freed. */
#include "config.h"

#include "analysis/cover.h"

#include "base/alloc.h"
#include "base/bitset.h"
#include "model/blocks.h"

#include <stdlib.h>
#include <string.h>

#define BUCKETS 512u
#define WAYS 8u
#define CELLS_MOST ((size_t)4 << 20)
#define LATELY 1024u /* requests since then; an older column is not recent */
#define AHEAD 6      /* entries before the first leaf, which the prefetch reads */

struct column {
	int64_t t0, t1;
	struct cover_cell *cells;
	int n_rows;
	int cap;
	uint64_t asked; /* number of the last request for it; 0: no column */
};

/* The column that is being computed. */
struct making {
	enum { MAKE_NOTHING, MAKE_OWN, MAKE_CELLS } what; /* the next phase */
	int64_t t0, t1;
	struct blocks_walk walk;
	const node_id *next; /* MAKE_CELLS: the leaf after `node`, which is the next to visit */
	node_id node;
	int row;     /* row of `node` */
	int deepest; /* deepest row so far */
};

struct cover {
	const struct lane *lane;
	struct making making;
	int64_t *own;       /* by node: self time in the column that is being computed */
	struct bitset used; /* leaves of the column */
	node_id *leaves;    /* the same in preorder, from index AHEAD on; the root before them */
	int64_t *sum;       /* by row, see the top of the file */
	struct cover_cell *cells; /* of the column that is being computed; otherwise all empty */
	uint64_t asked;
	size_t n_cells, most_cells; /* of all cached columns; the number that starts a search for
				       old ones */
	struct column cache[BUCKETS][WAYS];
};

static const struct cover_cell empty = { .node = NODE_ROOT };

struct cover *cover_new(const struct lane *lane)
{
	struct cover *c = xcalloc(1, sizeof *c);
	size_t n = lane->tree.n, n_rows = lane->tree.max_rows;

	c->lane = lane;
	c->most_cells = CELLS_MOST;
	c->own = xcalloc(n + 1, sizeof *c->own);
	bitset_init(&c->used, n);
	c->leaves = xmalloc((n + AHEAD + 1) * sizeof *c->leaves);
	memset(c->leaves, 0, AHEAD * sizeof *c->leaves);
	c->sum = xcalloc(n_rows + 2, sizeof *c->sum);
	c->cells = xmalloc((n_rows + 1) * sizeof *c->cells);
	for (size_t row = 0; row <= n_rows; row++)
		c->cells[row] = empty;
	return c;
}

size_t cover_bytes(const struct lane *lane)
{
	const struct cover *c = NULL;

	return sizeof *c + lane->tree.n * (sizeof *c->own + sizeof *c->leaves) +
		lane->tree.max_rows * (sizeof *c->sum + sizeof *c->cells);
}

void cover_free(struct cover *c)
{
	if (!c)
		return;
	for (size_t i = 0; i < BUCKETS; i++)
		for (size_t k = 0; k < WAYS; k++)
			free(c->cache[i][k].cells);
	free(c->own);
	bitset_done(&c->used);
	free(c->leaves);
	free(c->sum);
	free(c->cells);
	free(c);
}

static void take_one(void *ctx, node_id leaf, int64_t ns)
{
	struct cover *c = ctx;

	c->own[leaf] += ns;
	bitset_add(&c->used, leaf);
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

static void begin_climb(struct cover *c)
{
	struct making *m = &c->making;

	m->what = MAKE_CELLS;
	m->next = c->leaves + AHEAD + bitset_drain(&c->used, c->leaves + AHEAD) - 1;
	m->node = *m->next--;
	m->row = m->node == NODE_ROOT ? 0 : c->lane->tree.rows[m->node];
	m->deepest = 0;
}

/* Add the next `most` nodes to c->cells; returns whether those were all. The loop has no branch
 * that depends on the shape of the tree: it could not be predicted. */
static bool climb(struct cover *c, uint32_t most)
{
	struct making *m = &c->making;
	const node_id *next = m->next, *parents = c->lane->tree.parent;
	const uint16_t *rows = c->lane->tree.rows;
	int64_t *own = c->own, *sum = c->sum;
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
		add_node(&c->cells[row], node, ns);
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

static void begin_column(struct cover *c, int64_t t0, int64_t t1)
{
	const struct blocks_visitor visitor = { c, take_many, take_one, NULL };

	c->making = (struct making){ .what = MAKE_OWN, .t0 = t0, .t1 = t1 };
	blocks_begin(&c->making.walk, &c->lane->samples, t0, t1, &visitor);
}

/* Drop the column that was begun and clear the work space for the next one. */
static void drop_column(struct cover *c)
{
	struct making *m = &c->making;

	if (m->what == MAKE_OWN)
		begin_climb(c);
	if (m->what == MAKE_CELLS) {
		c->own[m->node] = 0;
		for (const node_id *leaf = m->next; leaf >= c->leaves + AHEAD; leaf--)
			c->own[*leaf] = 0;
		memset(c->sum, 0, ((size_t)m->row + 2) * sizeof *c->sum);
		for (int row = 1; row <= m->deepest; row++)
			c->cells[row] = empty;
	}
	m->what = MAKE_NOTHING;
}

/* Slices that outlast the one around them: the samples have them only until that one ends. */
static void add_over(struct cover *c)
{
	const struct slice_time *time = c->lane->slice_time;
	struct making *m = &c->making;

	if (!slice_time_is_seen(time, m->t1 - m->t0))
		return;
	for (size_t i = slice_time_reaching(&time->over, m->t0);
	     i < time->over.n && time->over.list[i].t0 < m->t1; i++) {
		const struct slice_stretch *over = &time->over.list[i];
		int64_t from = over->t0 > m->t0 ? over->t0 : m->t0,
			end = over->t1 < m->t1 ? over->t1 : m->t1;
		int row = c->lane->tree.rows[over->node];
		struct cover_cell *cell = &c->cells[row];

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

/* Continue the column within the budget; returns whether c->cells are complete. */
static bool make_column(struct cover *c, struct budget *budget)
{
	const struct blocks_visitor visitor = { c, take_many, take_one, NULL };
	struct making *m = &c->making;

	while (m->what == MAKE_OWN) {
		if (blocks_step(&m->walk, budget->step, &visitor))
			begin_climb(c);
		else if (budget_spent(budget))
			return false;
	}
	while (!climb(c, budget->step))
		if (budget_spent(budget))
			return false;
	add_over(c);
	m->what = MAKE_NOTHING;
	return true;
}

static void take_column(struct cover *c, struct column *col)
{
	int deepest = c->making.deepest;

	if (deepest > col->cap) {
		c->n_cells += (size_t)(deepest - col->cap);
		col->cap = deepest;
		col->cells = xrealloc(col->cells, (size_t)col->cap, sizeof *col->cells);
	}
	col->n_rows = deepest;
	for (int row = 1; row <= deepest; row++) {
		col->cells[row - 1] = c->cells[row];
		c->cells[row] = empty;
	}
}

size_t cover_bucket(int64_t t0, int64_t t1, size_t n)
{
	return (size_t)((uint64_t)(t1 > t0 ? t0 / (t1 - t0) : t0) % n);
}

/* The column of that range, or the one that it will replace. */
static struct column *find_column(struct cover *c, int64_t t0, int64_t t1)
{
	struct column *bucket = c->cache[cover_bucket(t0, t1, BUCKETS)], *oldest = bucket;

	for (size_t k = 0; k < WAYS; k++) {
		if (bucket[k].asked && bucket[k].t0 == t0 && bucket[k].t1 == t1)
			return &bucket[k];
		if (bucket[k].asked < oldest->asked)
			oldest = &bucket[k];
	}
	return oldest;
}

static bool is_column(const struct column *col, int64_t t0, int64_t t1)
{
	return col->asked && col->t0 == t0 && col->t1 == t1;
}

static void drop_old(struct cover *c)
{
	for (size_t i = 0; i < BUCKETS; i++) {
		for (size_t k = 0; k < WAYS; k++) {
			struct column *col = &c->cache[i][k];

			if (!col->asked || c->asked - col->asked < LATELY)
				continue;
			c->n_cells -= (size_t)col->cap;
			free(col->cells);
			*col = (struct column){ 0 };
		}
	}
	c->most_cells = c->n_cells * 2 > CELLS_MOST ? c->n_cells * 2 : CELLS_MOST;
}

bool cover_has(struct cover *c, int64_t t0, int64_t t1)
{
	struct column *col = find_column(c, t0, t1);

	if (!is_column(col, t0, t1))
		return false;
	col->asked = ++c->asked;
	return true;
}

const struct cover_cell *cover_known(const struct cover *c, int64_t t0, int64_t t1, int *n_rows)
{
	static const struct cover_cell no_rows;
	const struct column *bucket = c->cache[cover_bucket(t0, t1, BUCKETS)];

	for (size_t k = 0; k < WAYS; k++) {
		if (!is_column(&bucket[k], t0, t1))
			continue;
		*n_rows = bucket[k].n_rows;
		return bucket[k].cells ? bucket[k].cells : &no_rows;
	}
	return NULL;
}

bool cover_make(struct cover *c, int64_t t0, int64_t t1, struct budget *budget)
{
	struct column *col = find_column(c, t0, t1);

	if (!is_column(col, t0, t1)) {
		if (c->making.what == MAKE_NOTHING || c->making.t0 != t0 || c->making.t1 != t1) {
			drop_column(c);
			begin_column(c, t0, t1);
		}
		if (!make_column(c, budget))
			return false;
		col->t0 = t0;
		col->t1 = t1;
		take_column(c, col);
	}
	col->asked = ++c->asked;
	if (c->n_cells > c->most_cells)
		drop_old(c);
	return true;
}

const struct cover_cell *cover_column(struct cover *c, int64_t t0, int64_t t1, int *n_rows)
{
	const struct column *col;

	cover_make(c, t0, t1, BUDGET_UNLIMITED);
	col = find_column(c, t0, t1);
	*n_rows = col->n_rows;
	return col->cells;
}
