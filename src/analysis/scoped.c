/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A view of all lanes gives the frames; each lane gets the part of its tree that its samples need.
 * 1. Samples keep their number and times, so that a range means the same in both profiles.
 * 2. The leaf of a dropped sample is the root. */
#include "config.h"

#include "analysis/scoped.h"

#include "base/alloc.h"
#include "model/blocks.h"
#include "model/lane_name.h"

#include <stdlib.h>
#include <string.h>

static bool has_calls(const struct lane *lane)
{
	return lane->kind == LANE_SAMPLES || lane->kind == LANE_SLICES;
}

/* ---- one lane ---- */

/* The nodes of the view that the samples of a lane need, as a set and as a list, with their
 * callers. One set serves all lanes, one after the other: between them it is empty, so that many
 * small lanes do not cost a pass over the whole view each. */
struct needed {
	const struct view *v;
	uint8_t *is_in;  /* by node of the view */
	node_id *number; /* by node of the view, for those in the set: their place in the list */
	node_id *list;
	uint32_t n;
};

static void needed_init(struct needed *set, const struct view *v)
{
	size_t n = v->tree ? v->tree->n : 0;

	*set = (struct needed){ .v = v,
				.is_in = xcalloc(n, 1),
				.number = xmalloc(n * sizeof *set->number),
				.list = xmalloc(n * sizeof *set->list) };
}

static void needed_done(struct needed *set)
{
	free(set->is_in);
	free(set->number);
	free(set->list);
}

static void needed_add(struct needed *set, node_id node)
{
	for (; !set->is_in[node]; node = set->v->tree->parent[node]) {
		set->is_in[node] = 1;
		set->list[set->n++] = node;
	}
}

static void needed_clear(struct needed *set)
{
	for (uint32_t i = 0; i < set->n; i++)
		set->is_in[set->list[i]] = 0;
	set->n = 0;
}

static int by_node(const void *a, const void *b)
{
	node_id x = *(const node_id *)a, y = *(const node_id *)b;

	return x < y ? -1 : x > y;
}

/* Sort the list, and number its nodes. */
static void needed_number(struct needed *set)
{
	uint32_t all = set->v->tree->n;

	if (set->n < all / 16) {
		qsort(set->list, set->n, sizeof *set->list, by_node);
	} else {
		set->n = 0;
		for (node_id i = 0; i < all; i++)
			if (set->is_in[i])
				set->list[set->n++] = i;
	}
	for (uint32_t i = 0; i < set->n; i++)
		set->number[set->list[i]] = i;
}

/* Make a tree of the view's nodes that the samples of a source need; leaves become nodes of this
 * tree. `set` is empty, before and after. */
static void take_tree(const struct view *v, uint32_t source, struct needed *set, struct lane *to)
{
	const struct lane *from = v->sources[source].lane;
	const struct calltree *all = v->tree;
	node_id *parent, *order;
	frame_id *frame;

	needed_add(set, NODE_ROOT);
	for (size_t i = 0; i < from->samples.n; i++) {
		node_id leaf = view_node(v, source, from->samples.leaf[i]);

		to->samples.leaf[i] = leaf == VIEW_DROPPED ? NODE_ROOT : leaf;
		needed_add(set, to->samples.leaf[i]);
	}
	needed_number(set);
	parent = xmalloc(set->n * sizeof *parent);
	frame = xmalloc(set->n * sizeof *frame);
	order = xmalloc(set->n * sizeof *order);
	for (uint32_t i = 0; i < set->n; i++) {
		parent[i] = set->number[all->parent[set->list[i]]];
		frame[i] = all->frame[set->list[i]];
	}
	calltree_build(&to->tree, set->n, parent, frame, order);
	for (size_t i = 0; i < to->samples.n; i++)
		to->samples.leaf[i] = order[set->number[to->samples.leaf[i]]];
	needed_clear(set);
	free(parent);
	free(frame);
	free(order);
}

