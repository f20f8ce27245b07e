/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Spans from samples. A span at depth d continues from sample i to i + 1 if and only if they share
 * more than d rows: shared[i] > d. Its ends are therefore the nearest samples around it with
 * shared[i] <= d. The pyramid of minima `low` finds these without a walk: level k has one entry for
 * 64^(k+1) samples. The pyramid of maxima `high` finds the next sample that is deep enough.
 *
 * Folded samples have none of this. A span of theirs consists of whole spans of the samples that
 * they are made of, whose ends are known, and `high` of those is a limit for its rows. */
#include "config.h"

#include "model/span.h"

#include "base/alloc.h"
#include "base/sort.h"
#include "model/blocks.h"

#include <stdlib.h>
#include <string.h>

/* ==== times ====
 *
 * The steps are stored over the times that they are made from: a group is copied before its steps,
 * which need half of the room, are written. */

#define STEP 8 /* times that are read at once */

/* What is still to be packed. */
struct packing {
	struct times *times;
	size_t n_high, cap_high;
};

static void begin_packing(struct packing *p, struct times *times, size_t n)
{
	*p = (struct packing){ .times = times };
	*times = (struct times){ 0 };
	times->groups = xmalloc((n - 1) / TIMES_GROUP * sizeof *times->groups +
				sizeof *times->groups);
}

/* Pack group `number` of m times. Its steps are written to `out`. */
static void pack_group(struct packing *p, size_t number, const int64_t *t, size_t m, void *out)
{
	struct times_group *g = &p->times->groups[number];
	uint32_t step[TIMES_GROUP] = { 0 };
	uint64_t all = 0;

	*g = (struct times_group){ .base = t[0] };
	for (size_t i = 0; i < m; i++) {
		all |= (uint64_t)(t[i] - t[0]);
		step[i] = (uint32_t)(uint64_t)(t[i] - t[0]);
	}
	if (all > UINT32_MAX) {
		struct times *times = p->times;

		/* Store the upper 32 bits of the steps of a group. */
		times->high = xgrow(times->high, &p->cap_high, p->n_high + m, sizeof *times->high);
		g->high = p->n_high + 1;
		for (size_t i = 0; i < m; i++)
			times->high[p->n_high++] = (uint32_t)((uint64_t)(t[i] - t[0]) >> 32);
	}
	memcpy(out, step, m * sizeof *step);
}

static void end_packing(struct packing *p, void *steps, size_t n)
{
	struct times *times = p->times;

	times->step = xrealloc(steps, n, sizeof *times->step);
	if (times->high)
		times->high = xrealloc(times->high, p->n_high, sizeof *times->high);
}

/* Pack n times, from the first one on. The steps may be written over them. */
static void pack(struct times *times, const char *from_t, char *steps, size_t n, int64_t by)
{
	struct packing p;

	begin_packing(&p, times, n);
	for (size_t from = 0; from < n; from += TIMES_GROUP) {
		size_t m = n - from < TIMES_GROUP ? n - from : TIMES_GROUP;
		int64_t t[TIMES_GROUP] = { 0 };

		memcpy(t, from_t + from * sizeof *t, m * sizeof *t);
		for (size_t i = 0; i < m; i++)
			t[i] -= by;
		pack_group(&p, from / TIMES_GROUP, t, m, steps + from * sizeof(uint32_t));
	}
	end_packing(&p, steps, n);
}

void times_pack(struct times *times, int64_t *take_t, size_t n, int64_t by)
{
	pack(times, (const char *)take_t, (char *)take_t, n, by);
}

void times_pack_copy(struct times *times, const int64_t *t, size_t n, int64_t by)
{
	pack(times, (const char *)t, xmalloc(n * sizeof(uint32_t)), n, by);
}

/* The sum of n steps. */
static uint64_t sum(const uint32_t *steps, size_t n)
{
	uint64_t all = 0;

	for (size_t i = 0; i < n; i++)
		all += steps[i];
	return all;
}

