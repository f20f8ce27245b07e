/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Spans and the call tree of random samples, compared with what walks along samples and parents
 * find. */
#include "config.h"

#include "suite.h"

#include "base/alloc.h"
#include "model/blocks.h"
#include "model/span.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>

#define N_NODES 360u
#define DEEP 300u /* rows of the deepest stack of every other tree: shared rows need two bytes */

static uint32_t seed;

static uint32_t below(uint32_t n)
{
	seed = seed * 1664525u + 1013904223u;
	return (seed >> 8) % n;
}

static struct calltree tree;
static struct samples samples;

/* A random tree, and n samples of it; some have no length. */
static void make(size_t n)
{
	node_id parent[N_NODES], order[N_NODES];
	frame_id frame[N_NODES];
	uint16_t *shared;
	int64_t *t = xcalloc(n + 1, sizeof *t);
	bool is_deep = below(2);

	parent[0] = frame[0] = 0;
	for (uint32_t i = 1; i < N_NODES; i++) {
		parent[i] = is_deep && i <= DEEP ? i - 1 : below(i < 60 ? i : 60);
		frame[i] = i;
	}
	calltree_build(&tree, N_NODES, parent, frame, order);
	samples = (struct samples){ .n = n,
				    .leaf = xcalloc(n, sizeof *samples.leaf),
				    .shared = xcalloc(n, sizeof *samples.shared) };
	shared = samples.shared;
	for (size_t i = 0; i < n; i++) {
		/* Long runs of deep samples make the search go up several levels. */
		samples.leaf[i] = below(100) || i == 0 ? below(N_NODES) : NODE_ROOT;
		if (i > 0 && below(4))
			samples.leaf[i] = samples.leaf[i - 1];
		t[i + 1] = t[i] + below(3);
	}
	times_pack(&samples.times, t, n + 1, 0);
	for (size_t i = 0; i + 1 < n; i++)
		shared[i] = tree.rows[calltree_common(&tree, samples.leaf[i], samples.leaf[i + 1])];
	samples_index(&samples, &tree, NULL);
	ck_assert(is_deep ? samples.shared != NULL : samples.shared_byte != NULL);
}

static void done(void)
{
	samples_done(&samples);
	calltree_done(&tree);
}

static node_id naive_ancestor(node_id node, unsigned rows)
{
	while (tree.rows[node] > rows)
		node = tree.parent[node];
	return node;
}

/* The span of sample i at a depth, found by walking. */
static bool naive_span(size_t i, int depth, struct span *out)
{
	unsigned rows = (unsigned)depth + 1;
	size_t first = i, end = i + 1;

	if (tree.rows[samples.leaf[i]] < rows)
		return false;
	while (first > 0 && samples_shared(&samples, first - 1) >= rows)
		first--;
	while (end < samples.n && samples_shared(&samples, end - 1) >= rows)
		end++;
	*out = (struct span){ .node = naive_ancestor(samples.leaf[i], rows),
			      .depth = depth,
			      .t0 = samples_time(&samples, first),
			      .t1 = samples_time(&samples, end),
			      .first = first,
			      .end = end };
	return true;
}

static void check_same(bool is, const struct span *a, bool is_naive, const struct span *b)
{
	ck_assert(is == is_naive);
	if (is)
		ck_assert(a->node == b->node && a->depth == b->depth && a->first == b->first &&
			  a->end == b->end && a->t0 == b->t0 && a->t1 == b->t1);
}

/* A depth that some samples have, or nearly. */
static int some_depth(void)
{
	return (int)(tree.max_rows > DEEP && below(2) ? below(DEEP + 10) : below(8));
}

/* Sample counts around the groups of 64. */
static const size_t counts[] = { 1, 2, 63, 64, 65, 128, 1000, 4096, 4097, 9000 };

