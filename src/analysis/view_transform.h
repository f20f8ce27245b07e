/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Trees on the way to a view: what view.c and the passes of view_transform.c share. */
#ifndef FLAMETTY_ANALYSIS_VIEW_TRANSFORM_H
#define FLAMETTY_ANALYSIS_VIEW_TRANSFORM_H

#include "analysis/view.h"

#include <stdbool.h>

/* Arrays of parents and frames, parents first; node 0 is the root. A draft may have several nodes
 * for one call path, from several lanes or by a transform. */
struct draft {
	uint32_t *parent;
	frame_id *frame;
	uint32_t n;
	bool is_lane; /* the tree is that of the only lane, which owns the arrays */
};

/* Where a node of the old tree goes: itself (for its children), and its own time. */
struct step {
	uint32_t *node;
	uint32_t *time;
};

/* Add a child of `parent`; the arrays have room for it. */
static inline uint32_t draft_child(struct draft *d, uint32_t parent, frame_id frame)
{
	d->parent[d->n] = parent;
	d->frame[d->n] = frame;
	return d->n++;
}

/* Whether a category is a state of V8, not code. The innermost state of a stack is what its time
 * was spent on; garbage collection on top of idle time is not idle. */
static inline bool category_is_state(enum category category)
{
	return category == CATEGORY_IDLE || category == CATEGORY_PROGRAM || category == CATEGORY_GC;
}

/* Whether a frame of the view so far matches. */
bool view_transform_matches(const struct view *view, const struct transform *transform,
			    frame_id frame);

/* All transforms except TRANSFORM_FOLD: fill `step` for each node of `in`, and `out`, which has
 * room for as many nodes and contains only its root. If view_transform_keeps_tree(), `out` is not
 * changed, and nodes stay what they are. */
void view_transform_apply(const struct view *view, const struct transform *transform,
			  const struct draft *in, struct draft *out, struct step *step);
bool view_transform_keeps_tree(const struct transform *transform);

/* to[node] replaces the frame of each node except the root; equal frames in a row, and frames that
 * exist already, are merged. */
void view_transform_replace(const frame_id *to, const struct draft *in, struct draft *out,
			    struct step *step);

#endif
