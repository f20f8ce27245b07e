/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The order of slices, compared with a slow stable sort. */
#include "config.h"

#include "suite.h"

#include "base/alloc.h"
#include "model/build/track_raw.h"

#include <check.h>
#include <stdlib.h>

static uint32_t seed;

static uint32_t below(uint32_t n)
{
	seed = seed * 1664525u + 1013904223u;
	return (seed >> 8) % n;
}

/* A track of n slices with few different times. `frame` is the number of a slice, as passed. */
static struct raw_track track_of(enum lane_kind kind, size_t n, uint32_t n_times)
{
	struct raw_track t = { .kind = kind };

	for (size_t i = 0; i < n; i++) {
		int64_t t0 = below(n_times);
		struct raw_slice slice = { t0, t0 + below(2), SLICE_WHERE(-1, 0), (frame_id)i, 0 };

		track_raw_add(&t, &slice, -1, below(3));
	}
	return t;
}

static void track_done(struct raw_track *t)
{
	track_raw_free_slices(t);
}

/* Sizes around those of short runs, of what is set aside, and beyond. */
static const size_t sizes[] = { 1, 2, 15, 16, 17, 33, 100, 1000, 1400, 3000, 9000 };

START_TEST(equal_slices_keep_the_order_of_the_file)
{
	struct slice_arena room = { 0 };

	/* One room for track after track: larger, smaller, equal ones. */
	for (uint32_t n_times = 1; n_times <= 1000; n_times *= 10) {
		size_t n = sizes[_i] + (n_times == 10 ? 100 : 0);
		struct raw_track t;

		seed = (uint32_t)_i + n_times;
		t = track_of(LANE_MARKS, n, n_times);
		t.room = n_times > 1 ? &room : NULL;
		slice_order(&t);
		/* The first slice comes last. */
		for (size_t i = t.n - 1; i > 0; i--) {
			const struct raw_slice *a = &t.slices[i], *b = &t.slices[i - 1];

			ck_assert(a->t0 < b->t0 ||
				  (a->t0 == b->t0 &&
				   (a->t1 > b->t1 || (a->t1 == b->t1 && a->frame < b->frame))));
		}
		ck_assert_uint_eq(t.n, n);
		track_done(&t);
	}
	slice_arena_done(&room);
}
END_TEST

START_TEST(groups_are_numbered_by_their_starts)
{
	struct raw_track t;
	struct slice_group *groups;

	seed = (uint32_t)_i;
	t = track_of(LANE_ASYNC, sizes[_i], 50);
	groups = slice_order_groups(&t);
	for (size_t i = t.n - 1; i > 0; i--) {
		const struct raw_slice *a = &t.slices[i], *b = &t.slices[i - 1];
		uint32_t ga = raw_group(&t, a), gb = raw_group(&t, b);

		ck_assert_uint_le(ga, gb);
		ck_assert_int_ge(a->t0, groups[ga].t0);
		ck_assert_int_le(a->t1, groups[ga].t1);
		if (ga == gb)
			ck_assert(a->t0 < b->t0 ||
				  (a->t0 == b->t0 &&
				   (a->t1 > b->t1 || (a->t1 == b->t1 && a->frame < b->frame))));
		else
			ck_assert_int_le(groups[ga].t0, groups[gb].t0);
	}
	free(groups);
	track_done(&t);
}
END_TEST

static void add_tests(Suite *suite)
{
	TCase *t = suite_case(suite, "order", SUITE_SECONDS);

	tcase_add_loop_test(t, equal_slices_keep_the_order_of_the_file, 0, N(sizes));
	tcase_add_loop_test(t, groups_are_numbered_by_their_starts, 0, N(sizes));
}

int main(void)
{
	return suite_run("slice_order", add_tests);
}
