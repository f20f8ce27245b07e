/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Work that stops when its budget is spent: whatever the number of steps in each call, the result
 * is that of one call that is not limited, and nothing is left of work that was dropped half-way.
 */
#include "config.h"

#include "analyse/cover.h"
#include "analyse/functions.h"
#include "analyse/rows/rows.h"
#include "analyse/search.h"
#include "analyse/totals.h"
#include "analyse/view/scoped.h"
#include "base/sort.h"
#include "draw/chart.h"
#include "draw/overview.h"
#include "findings/findings.h"
#include "merged_now.h"
#include "random_profile.h"
#include "story.h"
#include "suite.h"
#include "ui/app.h"
#include "ui/chart/views.h"
#include "ui/pane/panes.h"
#include "ui/state.h"
#include "view_of.h"

#include "analyse/view/merged.c"

#define SEEDS 6
#define STEPS_MAX 10000 /* more is a loop without an end */
#define COLS 37

static struct profile *profile;
static int64_t t0, t1; /* a range of it */

static void setup(void)
{
	profile = NULL;
}

static void teardown(void)
{
	profile_free(profile);
}

static void load(int seed)
{
	profile = random_profile(seed, 40, 120, 1 + seed % 3);
	t0 = profile->t1 / 7;
	t1 = profile->t1 - profile->t1 / 5;
}

/* Calls `step` with budgets of `steps` steps until it returns true; how many calls that took. */
static int until_done(bool (*step)(void *ctx, struct budget *budget), void *ctx, uint64_t steps,
		      uint32_t units)
{
	for (int calls = 1; calls < STEPS_MAX; calls++) {
		struct budget budget = budget_steps(steps, units);

		if (step(ctx, &budget))
			return calls;
	}
	ck_abort_msg("no end after %d calls of %d steps", STEPS_MAX, (int)steps);
}

/* Runs `step` with budgets of 1, 2, 3, ... steps, until one call is enough; the budgets get sparse
 * as they grow, unless all cases are tried. Work that never stops is no test of this: the first
 * budget must need several calls. */
static void with_each_budget(void (*begin)(void *ctx), bool (*step)(void *ctx, struct budget *),
			     void (*compare)(void *ctx), void *ctx)
{
	uint64_t sparse = suite_tries_all() ? UINT64_MAX : 3;

	for (uint32_t units = 1; units <= 5; units += 4) {
		int calls = 2;

		for (uint64_t steps = 1; calls > 1; steps += 1 + steps / sparse) {
			begin(ctx);
			calls = until_done(step, ctx, steps, units);
			ck_assert_msg(steps > 1 || calls > 1, "one step does it all");
			compare(ctx);
		}
	}
}

/* ---- the budget itself ---- */

START_TEST(steps_are_counted)
{
	struct budget budget = budget_steps(3, 7);

	ck_assert_uint_eq(budget.step, 7);
	ck_assert(!budget_spent(&budget));
	ck_assert(!budget_spent(&budget));
	ck_assert(budget_spent(&budget));
	ck_assert(budget_spent(&budget));
}
END_TEST

START_TEST(small_work_adds_up_to_a_step)
{
	struct budget budget = budget_steps(2, 10);

	ck_assert(!budget_use(&budget, 9));
	ck_assert(!budget_use(&budget, 1));
	ck_assert(!budget_use(&budget, 9));
	ck_assert(budget_use(&budget, 5));
}
END_TEST

START_TEST(deadline_passes)
{
	struct budget now = budget_ns(0), later = budget_ns(INT64_C(3600000000000)), part;

	ck_assert(budget_spent(&now));
	ck_assert(!budget_spent(&later));
	part = budget_half(&later);
	ck_assert_int_eq(part.whole_ns, INT64_C(1800000000000));
	ck_assert_int_lt(part.until_ns, later.until_ns);
	part = budget_half(&now);
	ck_assert(budget_spent(&part));
}
END_TEST

START_TEST(unlimited_is_never_spent)
{
	struct budget *budget = BUDGET_UNLIMITED, part = budget_half(budget);

	for (int i = 0; i < 1000; i++)
		ck_assert(!budget_spent(budget) && !budget_use(&part, BUDGET_STEP));
}
END_TEST

/* ---- analysis ---- */

struct totalling {
	struct view view;
	struct totals whole, parts;
};

static void totals_restart(void *ctx)
{
	struct totalling *t = ctx;

	totals_begin(&t->parts, t0, t1);
}

static bool totals_go_on(void *ctx, struct budget *budget)
{
	return totals_step(&((struct totalling *)ctx)->parts, budget);
}

static void totals_compare(void *ctx)
{
	struct totalling *t = ctx;
	uint32_t n = t->view.tree->n;

	ck_assert_mem_eq(t->parts.self, t->whole.self, n * sizeof *t->whole.self);
	ck_assert_mem_eq(t->parts.total, t->whole.total, n * sizeof *t->whole.total);
	ck_assert_mem_eq(t->parts.frame_self, t->whole.frame_self,
			 t->whole.n_frames * sizeof *t->whole.frame_self);
	ck_assert_mem_eq(t->parts.frame_total, t->whole.frame_total,
			 t->whole.n_frames * sizeof *t->whole.frame_total);
	ck_assert_mem_eq(t->parts.is_called, t->whole.is_called, t->whole.n_frames);
	ck_assert_uint_eq(t->parts.n_used, t->whole.n_used);
	ck_assert_mem_eq(t->parts.used, t->whole.used, t->whole.n_used * sizeof *t->whole.used);
	ck_assert_int_eq(t->parts.sampled_ns, t->whole.sampled_ns);
	ck_assert_int_eq(t->parts.idle_ns, t->whole.idle_ns);
	ck_assert_int_eq(t->parts.dropped_ns, t->whole.dropped_ns);
}

static void open_view(struct view *view, const struct transform *transforms, size_t n)
{
	const struct lane *lanes[3];

	for (uint32_t i = 0; i < profile->n_lanes; i++)
		lanes[i] = &profile->lanes[i];
	view_of(view, profile, lanes, profile->n_lanes, transforms, n, GROUP_FUNCTION);
}

START_TEST(totals_in_steps)
{
	static const struct transform no_idle = { .kind = TRANSFORM_DROP,
						  .by = BY_CATEGORY,
						  .id = CATEGORY_IDLE };
	struct totalling t;

	load(_i);
	open_view(&t.view, &no_idle, (size_t)_i % 2);
	totals_init(&t.whole, &t.view);
	totals_init(&t.parts, &t.view);
	totals_compute(&t.whole, t0, t1);
	with_each_budget(totals_restart, totals_go_on, totals_compare, &t);
	/* A count that was dropped leaves nothing in the next one. */
	for (uint64_t steps = 1; steps < 40; steps++) {
		struct budget budget = budget_steps(steps, 5);

		totals_begin(&t.parts, 0, profile->t1);
		totals_step(&t.parts, &budget);
		totals_compute(&t.parts, t0, t1);
		totals_compare(&t);
	}
	totals_done(&t.whole);
	totals_done(&t.parts);
	view_done(&t.view);
}
END_TEST

/* ---- trees and lanes ---- */

#define TREE_NODES 60

struct building {
	node_id input[TREE_NODES], parent[TREE_NODES], order[TREE_NODES], expected[TREE_NODES];
	frame_id frame[TREE_NODES];
	struct calltree whole, parts;
	struct calltree_work *work;
};

static void tree_restart(void *ctx)
{
	struct building *b = ctx;

	calltree_done(&b->parts);
	memcpy(b->parent, b->input, sizeof b->input);
	b->work = calltree_begin(&b->parts, TREE_NODES, b->parent, b->frame, b->order);
}

static bool tree_go_on(void *ctx, struct budget *budget)
{
	return calltree_work(((struct building *)ctx)->work, budget);
}

static void same_tree(const struct calltree *is, const struct calltree *expected)
{
	uint32_t n = expected->n;

	ck_assert_uint_eq(is->n, n);
	ck_assert_uint_eq(is->max_rows, expected->max_rows);
	ck_assert_mem_eq(is->parent, expected->parent, n * sizeof *is->parent);
	ck_assert_mem_eq(is->frame, expected->frame, n * sizeof *is->frame);
	ck_assert_mem_eq(is->rows, expected->rows, n * sizeof *is->rows);
	ck_assert_mem_eq(is->jump, expected->jump, n * sizeof *is->jump);
	ck_assert_mem_eq(is->end, expected->end, n * sizeof *is->end);
	ck_assert_mem_eq(is->is_outer, expected->is_outer, n * sizeof *is->is_outer);
}

static void tree_compare(void *ctx)
{
	struct building *b = ctx;

	calltree_end(b->work);
	same_tree(&b->parts, &b->whole);
	ck_assert_mem_eq(b->order, b->expected, sizeof b->order);
}