START_TEST(a_span_reaches_as_far_as_its_rows_are_shared)
{
	struct span span, naive;

	seed = (uint32_t)_i + 1;
	make(counts[_i]);
	for (int k = 0; k < 2000; k++) {
		size_t i = below((uint32_t)samples.n);
		int depth = some_depth();
		bool is_naive = naive_span(i, depth, &naive);

		check_same(span_of_sample(&samples, &tree, i, depth, &span), &span, is_naive,
			   &naive);
	}
	ck_assert(!span_of_sample(&samples, &tree, 0, -1, &span));
	ck_assert(!span_of_sample(&samples, &tree, samples.n, 0, &span));
	done();
}
END_TEST

START_TEST(a_time_belongs_to_the_last_sample_that_began)
{
	struct span span, naive;

	seed = (uint32_t)_i + 50;
	make(counts[_i]);
	for (int64_t t = -1; t <= samples_time(&samples, samples.n) + 1; t++) {
		size_t i = samples.n;
		bool is_inside = t >= 0 && t < samples_time(&samples, samples.n);

		while (i > 0 && samples_time(&samples, --i) > t)
			;
		if (is_inside)
			ck_assert_uint_eq(samples_find(&samples, t), i);
		check_same(span_at(&samples, &tree, 0, t, &span), &span,
			   is_inside && naive_span(i, 0, &naive), &naive);
	}
	done();
}
END_TEST

/* Times of hours in a group of times: see model/span.h. */
START_TEST(spans_of_long_samples_have_the_times_of_a_plain_array)
{
	size_t n, i = 0;
	int64_t *plain;

	seed = (uint32_t)_i + 70;
	make(counts[_i]);
	n = samples.n;
	plain = xmalloc((n + 1) * sizeof *plain);
	for (size_t k = 0; k <= n; k++)
		plain[k] = samples_time(&samples, k) * 3000000001;
	times_done(&samples.times);
	times_pack(&samples.times,
		   memcpy(xmalloc((n + 1) * sizeof *plain), plain, (n + 1) * sizeof *plain), n + 1,
		   0);
	for (size_t k = 0; k < n; k++) {
		for (int64_t t = plain[k] - 1; t <= plain[k] + 1; t++) {
			struct span span;

			for (; i > 0 && plain[i] > t; i--)
				;
			for (; i + 1 < n && plain[i + 1] <= t; i++)
				;
			ck_assert_uint_eq(samples_find(&samples, t), i);
			if (!span_at(&samples, &tree, 0, t, &span))
				continue;
			ck_assert_uint_le(span.first, i);
			ck_assert_uint_gt(span.end, i);
			ck_assert_int_eq(span.t0, plain[span.first]);
			ck_assert_int_eq(span.t1, plain[span.end]);
		}
	}
	free(plain);
	done();
}
END_TEST

START_TEST(next_and_previous_spans_begin_and_end_outside)
{
	struct span span, naive;

	seed = (uint32_t)_i + 99;
	make(counts[_i]);
	for (int k = 0; k < 1000; k++) {
		size_t from = below((uint32_t)samples.n + 1), i = from;
		int depth = some_depth();
		bool is = false;

		for (; i < samples.n && !is; i++)
			is = naive_span(i, depth, &naive) && naive.first >= from;
		check_same(span_next(&samples, &tree, depth, from, &span), &span, is, &naive);
		is = false;
		for (i = from; i-- > 0 && !is;)
			is = naive_span(i, depth, &naive) && naive.end <= from;
		check_same(span_before(&samples, &tree, depth, from, &span), &span, is, &naive);
	}
	done();
}
END_TEST

/* ---- folded samples ---- */

static struct calltree folded_tree;
static struct samples_folded how;
static node_id to[N_NODES];

/* A tree in which some nodes stand in the row of their parent, and others in one with siblings. */
static void fold_tree(void)
{
	node_id parent[N_NODES], order[N_NODES];
	frame_id frame[N_NODES];
	uint32_t n = 1, often = 1 + below(6);

	parent[0] = frame[0] = to[0] = 0;
	for (node_id i = 1; i < tree.n; i++) {
		to[i] = to[tree.parent[i]];
		if (to[i] && below(often))
			continue;
		parent[n] = to[i];
		frame[n] = 1 + below(3);
		to[i] = n++;
	}
	calltree_build(&folded_tree, n, parent, frame, order);
	for (node_id i = 1; i < tree.n; i++)
		to[i] = order[to[i]];
}

