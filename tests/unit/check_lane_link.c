/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What follows from the samples of a lane, where a chunk of them ends. */
#include "config.h"

#include "suite.h"

#include "base/alloc.h"
#include "model/blocks.h"
#include "model/lane.h"

#define CHUNK 65536u

/* Calls a > b and a > c; `n` samples of a, each at the same time as the one before. */
static void make_lane(struct lane *lane, size_t n, node_id order[4])
{
	node_id parent[] = { 0, 0, 1, 1 };
	const frame_id frame[] = { 0, 1, 2, 3 };
	struct samples *s = &lane->samples;

	*lane = (struct lane){ .kind = LANE_SAMPLES };
	calltree_build(&lane->tree, 4, parent, frame, order);
	s->n = n;
	times_pack(&s->times, xcalloc(n + 1, sizeof(int64_t)), n + 1, 0);
	s->leaf = xcalloc(n, sizeof *s->leaf);
	for (size_t i = 0; i < n; i++)
		s->leaf[i] = order[1];
}

/* Sets the times of the samples from number `from` on, and of the end. */
static void move(struct lane *lane, size_t from, int64_t ns)
{
	struct times *times = &lane->samples.times;
	size_t n = lane->samples.n + 1;
	int64_t *t = xmalloc(n * sizeof *t);

	times_read(times, 0, n, t);
	for (size_t i = from; i < n; i++)
		t[i] += ns;
	times_done(times);
	times_pack(times, t, n, 0);
	lane->t1 = lane->sampled_t1 = samples_time(&lane->samples, lane->samples.n);
}

START_TEST(a_call_is_one_span_over_samples_without_time)
{
	static const struct frame frames[4];
	struct lane lane;
	node_id order[4];

	/* b for 10 ns, a chunk of samples at one time, c for 20 ns. */
	make_lane(&lane, CHUNK + 1, order);
	lane.samples.leaf[0] = order[2];
	lane.samples.leaf[CHUNK] = order[3];
	move(&lane, 1, 10);
	move(&lane, CHUNK + 1, 20);
	if (_i) /* a call without time in between is no span, but ends the other ones */
		lane.samples.leaf[CHUNK / 2] = NODE_ROOT;
	lane_link(&lane, frames, NULL);
	ck_assert_uint_eq(lane.n_spans, _i ? 4 : 3);
	ck_assert_int_eq(lane.max_depth, 2);
	ck_assert_int_eq(lane.busy_ns, 30);
	ck_assert_int_eq(lane.unsampled_ns, 0);
	lane_done(&lane);
}
END_TEST

/* Without any time all spans count. */
START_TEST(calls_of_a_lane_without_time_count)
{
	static const struct frame frames[4];
	struct lane lane;
	node_id order[4];

	make_lane(&lane, CHUNK + 1, order);
	lane.samples.leaf[1] = order[2];
	lane.samples.leaf[CHUNK] = order[3];
	lane_link(&lane, frames, NULL);
	ck_assert_uint_eq(lane.n_spans, 3);
	ck_assert_int_eq(lane.busy_ns, 0);
	lane_done(&lane);
}
END_TEST

static void add_time(void *ctx, node_id leaf, int64_t ns)
{
	((int64_t *)ctx)[leaf] += ns;
}

static void add_times(void *ctx, const node_id *leaf, const uint32_t *ns, size_t n)
{
	for (size_t i = 0; i < n; i++)
		add_time(ctx, leaf[i], ns[i]);
}

/* Folded samples have the times of samples with these leaves. */
START_TEST(times_of_folded_samples_are_those_of_their_leaves)
{
	static const struct frame frames[4];
	struct lane lane;
	struct samples folded;
	node_id order[4], to[4];

	make_lane(&lane, _i ? CHUNK + 5000 : 3000, order);
	for (size_t i = 0; i < lane.samples.n; i++)
		lane.samples.leaf[i] = order[1 + (i / 700 + i / 1000) % 3];
	for (size_t i = 1; i < lane.samples.n; i += 977)
		move(&lane, i, (int64_t)i * 100000);
	lane_link(&lane, frames, NULL);
	ck_assert(_i ? blocks_size(lane.samples.blocks) > 0 : !lane.samples.blocks);
	to[NODE_ROOT] = NODE_ROOT;
	to[order[1]] = order[1];
	to[order[2]] = to[order[3]] = order[2];
	folded = (struct samples){ .n = lane.samples.n,
				   .times = lane.samples.times,
				   .folded = &(struct samples_folded){ .of = &lane.samples,
								       .of_tree = &lane.tree,
								       .tree = &lane.tree,
								       .to = to } };
	for (size_t from = 0; from < lane.samples.n; from += 301) {
		int64_t t0 = samples_time(&lane.samples, from) + 3,
			t1 = samples_time(&lane.samples, lane.samples.n - from / 3) - 5;
		int64_t got[4] = { 0 }, expected[4] = { 0 };
		struct blocks_visitor visitor = { got, add_times, add_time, NULL };

		blocks_each(&folded, t0, t1, &visitor);
		for (size_t i = 0; i < lane.samples.n; i++) {
			int64_t a = samples_time(&lane.samples, i),
				b = samples_time(&lane.samples, i + 1);

			a = a > t0 ? a : t0;
			b = b < t1 ? b : t1;
			expected[to[lane.samples.leaf[i]]] += b > a ? b - a : 0;
		}
		ck_assert_mem_eq(got, expected, sizeof got);
	}
	lane_done(&lane);
}
END_TEST

static void add_tests(Suite *suite)
{
	TCase *t = suite_case(suite, "lane_link", SUITE_SECONDS);

	tcase_add_loop_test(t, a_call_is_one_span_over_samples_without_time, 0, 2);
	tcase_add_test(t, calls_of_a_lane_without_time_count);
	tcase_add_loop_test(t, times_of_folded_samples_are_those_of_their_leaves, 0, 2);
}

int main(void)
{
	return suite_run("lane_link", add_tests);
}
