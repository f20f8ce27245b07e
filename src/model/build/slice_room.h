/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Memory in which a thread makes lanes of one track after another. New memory costs a page fault
 * for each page, which is more than the work on it. */
#ifndef FLAMETTY_BUILD_SLICE_ROOM_H
#define FLAMETTY_BUILD_SLICE_ROOM_H

#include "model/build/raw_slice.h"
#include "model/calltree.h"

#include <stddef.h>

/* Tracks with more slices have arrays of their own, which shrink while slices are taken. */
#define SLICE_ROOM_MOST ((size_t)131072)

/* A zeroed struct is empty. */
struct slice_room {
	struct raw_slice *slices, *spare;
	struct raw_more *more;
	size_t cap_slices, cap_spare, cap_more;
	/* Samples of a layer. */
	int64_t *t;
	node_id *leaf;
	uint16_t *shared;
	size_t cap_samples;
};

void slice_room_done(struct slice_room *room);

/* An array of n items with undefined values. It belongs to the room, and is the same one at the
 * next call. */
struct raw_slice *slice_room_slices(struct slice_room *room, size_t n);
struct raw_slice *slice_room_spare(struct slice_room *room, size_t n);
struct raw_more *slice_room_more(struct slice_room *room, size_t n);

/* Make room->t, leaf and shared large enough for n items. */
void slice_room_samples(struct slice_room *room, size_t n);

#endif