/* The shared rows of the folded samples, by the samples that share theirs, and less. */
static uint16_t naive_folded(size_t i)
{
	node_id a = samples.leaf[i], b = samples.leaf[i + 1], both = calltree_common(&tree, a, b);
	unsigned shared = samples_shared(&samples, i),
		 most = folded_tree.rows[calltree_common(&folded_tree, to[a], to[b])],
		 rows = folded_tree.rows[to[naive_ancestor(both, shared)]];

	return (uint16_t)(shared < tree.rows[both] && rows < most ? rows : most);
}

/* Let stretches of samples have one call on their stacks: whole blocks are in a span of it. */
static void make_stretches(void)
{
	node_id call = 1;

	for (size_t i = 0, end = 0; i < samples.n; i++) {
		if (i == end) {
			end += 1 + below(below(2) ? 9000 : 50);
			call = 1 + below(40);
		}
		samples.leaf[i] = call + below(tree.end[call] - call);
	}
	for (size_t i = 0; i + 1 < samples.n; i++)
		samples.shared_byte[i] = (uint8_t)tree.rows[calltree_common(&tree, samples.leaf[i],
									    samples.leaf[i + 1])];
	samples.blocks = blocks_build(&samples, tree.n);
}

/* Samples that are folded, and the same ones with leaves and shared rows. */
static void fold(struct samples *folded, struct samples *plain, bool has_siblings)
{
	size_t n = samples.n;

	if (n > 9000 && samples.shared_byte)
		make_stretches();
	fold_tree();
	*folded = (struct samples){ .n = n, .times = samples.times, .folded = &how };
	how = (struct samples_folded){ .of = &samples,
				       .of_tree = &tree,
				       .tree = &folded_tree,
				       .to = to,
				       .has_siblings = has_siblings };
	for (size_t i = 0; has_siblings && i + 1 < n; i++)
		if (below(3) == 0 && samples.shared_byte)
			samples.shared_byte[i] = (uint8_t)below(samples.shared_byte[i] + 1u);
		else if (below(3) == 0 && samples.shared)
			samples.shared[i] = (uint16_t)below(samples.shared[i] + 1u);
	for (int k = 0; k < samples.n_low; k++)
		free(samples.low[k]);
	for (int k = 0; k < samples.n_high; k++)
		free(samples.high[k]);
	free(samples.low);
	free(samples.high);
	samples.low = samples.high = NULL;
	samples.n_low = samples.n_high = 0;
	samples_index(&samples, &tree, NULL);
	*plain = (struct samples){ .n = n, .times = samples.times };
	plain->leaf = xcalloc(n, sizeof *plain->leaf);
	plain->shared = xcalloc(n, sizeof *plain->shared);
	for (size_t i = 0; i < n; i++) {
		plain->leaf[i] = to[samples.leaf[i]];
		plain->shared[i] = i + 1 < n ? naive_folded(i) : 0;
	}
	samples_index(plain, &folded_tree, NULL);
}

START_TEST(folded_samples_are_those_with_leaves)
{
	struct samples folded, plain;
	struct span span, naive;

	seed = (uint32_t)_i + 500;
	make(_i < 2 * N(counts) ? counts[_i / 2] : 60000);
	fold(&folded, &plain, _i % 2);
	ck_assert(samples.n < 10000 || samples.shared || blocks_size(samples.blocks) > 0);
	for (size_t i = 0; i < plain.n; i++) {
		ck_assert_uint_eq(samples_leaf(&folded, i), plain.leaf[i]);
		ck_assert_uint_eq(samples_shared(&folded, i), samples_shared(&plain, i));
	}
	for (int k = 0; k < 4000; k++) {
		size_t i = below((uint32_t)plain.n + 1);
		unsigned rows = below(folded_tree.max_rows + 2u);
		int depth = (int)rows - 1;

		ck_assert_uint_eq(samples_run_start(&folded, i, rows),
				  samples_run_start(&plain, i, rows));
		check_same(span_next(&folded, &folded_tree, depth, i, &span), &span,
			   span_next(&plain, &folded_tree, depth, i, &naive), &naive);
		check_same(span_before(&folded, &folded_tree, depth, i, &span), &span,
			   span_before(&plain, &folded_tree, depth, i, &naive), &naive);
		if (i == plain.n)
			continue;
		ck_assert_uint_eq(samples_run_end(&folded, i, rows),
				  samples_run_end(&plain, i, rows));
		check_same(span_of_sample(&folded, &folded_tree, i, depth, &span), &span,
			   span_of_sample(&plain, &folded_tree, i, depth, &naive), &naive);
	}
	plain.times = (struct times){ 0 };
	samples_done(&plain);
	calltree_done(&folded_tree);
	done();
}
END_TEST

