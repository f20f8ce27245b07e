/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Spans from samples. A span at depth d continues from sample i to i + 1 if and only if they share
 * more than d rows: shared[i] > d. Its ends are therefore the nearest samples around it with
 * shared[i] <= d. The pyramid of minima `low` finds these without a walk: level k has one entry for
 * 64^(k+1) samples. The pyramid of maxima `high` finds the next sample that is deep enough. */
#include "config.h"

#include "model/span.h"

#include "base/alloc.h"
#include "model/blocks.h"

#include <stdlib.h>
#include <string.h>

#define FAN SAMPLES_GROUP
#define STEP 16 /* entries that are compared at once */
#define PART 4  /* entries in a word of the result */
#define BYTES 8 /* bytes in a word of the result */

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

/* Put the shared rows into bytes, over their own memory. */
static void narrow(struct samples *s)
{
	uint8_t *to = (uint8_t *)s->shared;

	for (size_t i = 0; i < s->n; i++)
		to[i] = (uint8_t)s->shared[i];
	s->shared_byte = xrealloc(to, s->n, 1);
	s->shared = NULL;
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
	if (!s->shared_byte && samples_is_narrow(tree))
		narrow(s);
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
	uint16_t is_less[STEP] = { 0 };
	uint64_t any[STEP / PART] = { 0 };
	size_t part = 0;

	for (int i = 0; i < STEP; i++)
		is_less[i] = v[i] < rows ? UINT16_MAX : 0;
	memcpy(any, is_less, sizeof any);
	if (!(any[0] | any[1] | any[2] | any[3]))
		return STEP / PART;
	while (!any[part])
		part++;
	return part;
}

/* The same of bytes: whether one of STEP is less. */
static inline bool has_less_byte(const uint8_t *v, uint8_t rows)
{
	uint8_t is_less[STEP] = { 0 };
	uint64_t any[STEP / BYTES] = { 0 };

	for (int i = 0; i < STEP; i++)
		is_less[i] = v[i] < rows ? UINT8_MAX : 0;
	memcpy(any, is_less, sizeof any);
	return (any[0] | any[1]) != 0;
}

static size_t first_less_byte(const uint8_t *v, size_t i, size_t stop, uint8_t rows)
{
	while (stop - i >= STEP && !has_less_byte(v + i, rows))
		i += STEP;
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
	while (stop - i >= STEP) {
		size_t part = part_with_less(v + i, (uint16_t)rows);

		i += part * PART;
		if (part < STEP / PART)
			break;
	}
	while (i < stop && v[i] >= rows)
		i++;
	return i;
}

size_t samples_run_end(const struct samples *s, size_t from, unsigned rows)
{
	size_t i = from;
	int k = 0;

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
	while (i - stop >= STEP && !has_less_byte(v + i - STEP, rows))
		i -= STEP;
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
	while (i - stop >= STEP && part_with_less(v + i - STEP, (uint16_t)rows) == STEP / PART)
		i -= STEP;
	while (i > stop && v[i - 1] >= rows)
		i--;
	return i;
}

size_t samples_run_start(const struct samples *s, size_t before, unsigned rows)
{
	size_t i = before; /* entries below i are still to be checked */
	int k = 0;

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

	if (depth < 0 || i >= s->n || tree->rows[s->leaf[i]] < rows)
		return false;
	out->node = calltree_ancestor(tree, s->leaf[i], rows);
	out->depth = depth;
	out->first = samples_run_start(s, i, rows);
	out->end = samples_run_end(s, i, rows) + 1;
	out->t0 = samples_time(s, out->first);
	out->t1 = samples_time(s, out->end);
	return true;
}

bool span_at(const struct samples *s, const struct calltree *tree, int depth, int64_t t,
	     struct span *out)
{
	if (s->n == 0 || t < samples_time(s, 0) || t >= samples_time(s, s->n))
		return false;
	return span_of_sample(s, tree, samples_find(s, t), depth, out);
}

/* Rows of entry i on level k, counted from the samples: level 0 is the samples, level k is high[k -
 * 1]. */
static unsigned rows_at(const struct samples *s, const struct calltree *tree, int k, size_t i)
{
	return k ? s->high[k - 1][i] : tree->rows[s->leaf[i]];
}

/* The first sample from `i` on that has at least `rows` rows; n: none. */
static size_t next_deep(const struct samples *s, const struct calltree *tree, size_t i,
			unsigned rows)
{
	size_t n = s->n;
	int k = 0;

	/* Climb at the end of a group; skip all that are not deep enough. */
	while (i < n && rows_at(s, tree, k, i) < rows) {
		i++;
		if (i % FAN == 0 && k < s->n_high) {
			i /= FAN;
			n = (n + FAN - 1) / FAN;
			k++;
		}
	}
	if (i >= n)
		return s->n;
	/* Descend: one of the children is deep enough. */
	for (; k > 0; k--)
		for (i *= FAN; rows_at(s, tree, k - 1, i) < rows; i++)
			;
	return i;
}

/* One past the last sample before `end` that has at least `rows` rows; 0: none. */
static size_t last_deep(const struct samples *s, const struct calltree *tree, size_t end,
			unsigned rows)
{
	int k = 0;

	while (end > 0 && rows_at(s, tree, k, end - 1) < rows) {
		end--;
		if (end % FAN == 0 && k < s->n_high) {
			end /= FAN;
			k++;
		}
	}
	for (; end > 0 && k > 0; k--) {
		size_t n = level_n(s, k - 1);

		for (end = end * FAN < n ? end * FAN : n; rows_at(s, tree, k - 1, end - 1) < rows;
		     end--)
			;
	}
	return end;
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
