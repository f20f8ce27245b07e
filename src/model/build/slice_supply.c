/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The entries of `more` are mostly in the order in which they are needed. They are reversed, so
 * that they too can be taken from the end. An entry that is taken in another order is marked, and
 * is given back with its neighbours. */
#include "config.h"

#include "model/build/slice_supply.h"

#define GONE INT64_MIN /* as end_offset */

struct slice_supply slice_supply_of(struct raw_track *track, struct progress_shared *progress)
{
	for (size_t i = 0, k = track->n_more; i + 1 < k; i++) {
		struct raw_more first = track->more[i];

		track->more[i] = track->more[--k];
		track->more[k] = first;
	}
	return (struct slice_supply){ track, track->n_more, progress };
}

void slice_supply_take_more(struct slice_supply *from, struct slice_taken *to)
{
	struct raw_track *track = from->track;
	struct raw_more *more = &track->more[from->n_more - to->slice.more];

	to->more = *more;
	more->end_offset = GONE;
	while (track->n_more > 0 && track->more[track->n_more - 1].end_offset == GONE)
		if (--track->n_more % SLICE_SUPPLY_RETURNED == 0 && track->n_more > 0 &&
		    !track->is_in_room)
			track->more = xrealloc(track->more, track->n_more, sizeof *track->more);
}