/* A tree of three frames, with twins. */
START_TEST(call_tree_in_steps)
{
	struct building b = { 0 };

	random_seed(_i);
	for (uint32_t i = 1; i < TREE_NODES; i++) {
		b.input[i] = (node_id)random_below(i);
		b.frame[i] = 1 + (frame_id)random_below(3);
	}
	memcpy(b.parent, b.input, sizeof b.input);
	calltree_build(&b.whole, TREE_NODES, b.parent, b.frame, b.expected);
	ck_assert_uint_lt(b.whole.n, TREE_NODES);
	with_each_budget(tree_restart, tree_go_on, tree_compare, &b);
	for (uint64_t steps = 1; steps < 40; steps++) {
		struct budget budget = budget_steps(steps, 5);

		tree_restart(&b);
		calltree_work(b.work, &budget);
		calltree_end(b.work);
	}
	calltree_done(&b.whole);
	calltree_done(&b.parts);
}
END_TEST

static void same_lane(const struct lane *is, const struct lane *expected)
{
	const struct samples *a = &is->samples, *b = &expected->samples;

	same_tree(&is->tree, &expected->tree);
	ck_assert_uint_eq(a->n, b->n);
	ck_assert_mem_eq(a->leaf, b->leaf, a->n * sizeof *a->leaf);
	for (size_t i = 0; i < a->n; i++)
		ck_assert_uint_eq(samples_shared(a, i), samples_shared(b, i));
	ck_assert_int_eq(a->n_low, b->n_low);
	ck_assert_int_eq(a->n_high, b->n_high);
	ck_assert_mem_eq(a->high[0], b->high[0],
			 (a->n + SAMPLES_GROUP - 1) / SAMPLES_GROUP * sizeof *a->high[0]);
	ck_assert_uint_eq(is->n_spans, expected->n_spans);
	ck_assert_int_eq(is->max_depth, expected->max_depth);
	ck_assert_int_eq(is->busy_ns, expected->busy_ns);
	ck_assert_int_eq(is->idle_ns, expected->idle_ns);
	ck_assert_int_eq(is->program_ns, expected->program_ns);
	ck_assert_int_eq(is->gc_ns, expected->gc_ns);
	ck_assert_int_eq(is->unsampled_ns, expected->unsampled_ns);
}

/* Times by leaf, through the blocks. */
static void add_leaf(void *ctx, node_id leaf, int64_t ns)
{
	((int64_t *)ctx)[leaf] += ns;
}

static void add_leaves(void *ctx, const node_id *leaf, const uint32_t *ns, size_t n)
{
	for (size_t i = 0; i < n; i++)
		add_leaf(ctx, leaf[i], ns[i]);
}

static void same_times(const struct lane *lane, const struct samples *samples, int64_t from,
		       int64_t to)
{
	int64_t *is = xcalloc(lane->tree.n, sizeof *is),
		*expected = xcalloc(lane->tree.n, sizeof *expected);

	blocks_each(samples, from, to, &(struct blocks_visitor){ is, add_leaves, add_leaf, NULL });
	blocks_each(&lane->samples, from, to,
		    &(struct blocks_visitor){ expected, add_leaves, add_leaf, NULL });
	ck_assert_mem_eq(is, expected, lane->tree.n * sizeof *is);
	free(is);
	free(expected);
}

/* More samples than a block needs: budgets of every size would take long. */
START_TEST(blocks_in_steps)
{
	const struct lane *lane;
	struct samples s;

	profile = random_profile(3, 20, 9000, 1);
	lane = &profile->lanes[0];
	ck_assert_ptr_nonnull(lane->samples.blocks);
	s = lane->samples;
	for (uint64_t steps = 1; steps < 20000; steps = steps * 3 / 2 + 1) {
		struct blocks_work *work = blocks_work_begin(&s, lane->tree.n);
		struct budget once = budget_steps(steps, 1);

		s.blocks = NULL;
		blocks_work(work, &once);
		s.blocks = blocks_work_end(work);
		ck_assert_int_eq(once.steps == 0, s.blocks == NULL);
		blocks_free(s.blocks);
		work = blocks_work_begin(&s, lane->tree.n);
		for (bool is_done = false; !is_done;) {
			struct budget budget = budget_steps(steps, 1);

			is_done = blocks_work(work, &budget);
		}
		s.blocks = blocks_work_end(work);
		ck_assert_ptr_nonnull(s.blocks);
		same_times(lane, &s, 0, profile->t1);
		same_times(lane, &s, profile->t1 / 7, profile->t1 / 2);
		blocks_free(s.blocks);
	}
}
END_TEST

/* Every third sample is followed by a break, where the two samples share no row or one. */
struct linking {
	struct lane lane;
	struct lane at_once;
	struct sample_break breaks[64];
	struct lane_link *link;
};

static void link_free(struct lane *lane)
{
	lane->tree = (struct calltree){ 0 };
	lane->samples.times = (struct times){ 0 };
	lane->samples.leaf = NULL;
	samples_done(&lane->samples);
}

/* A lane that is not linked yet. Its tree, times and leaves are borrowed. */
static void link_make(struct linking *l, struct lane *lane)
{
	const struct lane *whole = &profile->lanes[0];
	size_t n = 0;

	for (; 3 * n + 1 < whole->samples.n && n < ARRAY_LEN(l->breaks); n++)
		l->breaks[n] = (struct sample_break){ 3 * n, n % 2 };
	*lane = (struct lane){ .kind = LANE_SAMPLES,
			       .t0 = whole->t0,
			       .t1 = whole->t1,
			       .breaks = l->breaks,
			       .n_breaks = n,
			       .tree = whole->tree,
			       .samples = { .n = whole->samples.n,
					    .times = whole->samples.times,
					    .leaf = whole->samples.leaf } };
}

static void link_restart(void *ctx)
{
	struct linking *l = ctx;

	link_free(&l->lane);
	link_make(l, &l->lane);
	l->link = lane_link_begin(&l->lane, profile->frames.frames);
}

static bool link_go_on(void *ctx, struct budget *budget)
{
	return lane_link_work(((struct linking *)ctx)->link, budget);
}

static void link_compare(void *ctx)
{
	struct linking *l = ctx;

	lane_link_end(l->link);
	same_lane(&l->lane, &l->at_once);
}

START_TEST(links_in_steps)
{
	struct linking l = { 0 };

	load(_i);
	link_make(&l, &l.at_once);
	lane_link(&l.at_once, profile->frames.frames, NULL);
	for (size_t i = 0; i < l.at_once.n_breaks; i++)
		ck_assert_uint_le(samples_shared(&l.at_once.samples, l.breaks[i].sample),
				  l.breaks[i].rows);
	with_each_budget(link_restart, link_go_on, link_compare, &l);
	for (uint64_t steps = 1; steps < 40; steps++) {
		struct budget budget = budget_steps(steps, 5);

		link_restart(&l);
		lane_link_work(l.link, &budget);
		lane_link_end(l.link);
	}
	link_free(&l.lane);
	link_free(&l.at_once);
}
END_TEST

/* ---- transforms ---- */

static const struct transform transforms[] = {
	{ .kind = TRANSFORM_RECURSION, .by = BY_ALL },
	{ .kind = TRANSFORM_FOCUS, .by = BY_FUNCTION, .id = 3 },
	{ .kind = TRANSFORM_KEEP, .by = BY_FUNCTION, .id = 4 },
	{ .kind = TRANSFORM_DROP, .by = BY_CATEGORY, .id = CATEGORY_IDLE },
	{ .kind = TRANSFORM_MERGE, .by = BY_FUNCTION, .id = 5 },
	{ .kind = TRANSFORM_COLLAPSE, .by = BY_FUNCTION, .id = 6 },
	{ .kind = TRANSFORM_FOLD, .by = BY_CATEGORY, .id = CATEGORY_NODE },
	{ .kind = TRANSFORM_FOLD, .by = BY_ANY_PACKAGE },
	{ .kind = TRANSFORM_FOCUS, .by = BY_PATH, .path = (const frame_id[]){ 3 }, .n_path = 1 },
};

