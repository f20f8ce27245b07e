/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Packed times are compared with the plain array that they were made from. */
#include "config.h"

#include "suite.h"

#include "base/alloc.h"
#include "model/span.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>

static uint64_t seed;

static uint64_t below(uint64_t n)
{
	seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	return (seed >> 24) % n;
}

/* Distances of times: of samples, equal times, about 2^32 ns, of days, and mixed. */
static int64_t distance(int kind)
{
	switch (kind) {
	case 0:
		return (int64_t)below(2000000);
	case 1:
		return below(5) ? 0 : 1;
	case 2:
		return (int64_t)below(3) + (below(150) ? 0 : (int64_t)UINT32_MAX - 1);
	case 3:
		return (int64_t)below(INT64_C(1) << 39);
	default:
		return below(300) ? distance(0) : distance(3);
	}
}

static int64_t *random_times(int kind, size_t n)
{
	int64_t *t = xmalloc(n * sizeof *t), now = -(int64_t)below(INT64_C(1) << 40);

	for (size_t i = 0; i < n; i++, now += distance(kind))
		t[i] = now;
	return t;
}

/* Pack, in one of the two ways. */
static void pack_copy(struct times *times, const int64_t *t, size_t n, int64_t by)
{
	int64_t *copy;

	if (n % 2) {
		times_pack_copy(times, t, n, by);
		return;
	}
	copy = xmalloc(n * sizeof *copy);

	memcpy(copy, t, n * sizeof *copy);
	times_pack(times, copy, n, by);
}

static size_t plain_until(const int64_t *t, size_t n, int64_t at)
{
	size_t i = 0;

	while (i < n && t[i] <= at)
		i++;
	return i;
}

static void check_equal(const struct times *times, const int64_t *t, size_t n, int64_t by)
{
	int64_t *read = xmalloc(n * sizeof *read);

	for (size_t i = 0; i < n; i++)
		ck_assert_int_eq(times_at(times, i), t[i] + by);
	for (int k = 0; k < 20; k++) {
		size_t from = below(n), m = below(n - from + 1);

		times_read(times, from, m, read);
		for (size_t i = 0; i < m; i++)
			ck_assert_int_eq(read[i], t[from + i] + by);
	}
	free(read);
}

START_TEST(times_are_those_of_the_plain_array)
{
	for (uint32_t k = 0; k < 60; k++) {
		/* Around whole groups, and any. */
		size_t n = k < 30 ? (k / 3 + 1) * TIMES_GROUP + k % 3 - 1 : 1 + below(700);
		int64_t *t, by;
		struct times times;

		seed = k * 7 + (uint64_t)_i * 1000;
		t = random_times(_i, n);
		by = (int64_t)below(INT64_C(1) << 50);
		pack_copy(&times, t, n, by);
		check_equal(&times, t, n, -by);
		times_shift(&times, n, by + 5);
		check_equal(&times, t, n, 5);
		times_done(&times);
		free(t);
	}
}
END_TEST

START_TEST(a_time_is_found_as_in_the_plain_array)
{
	for (uint32_t k = 0; k < 40; k++) {
		size_t n = 1 + below(600);
		int64_t *t;
		struct times times;

		seed = k * 11 + (uint64_t)_i * 1000;
		t = random_times(_i, n);
		pack_copy(&times, t, n, 0);
		for (size_t i = 0; i < n; i++) {
			size_t most = below(n + 1);

			for (int64_t d = -1; d <= 1; d++) {
				ck_assert_uint_eq(times_until(&times, n, t[i] + d),
						  plain_until(t, n, t[i] + d));
				ck_assert_uint_eq(times_until(&times, most, t[i] + d),
						  plain_until(t, most, t[i] + d));
			}
		}
		ck_assert_uint_eq(times_until(&times, n, INT64_MIN), 0);
		ck_assert_uint_eq(times_until(&times, n, INT64_MAX), n);
		times_done(&times);
		free(t);
	}
}
END_TEST

START_TEST(the_longest_times_are_exact)
{
	/* The limits of the builder: see PROFILE_TIME_MAX. */
	const int64_t most = (INT64_C(1) << 61) - 1;
	const int64_t t[] = { -most, -most, -1, 0, UINT32_MAX, INT64_C(1) << 32, most };
	struct times times;

	pack_copy(&times, t, ARRAY_LEN(t), -most);
	check_equal(&times, t, ARRAY_LEN(t), most);
	times_done(&times);
	times_pack_copy(&times, (int64_t[]){ -most, most }, 2, 0);
	ck_assert_int_eq(times_at(&times, 0), -most);
	ck_assert_int_eq(times_at(&times, 1), most);
	times_done(&times);
}
END_TEST

START_TEST(only_groups_that_last_long_have_upper_bits)
{
	size_t n = 20 * TIMES_GROUP;
	int64_t *t = random_times(0, n);
	struct times times;
	size_t n_long = 0;

	/* One pause of an hour in the group of number 7. */
	for (size_t i = 7 * TIMES_GROUP + 60; i < n; i++)
		t[i] += INT64_C(3600000000000);
	pack_copy(&times, t, n, 0);
	check_equal(&times, t, n, 0);
	for (size_t g = 0; g < 20; g++)
		n_long += times.groups[g].high != 0;
	ck_assert_uint_eq(n_long, 1);
	ck_assert_uint_eq(times.groups[7].high, 1);
	times_done(&times);
	free(t);
}
END_TEST

/* The steps of such times, cut at 32 bits, with nothing instead of the first. The times become
 * those of the steps. */
static uint32_t *steps_of(int64_t *t, size_t n)
{
	uint32_t *steps = xmalloc(n * sizeof *steps);
	int64_t before = t[0];

	for (size_t i = 0; i < n; i++) {
		int64_t step = t[i] - before;

		before = t[i];
		steps[i] = step > UINT32_MAX ? UINT32_MAX : (uint32_t)step;
		t[i] = i ? t[i - 1] + steps[i] : t[0];
	}
	steps[0] = 12345;
	return steps;
}

START_TEST(steps_are_packed_as_their_times)
{
	for (uint32_t k = 0; k < 60; k++) {
		size_t n = k < 30 ? (k / 3 + 1) * TIMES_GROUP + k % 3 - 1 : 1 + below(700);
		int64_t *t;
		uint32_t *steps;
		struct times times;

		seed = k * 13 + (uint64_t)_i * 1000;
		t = random_times(_i, n + 1);
		steps = steps_of(t, n);
		/* The end may be far behind the last step. */
		t[n] = t[n - 1] + (int64_t)below(INT64_C(1) << (k % 2 ? 20 : 40));
		times_pack_steps(&times, steps, n, t[0], t[n]);
		check_equal(&times, t, n + 1, 0);
		times_done(&times);
		free(t);
	}
}
END_TEST

static void add_tests(Suite *suite)
{
	TCase *t = suite_case(suite, "times", SUITE_SECONDS);

	tcase_add_loop_test(t, times_are_those_of_the_plain_array, 0, 5);
	tcase_add_loop_test(t, steps_are_packed_as_their_times, 0, 5);
	tcase_add_loop_test(t, a_time_is_found_as_in_the_plain_array, 0, 5);
	tcase_add_test(t, the_longest_times_are_exact);
	tcase_add_test(t, only_groups_that_last_long_have_upper_bits);
}

int main(void)
{
	return suite_run("times", add_tests);
}
