/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The spans of a range in an order (analyse/event_order), compared with a list of all spans. */
#include "config.h"

#include "all_spans.h"
#include "random_mix.h"
#include "suite.h"

#include "analyse/event_order.h"
#include "model/span_find.h"

#define SEEDS 300

static bool is_counted(const struct event_query *q, const struct span *s)
{
	return s->t0 >= q->t0 && s->t0 < q->t1 && s->t1 - s->t0 >= q->min_ns &&
		(!q->set.frames || q->set.frames[q->lane->tree.frame[s->node]]);
}

static void same(const struct span *is, const struct span *want)
{
	ck_assert_msg(is->node == want->node && is->depth == want->depth && is->t0 == want->t0 &&
			      is->t1 == want->t1,
		      "seed %d: node %u at depth %d from %lld, expected %u at %d from %lld", seed,
		      is->node, is->depth, (long long)is->t0, want->node, want->depth,
		      (long long)want->t0);
}

/* Whether a must not stand before b: otherwise they are equal, or in order. */
static bool is_after(const struct event_query *q, const struct span *a, const struct span *b)
{
	const struct profile *p = q->profile;

	switch (q->sort) {
	case EVENT_BY_DURATION:
		return a->t1 - a->t0 < b->t1 - b->t0;
	case EVENT_BY_SELF:
		return span_find_self_ns(q->lane, a) < span_find_self_ns(q->lane, b);
	case EVENT_BY_NAME:
		return strcmp(profile_text(p, profile_node_frame(p, q->lane, a->node)->name),
			      profile_text(p, profile_node_frame(p, q->lane, b->node)->name)) > 0;
	case EVENT_BY_START:
	case EVENT_SORT_COUNT:
		break;
	}
	return false;
}

/* The spans that count, sorted by insertion: equal ones stay in the order of their starts. */
static size_t expect(const struct event_query *q, const struct all_spans *all, struct span *out)
{
	size_t n = 0;

	for (size_t i = 0; i < all->n; i++) {
		size_t at = n;

		if (!is_counted(q, &all->list[i]))
			continue;
		n++;
		for (; at > 0 && is_after(q, &out[at - 1], &all->list[i]); at--)
			out[at] = out[at - 1];
		out[at] = all->list[i];
	}
	return n;
}

static void check_query(const struct event_query *q, const struct all_spans *all)
{
	struct span *want = xcalloc(all->n + 1, sizeof *want), is;
	size_t n = expect(q, all, want), at;
	struct event_order order = { 0 };

	event_order_begin(&order, q);
	for (struct budget some = budget_steps(3, 1); !event_order_work(&order, &some);)
		some = budget_steps(3, 1);
	ck_assert_msg(order.n == n, "seed %d: %zu events, expected %zu", seed, order.n, n);
	for (size_t i = 0; i < n; i++) {
		event_order_span(&order, i, false, &is);
		same(&is, &want[i]);
		event_order_span(&order, i, true, &is);
		same(&is, &want[n - 1 - i]);
		ck_assert(event_order_find(&order, q->lane, want[i].first, want[i].depth, false,
					   &at));
		ck_assert_uint_eq(at, i);
		ck_assert(
			event_order_find(&order, q->lane, want[i].first, want[i].depth, true, &at));
		ck_assert_uint_eq(at, n - 1 - i);
	}
	ck_assert(!event_order_find(&order, q->lane, SIZE_MAX, 0, false, &at));
	event_order_done(&order);
	free(want);
}

static void check_lane(const struct profile *p, const struct lane *lane)
{
	struct all_spans all = all_spans_of(lane);
	uint8_t *frames = xcalloc(p->frames.n + 1, 1);

	for (frame_id f = 0; f < p->frames.n; f++)
		frames[f] = below(2) == 0;
	for (int i = 0; i < 4 * EVENT_SORT_COUNT; i++) {
		struct event_query q = { .profile = p,
					 .lane = lane,
					 .t0 = -1,
					 .t1 = INT64_MAX,
					 .sort = (enum event_sort)(i % EVENT_SORT_COUNT) };

		if (below(2)) {
			q.t0 = (int64_t)below((uint64_t)p->t1 + 2) - 1;
			q.t1 = q.t0 + (int64_t)below((uint64_t)p->t1 + 2);
		}
		q.min_ns = below(2) ? (int64_t)below(20) : 0;
		q.set.frames = below(2) ? frames : NULL;
		check_query(&q, &all);
	}
	free(frames);
	all_spans_done(&all);
}

static void check_profile(struct profile *p)
{
	for (uint32_t i = 0; i < p->n_lanes; i++)
		if (p->lanes[i].tree.n)
			check_lane(p, &p->lanes[i]);
	profile_free(p);
}

START_TEST(events_of_a_range_in_any_order)
{
	random_mix_loop(_i, check_profile);
}
END_TEST

static void add_tests(Suite *suite)
{
	TCase *t = suite_case(suite, "events", SUITE_SECONDS);

	tcase_add_loop_test(t, events_of_a_range_in_any_order, 0, SEEDS / RANDOM_SEEDS_A_LOOP);
}

int main(void)
{
	return suite_run("events", add_tests);
}
