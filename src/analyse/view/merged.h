/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Merges equal calls of different times, the heaviest first. The result is a profile of its own,
 * whose axis is time spent instead of time of day; everything that works on a time line works on
 * it. */
#ifndef FLAMETTY_ANALYSE_VIEW_MERGED_H
#define FLAMETTY_ANALYSE_VIEW_MERGED_H

#include "analyse/totals.h"
#include "base/budget.h"

enum merged_kind {
	MERGED_LEFT_HEAVY, /* one lane: all calls of the view and range of the totals, root on top
			      (a flame graph) */
	MERGED_INVERTED,   /* one lane: all stacks inverted, so that below the root is what ran, and
			      below that its callers */
	MERGED_SANDWICH,   /* two lanes about one frame of the view: its callers (depth 0 is the
			      frame itself), and its callees. Recursion counts once: recursive calls
			      are callees */
};

struct merged;

/* Begin, call merged_work() until it returns true, then end. The totals must stay until then.
 * frame: of MERGED_SANDWICH. stays: of MERGED_LEFT_HEAVY, by node of the view: 1: it is in the lane
 * also where it has no time; borrowed until the end; NULL: none. */
struct merged *merged_begin(const struct totals *totals, enum merged_kind kind, frame_id frame,
			    const uint8_t *stays);
bool merged_work(struct merged *merged, struct budget *budget);

/* The merged profile, to be freed with profile_free(); the view's profile must outlive it. Ended
 * before it is complete, it is NULL, as where there is no time at all.
 *
 * *n_levels: the number of levels of callers if there are too many to show them all, otherwise 0;
 * times are not affected. *origins: by node of the lane, its node in the view, to be freed by the
 * caller; NULL without `stays`. Both may be NULL. */
struct profile *merged_end(struct merged *merged, uint32_t *n_levels, node_id **origins);

#endif
