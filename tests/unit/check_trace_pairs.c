/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Begin and end events of a trace (B, E). */
#include "config.h"

#include "trace_story.h"

START_TEST(threads_do_not_take_each_others_ends)
{
	ck_tells("[" B("a", 1) ",{'ph':'B','name':'b','pid':1,'tid':2,'ts':2}," E(
			 "", 5) ",{'ph':'E','pid':1,'tid':2,'ts':9}]",
		 "slices 1/1 a:1-5\nslices 1/2 b:2-9\n");
}
END_TEST

START_TEST(e_without_name_closes_innermost)
{
	ck_tells("[" B("a", 1) "," B("b", 2) ",{'ph':'E','pid':1,'tid':1,'ts':3}," E("a", 5) "]",
		 "slices 1/1 a:1-5 | b:2-3\n");
}
END_TEST

START_TEST(end_waits_for_its_time_stamp)
{
	ck_tells("[" B("a", 1) "," B("b", 2) "," E("a", 5) "," E("b", 5) "]",
		 "slices 1/1 a:1-5 | b:2-5\n");
	ck_tells("[" B("a", 1) "," B("b", 5) "," E("a", 5) "]", "slices 1/1 a:1-5 b:5U\n");
	ck_tells("[" B("a", 1) "," E("c", 2) "," B("c", 2) "," E("a", 10) "]",
		 "slices 1/1 a:1-10 | c:2\n");
}
END_TEST

START_TEST(end_of_an_outer_slice_closes_those_inside)
{
	const char *text = "[" B("a", 1) "," B("b", 2) "," E("a", 5) "," E("b", 9) "]";

	ck_tells(text, "slices 1/1 a:1-5 | b:2-5C\n");
	ck_warns(text, "closed-by-outer", 1);
	ck_warns(text, "unmatched-end", 1);
}
END_TEST

START_TEST(what_began_at_this_instant_stays_open)
{
	ck_tells("[" B("a", 1) "," B("b", 5) "," E("a", 5) "," E("b", 8) "]",
		 "slices 1/1 a:1-5 b:5-8\n");
}
END_TEST

START_TEST(end_without_begin_is_counted)
{
	ck_warns("[" E("a", 1) "," X("b", 2, 1) "]", "unmatched-end", 1);
}
END_TEST

START_TEST(open_begin_lasts_to_the_end_of_the_trace)
{
	const char *text = "[" B("a", 1) ",{'ph':'X','name':'b','pid':1,'tid':2,'ts':5,'dur':15}]";

	ck_tells(text, "slices 1/1 a:1-20U\nslices 1/2 b:5-20\n");
	ck_warns(text, "unfinished", 1);
}
END_TEST

START_TEST(many_begins_and_ends_of_one_instant)
{
	struct buf text = { 0 };
	struct profile *p;
	int n = 50000;

	/* First in, first out: the worst order there is. */
	for (int i = 0; i < 2 * n; i++)
		buf_addf(&text, "%c{'ph':'%c','name':'n%d','pid':1,'tid':1,'ts':5}", i ? ',' : '[',
			 i < n ? 'B' : 'E', i % n);
	buf_addc(&text, ']');
	p = load(buf_text(&text));
	ck_assert_uint_eq(p->lanes[0].slices.n, (size_t)n);
	ck_assert_uint_eq(count_of(p, "unfinished") + count_of(p, "unmatched-end") +
				  count_of(p, "closed-by-outer"),
			  0);
	profile_free(p);
	buf_done(&text);
}
END_TEST

START_TEST(end_event_is_kept_for_its_args)
{
	struct profile *p = load("[" B("a", 1) "," E("a", 5) "]");

	ck_assert_uint_eq(p->lanes[0].slices.n_ends, 1);
	ck_assert_int_eq(slice_offset(&p->lanes[0].slices, 0), 1);
	ck_assert_int_eq(slice_end_offset(&p->lanes[0].slices, 0), 2 + (int)strlen(B("a", 1)));
	profile_free(p);
}
END_TEST

static void add_rules(TCase *tc)
{
	tcase_add_test(tc, threads_do_not_take_each_others_ends);
	tcase_add_test(tc, e_without_name_closes_innermost);
	tcase_add_test(tc, end_waits_for_its_time_stamp);
	tcase_add_test(tc, end_of_an_outer_slice_closes_those_inside);
	tcase_add_test(tc, what_began_at_this_instant_stays_open);
	tcase_add_test(tc, end_without_begin_is_counted);
	tcase_add_test(tc, open_begin_lasts_to_the_end_of_the_trace);
	tcase_add_test(tc, many_begins_and_ends_of_one_instant);
	tcase_add_test(tc, end_event_is_kept_for_its_args);
}

static void add_tests(Suite *suite)
{
	trace_suite(suite, add_rules);
}

int main(void)
{
	return suite_run("trace_pairs", add_tests);
}
