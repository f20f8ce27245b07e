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

/* Where callers end: a function at the end of a chain of n callers, called by each of them, has
 * n * n / 2 callers of callers. The limit of nodes, unless the tree itself has more, is checked
 * after each level; so is that of the work, in calls that moved up a level. */
#define CALLERS_NODES 1000000u
#define CALLERS_WORK 100000000u

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

/* A call of the frame on its way up: the time of its node goes to the merged node of its outermost
 * caller. */
struct call {
	node_id now;    /* the caller that it has reached */
	uint32_t place; /* the merged node of that caller */
	int64_t ns;
};

struct calls {
	struct call *list, *spare;
	size_t n;
	uint32_t first; /* the first merged node of the level; the last one is the last of all */
};

/* The outermost nodes of the frame. */
static void find_calls(struct calls *calls, struct heavy *h, const struct totals *totals,
		       frame_id frame)
{
	const struct calltree *tree = totals->view->tree;
	size_t cap = 0;

	*calls = (struct calls){ .first = 1 };
	for (node_id i = 1; i < tree->n; i++) {
		if (tree->frame[i] != frame || !tree->is_outer[i] || totals->total[i] == 0)
			continue;
		calls->list = xgrow(calls->list, &cap, calls->n + 1, sizeof *calls->list);
		calls->list[calls->n++] = (struct call){ i, child(h, 0, frame), totals->total[i] };
	}
	calls->spare = xmalloc(calls->n * sizeof *calls->spare);
}

/* Sort the calls by their places, those of one place in the order in which they were. Then calls
 * with the same caller stand together on the next level. */
static void sort_calls(struct calls *calls, uint32_t end)
{
	uint32_t n = end - calls->first;
	size_t *start = xcalloc((size_t)n + 1, sizeof *start);
	struct call *sorted = calls->spare;

	for (size_t i = 0; i < calls->n; i++)
		start[calls->list[i].place - calls->first + 1]++;
	for (uint32_t i = 1; i < n; i++)
		start[i] += start[i - 1];
	for (size_t i = 0; i < calls->n; i++)
		sorted[start[calls->list[i].place - calls->first]++] = calls->list[i];
	calls->spare = calls->list;
	calls->list = sorted;
	free(start);
}

/* Move all calls to their callers. */
static void move_up(struct calls *calls, struct heavy *h, const struct calltree *tree)
{
	uint32_t from = 0, to = 0, first = h->map.n;
	frame_id frame = FRAME_NONE;
	bool is_sorted = true;
	size_t n = 0;

	for (size_t i = 0; i < calls->n; i++) {
		const struct call *call = &calls->list[i];
		node_id above = tree->parent[call->now];

		if (above == NODE_ROOT) {
			h->self[call->place] += call->ns;
			continue;
		}
		if (call->place != from || tree->frame[above] != frame) {
			uint32_t before = to;

			from = call->place;
			frame = tree->frame[above];
			to = child(h, from, frame);
			is_sorted &= to >= before;
		}
		calls->list[n++] = (struct call){ above, to, call->ns };
	}
	calls->n = n;
	calls->first = first;
	if (!is_sorted)
		sort_calls(calls, h->map.n);
}

/* Add the outermost nodes of the frame, with the chain of their callers, one level after the other.
 * Returns the number of levels if there are more than are added; otherwise 0. */
static uint32_t add_callers(struct heavy *h, const struct totals *totals, frame_id frame)
{
	const struct calltree *tree = totals->view->tree;
	uint32_t n_levels = 0, most = tree->n < CALLERS_NODES ? CALLERS_NODES : tree->n;
	uint64_t work = 0;
	struct calls calls;

	find_calls(&calls, h, totals, frame);
	while (calls.n && h->map.n < most && work < CALLERS_WORK) {
		work += calls.n;
		move_up(&calls, h, tree);
		n_levels++;
	}
	for (size_t i = 0; i < calls.n; i++)
		h->self[calls.list[i].place] += calls.list[i].ns;
	n_levels = calls.n ? n_levels : 0;
	free(calls.list);
	free(calls.spare);
	return n_levels;
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

struct profile *merged_sandwich(const struct totals *totals, frame_id frame, uint32_t *n_levels)
{
	struct heavy callers = { 0 }, callees = { 0 };
	struct profile *p = NULL;

	*n_levels = 0;
	if (!totals->view->tree || totals->view->tree->n == 0)
		return NULL;
	*n_levels = add_callers(&callers, totals, frame);
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
