/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A pyramid over the samples. A block is a list of (leaf, self time), sorted by node, so that
 * adding up lists walks through memory in one direction. All blocks of a level have the same number
 * of samples, at least four times that of the level below, and there are at least four of them. A
 * level is kept only if its lists have at most a quarter of the entries of the level below; with
 * random leaves there may be no level, and a query walks over the samples.
 *
 * Times are stored in 32 bits; the excess of longer times is in a separate short list. */
#include "config.h"

#include "model/blocks.h"

#include "base/alloc.h"
#include "base/bitset.h"
#include "base/sort.h"

#include <stdlib.h>

#define FIRST_SIZE 1024u
#define LAST_SIZE (FIRST_SIZE << 14)
#define BATCH 512u

/* The part of the time of entry `at` that exceeds its 32 bits. */
struct big {
	size_t at;
	node_id leaf;
	int64_t ns;
};

struct block_level {
	size_t size;   /* samples of a block */
	size_t n;      /* number of blocks */
	size_t *start; /* n + 1 indices into leaf and ns */
	node_id *leaf;
	uint32_t *ns;
	size_t cap;
	struct big *big; /* in the order of entries */
	size_t n_big, cap_big;
};

struct blocks {
	struct block_level *levels;
	int n_levels;
};

/* Sums by node; emptied after each block. */
struct sums {
	int64_t *ns;
	struct bitset used;
	node_id *list; /* the nodes in use; room for one more */
};

/* The part of a time that exceeds 32 bits. */
static int64_t above_32(int64_t ns)
{
	return ns & ~(int64_t)UINT32_MAX;
}

static void sums_one(void *ctx, node_id leaf, int64_t ns)
{
	struct sums *s = ctx;

	bitset_add(&s->used, leaf);
	s->ns[leaf] += ns;
}

BLOCKS_MANY(sums_many, sums_one)

static void add_entry(struct block_level *l, size_t at, node_id leaf, int64_t ns)
{
	if (at >= l->cap) {
		size_t cap = l->cap;

		l->leaf = xgrow(l->leaf, &cap, at + 1, sizeof *l->leaf);
		l->ns = xrealloc(l->ns, cap, sizeof *l->ns);
		l->cap = cap;
	}
	l->leaf[at] = leaf;
	l->ns[at] = (uint32_t)ns;
	if (above_32(ns)) {
		*ARRAY_ADD(l->big, l->n_big, l->cap_big) = (struct big){ at, leaf, above_32(ns) };
	}
}

static void visit_level(const struct block_level *l, size_t first, size_t last,
			const struct blocks_visitor *v)
{
	size_t at = l->start[first], end = l->start[last], low = 0;

	v->many(v->ctx, l->leaf + at, l->ns + at, end - at);
	SORT_BISECT(low, l->n_big, mid, l->big[mid].at < at);
	for (; low < l->n_big && l->big[low].at < end; low++)
		v->one(v->ctx, l->big[low].leaf, l->big[low].ns);
}

/* Visit whole samples [i, end); a run of one leaf is one visit. */
static void visit_samples(const struct samples *s, size_t i, size_t end,
			  const struct blocks_visitor *v)
{
	node_id leaf[BATCH];
	uint32_t ns[BATCH];
	int64_t until[BATCH + 1], time[BATCH];

	until[0] = samples_time(s, i);
	while (i < end) {
		size_t stop = end - i > BATCH ? i + BATCH : end, n = 0;
		const int64_t *next = time;
		int64_t above = 0;

		times_read(&s->times, i + 1, stop - i, time);
		/* The end of a run is unpredictable, so this loop has no branch on it. */
		for (; i + 1 < stop; i++) {
			leaf[n] = s->leaf[i];
			until[n + 1] = *next++;
			n += s->leaf[i + 1] != s->leaf[i];
		}
		leaf[n] = s->leaf[i];
		until[++n] = *next;
		i++;
		for (size_t k = 0; k < n; k++) {
			int64_t len = until[k + 1] - until[k];

			above |= len;
			ns[k] = (uint32_t)len;
		}
		for (size_t k = 0; k < n && above_32(above); k++)
			if (above_32(until[k + 1] - until[k]))
				v->one(v->ctx, leaf[k], above_32(until[k + 1] - until[k]));
		until[0] = until[n];
		v->many(v->ctx, leaf, ns, n);
	}
}

