/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Spans of functions and of rows of tables (model/seek), compared with a list of all spans. */
#include "config.h"

#include "all_spans.h"
#include "random_mix.h"
#include "suite.h"
#include "view_of.h"

#include "analyse/view/view.h"
#include "model/span_find.h"

#define SEEDS 300

/* Whether a span is wanted, and no span around it is: `is_wanted` by node of the lane. */
static bool is_outermost(const struct lane *lane, const uint8_t *is_wanted, const struct span *s)
{
	if (!is_wanted[s->node])
		return false;
	for (node_id node = lane->tree.parent[s->node]; node != NODE_ROOT;
	     node = lane->tree.parent[node])
		if (is_wanted[node])
			return false;
	return true;
}

static void same(const struct span *is, const struct span *want)
{
	ck_assert_msg(is->node == want->node && is->depth == want->depth && is->t0 == want->t0 &&
			      is->t1 == want->t1,
		      "seed %d: node %u from %lld, expected %u from %lld", seed, is->node,
		      (long long)is->t0, want->node, (long long)want->t0);
}

static void check_next(const struct span_find *seek, const struct span *wanted, size_t n)
{
	size_t n_samples = seek->lane->samples.n;
	struct span is;

	for (size_t at = 0; at <= n_samples; at++) {
		size_t next = 0, before = n;

		while (next < n && wanted[next].end <= at)
			next++;
		while (before > 0 && wanted[before - 1].first >= at)
			before--;
		ck_assert_msg(span_find_next(seek, at, &is) == (next < n), "seed %d", seed);
		if (next < n)
			same(&is, &wanted[next]);
		ck_assert_msg(span_find_before(seek, at, &is) == (before > 0), "seed %d", seed);
		if (before > 0)
			same(&is, &wanted[before - 1]);
	}
}

/* Of spans with equally long parts in the range the first one. */
static void check_longest(const struct span_find *seek, const struct span *wanted, size_t n)
{
	const struct samples *s = &seek->lane->samples;
	int64_t t0 = samples_time(s, below(s->n)), t1 = t0 + 1 + (int64_t)below(100), longest = -1;
	const struct span *best = NULL;
	struct span is;

	for (size_t i = 0; i < n; i++) {
		int64_t from = wanted[i].t0 > t0 ? wanted[i].t0 : t0,
			to = wanted[i].t1 < t1 ? wanted[i].t1 : t1;

		if (to > from && to - from > longest) {
			longest = to - from;
			best = &wanted[i];
		}
	}
	/* Spans without time may be found, too, where there are no others. */
	if (!best)
		return;
	ck_assert_msg(span_find_longest(seek, t0, t1, &is), "seed %d", seed);
	same(&is, best);
}

static void check_seek(struct span_find *seek, const uint8_t *is_wanted)
{
	struct all_spans all = all_spans_of(seek->lane);
	size_t n = 0;

	for (size_t i = 0; i < all.n; i++)
		if (is_outermost(seek->lane, is_wanted, &all.list[i]))
			all.list[n++] = all.list[i];
	check_next(seek, all.list, n);
	check_longest(seek, all.list, n);
	all_spans_done(&all);
	span_find_done(seek);
}

static void of_a_function(const struct lane *lane, uint8_t *is_wanted)
{
	frame_id frame = lane->tree.frame[below(lane->tree.n)];
	struct span_find seek;

	for (node_id i = 1; i < lane->tree.n; i++)
		is_wanted[i] = lane->tree.frame[i] == frame;
	span_find_init_frame(&seek, lane, frame);
	check_seek(&seek, is_wanted);
}

static void of_nodes(const struct lane *lane, uint8_t *is_wanted)
{
	node_id nodes[3];
	struct span_find seek;

	if (lane->tree.n < 2)
		return;
	memset(is_wanted, 0, lane->tree.n);
	for (size_t i = 0; i < ARRAY_LEN(nodes); i++) {
		nodes[i] = 1 + (node_id)below(lane->tree.n - 1);
		is_wanted[nodes[i]] = 1;
	}
	span_find_init_nodes(&seek, lane, nodes, ARRAY_LEN(nodes));
	check_seek(&seek, is_wanted);
}

/* Nodes of a view: the nodes of the lane that became one of them. */
static void of_a_view(const struct profile *p, const struct lane *lane, uint8_t *is_wanted)
{
	static const enum transform_kind kinds[] = { TRANSFORM_MERGE, TRANSFORM_DROP,
						     TRANSFORM_FOCUS, TRANSFORM_COLLAPSE };
	struct transform transform = { .kind = kinds[below(ARRAY_LEN(kinds))],
				       .by = BY_FUNCTION,
				       .id = lane->tree.frame[below(lane->tree.n)] };
	node_id node;
	struct view view;
	struct span_find seek;

	view_of(&view, p, &lane, 1, &transform, 1, GROUP_FUNCTION);
	if (view.n_sources && view.tree && view.tree->n > 1) {
		node = 1 + (node_id)below(view.tree->n - 1);
		for (node_id i = 1; i < lane->tree.n; i++)
			is_wanted[i] = view_node(&view, 0, i) == node;
		view_seek_init(&seek, &view, 0, &node, 1);
		check_seek(&seek, is_wanted);
	}
	view_done(&view);
}

static void check_profile(struct profile *p)
{
	for (uint32_t i = 0; i < p->n_lanes; i++) {
		const struct lane *lane = &p->lanes[i];
		uint8_t *is_wanted = xcalloc((size_t)lane->tree.n + 1, 1);

		if (lane->tree.n && lane->samples.n) {
			of_a_function(lane, is_wanted);
			of_nodes(lane, is_wanted);
			of_a_view(p, lane, is_wanted);
		}
		free(is_wanted);
	}
	profile_free(p);
}

START_TEST(outermost_spans_of_what_is_wanted)
{
	random_mix_loop(_i, check_profile);
}
END_TEST

static void add_tests(Suite *suite)
{
	TCase *t = suite_case(suite, "seek", SUITE_SECONDS);

	tcase_add_loop_test(t, outermost_spans_of_what_is_wanted, 0, SEEDS / RANDOM_SEEDS_A_LOOP);
}

int main(void)
{
	return suite_run("span_find", add_tests);
}
