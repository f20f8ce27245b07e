/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Spans out of samples. A span at depth d goes on from sample i to i + 1 exactly if
 * they share more than d rows: shared[i] > d. So its ends are the nearest samples
 * around it with shared[i] <= d, which the pyramid of minima `low` finds without
 * a walk: level k has one entry for 64^(k+1) samples. */
#include "config.h"

#include "model/span.h"

#include "base/alloc.h"
#include "model/blocks.h"

#include <stdlib.h>

#define FAN 64

void samples_index(struct samples *s)
{
	const uint16_t *below = s->shared;
	size_t n = s->n;

	for (int levels = 0; n > FAN; levels++) {
		size_t m = (n + FAN - 1) / FAN;
		uint16_t *low = xmalloc(m * sizeof *low);

		for (size_t j = 0; j < m; j++) {
			size_t end = (j + 1) * FAN < n ? (j + 1) * FAN : n;
			uint16_t least = UINT16_MAX;

			for (size_t i = j * FAN; i < end; i++)
				if (below[i] < least)
					least = below[i];
			low[j] = least;
		}
		s->low = xrealloc(s->low, (size_t)levels + 1, sizeof *s->low);
		s->low[levels] = low;
		s->n_low = levels + 1;
		below = low;
		n = m;
	}
}

void samples_done(struct samples *s)
{
	free(s->t);
	free(s->leaf);
	free(s->shared);
	for (int i = 0; i < s->n_low; i++)
		free(s->low[i]);
	free(s->low);
	blocks_free(s->blocks);
	*s = (struct samples){ 0 };
}

size_t samples_find(const struct samples *s, int64_t t)
{
	size_t lo = 0, hi = s->n;

	/* First index with t[i] > t. */
	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;

		if (s->t[mid] <= t)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo ? lo - 1 : 0;
}

static const uint16_t *level(const struct samples *s, int k)
{
	return k ? s->low[k - 1] : s->shared;
}

/* Entries of level k. */
static size_t level_n(const struct samples *s, int k)
{
	size_t n = s->n;

	for (; k > 0; k--)
		n = (n + FAN - 1) / FAN;
	return n;
}

size_t samples_run_end(const struct samples *s, size_t from, unsigned rows)
{
	size_t i = from;
	int k = 0;

	/* Up: skip whole groups that stay at or above `rows`. */
	for (;;) {
		size_t n = level_n(s, k), stop = (i / FAN + 1) * FAN;
		const uint16_t *v = level(s, k);

		while (i < n && i < stop && v[i] >= rows)
			i++;
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
		const uint16_t *v = level(s, k - 1);

		for (i *= FAN; v[i] >= rows; i++)
			;
	}
	return i;
}

size_t samples_run_start(const struct samples *s, size_t before, unsigned rows)
{
	size_t i = before;   /* looks at entries below i */
	int k = 0;

	for (;;) {
		const uint16_t *v = level(s, k);
		size_t stop = i ? (i - 1) / FAN * FAN : 0;

		while (i > stop && v[i - 1] >= rows)
			i--;
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
		const uint16_t *v = level(s, k - 1);
		size_t end = (i + 1) * FAN, n = level_n(s, k - 1);

		for (i = (end < n ? end : n) - 1; v[i] >= rows; i--)
			;
	}
	return i + 1;
}

bool span_of_sample(const struct samples *s, const struct calltree *tree, size_t i, int depth, struct span *out)
{
	unsigned rows = (unsigned)depth + 1;

	if (depth < 0 || i >= s->n || tree->rows[s->leaf[i]] < rows)
		return false;
	out->node = calltree_ancestor(tree, s->leaf[i], rows);
	out->depth = depth;
	out->first = samples_run_start(s, i, rows);
	out->end = samples_run_end(s, i, rows) + 1;
	out->t0 = s->t[out->first];
	out->t1 = s->t[out->end];
	return true;
}

bool span_at(const struct samples *s, const struct calltree *tree, int depth, int64_t t, struct span *out)
{
	if (s->n == 0 || t < s->t[0] || t >= s->t[s->n])
		return false;
	return span_of_sample(s, tree, samples_find(s, t), depth, out);
}

/* Samples that are not as deep as `rows` are passed one by one, at about 1 ns each. */
bool span_next(const struct samples *s, const struct calltree *tree, int depth, size_t from, struct span *out)
{
	unsigned rows = (unsigned)depth + 1;

	if (depth < 0)
		return false;
	/* `from` may stand inside a span that began before. */
	if (from > 0 && from < s->n && s->shared[from - 1] >= rows)
		from = samples_run_end(s, from, rows) + 1;
	for (size_t i = from; i < s->n; i++)
		if (tree->rows[s->leaf[i]] >= rows)
			return span_of_sample(s, tree, i, depth, out);
	return false;
}

bool span_before(const struct samples *s, const struct calltree *tree, int depth, size_t before, struct span *out)
{
	unsigned rows = (unsigned)depth + 1;

	if (depth < 0 || s->n == 0)
		return false;
	if (before < s->n && before > 0 && s->shared[before - 1] >= rows)
		before = samples_run_start(s, before, rows);
	if (before > s->n)
		before = s->n;
	for (size_t i = before; i-- > 0; )
		if (tree->rows[s->leaf[i]] >= rows)
			return span_of_sample(s, tree, i, depth, out);
	return false;
}
