/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Callers of a function that is called from each level of a deep stack: too many to show all. */
#include "config.h"

#include "analysis/merged.h"
#include "recursion.h"
#include "suite.h"

static struct profile *profile;
static struct view view;
static struct totals totals;

static void load(int n_levels)
{
	const struct lane *lane;

	profile = recursion_load_shared(n_levels);
	lane = &profile->lanes[0];
	view_init(&view, profile, &lane, 1, NULL, 0, GROUP_FUNCTION);
	totals_init(&totals, &view);
	totals_compute(&totals, lane->t0, lane->t1);
}

static void done(void)
{
	totals_done(&totals);
	view_done(&view);
	profile_free(profile);
}

static struct profile *callers_of_f(uint32_t *n_levels)
{
	frame_id f = 1;

	while (strcmp(profile_text(profile, profile_frame(profile, f)->name), "f") != 0)
		f++;
	return merged_sandwich(&totals, f, n_levels);
}

/* The time of the lane is that of f; below f, all callers of the levels that are there. */
START_TEST(callers_end_at_a_level)
{
	uint32_t n_levels, n_nodes = 1;
	struct profile *p;
	const struct lane *lane;

	load(2000);
	p = callers_of_f(&n_levels);
	lane = &p->lanes[0];
	ck_assert_uint_gt(n_levels, 100);
	ck_assert_uint_lt(n_levels, 1000);
	ck_assert_int_eq(lane->t1, totals.sampled_ns);
	ck_assert_uint_eq(lane->tree.max_rows, n_levels + 1);
	/* Level k has a caller for each call that has k or more of them. */
	for (uint32_t k = 1; k <= n_levels; k++)
		n_nodes += 2000 - k;
	ck_assert_uint_eq(lane->tree.n, n_nodes + 1);
	ck_assert_uint_le(n_nodes, 1000000 + 2000);
	profile_free(p);
	done();
}
END_TEST

START_TEST(few_callers_are_complete)
{
	uint32_t n_levels;
	struct profile *p;

	load(1000);
	p = callers_of_f(&n_levels);
	ck_assert_uint_eq(n_levels, 0);
	ck_assert_uint_eq(p->lanes[0].tree.n, 1 + 1 + 1000 * 999 / 2);
	ck_assert_uint_eq(p->lanes[0].tree.max_rows, 1000);
	profile_free(p);
	done();
}
END_TEST

static void add_tests(Suite *suite)
{
	TCase *t = suite_case(suite, "merged callers", SUITE_SECONDS);

	tcase_add_test(t, callers_end_at_a_level);
	tcase_add_test(t, few_callers_are_complete);
}

int main(void)
{
	return suite_run("merged_callers", add_tests);
}