/* Pack a group of m times: `base`, and those after it by steps 1 to m - 1. has_end: and `end`. */
static void pack_added(struct packing *p, size_t number, int64_t base, uint32_t *steps, size_t m,
		       bool has_end, int64_t end)
{
	int64_t t[TIMES_GROUP] = { base };

	for (size_t i = 1; i < m; i++)
		t[i] = t[i - 1] + steps[i];
	if (has_end)
		t[m] = end;
	pack_group(p, number, t, m + has_end, steps);
}

void times_pack_steps(struct times *times, uint32_t *take_steps, size_t n, int64_t t0, int64_t t1)
{
	uint32_t *steps = xrealloc(take_steps, n + 1, sizeof *steps);
	size_t n_whole = n / TIMES_GROUP; /* groups without the end */
	struct packing p;
	int64_t t = t0;

	steps[0] = 0;
	begin_packing(&p, times, n + 1);
	for (size_t k = 0; k < n_whole; k++) {
		uint32_t *of = steps + k * TIMES_GROUP;
		uint64_t length = sum(of + 1, TIMES_GROUP - 1);

		t += of[0];
		p.times->groups[k] = (struct times_group){ .base = t };
		if (length > UINT32_MAX) {
			pack_added(&p, k, t, of, TIMES_GROUP, false, 0);
		} else {
			uint32_t since = 0;

			/* Add up steps 1 to m - 1, in place; step 0 becomes 0. */
			of[0] = 0;
			for (size_t i = 1; i < TIMES_GROUP; i++)
				of[i] = since += of[i];
		}
		t += (int64_t)length;
	}
	if (n % TIMES_GROUP)
		pack_added(&p, n_whole, t + steps[n_whole * TIMES_GROUP],
			   steps + n_whole * TIMES_GROUP, n % TIMES_GROUP, true, t1);
	else
		pack_group(&p, n_whole, &t1, 1, steps + n);
	end_packing(&p, steps, n + 1);
}

void times_read(const struct times *times, size_t from, size_t n, int64_t *out)
{
	for (size_t end = from + n; from < end;) {
		const struct times_group *g = &times->groups[from / TIMES_GROUP];
		size_t stop = (from / TIMES_GROUP + 1) * TIMES_GROUP;
		size_t m = (stop < end ? stop : end) - from;

		if (g->high) {
			for (size_t i = 0; i < m; i++)
				out[i] = times_at(times, from + i);
		} else {
			const uint32_t *restrict step = times->step + from;
			size_t i = 0;

			/* Add up n times of a group without upper bits. */
			for (; m - i >= STEP; i += STEP)
				for (size_t k = i; k < i + STEP; k++)
					out[k] = g->base + step[k];
			for (; i < m; i++)
				out[i] = g->base + step[i];
		}
		out += m;
		from += m;
	}
}

size_t times_until(const struct times *times, size_t n, int64_t t)
{
	size_t lo = 0;

	/* The number of groups that begin at t or earlier. */
	SORT_BISECT(lo, n ? (n - 1) / TIMES_GROUP + 1 : 0, mid, times->groups[mid].base <= t);
	if (lo == 0)
		return 0;
	n = lo * TIMES_GROUP < n ? lo * TIMES_GROUP : n;
	/* The rest is in the last of these groups. */
	lo = (lo - 1) * TIMES_GROUP;
	SORT_BISECT(lo, n, mid, times_at(times, mid) <= t);
	return lo;
}

/* ==== span ==== */

#define FAN SAMPLES_GROUP
#define SPAN_STEP 16 /* entries that are compared at once */
#define PART 4       /* entries in a word of the result */
#define BYTES 8      /* bytes in a word of the result */

static uint8_t least_byte(const uint8_t *v, size_t n)
{
	uint8_t least = UINT8_MAX;

	for (size_t i = 0; i < n; i++)
		least = v[i] < least ? v[i] : least;
	return least;
}

/* The first level above shared rows in bytes. */
static uint16_t *level_above_bytes(const uint8_t *shared, size_t n)
{
	size_t m = (n + FAN - 1) / FAN;
	uint16_t *above = xmalloc(m * sizeof *above);

	for (size_t j = 0; j < m; j++)
		above[j] = least_byte(shared + j * FAN, n - j * FAN < FAN ? n - j * FAN : FAN);
	return above;
}

