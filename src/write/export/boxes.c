/* SPDX-License-Identifier: GPL-2.0-or-later */
/* In time order, one pass over the samples of a lane opens and closes the calls of each depth. A
 * call that ends becomes a box, or, if it is short, waits for its neighbours of the same depth:
 * they become one box when a long one or a gap follows.
 *
 * Merged, the children of a node stand side by side, the heaviest first; all short ones of a node
 * are one box at the right.
 *
 * Invariants of the passes, which are made until there are few enough boxes:
 * 1. min_ns grows by half from pass to pass. A pass with a min_ns above the longest call has one
 *    box for each row, and is the last one, whatever its size.
 * 2. The first pass counts all calls by their lengths. Passes that these counts show to have too
 *    many boxes are left out. */
#include "config.h"

#include "write/export/boxes.h"

#include "analyse/totals.h"
#include "base/alloc.h"
#include "base/sort.h"
#include "base/units.h"
#include "write/export/export.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A box of short calls is at most this many times as wide as the narrowest box, and one of them. */
#define WAIT_MAX 6

/* Limit of the calls of a pass; the outermost rows of each lane are drawn however many they have.
 */
#define CALLS_MAX (10 * 1000 * 1000)
#define ROWS_SURE 500u

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

/* Calls by length: OCTAVE_PARTS classes from one power of two to the next. */
#define OCTAVE_BITS 3
#define OCTAVE_PARTS (1u << OCTAVE_BITS)
#define N_LENGTHS (64u * OCTAVE_PARTS)

struct length {
	uint64_t n;
	double ns; /* of all of them */
};

struct collecting {
	struct boxes *b;
	const struct boxes_plan *plan;
	struct sink *sink;
	const struct lane *lane;
	struct depth *depths;
	size_t cap;
	size_t most;    /* boxes of this pass */
	uint32_t depth; /* rows of a lane, at most */
	bool is_full;
	struct length *lengths; /* of N_LENGTHS; NULL after the first pass */
};

static void add_box(struct collecting *c, const struct box *box)
{
	struct boxes *b = c->b;

	if (b->n >= c->most) {
		c->is_full = true;
		return;
	}
	*ARRAY_ADD(b->list, b->n, b->cap) = *box;
	if (box->n > 1) {
		b->n_joined += box->n;
		b->n_joints++;
	}
	if (box->row >= b->n_rows)
		b->n_rows = box->row + 1;
}

static uint32_t rows_most(const struct boxes_plan *plan)
{
	return plan->rows_most ? plan->rows_most : BOXES_ROWS_MAX;
}

