/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The window: every change is clamped, and columns tile it without a gap. */
#include "config.h"

#include "suite.h"

#include "draw/viewport.h"
#include "model/lane.h"

#include <check.h>
#include <stdlib.h>

#define LEN 1000000

static const struct set_case {
	int64_t t0, t1, expect0, expect1;
} set_cases[] = {
	{ 100, 5000, 100, 5000 },
	{ 5000, 100, 100, 5000 },
	{ -500, 1500, 0, 2000 },
	{ LEN - 100, LEN + 900, LEN - 1000, LEN },
	{ -10 * LEN, 20 * LEN, 0, LEN },
	{ 500, 500, 450, 550 },
	{ 500, 510, 455, 555 },
	{ 0, 0, 0, 100 },
	{ LEN, LEN, LEN - 100, LEN },
	{ INT64_MIN, INT64_MAX, 0, LEN },
	{ INT64_MAX, INT64_MAX, LEN - 100, LEN },
};

static void check_window(const struct viewport *v, int64_t t0, int64_t t1)
{
	ck_assert_int_eq(v->t0, t0);
	ck_assert_int_eq(v->t1, t1);
}

START_TEST(set)
{
	const struct set_case *c = &set_cases[_i];
	struct viewport v;

	viewport_init(&v, 0, LEN);
	viewport_set(&v, c->t0, c->t1);
	check_window(&v, c->expect0, c->expect1);
}
END_TEST

static const struct zoom_case {
	int64_t t0, t1, at;
	int num, den;
	int64_t expect0, expect1;
} zoom_cases[] = {
	{ 0, LEN, LEN / 2, 1, 2, LEN / 4, LEN / 4 * 3 },
	{ 0, LEN, 0, 1, 2, 0, LEN / 2 },
	{ 0, LEN, LEN, 1, 2, LEN / 2, LEN },
	{ 400, 600, 500, 2, 1, 300, 700 },
	{ 400, 600, 400, 2, 1, 400, 800 },
	{ 0, 200, 100, 3, 1, 0, 600 },
	{ 400, 600, 500, 1, 1000, 450, 550 },
	{ 0, LEN, 77, 2, 1, 0, LEN },
	{ 1000, 1100, 1050, 101, 100, 1000, 1101 },
	{ 400, 600, -5000, 2, 1, 400, 800 },
	{ 400, 600, 500, 0, 1, 400, 600 },
	{ 400, 600, 500, 1, 0, 400, 600 },
};

START_TEST(zoom)
{
	const struct zoom_case *c = &zoom_cases[_i];
	struct viewport v;

	viewport_init(&v, 0, LEN);
	viewport_set(&v, c->t0, c->t1);
	viewport_zoom(&v, c->at, c->num, c->den);
	check_window(&v, c->expect0, c->expect1);
}
END_TEST

/* Ten thousand hours: the products of a zoom do not fit into 64 bits. */
START_TEST(zoom_long)
{
	const int64_t len = INT64_C(36000000000000000);
	struct viewport v;

	viewport_init(&v, 0, len);
	for (int i = 0; i < 20; i++) {
		viewport_zoom(&v, len / 3, 1, 2);
		ck_assert_int_eq(v.t1 - v.t0, len >> (i + 1));
		ck_assert(v.t0 <= len / 3 && len / 3 < v.t1);
	}
	for (int i = 0; i < 21; i++)
		viewport_zoom(&v, len / 3, 2, 1);
	check_window(&v, 0, len);
}
END_TEST

static const struct {
	int64_t ns, expect0;
} pan_cases[] = {
	{ 50, 450 },      { -50, 350 },
	{ -4000, 0 },     { 2 * LEN, LEN - 200 },
	{ INT64_MIN, 0 }, { INT64_MAX, LEN - 200 },
};

START_TEST(pan)
{
	struct viewport v;

	viewport_init(&v, 0, LEN);
	viewport_set(&v, 400, 600);
	viewport_pan(&v, pan_cases[_i].ns);
	check_window(&v, pan_cases[_i].expect0, pan_cases[_i].expect0 + 200);
}
END_TEST

static const struct {
	int64_t t0, t1, expect0;
} reveal_cases[] = {
	{ 450, 500, 400 }, /* in view */
	{ 400, 600, 400 },
	{ 390, 410, 390 }, /* the smallest pan */
	{ 590, 610, 410 },
	{ 600, 600, 401 },   /* of no length, just behind */
	{ 100, 450, 400 },   /* longer, its end in view */
	{ 350, 660, 400 },   /* longer, its middle in view */
	{ 300, 10000, 300 }, /* longer, neither: its start */
	{ 100, 401, 400 },   /* longer, its last nanosecond in view */
	{ 599, 1000, 400 },  /* longer, its first nanosecond in view */
	{ 1000, 10000, 1000 },
	{ LEN - 10, LEN + 50, LEN - 200 },
	{ LEN + 10, LEN + 50, LEN - 200 },
	{ -50, -10, 0 },
	{ -1000, 50, 0 },
};

