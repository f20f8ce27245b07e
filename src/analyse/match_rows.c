/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A column is a bit set of rows. From each leaf with time in it the walk goes up from match to
 * match, as far as no earlier leaf went. Columns are cached by their time range, WAYS of them in a
 * bucket; a new one replaces the one that was not requested for longest. */
#include "config.h"

#include "analyse/match_rows.h"

#include "analyse/cover.h"
#include "base/alloc.h"
#include "model/blocks.h"

#include <stdlib.h>
#include <string.h>

#define BUCKETS 512u
#define WAYS 4u
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
	struct match_column cache[BUCKETS][WAYS];
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
		for (size_t k = 0; k < WAYS; k++)
			free(m->cache[i][k].rows);
	free(m->seen);
	free(m);
}

static void take_one(void *ctx, node_id leaf, int64_t ns)
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

static void take_many(void *ctx, const node_id *leaf, const uint32_t *ns, size_t n)
{
	const struct match_rows *m = ctx;

	for (size_t i = 0; i < n; i++)
		if (m->l->near[leaf[i]] != NODE_ROOT)
			take_one(ctx, leaf[i], ns[i]);
}

/* The column's place in its bucket; -1: it is not in the cache. */
static int find_column(const struct match_rows *m, int64_t t0, int64_t t1)
{
	const struct match_column *columns = m->cache[cover_bucket(t0, t1, BUCKETS)];

	for (int k = 0; k < (int)WAYS; k++)
		if (columns[k].asked && columns[k].t0 == t0 && columns[k].t1 == t1)
			return k;
	return -1;
}

/* Begin a column; it replaces the oldest one of its bucket. */
static void begin_column(struct match_rows *m, int64_t t0, int64_t t1)
{
	const struct blocks_visitor visitor = { m, take_many, take_one, NULL };
	struct match_column *bucket = m->cache[cover_bucket(t0, t1, BUCKETS)], *column = bucket;

	for (size_t k = 1; k < WAYS; k++)
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
	int k = find_column(m, t0, t1);

	if (k < 0)
		return false;
	m->cache[cover_bucket(t0, t1, BUCKETS)][k].asked = ++m->asked;
	return true;
}

bool match_rows_make(struct match_rows *m, int64_t t0, int64_t t1, struct budget *budget)
{
	const struct blocks_visitor visitor = { m, take_many, take_one, NULL };

	if (match_rows_is_known(m, t0, t1))
		return true;
	if (!m->made || m->made->t0 != t0 || m->made->t1 != t1)
		begin_column(m, t0, t1);
	if (!blocks_walk_work(&m->walk, &visitor, budget))
		return false;
	m->made->asked = ++m->asked;
	m->made = NULL;
	return true;
}

bool match_rows_has(const struct match_rows *m, int64_t t0, int64_t t1, int depth)
{
	int k = find_column(m, t0, t1);
	const uint64_t *rows;

	if (k < 0 || (size_t)depth / WORD_BITS >= m->n_words)
		return false;
	rows = m->cache[cover_bucket(t0, t1, BUCKETS)][k].rows;
	return rows[depth / WORD_BITS] >> depth % WORD_BITS & 1;
}