START_TEST(ancestors_are_those_found_by_walking)
{
	seed = (uint32_t)_i + 7;
	make(2);
	for (node_id a = 0; a < tree.n; a++) {
		for (unsigned rows = 0; rows <= tree.rows[a]; rows++)
			ck_assert_uint_eq(calltree_ancestor(&tree, a, rows),
					  naive_ancestor(a, rows));
		for (node_id b = 0; b < tree.n; b++) {
			unsigned rows = tree.rows[a] < tree.rows[b] ? tree.rows[a] : tree.rows[b];

			while (naive_ancestor(a, rows) != naive_ancestor(b, rows))
				rows--;
			ck_assert_uint_eq(calltree_common(&tree, a, b), naive_ancestor(a, rows));
			ck_assert(calltree_is_below(&tree, b, a) ==
				  (naive_ancestor(b, tree.rows[a]) == a));
		}
	}
	done();
}
END_TEST

START_TEST(children_of_one_frame_become_one_node)
{
	/* root -> 7 (nodes 1 and 2) -> 9 below each, and 8 below the second. */
	node_id parent[] = { 0, 0, 0, 1, 2, 2 }, order[6];
	const frame_id frame[] = { 0, 7, 7, 9, 9, 8 };

	ck_assert_uint_eq(calltree_build(&tree, 6, parent, frame, order), 0);
	ck_assert_uint_eq(tree.n, 4);
	ck_assert_uint_eq(order[1], order[2]);
	ck_assert_uint_eq(order[3], order[4]);
	ck_assert_uint_eq(tree.parent[order[5]], order[1]);
	calltree_done(&tree);
}
END_TEST

START_TEST(a_node_is_outer_if_no_node_above_has_its_frame)
{
	/* 1 -> 2 -> 1 -> 2, and 2 beside the first 1. */
	node_id parent[] = { 0, 0, 1, 2, 3, 0 }, order[6];
	const frame_id frame[] = { 0, 1, 2, 1, 2, 2 };

	calltree_build(&tree, 6, parent, frame, order);
	ck_assert(tree.is_outer[order[1]] && tree.is_outer[order[2]] && tree.is_outer[order[5]]);
	ck_assert(!tree.is_outer[order[3]] && !tree.is_outer[order[4]]);
	calltree_done(&tree);
}
END_TEST

static void add_tests(Suite *suite)
{
	TCase *t = suite_case(suite, "spans", SUITE_SECONDS);

	tcase_add_loop_test(t, a_span_reaches_as_far_as_its_rows_are_shared, 0, N(counts));
	tcase_add_loop_test(t, a_time_belongs_to_the_last_sample_that_began, 0, N(counts));
	tcase_add_loop_test(t, spans_of_long_samples_have_the_times_of_a_plain_array, 0, N(counts));
	tcase_add_loop_test(t, next_and_previous_spans_begin_and_end_outside, 0, N(counts));
	tcase_add_loop_test(t, folded_samples_are_those_with_leaves, 0, 2 * N(counts) + 16);
	t = suite_case(suite, "calltree", SUITE_SECONDS);
	tcase_add_loop_test(t, ancestors_are_those_found_by_walking, 0, 10);
	tcase_add_test(t, children_of_one_frame_become_one_node);
	tcase_add_test(t, a_node_is_outer_if_no_node_above_has_its_frame);
}

int main(void)
{
	return suite_run("span", add_tests);
}
