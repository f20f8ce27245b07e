/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Trees under construction: what view.c and the passes of view_transform.c share. */
#ifndef FLAMETTY_ANALYSE_VIEW_VIEW_TRANSFORM_H
#define FLAMETTY_ANALYSE_VIEW_VIEW_TRANSFORM_H

#include "analyse/view/view.h"
#include "base/budget.h"

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

/* One pass over a draft: a transform, or the replacement of all frames. */
struct view_pass {
	const struct view *view; /* so far */
	const struct transform *transform;
	const frame_id *to; /* by node: the new frame; NULL: the pass applies the transform, which
			       is not TRANSFORM_FOLD */
	bool keeps_rows;    /* with `to`: a call in one of the same frame stays a row */
	const struct draft *in;
	struct draft *out; /* empty except for its root, with room for as many nodes */
	struct step step;  /* filled for each node of `in` */
	/* The rest belongs to view_transform.c; zeroed at first. */
	struct phases phases, matching;
	uint8_t *is;     /* what matches: by frame, */
	bool is_by_node; /* or by node: for a path, and for event categories */
	struct view_cats *cats;
	uint8_t *inside;  /* by node: inside of a match */
	uint32_t *n_same; /* by node: number of frames from the root on that equal those of the path
			   */
	uint32_t *first_kid, *next_kid; /* by node; 0: none */
	struct view_way *way;
	uint32_t at; /* of a walk in preorder; 0: it ends */
};

/* Go on with the pass; returns whether it is complete. With `to`, adjacent nodes that get the same
 * frame become one, unless rows are kept; the frame of the root stays. If
 * view_transform_keeps_tree(), `out` is not used and nodes stay the same. */
bool view_transform_work(struct view_pass *pass, struct budget *budget);

/* Free what view_transform_work() has allocated. */
void view_transform_end(struct view_pass *pass);
bool view_transform_keeps_tree(const struct transform *transform);

/* A place in the nodes of all sources. A zeroed struct: the first one. */
struct view_place {
	uint32_t source;
	size_t node;
};

/* Do the nodes [from, end) of a source. */
typedef void view_nodes(void *ctx, uint32_t source, size_t from, size_t end);

/* Call `nodes` for the nodes of all sources from *place on. Returns whether it is complete; then
 * the place is the first one again. */
bool view_transform_sources(const struct view *view, struct view_place *place, view_nodes *nodes,
			    void *ctx, struct budget *budget);

/* ---- view frames ----
 *
 * The frames that a view makes: those that stand for files, packages, categories, names and lanes.
 * For view.c. */

struct view_frames;

/* Begin to find the new frame of each node of a draft: of all nodes by `group`, which is not
 * GROUP_FUNCTION, or (fold) only of those whose frames match that transform. files: as in struct
 * view_plan. New frames are added to the view. Call view_frames_work() until it returns true, then
 * end, which returns the frames by node; the caller frees them. Ended earlier, it returns NULL. */
struct view_frames *view_frames_begin(struct view *view, const struct draft *draft,
				      const struct transform *fold, enum view_group group,
				      const str_id *files);
bool view_frames_work(struct view_frames *frames, struct budget *budget);
frame_id *view_frames_end(struct view_frames *frames);

/* Whether `made`, which stands for a file, package, category or name, stands for frame `f` of the
 * profile. */
bool view_frames_has(const struct profile *profile, enum view_group group, const struct frame *made,
		     const struct frame *f);

#endif
