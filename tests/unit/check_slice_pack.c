/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Slices that were packed come out as they were, whatever their numbers. */
#include "config.h"

#include "model/build/track_raw.c"

#include "suite.h"

#include "base/alloc.h"

#include <check.h>
#include <stdlib.h>

static uint64_t seed;

static uint64_t random_bits(void)
{
	seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	return seed >> 16;
}

static uint64_t below(uint64_t n)
{
	return random_bits() % n;
}

/* A distance near a limit of what fits, or any. */
static uint64_t odd_distance(void)
{
	static const uint64_t limits[] = { 0,
					   INT32_MAX,
					   (uint64_t)INT32_MIN,
					   UINT32_MAX,
					   (uint64_t)UINT32_MAX << SLICE_FLAG_BITS,
					   INT64_MAX };

	return below(4) ? limits[below(N(limits))] + below(5) - 2 : random_bits() * random_bits();
}

struct packed {
	struct raw_slice slice;
	struct raw_more more;
	bool has_more;
};

static int64_t add(int64_t from, uint64_t distance)
{
	return (int64_t)((uint64_t)from + distance);
}

/* A slice after another one. odd: the number of the value that is any; from 7 on, none is. */
static struct packed next_slice(const struct packed *before, unsigned odd)
{
	int64_t t0 = add(before->slice.t0, odd == 0 ? odd_distance() : below(99999) - 99u);
	int64_t where = add(before->slice.where, odd == 1 ? odd_distance() : below(99999));
	uint64_t length = odd == 2 ? odd_distance() : below(99999);
	frame_id frame = (frame_id)(odd == 3 ? odd_distance() : below(999) | below(2) << 31);
	int64_t end = odd == 4
		? (int64_t)odd_distance()
		: add(where >> SLICE_FLAG_BITS, odd == 5 ? odd_distance() : below(999));
	uint32_t group = (uint32_t)(odd == 6 ? odd_distance() : below(8192));
	bool has_more = below(2);

	return (struct packed){ { t0, add(t0, length), where, frame, 0 },
				{ below(4) ? end : -1, has_more ? group : group & ~RAW_GROUP },
				has_more };
}

static void compare(const struct packed *in, const struct raw_slice *slice,
		    const struct raw_more *more, uint32_t *n_more)
{
	ck_assert_int_eq(slice->t0, in->slice.t0);
	ck_assert_int_eq(slice->t1, in->slice.t1);
	ck_assert_int_eq(slice->where, in->slice.where);
	ck_assert_uint_eq(slice->frame, in->slice.frame);
	ck_assert_uint_eq(slice->more,
			  in->has_more             ? *n_more + 1
				  : in->more.group ? RAW_GROUP | in->more.group
						   : 0);
	if (!in->has_more)
		return;
	ck_assert_int_eq(more[*n_more].end_offset, in->more.end_offset);
	ck_assert_uint_eq(more[*n_more].group, in->more.group);
	++*n_more;
}

/* Around the sizes of chunks, and beyond. */
static const size_t sizes[] = { 0, 1, 3, 4, 5, 100, 12000, 60000 };

/* _i: size, and how many of the slices are odd. */
START_TEST(slices_come_out_as_they_were)
{
	size_t n = sizes[_i % N(sizes)];
	unsigned odd_most = _i / N(sizes) ? 9 : 1000;
	struct packed *in = xcalloc(n + 1, sizeof *in);
	struct raw_slice *slices = xcalloc(n, sizeof *slices);
	struct raw_more *more = xcalloc(n, sizeof *more);
	struct slice_pack pack = { 0 };
	uint32_t n_more = 0;

	seed = (uint64_t)_i;
	for (size_t i = 1; i <= n; i++) {
		in[i] = next_slice(&in[i - 1], (unsigned)below(odd_most));
		slice_pack_add(&pack, &in[i].slice, in[i].has_more, in[i].more);
	}
	slice_pack_take(&pack, slices, more);
	for (size_t i = 0; i < n; i++)
		compare(&in[i + 1], &slices[i], more, &n_more);
	ck_assert_uint_eq(pack.n_chunks, 0);
	free(in);
	free(slices);
	free(more);
}
END_TEST

/* Without any `more` there is no array for it. */
START_TEST(no_room_is_needed_for_no_more)
{
	struct slice_pack pack = { 0 };
	struct packed in[2] = { 0 };
	struct raw_slice slices[2];
	struct raw_more unused = { 0 };

	for (int i = 0; i < 2; i++) {
		in[i].slice = (struct raw_slice){ .t0 = i, .t1 = i + 1, .where = 8 };
		slice_pack_add(&pack, &in[i].slice, false, in[i].more);
	}
	slice_pack_take(&pack, slices, NULL);
	for (int i = 0; i < 2; i++) {
		uint32_t n_more = 0;

		compare(&in[i], &slices[i], &unused, &n_more);
		ck_assert_uint_eq(n_more, 0);
	}
}
END_TEST

/* What readers pass takes little memory; a chunk is not counted before it is full. */
START_TEST(usual_slices_are_small)
{
	struct slice_pack pack = { 0 };
	struct packed before = { .has_more = false };

	for (int i = 0; i < 100000; i++) {
		before = next_slice(&before, 7);
		slice_pack_add(&pack, &before.slice, before.has_more, before.more);
	}
	/* 100,000 slices of 16 or 24 bytes, in chunks of 256 KiB. Half have more, or a group. */
	ck_assert_uint_le(pack.n_chunks, 100000 * 20 / (256 * 1024) + 2);
	slice_pack_done(&pack);
}
END_TEST

static void add_tests(Suite *suite)
{
	TCase *t = suite_case(suite, "pack", SUITE_SECONDS);

	tcase_add_loop_test(t, slices_come_out_as_they_were, 0, 2 * N(sizes));
	tcase_add_test(t, no_room_is_needed_for_no_more);
	tcase_add_test(t, usual_slices_are_small);
}

int main(void)
{
	return suite_run("slice_pack", add_tests);
}
