/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Callers are found level by level: all calls of the function move on to their callers at the same
 * time, and calls that meet become one node. A level is a few loops, which stop between two calls:
 * move the calls, and, where they are not in the order of their places any more, sort them. */
#include "config.h"

#include "analyse/view/merged_around.h"

#include "base/alloc.h"
#include "base/phases.h"

#include <stdlib.h>

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
	bool is_moving; /* up a level: */
	struct phases phases;
	size_t n_moved;
	uint32_t n_before; /* merged nodes before the level */
	uint32_t from, to; /* places of the call before */
	frame_id frame;    /* of its caller */
	bool is_sorted;    /* the calls are in the order of their places */
	uint32_t *start;   /* by node of the level: the place of its next call in `spare` */
};

struct merged_around {
	const struct totals *totals;
	frame_id frame;
	bool is_all; /* instead of `frame`: all functions */
	struct phases phases;
	struct merged_nodes callers, callees;
	struct calls calls;
	uint32_t *as; /* by node of the view: the merged callee; 0: none */
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

static const struct calltree *tree_of(const struct merged_around *m)
{
	return m->totals->view->tree;
}

/* ---- callers ---- */

static size_t begin_find(void *ctx)
{
	struct merged_around *m = ctx;

	m->calls = (struct calls){ .first = 1 };
	return tree_of(m)->n;
}

/* The outermost nodes of the frame, or all nodes with self time. */
static void find_calls(void *ctx, size_t from, size_t end)
{
	struct merged_around *m = ctx;
	const struct calltree *tree = tree_of(m);
	struct calls *calls = &m->calls;
	bool is_all = m->is_all;
	const int64_t *ns = is_all ? m->totals->self : m->totals->total;

	for (size_t i = from ? from : 1; i < end; i++) {
		if (ns[i] == 0 || (!is_all && (tree->frame[i] != m->frame || !tree->is_outer[i])))
			continue;
		calls->list = xgrow(calls->list, &calls->cap, calls->n + 1, sizeof *calls->list);
		calls->list[calls->n++] =
			(struct call){ (node_id)i, child(&m->callers, 0, tree->frame[i]), ns[i] };
	}
}

static size_t begin_move(void *ctx)
{
	struct merged_around *m = ctx;
	struct calls *calls = &m->calls;

	calls->n_before = m->callers.map.n;
	calls->n_moved = 0;
	calls->from = calls->to = 0;
	calls->frame = FRAME_NONE;
	calls->is_sorted = true;
	return calls->n;
}

/* Move the calls to their callers. */
static void move_up(void *ctx, size_t from, size_t end)
{
	struct merged_around *m = ctx;
	struct merged_nodes *h = &m->callers;
	struct calls *calls = &m->calls;
	const struct calltree *tree = tree_of(m);

	for (size_t i = from; i < end; i++) {
		const struct call *call = &calls->list[i];
		node_id above = tree->parent[call->now];

		if (above == NODE_ROOT) {
			h->self[call->place] += call->ns;
			continue;
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
}

/* The calls are sorted by their places, those of one place in the order in which they were. Then
 * calls with the same caller stand together on the next level. */
static size_t begin_count(void *ctx)
{
	struct merged_around *m = ctx;
	struct calls *calls = &m->calls;
	size_t n_before = calls->n;

	calls->n = calls->n_moved;
	calls->first = calls->n_before;
	calls->work += n_before;
	calls->n_levels++;
	if (calls->is_sorted)
		return 0;
	calls->start = xcalloc((size_t)m->callers.map.n - calls->first + 1, sizeof *calls->start);
	if (!calls->spare)
		calls->spare = xmalloc(n_before * sizeof *calls->spare);
	return calls->n;
}

static void count_calls(void *ctx, size_t from, size_t end)
{
	struct calls *calls = &((struct merged_around *)ctx)->calls;

	for (size_t i = from; i < end; i++)
		calls->start[calls->list[i].place - calls->first + 1]++;
}

static size_t begin_sums(void *ctx)
{
	struct merged_around *m = ctx;

	return m->calls.is_sorted ? 0 : m->callers.map.n - m->calls.first;
}

static void add_counts(void *ctx, size_t from, size_t end)
{
	uint32_t *start = ((struct merged_around *)ctx)->calls.start;

	for (size_t i = from ? from : 1; i < end; i++)
		start[i] += start[i - 1];
}

static size_t begin_sort(void *ctx)
{
	const struct calls *calls = &((struct merged_around *)ctx)->calls;

	return calls->is_sorted ? 0 : calls->n;
}

static void sort_calls(void *ctx, size_t from, size_t end)
{
	struct calls *calls = &((struct merged_around *)ctx)->calls;

	for (size_t i = from; i < end; i++)
		calls->spare[calls->start[calls->list[i].place - calls->first]++] = calls->list[i];
	if (end == calls->n) {
		struct call *sorted = calls->spare;

		calls->spare = calls->list;
		calls->list = sorted;
		free(calls->start);
		calls->start = NULL;
	}
}

static const struct phase level[] = {
	{ begin_move, move_up, NULL },
	{ begin_count, count_calls, NULL },
	{ begin_sums, add_counts, NULL },
	{ begin_sort, sort_calls, NULL },
	{ NULL, NULL, NULL },
};

/* Add the callers of the outermost nodes, one level after the other. */
static bool add_callers(void *ctx, struct budget *budget)
{
	struct merged_around *m = ctx;
	struct calls *calls = &m->calls;
	uint32_t n = tree_of(m)->n, most = n < CALLERS_NODES ? CALLERS_NODES : n;

	while (calls->is_moving ||
	       (calls->n && m->callers.map.n < most && calls->work < CALLERS_WORK)) {
		calls->is_moving = !phases_work(&calls->phases, level, m, budget);
		if (calls->is_moving)
			return false;
		calls->phases = (struct phases){ 0 };
	}
	return true;
}

static size_t begin_rest(void *ctx)
{
	return ((struct merged_around *)ctx)->calls.n;
}

/* The calls for which there were too many levels end where they are. */
static void add_rest(void *ctx, size_t from, size_t end)
{
	struct merged_around *m = ctx;

	for (size_t i = from; i < end; i++)
		m->callers.self[m->calls.list[i].place] += m->calls.list[i].ns;
}

/* ---- callees ---- */

static size_t begin_callees(void *ctx)
{
	struct merged_around *m = ctx;

	if (m->is_all)
		return 0;
	m->as = xcalloc(tree_of(m)->n, sizeof *m->as);
	return tree_of(m)->n;
}

/* Add everything below the outermost nodes of the frame. */
static void add_callees(void *ctx, size_t from, size_t end)
{
	struct merged_around *m = ctx;
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

/* ---- the whole ---- */

static const struct phase around_phases[] = {
	{ begin_find, find_calls, NULL },
	{ NULL, NULL, add_callers },
	{ begin_rest, add_rest, NULL },
	{ begin_callees, add_callees, NULL },
	{ NULL, NULL, NULL },
};

struct merged_around *merged_around_begin(const struct totals *totals, frame_id frame)
{
	struct merged_around *m = xcalloc(1, sizeof *m);

	m->totals = totals;
	m->frame = frame;
	return m;
}

struct merged_around *merged_around_begin_all(const struct totals *totals)
{
	struct merged_around *m = merged_around_begin(totals, FRAME_NONE);

	m->is_all = true;
	return m;
}

bool merged_around_work(struct merged_around *m, struct budget *budget)
{
	return phases_work(&m->phases, around_phases, m, budget);
}

static void nodes_done(struct merged_nodes *nodes)
{
	node_map_done(&nodes->map);
	free(nodes->self);
}

void merged_around_free(struct merged_around *m)
{
	if (!m)
		return;
	nodes_done(&m->callers);
	nodes_done(&m->callees);
	free(m->calls.list);
	free(m->calls.spare);
	free(m->calls.start);
	free(m->as);
	free(m);
}

const struct merged_nodes *merged_around_callers(const struct merged_around *m)
{
	return &m->callers;
}

const struct merged_nodes *merged_around_callees(const struct merged_around *m)
{
	return &m->callees;
}

uint32_t merged_around_levels(const struct merged_around *m)
{
	return m->calls.n ? m->calls.n_levels : 0;
}
