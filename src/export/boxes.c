/* SPDX-License-Identifier: GPL-2.0-or-later */
/* In time order, one pass over the samples of a lane opens and closes the calls of each depth. A
 * call that ends becomes a box, or, if it is short, waits for its neighbours of the same depth:
 * they become one box when a long one or a gap follows.
 *
 * Merged, the children of a node stand side by side, the heaviest first; all short ones of a node
 * are one box at the right. */
#include "config.h"

#include "export/boxes.h"

#include "analysis/totals.h"
#include "base/alloc.h"
#include "export/cut.h"

#include <stdlib.h>
#include <string.h>

/* A box of short calls is at most this many times as wide as the narrowest box, and one of them. */
#define WAIT_MOST 6

/* A call that is open, and short calls before it that wait, of one depth. The function with most of
 * their time is found by a vote (Boyer and Moore): others take away what the candidate had, and the
 * next one follows when it has nothing left. */
struct depth {
	int64_t t0;
	node_id node;
	struct box wait; /* n 0: none; frame: the candidate */
	int64_t votes;
	int64_t sure; /* time of the candidate since it is one */
};

struct collecting {
	struct boxes *b;
	const struct boxes_plan *plan;
	struct sink *sink;
	const struct lane *lane;
	struct depth *depths;
	size_t cap;
	bool is_full;
};

static void add_box(struct collecting *c, const struct box *box)
{
	struct boxes *b = c->b;

	if (b->n == c->plan->most) {
		c->is_full = true;
		return;
	}
	b->list = xgrow(b->list, &b->cap, b->n + 1, sizeof *b->list);
	b->list[b->n++] = *box;
	if (box->n > 1) {
		b->n_joined += box->n;
		b->n_joints++;
	}
	if (box->row >= b->n_rows)
		b->n_rows = box->row + 1;
}

static void begin_group(struct collecting *c, const struct lane *lane)
{
	struct boxes *b = c->b;

	b->groups = xgrow(b->groups, &b->cap_groups, b->n_groups + 1, sizeof *b->groups);
	b->groups[b->n_groups++] = (struct box_group){ .lane = lane, .row = b->n_rows };
}

/* A lane without boxes has no group. */
static void end_group(struct collecting *c)
{
	struct boxes *b = c->b;
	struct box_group *g = &b->groups[b->n_groups - 1];

	g->n_rows = b->n_rows - g->row;
	if (g->n_rows == 0)
		b->n_groups--;
}

/* ---- in time order ---- */

static void flush(struct collecting *c, size_t depth)
{
	struct depth *d = &c->depths[depth];

	if (d->wait.n > 1 && d->sure <= d->wait.ns / 2)
		d->wait.frame = FRAME_NONE;
	if (d->wait.n)
		add_box(c, &d->wait);
	d->wait.n = 0;
}

/* Add a short call to those that wait. */
static void join(struct depth *d, const struct box *box)
{
	if (d->wait.n == 0) {
		d->wait = *box;
		d->votes = d->sure = box->ns;
		return;
	}
	d->wait.t1 = box->t1;
	d->wait.ns += box->ns;
	d->wait.n++;
	if (box->frame == d->wait.frame) {
		d->votes += box->ns;
		d->sure += box->ns;
	} else if (d->votes >= box->ns) {
		d->votes -= box->ns;
	} else {
		d->wait.frame = box->frame;
		d->votes = box->ns - d->votes;
		d->sure = box->ns;
	}
}

static void close_call(struct collecting *c, size_t depth, int64_t t)
{
	struct boxes *b = c->b;
	struct box_group *group = &b->groups[b->n_groups - 1];
	struct depth *d = &c->depths[depth];
	struct box box = { .t0 = d->t0 - b->t0,
			   .t1 = t - b->t0,
			   .ns = t - d->t0,
			   .self = -1,
			   .n = 1,
			   .row = group->row + (uint32_t)depth,
			   .frame = c->lane->tree.frame[d->node] };

	if (depth == 0)
		group->ns += box.ns;
	if (box.ns >= b->min_ns) {
		flush(c, depth);
		add_box(c, &box);
		return;
	}
	if (d->wait.n &&
	    (box.t0 - d->wait.t1 >= b->min_ns || d->wait.t1 - d->wait.t0 >= WAIT_MOST * b->min_ns))
		flush(c, depth);
	join(d, &box);
}

