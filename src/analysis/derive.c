/* SPDX-License-Identifier: GPL-2.0-or-later */
/* One view a lane; the samples of the lane go over to its tree. */
#include "config.h"

#include "analysis/derive.h"

#include "base/alloc.h"
#include "model/blocks.h"

#include <stdlib.h>
#include <string.h>

/* What nests by samples alone loses the border between two slices of one name that touch:
 * it is put back where the lane had one. */
static void keep_borders(const struct lane *from, const node_id *map, struct lane *to)
{
	struct samples *s = &to->samples;

	for (size_t i = 0; i + 1 < s->n; i++) {
		node_id a = from->samples.leaf[i], b = from->samples.leaf[i + 1], below;
		unsigned rows = from->tree.rows[a == b ? a : calltree_common(&from->tree, a, b)];

		if (from->samples.shared[i] >= rows)
			continue;
		below = map[calltree_ancestor(&from->tree, a, from->samples.shared[i])];
		rows = below == VIEW_DROPPED ? 0 : to->tree.rows[below];
		if (s->shared[i] > rows)
			s->shared[i] = (uint16_t)rows;
	}
}

/* Spans that begin, counted anew where borders were put back. */
static void count_spans(struct lane *lane)
{
	const struct samples *s = &lane->samples;

	lane->n_spans = 0;
	for (size_t i = 0; i < s->n; i++)
		lane->n_spans += lane->tree.rows[s->leaf[i]] - (i ? s->shared[i - 1] : 0u);
}

static void derive_samples(const struct lane *from, const node_id *map, struct lane *to)
{
	const struct samples *s = &from->samples;
	struct samples *d = &to->samples;

	*d = (struct samples){ .n = s->n, .t = s->t, .has_foreign_t = true };
	d->leaf = xmalloc(s->n * sizeof *d->leaf);
	for (size_t i = 0; i < s->n; i++)
		d->leaf[i] = map[s->leaf[i]] == VIEW_DROPPED ? NODE_ROOT : map[s->leaf[i]];
}

static void derive_lane(struct view *view, const struct lane *from, struct lane *to, const struct frame *frames)
{
	const node_id *map = view->sources[0].map;

	/* Only what the lane is, not what is in it. */
	*to = (struct lane){
		.id = from->id, .kind = from->kind, .input = from->input, .pid = from->pid, .tid = from->tid,
		.process_name = from->process_name, .thread_name = from->thread_name, .title = from->title,
		.is_joined = from->is_joined, .is_folded = from->is_folded, .has_timeline = from->has_timeline,
		.t0 = from->t0, .t1 = from->t1, .n_file_nodes = from->n_file_nodes,
		.sampled_t0 = from->sampled_t0, .sampled_t1 = from->sampled_t1, .interval_ns = from->interval_ns,
	};
	/* A transform that only drops time leaves the tree to the lane that has it. */
	if (view->tree == &view->own_tree) {
		to->tree = view->own_tree;
		view->own_tree = (struct calltree){ 0 };
	} else {
		calltree_copy(&to->tree, view->tree);
	}
	derive_samples(from, map, to);
	lane_link(to, frames);
	if (from->kind != LANE_SAMPLES) {
		keep_borders(from, view->sources[0].place ? view->sources[0].place : map, to);
		count_spans(to);
	}
	samples_index(&to->samples);
	to->samples.blocks = blocks_build(&to->samples, to->tree.n);
}

static struct series *copy_series(const struct lane *from)
{
	struct series *copy = xcalloc(from->n_series, sizeof *copy);

	for (uint32_t i = 0; i < from->n_series; i++) {
		const struct series *s = &from->series[i];

		copy[i] = (struct series){ .name = s->name, .n = s->n, .least = s->least, .most = s->most };
		copy[i].t = xmalloc(s->n * sizeof *s->t);
		copy[i].value = xmalloc(s->n * sizeof *s->value);
		memcpy(copy[i].t, s->t, s->n * sizeof *s->t);
		memcpy(copy[i].value, s->value, s->n * sizeof *s->value);
		series_index(&copy[i]);
	}
	return copy;
}

struct profile *profile_derive(const struct profile *base, const struct transform *transforms, size_t n, enum view_group group)
{
	struct profile *p = xcalloc(1, sizeof *p);
	struct view view;

	*p = *base;
	p->is_borrower = true;
	p->flows = NULL;
	p->flows_by_lane = NULL;
	p->n_flows = 0;
	p->stack_frames = NULL;
	p->n_stack_frames = 0;
	p->lanes = xcalloc(base->n_lanes, sizeof *p->lanes);
	p->cap_lanes = base->n_lanes;
	p->frames = (struct frame_table){ .n = base->frames.n };
	p->frames.frames = xmalloc((size_t)base->frames.n * sizeof *p->frames.frames);
	memcpy(p->frames.frames, base->frames.frames, (size_t)base->frames.n * sizeof *p->frames.frames);
	for (uint32_t i = 0; i < base->n_lanes; i++) {
		const struct lane *from = &base->lanes[i];

		if (from->tree.n == 0) {
			p->lanes[i] = *from;
			p->lanes[i].series = copy_series(from);
			continue;
		}
		view_init_own(&view, base, &from, 1, transforms, n, group);
		/* All views make the same frames of the same functions, in the same order. */
		if (view.own_frames && view.n_frames > p->frames.n) {
			free(p->frames.frames);
			p->frames.frames = view.own_frames;
			p->frames.n = view.n_frames;
			view.own_frames = NULL;
		}
		derive_lane(&view, from, &p->lanes[i], p->frames.frames);
		view_done(&view);
	}
	return p;
}
