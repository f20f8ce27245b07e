/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The range of times of a trace. */
#include "config.h"

#include "trace_story.h"

START_TEST(time_0_far_from_the_rest_is_left_out_of_the_view)
{
	const char *text = "[" X("odd", 0, 0) "," X("a", 900000000, 50) "," X("b", 900000100,
									      50) "]";
	struct profile *p = load(text);

	ck_assert_int_eq(p->window_t1 - p->window_t0, 150000);
	profile_free(p);
	ck_warns(text, "time-zero", 1);
}
END_TEST

START_TEST(events_days_away_are_kept_but_not_in_view)
{
	const char *text = "[" X("a", 900000000, 50) "," X("b", 900000100,
							   50) "," X("odd", 900000000000, 5) "]";
	struct profile *p = load(text);

	ck_assert_uint_eq(count_of(p, "time-zero"), 1);
	ck_assert_int_eq(p->window_t0, 0);
	ck_assert_int_eq(p->window_t1, 150000);
	profile_free(p);
	ck_warns("[" X("a", 1, 50) "," X("b", 86399999999, 50) "," X("c", 86400000001, 5) "]",
		 "time-zero", 0);
}
END_TEST

static void add_rules(TCase *tc)
{
	tcase_add_test(tc, time_0_far_from_the_rest_is_left_out_of_the_view);
	tcase_add_test(tc, events_days_away_are_kept_but_not_in_view);
}

static void add_tests(Suite *suite)
{
	trace_suite(suite, add_rules);
}

int main(void)
{
	return suite_run("trace_range", add_tests);
}