/* Slices that nest, on two threads, one of them with a flow to the other, and marks. */
static const char slices[] =
	"[{'ph':'X','name':'a','pid':1,'tid':1,'ts':1,'dur':50},"
	"{'ph':'X','name':'b','pid':1,'tid':1,'ts':2,'dur':20},"
	"{'ph':'X','name':'a','pid':1,'tid':1,'ts':3,'dur':9},"
	"{'ph':'X','name':'b','pid':1,'tid':1,'ts':22,'dur':7},"
	"{'ph':'i','name':'m','pid':1,'tid':1,'ts':22},"
	"{'ph':'b','cat':'c','name':'d','pid':1,'tid':1,'ts':4,'id':1},"
	"{'ph':'e','cat':'c','name':'d','pid':1,'tid':1,'ts':9,'id':1},"
	"{'ph':'s','cat':'c','name':'f','pid':1,'tid':1,'ts':5,'id':9},"
	"{'ph':'f','cat':'c','name':'f','pid':1,'tid':2,'ts':8,'id':9,'bp':'e'},"
	"{'ph':'X','name':'c','pid':1,'tid':2,'ts':1,'dur':30},"
	"{'ph':'X','name':'b','pid':1,'tid':2,'ts':7,'dur':20}]";

struct changing {
	struct scope scope;
	struct scoped whole, parts;
	struct scoped_work *work;
};

static void change_restart(void *ctx)
{
	struct changing *c = ctx;
	struct error err = ERROR_INIT;

	scoped_done(&c->parts);
	c->work = scoped_begin(&c->parts, profile, &c->scope, &err);
	ck_assert_ptr_nonnull(c->work);
}

static bool change_go_on(void *ctx, struct budget *budget)
{
	return scoped_work(((struct changing *)ctx)->work, budget);
}

static void same_map(const node_id *is, const node_id *expected, uint32_t n)
{
	ck_assert(!is == !expected);
	if (is)
		ck_assert_mem_eq(is, expected, n * sizeof *is);
}

static void same_view(const struct view *is, const struct view *expected)
{
	same_tree(is->tree, expected->tree);
	ck_assert_uint_eq(is->n_frames, expected->n_frames);
	for (frame_id f = 0; f < is->n_frames; f++) {
		ck_assert_uint_eq(is->frames[f].name, expected->frames[f].name);
		ck_assert_int_eq(is->frames[f].category, expected->frames[f].category);
	}
	for (uint32_t i = 0; i < is->n_sources; i++) {
		uint32_t n = is->sources[i].lane->tree.n;

		same_map(is->sources[i].map, expected->sources[i].map, n);
		same_map(is->sources[i].place, expected->sources[i].place, n);
	}
}

static void change_compare(void *ctx)
{
	struct changing *c = ctx;
	const struct profile *is = &c->parts.own, *expected = &c->whole.own;

	scoped_end(c->work);
	if (expected->frames.n && c->whole.view.tree)
		same_view(&c->parts.view, &c->whole.view);
	ck_assert_uint_eq(is->n_lanes, expected->n_lanes);
	ck_assert_mem_eq(c->parts.from, c->whole.from, is->n_lanes * sizeof *c->parts.from);
	ck_assert_mem_eq(c->parts.is_own, c->whole.is_own, is->n_lanes);
	for (uint32_t i = 0; i < is->n_lanes; i++)
		if (c->whole.is_own[i])
			same_lane(&is->lanes[i], &expected->lanes[i]);
	ck_assert_uint_eq(is->n_flows, expected->n_flows);
	for (size_t i = 0; i < is->n_flows; i++) {
		ck_assert_uint_eq(is->flows[i].lane, expected->flows[i].lane);
		ck_assert_uint_eq(is->flows_by_lane[i], expected->flows_by_lane[i]);
	}
}

/* All budgets, then transforms that are dropped half-way: what they leave is freed. */
static void change_in_steps(struct changing *c)
{
	struct error err = ERROR_INIT;

	ck_assert(scoped_init(&c->whole, profile, &c->scope, &err));
	with_each_budget(change_restart, change_go_on, change_compare, c);
	for (uint64_t steps = 1; steps < 200; steps += 3) {
		struct budget budget = budget_steps(steps, 5);

		change_restart(c);
		scoped_work(c->work, &budget);
		scoped_end(c->work);
	}
	scoped_done(&c->parts);
	scoped_done(&c->whole);
}

START_TEST(transform_in_steps)
{
	struct changing c = { .scope = { .transforms = (struct transform *)&transforms[_i],
					 .n_transforms = 1 } };

	profile = random_profile(_i, 30, 60, 1 + _i % 2);
	c.scope.t1 = profile->t1;
	change_in_steps(&c);
	profile_free(profile);
	profile = story_load(slices);
	c.scope.t1 = profile->t1;
	change_in_steps(&c);
}
END_TEST

/* Frames that stand for files, packages, categories and lanes, after two transforms. */
START_TEST(group_in_steps)
{
	struct changing c = { .scope = { .transforms = (struct transform *)&transforms[2],
					 .n_transforms = 2,
					 .group = (enum view_group)_i } };

	profile = random_profile(_i, 25, 50, 2);
	c.scope.t1 = profile->t1;
	change_in_steps(&c);
	profile_free(profile);
	profile = story_load(slices);
	c.scope.t1 = profile->t1;
	change_in_steps(&c);
}
END_TEST

/* Only lanes: trees stay, and points of flows that are left. */
START_TEST(lanes_in_steps)
{
	struct changing c = { 0 };

	profile = story_load(slices);
	c.scope.is_lane = xcalloc(profile->n_lanes, 1);
	for (uint32_t i = 0; i < profile->n_lanes; i++)
		c.scope.is_lane[i] = i != 1;
	change_in_steps(&c);
	free(c.scope.is_lane);
}
END_TEST

/* Each flow point is looked at twice: whether it is left, and where it stands by lane. */
START_TEST(flows_of_lanes_look)
{
	struct budget budget = budget_steps(UINT64_MAX - 1, 1);
	struct scope scope = { 0 };
	struct scoped scoped;
	struct scoped_work *work;
	struct error err = ERROR_INIT;

	profile = story_load(slices);
	ck_assert_uint_gt(profile->n_flows, 0);
	scope.is_lane = xcalloc(profile->n_lanes, 1);
	scope.is_lane[0] = 1;
	work = scoped_begin(&scoped, profile, &scope, &err);
	ck_assert(scoped_work(work, &budget));
	scoped_end(work);
	ck_assert_uint_ge(UINT64_MAX - 1 - budget.steps, profile->n_lanes + 2 * profile->n_flows);
	scoped_done(&scoped);
	free(scope.is_lane);
}
END_TEST

/* The steps of a transform of a trace of n threads with a function of its own each. */
static uint64_t transform_steps(unsigned n)
{
	const struct scope scope = { .transforms = (struct transform *)transforms,
				     .n_transforms = 1 };
	struct buf text = { 0 };
	struct error err = ERROR_INIT;
	struct budget budget = budget_steps(UINT64_MAX - 1, 1);
	struct scoped scoped;
	struct scoped_work *work;

	for (unsigned i = 1; i <= n; i++)
		buf_addf(&text, "%s{'ph':'X','name':'f%u','pid':1,'tid':%u,'ts':1,'dur':1}",
			 i > 1 ? "," : "[", i, i);
	buf_addc(&text, ']');
	profile_free(profile);
	profile = story_load(buf_text(&text));
	buf_done(&text);
	work = scoped_begin(&scoped, profile, &scope, &err);
	ck_assert(scoped_work(work, &budget));
	scoped_end(work);
	ck_assert_uint_eq(scoped.profile->n_lanes, n);
	ck_assert_uint_eq(scoped.profile->lanes[n - 1].tree.n, 2);
	scoped_done(&scoped);
	return UINT64_MAX - 1 - budget.steps;
}

#define EQUAL 200
#define DEPTH 5

/* Many equal stacks of five calls have five nodes in the end. To look at the children of one of
 * these is work of its own. */
START_TEST(equal_stacks_are_joined_in_steps)
{
	node_id parent[EQUAL * DEPTH + 1] = { 0 }, order[EQUAL * DEPTH + 1];
	frame_id frame[EQUAL * DEPTH + 1] = { FRAME_NONE };
	struct calltree tree;
	struct calltree_work *work;
	bool is_complete;

	for (node_id i = 1; i <= EQUAL * DEPTH; i++) {
		frame[i] = 1 + (i - 1) % DEPTH;
		parent[i] = frame[i] == 1 ? 0 : i - 1;
	}
	work = calltree_begin(&tree, EQUAL * DEPTH + 1, parent, frame, order);
	do {
		struct budget budget = budget_steps(1, EQUAL);
		uint32_t n = tree.n;

		is_complete = calltree_work(work, &budget);
		ck_assert_uint_le(tree.n, n + 1);
	} while (!is_complete);
	calltree_end(work);
	ck_assert_uint_eq(tree.n, 1 + DEPTH);
	ck_assert_uint_eq(order[EQUAL * DEPTH], DEPTH);
	calltree_done(&tree);
}
END_TEST

