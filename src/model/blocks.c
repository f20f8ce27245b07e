/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A pyramid over the samples. A block of a level is a list of (leaf node, own time);
 * the blocks of a level have the same number of samples, four times that of the
 * level below or more. A level is kept only if its lists are shorter than those that it stands
 * for: with random leaves there may be none, and a query is a pass over samples.
 *
 * Times are stored in 32 bits; one that does not fit stands in `big`, and its entry
 * has the top bit of the leaf set and the index there. */
#include "config.h"

#include "model/blocks.h"

#include "base/alloc.h"

#include <stdlib.h>

#define FIRST_SIZE 4096u
#define LAST_SIZE (FIRST_SIZE << 12)
#define SORT_FROM (2u << 20)     /* samples from which sorting a block pays */
#define IS_BIG 0x80000000u

struct block_level {
	size_t size;       /* samples in a block */
	size_t n;          /* blocks */
	size_t *start;     /* n + 1 indices into leaf and ns */
	uint32_t *leaf;
	uint32_t *ns;
	size_t cap;
};

struct blocks {
	struct block_level *levels;
	int n_levels;
	int64_t *big;
	size_t n_big, cap_big;
};

/* Sums by node, emptied block by block. */
struct sums {
	int64_t *ns;
	uint8_t *is_used;
	node_id *used;
	size_t n_used;
};

static void sums_add(void *ctx, node_id leaf, int64_t ns)
{
	struct sums *s = ctx;

	if (!s->is_used[leaf]) {
		s->is_used[leaf] = 1;
		s->used[s->n_used++] = leaf;
	}
	s->ns[leaf] += ns;
}

static void add_entry(struct blocks *b, struct block_level *l, size_t at, node_id leaf, int64_t ns)
{
	if (at >= l->cap) {
		size_t cap = l->cap;

		l->leaf = xgrow(l->leaf, &cap, at + 1, sizeof *l->leaf);
		l->ns = xrealloc(l->ns, cap, sizeof *l->ns);
		l->cap = cap;
	}
	l->leaf[at] = leaf;
	l->ns[at] = (uint32_t)ns;
	if (ns > (int64_t)UINT32_MAX) {
		b->big = xgrow(b->big, &b->cap_big, b->n_big + 1, sizeof *b->big);
		b->big[b->n_big] = ns;
		l->leaf[at] |= IS_BIG;
		l->ns[at] = (uint32_t)b->n_big++;
	}
}

static void visit_level(const struct blocks *b, const struct block_level *l, size_t first, size_t end, blocks_visit *visit, void *ctx)
{
	for (size_t i = l->start[first]; i < l->start[end]; i++) {
		if (l->leaf[i] & IS_BIG)
			visit(ctx, l->leaf[i] & ~IS_BIG, b->big[l->ns[i]]);
		else
			visit(ctx, l->leaf[i], l->ns[i]);
	}
}

/* Visit whole samples [i, end): runs of one leaf at once. */
static void visit_samples(const struct samples *s, size_t i, size_t end, blocks_visit *visit, void *ctx)
{
	while (i < end) {
		node_id leaf = s->leaf[i];
		int64_t t0 = s->t[i];

		while (++i < end && s->leaf[i] == leaf)
			;
		visit(ctx, leaf, s->t[i] - t0);
	}
}

/* Visit whole samples [i, end), with the largest blocks that fit. `k`: levels allowed. */
static void visit_range(const struct samples *s, const struct blocks *b, int k, size_t i, size_t end, blocks_visit *visit, void *ctx)
{
	const struct block_level *l;
	size_t first, last;

	if (i >= end)
		return;
	if (k == 0) {
		visit_samples(s, i, end, visit, ctx);
		return;
	}
	l = &b->levels[k - 1];
	first = (i + l->size - 1) / l->size;
	last = end == s->n ? l->n : end / l->size;
	if (first >= last) {
		visit_range(s, b, k - 1, i, end, visit, ctx);
		return;
	}
	visit_range(s, b, k - 1, i, first * l->size, visit, ctx);
	visit_level(b, l, first, last, visit, ctx);
	visit_range(s, b, k - 1, last * l->size, end, visit, ctx);
}