static bool is_left_out(const struct collecting *c, node_id leaf)
{
	return !c->plan->has_idle && leaf != NODE_ROOT &&
		profile_node_frame(c->b->profile, c->lane, leaf)->category == CATEGORY_IDLE;
}

/* Open the calls of a sample from row `kept` on. */
static void open_calls(struct collecting *c, node_id leaf, size_t kept, int64_t t)
{
	const struct calltree *tree = &c->lane->tree;

	for (size_t depth = tree->rows[leaf]; depth-- > kept; leaf = tree->parent[leaf]) {
		c->depths[depth].t0 = t;
		c->depths[depth].node = leaf;
	}
}

static void collect_lane(struct collecting *c)
{
	const struct samples *s = &c->lane->samples;
	const struct calltree *tree = &c->lane->tree;
	int64_t t0 = c->plan->t0, t1 = c->plan->t1;
	size_t n_open = 0, i;

	c->depths = xgrow(c->depths, &c->cap, (size_t)tree->max_rows + 1, sizeof *c->depths);
	memset(c->depths, 0, ((size_t)tree->max_rows + 1) * sizeof *c->depths);
	for (i = samples_find(s, t0); i < s->n && samples_time(s, i) < t1 && !c->is_full; i++) {
		int64_t t = samples_time(s, i) < t0 ? t0 : samples_time(s, i);
		size_t rows = is_left_out(c, s->leaf[i]) ? 0 : tree->rows[s->leaf[i]],
		       kept = n_open == 0 ? 0 : samples_shared(s, i - 1);

		if (samples_time(s, i + 1) < t0)
			continue;
		kept = kept < rows ? kept : rows;
		while (n_open > kept)
			close_call(c, --n_open, t);
		if (rows)
			open_calls(c, s->leaf[i], kept, t);
		n_open = rows;
		if (i % 4096 == 0 && !sink_step(c->sink))
			break;
	}
	while (n_open > 0)
		close_call(c, --n_open,
			   i < s->n && samples_time(s, i) < t1  ? samples_time(s, i)
				   : samples_time(s, s->n) < t1 ? samples_time(s, s->n)
								: t1);
	for (size_t depth = 0; depth < tree->max_rows; depth++)
		flush(c, depth);
}

static void collect_lanes(struct collecting *c)
{
	const struct profile *p = c->b->profile;

	for (uint32_t i = 0; i < p->n_lanes && !c->is_full; i++) {
		c->lane = &p->lanes[i];
		if ((c->lane->kind != LANE_SAMPLES && c->lane->kind != LANE_SLICES) ||
		    c->lane->samples.n == 0)
			continue;
		begin_group(c, c->lane);
		collect_lane(c);
		end_group(c);
	}
}

/* ---- merged ---- */

/* A node whose box is to be drawn. Slices that outlast their caller, or overlap, have more time
 * than it has room: their boxes end where its box ends. */
struct place {
	node_id node;
	uint32_t row;
	int64_t t, right, total;
};

struct merged {
	struct collecting *c;
	struct totals totals;
	struct view view;
	struct place *stack; /* the next one is the last */
	size_t n, cap;
};

/* The heaviest one comes last. */
static int by_total(const void *a, const void *b)
{
	const struct place *x = a, *y = b;

	if (x->total != y->total)
		return x->total < y->total ? -1 : 1;
	return (x->node < y->node) - (x->node > y->node);
}

static bool is_idle_node(const struct merged *m, node_id node)
{
	return !m->c->plan->has_idle &&
		m->view.frames[m->view.tree->frame[node]].category == CATEGORY_IDLE;
}

static frame_id frame_of(const struct merged *m, node_id node)
{
	return view_frame_id(&m->view, m->view.tree->frame[node]);
}

