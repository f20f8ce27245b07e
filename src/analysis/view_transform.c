/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Each transform is one pass from the root down: a node of the old tree knows the node of the new
 * tree that its parent became. */
#include "config.h"

#include "analysis/view_transform.h"

#include "base/alloc.h"

#include <stdlib.h>

/* ---- what matches ---- */

bool view_transform_matches(const struct view *v, const struct transform *t, frame_id id)
{
	const struct frame *f = &v->frames[id];

	if (id == FRAME_NONE)
		return false;
	switch (t->by) {
	case BY_FUNCTION:
		return id == t->id;
	case BY_FILE:
		return f->url == t->id;
	case BY_PACKAGE:
		return f->package == t->id;
	case BY_CATEGORY:
		return f->category == (enum category)t->id;
	case BY_ANY_PACKAGE:
		return f->package != 0;
	case BY_SET:
		return id < v->profile->frames.n && t->set[id];
	case BY_ALL:
		return true;
	case BY_PATH:
		return false;
	}
	return false;
}

static uint8_t *match_frames(const struct view *v, const struct transform *t)
{
	uint8_t *is = xcalloc(v->n_frames, 1);

	for (frame_id f = 1; f < v->n_frames; f++)
		is[f] = view_transform_matches(v, t, f);
	return is;
}

/* By node: 1 at the end of the path. */
static uint8_t *match_path(const struct draft *d, const struct transform *t)
{
	uint32_t *n_same = xcalloc(d->n, sizeof *n_same); /* number of frames from the root on that
							     equal those of the path */
	uint8_t *is = xcalloc(d->n, 1);

	for (uint32_t i = 1; i < d->n; i++) {
		uint32_t above = d->parent[i], k = n_same[above];

		if ((above == 0 || k > 0) && k < t->n_path && d->frame[i] == t->path[k]) {
			n_same[i] = k + 1;
			is[i] = k + 1 == t->n_path;
		}
	}
	free(n_same);
	return is;
}

/* ---- the transforms ---- */

static void focus(const struct view *v, const struct transform *t, const struct draft *in,
		  struct draft *out, struct step *step)
{
	uint8_t *is = t->by == BY_PATH ? match_path(in, t) : match_frames(v, t);

	step->node[0] = step->time[0] = VIEW_DROPPED;
	for (uint32_t i = 1; i < in->n; i++) {
		uint32_t above = step->node[in->parent[i]];
		bool begins = is[t->by == BY_PATH ? i : in->frame[i]];

		step->node[i] = above != VIEW_DROPPED ? draft_child(out, above, in->frame[i])
			: begins                      ? draft_child(out, 0, in->frame[i])
						      : VIEW_DROPPED;
		step->time[i] = step->node[i];
	}
	free(is);
}

/* KEEP and DROP: the tree stays; the time on one side of the match is dropped. */
static void keep_or_drop(const struct view *v, const struct transform *t, const struct draft *in,
			 struct step *step)
{
	uint8_t *is = match_frames(v, t), *inside = xcalloc(in->n, 1);
	bool is_state = t->by == BY_CATEGORY && category_is_state((enum category)t->id);

	step->node[0] = 0;
	step->time[0] = t->kind == TRANSFORM_KEEP ? VIEW_DROPPED : 0;
	for (uint32_t i = 1; i < in->n; i++) {
		frame_id f = in->frame[i];
		bool is_other = is_state && f != FRAME_NONE &&
			category_is_state(v->frames[f].category);

		inside[i] = (is_other ? 0 : inside[in->parent[i]]) | is[f];
		step->node[i] = i;
		step->time[i] = inside[i] == (t->kind == TRANSFORM_KEEP) ? step->node[i]
									 : VIEW_DROPPED;
	}
	free(is);
	free(inside);
}

static void merge(const struct view *v, const struct transform *t, const struct draft *in,
		  struct draft *out, struct step *step)
{
	uint8_t *is = match_frames(v, t);

	step->node[0] = step->time[0] = 0;
	for (uint32_t i = 1; i < in->n; i++) {
		uint32_t above = step->node[in->parent[i]];

		step->node[i] = is[in->frame[i]] ? above : draft_child(out, above, in->frame[i]);
		/* Without a caller, no node can take its time. */
		step->time[i] = is[in->frame[i]] && above == 0 ? VIEW_DROPPED : step->node[i];
	}
	free(is);
}

static void collapse(const struct view *v, const struct transform *t, const struct draft *in,
		     struct draft *out, struct step *step)
{
	uint8_t *is = match_frames(v, t), *inside = xcalloc(in->n, 1);

