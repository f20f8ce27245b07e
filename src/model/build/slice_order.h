/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Sorts the slices of a track. */
#ifndef FLAMETTY_MODEL_BUILD_SLICE_ORDER_H
#define FLAMETTY_MODEL_BUILD_SLICE_ORDER_H

#include "base/alloc.h"
#include "base/units.h"
#include "model/build/track_raw.h"
#include "model/calltree.h"

#include <assert.h>

/* The time that the slices of one group take. */
struct slice_group {
	int64_t t0, t1;
};

/* Sort the slices of a track; the one that opens first comes last. */
void slice_order(struct raw_track *track);

/* The same for a track of groups: the slices of one group follow each other. Groups are sorted by
 * start and get new numbers in this order. Returns them by number, to be freed by the caller. */
struct slice_group *slice_order_groups(struct raw_track *track);

/* Layers of a thread. When all exist, slices that would need another one go onto a layer that is
 * free, on other rows than theirs, or are cut if none is. */
#define SLICE_STACKS_MAX 512

/* Writers round start and length of a slice separately; an overlap up to this is none. */
#define SLICE_STACKS_OVERSHOOT_NS NS_PER_US

struct slice_layer {
	int first_row; /* of the thread */
	int n_rows;
	int64_t until; /* the end of what ends last, as the file states it */
};

struct slice_open {
	int64_t t1;  /* cut where the slice around it on its layer ends */
	int64_t end; /* as the file states it */
	int row;     /* of the thread */
	int depth;   /* of the layer */
	uint32_t layer;
	node_id node;  /* of the layer; for the caller */
	uint32_t link; /* of the outermost slice around it on its layer; for the caller */
};

/* A zeroed struct is empty. */
struct slice_stacks {
	/* The slices that are open, in the order of their rows. Those below the last one may have
	 * ended. */
	struct slice_open *open;
	size_t n, cap;
	struct slice_layer *layers;
	size_t n_layers, cap_layers;
	uint32_t *at_row; /* by row: the layer that begins there, + 1 */
	size_t n_at_row;
	int n_rows; /* of all slices */
	uint64_t n_overlaps;
	int64_t first_overlap; /* offset */
};

void slice_stacks_done(struct slice_stacks *stacks);

/* The layer for a slice that starts at t on `row` and is not inside the slice `around`; `around`'s
 * own if there are too many. */
size_t slice_stacks_layer(struct slice_stacks *stacks, int row, int64_t t,
			  const struct slice_open *around);

/* Close what ends by t on top of the stack: then the last one is the deepest open slice. */
static inline void slice_stacks_close(struct slice_stacks *s, int64_t t)
{
	while (s->n && s->open[s->n - 1].end <= t)
		s->n--;
}

/* Open a slice on a layer, below all that is open. t1: where it is cut. */
static inline struct slice_open *slice_stacks_push(struct slice_stacks *s,
						   const struct slice_open *slice)
{
	if (s->n >= s->cap)
		s->open = xgrow(s->open, &s->cap, s->n + 1, sizeof *s->open);
	assert(s->open);
	s->open[s->n] = *slice;
	return &s->open[s->n++];
}

/* Put the next slice, in the order of slice_order(). Returns it as an open slice, valid until the
 * next call. A slice that overlaps gets the flag SLICE_OVERLAPS. */
static inline struct slice_open *slice_stacks_put(struct slice_stacks *s, struct raw_slice *slice)
{
	const struct slice_open *around;
	struct slice_layer *layer;
	size_t i = 0;
	int row = 0, depth = 0;
	int64_t t1 = slice->t1;

	slice_stacks_close(s, slice->t0);
	around = s->n ? &s->open[s->n - 1] : NULL;
	if (around) {
		bool is_inside = t1 - around->end <= SLICE_STACKS_OVERSHOOT_NS;

		row = around->row + 1;
		i = around->layer;
		if (!is_inside) {
			if (s->n_overlaps++ == 0)
				s->first_overlap = raw_where(slice) >> SLICE_FLAG_BITS;
			slice->where |= SLICE_OVERLAPS;
		}
		if (!is_inside || around->t1 <= slice->t0)
			i = slice_stacks_layer(s, row, slice->t0, around);
		if (i == around->layer && around->t1 > slice->t0) {
			depth = around->depth + 1;
			t1 = t1 < around->t1 ? t1 : around->t1;
		}
	} else if (s->n_layers == 0) {
		slice_stacks_layer(s, 0, slice->t0, NULL);
	}
	layer = &s->layers[i];
	if (row >= s->n_rows)
		s->n_rows = row + 1;
	if (depth >= layer->n_rows)
		layer->n_rows = depth + 1;
	if (slice->t1 > layer->until)
		layer->until = slice->t1;
	return slice_stacks_push(
		s, &(struct slice_open){ t1, slice->t1, row, depth, (uint32_t)i, NODE_ROOT, 0 });
}

#endif
