/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Columns are cached by their time range, WAYS of them in a bucket. Most columns of a picture come
 * from the cache if only the selection changes, and after a pan. A very deep column has many cells,
 * of which a picture shows few. They are the rows of few stacks, so runs of rows with the same
 * times are kept as one. Beyond CELLS_MAX, columns that were not requested recently are freed.
 *
 * Many columns are made by two threads if that saves more than a thread costs. Columns do not
 * depend on each other, each thread has a maker of its own, and the cache belongs to the calling
 * thread, so the result is the same. */
#include "config.h"

#include "analyse/cover.h"

#include "base/alloc.h"
#include "base/bitset.h"
#include "base/budget.h"
#include "base/thread.h"
#include "model/blocks.h"
#include "model/lane.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

struct column_maker {
	const struct lane *lane;
	int64_t *own;       /* by node: self time in the column */
	struct bitset used; /* leaves of the column */
	node_id *leaves;    /* the same in preorder, from index AHEAD on; the root before them */
	int64_t *sum;       /* by row, see the section below */
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

#define BUCKETS 512u
#define WAYS 8u

/* Rows with the same times. Their nodes are `step` apart: 1 for a stack that is the only one below
 * its first frame. */
struct run {
	struct cover_cell first;
	int row; /* of that cell */
	int step;
};

/* The rows of a column. */
struct column_rows {
	union {
		struct cover_cell *cells;
		struct run *runs; /* if n_runs > 0 */
	} list;
	int n_rows, n_runs;
};

struct column {
	int64_t t0, t1;
	struct column_rows rows;
	uint64_t asked; /* number of the last request for it; 0: no column */
};

struct cover {
	const struct lane *lane;
	/* The second one is for a second thread, and made when it is needed first. */
	struct column_maker *makers[2];
	bool is_alone; /* there was no memory for a second thread */
	uint64_t asked;
	size_t n_cells, most_cells;  /* of all cached columns; the number that starts a search for
					old ones */
	struct cover_cell *unpacked; /* the rows of a packed column; NULL: there was none */
	struct column cache[BUCKETS][WAYS];
};

static int begun_by(const struct cover *c, const struct cover_range *range);

/* ==== column maker ====
 *
 * First the self time of each leaf comes from the samples or their blocks. Then the leaves are
 * taken in preorder from the last to the first, and each climbs up the tree until the next leaf
 * lies below. So each node is visited once, after all nodes below it. Its time is then complete:
 * its self time and sum[row + 1], where its children left theirs. */

#define AHEAD 6 /* entries before the first leaf, which the prefetch reads */

static const struct cover_cell empty = { .node = NODE_ROOT };

/* The lane's tree and samples must outlive it. */
static struct column_maker *column_maker_new(const struct lane *lane)
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

/* How much memory column_maker_new() takes. */
static size_t column_maker_bytes(const struct lane *lane)
{
	const struct column_maker *m = NULL;

	return sizeof *m + lane->tree.n * (sizeof *m->own + sizeof *m->leaves) + lane->tree.n / 8 +
		lane->tree.max_rows * (sizeof *m->sum + sizeof *m->cells);
}

static void column_maker_free(struct column_maker *m)
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

BLOCKS_MANY(take_many, take_one)

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

/* Whether it has begun with that column, or has completed it, and it was not taken yet. */
static bool column_maker_has(const struct column_maker *m, int64_t t0, int64_t t1)
{
	return m->what != MAKE_NOTHING && m->t0 == t0 && m->t1 == t1;
}

/* Compute the column [t0, t1) within the budget; true when it is complete. Otherwise the next call
 * for the same range continues; a call for another range drops what was begun. Allocates nothing.
 */
static bool column_maker_work(struct column_maker *m, int64_t t0, int64_t t1, struct budget *budget)
{
	const struct blocks_visitor visitor = { m, take_many, take_one, NULL };

	if (!column_maker_has(m, t0, t1)) {
		/* Drop the column that was begun and clear the work space for the next one. */
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

/* ==== cover ==== */

#define CELLS_MAX ((size_t)4 << 20)
#define DEEP_ROWS 1024 /* columns with more rows are packed */
#define LATELY 1024u   /* requests since then; an older column is not recent */
#define NO_MAKER (-1)

/* What a column is made of before it is in the cache. */
struct made {
	struct column_rows rows;
	int begun_by;    /* before: the number of the maker that goes on with it, or NO_MAKER */
	bool is_refused; /* there was no memory for its cells */
	bool is_complete;
};

/* ---- packing ---- */

/* Whether a run goes on with the cell of a row. */
static bool takes(struct run *run, const struct cover_cell *cell, int row)
{
	int n = row - run->row;

	if (cell->parts != run->first.parts || cell->node_ns != run->first.node_ns ||
	    cell->all_ns != run->first.all_ns)
		return false;
	if (n == 1)
		run->step = (int)(cell->node - run->first.node);
	return cell->node == run->first.node + (node_id)run->step * (node_id)n;
}

/* Find the runs of a column. Returns their number. to: where they go; NULL: nowhere. */
static int find_runs(const struct cover_cell *cells, int n_rows, struct run *to)
{
	struct run run = { .row = -1 };
	int n = 0;

	for (int row = 0; row < n_rows; row++) {
		if (n && takes(&run, &cells[row], row)) {
			if (to)
				to[n - 1].step = run.step;
			continue;
		}
		run = (struct run){ cells[row], row, 0 };
		if (to)
			to[n] = run;
		n++;
	}
	return n;
}

/* How many bytes the rows take that a maker has completed. Finds the number of runs; 0: they would
 * take more. */
static size_t find_bytes(const struct column_maker *maker, struct column_rows *rows)
{
	*rows = (struct column_rows){ .n_rows = maker->deepest };
	if (rows->n_rows > DEEP_ROWS)
		rows->n_runs = find_runs(maker->cells + 1, rows->n_rows, NULL);
	if ((size_t)rows->n_runs * sizeof(struct run) >=
	    (size_t)rows->n_rows * sizeof(struct cover_cell))
		rows->n_runs = 0;
	return rows->n_runs ? (size_t)rows->n_runs * sizeof(struct run)
			    : (size_t)rows->n_rows * sizeof(struct cover_cell);
}

/* Take the rows from the maker. They own the memory, of find_bytes(). */
static void take_rows(struct column_maker *maker, void *memory, struct column_rows *rows)
{
	if (rows->n_runs) {
		rows->list.runs = memory;
		find_runs(maker->cells + 1, rows->n_rows, rows->list.runs);
	} else {
		rows->list.cells = memory;
		/* Without rows there may be no place for them. */
		if (memory)
			memcpy(memory, maker->cells + 1,
			       (size_t)rows->n_rows * sizeof *maker->cells);
	}
	clear_cells(maker);
	maker->what = MAKE_NOTHING;
}

static void free_rows(struct column_rows *rows)
{
	if (rows->n_runs)
		free(rows->list.runs);
	else
		free(rows->list.cells);
}

/* What counts as cells: the size of a run is about that of a cell. */
static size_t count_cells(const struct column_rows *rows)
{
	return (size_t)(rows->n_runs ? rows->n_runs : rows->n_rows);
}

/* The run that has a row. */
static int find_run(const struct column_rows *rows, int row)
{
	int low = 0, high = rows->n_runs;

	while (high - low > 1) {
		int middle = low + (high - low) / 2;

		if (rows->list.runs[middle].row <= row)
			low = middle;
		else
			high = middle;
	}
	return low;
}

/* The cells of rows, of which those of [from, from + n) are wanted. */
static const struct cover_cell *unpack(const struct cover *c, const struct column_rows *rows,
				       int from, int n)
{
	int end = n < rows->n_rows - from ? from + n : rows->n_rows, i;

	if (!rows->n_runs)
		return rows->list.cells;
	i = find_run(rows, from);
	for (int row = from; row < end; row++) {
		const struct run *run;

		while (i + 1 < rows->n_runs && rows->list.runs[i + 1].row <= row)
			i++;
		run = &rows->list.runs[i];
		c->unpacked[row] = run->first;
		c->unpacked[row].node += (node_id)run->step * (node_id)(row - run->row);
	}
	return c->unpacked;
}

/* ---- the cache ---- */

struct cover *cover_new(const struct lane *lane)
{
	size_t n_unpacked = lane->tree.max_rows > DEEP_ROWS ? lane->tree.max_rows : 0;
	struct cover *c;

	if (!reserve_has_room(sizeof *c + column_maker_bytes(lane) +
			      n_unpacked * sizeof *c->unpacked))
		return NULL;
	c = xcalloc(1, sizeof *c);
	c->lane = lane;
	c->most_cells = CELLS_MAX;
	c->makers[0] = column_maker_new(lane);
	return c;
}

void cover_free(struct cover *c)
{
	if (!c)
		return;
	for (size_t i = 0; i < BUCKETS; i++)
		for (size_t k = 0; k < WAYS; k++)
			free_rows(&c->cache[i][k].rows);
	free(c->unpacked);
	column_maker_free(c->makers[0]);
	column_maker_free(c->makers[1]);
	free(c);
}

/* In which bucket of a cache the column [t0, t1) is. The columns of a picture follow each other, so
 * each comes into the bucket after the one before it: they do not replace each other. */
static size_t bucket_of(int64_t t0, int64_t t1)
{
	return (size_t)((uint64_t)(t1 > t0 ? t0 / (t1 - t0) : t0) % BUCKETS);
}

/* The column of that range, or the one that it will replace. */
static struct column *find_column(struct cover *c, int64_t t0, int64_t t1)
{
	struct column *bucket = c->cache[bucket_of(t0, t1)], *oldest = bucket;

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

bool cover_has(struct cover *c, int64_t t0, int64_t t1)
{
	struct column *col = find_column(c, t0, t1);

	if (!is_column(col, t0, t1))
		return false;
	col->asked = ++c->asked;
	return true;
}

const struct cover_cell *cover_known(const struct cover *c, int64_t t0, int64_t t1, int from, int n,
				     int *n_rows)
{
	static const struct cover_cell no_rows;
	const struct column *bucket = c->cache[bucket_of(t0, t1)];

	for (size_t k = 0; k < WAYS; k++) {
		if (!is_column(&bucket[k], t0, t1))
			continue;
		*n_rows = bucket[k].rows.n_rows;
		return *n_rows ? unpack(c, &bucket[k].rows, from, n) : &no_rows;
	}
	return NULL;
}

/* ---- making ---- */

/* Put a column into the cache. Takes the rows. */
static void keep(struct cover *c, int64_t t0, int64_t t1, const struct column_rows *rows)
{
	struct column *col = find_column(c, t0, t1);

	c->n_cells += count_cells(rows) - count_cells(&col->rows);
	free_rows(&col->rows);
	*col = (struct column){ t0, t1, *rows, ++c->asked };
	if (rows->n_runs && !c->unpacked)
		c->unpacked = xmalloc((size_t)c->lane->tree.max_rows * sizeof *c->unpacked);
	if (c->n_cells > c->most_cells) {
		for (size_t i = 0; i < BUCKETS; i++) {
			for (size_t k = 0; k < WAYS; k++) {
				struct column *old = &c->cache[i][k];

				if (!old->asked || c->asked - old->asked < LATELY)
					continue;
				c->n_cells -= count_cells(&old->rows);
				free_rows(&old->rows);
				*old = (struct column){ 0 };
			}
		}
		c->most_cells = c->n_cells * 2 > CELLS_MAX ? c->n_cells * 2 : CELLS_MAX;
	}
}

bool cover_make(struct cover *c, int64_t t0, int64_t t1, struct budget *budget)
{
	struct column_maker *maker = c->makers[0];
	struct column_rows rows;
	size_t bytes;

	if (cover_has(c, t0, t1))
		return true;
	if (!column_maker_work(maker, t0, t1, budget))
		return false;
	bytes = find_bytes(maker, &rows);
	take_rows(maker, bytes ? xmalloc(bytes) : NULL, &rows);
	keep(c, t0, t1, &rows);
	return true;
}

/* ---- on two threads ---- */

/* Columns that two threads make. Each takes the next one when it has finished one. */
struct job {
	struct cover *cover;
	const struct cover_range *list;
	size_t n;
	struct made *made; /* a thread writes to those only that it has taken */
	atomic_size_t next;
	struct budget *own;  /* of the calling thread */
	struct budget other; /* of the second one, which allocates nothing but cells */
};

/* Take a column: the one that this maker has begun, or else the next. job->n: there is none. */
static size_t take(struct job *job, int maker, bool is_first)
{
	size_t i;

	for (i = 0; is_first && i < job->n; i++)
		if (job->made[i].begun_by == maker)
			return i;
	do
		i = atomic_fetch_add(&job->next, 1);
	while (i < job->n && job->made[i].begun_by != NO_MAKER);
	return i < job->n ? i : job->n;
}

/* Make columns until none is left, the budget is spent, or there is no memory for the cells. */
static void make_some(struct job *job, int number, struct budget *budget)
{
	struct column_maker *maker = job->cover->makers[number];
	bool is_first = true;

	do {
		size_t i = take(job, number, is_first);
		const struct cover_range *r = &job->list[i];
		struct made *made = &job->made[i];
		void *memory;

		if (i == job->n || !column_maker_work(maker, r->t0, r->t1, budget))
			return;
		memory = alloc_if_room(find_bytes(maker, &made->rows));
		made->is_refused = !memory;
		if (made->is_refused)
			return;
		take_rows(maker, memory, &made->rows);
		made->is_complete = true;
		is_first = false;
	} while (!budget_spent(budget));
}

static void make_here(void *ctx)
{
	struct job *job = ctx;

	make_some(job, 0, job->own);
}

static void make_there(void *ctx)
{
	struct job *job = ctx;

	make_some(job, 1, &job->other);
}

/* The maker that goes on with a column. Both may have begun it, if other columns came in between:
 * then it is the first one. */
static int begun_by(const struct cover *c, const struct cover_range *range)
{
	for (int i = 0; i < 2; i++)
		if (column_maker_has(c->makers[i], range->t0, range->t1))
			return i;
	return NO_MAKER;
}

/* Make columns on two threads. Returns whether all are made. They come into the cache in their
 * order, so that it is the same as after one thread. */
static bool make_on_two(struct cover *c, const struct cover_range *list, size_t n,
			struct budget *budget)
{
	struct made *made = xcalloc(n, sizeof *made);
	struct job job = { .cover = c,
			   .list = list,
			   .n = n,
			   .made = made,
			   .own = budget,
			   .other = *budget };
	bool is_all = true;

	for (size_t i = 0; i < n; i++)
		made[i].begun_by = begun_by(c, &list[i]);
	parallel_pair(make_here, make_there, &job);
	for (size_t i = 0; i < n; i++) {
		if (made[i].is_complete)
			keep(c, list[i].t0, list[i].t1, &made[i].rows);
		is_all = is_all && made[i].is_complete;
		c->is_alone = c->is_alone || made[i].is_refused;
	}
	free(made);
	return is_all;
}

/* About how many entries and nodes have to be visited for the columns. Only a comparison of times
 * says more, and then two runs would differ. */
static double find_work(const struct cover *c, const struct cover_range *list, size_t n)
{
	const struct lane *lane = c->lane;
	double all_ns = (double)lane->t1 - (double)lane->t0, in_one = 0;

	if (all_ns > 0)
		in_one = (double)lane->samples.n * (double)(list[0].t1 - list[0].t0) / all_ns;
	if (in_one > lane->tree.n)
		in_one = lane->tree.n;
	return in_one * 2 * (double)n;
}

/* Whether a second thread gains more than it costs. A budget of steps is for one thread: what it
 * does must not depend on the machine. */
static bool pays(struct cover *c, const struct cover_range *list, size_t n,
		 const struct budget *budget)
{
	if (c->is_alone || n < 2 || budget_is_counted(budget) ||
	    find_work(c, list, n) < COVER_MUCH_WORK || thread_processors() < 2)
		return false;
	if (!c->makers[1] && reserve_has_room(column_maker_bytes(c->lane)))
		c->makers[1] = column_maker_new(c->lane);
	c->is_alone = !c->makers[1];
	return !c->is_alone;
}

static bool make_alone(struct cover *c, const struct cover_range *list, size_t n,
		       struct budget *budget)
{
	for (size_t i = 0; i < n; i++) {
		if (!cover_make(c, list[i].t0, list[i].t1, budget))
			return false;
		if (i + 1 < n && budget_spent(budget))
			return false;
	}
	return true;
}

/* Keep only the columns of the list that are not in the cache. Returns their number. */
static size_t leave_missing(struct cover *c, struct cover_range *list, size_t n)
{
	size_t n_missing = 0;

	for (size_t i = 0; i < n; i++) {
		const struct cover_range *last = n_missing ? &list[n_missing - 1] : NULL;

		if (!(last && last->t0 == list[i].t0 && last->t1 == list[i].t1) &&
		    !cover_has(c, list[i].t0, list[i].t1))
			list[n_missing++] = list[i];
	}
	return n_missing;
}

bool cover_make_all(struct cover *c, struct cover_range *list, size_t n, struct budget *budget)
{
	for (;;) {
		n = leave_missing(c, list, n);
		if (!n ||
		    (pays(c, list, n, budget) ? make_on_two(c, list, n, budget)
					      : make_alone(c, list, n, budget)))
			return true;
		if (budget_spent(budget))
			return false;
	}
}

/* ==== match rows ====
 *
 * A column is a bit set of rows. From each leaf with time in it the walk goes up from match to
 * match, as far as no earlier leaf went. Columns are cached as those of a cover are. */

#define MATCH_WAYS 4u
#define WORD_BITS 64

struct match_column {
	int64_t t0, t1;
	uint64_t *rows;
	uint64_t asked; /* number of the last request for it; 0: no column */
};

struct match_rows {
	const struct search_lane *l;
	size_t n_words;
	uint32_t *seen; /* by node: number of the last column that visited it */
	uint32_t now;
	/* The column that is being computed, not asked yet; NULL: none. */
	struct match_column *made;
	struct blocks_walk walk; /* position in it */
	uint64_t asked;
	struct match_column cache[BUCKETS][MATCH_WAYS];
};

struct match_rows *match_rows_new(const struct search_lane *lane)
{
	struct match_rows *m;

	if (!lane->near)
		return NULL;
	m = xcalloc(1, sizeof *m);
	m->l = lane;
	m->n_words = (size_t)lane->lane->tree.max_rows / WORD_BITS + 1;
	m->seen = xcalloc(lane->lane->tree.n, sizeof *m->seen);
	return m;
}

size_t match_rows_bytes(const struct search_lane *lane)
{
	return lane->near ? sizeof(struct match_rows) + lane->lane->tree.n * sizeof(uint32_t) : 0;
}

void match_rows_free(struct match_rows *m)
{
	if (!m)
		return;
	for (size_t i = 0; i < BUCKETS; i++)
		for (size_t k = 0; k < MATCH_WAYS; k++)
			free(m->cache[i][k].rows);
	free(m->seen);
	free(m);
}

static void take_match(void *ctx, node_id leaf, int64_t ns)
{
	struct match_rows *m = ctx;
	const struct search_lane *l = m->l;
	node_id node = search_lane_at(l, leaf);

	/* Samples without time are not spans, but slices without time are. */
	if (ns == 0 && l->lane->kind == LANE_SAMPLES)
		return;
	while (node != NODE_ROOT && m->seen[node] != m->now) {
		unsigned row = l->lane->tree.rows[node] - 1u;

		m->seen[node] = m->now;
		m->made->rows[row / WORD_BITS] |= UINT64_C(1) << row % WORD_BITS;
		node = search_lane_at(l, l->lane->tree.parent[node]);
	}
}

static void take_matches(void *ctx, const node_id *leaf, const uint32_t *ns, size_t n)
{
	const struct match_rows *m = ctx;

	for (size_t i = 0; i < n; i++)
		if (m->l->near[leaf[i]] != NODE_ROOT)
			take_match(ctx, leaf[i], ns[i]);
}

/* The column's place in its bucket; -1: it is not in the cache. */
static int find_match_column(const struct match_rows *m, int64_t t0, int64_t t1)
{
	const struct match_column *columns = m->cache[bucket_of(t0, t1)];

	for (int k = 0; k < (int)MATCH_WAYS; k++)
		if (columns[k].asked && columns[k].t0 == t0 && columns[k].t1 == t1)
			return k;
	return -1;
}

/* Begin a column; it replaces the oldest one of its bucket. */
static void begin_match_column(struct match_rows *m, int64_t t0, int64_t t1)
{
	const struct blocks_visitor visitor = { m, take_matches, take_match, NULL };
	struct match_column *bucket = m->cache[bucket_of(t0, t1)], *column = bucket;

	for (size_t k = 1; k < MATCH_WAYS; k++)
		if (bucket[k].asked < column->asked)
			column = &bucket[k];
	*column = (struct match_column){ t0, t1, column->rows, 0 };
	if (!column->rows)
		column->rows = xmalloc(m->n_words * sizeof *column->rows);
	memset(column->rows, 0, m->n_words * sizeof *column->rows);
	if (++m->now == 0) {
		memset(m->seen, 0, (size_t)m->l->lane->tree.n * sizeof *m->seen);
		m->now = 1;
	}
	m->made = column;
	blocks_begin(&m->walk, m->l->samples, t0, t1, &visitor);
}

bool match_rows_is_known(struct match_rows *m, int64_t t0, int64_t t1)
{
	int k = find_match_column(m, t0, t1);

	if (k < 0)
		return false;
	m->cache[bucket_of(t0, t1)][k].asked = ++m->asked;
	return true;
}

bool match_rows_make(struct match_rows *m, int64_t t0, int64_t t1, struct budget *budget)
{
	const struct blocks_visitor visitor = { m, take_matches, take_match, NULL };

	if (match_rows_is_known(m, t0, t1))
		return true;
	if (!m->made || m->made->t0 != t0 || m->made->t1 != t1)
		begin_match_column(m, t0, t1);
	if (!blocks_walk_work(&m->walk, &visitor, budget))
		return false;
	m->made->asked = ++m->asked;
	m->made = NULL;
	return true;
}

bool match_rows_has(const struct match_rows *m, int64_t t0, int64_t t1, int depth)
{
	int k = find_match_column(m, t0, t1);
	const uint64_t *rows;

	if (k < 0 || (size_t)depth / WORD_BITS >= m->n_words)
		return false;
	rows = m->cache[bucket_of(t0, t1)][k].rows;
	return rows[depth / WORD_BITS] >> depth % WORD_BITS & 1;
}
