/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Trees under construction: what view.c and the passes of view_transform.c share. */
#ifndef FLAMETTY_ANALYSE_VIEW_VIEW_TRANSFORM_H
#define FLAMETTY_ANALYSE_VIEW_VIEW_TRANSFORM_H

#include "analyse/view/view.h"

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

/* Whether nodes stay the same. */
static inline bool transform_keeps_tree(const struct transform *t)
{
	return t->kind == TRANSFORM_KEEP || t->kind == TRANSFORM_DROP;
}

/* A pass over a draft: a transform of the plan, or (NULL) its group, which is not GROUP_FUNCTION.
 * out: empty except for its root, with room for as many nodes; not used if transform_keeps_tree().
 * step: filled for each node of `in`. New frames are added to the view.
 *
 * Begin, call view_pass_work() until it returns true, then end. What is passed must stay. */
struct view_pass *view_pass_begin(struct view *view, const struct view_plan *plan,
				  const struct transform *transform, const struct draft *in,
				  struct draft *out, struct step step);
bool view_pass_work(struct view_pass *pass, struct budget *budget);
void view_pass_end(struct view_pass *pass);

/* Whether `made`, which stands for a file, package, category or name, stands for frame `f` of the
 * profile. */
bool view_frames_has(const struct profile *profile, enum view_group group, const struct frame *made,
		     const struct frame *f);

#endif
