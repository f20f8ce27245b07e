/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A merged view is a tree with times for each of its lanes; "merged lane" below makes the lanes.
 * The tree of the left heavy view is that of the totals; "merged around" below makes those of
 * callers and callees. */
#include "config.h"

#include "analyse/view/merged.h"

#include "analyse/totals.h"
#include "base/alloc.h"
#include "base/budget.h"
#include "base/sort.h"
#include "model/calltree.h"
#include "model/lane.h"

#include <stdlib.h>
#include <string.h>

/* ==== merged lane ====
 *
 * A walk that takes the heaviest child first gives the order of the nodes, and the self time of
 * each node becomes a sample after those of its children.
 *
 * The children of all nodes are one array of items. A counting sort brings the children of each
 * node together, in the order of the tree; then each stretch is sorted by weight with a stable
 * sort, so that children of equal weight stay in the order of the tree. */

#define FEW_CHILDREN 32u /* up to this number, a sort in place is faster */

/* A tree with times, by node. parent[i] < i for i > 0; node 0 is the root. */
struct merged_tree {
	uint32_t n;
	const node_id *parent;
	const frame_id *frame;
	const int64_t *self, *total; /* ns, not negative; total: NULL: not known */
	/* By node: 1 for nodes that stay although they have no time, and which have a sample of
	 * length 0 then. A node stays with its parent only. NULL: none. */
	const uint8_t *stays;
};

struct item {
	uint32_t node;
	int64_t total;
};

struct merged_lane {
	struct merged_tree tree;
	struct lane *lane;
	const struct frame *frames;
	struct phases phases;
	int64_t *total; /* by node; NULL: the tree has them */
	struct item *items;
	uint32_t *first;         /* by node: the first of its children in `items` */
	uint32_t sorted;         /* children of the nodes before this one are in order */
	struct sorting *sorting; /* of the children of this node; NULL: not begun */
	/* The walk: */
	struct open_node {
		uint32_t node, as; /* in `tree`, and in the lane's tree */
		uint32_t next;     /* its next child in `items` */
	} * stack;
	size_t depth;
	int64_t now;
	int64_t *t; /* times of the samples */
	/* The lane's tree, in the order of the walk: */
	uint32_t n;
	node_id *parent, *order;
	frame_id *frame;
	uint32_t *origin;               /* the nodes of `tree` */
	struct calltree_work *calltree; /* NULL: not begun */
	struct lane_link *link;         /* NULL: not begun */
};

/* ---- total times ---- */

static size_t begin_totals(void *ctx)
{
	struct merged_lane *w = ctx;
	size_t n = w->tree.n;

	if (w->tree.total)
		return 0;
	w->total = memcpy(xmalloc(n * sizeof *w->total), w->tree.self, n * sizeof *w->total);
	w->tree.total = w->total;
	return n - 1;
}

/* From the last node to the first, without the root. */
static void add_totals(void *ctx, size_t from, size_t end)
{
	struct merged_lane *w = ctx;

	for (size_t i = w->tree.n - from; i-- > w->tree.n - end;)
		w->total[w->tree.parent[i]] += w->total[i];
}

/* ---- the children of each node, heaviest first ---- */

static bool has_place(const struct merged_tree *tree, size_t i)
{
	return tree->total[i] > 0 || (tree->stays && tree->stays[i]);
}

static size_t begin_count(void *ctx)
{
	struct merged_lane *w = ctx;

	w->first = xcalloc((size_t)w->tree.n + 2, sizeof *w->first);
	return w->tree.n;
}

/* The number of children of node i is first[i + 2] at first, so that first[i + 1] becomes the place
 * of its next child, and in the end the place of the first child of node i + 1. */
static void count_children(void *ctx, size_t from, size_t end)
{
	struct merged_lane *w = ctx;

	for (size_t i = from ? from : 1; i < end; i++)
		w->first[w->tree.parent[i] + 2] += has_place(&w->tree, i);
}

static size_t begin_items(void *ctx)
{
	struct merged_lane *w = ctx;
	uint32_t n = w->tree.n, *first = w->first;

	for (size_t i = 1; i < (size_t)n + 2; i++)
		first[i] += first[i - 1];
	w->items = xmalloc((size_t)first[n + 1] * sizeof *w->items);
	return n;
}

static void place_children(void *ctx, size_t from, size_t end)
{
	struct merged_lane *w = ctx;
	const struct merged_tree *tree = &w->tree;

	for (size_t i = from ? from : 1; i < end; i++)
		if (has_place(tree, i))
			w->items[w->first[tree->parent[i] + 1]++] = (struct item){ (uint32_t)i,
										   tree->total[i] };
}

