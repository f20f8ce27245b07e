/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Counters of a trace (C, UpdateCounters). */
#include "config.h"

#include "trace_story.h"

START_TEST(counter_series_that_is_missing_is_0)
{
	ck_tells("[" EV("C", "heap", 5, ",'args':{'used':10,'free':4}") "," EV(
			 "C", "heap", 7, ",'args':{'used':12}") "]",
		 "counter 1/-1 [heap] used=10@5,12@7 free=4@5,0@7\n");
}
END_TEST

START_TEST(counter_with_id_is_another)
{
	ck_tells("[" EV("C", "c", 5, ",'id':'1','args':{'v':1}") "," EV(
			 "C", "c", 6, ",'id':'2','args':{'v':2}") "]",
		 "counter 1/-1 [c 1] v=1@5\ncounter 1/-1 [c 2] v=2@6\n");
}
END_TEST

START_TEST(counter_of_no_numbers_is_counted)
{
	ck_warns("[" EV("C", "c", 5, ",'args':{'v':'x','w':null,'n':{}}") "," EV(
			 "C", "c", 5, "") "," X("a", 1, 1) "]",
		 "odd-counter", 4);
}
END_TEST

START_TEST(update_counters_are_counters)
{
	ck_tells("[" EV("I", "UpdateCounters", 5, ",'args':{'data':{'nodes':7,'documents':1}}") "]",
		 "counter 1/-1 [nodes] nodes=7@5\ncounter 1/-1 [documents] documents=1@5\n");
}
END_TEST

static void add_rules(TCase *tc)
{
	tcase_add_test(tc, counter_series_that_is_missing_is_0);
	tcase_add_test(tc, counter_with_id_is_another);
	tcase_add_test(tc, counter_of_no_numbers_is_counted);
	tcase_add_test(tc, update_counters_are_counters);
}

static void add_tests(Suite *suite)
{
	trace_suite(suite, add_rules);
}

int main(void)
{
	return suite_run("trace_counter", add_tests);
}