static void begin_group(struct collecting *c, const struct lane *lane)
{
	struct boxes *b = c->b;

	*ARRAY_ADD(b->groups, b->n_groups, b->cap_groups) = (struct box_group){ .lane = lane,
										.row = b->n_rows };
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

static unsigned length_class(int64_t ns)
{
	uint64_t n = ns > 0 ? (uint64_t)ns : 0;
	unsigned shift = n < 2 * OCTAVE_PARTS ? 0 : 63 - OCTAVE_BITS - (unsigned)__builtin_clzll(n);

	return shift * OCTAVE_PARTS + (unsigned)(n >> shift);
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
	if (c->lengths) {
		struct length *length = &c->lengths[length_class(box.ns)];

		length->n++;
		length->ns += (double)box.ns;
	}
	if (box.ns >= b->min_ns) {
		flush(c, depth);
		add_box(c, &box);
		return;
	}
	if (d->wait.n &&
	    (box.t0 - d->wait.t1 >= b->min_ns || d->wait.t1 - d->wait.t0 >= WAIT_MAX * b->min_ns))
		flush(c, depth);
	join(d, &box);
}

/* Open the calls of a sample from row `kept` up to `rows`. */
static void open_calls(struct collecting *c, node_id leaf, size_t kept, size_t rows, int64_t t)
{
	const struct calltree *tree = &c->lane->tree;

	leaf = calltree_ancestor(tree, leaf, (unsigned)rows);
	for (size_t depth = rows; depth-- > kept; leaf = tree->parent[leaf]) {
		c->depths[depth].t0 = t;
		c->depths[depth].node = leaf;
	}
}

/* A pass that is full ends, but the first one counts the lengths of all calls. */
static bool goes_on(const struct collecting *c)
{
	return !c->is_full || c->lengths;
}

static void collect_lane(struct collecting *c)
{
	const struct samples *s = &c->lane->samples;
	const struct calltree *tree = &c->lane->tree;
	int64_t t0 = c->plan->t0, t1 = c->plan->t1;
	size_t n_open = 0, deepest = 0, i;

	c->depths = xgrow(c->depths, &c->cap, (size_t)tree->max_rows + 1, sizeof *c->depths);
	memset(c->depths, 0, ((size_t)tree->max_rows + 1) * sizeof *c->depths);
	for (i = samples_find(s, t0); i < s->n && samples_time(s, i) < t1 && goes_on(c); i++) {
		int64_t t = samples_time(s, i) < t0 ? t0 : samples_time(s, i);
		node_id leaf = s->leaf[i];
		bool is_left_out = !c->plan->has_idle && leaf != NODE_ROOT &&
			profile_node_frame(c->b->profile, c->lane, leaf)->category == CATEGORY_IDLE;
		size_t rows = is_left_out ? 0 : tree->rows[leaf],
		       kept = n_open == 0 ? 0 : samples_shared(s, i - 1);

		if (samples_time(s, i + 1) < t0)
			continue;
		deepest = rows > deepest ? rows : deepest;
		rows = rows < c->depth ? rows : c->depth;
		kept = kept < rows ? kept : rows;
		while (n_open > kept)
			close_call(c, --n_open, t);
		if (rows > kept)
			open_calls(c, leaf, kept, rows, t);
		n_open = rows;
		if (i % 4096 == 0 && !sink_step(c->sink))
			break;
	}
	while (n_open > 0)
		close_call(c, --n_open,
			   i < s->n && samples_time(s, i) < t1  ? samples_time(s, i)
				   : samples_time(s, s->n) < t1 ? samples_time(s, s->n)
								: t1);
	for (size_t depth = 0; depth < tree->max_rows && depth < c->depth; depth++)
		flush(c, depth);
	c->b->cut.n_rows += deepest > c->depth ? deepest - c->depth : 0;
}

static void collect_lanes(struct collecting *c)
{
	const struct profile *p = c->b->profile;

	for (uint32_t i = 0; i < p->n_lanes && goes_on(c); i++) {
		c->lane = &p->lanes[i];
		if (!cut_has_calls(c->lane))
			continue;
		if (c->b->n_rows >= rows_most(c->plan)) {
			c->b->cut.n_lanes++;
			continue;
		}
		begin_group(c, c->lane);
		collect_lane(c);
		end_group(c);
	}
}

/* Rows of the picture if at most `depth` rows of each lane are drawn. */
static uint64_t count_rows(const struct profile *p, uint32_t depth)
{
	uint64_t n = 0;

	for (uint32_t i = 0; i < p->n_lanes; i++) {
		uint32_t rows = cut_has_calls(&p->lanes[i]) ? p->lanes[i].tree.max_rows : 0;

		n += rows < depth ? rows : depth;
	}
	return n;
}

/* Count the calls of a lane that begin at each depth: more[d] is how many more there are at depth d
 * than at d - 1. */
static void count_calls(const struct collecting *c, const struct lane *lane, int64_t *more)
{
	const struct samples *s = &lane->samples;
	size_t before = 0;

	for (size_t i = samples_find(s, c->plan->t0); i < s->n && samples_time(s, i) < c->plan->t1;
	     i++) {
		size_t rows = lane->tree.rows[s->leaf[i]],
		       shared = before ? samples_shared(s, i - 1) : 0;

		if (rows > shared) {
			more[shared]++;
			more[rows]--;
		}
		before = rows;
	}
}

/* The rows that each lane may have so that a pass has no more than `most` calls; ROWS_SURE or
 * more. */
static uint32_t fit_calls(const struct collecting *c, int64_t most)
{
	const struct profile *p = c->b->profile;
	ALLOC_LOCAL int64_t *more = NULL;
	int64_t calls = 0, sum = 0;
	double estimate = 0;
	uint32_t depth = 0, deepest = 0;

	for (uint32_t i = 0; i < p->n_lanes; i++) {
		const struct lane *lane = &p->lanes[i];

		if (!cut_has_calls(lane))
			continue;
		estimate += (double)lane->samples.n * lane->tree.max_rows;
		deepest = lane->tree.max_rows > deepest ? lane->tree.max_rows : deepest;
	}
	if (deepest <= ROWS_SURE || estimate <= (double)most)
		return UINT32_MAX;
	more = xcalloc((size_t)deepest + 1, sizeof *more);
	for (uint32_t i = 0; i < p->n_lanes; i++)
		if (cut_has_calls(&p->lanes[i]))
			count_calls(c, &p->lanes[i], more);
	for (; depth < deepest; depth++) {
		calls += more[depth];
		sum += calls;
		if (depth >= ROWS_SURE && sum > most)
			break;
	}
	return depth < deepest ? depth : UINT32_MAX;
}

/* The rows that each lane may have so that all lanes fit; at least 1. */
static uint32_t fit_depth(const struct profile *p, uint32_t most)
{
	uint32_t lo = 1, hi = UINT32_MAX;

	if (count_rows(p, hi) <= most)
		return hi;
	while (hi - lo > 1) {
		uint32_t mid = lo + (hi - lo) / 2;

		if (count_rows(p, mid) <= most)
			lo = mid;
		else
			hi = mid;
	}
	return lo;
}

/* ---- merged ---- */

/* A node whose box is to be drawn. Slices that outlast their caller, or overlap, have more time
 * than it has room: their boxes end where its box ends. */
struct waiting_box {
	node_id node;
	uint32_t row;
	int64_t t, right, total;
};

struct merged {
	struct collecting *c;
	struct totals totals;
	struct view view;
	bool has_calls;
	struct waiting_box *stack; /* the next one is the last */
	size_t n, cap;
	uint32_t deepest; /* row of a call that is not drawn */
};

/* The heaviest one comes last. */
SORT_ORDER(by_total, struct waiting_box, SORT_BY_2(x->total, y->total, y->node, x->node))

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
		struct waiting_box *at = &m->stack[i];

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
		*ARRAY_ADD(m->stack, m->n, m->cap) = (struct waiting_box){ i, row, 0, 0,
									   m->totals.total[i] };
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
	struct boxes *b = m->c->b;

	m->n = 0;
	m->deepest = 0;
	b->t0 = 0;
	begin_group(m->c, NULL);
	push_children(m, NODE_ROOT, 0, 0, INT64_MAX);
	while (m->n > 0 && !m->c->is_full) {
		struct waiting_box at = m->stack[--m->n];
		struct box box = { .t0 = at.t,
				   .t1 = at.right,
				   .ns = at.total,
				   .self = m->totals.self[at.node],
				   .n = 1,
				   .row = at.row,
				   .frame = frame_of(m, at.node) };

		add_box(m->c, &box);
		if (at.row + 1 < m->c->depth) {
			push_children(m, at.node, at.row + 1, at.t, at.right);
		} else {
			const struct calltree *tree = m->view.tree;

			/* Calls below a node are not drawn: how deep they go. */
			for (node_id i = at.node + 1; i < tree->end[at.node]; i++)
				if (m->totals.total[i] > 0 && tree->rows[i] > m->deepest)
					m->deepest = tree->rows[i];
		}
	}
	if (m->deepest > m->c->depth)
		b->cut.n_rows = m->deepest - m->c->depth;
	b->groups[0].ns = b->t1;
	end_group(m->c);
}