SORT_BEFORE(is_heavier, struct item, x->total > y->total)

/* Returns the number of comparisons. */
static uint32_t sort_few(struct item *items, uint32_t n)
{
	uint32_t work = 0;

	for (uint32_t i = 1; i < n; i++) {
		const struct item item = items[i];
		uint32_t at = i;

		for (; at > 0 && items[at - 1].total < item.total; at--)
			items[at] = items[at - 1];
		items[at] = item;
		work += i - at + 1;
	}
	return work;
}

static bool sort_children(void *ctx, struct budget *budget)
{
	struct merged_lane *w = ctx;

	while (w->sorted < w->tree.n) {
		struct item *items = w->items + w->first[w->sorted];
		uint32_t n = w->first[w->sorted + 1] - w->first[w->sorted], work = 1;

		if (n > FEW_CHILDREN) {
			if (!w->sorting)
				w->sorting = sort_begin(items, n, sizeof *items, is_heavier, NULL);
			if (!sort_step(w->sorting, budget))
				return false;
			sort_end(w->sorting);
			w->sorting = NULL;
		} else if (n > 1) {
			work += sort_few(items, n);
		}
		w->sorted++;
		if (budget_use(budget, work))
			return false;
	}
	return true;
}

/* ---- the walk ---- */

static void open_node(struct merged_lane *w, uint32_t node, uint32_t parent)
{
	w->parent[w->n] = parent;
	w->frame[w->n] = w->tree.frame[node];
	w->origin[w->n] = node;
	w->stack[w->depth++] = (struct open_node){ node, w->n++, w->first[node] };
}

/* Each node with a place is opened and closed. */
static size_t begin_walk(void *ctx)
{
	struct merged_lane *w = ctx;
	size_t n = (size_t)w->first[w->tree.n] + 1;

	w->parent = xmalloc(n * sizeof *w->parent);
	w->frame = xmalloc(n * sizeof *w->frame);
	w->order = xmalloc(n * sizeof *w->order);
	w->origin = xmalloc(n * sizeof *w->origin);
	w->stack = xmalloc(n * sizeof *w->stack);
	w->t = xmalloc((n + 1) * sizeof *w->t);
	w->lane->samples.leaf = xmalloc((n + 1) * sizeof *w->lane->samples.leaf);
	open_node(w, NODE_ROOT, 0);
	return 2 * n - 1;
}

/* Depth first without recursion: trees may be 65 000 levels deep. The root has no sample. */
static void walk(void *ctx, size_t from, size_t end)
{
	struct merged_lane *w = ctx;
	struct samples *s = &w->lane->samples;

	for (; from < end; from++) {
		const struct open_node top = w->stack[w->depth - 1];
		int64_t ns = w->tree.self[top.node];

		if (top.next < w->first[top.node + 1]) {
			w->stack[w->depth - 1].next++;
			open_node(w, w->items[top.next].node, top.as);
			continue;
		}
		if (--w->depth > 0 && (ns > 0 || (w->tree.stays && w->tree.stays[top.node]))) {
			s->leaf[s->n] = top.as;
			w->t[s->n++] = w->now;
			w->now += ns;
		}
	}
}

/* ---- the lane ---- */

static bool build_tree(void *ctx, struct budget *budget)
{
	struct merged_lane *w = ctx;

	if (!w->calltree)
		w->calltree = calltree_begin(&w->lane->tree, w->n, w->parent, w->frame, w->order);
	return calltree_work(w->calltree, budget);
}

static size_t begin_leaves(void *ctx)
{
	return ((struct merged_lane *)ctx)->lane->samples.n;
}

static void place_leaves(void *ctx, size_t from, size_t end)
{
	struct merged_lane *w = ctx;
	node_id *leaf = w->lane->samples.leaf;

	for (size_t i = from; i < end; i++)
		leaf[i] = w->order[leaf[i]];
}

static bool link_samples(void *ctx, struct budget *budget)
{
	struct merged_lane *w = ctx;
	struct lane *lane = w->lane;

	if (!w->link) {
		w->t[lane->samples.n] = w->now;
		times_pack(&lane->samples.times, w->t, lane->samples.n + 1, 0);
		w->t = NULL;
		lane->t1 = lane->sampled_t1 = w->now;
		w->link = lane_link_begin(lane, w->frames);
	}
	return lane_link_work(w->link, budget);
}

