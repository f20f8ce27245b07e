/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Spans one after the other (analysis/events), compared with a list of all spans. */
#include "config.h"

#include "all_spans.h"
#include "random_mix.h"
#include "suite.h"

#include "analysis/events.h"

#define SEEDS 300

static bool is_counted(const struct lane *lane, const struct event_filter *filter,
		       const struct span *s)
{
	return s->t1 - s->t0 >= filter->min_ns &&
		(!filter->frames || filter->frames[lane->tree.frame[s->node]]);
}

static void same(const struct lane *lane, const struct event_at *at, const struct span *want)
{
	struct span is;

	ck_assert_msg(events_span(lane, at, &is), "seed %d", seed);
	ck_assert_msg(is.node == want->node && is.depth == want->depth && is.t0 == want->t0 &&
			      is.t1 == want->t1,
		      "seed %d: node %u at depth %d from %lld, expected %u at %d from %lld", seed,
		      is.node, is.depth, (long long)is.t0, want->node, want->depth,
		      (long long)want->t0);
}

/* From the first span that counts to the last one, and back. */
static void walk_all(const struct lane *lane, const struct event_filter *filter,
		     const struct all_spans *all)
{
	struct event_at at, stays;
	size_t n = 0, first = SIZE_MAX;

	for (size_t i = 0; i < all->n; i++) {
		if (!is_counted(lane, filter, &all->list[i]))
			continue;
		if (first == SIZE_MAX)
			first = i;
		ck_assert(n++ == 0 ? events_from(lane, filter, INT64_MIN, &at)
				   : events_next(lane, filter, &at));
		same(lane, &at, &all->list[i]);
	}
	if (n == 0) {
		ck_assert(!events_from(lane, filter, INT64_MIN, &at));
		return;
	}
	stays = at;
	ck_assert(!events_next(lane, filter, &at));
	ck_assert_uint_eq(at.sample, stays.sample);
	ck_assert_int_eq(at.depth, stays.depth);
	for (size_t i = all->n; i-- > first;) {
		if (!is_counted(lane, filter, &all->list[i]))
			continue;
		same(lane, &at, &all->list[i]);
		ck_assert(events_before(lane, filter, &at) == (i != first));
	}
	same(lane, &at, &all->list[first]);
}

/* At each time at which something opens, and just beside it. */
static void start_anywhere(const struct lane *lane, const struct event_filter *filter,
			   const struct all_spans *all)
{
	for (size_t k = 0; k < all->n; k++) {
		for (int64_t t = all->list[k].t0 - 1; t <= all->list[k].t0 + 1; t++) {
			struct event_at at;
			size_t i = 0;

			while (i < all->n &&
			       (all->list[i].t0 < t || !is_counted(lane, filter, &all->list[i])))
				i++;
			ck_assert_msg(events_from(lane, filter, t, &at) == (i < all->n),
				      "seed %d, from %lld", seed, (long long)t);
			if (i < all->n)
				same(lane, &at, &all->list[i]);
		}
	}
}

static void check_lane(const struct profile *p, const struct lane *lane)
{
	struct all_spans all = all_spans_of(lane);
	struct event_filter filter = { 0 };
	uint8_t *frames = xcalloc(p->frames.n + 1, 1);

	walk_all(lane, &filter, &all);
	start_anywhere(lane, &filter, &all);
	filter.min_ns = (int64_t)below(20);
	walk_all(lane, &filter, &all);
	for (frame_id f = 0; f < p->frames.n; f++)
		frames[f] = below(2) == 0;
	filter.frames = frames;
	walk_all(lane, &filter, &all);
	start_anywhere(lane, &filter, &all);
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

START_TEST(in_the_order_in_which_they_open)
{
	random_mix_loop(_i, check_profile);
}
END_TEST

static void add_tests(Suite *suite)
{
	TCase *t = suite_case(suite, "events", SUITE_SECONDS);

	tcase_add_loop_test(t, in_the_order_in_which_they_open, 0, SEEDS / RANDOM_SEEDS_A_LOOP);
}

int main(void)
{
	return suite_run("events", add_tests);
}