/* Give the places of one row their room, from the last one on. Returns where it ends. */
static int64_t place_row(struct merged *m, size_t first, int64_t t, int64_t right)
{
	for (size_t i = m->n; i-- > first;) {
		struct place *at = &m->stack[i];

		at->t = t;
		t = right - t < at->total ? right : t + at->total;
		at->right = t;
	}
	return t;
}

/* Put the children of a node on the stack; their boxes stand in `row` from t on. */
static void push_children(struct merged *m, node_id parent, uint32_t row, int64_t t, int64_t right)
{
	const struct calltree *tree = m->view.tree;
	struct box rest = { .self = -1, .row = row };
	size_t first = m->n;

	/* What is above idle time, garbage collection, takes the place of the idle time. */
	for (node_id i = parent + 1, next; i < tree->end[parent]; i = next) {
		next = is_idle_node(m, i) ? i + 1 : tree->end[i];
		if (m->totals.total[i] <= 0 || is_idle_node(m, i))
			continue;
		if (m->totals.total[i] < m->c->b->min_ns) {
			rest.n++;
			rest.ns += m->totals.total[i];
			rest.frame = rest.n == 1 ? frame_of(m, i) : FRAME_NONE;
			continue;
		}
		m->stack = xgrow(m->stack, &m->cap, m->n + 1, sizeof *m->stack);
		m->stack[m->n++] = (struct place){ i, row, 0, 0, m->totals.total[i] };
	}
	if (m->n > first)
		qsort(m->stack + first, m->n - first, sizeof *m->stack, by_total);
	rest.t0 = place_row(m, first, t, right);
	rest.t1 = right - rest.t0 < rest.ns ? right : rest.t0 + rest.ns;
	if (rest.n)
		add_box(m->c, &rest);
	if (parent == NODE_ROOT)
		m->c->b->t1 = rest.t1;
}

static void merge(struct merged *m)
{
	push_children(m, NODE_ROOT, 0, 0, INT64_MAX);
	while (m->n > 0 && !m->c->is_full) {
		struct place at = m->stack[--m->n];
		struct box box = { .t0 = at.t,
				   .t1 = at.right,
				   .ns = at.total,
				   .self = m->totals.self[at.node],
				   .n = 1,
				   .row = at.row,
				   .frame = frame_of(m, at.node) };

		add_box(m->c, &box);
		push_children(m, at.node, at.row + 1, at.t, at.right);
	}
	free(m->stack);
}

static bool merge_lanes(struct collecting *c, struct error *err)
{
	const struct profile *p = c->b->profile;
	uint32_t n;
	const struct lane **lanes = cut_lanes(p, &n);
	struct merged m = { .c = c };
	bool ok;

	ok = view_init(&m.view, p, lanes, n, NULL, 0, GROUP_FUNCTION);
	if (ok && m.view.tree && m.view.tree->n) {
		totals_init(&m.totals, &m.view);
		totals_compute(&m.totals, c->plan->t0, c->plan->t1);
		c->b->t0 = 0;
		begin_group(c, NULL);
		merge(&m);
		c->b->groups[0].ns = c->b->t1;
		end_group(c);
		totals_done(&m.totals);
	} else if (!ok) {
		view_too_large(err);
	}
	view_done(&m.view);
	free(lanes);
	return ok;
}

/* ---- both ---- */

bool boxes_init(struct boxes *b, const struct profile *p, const struct boxes_plan *plan,
		struct sink *sink, struct error *err)
{
	struct collecting c = { .b = b, .plan = plan, .sink = sink };
	bool ok = true;

	*b = (struct boxes){ .profile = p, .min_ns = plan->min_ns, .is_merged = plan->is_merged };
	do {
		b->t0 = plan->t0;
		b->t1 = plan->t1;
		b->n = b->n_joints = b->n_groups = 0;
		b->n_joined = 0;
		b->n_rows = 0;
		if (c.is_full)
			b->min_ns += b->min_ns / 2 + 1;
		c.is_full = false;
		if (plan->is_merged)
			ok = merge_lanes(&c, err);
		else
			collect_lanes(&c);
		ok = ok && sink_step(sink);
	} while (ok && c.is_full);
	free(c.depths);
	return ok;
}

void boxes_done(struct boxes *b)
{
	free(b->list);
	free(b->groups);
}