static const struct phase lane_phases[] = {
	{ begin_totals, add_totals, NULL },
	{ begin_count, count_children, NULL },
	{ begin_items, place_children, NULL },
	{ NULL, NULL, sort_children },
	{ begin_walk, walk, NULL },
	{ NULL, NULL, build_tree },
	{ begin_leaves, place_leaves, NULL },
	{ NULL, NULL, link_samples },
	{ NULL, NULL, NULL },
};

/* Begin, call merged_lane_work() until it returns true, then free; it may be freed earlier: then
 * the lane is only good for lane_done(). lane: zeroed except for its description. What the tree
 * points to, and the frames that it refers to, must stay until then. */
static struct merged_lane *merged_lane_begin(const struct merged_tree *tree, struct lane *lane,
					     const struct frame *frames)
{
	struct merged_lane *w = xmalloc(sizeof *w);

	*w = (struct merged_lane){ .tree = *tree, .lane = lane, .frames = frames };
	return w;
}

static bool merged_lane_work(struct merged_lane *w, struct budget *budget)
{
	return phases_work(&w->phases, lane_phases, w, budget);
}

/* NULL is allowed. */
static void merged_lane_free(struct merged_lane *w)
{
	if (!w)
		return;
	calltree_end(w->calltree);
	lane_link_end(w->link);
	sort_end(w->sorting);
	free(w->total);
	free(w->items);
	free(w->first);
	free(w->stack);
	free(w->parent);
	free(w->order);
	free(w->origin);
	free(w->frame);
	free(w->t);
	free(w);
}

/* By node of the lane's tree: the node of the tree that it was made from. Only when the work is
 * complete. The caller frees it. */
static node_id *merged_lane_origins(const struct merged_lane *w)
{
	node_id *origins = xmalloc((size_t)w->n * sizeof *origins);

	for (uint32_t i = 0; i < w->n; i++)
		origins[w->order[i]] = w->origin[i];
	return origins;
}

/* ==== merged around ====
 *
 * Callers are found level by level: all calls of the function move on to their callers at the same
 * time, and calls that meet become one node. Where the calls are not in the order of their places
 * any more, they are sorted. */

/* A tree. Below the root are the function, or all functions with self time. No nodes: there is no
 * time. */
struct merged_nodes {
	struct node_map map;
	int64_t *self; /* ns by node */
	size_t cap_self;
};

/* Where callers end: a function at the end of a chain of n callers, called by each of them, has
 * n * n / 2 callers of callers. The limit of nodes, unless the tree itself has more, is checked
 * after each level; so is that of the work, in calls that moved up a level. */
#define CALLERS_NODES 1000000u
#define CALLERS_WORK 100000000u

/* A call of the frame on its way up: the time of its node goes to the merged node of its outermost
 * caller. */
struct call {
	node_id now;    /* the caller that it has reached */
	uint32_t place; /* the merged node of that caller */
	int64_t ns;
};

struct calls {
	struct call *list, *spare;
	size_t n, cap;
	uint32_t first; /* the first merged node of the level; the last one is the last of all */
	uint64_t work;  /* calls that moved up a level */
	uint32_t n_levels;
	/* While they move up a level: */
	size_t next, n_moved; /* the next call, and those that have a caller */
	uint32_t n_before;    /* merged nodes before the level */
	uint32_t from, to;    /* places of the call before */
	frame_id frame;       /* of its caller */
	bool is_sorted;       /* the calls are in the order of their places */
};

struct merged {
	const struct totals *totals;
	enum merged_kind kind;
	frame_id frame;       /* MERGED_SANDWICH */
	const uint8_t *stays; /* nodes that stay without time; NULL: none */
	struct phases phases;
	struct merged_nodes callers, callees; /* not of MERGED_LEFT_HEAVY */
	struct calls calls;
	uint32_t *as;            /* by node of the view: the merged callee; 0: none */
	struct profile *profile; /* NULL: not begun, or there is no time */
	uint32_t n_lanes;        /* that are complete; the next one is being made: */
	struct merged_lane *lane;
	node_id *origins; /* with `stays`: of the nodes of the lane */
};

static uint32_t child(struct merged_nodes *h, uint32_t parent, frame_id frame)
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

static const struct calltree *tree_of(const struct merged *m)
{
	return m->totals->view->tree;
}

/* ---- callers ---- */

static size_t begin_calls(void *ctx)
{
	struct merged *m = ctx;

	m->calls.first = 1;
	return m->kind == MERGED_LEFT_HEAVY ? 0 : tree_of(m)->n;
}

