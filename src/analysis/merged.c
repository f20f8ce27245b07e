/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A merged lane is made from a tree with self times: a walk that takes the heaviest child first
 * gives the order of the nodes, and the self time of each node becomes a sample after those of its
 * children. */
#include "config.h"

#include "analysis/merged.h"

#include "base/alloc.h"
#include "model/blocks.h"
#include "model/node_map.h"

#include <stdlib.h>
#include <string.h>

/* A tree with times. */
struct heavy {
	struct node_map map;
	int64_t *self, *total; /* by node */
	size_t cap_self;
};

static uint32_t child(struct heavy *h, uint32_t parent, frame_id frame)
{
	struct hash_probe probe;
	uint32_t node;

	if (h->map.n == 0) {
		node_map_init(&h->map);
		h->self = xgrow(NULL, &h->cap_self, h->map.cap, sizeof *h->self);
		h->self[0] = 0;
	}
	node = node_map_find(&h->map, parent, frame, &probe);
	if (node)
		return node;
	node = node_map_add(&h->map, parent, frame, &probe);
	h->self = xgrow(h->self, &h->cap_self, h->map.n, sizeof *h->self);
	h->self[node] = 0;
	return node;
}

static void heavy_done(struct heavy *h)
{
	node_map_done(&h->map);
	free(h->self);
	free(h->total);
}

static void add_totals(struct heavy *h)
{
	h->total = xmalloc(((size_t)h->map.n + 1) * sizeof *h->total);
	memcpy(h->total, h->self, (size_t)h->map.n * sizeof *h->total);
	for (uint32_t i = h->map.n; i-- > 1;)
		h->total[h->map.parent[i]] += h->total[i];
}

/* ---- in the order of weight ---- */

struct item {
	uint32_t parent, node;
	int64_t total;
};

/* Heaviest first; items of equal weight stay in the order of the tree. */
static int by_weight(const void *a, const void *b)
{
	const struct item *x = a, *y = b;

	if (x->parent != y->parent)
		return x->parent < y->parent ? -1 : 1;
	if (x->total != y->total)
		return x->total > y->total ? -1 : 1;
	return x->node < y->node ? -1 : x->node > y->node;
}

struct walk {
	const struct heavy *h;
	struct item *items; /* the children of each node are adjacent, heaviest first */
	size_t n_items;
	size_t *first; /* by node: its children in items */
	struct lane *lane;
	uint32_t *parent; /* the lane's tree, in the order of the walk */
	frame_id *frame;
	uint32_t n;
	int64_t now;
};

static void sort_children(struct walk *w)
{
	const struct heavy *h = w->h;
	size_t k = 0;

	w->items = xmalloc((size_t)h->map.n * sizeof *w->items);
	w->first = xcalloc((size_t)h->map.n + 1, sizeof *w->first);
	for (uint32_t i = 1; i < h->map.n; i++)
		if (h->total[i] > 0)
			w->items[w->n_items++] = (struct item){ h->map.parent[i], i, h->total[i] };
	qsort(w->items, w->n_items, sizeof *w->items, by_weight);
	for (uint32_t i = 0; i <= h->map.n; i++) {
		while (k < w->n_items && w->items[k].parent < i)
			k++;
		w->first[i] = k;
	}
}

static void emit(struct walk *w, uint32_t as, int64_t ns)
{
	struct samples *s = &w->lane->samples;

	if (ns <= 0)
		return;
	s->leaf[s->n] = as;
	s->t[s->n++] = w->now;
	w->now += ns;
}

/* Depth first without recursion: trees may be 65 000 levels deep. */
static void walk_all(struct walk *w)
{
	const struct heavy *h = w->h;
	struct {
		uint32_t node, as;
		size_t next;
	} *stack = xmalloc(((size_t)h->map.n + 1) * sizeof *stack);
	size_t n = 0;

	stack[n].node = 0;
	stack[n].as = w->n++;
	stack[n++].next = w->first[0];
	while (n) {
		size_t at = stack[n - 1].next++;

		if (at < w->first[stack[n - 1].node + 1]) {
			uint32_t node = w->items[at].node;

			w->parent[w->n] = stack[n - 1].as;
			w->frame[w->n] = h->map.frame[node];
			stack[n].node = node;
			stack[n].as = w->n++;
			stack[n].next = w->first[node];
			n++;
		} else {
			n--;
			if (n)
				emit(w, stack[n].as, h->self[stack[n].node]);
		}
	}
	free(stack);
}

