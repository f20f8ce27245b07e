/* SPDX-License-Identifier: GPL-2.0-or-later */
/* For each name a list of its busy times in order, and the sums of all that stand before each: the
 * sum of a part of the list is the difference of two of them. */
#include "config.h"

#include "findings/served_index.h"

#include "base/alloc.h"
#include "base/sort.h"

#include <stdlib.h>

#define NAME_STEPS 32 /* busy times that one after another cost as much as a name does */

static void find_covers(struct served_index *index)
{
	const struct served_thread *t = index->thread;

	index->covers = xmalloc((t->n + 1) * sizeof *index->covers);
	for (size_t i = 0; i < t->n; i++)
		index->covers[i] = i && t->busy[i - 1].t1 >= t->busy[i].t0 - SERVED_COVERS_NS
			? index->covers[i - 1]
			: (uint32_t)i;
}

void served_index_init(struct served_index *index, const struct profile *profile,
		       const struct served_thread *thread)
{
	*index = (struct served_index){ .profile = profile, .thread = thread };
	find_covers(index);
}

static void gaps_done(struct served_gaps *gaps)
{
	free(gaps->until);
	free(gaps->next[0]);
	free(gaps->next[1]);
}

void served_index_done(struct served_index *index)
{
	free(index->covers);
	free(index->name);
	free(index->first);
	free(index->at);
	free(index->until);
	gaps_done(&index->any);
	for (size_t i = 0; i < index->n_gaps; i++)
		gaps_done(&index->gaps[i]);
	free(index->gaps);
	*index = (struct served_index){ 0 };
}

struct served_segment served_index_behind(const struct served_index *index, size_t i)
{
	const struct served_busy *b = &index->thread->busy[i];
	str_id name = b->served == SERVED_NONE ? 0
					       : index->profile->served.requests[b->served].name;

	return (struct served_segment){ b->t0, b->t1, SERVED_BEHIND, name, b->served, 0, 0 };
}

/* Find the names. Returns for each busy time the number of its name, which the caller frees. */
static uint32_t *find_names(struct served_index *index)
{
	const size_t n = index->thread->n;
	ALLOC_LOCAL uint32_t *number = xcalloc(index->profile->strings.n + 1, sizeof *number);
	uint32_t *of = xmalloc((n + 1) * sizeof *of);
	size_t cap = 0;

	for (size_t i = 0; i < n; i++) {
		str_id name = served_index_behind(index, i).name;

		if (!number[name]) {
			*ARRAY_ADD(index->name, index->n, cap) = name;
			number[name] = (uint32_t)index->n;
		}
		of[i] = number[name] - 1;
	}
	return of;
}

/* Put the busy times in the order of their names. */
static void order_by_name(struct served_index *index)
{
	const struct served_thread *t = index->thread;
	ALLOC_LOCAL uint32_t *of = find_names(index);

	index->first = xcalloc(index->n + 2, sizeof *index->first);
	index->at = xmalloc((t->n + 1) * sizeof *index->at);
	for (size_t i = 0; i < t->n; i++)
		index->first[of[i] + 2]++;
	for (size_t k = 0; k < index->n; k++)
		index->first[k + 2] += index->first[k + 1];
	for (size_t i = 0; i < t->n; i++)
		index->at[index->first[of[i] + 1]++] = (uint32_t)i;
}

/* is_in: NULL: nothing holds in any gap. */
static struct served_gaps make_gaps(const struct served_index *index, uint32_t id,
				    bool (*is_in)(const void *ctx, uint32_t id, int64_t t),
				    const void *ctx)
{
	const struct served_thread *t = index->thread;
	struct served_gaps gaps = { .id = id, .until = xcalloc(t->n + 1, sizeof *gaps.until) };

	for (int k = 0; k < 2; k++) {
		gaps.next[k] = xmalloc((t->n + 1) * sizeof *gaps.next[k]);
		gaps.next[k][t->n] = (uint32_t)t->n;
	}
	/* First, next[1] says of each gap alone whether it is in. */
	for (size_t i = 0; i < t->n; i++) {
		int64_t t0 = t->busy[i].t1, t1 = i + 1 < t->n ? t->busy[i + 1].t0 : t0;

		gaps.next[1][i] = is_in && t0 < t1 && is_in(ctx, id, t0 + (t1 - t0) / 2);
		gaps.until[i + 1] = gaps.until[i] + (gaps.next[1][i] ? t1 - t0 : 0);
	}
	for (size_t i = t->n; i-- > 0;) {
		bool has_length = i + 1 < t->n && t->busy[i].t1 < t->busy[i + 1].t0;
		unsigned is = gaps.next[1][i];

		for (unsigned k = 0; k < 2; k++)
			gaps.next[k][i] = has_length && is == k ? (uint32_t)i : gaps.next[k][i + 1];
	}
	return gaps;
}

static void make(struct served_index *index)
{
	const struct served_thread *t = index->thread;

	order_by_name(index);
	index->until = xcalloc(t->n + 1, sizeof *index->until);
	for (size_t i = 0; i < t->n; i++) {
		const struct served_busy *b = &t->busy[index->at[i]];

		index->until[i + 1] = index->until[i] + (b->t1 - b->t0);
	}
	index->any = make_gaps(index, 0, NULL, NULL);
}

const struct served_gaps *served_index_gaps(struct served_index *index, uint32_t id,
					    bool (*is_in)(const void *ctx, uint32_t id, int64_t t),
					    const void *ctx)
{
	for (size_t i = 0; i < index->n_gaps; i++)
		if (index->gaps[i].id == id)
			return &index->gaps[i];
	*ARRAY_ADD(index->gaps, index->n_gaps, index->cap_gaps) = make_gaps(index, id, is_in, ctx);
	return &index->gaps[index->n_gaps - 1];
}

bool served_index_is_worth(struct served_index *index, size_t n)
{
	if (n <= NAME_STEPS)
		return false;
	if (!index->until)
		make(index);
	return n / NAME_STEPS > index->n;
}

/* The first `at` of name k that is not before busy time i. */
static size_t name_from(const struct served_index *index, size_t k, size_t i)
{
	size_t lo = index->first[k];

	SORT_BISECT(lo, index->first[k + 1], mid, index->at[mid] < i);
	return lo;
}

void served_index_each(struct served_index *index, size_t from, size_t end,
		       const struct served_gaps *gaps, const struct served_segment *in,
		       served_time_add *add, void *ctx)
{
	const struct served_busy *busy = index->thread->busy;
	int64_t ns[2] = { busy[end - 1].t1 - busy[from].t0, 0 };

	if (!index->until)
		make(index);
	for (size_t k = 0; k < index->n; k++) {
		size_t lo = name_from(index, k, from), hi = name_from(index, k, end);
		struct served_segment x;

		if (lo == hi)
			continue;
		x = served_index_behind(index, index->at[lo]);
		add(ctx, &x, index->until[hi] - index->until[lo]);
		ns[0] -= index->until[hi] - index->until[lo];
	}
	gaps = gaps ? gaps : &index->any;
	ns[1] = gaps->until[end - 1] - gaps->until[from];
	ns[0] -= ns[1];
	for (int k = 0; k < 2; k++) {
		struct served_segment x = { .part = SERVED_UNKNOWN, .other = SERVED_NONE };
		size_t first = gaps->next[k][from];

		if (first + 1 >= end)
			continue;
		x = k ? *in : x;
		x.t0 = busy[first].t1;
		x.t1 = busy[first + 1].t0;
		add(ctx, &x, ns[k]);
	}
}
