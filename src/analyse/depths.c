/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A leaf of k rows has its self time on each of k depths. So the self times by leaf, which blocks
 * (blocks.h) give without a walk over the samples, tell the time of each depth. A lane that begins
 * at a row further down has none on the depths above that: there the time is taken off again. */
#include "config.h"

#include "analyse/depths.h"

#include "base/alloc.h"
#include "model/blocks.h"

#include <string.h>

struct adding {
	double *by_rows; /* by number of rows of a leaf: its self time */
	const uint16_t *rows;
	int first; /* row at which the lane begins */
	int deepest;
};

static void add_one(void *ctx, node_id leaf, int64_t ns)
{
	struct adding *a = ctx;
	int rows = leaf == NODE_ROOT ? 0 : a->first + a->rows[leaf];

	a->by_rows[rows] += (double)ns;
	if (rows)
		a->by_rows[a->first] -= (double)ns;
	a->deepest = rows > a->deepest ? rows : a->deepest;
}

/* The same. What is taken off at the first row is added up apart from it: else each addition would
 * wait for the one before. */
static void add_many(void *ctx, const node_id *leaf, const uint32_t *ns, size_t n)
{
	struct adding *a = ctx;
	double *by_rows = a->by_rows, off = 0;
	int first = a->first, deepest = a->deepest;

	for (size_t i = 0; i < n; i++) {
		int rows = leaf[i] == NODE_ROOT ? 0 : first + a->rows[leaf[i]];

		by_rows[rows] += (double)ns[i];
		off += rows ? (double)ns[i] : 0;
		deepest = rows > deepest ? rows : deepest;
	}
	by_rows[first] -= off;
	a->deepest = deepest;
}

void depths_find(struct depths *d, const struct lane *lane, int n, int64_t t0, int64_t t1)
{
	struct adding adding = { 0 };
	const struct blocks_visitor visitor = { &adding, add_many, add_one, NULL };
	size_t need = 0;

	if (d->t0 == t0 && d->t1 == t1 && t1)
		return;
	for (int i = 0; i < n; i++) {
		size_t rows = (size_t)lane[i].first_row + lane[i].tree.max_rows + 2;

		need = rows > need ? rows : need;
	}
	if (need > d->cap)
		d->above = xgrow(d->above, &d->cap, need, sizeof *d->above);
	memset(d->above, 0, need * sizeof *d->above);
	adding.by_rows = d->above;
	for (int i = 0; i < n; i++) {
		adding.rows = lane[i].tree.rows;
		adding.first = i ? lane[i].first_row : 0;
		if (lane[i].samples.n)
			blocks_each(&lane[i].samples, t0, t1, &visitor);
	}
	d->t0 = t0;
	d->t1 = t1;
	d->n = adding.deepest;
	/* From self times by number of rows to times above each depth, in place: first the time at
	 * each depth, which is that of all leaves with more rows, one place further on. */
	d->above[0] = 0;
	for (int rows = d->n - 1; rows > 0; rows--)
		d->above[rows] += d->above[rows + 1];
	for (int depth = 0; depth < d->n; depth++)
		d->above[depth + 1] += d->above[depth];
}

int depths_with(const struct depths *d, int permille)
{
	int n = d->n;

	if (n == 0 || d->above[n] <= 0)
		return n;
	while (n > 0 && d->above[n - 1] * 1000 >= d->above[d->n] * permille)
		n--;
	return n;
}
