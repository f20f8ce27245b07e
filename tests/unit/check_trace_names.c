/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Names and order of the processes and threads of a trace. */
#include "config.h"

#include "trace_story.h"

START_TEST(names_may_come_last)
{
	struct profile *p = load(
		"[" ON(5, 6) "," META("thread_name", "'name':'one'", 5, 6) "," META(
			"thread_name", "'name':'two'", 5, 6) "," META("process_name", "'name':'P'",
								      5, 0) "]");

	ck_assert_str_eq(profile_text(p, p->lanes[0].thread_name), "two");
	ck_assert_str_eq(profile_text(p, p->lanes[0].process_name), "P");
	profile_free(p);
}
END_TEST

START_TEST(main_thread_comes_first_pools_last)
{
	ck_tells("[" ON(1, 2) "," ON(1, 3) "," ON(1, 4) "," ON(1, 9) "," META(
			 "thread_name", "'name':'ThreadPoolWorker'", 1,
			 2) "," META("thread_name", "'name':'CrRendererMain'", 1,
				     9) "," META("thread_name", "'name':'DedicatedWorker thread'",
						 1, 4) "," META("thread_name",
								"'name':'Compositor'", 1, 3) "]",
		 "slices 1/9 x:1-2\nslices 1/4 x:1-2\nslices 1/3 x:1-2\nslices 1/2 x:1-2\n");
}
END_TEST

START_TEST(sort_index_comes_before_names)
{
	ck_tells("[" ON(1, 2) "," ON(1, 3) "," META("thread_sort_index", "'sort_index':-5", 1,
						    3) "]",
		 "slices 1/3 x:1-2\nslices 1/2 x:1-2\n");
	ck_tells("[" ON(1, 2) "," ON(2, 2) "," META("process_sort_index", "'sort_index':-5", 2,
						    0) "]",
		 "slices 2/2 x:1-2\nslices 1/2 x:1-2\n");
}
END_TEST

START_TEST(metadata_does_not_count_for_the_range)
{
	struct profile *p = load(
		"[" META("thread_name", "'name':'a'", 1, 1) "," X("a", 1000, 5) "]");

	ck_assert_int_eq(p->t1, 5000);
	profile_free(p);
}
END_TEST

START_TEST(command_line_is_cut_to_what_it_tells)
{
	struct profile *p = load("[" ON(5, 5) "," META(
		"process_name", "'name':'/usr/lib/chromium --type=renderer --lang=en'", 5, 0) "]");

	ck_assert_str_eq(profile_text(p, p->lanes[0].process_name), "chromium --type=renderer");
	profile_free(p);
}
END_TEST

START_TEST(console_timers_share_a_track)
{
	ck_tells(
		"[" EV("b", "one", 1, ",'cat':'blink.console','id':1") "," EV("e", "one", 3, ",'cat':'blink.console','id':1") "," EV(
			"b", "two", 5,
			",'cat':'blink.console','id':2") "," EV("e", "two", 8,
								",'cat':'blink.console','id':2") "]",
		"async 1/-1 [Console] one:1-3 two:5-8\n");
}
END_TEST

START_TEST(page_of_a_renderer_comes_with_its_load)
{
	struct profile *p = load("[" EV("X", "CommitLoad", 1, ",'dur':1,'args':{'data':{'isMainFrame':true,'url':'http://a.example/x'}}") "," EV(
		"X", "CommitLoad", 3,
		",'dur':1,'args':{'data':{'isMainFrame':false,'url':'http://ads.example/x'}}") "," META("process_name",
													"'name':'Renderer'",
													1,
													0) "]");

	ck_assert_str_eq(profile_text(p, p->lanes[0].process_name), "Renderer http://a.example");
	profile_free(p);
}
END_TEST

START_TEST(renderer_is_told_by_its_page)
{
	struct profile *p = load(
		"[" EV("I", "TracingStartedInBrowser", 1, ",'args':{'data':{'frames':[{'frame':'F','url':'https://shop.example/cart','processId':7}]}}") "," META(
			"process_name", "'name':'Renderer'", 7, 0) "," ON(7, 7) "]");

	ck_assert_str_eq(profile_text(p, p->lanes[0].process_name),
			 "Renderer https://shop.example");
	profile_free(p);
}
END_TEST

static void add_rules(TCase *tc)
{
	tcase_add_test(tc, names_may_come_last);
	tcase_add_test(tc, main_thread_comes_first_pools_last);
	tcase_add_test(tc, sort_index_comes_before_names);
	tcase_add_test(tc, metadata_does_not_count_for_the_range);
	tcase_add_test(tc, command_line_is_cut_to_what_it_tells);
	tcase_add_test(tc, console_timers_share_a_track);
	tcase_add_test(tc, page_of_a_renderer_comes_with_its_load);
	tcase_add_test(tc, renderer_is_told_by_its_page);
}

static void add_tests(Suite *suite)
{
	trace_suite(suite, add_rules);
}

int main(void)
{
	return suite_run("trace_names", add_tests);
}