/* The level above n entries: the maximum or the minimum of each FAN of them. */
static uint16_t *level_above(const uint16_t *below, size_t n, bool has_most)
{
	size_t m = (n + FAN - 1) / FAN;
	uint16_t *above = xmalloc(m * sizeof *above);

	for (size_t j = 0; j < m; j++) {
		size_t end = (j + 1) * FAN < n ? (j + 1) * FAN : n;
		uint16_t least = UINT16_MAX, most = 0;

		for (size_t i = j * FAN; i < end; i++) {
			least = below[i] < least ? below[i] : least;
			most = below[i] > most ? below[i] : most;
		}
		above[j] = has_most ? most : least;
	}
	return above;
}

/* Add levels over `below`, which has n entries, until one has at most FAN entries. */
static void add_levels(uint16_t ***levels, int *n_levels, const uint16_t *below, size_t n,
		       bool has_most)
{
	for (; n > FAN; n = (n + FAN - 1) / FAN) {
		below = level_above(below, n, has_most);
		*levels = xrealloc(*levels, (size_t)*n_levels + 1, sizeof **levels);
		(*levels)[(*n_levels)++] = (uint16_t *)below;
	}
}

static uint16_t *most_rows(const struct samples *s, const struct calltree *tree)
{
	uint16_t *most = xcalloc(s->n / FAN + 1, sizeof *most);

	for (size_t i = 0; i < s->n; i++)
		if (tree->rows[s->leaf[i]] > most[i / FAN])
			most[i / FAN] = tree->rows[s->leaf[i]];
	return most;
}

void samples_index(struct samples *s, const struct calltree *tree, uint16_t *high)
{
	if (!s->shared_byte && samples_is_narrow(tree)) {
		uint8_t *to = (uint8_t *)s->shared;

		/* Put the shared rows into bytes, over their own memory. */
		for (size_t i = 0; i < s->n; i++)
			to[i] = (uint8_t)s->shared[i];
		s->shared_byte = xrealloc(to, s->n, 1);
		s->shared = NULL;
	}
	if (s->n > FAN) {
		s->low = xmalloc(sizeof *s->low);
		s->low[s->n_low++] = s->shared_byte ? level_above_bytes(s->shared_byte, s->n)
						    : level_above(s->shared, s->n, false);
		add_levels(&s->low, &s->n_low, s->low[0], (s->n + FAN - 1) / FAN, false);
	}
	s->high = xmalloc(sizeof *s->high);
	s->high[s->n_high++] = high ? high : most_rows(s, tree);
	add_levels(&s->high, &s->n_high, s->high[0], (s->n + FAN - 1) / FAN, true);
}

void samples_done(struct samples *s)
{
	times_done(&s->times);
	free(s->leaf);
	free(s->shared_byte);
	free(s->shared);
	for (int i = 0; i < s->n_low; i++)
		free(s->low[i]);
	free(s->low);
	for (int i = 0; i < s->n_high; i++)
		free(s->high[i]);
	free(s->high);
	blocks_free(s->blocks);
	*s = (struct samples){ 0 };
}

bool samples_range(const struct samples *s, int64_t t0, int64_t t1, size_t *first, size_t *end)
{
	*first = *end = 0;
	if (s->n == 0 || t0 >= t1 || t1 <= samples_time(s, 0) || t0 > samples_time(s, s->n) ||
	    (t0 == samples_time(s, s->n) && samples_time(s, s->n - 1) < t0))
		return false;
	*end = samples_find(s, t1 - 1) + 1;
	*first = samples_find(s, t0);
	/* Mostly it is the first one at its time. */
	if (*first > 0 && samples_time(s, *first - 1) >= t0)
		*first = times_until(&s->times, *first, t0 - 1);
	return true;
}

/* Number of entries of level k. */
static size_t level_n(const struct samples *s, int k)
{
	size_t n = s->n;

	for (; k > 0; k--)
		n = (n + FAN - 1) / FAN;
	return n;
}

/* The first part of STEP entries in which one is less than `rows`; STEP / PART: none. Compilers
 * turn the loop into a few instructions that compare several entries each. */
