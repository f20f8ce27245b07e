/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A slice goes onto the deepest layer that has a slice open at its start. Touching slices are
 * siblings. What outlasts the slice around it by a rounding error belongs there and is cut; what
 * outlasts it by more overlaps, and goes to the next layer. */
#include "config.h"

#include "build/slice_stacks.h"

#include "base/alloc.h"
#include "base/units.h"

#include <assert.h>
#include <stdlib.h>

/* Writers round start and length of a slice separately; an overlap up to this is cut. */
#define OVERSHOOT_NS NS_PER_US

void slice_stacks_done(struct slice_stacks *s)
{
	for (size_t i = 0; i < s->n; i++)
		free(s->layers[i].open);
	free(s->layers);
	*s = (struct slice_stacks){ 0 };
}

static struct slice_stack *layer_at(struct slice_stacks *s, size_t i)
{
	if (i >= s->n) {
		s->layers = xgrow(s->layers, &s->cap, i + 1, sizeof *s->layers);
		s->layers[s->n++] = (struct slice_stack){ 0 };
	}
	return &s->layers[i];
}

/* Close what ends by t; returns how many layers have something open. */
static size_t close_until(struct slice_stacks *s, int64_t t)
{
	size_t n_open = 0;

	for (size_t k = 0; k < s->n_open; k++) {
		struct slice_stack *l = &s->layers[k];

		while (l->n && l->open[l->n - 1].t1 <= t)
			l->n--;
		if (l->n)
			n_open = k + 1;
	}
	return n_open;
}

size_t slice_stacks_put(struct slice_stacks *s, struct raw_slice *slice)
{
	size_t n_open = close_until(s, slice->t0);
	struct slice_stack *l = layer_at(s, n_open ? n_open - 1 : 0);
	const struct slice_open *around = l->n ? &l->open[l->n - 1] : NULL;
	int row = around ? around->row + 1 : 0;

	if (row >= s->n_rows)
		s->n_rows = row + 1;
	if (around && slice->t1 > around->t1) {
		if (slice->t1 - around->t1 <= OVERSHOOT_NS || n_open == SLICE_STACKS_MOST) {
			slice->t1 = around->t1;
		} else {
			if (s->n_overlaps++ == 0)
				s->first_overlap = slice->where >> SLICE_FLAG_BITS;
			slice->where |= SLICE_OVERLAPS;
			l = layer_at(s, n_open++);
		}
	}
	if (l->n >= l->cap)
		l->open = xgrow(l->open, &l->cap, l->n + 1, sizeof *l->open);
	assert(l->open);
	l->open[l->n++] = (struct slice_open){ slice->t1, row };
	s->n_open = n_open ? n_open : 1;
	return s->n_open - 1;
}
