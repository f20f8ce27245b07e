/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Merges equal calls of different times, the heaviest first. The result is a profile of its own,
 * whose axis is time spent instead of time of day; everything that works on a time line works on
 * it. */
#ifndef FLAMETTY_ANALYSIS_MERGED_H
#define FLAMETTY_ANALYSIS_MERGED_H

#include "analyse/totals.h"
#include "base/budget.h"
#include "model/lane.h"

/* One lane: all calls of the view and range of the totals, root on top (a flame graph). NULL: there
 * is no time at all. The caller frees it with profile_free(); the view's profile must outlive it.
 */
struct profile *merged_left_heavy(const struct totals *totals);

/* Two lanes about one frame of the view: its callers (depth 0 is the frame itself), and its
 * callees. Recursion counts once: recursive calls are callees. *n_levels: the number of levels of
 * callers if there are too many to show them all, otherwise 0; times are not affected. NULL: the
 * frame has no time. */
struct profile *merged_sandwich(const struct totals *totals, frame_id frame, uint32_t *n_levels);

/* One lane: all stacks inverted, so that below the root is what ran, and below that its callers.
 * *n_levels as of merged_sandwich(). NULL: there is no time at all. */
struct profile *merged_inverted(const struct totals *totals, uint32_t *n_levels);

/* The same in steps: begin, call merged_work() until it returns true, then end. Ended earlier, the
 * result is NULL. The totals must stay until then. */
struct merged;

struct merged *merged_begin_left_heavy(const struct totals *totals);
struct merged *merged_begin_inverted(const struct totals *totals);
struct merged *merged_begin_sandwich(const struct totals *totals, frame_id frame);

/* Left heavy, with the nodes of stays[], by node of the view, also where they have no time
 * (merged_lane.h). `stays` is borrowed until the end. */
struct merged *merged_begin_with(const struct totals *totals, const uint8_t *stays);
bool merged_work(struct merged *merged, struct budget *budget);

/* By node of the lane of merged_begin_with(), which is complete: its node in the view. The caller
 * frees it. NULL: there is no lane. */
node_id *merged_take_origins(struct merged *merged);
struct profile *merged_end(struct merged *merged, uint32_t *n_levels);

/* A tree with times, by node. parent[i] < i for i > 0; node 0 is the root. */
struct merged_tree {
	uint32_t n;
	const node_id *parent;
	const frame_id *frame;
	const int64_t *self, *total; /* ns, not negative */
	/* By node: 1 for nodes that stay although they have no time, and which have a sample of
	 * length 0 then. A node stays with its parent only. NULL: none. */
	const uint8_t *stays;
};

/* Begin, call merged_lane_work() until it returns true, then free; it may be freed earlier: then
 * the lane is only good for lane_done(). lane: zeroed except for its description. What the tree
 * points to, and the frames that it refers to, must stay until then. */
struct merged_lane *merged_lane_begin(const struct merged_tree *tree, struct lane *lane,
				      const struct frame *frames);
bool merged_lane_work(struct merged_lane *work, struct budget *budget);
void merged_lane_free(struct merged_lane *work); /* NULL is allowed */

#endif
