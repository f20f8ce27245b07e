/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Trees on their way to a view's: what view.c and the passes of view_transform.c share. */
#ifndef FLAMETTY_ANALYSIS_VIEW_TRANSFORM_H
#define FLAMETTY_ANALYSIS_VIEW_TRANSFORM_H

#include "analysis/view.h"

#include <stdbool.h>

/* Arrays of parents and frames with parents first; node 0 is the root. A draft may have several
 * nodes for one call path, of several lanes or of what a transform brought together. */
struct draft {
	uint32_t *parent;
	frame_id *frame;
	uint32_t n;
	bool is_lane; /* the tree of the only lane, which has the arrays */
};

/* Where a node of the old tree goes: itself, for its children, and its own time. */
struct step {
	uint32_t *node;
	uint32_t *time;
};

/* A child of `parent`, in arrays with room for it. */
static inline uint32_t draft_child(struct draft *d, uint32_t parent, frame_id frame)
{
	d->parent[d->n] = parent;
	d->frame[d->n] = frame;
	return d->n++;
}

/* Whether a category is a state that V8 was in, not code that ran: the innermost of a stack is what
 * its time went to, a collection that stands on idle time is none of it. */
static inline bool category_is_state(enum category category)
{
	return category == CATEGORY_IDLE || category == CATEGORY_PROGRAM || category == CATEGORY_GC;
}

/* Whether a frame of the view so far matches. */
bool view_transform_matches(const struct view *view, const struct transform *transform,
			    frame_id frame);

/* All transforms but TRANSFORM_FOLD: fill `step` for each node of `in`, and `out`, which has room
 * for as many and is empty but for its root. view_transform_keeps_tree(): `out` is not touched,
 * nodes stay what they are. */
void view_transform_apply(const struct view *view, const struct transform *transform,
			  const struct draft *in, struct draft *out, struct step *step);
bool view_transform_keeps_tree(const struct transform *transform);

/* to[node] takes the place of a node's frame, the root's stays; those in a row that became the
 * same, or what is there already, are one. */
void view_transform_replace(const frame_id *to, const struct draft *in, struct draft *out,
			    struct step *step);

#endif
