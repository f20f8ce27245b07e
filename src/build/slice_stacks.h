/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The rule by which the slices of a thread nest (formats(5), SLICES, rule 4.4), apart from what is
 * made of them: on which layer each slice goes, and where it is cut. */
#ifndef FLAMETTY_BUILD_SLICE_STACKS_H
#define FLAMETTY_BUILD_SLICE_STACKS_H

#include "build/track_raw.h"

/* Layers at one time. Slices that would need one more are cut to fit into the last. */
#define SLICE_STACKS_MOST 512

struct slice_stack {
	struct slice_open {
		int64_t t1;
		int row; /* counted over all layers */
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

/* Put the next slice, in the order of slice_order(), and return its layer. The slice is cut where
 * the one around it ends, or gets the flag SLICE_OVERLAPS. */
size_t slice_stacks_put(struct slice_stacks *stacks, struct raw_slice *slice);

#endif
