/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A view: the call trees of one or more lanes as one tree, transformed, with functions or with
 * files, packages or categories as frames. The self time of a node of a lane goes to the node of
 * the view that it is mapped to, or is dropped. No time is lost: the nodes of a view and the
 * dropped time add up. */
#ifndef FLAMETTY_ANALYSIS_VIEW_H
#define FLAMETTY_ANALYSIS_VIEW_H

#include "analysis/transform.h"
#include "model/profile.h"

#define VIEW_DROPPED UINT32_MAX

/* What the frames of a view are. Idle, program and garbage collection stay what they are. */
enum view_group {
	GROUP_FUNCTION,
	GROUP_FILE,
	GROUP_PACKAGE,
	GROUP_CATEGORY,
	GROUP_LANE,
	GROUP_COUNT
};

/* A lane of the view. */
struct view_source {
	const struct lane *lane;
	/* By node of the lane: the node of the view that gets its time, or VIEW_DROPPED; NULL: the
	 * same node. */
	node_id *map;
	/* By node of the lane: the node of the view that it is on the stacks of other nodes, which
	 * may stay although its own time is dropped; may be the map itself; NULL: a lane without
	 * slices, which does not need it. */
	node_id *place;
};

struct view {
	const struct profile *profile;
	struct view_source *sources;
	uint32_t n_sources;
	const struct calltree *tree;
	const struct frame *
		frames; /* what tree->frame refers to: the profile's frames, then those made here */
	uint32_t n_frames;
	struct calltree own_tree;
	struct frame *own_frames;
};

/* Fill for n lanes of the profile, which must outlive the view. Lanes without a tree (counters) are
 * ignored. */
void view_init(struct view *view, const struct profile *profile, const struct lane *const *lanes,
	       uint32_t n, const struct transform *transforms, size_t n_transforms,
	       enum view_group group);
void view_done(struct view *view);

/* The same, but the view always has its own tree and maps, even where the lane's tree would do. */
void view_init_own(struct view *view, const struct profile *profile,
		   const struct lane *const *lanes, uint32_t n, const struct transform *transforms,
		   size_t n_transforms, enum view_group group);

/* The node of the view for a node of source `source`. */
static inline node_id view_node(const struct view *view, uint32_t source, node_id node)
{
	return view->sources[source].map ? view->sources[source].map[node] : node;
}

/* The number of rows of the view's tree that samples i and i + 1 of a source share: these stay open
 * between the two. Adjacent spans that a transform made equal are one. */
unsigned view_shared(const struct view *view, uint32_t source, size_t i);

/* `function`, `file`, ...; GROUP_COUNT: no group has that name. */
const char *view_group_name(enum view_group group);
const char *view_group_word(unsigned i); /* NULL: i is past the last group */

#endif