/* The steps of a view of n lanes of one program with a stack of four calls, with a plan. */
static uint64_t view_steps(uint32_t n, const struct view_plan *plan)
{
	static frame_id frame[] = { FRAME_NONE, 1, 2, 3, 1 };
	static node_id parent[] = { 0, 0, 1, 2, 3 };
	ALLOC_LOCAL const struct lane **lanes = xcalloc(n, sizeof *lanes);
	struct lane lane = { .kind = LANE_SAMPLES, .tree = { .n = 5 } };
	struct budget budget = budget_steps(UINT64_MAX - 1, 1);
	struct view view;
	struct view_work *work;

	lane.tree.parent = parent;
	lane.tree.frame = frame;
	for (uint32_t i = 0; i < n; i++)
		lanes[i] = &lane;
	work = view_begin(&view, profile, lanes, n, plan);
	ck_assert(view_work(work, &budget));
	view_end(work);
	view_done(&view);
	return UINT64_MAX - 1 - budget.steps;
}

/* A pass looks at the budget at each node, and at each lane that gets the nodes of it. */
START_TEST(passes_look)
{
	const struct view_plan as_is = { .group = GROUP_FUNCTION },
			       plan = { .transforms = &transforms[_i], .n_transforms = 1 },
			       groups = { .group = GROUP_FILE };
	uint64_t steps;

	profile = random_profile(1, 30, 60, 1);
	ck_assert_uint_gt(profile->frames.n, 4);
	steps = view_steps(200, &as_is);
	ck_assert_uint_ge(view_steps(200, &groups), steps + 4 * 200 + 200);
	/* A focus leaves fewer nodes to number. */
	if (transforms[_i].kind == TRANSFORM_FOCUS)
		steps = 1000;
	ck_assert_uint_ge(view_steps(200, &plan), steps + 4 * 200 + 200);
}
END_TEST

/* 16 times the lanes take about 16 times as many steps; a pass over all nodes for each lane would
 * make that 256 times. */
START_TEST(transform_costs_what_the_lanes_hold)
{
	uint64_t few = transform_steps(500), many = transform_steps(8000);

	ck_assert_uint_gt(few, 500);
	ck_assert_msg(many < 64 * few, "%lu steps, then %lu", (unsigned long)few,
		      (unsigned long)many);
}
END_TEST

struct counting {
	struct view view;
	struct functions whole, parts;
	struct functions_walk *walk;
};

static void functions_restart(void *ctx)
{
	struct counting *c = ctx;

	functions_done(&c->parts);
	c->walk = functions_begin(&c->parts, &c->view, t0, t1);
}

static bool functions_go_on(void *ctx, struct budget *budget)
{
	return functions_step(((struct counting *)ctx)->walk, budget);
}

static void functions_compare(void *ctx)
{
	struct counting *c = ctx;

	functions_end(c->walk);
	c->walk = NULL;
	ck_assert_int_eq(c->parts.dropped_ns, c->whole.dropped_ns);
	for (uint32_t f = 0; f < c->whole.n; f++) {
		const struct function *is = &c->parts.list[f], *expected = &c->whole.list[f];

		ck_assert_int_eq(is->self, expected->self);
		ck_assert_int_eq(is->total, expected->total);
		ck_assert_uint_eq(is->n_spans, expected->n_spans);
		ck_assert_int_eq(is->spans_ns, expected->spans_ns);
		ck_assert_int_eq(is->longest, expected->longest);
		ck_assert_int_eq(is->longest_t0, expected->longest_t0);
		ck_assert_uint_eq(is->longest_source, expected->longest_source);
		ck_assert_int_eq(is->shortest, expected->shortest);
	}
}

START_TEST(functions_in_steps)
{
	struct counting c = { 0 };

	load(_i);
	open_view(&c.view, NULL, 0);
	functions_init(&c.whole, &c.view, t0, t1);
	with_each_budget(functions_restart, functions_go_on, functions_compare, &c);
	functions_done(&c.whole);
	functions_done(&c.parts);
	view_done(&c.view);
}
END_TEST

#define MANY 400000 /* samples: at once, two threads count them */

START_TEST(functions_in_halves)
{
	struct counting c = { 0 };

	profile = random_profile(_i, 40, MANY, 1);
	t0 = profile->t1 / 20;
	t1 = profile->t1 - profile->t1 / 20;
	view_init_lane(&c.view, profile, &profile->lanes[0]);
	functions_init(&c.whole, &c.view, t0, t1);
	functions_restart(&c);
	functions_go_on(&c, BUDGET_UNLIMITED);
	functions_compare(&c);
	functions_done(&c.whole);
	functions_done(&c.parts);
	view_done(&c.view);
}
END_TEST

#define FUNCTIONS 20000

START_TEST(functions_take_the_memory_that_is_told)
{
	struct builder *b = builder_new(&(struct builder_options){ 0 });
	struct budget one = budget_steps(1, 1);
	int64_t before, most = 0;
	struct error err = ERROR_INIT;
	struct counting c = { 0 };

	builder_input(b, "functions");
	cpu_builder_begin(b);
	for (uint32_t i = 0; i <= FUNCTIONS; i++) {
		char name[16];
		int len = snprintf(name, sizeof name, i ? "f%u" : "(root)", i);
		uint32_t slot = cpu_builder_slot(b, i + 1),
			 node = cpu_builder_node(b, slot, cpu_builder_named(b, name, (size_t)len),
						 -1);

		if (i)
			cpu_builder_parent(b, node, cpu_builder_slot(b, 1));
		cpu_builder_samples(b, &slot, 1);
		cpu_builder_deltas(b, &(int64_t){ 10 }, 1);
	}
	ck_assert(cpu_builder_end(b, 1, 1, &err));
	profile = builder_finish(b, &err);
	view_init_lane(&c.view, profile, &profile->lanes[0]);
	before = alloc_bytes();
	t0 = 0;
	t1 = profile->t1;
	functions_restart(&c);
	for (; !functions_go_on(&c, &one); one = budget_steps(1, 1))
		most = alloc_bytes() > most ? alloc_bytes() : most;
	if (before >= 0)
		ck_assert_int_le(most - before, (int64_t)functions_bytes(&c.view) + 4096);
	functions_end(c.walk);
	functions_done(&c.parts);
	view_done(&c.view);
}
END_TEST

struct covering {
	struct cover *cover;
	struct cover_cell *whole;
	int n_rows;
};

static void column_compare(void *ctx)
{
	struct covering *c = ctx;
	int n_rows;
	const struct cover_cell *cells = cover_column(c->cover, t0, t1, &n_rows);

	ck_assert_int_eq(n_rows, c->n_rows);
	for (int row = 0; row < n_rows; row++) {
		ck_assert_uint_eq(cells[row].node, c->whole[row].node);
		ck_assert_uint_eq(cells[row].parts, c->whole[row].parts);
		ck_assert_int_eq(cells[row].node_ns, c->whole[row].node_ns);
		ck_assert_int_eq(cells[row].all_ns, c->whole[row].all_ns);
	}
}

static void column_restart(void *ctx)
{
	struct covering *c = ctx;

	cover_free(c->cover);
	c->cover = cover_new(&profile->lanes[0]);
}

static bool column_go_on(void *ctx, struct budget *budget)
{
	return cover_make(((struct covering *)ctx)->cover, t0, t1, budget);
}

static void column_init(struct covering *c)
{
	const struct cover_cell *cells;

	*c = (struct covering){ .cover = cover_new(&profile->lanes[0]) };
	cells = cover_column(c->cover, t0, t1, &c->n_rows);
	c->whole = xmalloc((size_t)c->n_rows * sizeof *c->whole);
	memcpy(c->whole, cells, (size_t)c->n_rows * sizeof *c->whole);
}

static void column_done(struct covering *c)
{
	cover_free(c->cover);
	free(c->whole);
}

START_TEST(cover_in_steps)
{
	struct covering c;

	load(_i);
	column_init(&c);
	with_each_budget(column_restart, column_go_on, column_compare, &c);
	column_done(&c);
}
END_TEST

/* Neither its times nor its deepest cells. */
START_TEST(dropped_column_leaves_nothing)
{
	struct covering c;
	bool is_done = false;

	load(_i);
	column_init(&c);
	for (uint64_t steps = 1; !is_done; steps++) {
		struct budget budget = budget_steps(steps, 1);

		column_restart(&c);
		is_done = cover_make(c.cover, 0, profile->t1, &budget);
		column_compare(&c);
	}
	column_done(&c);
}
END_TEST

/* ---- merged calls ---- */

struct merging {
	struct view view;
	struct totals totals;
	frame_id frame; /* FRAME_NONE: left heavy */
	struct profile *whole;
	uint32_t n_levels;
	struct merged *parts;
};

static void merged_restart(void *ctx)
{
	struct merging *m = ctx;

	m->parts = merged_begin(&m->totals,
				m->frame == FRAME_NONE ? MERGED_LEFT_HEAVY : MERGED_SANDWICH,
				m->frame, NULL);
}

