/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The first functions of random profiles, against the rows of all functions. Failures print the
 * seed. */
#include "config.h"

#include "suite.h"

#include "analyse/rows/rows.h"

#include "random_profile.h"

#define SEEDS 40

/* All functions but each `ctx`-th one. */
static bool is_wanted(const void *ctx, frame_id frame)
{
	return frame % *(const uint32_t *)ctx != 0;
}

static void check_top(const struct totals *totals, enum rows_sort sort, size_t most,
		      uint32_t except, int seed)
{
	struct rows_top top;
	struct rows rows;
	size_t n = 0;

	rows_init(&rows, totals, ROWS_BOTTOMUP, sort, FRAME_NONE);
	rows_top_init(&top, totals, sort, most, is_wanted, &except);
	for (size_t i = 0; i < rows.n; i++) {
		if (!is_wanted(&except, rows.rows[i].frame))
			continue;
		if (n < most)
			ck_assert_msg(n < top.n && top.list[n] == rows.rows[i].frame,
				      "seed %d, order %u, row %zu of %zu", seed, (unsigned)sort, n,
				      most);
		n++;
	}
	ck_assert_uint_eq(top.n, n < most ? n : most);
	ck_assert_uint_eq(top.n_left, n - top.n);
	rows_top_done(&top);
	rows_done(&rows);
}

/* In each order, none, some and all functions, where several have the same time or the same name.
 */
START_TEST(first_functions_are_the_first_rows)
{
	struct profile *p = random_profile(_i, 300, 600, 2);
	const struct lane *lanes[] = { &p->lanes[0], &p->lanes[1] };
	struct totals totals;
	struct view view;

	view_init(&view, p, lanes, 2);
	totals_init(&totals, &view);
	totals_compute(&totals, 0, _i % 3 ? p->t1 : p->t1 / 20);
	for (enum rows_sort sort = ROWS_BY_SELF; sort <= ROWS_BY_NAME; sort++)
		for (size_t most = 0; most <= totals.n_used + 1; most += 1 + most / 2)
			for (uint32_t except = 1; except < 5; except++)
				check_top(&totals, sort, most, except, _i);
	totals_done(&totals);
	view_done(&view);
	profile_free(p);
}
END_TEST

static void add_tests(Suite *suite)
{
	TCase *t = suite_case(suite, "top", SUITE_SECONDS);

	tcase_add_loop_test(t, first_functions_are_the_first_rows, 0, SEEDS);
}

int main(void)
{
	return suite_run("rows_top", add_tests);
}