/* False: the profile is too large; then err is set. */
static bool merged_init(struct merged *m, struct collecting *c, struct error *err)
{
	uint32_t n;
	ALLOC_LOCAL const struct lane **lanes = cut_lanes(c->b->profile, &n);
	bool ok;

	*m = (struct merged){ .c = c };
	ok = view_init(&m->view, c->b->profile, lanes, n);
	if (!ok) {
		view_too_large(err);
	} else if (m->view.tree && m->view.tree->n) {
		m->has_calls = true;
		totals_init(&m->totals, &m->view);
		totals_compute(&m->totals, c->plan->t0, c->plan->t1);
	}
	return ok;
}

/* ---- both ---- */

/* A length that can be multiplied by WAIT_MAX. */
static int64_t limit_ns(int64_t ns)
{
	return ns < INT64_MAX / (WAIT_MAX + 2) ? ns : INT64_MAX / (WAIT_MAX + 2);
}

static void begin_pass(struct collecting *c)
{
	struct boxes *b = c->b;

	b->t0 = c->plan->t0;
	b->t1 = c->plan->t1;
	b->n = b->n_joints = b->n_groups = 0;
	b->n_joined = 0;
	b->n_rows = 0;
	b->cut = (struct boxes_cut){ 0 };
	b->n_passes++;
	c->is_full = false;
}