/* Slices of a trace count even without time. */
static void count_spans(struct lane *lane)
{
	const struct samples *s = &lane->samples;

	for (size_t i = 0; i < s->n; i++) {
		unsigned rows = lane->tree.rows[s->leaf[i]];

		if (rows > (unsigned)lane->max_depth)
			lane->max_depth = (int)rows;
		lane->n_spans += rows - (i ? s->shared[i - 1] : 0u);
	}
}

static void count_times(struct lane *lane)
{
	const struct samples *s = &lane->samples;
	int64_t root_ns = 0;

	for (size_t i = 0; i < s->n; i++)
		if (s->leaf[i] == NODE_ROOT)
			root_ns += s->t[i + 1] - s->t[i];
	lane->busy_ns = s->n ? s->t[s->n] - s->t[0] - root_ns : 0;
	lane->unsampled_ns = lane->t1 - lane->t0 - lane->busy_ns;
}

/* Slices with the same name may touch; very deep nodes may have been merged. */
static uint16_t shared_rows(const struct view *v, uint32_t source, const struct lane *lane,
			    size_t i)
{
	const struct samples *s = &lane->samples;
	unsigned shared, most;

	if (i + 1 == s->n)
		return 0;
	shared = view_shared(v, source, i);
	most = lane->tree.rows[calltree_common(&lane->tree, s->leaf[i], s->leaf[i + 1])];
	return (uint16_t)(shared < most ? shared : most);
}

/* Give `lane`, so far a copy of the source's lane, its own tree and samples. */
static void transform_lane(const struct view *v, uint32_t source, struct needed *set,
			   struct lane *lane)
{
	const struct samples *from = &v->sources[source].lane->samples;
	struct samples *s = &lane->samples;

	lane->hits = NULL;
	lane->deopt = NULL;
	lane->ticks = NULL;
	lane->n_ticks = 0;
	lane->slices = (struct slices){ 0 };
	lane->n_spans = 0;
	lane->max_depth = lane->n_rows = 0;
	*s = (struct samples){ .n = from->n, .t = from->t };
	s->leaf = xmalloc(s->n * sizeof *s->leaf);
	take_tree(v, source, set, lane);
	lane->busy_ns = lane->idle_ns = lane->program_ns = lane->gc_ns = 0;
	/* Samples nest by their stacks alone; a dropped sample is the root, which shares nothing.
	 */
	if (lane->kind == LANE_SAMPLES) {
		lane_link(lane, v->frames);
	} else {
		s->shared = xmalloc(s->n * sizeof *s->shared);
		for (size_t i = 0; i < s->n; i++)
			s->shared[i] = shared_rows(v, source, lane, i);
		count_spans(lane);
		count_times(lane);
		samples_index(s, &lane->tree, NULL);
		s->blocks = blocks_build(s, lane->tree.n);
	}
}

/* ---- the profile ---- */

/* Take the flow points of lanes that are in scope and unchanged. */
static void take_flows(struct scoped *sc)
{
	const struct profile *p = sc->original;
	uint32_t *lane_here = xmalloc(p->n_lanes * sizeof *lane_here),
		 *point_here = xmalloc(p->n_flows * sizeof *point_here);
	size_t n = 0;

	memset(lane_here, 0xFF, p->n_lanes * sizeof *lane_here);
	for (uint32_t i = 0; i < sc->own.n_lanes; i++)
		if (!sc->is_own[i])
			lane_here[sc->from[i]] = i;
	sc->own.flows = xmalloc(p->n_flows * sizeof *sc->own.flows);
	sc->own.flows_by_lane = xmalloc(p->n_flows * sizeof *sc->own.flows_by_lane);
	for (size_t i = 0; i < p->n_flows; i++) {
		uint32_t here = lane_here[p->flows[i].lane];

		point_here[i] = here == UINT32_MAX ? UINT32_MAX : (uint32_t)n;
		if (here == UINT32_MAX)
			continue;
		sc->own.flows[n] = p->flows[i];
		sc->own.flows[n++].lane = here;
	}
	sc->own.n_flows = n;
	n = 0;
	for (size_t i = 0; i < p->n_flows; i++)
		if (point_here[p->flows_by_lane[i]] != UINT32_MAX)
			sc->own.flows_by_lane[n++] = point_here[p->flows_by_lane[i]];
	free(lane_here);
	free(point_here);
}

