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
	/* The same, out of order. */
	p = load("[" X("b", 900000100, 50) "," X("a", 900000000, 50) "," X("odd", 900000000000,
									   5) "]");
	ck_assert_int_eq(p->window_t0, 0);
	ck_assert_int_eq(p->window_t1, 150000);
	profile_free(p);
	ck_warns("[" X("a", 1, 50) "," X("b", 86399999999, 50) "," X("c", 86400000001, 5) "]",
		 "time-zero", 0);
}
END_TEST

START_TEST(time_0_near_the_rest_is_a_time)
{
	const char *near = "[" X("first", 0, 0) "," X("a", 900000, 50) "," X("b", 900100, 50) "]";
	struct profile *p = load(near);

	ck_assert_int_le(p->window_t1, p->window_t0);
	profile_free(p);
	ck_warns(near, "time-zero", 0);
}
END_TEST

/* The window ends with the last slice, not with its start. */
START_TEST(window_ends_with_the_last_slice)
{
	struct profile *p = load(
		"[" X("odd", 0, 0) "," X("a", 900000000, 500) "," X("b", 900000100, 50) "]");

	ck_assert_int_eq(p->window_t0, INT64_C(900000000000));
	ck_assert_int_eq(p->window_t1 - p->window_t0, 500000);
	profile_free(p);
}
END_TEST

START_TEST(window_of_the_metadata_wins)
{
	struct profile *p = load(
		"{'metadata':{'modifications':{'initialBreadcrumb':{'window':{'min':900000010,'max':900000020}}}},"
		"'traceEvents':[" X("odd", 0, 0) "," X("a", 900000000, 50) "]}");

	ck_assert_int_eq(p->window_t0, INT64_C(900000010000));
	ck_assert_int_eq(p->window_t1, INT64_C(900000020000));
	profile_free(p);
}
END_TEST

/* Of many parts far from each other, those beyond the sixteenth count as one. */
START_TEST(days_beyond_the_sixteenth_are_one_part)
{
	struct buf text = { 0 };
	struct profile *p;

	for (int i = 0; i < 20; i++)
		buf_addf(&text, "%c{'ph':'X','name':'d%d','pid':1,'tid':1,'ts':%lld,'dur':5}",
			 i ? ',' : '[', i, (long long)i * 3 * 86400 * 1000000 + 1000000);
	buf_addc(&text, ']');
	ck_warns(buf_text(&text), "time-zero", 15);
	p = load(buf_text(&text));
	ck_assert_int_eq(p->window_t0, INT64_C(15) * 3 * 86400 * 1000000000);
	ck_assert_int_eq(p->window_t1, INT64_C(19) * 3 * 86400 * 1000000000 + 5000);
	profile_free(p);
	buf_done(&text);
}
END_TEST

/* Days before 1970 are distinguished, too; neighbours are one part. */
START_TEST(days_before_the_clock_began_are_days)
{
	struct profile *p = load("[" X("a", -86400000001, 5) "," X("b", -3, 1) "," X(
		"c", 3, 1) "," X("d", 900000000000, 5) "]");

	ck_assert_uint_eq(count_of(p, "time-zero"), 1);
	ck_assert_int_eq(p->window_t0, 0);
	ck_assert_int_eq(p->window_t1, INT64_C(86400000005) * 1000);
	profile_free(p);
}
END_TEST

START_TEST(part_with_most_events_is_the_window)
{
	struct profile *p = load(
		"[" X("a", 1000000, 5) "," X("b", 900000000000, 5) "," X("c", 900000000100, 5) "]");

	ck_assert_uint_eq(count_of(p, "time-zero"), 1);
	ck_assert_int_eq(p->window_t0, INT64_C(899999000000) * 1000);
	ck_assert_int_eq(p->window_t1 - p->window_t0, 105000);
	profile_free(p);
}
END_TEST

/* Parts of a trace are one while not more than a day lies between them. */
START_TEST(part_ends_when_a_day_is_empty)
{
	ck_warns("[" X("a", 1, 0) "," X("b", 86400000001, 0) "," X("c", 86400000001, 0) "]",
		 "time-zero", 0);
	ck_warns("[" X("a", 1, 0) "," X("b", 172800000003, 0) "," X("c", 172800000003, 0) "]",
		 "time-zero", 1);
}
END_TEST

START_TEST(warning_of_time_0_is_at_the_first_event_of_it)
{
	struct profile *p = load(
		"[" X("a", 900000000, 5) "," X("odd", 0, 0) "," X("odd", 0, 0) "]");

	ck_assert_int_eq(p->inputs[0].warnings[0].offset,
			 2 + (int64_t)strlen(X("a", 900000000, 5)));
	ck_assert_uint_eq(count_of(p, "time-zero"), 2);
	profile_free(p);
}
END_TEST

static void add_rules(TCase *tc)
{
	tcase_add_test(tc, time_0_far_from_the_rest_is_left_out_of_the_view);
	tcase_add_test(tc, events_days_away_are_kept_but_not_in_view);
	tcase_add_test(tc, time_0_near_the_rest_is_a_time);
	tcase_add_test(tc, window_ends_with_the_last_slice);
	tcase_add_test(tc, window_of_the_metadata_wins);
	tcase_add_test(tc, days_beyond_the_sixteenth_are_one_part);
	tcase_add_test(tc, days_before_the_clock_began_are_days);
	tcase_add_test(tc, part_with_most_events_is_the_window);
	tcase_add_test(tc, part_ends_when_a_day_is_empty);
	tcase_add_test(tc, warning_of_time_0_is_at_the_first_event_of_it);
}

static void add_tests(Suite *suite)
{
	trace_suite(suite, add_rules);
}

int main(void)
{
	return suite_run("trace_range", add_tests);
}