/* The outermost nodes of the frame, or all nodes with self time. */
static void find_calls(void *ctx, size_t from, size_t end)
{
	struct merged *m = ctx;
	const struct calltree *tree = tree_of(m);
	struct calls *calls = &m->calls;
	bool is_all = m->kind == MERGED_INVERTED;
	const int64_t *ns = is_all ? m->totals->self : m->totals->total;

	for (size_t i = from ? from : 1; i < end; i++) {
		if (ns[i] == 0 || (!is_all && (tree->frame[i] != m->frame || !tree->is_outer[i])))
			continue;
		*ARRAY_ADD(calls->list, calls->n, calls->cap) =
			(struct call){ (node_id)i, child(&m->callers, 0, tree->frame[i]), ns[i] };
	}
}

/* Bring the calls into the order of their places, those of one place in the order in which they
 * were. Then calls with the same caller stand together on the next level. */
static void sort_calls(struct calls *calls, uint32_t n_nodes)
{
	uint32_t n = n_nodes - calls->first;
	ALLOC_LOCAL uint32_t *start = xcalloc((size_t)n + 1, sizeof *start);
	struct call *sorted;

	if (!calls->spare)
		calls->spare = xmalloc(calls->cap * sizeof *calls->spare);
	sorted = calls->spare;
	for (size_t i = 0; i < calls->n; i++)
		start[calls->list[i].place - calls->first + 1]++;
	for (uint32_t i = 1; i < n; i++)
		start[i] += start[i - 1];
	for (size_t i = 0; i < calls->n; i++)
		sorted[start[calls->list[i].place - calls->first]++] = calls->list[i];
	calls->spare = calls->list;
	calls->list = sorted;
}

static void move_call(struct merged *m, const struct call *call)
{
	struct merged_nodes *h = &m->callers;
	struct calls *calls = &m->calls;
	const struct calltree *tree = tree_of(m);
	node_id above = tree->parent[call->now];

	if (above == NODE_ROOT) {
		h->self[call->place] += call->ns;
		return;
	}
	if (call->place != calls->from || tree->frame[above] != calls->frame) {
		uint32_t before = calls->to;

		calls->from = call->place;
		calls->frame = tree->frame[above];
		calls->to = child(h, calls->from, calls->frame);
		calls->is_sorted &= calls->to >= before;
	}
	calls->list[calls->n_moved++] = (struct call){ above, calls->to, call->ns };
}

/* Move the calls to their callers. */
static bool move_up(struct merged *m, struct budget *budget)
{
	struct calls *calls = &m->calls;

	if (calls->next == 0) {
		calls->n_before = m->callers.map.n;
		calls->n_moved = 0;
		calls->from = calls->to = 0;
		calls->frame = FRAME_NONE;
		calls->is_sorted = true;
	}
	while (calls->next < calls->n) {
		const struct call call = calls->list[calls->next++];

		move_call(m, &call);
		if (budget_use(budget, 1))
			return false;
	}
	calls->work += calls->n;
	calls->n = calls->n_moved;
	calls->first = calls->n_before;
	calls->next = 0;
	calls->n_levels++;
	if (!calls->is_sorted)
		sort_calls(calls, m->callers.map.n);
	return true;
}

/* Add the callers of the outermost nodes, one level after the other. Calls for which there are too
 * many levels end where they are. */
static bool add_callers(void *ctx, struct budget *budget)
{
	struct merged *m = ctx;
	struct calls *calls = &m->calls;
	uint32_t n = tree_of(m)->n, most = n < CALLERS_NODES ? CALLERS_NODES : n;

	while (calls->next || (calls->n && m->callers.map.n < most && calls->work < CALLERS_WORK))
		if (!move_up(m, budget))
			return false;
	for (size_t i = 0; i < calls->n; i++)
		m->callers.self[calls->list[i].place] += calls->list[i].ns;
	return true;
}

/* ---- callees ---- */

static size_t begin_callees(void *ctx)
{
	struct merged *m = ctx;

	if (m->kind != MERGED_SANDWICH)
		return 0;
	m->as = xcalloc(tree_of(m)->n, sizeof *m->as);
	return tree_of(m)->n;
}

/* Add everything below the outermost nodes of the frame. */
static void add_callees(void *ctx, size_t from, size_t end)
{
	struct merged *m = ctx;
	const struct calltree *tree = tree_of(m);
	const struct totals *totals = m->totals;

	for (size_t i = from ? from : 1; i < end; i++) {
		uint32_t above = m->as[tree->parent[i]];

		if (totals->total[i] == 0 || (!above && tree->frame[i] != m->frame))
			continue;
		m->as[i] = child(&m->callees, above, tree->frame[i]);
		m->callees.self[m->as[i]] += totals->self[i];
	}
}

/* ==== merged ==== */