static inline size_t part_with_less(const uint16_t *v, uint16_t rows)
{
	uint16_t is_less[SPAN_STEP] = { 0 };
	uint64_t any[SPAN_STEP / PART] = { 0 };
	size_t part = 0;

	for (int i = 0; i < SPAN_STEP; i++)
		is_less[i] = v[i] < rows ? UINT16_MAX : 0;
	memcpy(any, is_less, sizeof any);
	if (!(any[0] | any[1] | any[2] | any[3]))
		return SPAN_STEP / PART;
	while (!any[part])
		part++;
	return part;
}

/* The same of bytes: whether one of STEP is less. */
static inline bool has_less_byte(const uint8_t *v, uint8_t rows)
{
	uint8_t is_less[SPAN_STEP] = { 0 };
	uint64_t any[SPAN_STEP / BYTES] = { 0 };

	for (int i = 0; i < SPAN_STEP; i++)
		is_less[i] = v[i] < rows ? UINT8_MAX : 0;
	memcpy(any, is_less, sizeof any);
	return (any[0] | any[1]) != 0;
}

static size_t first_less_byte(const uint8_t *v, size_t i, size_t stop, uint8_t rows)
{
	while (stop - i >= SPAN_STEP && !has_less_byte(v + i, rows))
		i += SPAN_STEP;
	while (i < stop && v[i] >= rows)
		i++;
	return i;
}

/* The first of the entries [i, stop) of level k that is less than `rows`; stop: none. Level 0 is
 * the shared rows. */
static size_t first_less(const struct samples *s, int k, size_t i, size_t stop, unsigned rows)
{
	const uint16_t *v = k ? s->low[k - 1] : s->shared;

	if (!v)
		return rows > UINT8_MAX ? i
					: first_less_byte(s->shared_byte, i, stop, (uint8_t)rows);
	while (stop - i >= SPAN_STEP) {
		size_t part = part_with_less(v + i, (uint16_t)rows);

		i += part * PART;
		if (part < SPAN_STEP / PART)
			break;
	}
	while (i < stop && v[i] >= rows)
		i++;
	return i;
}

/* ---- folded samples ---- */

#define NEAR 16 /* samples that are looked at one by one before spans and blocks are */

static unsigned folded_rows(const struct samples_folded *f, node_id node)
{
	return f->tree->rows[f->to[node]];
}

uint16_t samples_shared_folded(const struct samples_folded *f, size_t i)
{
	const node_id *leaf = f->of->leaf;
	node_id common;
	unsigned most, rows;

	if (i + 1 == f->of->n)
		return 0;
	most = f->tree->rows[calltree_common(f->tree, f->to[leaf[i]], f->to[leaf[i + 1]])];
	if (!f->has_siblings)
		return (uint16_t)most;
	/* Where two samples share fewer rows than the nodes of their stacks, so do folded ones. */
	common = calltree_common(f->of_tree, leaf[i], leaf[i + 1]);
	rows = samples_shared(f->of, i);
	if (rows < f->of_tree->rows[common])
		rows = folded_rows(f, calltree_ancestor(f->of_tree, common, rows));
	else
		rows = most;
	return (uint16_t)(rows < most ? rows : most);
}

/* A span of folded samples whose ends are looked for. */
struct folded_span {
	const struct samples_folded *f;
	unsigned rows;
	struct blocks_run run; /* the nodes of its samples */
};

/* The span with `rows` rows that sample i belongs to. Returns false if its stack has fewer. */
static bool folded_span(const struct samples_folded *f, size_t i, unsigned rows,
			struct folded_span *out)
{
	node_id node = f->to[f->of->leaf[i]];

	if (f->tree->rows[node] < rows)
		return false;
	node = calltree_ancestor(f->tree, node, rows);
	*out = (struct folded_span){ f, rows, { f->to, node, f->tree->end[node], SIZE_MAX } };
	return true;
}

/* Whether sample `next` is in the span to which sample i beside it belongs. */
static bool goes_on(const struct folded_span *span, size_t i, size_t next)
{
	const struct samples_folded *f = span->f;
	node_id node = f->to[f->of->leaf[next]];

	return node >= span->run.first && node < span->run.end &&
		(!f->has_siblings || samples_shared_folded(f, i < next ? i : next) >= span->rows);
}

