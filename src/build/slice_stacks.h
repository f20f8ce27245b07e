/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The rule by which the slices of a thread nest (formats(5), SLICES, rule 4.4), apart from what is
 * made of them: on which layer each slice goes, and where it is cut.
 *
 * A slice goes onto the deepest layer that has a slice open at its start. Touching slices are
 * siblings. What outlasts the slice around it by a rounding error belongs there, and its layer cuts
 * it; what outlasts it by more overlaps, and goes to the next layer.
 *
 * The functions are inline: they run once for each slice. */
#ifndef FLAMETTY_BUILD_SLICE_STACKS_H
#define FLAMETTY_BUILD_SLICE_STACKS_H

#include "base/alloc.h"
#include "base/units.h"
#include "build/track_raw.h"

#include <assert.h>

/* Layers at one time. Slices that would need one more are cut to fit into the last. */
#define SLICE_STACKS_MOST 512

/* Writers round start and length of a slice separately; an overlap up to this is none. */
#define SLICE_STACKS_OVERSHOOT_NS NS_PER_US

struct slice_stack {
	struct slice_open {
		int64_t t1;  /* cut where the slice around it ends */
		int64_t end; /* as the file states it */
		int row;     /* counted over all layers */
	} * open;
	size_t n, cap;
};

/* A zeroed struct is empty. */
struct slice_stacks {
	struct slice_stack *layers;
	size_t n, cap;
	size_t n_open; /* layers from here on have nothing open */
	int n_rows;    /* rows of all slices, where what overlaps goes to the next free row */
	uint64_t n_overlaps;
	int64_t first_overlap; /* offset */
};

void slice_stacks_done(struct slice_stacks *stacks);

/* Add an empty layer behind the others. */
void slice_stacks_add_layer(struct slice_stacks *stacks);

static inline struct slice_stack *slice_stacks_layer(struct slice_stacks *s, size_t i)
{
	if (i >= s->n)
		slice_stacks_add_layer(s);
	return &s->layers[i];
}

/* Close what ends by t; returns how many layers have something open. */
static inline size_t slice_stacks_close(struct slice_stacks *s, int64_t t)
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

/* Put the next slice, in the order of slice_order(), and return its layer. A slice that overlaps
 * gets the flag SLICE_OVERLAPS. */
static inline size_t slice_stacks_put(struct slice_stacks *s, struct raw_slice *slice)
{
	size_t n_open = slice_stacks_close(s, slice->t0);
	struct slice_stack *l = slice_stacks_layer(s, n_open ? n_open - 1 : 0);
	const struct slice_open *around = l->n ? &l->open[l->n - 1] : NULL;
	int row = around ? around->row + 1 : 0;
	int64_t t1 = slice->t1;

	if (row >= s->n_rows)
		s->n_rows = row + 1;
	if (around && t1 > around->t1) {
		if (t1 - around->end <= SLICE_STACKS_OVERSHOOT_NS || n_open == SLICE_STACKS_MOST) {
			t1 = around->t1;
		} else {
			if (s->n_overlaps++ == 0)
				s->first_overlap = raw_where(slice) >> SLICE_FLAG_BITS;
			slice->where |= SLICE_OVERLAPS;
			l = slice_stacks_layer(s, n_open++);
		}
	}
	if (l->n >= l->cap)
		l->open = xgrow(l->open, &l->cap, l->n + 1, sizeof *l->open);
	assert(l->open);
	l->open[l->n++] = (struct slice_open){ t1, slice->t1, row };
	s->n_open = n_open ? n_open : 1;
	return s->n_open - 1;
}

/* Where the slice that was put last, on this layer, is cut. */
static inline int64_t slice_stacks_end(const struct slice_stacks *s, size_t layer)
{
	return s->layers[layer].open[s->layers[layer].n - 1].t1;
}

#endif
