/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The time of the thread is the union of the self times of all its slices: pieces of all lanes,
 * sorted by start and merged. Compared with the samples of the first lane, it has more and less.
 *
 * Pieces are between two ends of slices, so there are about as many as samples. */
#include "config.h"

#include "model/slice_union.h"

#include "base/alloc.h"

#include <stdlib.h>

struct piece {
	int64_t t0, t1;
};

struct pieces {
	struct piece *list;
	size_t n, cap;
};

/* Add a piece, which does not begin before the others of its lane. */
static void add(struct pieces *to, int64_t t0, int64_t t1)
{
	if (t1 <= t0)
		return;
	if (to->n && to->list[to->n - 1].t0 <= t0 && to->list[to->n - 1].t1 >= t0) {
		if (to->list[to->n - 1].t1 < t1)
			to->list[to->n - 1].t1 = t1;
		return;
	}
	to->list = xgrow(to->list, &to->cap, to->n + 1, sizeof *to->list);
	to->list[to->n++] = (struct piece){ t0, t1 };
}

static bool counts(const struct slice_union_part *p, node_id node)
{
	node_id to = p->map ? p->map[node] : node;

	return to != NODE_ROOT && to != SLICE_UNION_DROPPED;
}

/* Add [t0, t1) of a slice of `node` without what is covered there. *from: a covered stretch before
 * which none touches the range; moves on to those that may touch what comes after it. */
static void add_self(const struct slice_union_part *p, int64_t t0, int64_t t1, node_id node,
		     size_t *from, struct pieces *to)
{
	const struct slice_stretches none = { 0 };
	const struct slice_stretches *c = p->lane->slice_time ? &p->lane->slice_time->covered
							      : &none;

	while (*from < c->n && c->list[*from].t1 <= t0)
		++*from;
	for (size_t i = *from; i < c->n && c->list[i].t0 < t1; i++) {
		if (c->list[i].node != node || c->list[i].t1 <= t0)
			continue;
		add(to, t0 + p->by, c->list[i].t0 + p->by);
		t0 = c->list[i].t1;
	}
	add(to, t0 + p->by, t1 + p->by);
}

static void add_lane(const struct slice_union_part *p, struct pieces *to)
{
	const struct samples *s = &p->lane->samples;
	const struct slice_time *time = p->lane->slice_time;
	size_t from = 0;

	for (size_t i = 0; i < s->n; i++)
		if (samples_time(s, i + 1) > samples_time(s, i) && counts(p, s->leaf[i]))
			add_self(p, samples_time(s, i), samples_time(s, i + 1), s->leaf[i], &from,
				 to);
	for (size_t i = 0; time && i < time->over.n; i++) {
		const struct slice_stretch *over = &time->over.list[i];

		from = slice_time_reaching(&time->covered, over->self_t0);
		if (counts(p, over->node))
			add_self(p, over->self_t0, over->t1, over->node, &from, to);
	}
}

static int by_start(const void *a, const void *b)
{
	const struct piece *x = a, *y = b;

	return x->t0 < y->t0 ? -1 : x->t0 > y->t0;
}

static void merge(struct pieces *all)
{
	size_t n = all->n;

	if (n > 1)
		qsort(all->list, n, sizeof *all->list, by_start);
	all->n = 0;
	for (size_t i = 0; i < n; i++) {
		struct piece piece = all->list[i];

		add(all, piece.t0, piece.t1);
	}
}

static void add_stretch(struct slice_stretches *to, int64_t t0, int64_t t1, int64_t by)
{
	if (t1 > t0)
		slice_time_add(to, &(struct slice_stretch){ t0 - by, t1 - by, t0 - by, NODE_ROOT });
}

/* The samples of a lane that count, as pieces. */
static void find_sampled(const struct slice_union_part *p, struct pieces *to)
{
	const struct samples *s = &p->lane->samples;

	for (size_t i = 0; i < s->n; i++)
		if (counts(p, s->leaf[i]))
			add(to, samples_time(s, i) + p->by, samples_time(s, i + 1) + p->by);
}

/* Put what `a` has and `b` has not into `to`. Both are sorted and merged. */
static void subtract(const struct pieces *a, const struct pieces *b, struct slice_stretches *to,
		     int64_t by)
{
	size_t k = 0;

	for (size_t i = 0; i < a->n; i++) {
		int64_t t0 = a->list[i].t0, t1 = a->list[i].t1;

		while (k < b->n && b->list[k].t1 <= t0)
			k++;
		for (size_t j = k; j < b->n && b->list[j].t0 < t1; j++) {
			add_stretch(to, t0, b->list[j].t0, by);
			t0 = b->list[j].t1;
		}
		add_stretch(to, t0, t1, by);
	}
}

void slice_union(const struct slice_union_part *parts, size_t n)
{
	struct pieces all = { 0 }, nothing = { 0 };

	for (size_t i = 0; i < n; i++)
		add_lane(&parts[i], &all);
	merge(&all);
	for (size_t i = 0; i < n; i++) {
		struct pieces own = { 0 };

		find_sampled(&parts[i], &own);
		if (i == 0)
			subtract(&all, &own, parts[i].more, parts[i].by);
		subtract(&own, i == 0 ? &all : &nothing, parts[i].less, parts[i].by);
		free(own.list);
	}
	free(all.list);
}