static bool merged_go_on(void *ctx, struct budget *budget)
{
	return merged_work(((struct merging *)ctx)->parts, budget);
}

static void merged_compare(void *ctx)
{
	struct merging *m = ctx;
	uint32_t n_levels;
	struct profile *p = merged_end(m->parts, &n_levels, NULL);

	ck_assert_ptr_nonnull(p);
	ck_assert_uint_eq(n_levels, m->n_levels);
	ck_assert_uint_eq(p->n_lanes, m->whole->n_lanes);
	ck_assert_int_eq(p->t1, m->whole->t1);
	ck_assert_uint_eq(p->frames.n, m->whole->frames.n);
	ck_assert_mem_eq(p->frames.frames, m->whole->frames.frames,
			 p->frames.n * sizeof *p->frames.frames);
	for (uint32_t i = 0; i < p->n_lanes; i++) {
		const struct lane *is = &p->lanes[i], *expected = &m->whole->lanes[i];

		same_lane(is, expected);
		for (size_t k = 0; k <= is->samples.n; k++)
			ck_assert_int_eq(samples_time(&is->samples, k),
					 samples_time(&expected->samples, k));
	}
	profile_free(p);
}

/* A view of all lanes. */
static void merging_init(struct merging *m)
{
	open_view(&m->view, NULL, 0);
	totals_init(&m->totals, &m->view);
	totals_compute(&m->totals, t0, t1);
}

static void merging_done(struct merging *m)
{
	profile_free(m->whole);
	totals_done(&m->totals);
	view_done(&m->view);
}

/* The first case is the left heavy view, the others are functions. */
START_TEST(merged_calls_in_steps)
{
	struct merging m = { .frame = FRAME_NONE };

	load(2);
	merging_init(&m);
	if (_i)
		m.frame = m.totals.used[(uint32_t)_i * 5 % m.totals.n_used];
	m.whole = _i ? merged_now(&m.totals, MERGED_SANDWICH, m.frame, &m.n_levels)
		     : merged_now(&m.totals, MERGED_LEFT_HEAVY, FRAME_NONE, NULL);
	with_each_budget(merged_restart, merged_go_on, merged_compare, &m);
	for (uint64_t steps = 1; steps < 400; steps++) {
		struct budget budget = budget_steps(steps, 5);

		merged_restart(&m);
		if (merged_work(m.parts, &budget))
			merged_compare(&m);
		else
			ck_assert_ptr_null(merged_end(m.parts, NULL, NULL));
	}
	merging_done(&m);
}
END_TEST

/* The loops over the nodes of a tree that becomes a lane: count, place and sort the children. Those
 * over the nodes of the lane: open and close each in the walk, six of calltree.c, and their kinds.
 * The last one is over the samples. */
#define LOOPS_NODES 3
#define LOOPS_LANE 9

/* A loop that did not look at the budget would be missing in the number of looks. */
START_TEST(each_loop_of_a_merged_view_looks)
{
	struct budget budget = budget_steps(UINT32_MAX, 1);
	struct merging m = { .frame = FRAME_NONE };
	uint64_t n, looks, least;

	profile = random_profile(7, 3000, 9000, 1);
	t0 = 0;
	t1 = profile->t1;
	merging_init(&m);
	n = m.totals.view->tree->n;
	if (_i)
		m.frame = m.totals.used[0];
	merged_restart(&m);
	ck_assert(merged_work(m.parts, &budget));
	m.whole = merged_end(m.parts, &m.n_levels, NULL);
	looks = UINT32_MAX - budget.steps;
	/* Around a function: find its calls, and its callees. */
	least = _i ? 2 * n : LOOPS_NODES * n;
	for (uint32_t i = 0; i < m.whole->n_lanes; i++) {
		const struct lane *lane = &m.whole->lanes[i];

		/* Add the totals of the nodes; all of them have time. */
		least += _i ? (1 + LOOPS_NODES) * ((uint64_t)lane->tree.n - 1) : 0;
		least += LOOPS_LANE * ((uint64_t)lane->tree.n - 1) + lane->samples.n;
	}
	ck_assert_uint_gt(n, 1000);
	ck_assert_uint_ge(looks, least);
	ck_assert_uint_lt(looks, least + n);
	merging_done(&m);
}
END_TEST

#define WIDE 300 /* children of the root */

struct wide {
	node_id parent[WIDE + 1];
	frame_id frame[WIDE + 1];
	int64_t self[WIDE + 1], total[WIDE + 1];
	struct frame frames[WIDE + 1];
	struct lane lane;
	struct merged_lane *work;
};

static void wide_restart(void *ctx)
{
	struct wide *w = ctx;

	lane_done(&w->lane);
	w->lane = (struct lane){ .kind = LANE_SAMPLES };
	w->work = merged_lane_begin(&(struct merged_tree){ .n = WIDE + 1,
							   .parent = w->parent,
							   .frame = w->frame,
							   .self = w->self,
							   .total = w->total },
				    &w->lane, w->frames);
}

static bool wide_go_on(void *ctx, struct budget *budget)
{
	return merged_lane_work(((struct wide *)ctx)->work, budget);
}

/* The heaviest first; those of equal weight in the order of the tree. */
static void wide_compare(void *ctx)
{
	struct wide *w = ctx;
	const struct calltree *tree = &w->lane.tree;

	merged_lane_free(w->work);
	ck_assert_uint_eq(tree->n, WIDE + 1);
	for (node_id i = 2; i < tree->n; i++) {
		frame_id f = tree->frame[i], before = tree->frame[i - 1];

		ck_assert(w->total[before] > w->total[f] ||
			  (before < f && w->total[before] == w->total[f]));
	}
}

/* A node with more children than are sorted in one step. */
START_TEST(wide_node_in_steps)
{
	struct wide w = { .lane = { .kind = LANE_SAMPLES } };

	random_seed(4);
	for (uint32_t i = 1; i <= WIDE; i++) {
		w.frame[i] = i;
		w.self[i] = w.total[i] = 1 + (int64_t)random_below(100);
		w.total[0] += w.total[i];
	}
	with_each_budget(wide_restart, wide_go_on, wide_compare, &w);
	for (uint64_t steps = 1; steps < 2000; steps += 7) {
		struct budget budget = budget_steps(steps, 5);

		wide_restart(&w);
		merged_lane_work(w.work, &budget);
		merged_lane_free(w.work);
	}
	lane_done(&w.lane);
}
END_TEST

/* ---- findings ---- */

#define FOUND_LANES 6

/* As one result, in steps, and again while it is still being made: of all lanes, or of the busiest
 * ones. */
START_TEST(findings_of_lanes_as_one_result)
{
	const struct lane *lanes[FOUND_LANES];
	struct findings_wanted wanted = { .n_lanes = FOUND_LANES, .lanes = lanes };
	struct findings f = { 0 };
	struct findings_all whole;
	int64_t busy = 0;

	profile = random_profile(3, 12, 200, FOUND_LANES);
	for (uint32_t i = 0; i < FOUND_LANES; i++)
		lanes[i] = &profile->lanes[i];
	wanted.profile = profile;
	wanted.lanes_most = _i ? 2 : 0;
	for (uint64_t steps = 1; steps < 400; steps += 97) {
		struct budget budget = budget_steps(steps, 5);

		wanted.t1 = profile->t1 / 2;
		findings_begin_many(&f, &wanted);
		ck_assert(!findings_work(&f, &budget));
		wanted.t1 = profile->t1;
		findings_begin_many(&f, &wanted);
		do
			budget = budget_steps(1, 5);
		while (!findings_work(&f, &budget));
	}
	findings_all_init(&whole, &wanted);
	ck_assert_uint_eq(whole.n_results, _i ? 2 : FOUND_LANES);
	for (uint32_t i = 0; i < whole.n_results; i++)
		busy += whole.results[i].busy;
	ck_assert_int_eq(f.result.busy, busy);
	ck_assert_uint_gt(f.result.n, 0);
	ck_assert_uint_eq(f.result.n, whole.n_joined);
	for (uint32_t i = 0; i < f.result.n; i++) {
		struct buf text = { 0 };

		findings_tell_joined(&whole, &whole.joined[i], profile, &text);
		ck_assert_str_eq(f.result.list[i].text, buf_text(&text));
		buf_done(&text);
	}
	findings_all_done(&whole);
	findings_done(&f);
}
END_TEST

/* ---- rows ---- */

struct rows_out {
	struct view view;
	struct totals totals;
	enum rows_kind kind;
	enum rows_sort sort;
	frame_id frame; /* FRAME_NONE: a table of all functions */
	struct rows whole, parts;
	size_t at, n_first; /* a row that is opened; rows before */
};