START_TEST(reveal)
{
	struct viewport v;

	viewport_init(&v, 0, LEN);
	viewport_set(&v, 400, 600);
	viewport_reveal(&v, reveal_cases[_i].t0, reveal_cases[_i].t1);
	check_window(&v, reveal_cases[_i].expect0, reveal_cases[_i].expect0 + 200);
}
END_TEST

static const struct {
	int64_t t0, t1;
	int cols;
} col_cases[] = {
	{ 0, LEN, 80 },   { 0, LEN, 1 },     { 0, LEN, 7 },     { 123, 1123, 13 },
	{ 500, 600, 80 }, { 500, 600, 100 }, { 500, 600, 250 },
};

START_TEST(columns)
{
	int cols = col_cases[_i].cols;
	struct viewport v;

	viewport_init(&v, 0, LEN);
	viewport_set(&v, col_cases[_i].t0, col_cases[_i].t1);
	ck_assert_int_eq(viewport_time(&v, 0, cols), v.t0);
	ck_assert_int_eq(viewport_time(&v, cols, cols), v.t1);
	ck_assert_int_eq(viewport_col(&v, v.t0 - 1, cols), 0);
	ck_assert_int_eq(viewport_col(&v, v.t1, cols), cols - 1);
	ck_assert_int_eq(viewport_col(&v, INT64_MAX, cols), cols - 1);
	for (int c = 0; c < cols; c++) {
		int64_t t0 = viewport_time(&v, c, cols), t1 = viewport_time(&v, c + 1, cols);

		ck_assert_int_le(t0, t1);
		if (t0 == t1)
			continue;
		ck_assert_int_eq(viewport_col(&v, t0, cols), c);
		ck_assert_int_eq(viewport_col(&v, t1 - 1, cols), c);
	}
}
END_TEST

START_TEST(columns_long)
{
	const int64_t len = INT64_C(4000000000000000007);
	struct viewport v;

	viewport_init(&v, 0, len);
	ck_assert_int_eq(viewport_time(&v, 250, 250), len);
	ck_assert_int_eq(viewport_time(&v, 125, 250), len / 2);
}
END_TEST

static const struct {
	int64_t t_min, t_max;
} tiny_cases[] = { { 0, 0 }, { 5, 5 }, { 5, 4 }, { 0, 1 }, { 10, 60 } };

START_TEST(tiny)
{
	struct viewport v;

	viewport_init(&v, tiny_cases[_i].t_min, tiny_cases[_i].t_max);
	ck_assert_int_lt(v.t_min, v.t_max);
	viewport_zoom(&v, v.t0, 1, 2);
	viewport_pan(&v, 7);
	viewport_set(&v, v.t_min, v.t_min);
	viewport_reveal(&v, v.t_max, v.t_max);
	check_window(&v, v.t_min, v.t_max);
}
END_TEST

START_TEST(longest_profile)
{
	struct viewport v;

	viewport_init(&v, 0, 2 * PROFILE_TIME_MAX);
	viewport_zoom(&v, PROFILE_TIME_MAX, 1, 3);
	viewport_pan(&v, 2 * PROFILE_TIME_MAX);
	ck_assert_int_eq(v.t1, 2 * PROFILE_TIME_MAX);
	viewport_set(&v, 0, 2 * PROFILE_TIME_MAX);
	ck_assert_int_eq(v.t0, 0);
	ck_assert_int_eq(v.t1, 2 * PROFILE_TIME_MAX);
	for (int col = 0; col < 80; col++)
		ck_assert_int_lt(viewport_time(&v, col, 80), viewport_time(&v, col + 1, 80));
	ck_assert_int_eq(viewport_col(&v, v.t1 - 1, 80), 79);
}
END_TEST

static void add_tests(Suite *suite)
{
	TCase *tcase = suite_case(suite, "viewport", SUITE_SECONDS);

	tcase_add_loop_test(tcase, set, 0, N(set_cases));
	tcase_add_loop_test(tcase, zoom, 0, N(zoom_cases));
	tcase_add_test(tcase, zoom_long);
	tcase_add_loop_test(tcase, pan, 0, N(pan_cases));
	tcase_add_loop_test(tcase, reveal, 0, N(reveal_cases));
	tcase_add_loop_test(tcase, columns, 0, N(col_cases));
	tcase_add_test(tcase, columns_long);
	tcase_add_loop_test(tcase, tiny, 0, N(tiny_cases));
	tcase_add_test(tcase, longest_profile);
}

int main(void)
{
	return suite_run("viewport", add_tests);
}
