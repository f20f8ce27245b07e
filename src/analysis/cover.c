/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Columns are cached by their time range, WAYS of them in a bucket. Most columns of a picture come
 * from the cache if only the selection changes, and after a pan. A very deep column has many cells:
 * beyond CELLS_MOST, columns that were not requested recently are freed.
 *
 * Many columns are made by two threads if that saves more than a thread costs. Columns do not
 * depend on each other, each thread has a maker of its own, and the cache belongs to the calling
 * thread, so the result is the same. */
#include "config.h"

#include "analysis/cover.h"

#include "base/alloc.h"
#include "base/parallel.h"
#include "base/reserve.h"
#include "base/thread.h"

#include <stdatomic.h>
#include <stdlib.h>

#define BUCKETS 512u
#define WAYS 8u
#define CELLS_MOST ((size_t)4 << 20)
#define LATELY 1024u /* requests since then; an older column is not recent */

struct column {
	int64_t t0, t1;
	struct cover_cell *cells;
	int n_rows;
	uint64_t asked; /* number of the last request for it; 0: no column */
};

#define NO_MAKER (-1)

/* What a column is made of before it is in the cache. */
struct made {
	struct cover_cell *cells;
	int n_rows;
	int begun_by;    /* before: the number of the maker that goes on with it, or NO_MAKER */
	bool is_refused; /* there was no memory for its cells */
	bool is_complete;
};

struct cover {
	const struct lane *lane;
	/* The second one is for a second thread, and made when it is needed first. */
	struct column_maker *makers[2];
	bool is_alone; /* there was no memory for a second thread */
	uint64_t asked;
	size_t n_cells, most_cells; /* of all cached columns; the number that starts a search for
				       old ones */
	struct column cache[BUCKETS][WAYS];
};

struct cover *cover_new(const struct lane *lane)
{
	struct cover *c = xcalloc(1, sizeof *c);

	c->lane = lane;
	c->most_cells = CELLS_MOST;
	c->makers[0] = column_maker_new(lane);
	return c;
}

size_t cover_bytes(const struct lane *lane)
{
	return sizeof(struct cover) + column_maker_bytes(lane);
}

void cover_free(struct cover *c)
{
	if (!c)
		return;
	for (size_t i = 0; i < BUCKETS; i++)
		for (size_t k = 0; k < WAYS; k++)
			free(c->cache[i][k].cells);
	column_maker_free(c->makers[0]);
	column_maker_free(c->makers[1]);
	free(c);
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
			c->n_cells -= (size_t)col->n_rows;
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

/* ---- making ---- */

/* Put a column into the cache. Takes the cells. */
static void keep(struct cover *c, int64_t t0, int64_t t1, struct cover_cell *cells, int n_rows)
{
	struct column *col = find_column(c, t0, t1);

	c->n_cells += (size_t)n_rows - (size_t)col->n_rows;
	free(col->cells);
	*col = (struct column){ t0, t1, cells, n_rows, ++c->asked };
	if (c->n_cells > c->most_cells)
		drop_old(c);
}

bool cover_make(struct cover *c, int64_t t0, int64_t t1, struct budget *budget)
{
	struct column_maker *maker = c->makers[0];
	struct cover_cell *cells = NULL;
	int n_rows;

	if (cover_has(c, t0, t1))
		return true;
	if (!column_maker_work(maker, t0, t1, budget))
		return false;
	n_rows = column_maker_rows(maker);
	if (n_rows)
		cells = xmalloc((size_t)n_rows * sizeof *cells);
	column_maker_take(maker, cells);
	keep(c, t0, t1, cells, n_rows);
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

		if (i == job->n || !column_maker_work(maker, r->t0, r->t1, budget))
			return;
		made->n_rows = column_maker_rows(maker);
		made->cells = alloc_if_room((size_t)made->n_rows * sizeof *made->cells);
		made->is_refused = !made->cells;
		if (made->is_refused)
			return;
		column_maker_take(maker, made->cells);
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
			keep(c, list[i].t0, list[i].t1, made[i].cells, made[i].n_rows);
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

const struct cover_cell *cover_column(struct cover *c, int64_t t0, int64_t t1, int *n_rows)
{
	const struct column *col;

	cover_make(c, t0, t1, BUDGET_UNLIMITED);
	col = find_column(c, t0, t1);
	*n_rows = col->n_rows;
	return col->cells;
}
