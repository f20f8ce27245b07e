/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A span goes onto the layer of its parent, inside it, if it is within its time and the one before
 * it there has ended. Otherwise it begins a chain of its own, on the first free layer below that of
 * its parent. So a layer has spans that nest, and what is on it begins when what was put there
 * before has ended.
 *
 * Spans are placed in the order of their starts, but none before its parent. The links are walked
 * without recursion. */
#include "config.h"

#include "read/linked_rows.h"

#include "base/alloc.h"
#include "model/build/track_builder.h"

#include <stdlib.h>

/* Ranks while links are walked. */
#define UNKNOWN UINT32_MAX
#define ON_THE_WAY (UINT32_MAX - 1)

/* Set the rank of a span and of those around it, and cut a cycle. way: room for all indices. */
static void rank(struct linked_span *spans, uint32_t i, uint32_t *way, struct linked_rows *rows)
{
	size_t n = 0;

	while (spans[i].rank == UNKNOWN) {
		struct linked_span *s = &spans[i];

		s->rank = ON_THE_WAY;
		way[n++] = i;
		if (s->parent == LINKED_NONE)
			break;
		if (spans[s->parent].rank == ON_THE_WAY) {
			if (rows->n_cycles++ == 0)
				rows->first_cycle = i;
			s->parent = LINKED_NONE;
			break;
		}
		i = s->parent;
	}
	while (n > 0) {
		struct linked_span *s = &spans[way[--n]];
		const struct linked_span *p = s->parent == LINKED_NONE ? NULL : &spans[s->parent];

		s->rank = p ? p->rank + 1 : 0;
		s->from = p && p->from > s->t0 ? p->from : s->t0;
	}
}

struct item {
	int64_t from, t1;
	uint32_t rank, i;
};

static int compare(const void *a, const void *b)
{
	const struct item *x = a, *y = b;

	if (x->from != y->from)
		return x->from < y->from ? -1 : 1;
	if (x->rank != y->rank)
		return x->rank < y->rank ? -1 : 1;
	if (x->t1 != y->t1)
		return x->t1 > y->t1 ? -1 : 1;
	return x->i < y->i ? -1 : x->i > y->i;
}

static void sort(const struct linked_span *spans, uint32_t n, uint32_t *order)
{
	struct item *items = xmalloc(((size_t)n + 1) * sizeof *items);

	for (uint32_t i = 0; i < n; i++)
		items[i] = (struct item){ spans[i].from, spans[i].t1, spans[i].rank, i };
	qsort(items, n, sizeof *items, compare);
	for (uint32_t i = 0; i < n; i++)
		order[i] = items[i].i;
	free(items);
}

struct layers {
	int64_t until[TRACK_BUILDER_LAYERS]; /* the end of what is on the layer */
	uint32_t n;
};

/* The first free layer from `from` on. If there are too many, the last one. */
static uint32_t free_layer(struct layers *layers, uint32_t from, int64_t t, bool *is_late)
{
	for (uint32_t i = from; i < layers->n; i++)
		if (layers->until[i] <= t)
			return i;
	*is_late = layers->n == TRACK_BUILDER_LAYERS;
	if (*is_late)
		return layers->n - 1;
	layers->until[layers->n] = INT64_MIN;
	return layers->n++;
}

static void place(struct linked_span *spans, struct linked_span *s, struct layers *layers,
		  struct linked_rows *rows)
{
	struct linked_span *p = s->parent == LINKED_NONE ? NULL : &spans[s->parent];
	bool is_late = false, takes_time;

	s->busy_until = s->t0;
	if (p && p->t0 <= s->t0 && s->t1 <= p->t1 && p->busy_until <= s->t0 &&
	    p->depth + 1 < TRACK_BUILDER_DEPTHS) {
		s->layer = p->layer;
		s->depth = p->depth + 1;
		s->place = track_builder_place(s->layer, s->layer, 0);
		p->busy_until = s->t1;
		return;
	}
	s->layer = free_layer(layers, p ? p->layer + 1 : 0, s->t0, &is_late);
	s->depth = 0;
	rows->n_late += is_late;
	if (layers->until[s->layer] < s->t1)
		layers->until[s->layer] = s->t1;
	/* Of slices that begin at one time, the longest one is put onto its layer first. */
	s->is_early = p && !is_late && p->t0 < s->t1 &&
		(s->t0 < p->t0 || (s->t0 == p->t0 && s->t1 > p->t1));
	takes_time = p && !is_late && !s->is_early && p->t0 <= s->t0 && s->t0 < p->t1;
	s->place = takes_time ? track_builder_place(s->layer, p->layer, p->depth)
			      : track_builder_place(s->layer, s->layer, 0);
}

void linked_rows_place(struct linked_span *spans, uint32_t n, struct linked_rows *rows)
{
	struct layers *layers = xcalloc(1, sizeof *layers);

	*rows = (struct linked_rows){ .order = xmalloc(((size_t)n + 1) * sizeof *rows->order) };
	for (uint32_t i = 0; i < n; i++)
		spans[i].rank = UNKNOWN;
	for (uint32_t i = 0; i < n; i++)
		rank(spans, i, rows->order, rows);
	sort(spans, n, rows->order);
	for (uint32_t i = 0; i < n; i++)
		place(spans, &spans[rows->order[i]], layers, rows);
	free(layers);
}