/* Find the end of blocks of a level, from `first` on and before `last`, that have about `most`
 * entries. */
static size_t few_blocks(const struct block_level *l, size_t first, size_t last, size_t most)
{
	size_t end = first + 1;

	while (end < last && l->start[end + 1] - l->start[first] <= most)
		end++;
	return end;
}

/* Visit the first part of whole samples [i, end), with the largest blocks that fit: about `most`
 * entries of one level. Returns the next sample. */
static size_t visit_some(const struct samples *s, const struct blocks *b, size_t i, size_t end,
			 size_t most, const struct blocks_visitor *v)
{
	for (int k = b ? b->n_levels : 0; k-- > 0;) {
		const struct block_level *l = &b->levels[k];
		size_t first = (i + l->size - 1) / l->size,
		       last = end == s->n ? l->n : end / l->size;

		if (first >= last)
			continue;
		if (first * l->size == i) {
			last = few_blocks(l, first, last, most);
			visit_level(l, first, last, v);
			return last * l->size < end ? last * l->size : end;
		}
		end = first * l->size;
	}
	end = end - i > most ? i + most : end;
	if (v->samples)
		v->samples(v->ctx, s, i, end);
	else
		visit_samples(s, i, end, v);
	return end;
}

static void free_level(struct block_level *l)
{
	free(l->start);
	free(l->leaf);
	free(l->ns);
	free(l->big);
}

/* Limit of the entries of the first j of n blocks; a level that exceeds it early is given up early.
 */
static size_t most_at(size_t most, size_t j, size_t n)
{
	size_t pace = (size_t)((double)most * ((double)j / (double)n + 0.0625));

	return pace < most ? pace : most;
}

/* ---- building ---- */

struct blocks_work {
	const struct samples *samples;
	struct blocks *blocks; /* NULL: too few samples */
	struct sums sums;
	size_t size; /* samples of a block of the level that is being built */
	size_t most; /* entries that this level may have */
	bool has_level;
	struct block_level level;
	size_t used;      /* entries of the level so far */
	size_t block;     /* index of the block that is being added up */
	size_t next, end; /* samples of it that are left */
	bool is_complete;
};

struct blocks_work *blocks_work_begin(const struct samples *s, uint32_t n_nodes)
{
	struct blocks_work *w = xcalloc(1, sizeof *w);

	w->samples = s;
	w->is_complete = s->n < 4 * (size_t)FIRST_SIZE;
	if (w->is_complete)
		return w;
	w->size = FIRST_SIZE;
	w->most = s->n / 5;
	w->blocks = xcalloc(1, sizeof *w->blocks);
	w->sums.ns = xcalloc(n_nodes, sizeof *w->sums.ns);
	bitset_init(&w->sums.used, n_nodes);
	w->sums.list = xmalloc(((size_t)n_nodes + 1) * sizeof *w->sums.list);
	return w;
}

static void begin_block(struct blocks_work *w)
{
	size_t n = w->samples->n;

	w->next = w->block * w->size;
	w->end = w->next + w->size < n ? w->next + w->size : n;
	if (w->block < w->level.n)
		w->level.start[w->block] = w->used;
}

/* Add the sums of the block to the level. Returns their number. */
static size_t end_block(struct blocks_work *w)
{
	size_t n = bitset_drain(&w->sums.used, w->sums.list);

	for (size_t i = 0; i < n; i++) {
		node_id leaf = w->sums.list[i];

		add_entry(&w->level, w->used++, leaf, w->sums.ns[leaf]);
		w->sums.ns[leaf] = 0;
	}
	w->block++;
	return n;
}