static void take_lanes(struct scoped *sc, const struct scope *scope)
{
	const struct profile *p = sc->original;
	uint32_t source = 0;
	struct needed set;

	needed_init(&set, &sc->view);
	for (uint32_t i = 0; i < p->n_lanes; i++) {
		struct lane *lane = &sc->own.lanes[sc->own.n_lanes];

		if (scope->is_lane && !scope->is_lane[i])
			continue;
		*lane = p->lanes[i];
		if (sc->view.tree && has_calls(lane) && lane->tree.n) {
			transform_lane(&sc->view, source++, &set, lane);
			sc->is_own[sc->own.n_lanes] = 1;
		}
		sc->from[sc->own.n_lanes++] = i;
	}
	needed_done(&set);
	lane_name_prepare(sc->own.lanes, sc->own.n_lanes);
}

void scoped_init(struct scoped *sc, const struct profile *original, const struct scope *scope)
{
	*sc = (struct scoped){ .profile = original, .original = original };
	if (scope_is_plain(scope))
		return;
	sc->own = *original;
	sc->profile = &sc->own;
	sc->own.n_lanes = 0;
	sc->own.lanes = xcalloc(original->n_lanes, sizeof *sc->own.lanes);
	sc->from = xcalloc(original->n_lanes, sizeof *sc->from);
	sc->is_own = xcalloc(original->n_lanes, 1);
	if (scope->n_transforms > 0 || scope->group != GROUP_FUNCTION) {
		scope_view(scope, original, &sc->view);
		sc->own.frames.frames = (struct frame *)sc->view.frames;
		sc->own.frames.n = sc->view.n_frames;
	}
	take_lanes(sc, scope);
	take_flows(sc);
}

void scoped_done(struct scoped *sc)
{
	for (uint32_t i = 0; sc->from && i < sc->own.n_lanes; i++) {
		struct lane *lane = &sc->own.lanes[i];

		if (!sc->is_own[i])
			continue;
		lane->samples.t = NULL;
		lane->series = NULL;
		lane->n_series = 0;
		lane_done(lane);
	}
	if (sc->from) {
		free(sc->own.lanes);
		free(sc->own.flows);
		free(sc->own.flows_by_lane);
		view_done(&sc->view);
	}
	free(sc->from);
	free(sc->is_own);
	*sc = (struct scoped){ 0 };
}

const struct lane *scoped_original(const struct scoped *sc, const struct lane *lane)
{
	size_t at = (size_t)(lane - sc->profile->lanes);

	return sc->from ? &sc->original->lanes[sc->from[at]] : lane;
}

/* ---- what was dropped ---- */

static void add_root(void *ctx, node_id leaf, int64_t ns)
{
	*(int64_t *)ctx += leaf == NODE_ROOT ? ns : 0;
}

static void add_roots(void *ctx, const node_id *leaf, const uint32_t *ns, size_t n)
{
	for (size_t i = 0; i < n; i++)
		add_root(ctx, leaf[i], ns[i]);
}

static int64_t root_time(const struct lane *lane, int64_t t0, int64_t t1)
{
	int64_t ns = 0;

	blocks_each(&lane->samples, t0, t1, &(struct blocks_visitor){ &ns, add_roots, add_root });
	return ns;
}

int64_t scoped_dropped(const struct scoped *sc, const struct lane *lane, int64_t t0, int64_t t1)
{
	if (!sc->from || !sc->is_own[lane - sc->profile->lanes])
		return 0;
	return root_time(lane, t0, t1) - root_time(scoped_original(sc, lane), t0, t1);
}
