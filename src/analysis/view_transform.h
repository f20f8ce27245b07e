/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Trees under construction: what view.c and the passes of view_transform.c share. */
#ifndef FLAMETTY_ANALYSIS_VIEW_TRANSFORM_H
#define FLAMETTY_ANALYSIS_VIEW_TRANSFORM_H

#include "analysis/view.h"

#include <stdbool.h>

/* A draft: arrays of parents and frames, parents first; node 0 is the root. A draft may have
 * several nodes for one call path, of several lanes or because of a transform. */
struct draft {
	uint32_t *parent;
	frame_id *frame;
	uint32_t n;
	bool is_lane; /* the arrays belong to the tree of the only lane */
};

/* By node of the old tree: the new node for its children, and the new node for its self time. */
struct step {
	uint32_t *node;
	uint32_t *time;
};

/* Append a child of `parent`; the arrays must have room. */
static inline uint32_t draft_child(struct draft *d, uint32_t parent, frame_id frame)
{
	d->parent[d->n] = parent;
	d->frame[d->n] = frame;
	return d->n++;
}

/* Whether a category is a state of V8, not code that ran. The innermost state of a stack owns the
 * time: a garbage collection on top of idle time is not idle. */
static inline bool category_is_state(enum category category)
{
	return category == CATEGORY_IDLE || category == CATEGORY_PROGRAM || category == CATEGORY_GC;
}

/* Whether a frame of the view so far matches the transform. */
bool view_transform_matches(const struct view *view, const struct transform *transform,
			    frame_id frame);

/* Apply a transform other than TRANSFORM_FOLD: fill `step` for each node of `in`, and `out`. `out`
 * is empty except for its root and has room for as many nodes. If view_transform_keeps_tree(),
 * `out` is not used and nodes stay the same. */
void view_transform_apply(const struct view *view, const struct transform *transform,
			  const struct draft *in, struct draft *out, struct step *step);
bool view_transform_keeps_tree(const struct transform *transform);

/* Replace the frame of each node, except the root, by to[node]. Adjacent nodes that get the same
 * frame, and equal children, become one. */
void view_transform_replace(const frame_id *to, const struct draft *in, struct draft *out,
			    struct step *step);

#endif