	step->node[0] = step->time[0] = 0;
	for (uint32_t i = 1; i < in->n; i++) {
		uint32_t above = step->node[in->parent[i]];

		inside[i] = inside[in->parent[i]] | is[in->frame[i]];
		step->time[i] = step->node[i] = inside[in->parent[i]]
			? above
			: draft_child(out, above, in->frame[i]);
	}
	free(is);
	free(inside);
}

/* The children of each node as lists, for a walk through a draft in preorder. */
struct kids {
	uint32_t *first, *next; /* 0: none */
};

static void kids_init(struct kids *k, const struct draft *d)
{
	k->first = xcalloc(d->n, sizeof *k->first);
	k->next = xmalloc((size_t)d->n * sizeof *k->next);
	for (uint32_t i = d->n; i-- > 1;) {
		k->next[i] = k->first[d->parent[i]];
		k->first[d->parent[i]] = i;
	}
}

static void kids_done(struct kids *k)
{
	free(k->first);
	free(k->next);
}

/* The path from the root of the new tree to the node that corresponds to the walk's position in the
 * old tree. A function is on the path at most once, so its last row, if that is still part of the
 * path, identifies it. Stepping back restores the former state: each step changes one entry of each
 * array. */
struct way {
	uint32_t *node; /* by row, the root's is 0 */
	uint32_t *row;  /* by frame: its last row */
	struct way_step {
		uint32_t n, node, row;
	} * back;   /* by node of the old tree: the state before it */
	uint32_t n; /* rows */
};

/* A function that runs inside itself, directly or not, is the outer one. */
static void enter(struct way *way, uint32_t i, frame_id f, bool is_match, struct draft *out,
		  struct step *step)
{
	uint32_t row = way->row[f], n = way->n;

	way->back[i] = (struct way_step){ n, 0, row };
	if (is_match && row && row <= n && out->frame[way->node[row]] == f) {
		way->n = row;
	} else {
		uint32_t node = draft_child(out, way->node[n], f);

		way->n = way->row[f] = n + 1;
		way->back[i].node = way->node[n + 1];
		way->node[n + 1] = node;
	}
	step->time[i] = step->node[i] = way->node[way->n];
}

static void leave(struct way *way, uint32_t i, frame_id f)
{
	struct way_step back = way->back[i];

	/* After a step back to an outer row, the row after it is free. */
	if (way->n == back.n + 1)
		way->node[way->n] = back.node;
	way->row[f] = back.row;
	way->n = back.n;
}

static void recursion(const struct view *v, const struct transform *t, const struct draft *in,
		      struct draft *out, struct step *step)
{
	uint8_t *is = match_frames(v, t);
	struct way way = { xcalloc((size_t)in->n + 1, sizeof *way.node),
			   xcalloc(v->n_frames, sizeof *way.row),
			   xmalloc((size_t)in->n * sizeof *way.back), 0 };
	struct kids kids;
	uint32_t at;

	kids_init(&kids, in);
	step->node[0] = step->time[0] = 0;
	at = kids.first[0];
	while (at) {
		enter(&way, at, in->frame[at], is[in->frame[at]], out, step);
		if (kids.first[at]) {
			at = kids.first[at];
			continue;
		}
		for (; at && !kids.next[at]; at = in->parent[at])
			leave(&way, at, in->frame[at]);
		if (at) {
			leave(&way, at, in->frame[at]);
			at = kids.next[at];
		}
	}
	kids_done(&kids);
	free(way.node);
	free(way.row);
	free(way.back);
	free(is);
}

void view_transform_replace(const frame_id *to, const struct draft *in, struct draft *out,
			    struct step *step)
{
	step->node[0] = step->time[0] = 0;
	for (uint32_t i = 1; i < in->n; i++) {
		uint32_t caller = in->parent[i], above = step->node[caller];
		bool is_new = to[i] != in->frame[i] || to[caller] != in->frame[caller];

		step->time[i] = step->node[i] = is_new && above && out->frame[above] == to[i]
			? above
			: draft_child(out, above, to[i]);
	}
}

bool view_transform_keeps_tree(const struct transform *t)
{
	return t->kind == TRANSFORM_KEEP || t->kind == TRANSFORM_DROP;
}

void view_transform_apply(const struct view *v, const struct transform *t, const struct draft *in,
			  struct draft *out, struct step *step)
{
	switch (t->kind) {
	case TRANSFORM_FOCUS:
		focus(v, t, in, out, step);
		break;
	case TRANSFORM_KEEP:
	case TRANSFORM_DROP:
		keep_or_drop(v, t, in, step);
		break;
	case TRANSFORM_MERGE:
		merge(v, t, in, out, step);
		break;
	case TRANSFORM_COLLAPSE:
		collapse(v, t, in, out, step);
		break;
	case TRANSFORM_RECURSION:
		recursion(v, t, in, out, step);
		break;
	case TRANSFORM_FOLD:
	case TRANSFORM_COUNT:
		break;
	}
}
