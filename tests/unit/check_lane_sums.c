/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reports on many small lanes: each lane costs as much as its nodes, and not as much as the
 * profile has functions. */
#include "config.h"

#include "write/report/report_json.c"

#include "story.h"
#include "suite.h"

#define THREADS 300u
#define LAYERS 200u

/* Threads with three functions each: two of their own, which only the first half of each thread's
 * time has, and one that all of them call. */
static struct profile *load_threads(void)
{
	struct buf text = { 0 };
	struct profile *p;

	buf_addc(&text, '[');
	for (unsigned i = 1; i <= THREADS; i++)
		buf_addf(&text,
			 "%s{'ph':'X','name':'own %u','pid':1,'tid':%u,'ts':0,'dur':%u},"
			 "{'ph':'X','name':'leaf %u','pid':1,'tid':%u,'ts':0,'dur':10},"
			 "{'ph':'X','name':'shared','pid':1,'tid':%u,'ts':100,'dur':%u}",
			 i > 1 ? "," : "", i, i, 20 + i % 7, i, i, i, 1 + i % 5);
	buf_addc(&text, ']');
	p = story_load(buf_text(&text));
	ck_assert_uint_eq(p->n_lanes, THREADS);
	buf_done(&text);
	return p;
}

/* One thread with slices that overlap, each of a function of its own. */
static struct profile *load_layers(void)
{
	struct buf text = { 0 };
	struct profile *p;

	buf_addc(&text, '[');
	for (unsigned i = 0; i < LAYERS; i++)
		buf_addf(&text, "%s{'ph':'X','name':'f%u','pid':1,'tid':1,'ts':%u,'dur':1000}",
			 i ? "," : "", i, 2 * i);
	buf_addc(&text, ']');
	p = story_load(buf_text(&text));
	ck_assert_uint_eq(p->n_lanes, LAYERS);
	buf_done(&text);
	return p;
}

START_TEST(view_of_a_small_lane_has_the_frames_of_its_nodes)
{
	struct profile *p = load_threads();

	for (uint32_t i = 0; i < p->n_lanes; i++) {
		const struct calltree *tree = &p->lanes[i].tree;
		struct view v;

		view_init_lane(&v, p, &p->lanes[i]);
		ck_assert_uint_eq(v.n_frames, 4);
		ck_assert_uint_eq(view_frame_id(&v, FRAME_NONE), FRAME_NONE);
		for (frame_id f = 1; f < v.n_frames; f++)
			ck_assert_uint_gt(view_frame_id(&v, f), view_frame_id(&v, f - 1));
		for (node_id k = 1; k < tree->n; k++) {
			frame_id f = v.tree->frame[k];

			ck_assert_uint_eq(view_frame_id(&v, f), tree->frame[k]);
			ck_assert_uint_eq(v.frames[f].name, p->frames.frames[tree->frame[k]].name);
		}
		view_done(&v);
	}
	profile_free(p);
}
END_TEST

START_TEST(view_of_a_large_lane_is_the_lane)
{
	struct profile *p = story_load("[{'ph':'X','name':'a','pid':1,'tid':1,'ts':0,'dur':9}]");
	struct view v;

	view_init_lane(&v, p, &p->lanes[0]);
	ck_assert_ptr_eq(v.tree, &p->lanes[0].tree);
	ck_assert_ptr_eq(v.frames, p->frames.frames);
	ck_assert_uint_eq(view_frame_id(&v, 1), 1);
	view_done(&v);
	profile_free(p);
}
END_TEST

START_TEST(view_of_a_counter_has_only_a_root)
{
	struct buf text = { 0 };
	struct profile *p;
	struct view v;

	buf_adds(&text, "[{'ph':'C','name':'c','pid':1,'ts':0,'args':{'v':1}}");
	for (unsigned i = 0; i < 100; i++)
		buf_addf(&text, ",{'ph':'X','name':'f%u','pid':1,'tid':1,'ts':%u,'dur':1}", i, i);
	buf_addc(&text, ']');
	p = story_load(buf_text(&text));
	for (uint32_t i = 0; i < p->n_lanes; i++) {
		if (p->lanes[i].kind != LANE_COUNTER)
			continue;
		view_init_lane(&v, p, &p->lanes[i]);
		ck_assert_uint_eq(v.n_sources, 0);
		ck_assert_uint_eq(v.tree->n, 1);
		ck_assert_uint_eq(v.tree->frame[NODE_ROOT], FRAME_NONE);
		ck_assert_uint_eq(v.n_frames, p->frames.n);
		view_done(&v);
	}
	profile_free(p);
	buf_done(&text);
}
END_TEST

/* Only frames of the tree have arrays while it is built. */
START_TEST(tree_of_few_nodes_ignores_how_many_frames_there_are)
{
	const frame_id far = 10000000, frame[] = { 0, far, 5, far, 7, far };
	node_id parent[] = { 0, 0, 1, 0, 3, 2 }, order[6];
	int64_t before = alloc_bytes(), most = 0;
	struct calltree tree;
	struct calltree_work *w = calltree_begin(&tree, 6, parent, frame, order);

	for (struct budget step = budget_steps(1, 1); !calltree_work(w, &step);
	     step = budget_steps(1, 1))
		if (alloc_bytes() - before > most)
			most = alloc_bytes() - before;
	ck_assert_uint_eq(calltree_end(w), 0);
	ck_assert_int_lt(most, 4096);
	/* The two calls of `far` by the root are one. */
	ck_assert_uint_eq(tree.n, 5);
	ck_assert_uint_eq(order[3], order[1]);
	for (int i = 0; i < 6; i++)
		ck_assert_uint_eq(tree.frame[order[i]], frame[i]);
	ck_assert(tree.is_outer[order[1]]);
	ck_assert(!tree.is_outer[order[5]]);
	calltree_done(&tree);
}
END_TEST