/* The rows of the outermost node on the stack of sample i that stands in the row of the span. */
static unsigned outermost_rows(const struct folded_span *span, size_t i)
{
	const struct calltree *tree = span->f->of_tree;
	node_id node = span->f->of->leaf[i];

	while (folded_rows(span->f, tree->parent[node]) >= span->rows) {
		node_id far = tree->jump[node];

		node = folded_rows(span->f, far) >= span->rows ? far : tree->parent[node];
	}
	return tree->rows[node];
}

/* samples_run_end() and samples_run_start(). Of a long span, the spans that it consists of are
 * passed at once, and so are blocks, which do not know siblings. */
static size_t folded_end(const struct samples_folded *f, size_t i, unsigned rows)
{
	size_t last = f->of->n - 1;
	struct folded_span span;

	if (rows == 0)
		return last;
	if (!folded_span(f, i, rows, &span))
		return i;
	for (;;) {
		for (int k = 0; k < NEAR; k++, i++)
			if (i == last || !goes_on(&span, i, i + 1))
				return i;
		i = samples_run_end(f->of, i, outermost_rows(&span, i));
		if (!f->has_siblings)
			i = blocks_run_on(f->of, i, false, &span.run);
	}
}

static size_t folded_start(const struct samples_folded *f, size_t i, unsigned rows)
{
	struct folded_span span;

	if (rows == 0)
		return 0;
	if (i == f->of->n || !folded_span(f, i, rows, &span))
		return i;
	for (;;) {
		for (int k = 0; k < NEAR; k++, i--)
			if (i == 0 || !goes_on(&span, i, i - 1))
				return i;
		i = samples_run_start(f->of, i, outermost_rows(&span, i));
		if (!f->has_siblings)
			i = blocks_run_on(f->of, i, true, &span.run);
	}
}

/* ---- any samples ---- */

size_t samples_run_end(const struct samples *s, size_t from, unsigned rows)
{
	size_t i = from;
	int k = 0;

	if (s->folded)
		return folded_end(s->folded, from, rows);
	/* Up: skip whole groups that stay at or above `rows`. */
	for (;;) {
		size_t n = level_n(s, k), stop = (i / FAN + 1) * FAN;

		i = first_less(s, k, i, stop < n ? stop : n, rows);
		if (i >= n)
			return s->n - 1;
		if (i < stop)
			break;
		if (k < s->n_low) {
			i /= FAN;
			k++;
		}
	}
	/* Down: the first child group that falls below. */
	for (; k > 0; k--) {
		size_t end = (i + 1) * FAN, n = level_n(s, k - 1);

		i = first_less(s, k - 1, i * FAN, end < n ? end : n, rows);
	}
	return i;
}

static size_t last_less_byte(const uint8_t *v, size_t stop, size_t i, uint8_t rows)
{
	while (i - stop >= SPAN_STEP && !has_less_byte(v + i - SPAN_STEP, rows))
		i -= SPAN_STEP;
	while (i > stop && v[i - 1] >= rows)
		i--;
	return i;
}

/* One past the last of the entries [stop, i) of level k that is less than `rows`; stop: none. */
static size_t last_less(const struct samples *s, int k, size_t stop, size_t i, unsigned rows)
{
	const uint16_t *v = k ? s->low[k - 1] : s->shared;

	if (!v)
		return rows > UINT8_MAX ? i
					: last_less_byte(s->shared_byte, stop, i, (uint8_t)rows);
	while (i - stop >= SPAN_STEP &&
	       part_with_less(v + i - SPAN_STEP, (uint16_t)rows) == SPAN_STEP / PART)
		i -= SPAN_STEP;
	while (i > stop && v[i - 1] >= rows)
		i--;
	return i;
}

size_t samples_run_start(const struct samples *s, size_t before, unsigned rows)
{
	size_t i = before; /* entries below i are still to be checked */
	int k = 0;

	if (s->folded)
		return folded_start(s->folded, before, rows);
	for (;;) {
		size_t stop = i ? (i - 1) / FAN * FAN : 0;

		i = last_less(s, k, stop, i, rows);
		if (i > stop)
			break;
		if (i == 0)
			return 0;
		if (k < s->n_low) {
			i /= FAN;
			k++;
		}
	}
	for (i--; k > 0; k--) {
		size_t end = (i + 1) * FAN, n = level_n(s, k - 1);

		i = last_less(s, k - 1, i * FAN, end < n ? end : n, rows) - 1;
	}
	return i + 1;
}