static int by_id(const void *a, const void *b)
{
	const node_id *x = a, *y = b;

	return *x < *y ? -1 : *x > *y;
}

/* Make the level with blocks of `size` samples; false when it is too long to pay. */
static bool build_level(struct blocks *b, const struct samples *s, struct sums *sums, size_t size, size_t most)
{
	struct block_level l = { .size = size, .n = (s->n + size - 1) / size };
	size_t used = 0, big_before = b->n_big;

	l.start = xmalloc((l.n + 1) * sizeof *l.start);
	for (size_t j = 0; j < l.n && used <= most; j++) {
		size_t end = (j + 1) * size < s->n ? (j + 1) * size : s->n;

		l.start[j] = used;
		visit_range(s, b, b->n_levels, j * size, end, sums_add, sums);
		/* In the order of nodes, whoever adds them up walks through memory one way. */
		if (s->n >= SORT_FROM)
			qsort(sums->used, sums->n_used, sizeof *sums->used, by_id);
		for (size_t i = 0; i < sums->n_used; i++) {
			node_id leaf = sums->used[i];

			add_entry(b, &l, used++, leaf, sums->ns[leaf]);
			sums->ns[leaf] = 0;
			sums->is_used[leaf] = 0;
		}
		sums->n_used = 0;
	}
	if (used > most) {
		b->n_big = big_before;
		free(l.start);
		free(l.leaf);
		free(l.ns);
		return false;
	}
	l.start[l.n] = used;
	l.leaf = xrealloc(l.leaf, used, sizeof *l.leaf);
	l.ns = xrealloc(l.ns, used, sizeof *l.ns);
	l.cap = used;
	b->levels = xrealloc(b->levels, (size_t)b->n_levels + 1, sizeof *b->levels);
	b->levels[b->n_levels++] = l;
	return true;
}

struct blocks *blocks_build(const struct samples *s, uint32_t n_nodes)
{
	struct blocks *b;
	struct sums sums;
	size_t most = s->n / 6;

	if (s->n < 4 * (size_t)FIRST_SIZE)
		return NULL;
	b = xcalloc(1, sizeof *b);
	sums.ns = xcalloc(n_nodes, sizeof *sums.ns);
	sums.is_used = xcalloc(n_nodes, sizeof *sums.is_used);
	sums.used = xmalloc((size_t)n_nodes * sizeof *sums.used);
	sums.n_used = 0;
	for (size_t size = FIRST_SIZE; size <= LAST_SIZE && size * 2 <= s->n; size *= 4)
		if (build_level(b, s, &sums, size, most))
			most = b->levels[b->n_levels - 1].start[b->levels[b->n_levels - 1].n] / 8 * 7;
	free(sums.ns);
	free(sums.is_used);
	free(sums.used);
	if (b->n_levels == 0) {
		blocks_free(b);
		return NULL;
	}
	return b;
}

void blocks_free(struct blocks *b)
{
	if (!b)
		return;
	for (int k = 0; k < b->n_levels; k++) {
		free(b->levels[k].start);
		free(b->levels[k].leaf);
		free(b->levels[k].ns);
	}
	free(b->levels);
	free(b->big);
	free(b);
}

void blocks_each(const struct samples *s, int64_t t0, int64_t t1, blocks_visit *visit, void *ctx)
{
	size_t first, last;

	if (s->n == 0)
		return;
	if (t0 < s->t[0])
		t0 = s->t[0];
	if (t1 > s->t[s->n])
		t1 = s->t[s->n];
	if (t0 >= t1)
		return;
	first = samples_find(s, t0);
	last = samples_find(s, t1 - 1);
	if (first == last) {
		visit(ctx, s->leaf[first], t1 - t0);
		return;
	}
	if (t0 > s->t[first]) {
		visit(ctx, s->leaf[first], s->t[first + 1] - t0);
		first++;
	}
	visit_range(s, s->blocks, s->blocks ? s->blocks->n_levels : 0, first, last, visit, ctx);
	visit(ctx, s->leaf[last], t1 - s->t[last]);
}