/* Build the lane of a tree with times. */
static void build_lane(const struct heavy *h, struct lane *lane, const struct frame *frames)
{
	struct walk w = { .h = h, .lane = lane };
	struct samples *s = &lane->samples;
	node_id *order = xmalloc(((size_t)h->map.n + 1) * sizeof *order);

	sort_children(&w);
	w.parent = xcalloc(h->map.n, sizeof *w.parent);
	w.frame = xcalloc(h->map.n, sizeof *w.frame);
	s->t = xmalloc(((size_t)h->map.n + 1) * sizeof *s->t);
	s->leaf = xmalloc(((size_t)h->map.n + 1) * sizeof *s->leaf);
	walk_all(&w);
	s->t[s->n] = w.now;
	calltree_build(&lane->tree, w.n, w.parent, w.frame, order);
	for (size_t i = 0; i < s->n; i++)
		s->leaf[i] = order[s->leaf[i]];
	lane->t1 = lane->sampled_t1 = w.now;
	lane_link(lane, frames);
	free(order);
	free(w.items);
	free(w.first);
	free(w.parent);
	free(w.frame);
}

/* A profile of n lanes that borrows from the view's profile. */
static struct profile *new_profile(const struct view *view, uint32_t n)
{
	struct profile *p = xcalloc(1, sizeof *p);

	*p = *view->profile;
	p->is_borrower = true;
	p->flows = NULL;
	p->flows_by_lane = NULL;
	p->n_flows = 0;
	p->stack_frames = NULL;
	p->n_stack_frames = 0;
	p->frames = (struct frame_table){ .n = view->n_frames };
	p->frames.frames = xmalloc((size_t)view->n_frames * sizeof *p->frames.frames);
	memcpy(p->frames.frames, view->frames, (size_t)view->n_frames * sizeof *p->frames.frames);
	p->lanes = xcalloc(n, sizeof *p->lanes);
	p->n_lanes = n;
	p->origin_ns = 0;
	p->t1 = 0;
	for (uint32_t i = 0; i < n; i++)
		p->lanes[i] = (struct lane){ .id = i + 1,
					     .kind = LANE_SAMPLES,
					     .pid = -1,
					     .tid = -1,
					     .has_timeline = true,
					     .input = view->n_sources ? view->sources[0].lane->input
								      : 0 };
	return p;
}

static void finish_profile(struct profile *p)
{
	for (uint32_t i = 0; i < p->n_lanes; i++)
		if (p->lanes[i].t1 > p->t1)
			p->t1 = p->lanes[i].t1;
}

struct profile *merged_left_heavy(const struct totals *totals)
{
	const struct calltree *tree = totals->view->tree;
	struct heavy h = { 0 };
	struct profile *p;

	if (!tree || tree->n == 0 || totals->sampled_ns <= 0)
		return NULL;
	h.map.n = tree->n;
	h.map.parent = tree->parent;
	h.map.frame = tree->frame;
	h.self = totals->self;
	h.total = totals->total;
	p = new_profile(totals->view, 1);
	build_lane(&h, &p->lanes[0], p->frames.frames);
	finish_profile(p);
	return p;
}

/* ---- around one function ---- */

/* Add the outermost nodes of the frame, with the chain of their callers. */
static void add_callers(struct heavy *h, const struct totals *totals, frame_id frame)
{
	const struct calltree *tree = totals->view->tree;

	for (node_id i = 1; i < tree->n; i++) {
		uint32_t at = 0;

		if (tree->frame[i] != frame || !tree->is_outer[i] || totals->total[i] == 0)
			continue;
		for (node_id up = i; up != NODE_ROOT; up = tree->parent[up])
			at = child(h, at, tree->frame[up]);
		h->self[at] += totals->total[i];
	}
}

/* Add everything below the outermost nodes of the frame. */
static void add_callees(struct heavy *h, const struct totals *totals, frame_id frame)
{
	const struct calltree *tree = totals->view->tree;
	uint32_t *as = xcalloc(tree->n, sizeof *as);

	for (node_id i = 1; i < tree->n; i++) {
		uint32_t above = as[tree->parent[i]];

		if (totals->total[i] == 0 || (!above && tree->frame[i] != frame))
			continue;
		as[i] = child(h, above, tree->frame[i]);
		h->self[as[i]] += totals->self[i];
	}
	free(as);
}

struct profile *merged_sandwich(const struct totals *totals, frame_id frame)
{
	struct heavy callers = { 0 }, callees = { 0 };
	struct profile *p = NULL;

	if (!totals->view->tree || totals->view->tree->n == 0)
		return NULL;
	add_callers(&callers, totals, frame);
	add_callees(&callees, totals, frame);
	if (callers.map.n) {
		p = new_profile(totals->view, 2);
		add_totals(&callers);
		add_totals(&callees);
		build_lane(&callers, &p->lanes[0], p->frames.frames);
		build_lane(&callees, &p->lanes[1], p->frames.frames);
		finish_profile(p);
	}
	heavy_done(&callers);
	heavy_done(&callees);
	return p;
}