/* Whether the boxes have too many bytes. Then the next pass has a twentieth less than would fit if
 * all boxes were equally long. */
static bool is_long(struct collecting *c)
{
	const struct boxes_plan *plan = c->plan;
	size_t bytes;

	if (!plan->bytes_of || (bytes = plan->bytes_of(c->b)) <= plan->bytes_most)
		return false;
	c->most = (size_t)((double)c->b->n * (double)plan->bytes_most / (double)bytes * 0.95);
	return true;
}

/* Whether there will be more boxes than are permitted: one for each call of min_ns or longer, and
 * of the shorter ones, one for WAIT_MAX + 1 times min_ns of their time. */
static bool is_known_full(const struct collecting *c, const struct length *lengths)
{
	unsigned class = length_class(c->b->min_ns);
	double n = 0, ns = 0;

	for (unsigned i = 0; i < N_LENGTHS; i++) {
		n += i > class ? (double)lengths[i].n : 0;
		ns += i > class ? 0 : lengths[i].ns;
	}
	return n + ns / (WAIT_MAX + 1) / (double)c->b->min_ns > (double)c->most;
}

/* Choose the narrowest box of the next pass. */
static void grow(struct collecting *c, const struct length *lengths)
{
	struct boxes *b = c->b;
	int64_t longest = limit_ns(b->t1 - b->t0);

	do
		b->min_ns += b->min_ns / 2 + 1;
	while (b->min_ns <= longest && is_known_full(c, lengths));
	if (b->min_ns > longest) {
		b->min_ns = longest + 1;
		c->most = SIZE_MAX;
	}
}

/* The rows that a lane may have. */
static uint32_t find_depth(const struct collecting *c)
{
	uint32_t rows = rows_most(c->plan), calls;

	if (c->plan->is_merged)
		return rows;
	rows = fit_depth(c->b->profile, rows);
	calls = fit_calls(c, c->plan->calls_most ? c->plan->calls_most : CALLS_MAX);
	return rows < calls ? rows : calls;
}

bool boxes_init(struct boxes *b, const struct profile *p, const struct boxes_plan *plan,
		struct sink *sink, struct error *err)
{
	struct length lengths[N_LENGTHS] = { 0 };
	struct merged m = { 0 };
	struct collecting c = { .b = b, .plan = plan, .sink = sink, .most = plan->most };
	bool ok = true;

	*b = (struct boxes){ .profile = p,
			     .min_ns = limit_ns(plan->min_ns),
			     .is_merged = plan->is_merged };
	c.depth = find_depth(&c);
	c.lengths = plan->is_merged ? NULL : lengths;
	if (plan->is_merged)
		ok = merged_init(&m, &c, err);
	while (ok) {
		begin_pass(&c);
		if (!plan->is_merged)
			collect_lanes(&c);
		else if (m.has_calls)
			merge(&m);
		c.lengths = NULL;
		ok = sink_step(sink);
		if (c.most == SIZE_MAX || !(c.is_full || is_long(&c)))
			break;
		grow(&c, lengths);
	}
	if (b->cut.n_rows)
		b->cut.depth = c.depth;
	if (m.has_calls)
		totals_done(&m.totals);
	view_done(&m.view);
	free(m.stack);
	free(c.depths);
	return ok;
}

void boxes_tell_cut(const struct boxes_cut *cut, char out[BOXES_CUT_MAX])
{
	int n = 0;
	const char *lanes = units_count(cut->n_lanes, UNITS_ROOM);

	if (cut->n_rows)
		n = snprintf(out, BOXES_CUT_MAX, "%s row%s deeper than %s%s",
			     units_count(cut->n_rows, UNITS_ROOM), cut->n_rows == 1 ? "" : "s",
			     units_count(cut->depth, UNITS_ROOM), cut->n_lanes ? " and " : "");
	if (cut->n_lanes)
		n += snprintf(out + n, BOXES_CUT_MAX - (size_t)n, "%s lane%s", lanes,
			      cut->n_lanes == 1 ? "" : "s");
	snprintf(out + n, BOXES_CUT_MAX - (size_t)n, " %s left out",
		 cut->n_rows + cut->n_lanes == 1 ? "is" : "are");
}
