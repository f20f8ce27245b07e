/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Restores the order of slices that come nearly sorted by start, as writers of X events have them:
 * up to SLICE_QUEUE_MOST slices wait for those before them. */
#ifndef FLAMETTY_BUILD_PARTIAL_SLICE_QUEUE_H
#define FLAMETTY_BUILD_PARTIAL_SLICE_QUEUE_H

#include "model/build/track_raw.h"

#define SLICE_QUEUE_MOST 16384u

struct queued_slice {
	struct raw_slice slice;
	int64_t end_offset;
};

/* A zeroed struct is empty. */
struct slice_queue {
	struct queued_slice *heap;
	size_t n, cap;
	struct raw_slice latest; /* the last one taken */
	bool has_taken;
	bool is_lost; /* a slice came too late: nothing more is queued or taken */
};

void slice_queue_done(struct slice_queue *queue);

void slice_queue_add(struct slice_queue *queue, const struct raw_slice *slice, int64_t end_offset);

/* Take the next slice, in the order of slice_order(). is_end: no more will be added. Returns false
 * if more must be added first; with is_end, if none is left. */
bool slice_queue_take(struct slice_queue *queue, bool is_end, struct queued_slice *out);

#endif