static void table_restart(void *ctx)
{
	struct rows_out *r = ctx;

	rows_done(&r->parts);
	rows_begin(&r->parts, &r->totals, r->kind, r->sort, r->frame);
}

static bool table_go_on(void *ctx, struct budget *budget)
{
	struct rows_out *r = ctx;
	bool is_done = rows_step(&r->parts, budget);

	ck_assert(is_done || r->parts.n == 0);
	return is_done;
}

static void table_compare(void *ctx)
{
	struct rows_out *r = ctx;

	ck_assert_uint_eq(r->parts.n, r->whole.n);
	for (size_t i = 0; i < r->whole.n; i++) {
		const struct row *a = &r->parts.rows[i], *b = &r->whole.rows[i];

		ck_assert_uint_eq(a->frame, b->frame);
		ck_assert_int_eq(a->depth, b->depth);
		ck_assert_int_eq(a->self, b->self);
		ck_assert_int_eq(a->total, b->total);
		ck_assert_int_eq(a->can_open, b->can_open);
		ck_assert_int_eq(a->is_open, b->is_open);
		ck_assert_uint_eq(a->n_items, b->n_items);
		ck_assert(!b->items ||
			  memcmp(a->items, b->items, b->n_items * sizeof *b->items) == 0);
	}
}

/* The function with most rows below it. */
static frame_id widest(struct rows_out *r)
{
	frame_id best = FRAME_NONE;
	size_t most = 0;

	for (uint32_t i = 0; i < r->totals.n_used; i++) {
		rows_init(&r->whole, &r->totals, r->kind, r->sort, r->totals.used[i]);
		if (r->whole.n > most) {
			most = r->whole.n;
			best = r->totals.used[i];
		}
		rows_done(&r->whole);
	}
	ck_assert_uint_gt(most, 2);
	return best;
}

START_TEST(rows_in_steps)
{
	const struct lane *lane;
	struct rows_out r = { .kind = _i & 1 ? ROWS_TOPDOWN : ROWS_BOTTOMUP,
			      .sort = (enum rows_sort)(_i >> 2) };

	load(3);
	lane = &profile->lanes[0];
	view_init(&r.view, profile, &lane, 1);
	totals_init(&r.totals, &r.view);
	totals_compute(&r.totals, t0, t1);
	if (_i & 2) {
		r.frame = widest(&r);
		rows_init(&r.whole, &r.totals, r.kind, r.sort, r.frame);
	} else {
		rows_init(&r.whole, &r.totals, r.kind, r.sort, FRAME_NONE);
	}
	ck_assert_uint_gt(r.whole.n, 2);
	with_each_budget(table_restart, table_go_on, table_compare, &r);
	/* Rows that are not complete are freed. */
	table_restart(&r);
	rows_step(&r.parts, &(struct budget){ .until_ns = INT64_MAX, .steps = 1, .step = 1 });
	rows_done(&r.parts);
	rows_done(&r.whole);
	totals_done(&r.totals);
	view_done(&r.view);
}
END_TEST

/* ---- opening a row ---- */

/* The row with most rows below it, for which there are items to place, to add up and to sort. */
static void open_restart(void *ctx)
{
	struct rows_out *r = ctx;

	rows_done(&r->parts);
	rows_init(&r->parts, &r->totals, r->kind, r->sort, FRAME_NONE);
	ck_assert(rows_open_begin(&r->parts, r->at));
}

/* The row stays closed until the rows below it are there. */
static bool open_go_on(void *ctx, struct budget *budget)
{
	struct rows_out *r = ctx;
	size_t n = r->parts.n;
	bool is_done = rows_open_step(&r->parts, budget);

	ck_assert(is_done == (r->parts.n > n));
	ck_assert(is_done == r->parts.rows[r->at].is_open);
	return is_done;
}

static size_t widest_row(struct rows_out *r)
{
	size_t best = 0, most = 0;

	for (size_t i = 0; i < r->whole.n; i++) {
		size_t n = r->whole.n;

		rows_open(&r->whole, i);
		if (r->whole.n - n > most) {
			most = r->whole.n - n;
			best = i;
		}
		rows_close(&r->whole, i);
	}
	ck_assert_uint_gt(most, 2);
	return best;
}

/* A row that was opened half-way and dropped opens as if it was not, at each place where the work
 * may stop; on the second level, too, where bottom-up rows share their items. */
static void drop_anywhere(struct rows_out *r)
{
	bool is_done = false;

	for (uint64_t steps = 1; !is_done; steps++) {
		struct budget budget = budget_steps(steps, 1), again = budget_steps(steps, 1);

		open_restart(r);
		rows_open_step(&r->parts, &budget);
		rows_open_cancel(&r->parts);
		ck_assert(r->parts.rows[r->at].is_open == (r->parts.n > r->n_first));
		rows_open(&r->parts, r->at);
		table_compare(r);
		rows_open_begin(&r->parts, r->at + 1);
		is_done = rows_open_step(&r->parts, &again);
		rows_open_cancel(&r->parts);
		rows_close(&r->parts, r->at + 1);
		rows_open(&r->parts, r->at + 1);
		rows_open(&r->whole, r->at + 1);
		ck_assert_uint_eq(r->parts.n, r->whole.n);
		for (size_t i = 0; i < r->whole.n; i++) {
			ck_assert_uint_eq(r->parts.rows[i].frame, r->whole.rows[i].frame);
			ck_assert_int_eq(r->parts.rows[i].self, r->whole.rows[i].self);
			ck_assert_int_eq(r->parts.rows[i].total, r->whole.rows[i].total);
		}
		rows_close(&r->whole, r->at + 1);
	}
}

START_TEST(opening_a_row_in_steps)
{
	const struct lane *lane;
	struct rows_out r = { .kind = _i & 1 ? ROWS_TOPDOWN : ROWS_BOTTOMUP,
			      .sort = (enum rows_sort)(_i >> 1) };

	load(3);
	lane = &profile->lanes[0];
	view_init(&r.view, profile, &lane, 1);
	totals_init(&r.totals, &r.view);
	totals_compute(&r.totals, t0, t1);
	rows_init(&r.whole, &r.totals, r.kind, r.sort, FRAME_NONE);
	r.n_first = r.whole.n;
	r.at = widest_row(&r);
	rows_done(&r.whole);
	rows_init(&r.whole, &r.totals, r.kind, r.sort, FRAME_NONE);
	rows_open(&r.whole, r.at);
	with_each_budget(open_restart, open_go_on, table_compare, &r);
	drop_anywhere(&r);
	/* Each item counts: at least one look for each, in each of the passes. */
	open_restart(&r);
	ck_assert_int_ge(until_done(open_go_on, &r, 1, 1),
			 2 * (int)(r.parts.rows[r.at].n_items + r.whole.n - r.n_first));
	open_restart(&r);
	rows_open_step(&r.parts, &(struct budget){ .until_ns = INT64_MAX, .steps = 1, .step = 1 });
	rows_done(&r.parts);
	rows_done(&r.whole);
	totals_done(&r.totals);
	view_done(&r.view);
}
END_TEST

/* ---- sorting ---- */

#define ITEMS 300

struct sorting_out {
	uint32_t list[ITEMS], given[ITEMS], expected[ITEMS];
	struct sorting *sorting;
};

/* By the lower bits only, so that many are equal. */
static bool is_lower(const void *a, const void *b, const void *ctx)
{
	(void)ctx;
	return (*(const uint32_t *)a & 15) < (*(const uint32_t *)b & 15);
}

static void sort_restart(void *ctx)
{
	struct sorting_out *s = ctx;

	sort_end(s->sorting);
	memcpy(s->list, s->given, sizeof s->list);
	s->sorting = sort_begin(s->list, ITEMS, sizeof *s->list, is_lower, NULL);
}

static bool sort_go_on(void *ctx, struct budget *budget)
{
	return sort_step(((struct sorting_out *)ctx)->sorting, budget);
}

static void sort_compare(void *ctx)
{
	struct sorting_out *s = ctx;

	ck_assert_mem_eq(s->list, s->expected, sizeof s->list);
}

START_TEST(sort_in_steps)
{
	struct sorting_out s = { 0 };

	random_seed(_i);
	/* All in order; in order except for the last part; random. */
	for (uint32_t i = 0; i < ITEMS; i++)
		s.given[i] = _i == 0 || (_i == 1 && i < 290) ? i << 4 | i / 20
							     : (uint32_t)random_below(4096);
	memcpy(s.expected, s.given, sizeof s.expected);
	sort_stable(s.expected, ITEMS, sizeof *s.expected, is_lower, NULL);
	with_each_budget(sort_restart, sort_go_on, sort_compare, &s);
	sort_end(s.sorting);
}
END_TEST