/* Keep the level, unless it is too long to pay. */
static void end_level(struct blocks_work *w)
{
	struct block_level *l = &w->level;
	struct blocks *b = w->blocks;

	w->has_level = false;
	w->size *= 4;
	if (w->block < l->n || w->used > w->most) {
		free(l->start);
		l->start = NULL;
		return;
	}
	l->start[l->n] = w->used;
	l->leaf = xrealloc(l->leaf, w->used, sizeof *l->leaf);
	l->ns = xrealloc(l->ns, w->used, sizeof *l->ns);
	l->cap = w->used;
	b->levels = xrealloc(b->levels, (size_t)b->n_levels + 1, sizeof *b->levels);
	b->levels[b->n_levels++] = *l;
	*l = (struct block_level){ 0 };
	w->most = w->used / 4;
}

/* Go on with the level; returns whether it is complete. */
static bool work_level(struct blocks_work *w, struct budget *budget)
{
	const struct blocks_visitor visitor = { &w->sums, sums_many, sums_one, NULL };

	while (w->block < w->level.n && w->used <= most_at(w->most, w->block, w->level.n)) {
		size_t before = w->next, n;

		w->next = visit_some(w->samples, w->blocks, before, w->end, budget->step, &visitor);
		n = w->next - before;
		if (w->next >= w->end) {
			n += end_block(w);
			begin_block(w);
		}
		/* A block of the level below has as many entries as samples at most. */
		if (budget_use(budget, n < budget->step ? (uint32_t)n : budget->step))
			return false;
	}
	return true;
}

bool blocks_work(struct blocks_work *w, struct budget *budget)
{
	while (!w->is_complete) {
		if (!w->has_level) {
			struct block_level *l = &w->level;

			/* Use the arrays of a level that was given up again. */
			l->size = w->size;
			l->n = (w->samples->n + w->size - 1) / w->size;
			l->start = xmalloc((l->n + 1) * sizeof *l->start);
			l->n_big = 0;
			w->used = w->block = 0;
			w->has_level = true;
			begin_block(w);
		}
		if (!work_level(w, budget))
			return false;
		end_level(w);
		w->is_complete = w->size > LAST_SIZE || w->size * 4 > w->samples->n;
	}
	return true;
}

size_t blocks_work_done(const struct blocks_work *w)
{
	return w->is_complete || w->size > FIRST_SIZE ? w->samples->n : w->has_level ? w->next : 0;
}

struct blocks *blocks_work_end(struct blocks_work *w)
{
	struct blocks *b;

	if (!w)
		return NULL;
	b = w->blocks;
	if (b && (!w->is_complete || b->n_levels == 0)) {
		blocks_free(b);
		b = NULL;
	}
	free_level(&w->level);
	free(w->sums.ns);
	bitset_done(&w->sums.used);
	free(w->sums.list);
	free(w);
	return b;
}

struct blocks *blocks_build(const struct samples *s, uint32_t n_nodes)
{
	struct blocks_work *w = blocks_work_begin(s, n_nodes);

	blocks_work(w, BUDGET_UNLIMITED);
	return blocks_work_end(w);
}

void blocks_free(struct blocks *b)
{
	if (!b)
		return;
	for (int k = 0; k < b->n_levels; k++)
		free_level(&b->levels[k]);
	free(b->levels);
	free(b);
}

size_t blocks_size(const struct blocks *b)
{
	return b ? b->levels[0].size : 0;
}

void blocks_one(const struct blocks *b, size_t i, const struct blocks_visitor *v)
{
	visit_level(&b->levels[0], i, i + 1, v);
}

/* ---- runs ---- */

static bool has_only(const struct block_level *l, size_t block, const struct blocks_run *run)
{
	for (size_t at = l->start[block]; at < l->start[block + 1]; at++) {
		node_id node = run->to[l->leaf[at]];

		if (node < run->first || node >= run->end)
			return false;
	}
	return true;
}

