/* SPDX-License-Identifier: GPL-2.0-or-later */
/* On which row of lanes a slice goes, found while slices pass and none is kept: for tracks of which
 * only a part is (part.h). The rule is that of slice_lane.c. It takes slices in the order of their
 * starts, as writers of X events have them, or near it: so many may wait for those before them. */
#ifndef FLAMETTY_BUILD_PARTIAL_SLICE_PLACE_H
#define FLAMETTY_BUILD_PARTIAL_SLICE_PLACE_H

#include "build/track_raw.h"

#define SLICES_WAITING 16384u

/* A layer, which becomes a lane: what there is of it, kept or not. */
struct placed_layer {
	size_t n, n_kept;
	size_t lane;         /* which of the lanes that are made of the kept ones, if any is */
	int64_t first, last; /* begin and end */
	int max_depth;
	struct placed_open {
		int64_t t1;
		int row;
	} * open;
	size_t n_open, cap_open;
};

struct placed_slice {
	struct raw_slice slice;
	int64_t end_offset;
	uint32_t layer; /* when it is taken */
};

struct slice_place {
	struct placed_layer *layers;
	size_t n_layers, cap;
	size_t n_open; /* layers from here on have nothing open */
	int n_rows;
	uint64_t n_overlaps;
	int64_t first_overlap;        /* offset */
	struct placed_slice *waiting; /* a heap: the next one to be placed is the first */
	size_t n_waiting, cap_waiting;
	struct raw_slice latest; /* of those placed, as it came */
	bool has_placed;
	bool is_lost; /* one came too late: nothing of this is known */
	/* Called for each slice in order, with its layer, and flags as they will be shown. True: it
	 * is kept. */
	bool (*take)(void *ctx, const struct placed_slice *slice);
	void *ctx;
};

void slice_place_add(struct slice_place *place, const struct raw_slice *slice, int64_t end_offset);

/* All have been added. */
void slice_place_end(struct slice_place *place);
void slice_place_done(struct slice_place *place);

#endif