/* ---- searches ---- */

static void find(struct search *search, const char *text)
{
	struct error err = ERROR_INIT;

	ck_assert(search_init(search, profile, text, strlen(text), false, &err));
}

struct finding_out {
	struct search whole, parts;
	struct search_count count_whole, count_parts;
	uint32_t lanes[3];
};

static void match_restart(void *ctx)
{
	struct finding_out *f = ctx;

	search_done(&f->parts);
	find(&f->parts, "f[135]|idle");
}

static bool match_go_on(void *ctx, struct budget *budget)
{
	return search_match(&((struct finding_out *)ctx)->parts, budget);
}

static void match_compare(void *ctx)
{
	struct finding_out *f = ctx;

	ck_assert_uint_eq(f->parts.n_functions, f->whole.n_functions);
	ck_assert_mem_eq(f->parts.matches, f->whole.matches, profile->frames.n);
}

static void prepare_restart(void *ctx)
{
	struct finding_out *f = ctx;

	match_restart(ctx);
	search_match(&f->parts, BUDGET_UNLIMITED);
}

static bool prepare_go_on(void *ctx, struct budget *budget)
{
	struct finding_out *f = ctx;

	return search_prepare(&f->parts, profile->n_lanes - 1, budget);
}

static void prepare_compare(void *ctx)
{
	struct finding_out *f = ctx;
	const struct search_lane *is = search_lane(&f->parts, profile->n_lanes - 1),
				 *expected = search_lane(&f->whole, profile->n_lanes - 1);
	uint32_t n = expected->lane->tree.n;

	ck_assert_mem_eq(is->near, expected->near, n * sizeof *is->near);
	ck_assert_mem_eq(is->deep, expected->deep, n * sizeof *is->deep);
	ck_assert_mem_eq(is->n, expected->n, n * sizeof *is->n);
}

static void count_restart(void *ctx)
{
	struct finding_out *f = ctx;

	search_count_done(&f->count_parts);
	search_count_init(&f->count_parts, f->lanes, profile->n_lanes, t0, t1);
}

static bool count_go_on(void *ctx, struct budget *budget)
{
	struct finding_out *f = ctx;

	return search_count_step(&f->count_parts, &f->whole, budget);
}

static void count_compare(void *ctx)
{
	struct finding_out *f = ctx;

	ck_assert_uint_eq(f->count_parts.n_spans, f->count_whole.n_spans);
	ck_assert_uint_eq(f->count_parts.n_functions, f->count_whole.n_functions);
	ck_assert_int_eq(f->count_parts.ns, f->count_whole.ns);
	ck_assert_int_eq(f->count_parts.matched_idle_ns, f->count_whole.matched_idle_ns);
	ck_assert_int_eq(f->count_parts.sampled_ns, f->count_whole.sampled_ns);
	ck_assert_int_eq(f->count_parts.idle_ns, f->count_whole.idle_ns);
	ck_assert(f->count_parts.is_complete);
}

START_TEST(search_in_steps)
{
	struct finding_out f = { .lanes = { 0, 1, 2 } };

	load(_i);
	find(&f.whole, "f[135]|idle");
	search_match(&f.whole, BUDGET_UNLIMITED);
	with_each_budget(match_restart, match_go_on, match_compare, &f);
	with_each_budget(prepare_restart, prepare_go_on, prepare_compare, &f);
	search_count_init(&f.count_whole, f.lanes, profile->n_lanes, t0, t1);
	search_count_step(&f.count_whole, &f.whole, BUDGET_UNLIMITED);
	ck_assert_uint_gt(f.count_whole.n_spans, 0);
	with_each_budget(count_restart, count_go_on, count_compare, &f);
	search_count_done(&f.count_whole);
	search_count_done(&f.count_parts);
	search_done(&f.whole);
	search_done(&f.parts);
}
END_TEST

/* A count that its last step completes says so at once. */
START_TEST(count_is_complete_after_its_last_step)
{
	struct budget budget = budget_steps(1, UINT32_MAX);
	struct search_count count;
	struct search search;
	uint32_t lane = 0;

	load(_i);
	find(&search, "f[135]|idle");
	search_match(&search, BUDGET_UNLIMITED);
	search_count_init(&count, &lane, 1, t0, t1);
	ck_assert(search_count_step(&count, &search, &budget));
	ck_assert(count.is_complete);
	ck_assert_uint_gt(count.n_spans, 0);
	search_count_done(&count);
	search_done(&search);
}
END_TEST

struct rows_of_matches {
	struct search search;
	struct match_rows *rows, *whole;
};

static void rows_restart(void *ctx)
{
	struct rows_of_matches *r = ctx;

	match_rows_free(r->rows);
	r->rows = match_rows_new(search_lane(&r->search, 0));
}

static bool rows_go_on(void *ctx, struct budget *budget)
{
	return match_rows_make(((struct rows_of_matches *)ctx)->rows, t0, t1, budget);
}

static void rows_compare(void *ctx)
{
	struct rows_of_matches *r = ctx;

	match_rows_make(r->rows, t0, t1, BUDGET_UNLIMITED);
	for (int depth = 0; depth < profile->lanes[0].tree.max_rows; depth++)
		ck_assert(match_rows_has(r->rows, t0, t1, depth) ==
			  match_rows_has(r->whole, t0, t1, depth));
}

START_TEST(match_rows_in_steps)
{
	struct rows_of_matches r = { 0 };
	bool is_done = false;

	load(_i);
	find(&r.search, "f[24]");
	search_match(&r.search, BUDGET_UNLIMITED);
	r.whole = match_rows_new(search_lane(&r.search, 0));
	ck_assert_ptr_nonnull(r.whole);
	ck_assert(match_rows_make(r.whole, t0, t1, BUDGET_UNLIMITED));
	with_each_budget(rows_restart, rows_go_on, rows_compare, &r);
	for (uint64_t steps = 1; !is_done; steps++) {
		struct budget budget = budget_steps(steps, 1);

		rows_restart(&r);
		is_done = match_rows_make(r.rows, 0, profile->t1, &budget);
		rows_compare(&r);
	}
	match_rows_free(r.rows);
	match_rows_free(r.whole);
	search_done(&r.search);
}
END_TEST

/* ---- pictures ---- */

struct picture {
	struct chart chart;
	struct chart_lane lanes[3];
	struct viewport view;
	struct overview overview;
	struct search search;
	struct grid grid;
	char *whole;
};

static const struct rect strip = { 0, 0, 30, COLS };

static char *drawn(struct picture *p)
{
	struct buf text = { 0 };

	grid_init(&p->grid, strip.rows, COLS);
	chart_draw_lanes(&p->grid, strip, &p->chart);
	grid_format(&p->grid, true, &text);
	grid_init(&p->grid, 2, COLS);
	overview_draw(&p->grid, (struct rect){ 0, 0, 2, COLS }, &p->chart);
	grid_format(&p->grid, true, &text);
	return text.data;
}

static void picture_restart(void *ctx)
{
	struct picture *p = ctx;

	for (uint32_t i = 0; i < profile->n_lanes; i++) {
		cover_free(p->lanes[i].cover);
		p->lanes[i] = (struct chart_lane){ .lane = &profile->lanes[i],
						   .cover = cover_new(&profile->lanes[i]),
						   .is_open = true };
	}
	viewport_init(&p->view, 0, profile->t1);
	viewport_set(&p->view, t0, t1);
	p->chart = (struct chart){ .profile = profile,
				   .lanes = p->lanes,
				   .n_lanes = (int)profile->n_lanes,
				   .view = &p->view,
				   .overview = &p->overview,
				   .lane = -1 };
	overview_begin(&p->overview, &p->chart, COLS);
	overview_begin_marks(&p->overview);
}

static bool picture_go_on(void *ctx, struct budget *budget)
{
	struct picture *p = ctx;

	return chart_prepare(&p->chart, strip, budget) &&
		overview_make(&p->overview, &p->chart, budget) &&
		overview_mark(&p->overview, &p->chart, &p->search, budget);
}

static void picture_compare(void *ctx)
{
	struct picture *p = ctx;
	char *is = drawn(p);

	ck_assert_str_eq(is, p->whole);
	free(is);
}

START_TEST(chart_in_steps)
{
	struct picture p = { 0 };

	load(_i);
	find(&p.search, "f[24]");
	search_match(&p.search, BUDGET_UNLIMITED);
	picture_restart(&p);
	picture_go_on(&p, BUDGET_UNLIMITED);
	p.whole = drawn(&p);
	with_each_budget(picture_restart, picture_go_on, picture_compare, &p);
	for (uint32_t i = 0; i < profile->n_lanes; i++)
		cover_free(p.lanes[i].cover);
	overview_done(&p.overview);
	search_done(&p.search);
	grid_done(&p.grid);
	free(p.whole);
}
END_TEST