/* Up to larger blocks where they begin, and down again where one is not in the run. */
size_t blocks_run_on(const struct samples *s, size_t i, bool is_back, struct blocks_run *run)
{
	const struct blocks *b = s->blocks;
	size_t next = i;
	bool is_up = true;
	int k = 0;

	if (!b || i / b->levels[0].size == run->tried)
		return i;
	for (;;) {
		size_t size = b->levels[k].size, block = next / size;

		if (has_only(&b->levels[k], block, run)) {
			i = is_back ? block * size : (block + 1) * size - 1;
			if (is_back ? i == 0 : i >= s->n - 1)
				return is_back ? 0 : s->n - 1;
			next = is_back ? i - 1 : i + 1;
			k += is_up && k + 1 < b->n_levels &&
				(is_back ? i : next) % b->levels[k + 1].size == 0;
		} else if (k > 0) {
			k--;
			is_up = false;
		} else {
			run->tried = block;
			return i;
		}
	}
}

/* ---- walking ---- */

/* Passes on visits with the leaves of folded samples. */
struct folding {
	const node_id *to;
	const struct blocks_visitor *to_visitor;
};

static void fold_one(void *ctx, node_id leaf, int64_t ns)
{
	const struct folding *f = ctx;

	f->to_visitor->one(f->to_visitor->ctx, f->to[leaf], ns);
}

static void fold_many(void *ctx, const node_id *leaf, const uint32_t *ns, size_t n)
{
	const struct folding *f = ctx;
	node_id to[BATCH];

	for (size_t i = 0; i < n; i += BATCH) {
		size_t m = n - i < BATCH ? n - i : BATCH;

		for (size_t k = 0; k < m; k++)
			to[k] = f->to[leaf[i + k]];
		f->to_visitor->many(f->to_visitor->ctx, to, ns + i, m);
	}
}

void blocks_begin(struct blocks_walk *w, const struct samples *s, int64_t t0, int64_t t1,
		  const struct blocks_visitor *v)
{
	*w = (struct blocks_walk){ .samples = s };
	if (!samples_range(s, t0, t1, &w->next, &w->end))
		return;
	w->end--;
	if (t0 < samples_time(s, 0))
		t0 = samples_time(s, 0);
	if (t1 > samples_time(s, s->n))
		t1 = samples_time(s, s->n);
	if (w->next == w->end) {
		v->one(v->ctx, samples_leaf(s, w->next), t1 - t0);
		return;
	}
	if (t0 > samples_time(s, w->next)) {
		v->one(v->ctx, samples_leaf(s, w->next), samples_time(s, w->next + 1) - t0);
		w->next++;
	}
	v->one(v->ctx, samples_leaf(s, w->end), t1 - samples_time(s, w->end));
}

/* Visit about `most` entries or samples, but at least one block. */
static bool blocks_step(struct blocks_walk *w, size_t most, const struct blocks_visitor *v)
{
	const struct samples_folded *f = w->samples->folded;
	struct folding folding = { f ? f->to : NULL, v };
	const struct blocks_visitor folded = { &folding, fold_many, fold_one, NULL };
	const struct samples *of = f ? f->of : w->samples;

	if (w->next < w->end)
		w->next = visit_some(of, of->blocks, w->next, w->end, most, f ? &folded : v);
	return w->next >= w->end;
}

bool blocks_walk_work(struct blocks_walk *w, const struct blocks_visitor *v, struct budget *budget)
{
	while (!blocks_step(w, budget->step, v))
		if (budget_spent(budget))
			return false;
	return true;
}

void blocks_each(const struct samples *s, int64_t t0, int64_t t1, const struct blocks_visitor *v)
{
	struct blocks_walk walk;

	blocks_begin(&walk, s, t0, t1, v);
	while (!blocks_step(&walk, SIZE_MAX, v))
		;
}
