/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Makes a lane of samples from a call tree with times: below each node the heaviest child comes
 * first, and time is that spent instead of that of day. Only merged.c uses this. */
#ifndef FLAMETTY_ANALYSIS_MERGED_LANE_H
#define FLAMETTY_ANALYSIS_MERGED_LANE_H

#include "base/budget.h"
#include "model/lane.h"

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

/* By node of the lane's tree: the node of the tree that it was made from. Only when the work is
 * complete. The caller frees it. */
node_id *merged_lane_origins(const struct merged_lane *work);

#endif