/* A profile of the lanes that borrows from the view's profile. NULL: there is no time. */
static struct profile *new_profile(const struct merged *m)
{
	const struct view *view = m->totals->view;
	uint32_t n = m->kind == MERGED_SANDWICH ? 2 : 1;
	struct profile *p;

	if (m->kind == MERGED_LEFT_HEAVY ? m->totals->sampled_ns <= 0 : m->callers.map.n == 0)
		return NULL;
	p = xcalloc(1, sizeof *p);
	*p = *view->profile;
	p->is_borrower = true;
	p->other = NULL;
	p->flows = NULL;
	p->flows_by_lane = NULL;
	p->n_flows = 0;
	p->stack_frames = NULL;
	p->n_stack_frames = 0;
	p->frames = (struct frame_table){ .n = view->n_frames };
	p->frames.frames = xmalloc((size_t)view->n_frames * sizeof *p->frames.frames);
	memcpy(p->frames.frames, view->frames, (size_t)view->n_frames * sizeof *view->frames);
	p->lanes = xcalloc(n, sizeof *p->lanes);
	p->n_lanes = n;
	p->origin_ns = 0;
	p->t1 = 0;
	for (uint32_t i = 0; i < n; i++)
		p->lanes[i] = (struct lane){ .id = i + 1,
					     .kind = LANE_SAMPLES,
					     .pid = LANE_NO_ID,
					     .tid = LANE_NO_ID,
					     .has_timeline = true,
					     .input = view->n_sources ? view->sources[0].lane->input
								      : 0 };
	return p;
}

static struct merged_lane *begin_lane(const struct merged *m)
{
	const struct totals *totals = m->totals;
	/* Not of MERGED_LEFT_HEAVY. */
	const struct merged_nodes *nodes = m->n_lanes == 0 ? &m->callers : &m->callees;
	struct merged_tree tree = { .n = nodes->map.n,
				    .parent = nodes->map.parent,
				    .frame = nodes->map.frame,
				    .self = nodes->self };

	if (m->kind == MERGED_LEFT_HEAVY)
		tree = (struct merged_tree){ .n = totals->view->tree->n,
					     .parent = totals->view->tree->parent,
					     .frame = totals->view->tree->frame,
					     .self = totals->self,
					     .total = totals->total,
					     .stays = m->stays };
	return merged_lane_begin(&tree, &m->profile->lanes[m->n_lanes], m->profile->frames.frames);
}

static bool make_lanes(void *ctx, struct budget *budget)
{
	struct merged *m = ctx;

	if (!m->profile)
		m->profile = new_profile(m);
	for (; m->profile && m->n_lanes < m->profile->n_lanes; m->n_lanes++) {
		const struct lane *lane = &m->profile->lanes[m->n_lanes];

		if (!m->lane)
			m->lane = begin_lane(m);
		if (!merged_lane_work(m->lane, budget))
			return false;
		if (m->stays)
			m->origins = merged_lane_origins(m->lane);
		merged_lane_free(m->lane);
		m->lane = NULL;
		if (lane->t1 > m->profile->t1)
			m->profile->t1 = lane->t1;
	}
	return true;
}

static const struct phase phases[] = {
	{ begin_calls, find_calls, NULL },
	{ NULL, NULL, add_callers },
	{ begin_callees, add_callees, NULL },
	{ NULL, NULL, make_lanes },
	{ NULL, NULL, NULL },
};

struct merged *merged_begin(const struct totals *totals, enum merged_kind kind, frame_id frame,
			    const uint8_t *stays)
{
	struct merged *m = xmalloc(sizeof *m);

	*m = (struct merged){ .totals = totals, .kind = kind, .frame = frame, .stays = stays };
	return m;
}

bool merged_work(struct merged *m, struct budget *budget)
{
	const struct calltree *tree = m->totals->view->tree;

	return !tree || tree->n == 0 || phases_work(&m->phases, phases, m, budget);
}

struct profile *merged_end(struct merged *m, uint32_t *n_levels, node_id **origins)
{
	struct profile *p = m->profile;

	if (n_levels)
		*n_levels = m->calls.n ? m->calls.n_levels : 0;
	if (origins)
		*origins = m->origins;
	else
		free(m->origins);
	merged_lane_free(m->lane);
	node_map_done(&m->callers.map);
	node_map_done(&m->callees.map);
	free(m->callers.self);
	free(m->callees.self);
	free(m->calls.list);
	free(m->calls.spare);
	free(m->as);
	if (p && m->n_lanes < p->n_lanes) {
		profile_free(p);
		p = NULL;
	}
	free(m);
	return p;
}
