/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Merges equal calls of different times, the heaviest first. The result is a profile of its own,
 * whose axis is time spent instead of time of day; everything that works on a time line works on
 * it. */
#ifndef FLAMETTY_ANALYSE_VIEW_MERGED_H
#define FLAMETTY_ANALYSE_VIEW_MERGED_H

#include "analyse/totals.h"
#include "base/budget.h"
#include "model/lane.h"

/* Made in steps: begin, call merged_work() until it returns true, then end. Ended earlier, the
 * result is NULL, as where there is no time at all. The totals must stay until then. */
struct merged;

/* One lane: all calls of the view and range of the totals, root on top (a flame graph). */
struct merged *merged_begin_left_heavy(const struct totals *totals);

/* One lane: all stacks inverted, so that below the root is what ran, and below that its callers. */
struct merged *merged_begin_inverted(const struct totals *totals);

/* Two lanes about one frame of the view: its callers (depth 0 is the frame itself), and its
 * callees. Recursion counts once: recursive calls are callees. */
struct merged *merged_begin_sandwich(const struct totals *totals, frame_id frame);

/* Left heavy, with the nodes of stays[], by node of the view, also where they have no time
 * `stays` is borrowed until the end. */
struct merged *merged_begin_with(const struct totals *totals, const uint8_t *stays);
bool merged_work(struct merged *merged, struct budget *budget);

/* By node of the lane of merged_begin_with(), which is complete: its node in the view. The caller
 * frees it. NULL: there is no lane. */
node_id *merged_take_origins(struct merged *merged);

/* *n_levels: the number of levels of callers if there are too many to show them all, otherwise 0;
 * times are not affected. The caller frees the result with profile_free(); the view's profile must
 * outlive it. */
struct profile *merged_end(struct merged *merged, uint32_t *n_levels);

#endif