/* ---- the interface ---- */

struct using
{
	const char *keys;
	struct app *app;
	char *whole;
	void (*begin)(struct app * app); /* or NULL */
	bool (*work)(struct app * app, struct budget * budget);
	bool (*is_busy)(const struct app *app);
};

static struct app *app_with(const char *keys)
{
	struct app *app = app_new(profile, &(struct app_options){ 0 });
	struct error err = ERROR_INIT;

	app_resize(app, 40, 120);
	ck_assert_msg(script_play(&app, keys, NULL, &err), "%s", err.text);
	return app;
}

static char *screen_of(struct app *app)
{
	struct grid grid = { 0 };
	struct buf text = { 0 };

	app_update(app, BUDGET_UNLIMITED);
	app_draw(app, &grid);
	grid_format(&grid, true, &text);
	grid_done(&grid);
	return text.data;
}

static void use_restart(void *ctx)
{
	struct using *u = ctx;

	app_free(u->app);
	u->app = app_with(u->keys);
	/* The counts of the search are of the range before. */
	app_command(u->app, CMD_ZOOM_IN, 1);
	if (u->begin)
		u->begin(u->app);
	if (strchr(u->keys, '&')) {
		struct search *search = &u->app->filter.target.search;

		search_done(search);
		find(search, "f[24]");
		pane_set_filter(&u->app->pane, NULL);
	}
}

static bool use_go_on(void *ctx, struct budget *budget)
{
	struct using *u = ctx;

	u->work(u->app, budget);
	return !u->is_busy(u->app);
}

static bool is_unfinished(const struct app *app)
{
	return app->is_unfinished;
}

static void use_compare(void *ctx)
{
	struct using *u = ctx;
	char *is = screen_of(u->app);

	ck_assert_str_eq(is, u->whole);
	free(is);
}

/* A transform that the key only begins. */
static void change_begin(struct app *app)
{
	app->key_ns = 0;
	app_command(app, CMD_DROP_IDLE, 1);
}

/* Views that the key only begins. */
static void merged_view_begin(struct app *app)
{
	app->key_ns = 0;
	app_command(app, CMD_VIEW_MERGED, 1);
}

static void sandwich_begin(struct app *app)
{
	app->key_ns = 0;
	app_command(app, CMD_VIEW_SANDWICH, 1);
}

/* The panes are about other lanes. */
static void all_lanes_begin(struct app *app)
{
	app_command(app, CMD_ALL_LANES, 1);
	ck_assert_uint_eq(app->pane.totals.n_used, 0);
}

static const struct using uses[] = {
	{ .keys = "5",
	  .begin = change_begin,
	  .work = transforms_work,
	  .is_busy = transforms_is_busy },
	{ .keys = "", .begin = merged_view_begin, .work = views_work, .is_busy = views_is_busy },
	{ .keys = "", .begin = sandwich_begin, .work = views_work, .is_busy = views_is_busy },
	{ .keys = "2", .begin = sandwich_begin, .work = views_work, .is_busy = views_is_busy },
	{ .keys = "5", .work = app_update, .is_busy = is_unfinished },
	{ .keys = "4", .begin = all_lanes_begin, .work = app_update, .is_busy = is_unfinished },
	{ .keys = "5", .begin = all_lanes_begin, .work = app_update, .is_busy = is_unfinished },
	{ .keys = "7", .begin = all_lanes_begin, .work = app_update, .is_busy = is_unfinished },
	{ .keys = "6/f[24]<Enter>", .work = app_update, .is_busy = is_unfinished },
	{ .keys = "/f[24]<Enter>", .work = finder_work, .is_busy = finder_is_busy },
	{ .keys = "5&f[24]<Enter>", .work = finder_work, .is_busy = finder_is_busy },
	{ .keys = "7&f[24]<Enter>", .work = finder_work, .is_busy = finder_is_busy },
};

START_TEST(interface_in_steps)
{
	struct using u = uses[_i];

	load(1);
	use_restart(&u);
	u.work(u.app, BUDGET_UNLIMITED);
	u.whole = screen_of(u.app);
	with_each_budget(use_restart, use_go_on, use_compare, &u);
	app_free(u.app);
	free(u.whole);
}
END_TEST

/* The view of all lanes is made in steps of single nodes, too, and may be dropped half-made. */
START_TEST(view_of_the_panes_in_steps)
{
	struct screen_layout layout;
	struct app *app;
	uint32_t n = 0;

	load(2);
	for (uint32_t i = 0; i < profile->n_lanes; i++)
		n += profile->lanes[i].tree.n;
	app = app_with("5");
	app_update(app, BUDGET_UNLIMITED);
	app_command(app, CMD_ALL_LANES, 1);
	state_layout(app, &layout);
	for (uint32_t i = 0; i < n; i++) {
		struct budget look = budget_steps(1, 1);

		ck_assert(!panes_update(app, &layout.pane, &look));
		ck_assert(!app->pane.has_view);
	}
	if (_i) {
		ck_assert(panes_update(app, &layout.pane, BUDGET_UNLIMITED));
		ck_assert(app->pane.has_view);
	}
	app_free(app);
}
END_TEST

/* The pane of functions counts a few steps of samples at once only while there is time. */
START_TEST(functions_at_once_see_the_deadline)
{
	struct budget now = budget_ns(0);
	struct app *app;

	profile = random_profile(1, 40, 40000, 1);
	app = app_with("5");
	app_update(app, BUDGET_UNLIMITED);
	app_command(app, CMD_FUNCTIONS, 1);
	app_update(app, _i ? &now : BUDGET_UNLIMITED);
	ck_assert(app->function_list.has_walk);
	ck_assert_int_eq(app->function_list.walk != NULL, _i);
	app_free(app);
}
END_TEST

static void add_tests(Suite *suite)
{
	TCase *t = suite_case(suite, "budget", SUITE_SECONDS);

	tcase_add_test(t, steps_are_counted);
	tcase_add_test(t, small_work_adds_up_to_a_step);
	tcase_add_test(t, deadline_passes);
	tcase_add_test(t, unlimited_is_never_spent);
	t = suite_case(suite, "loops", SUITE_SECONDS);
	tcase_add_checked_fixture(t, setup, teardown);
	tcase_add_loop_test(t, sort_in_steps, 0, 4);
	tcase_add_loop_test(t, rows_in_steps, 0, 3 << 2);
	tcase_add_loop_test(t, opening_a_row_in_steps, 0, 6);
	tcase_add_loop_test(t, totals_in_steps, 0, SEEDS);
	tcase_add_loop_test(t, call_tree_in_steps, 0, SEEDS);
	tcase_add_test(t, blocks_in_steps);
	tcase_add_loop_test(t, links_in_steps, 0, SEEDS);
	tcase_add_loop_test(t, transform_in_steps, 0, N(transforms));
	tcase_add_loop_test(t, group_in_steps, GROUP_FILE, GROUP_COUNT);
	tcase_add_test(t, lanes_in_steps);
	tcase_add_test(t, flows_of_lanes_look);
	tcase_add_test(t, equal_stacks_are_joined_in_steps);
	tcase_add_loop_test(t, passes_look, 0, N(transforms));
	tcase_add_test(t, transform_costs_what_the_lanes_hold);
	tcase_add_loop_test(t, merged_calls_in_steps, 0, SEEDS);
	tcase_add_loop_test(t, each_loop_of_a_merged_view_looks, 0, 2);
	tcase_add_test(t, wide_node_in_steps);
	tcase_add_loop_test(t, findings_of_lanes_as_one_result, 0, 2);
	tcase_add_loop_test(t, functions_in_steps, 0, SEEDS);
	tcase_add_loop_test(t, functions_in_halves, 0, 2);
	tcase_add_test(t, functions_take_the_memory_that_is_told);
	tcase_add_loop_test(t, cover_in_steps, 0, SEEDS);
	tcase_add_loop_test(t, dropped_column_leaves_nothing, 0, SEEDS);
	tcase_add_loop_test(t, search_in_steps, 0, SEEDS);
	tcase_add_loop_test(t, count_is_complete_after_its_last_step, 0, SEEDS);
	tcase_add_loop_test(t, match_rows_in_steps, 0, SEEDS);
	tcase_add_loop_test(t, chart_in_steps, 0, SEEDS);
	tcase_add_loop_test(t, interface_in_steps, 0, N(uses));
	tcase_add_loop_test(t, view_of_the_panes_in_steps, 0, 2);
	tcase_add_loop_test(t, functions_at_once_see_the_deadline, 0, 2);
}

int main(void)
{
	return suite_run("budget", add_tests);
}