bool span_of_sample(const struct samples *s, const struct calltree *tree, size_t i, int depth,
		    struct span *out)
{
	unsigned rows = (unsigned)depth + 1;
	node_id leaf;

	if (depth < 0 || i >= s->n)
		return false;
	leaf = samples_leaf(s, i);
	if (tree->rows[leaf] < rows)
		return false;
	out->node = calltree_ancestor(tree, leaf, rows);
	out->depth = depth;
	out->first = samples_run_start(s, i, rows);
	out->end = samples_run_end(s, i, rows) + 1;
	out->t0 = samples_time(s, out->first);
	out->t1 = samples_time(s, out->end);
	return true;
}

/* Rows of entry i on level k, counted from the samples: level 0 is the samples, level k is high[k -
 * 1]; of folded samples, that is a limit for them. */
static unsigned rows_at(const struct samples *s, const struct calltree *tree, int k, size_t i)
{
	const struct samples *of = s->leaf ? s : s->folded->of;

	return k ? of->high[k - 1][i] : tree->rows[samples_leaf(s, i)];
}

static int levels(const struct samples *s)
{
	return s->folded ? s->folded->of->n_high : s->n_high;
}

/* The first sample from `i` on that has at least `rows` rows; n: none. */
static size_t next_deep(const struct samples *s, const struct calltree *tree, size_t i,
			unsigned rows)
{
	for (int k = 0;; k = 0) {
		size_t n = s->n;

		/* Climb at the end of a group; skip all that are not deep enough. */
		while (i < n && rows_at(s, tree, k, i) < rows) {
			i++;
			if (i % FAN == 0 && k < levels(s)) {
				i /= FAN;
				n = (n + FAN - 1) / FAN;
				k++;
			}
		}
		if (i >= n)
			return s->n;
		if (k == 0)
			return i;
		/* Descend: one of the children is deep enough. */
		for (; k > 1; k--)
			for (i *= FAN; rows_at(s, tree, k - 1, i) < rows; i++)
				;
		i *= FAN;
	}
}

/* One past the last sample before `end` that has at least `rows` rows; 0: none. */
static size_t last_deep(const struct samples *s, const struct calltree *tree, size_t end,
			unsigned rows)
{
	for (int k = 0;; k = 0) {
		while (end > 0 && rows_at(s, tree, k, end - 1) < rows) {
			end--;
			if (end % FAN == 0 && k < levels(s)) {
				end /= FAN;
				k++;
			}
		}
		if (end == 0 || k == 0)
			return end;
		for (; k > 0; k--) {
			size_t n = level_n(s, k - 1);

			end = end * FAN < n ? end * FAN : n;
			while (k > 1 && rows_at(s, tree, k - 1, end - 1) < rows)
				end--;
		}
	}
}

bool span_next(const struct samples *s, const struct calltree *tree, int depth, size_t from,
	       struct span *out)
{
	unsigned rows = (unsigned)depth + 1;

	if (depth < 0)
		return false;
	/* `from` may be inside a span that began earlier. */
	if (from > 0 && from < s->n && samples_shared(s, from - 1) >= rows)
		from = samples_run_end(s, from, rows) + 1;
	from = next_deep(s, tree, from, rows);
	return from < s->n && span_of_sample(s, tree, from, depth, out);
}

bool span_before(const struct samples *s, const struct calltree *tree, int depth, size_t before,
		 struct span *out)
{
	unsigned rows = (unsigned)depth + 1;

	if (depth < 0 || s->n == 0)
		return false;
	if (before < s->n && before > 0 && samples_shared(s, before - 1) >= rows)
		before = samples_run_start(s, before, rows);
	before = last_deep(s, tree, before < s->n ? before : s->n, rows);
	return before > 0 && span_of_sample(s, tree, before - 1, depth, out);
}