/* The sums of the frames of a lane alone, from a view with all frames. */
static void check_lane(const struct lane_sums *o, const struct profile *p, const struct lane *lane,
		       const struct scope *s)
{
	struct functions functions;
	struct totals totals;
	struct totals_counts counts;
	struct view view;
	uint32_t n = 0;

	view_init(&view, p, &lane, 1);
	totals_init(&totals, &view);
	totals_compute(&totals, s->t0, s->t1);
	totals_counts(&totals, &counts);
	functions_init(&functions, &view, s->t0, s->t1);
	for (frame_id f = 1; f < p->frames.n; f++) {
		const struct function *fn = &functions.list[f];
		const struct row_sum *sum = &o->sums[f];

		ck_assert_int_eq(sum->self, totals.frame_self[f]);
		ck_assert_int_eq(sum->total, totals.frame_total[f]);
		ck_assert_uint_eq(sum->counts.n_spans, counts.spans[f]);
		ck_assert_uint_eq(sum->self_samples, counts.self_samples[f]);
		ck_assert_int_eq(sum->counts.longest, fn->longest);
		ck_assert_int_eq(sum->counts.shortest, fn->shortest);
		ck_assert_int_eq(sum->counts.spans_ns, fn->spans_ns);
		ck_assert_uint_eq(sum->counts.n_spans, fn->n_spans);
		ck_assert_int_eq(sum->is_used, totals.frame_total[f] > 0 || counts.is_used[f]);
		if (sum->is_used) {
			n++;
			ck_assert_uint_eq(o->order[o->index[f]], f);
		} else {
			ck_assert_uint_eq(o->index[f], 0);
		}
	}
	ck_assert_uint_eq(o->n, n);
	ck_assert_int_eq(o->sampled_ns, totals.sampled_ns);
	functions_done(&functions);
	totals_counts_done(&counts);
	totals_done(&totals);
	view_done(&view);
}

/* Nothing of a lane is left when the next is computed. */
START_TEST(sums_are_those_of_the_lane_alone)
{
	struct profile *p = load_threads();
	struct scoped scoped;
	struct error err = ERROR_INIT;
	struct report_options options = { 0 };
	struct lane_sums o;

	scope_all(&options.scope, p);
	if (_i)
		options.scope.t1 = 60000;
	ck_assert(scoped_init(&scoped, p, &options.scope, &err));
	lane_sums_init(&o, &scoped, &options);
	for (uint32_t i = 0; i < p->n_lanes; i++) {
		lane_sums_compute(&o, &p->lanes[i]);
		ck_assert_uint_eq(o.n_lanes, 1);
		ck_assert_uint_le(o.n_frames, 3);
		check_lane(&o, p, &p->lanes[i], &options.scope);
	}
	lane_sums_done(&o);
	scoped_done(&scoped);
	scope_done(&options.scope);
	profile_free(p);
}
END_TEST

START_TEST(joined_lanes_take_the_memory_of_one_at_a_time)
{
	struct profile *p = load_layers();
	struct report_options options = { 0 };
	int64_t before, bytes = 0;
	struct scoped scoped;
	struct error err = ERROR_INIT;
	struct lane_sums o;

	scope_all(&options.scope, p);
	ck_assert(scoped_init(&scoped, p, &options.scope, &err));
	lane_sums_init(&o, &scoped, &options);
	before = alloc_bytes();
	lane_sums_compute(&o, &p->lanes[0]);
	ck_assert_uint_eq(o.n_lanes, LAYERS);
	ck_assert_uint_eq(o.n, LAYERS);
	for (uint32_t i = 0; i < o.n_lanes; i++) {
		const struct totals *totals = lane_sums_totals(&o, i);

		ck_assert_uint_eq(totals->n_used, 1);
		ck_assert_int_eq(totals->frame_self[totals->used[0]], 1000000);
		/* Each slice begins 2 us after the one that it overlaps. The first lane has the
		 * time of the thread. */
		ck_assert_int_eq(totals->sampled_ns, i == 0 ? 1000000 + (LAYERS - 1) * 2000 : 0);
		ck_assert_uint_lt(o.index[view_frame_id(&o.view, totals->used[0])], LAYERS);
		if (alloc_bytes() - before > bytes)
			bytes = alloc_bytes() - before;
	}
	ck_assert_int_lt(bytes, 8192);
	lane_sums_done(&o);
	scoped_done(&scoped);
	scope_done(&options.scope);
	profile_free(p);
}
END_TEST

static void add_tests(Suite *suite)
{
	TCase *t = suite_case(suite, "cost", SUITE_SECONDS);

	tcase_add_test(t, view_of_a_small_lane_has_the_frames_of_its_nodes);
	tcase_add_test(t, view_of_a_large_lane_is_the_lane);
	tcase_add_test(t, view_of_a_counter_has_only_a_root);
	tcase_add_test(t, tree_of_few_nodes_ignores_how_many_frames_there_are);
	tcase_add_loop_test(t, sums_are_those_of_the_lane_alone, 0, 2);
	tcase_add_test(t, joined_lanes_take_the_memory_of_one_at_a_time);
}

int main(void)
{
	return suite_run("lane_sums", add_tests);
}
