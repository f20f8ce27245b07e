/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Takes the sorted slices of a track one by one, from the end of their arrays, and gives the memory
 * back as it goes, unless it belongs to a room. */
#ifndef FLAMETTY_BUILD_SLICE_SUPPLY_H
#define FLAMETTY_BUILD_SLICE_SUPPLY_H

#include "base/alloc.h"
#include "base/progress.h"
#include "model/build/track_raw.h"

#include <stdbool.h>

/* Memory is given back in steps of this many slices, 1 MiB. */
#define SLICE_SUPPLY_RETURNED 32768u

struct slice_supply {
	struct raw_track *track;
	size_t n_more; /* at the beginning */
	struct progress_shared *progress;
};

struct slice_taken {
	struct raw_slice slice;
	struct raw_more more; /* end -1 and group 0 if it has none */
};

/* Begin, after sorting. Borrows all. progress: gets the slices that were taken; may be NULL. */
struct slice_supply slice_supply_of(struct raw_track *track, struct progress_shared *progress);

/* A part of slice_supply_take(). */
void slice_supply_take_more(struct slice_supply *from, struct slice_taken *to);

/* Take the next slice. Returns false if none is left. Inline: it runs once for each slice. */
static inline bool slice_supply_take(struct slice_supply *from, struct slice_taken *to)
{
	struct raw_track *track = from->track;

	if (track->n == 0)
		return false;
	*to = (struct slice_taken){ track->slices[--track->n], { .end_offset = -1 } };
	if (track->n % SLICE_SUPPLY_RETURNED == 0 && track->n > 0) {
		if (!track->is_in_room)
			track->slices = xrealloc(track->slices, track->n, sizeof *track->slices);
		progress_shared_add(from->progress, SLICE_SUPPLY_RETURNED);
	}
	if (to->slice.more)
		slice_supply_take_more(from, to);
	return true;
}

#endif
