/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What analysis looks at: the call trees of one or more lanes as one tree, after the
 * transforms that somebody asked for, with functions or with files, packages or categories for
 * frames. Self time of a node of a lane goes to the node of the view that it was mapped to,
 * or is dropped; nothing gets lost: what the nodes of a view have and what was dropped add up. */
#ifndef FLAMETTY_ANALYSIS_VIEW_H
#define FLAMETTY_ANALYSIS_VIEW_H

#include "analysis/transform.h"
#include "model/profile.h"

#define VIEW_DROPPED UINT32_MAX

/* What the frames of a view stand for. Idle, program and garbage collection stay what they are. */
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
	node_id *map;   /* by node of the lane: node of the view that has its time, or VIEW_DROPPED;
			   NULL: the same */
	node_id *place; /* the same of its stack as the part of others, which may be kept when it is
			 * not alone; may be the map itself; NULL: a lane without slices, where
			 * nobody asks */
};

struct view {
	const struct profile *profile;
	struct view_source *sources;
	uint32_t n_sources;
	const struct calltree *tree;
	const struct frame *
		frames; /* what tree->frame counts in: the profile's frames, then those made here */
	uint32_t n_frames;
	struct calltree own_tree;
	struct frame *own_frames;
};

/* Fill for n lanes of the profile, which outlives the view. Lanes without a tree (counters) count
 * for nothing. */
void view_init(struct view *view, const struct profile *profile, const struct lane *const *lanes,
	       uint32_t n, const struct transform *transforms, size_t n_transforms,
	       enum view_group group);
void view_done(struct view *view);

/* The same, and even where the tree would be that of the lane it is the view's own, with maps. */
void view_init_own(struct view *view, const struct profile *profile,
		   const struct lane *const *lanes, uint32_t n, const struct transform *transforms,
		   size_t n_transforms, enum view_group group);

/* The node of the view that a node of source `source` became. */
static inline node_id view_node(const struct view *view, uint32_t source, node_id node)
{
	return view->sources[source].map ? view->sources[source].map[node] : node;
}

/* Rows of the view's tree that samples i and i + 1 of a source share: what of them stays open
 * between the two. Spans that a transform brought together are one where they touch. */
unsigned view_shared(const struct view *view, uint32_t source, size_t i);

/* `function`, `file`, ...; GROUP_COUNT where there is none of that name. */
const char *view_group_name(enum view_group group);
const char *view_group_word(unsigned i); /* NULL: i is past the last group */

#endif
