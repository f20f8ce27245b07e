/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Counters of a trace (C, UpdateCounters). */
#include "config.h"

#include "trace_story.h"

START_TEST(counter_series_that_is_missing_is_0)
{
	ck_tells("[" EV("C", "heap", 5, ",'args':{'used':10,'free':4}") "," EV(
			 "C", "heap", 7, ",'args':{'used':12}") "]",
		 "counter 1/- [heap] used=10@5,12@7 free=4@5,0@7\n");
	ck_tells("[" EV("C", "heap", 5, ",'args':{'used':10,'free':4}") "," EV(
			 "C", "heap", 7, ",'args':{'free':12}") "]",
		 "counter 1/- [heap] used=10@5,0@7 free=4@5,12@7\n");
}
END_TEST

START_TEST(counter_with_id_is_another)
{
	ck_tells("[" EV("C", "c", 5, ",'id':'1','args':{'v':1}") "," EV(
			 "C", "c", 6, ",'id':'2','args':{'v':2}") "]",
		 "counter 1/- [c 1] v=1@5\ncounter 1/- [c 2] v=2@6\n");
}
END_TEST

START_TEST(counter_of_no_numbers_is_counted)
{
	ck_warns("[" EV("C", "c", 5, ",'args':{'v':'x','w':null,'n':{}}") "," EV(
			 "C", "c", 5, "") "," X("a", 1, 1) "]",
		 "odd-counter", 4);
}
END_TEST

START_TEST(counter_of_broken_args_is_counted)
{
	/* what stands before the fault counts */
	ck_tells("[" EV("C", "c", 5, ",'args':{'v':10,'w' 4}") "]", "counter 1/- [c] v=10@5\n");
	ck_warns("[" EV("C", "c", 5, ",'args':{'v':10'w':4}") "," X("a", 1, 1) "]", "odd-counter",
		 1);
	ck_warns("[" EV("C", "c", 5, ",'args':{'v' 1}") "," X("a", 1, 1) "]", "odd-counter", 1);
	ck_warns("[" EV("C", "c", 5, ",'args':{}") "," EV("C", "c", 6, ",'args':null") "," X("a", 1,
											     1) "]",
		 "odd-counter", 2);
}
END_TEST

START_TEST(update_counters_are_counters)
{
	ck_tells("[" EV("I", "UpdateCounters", 5,
			",'args':{'data':{'n\\u006fdes':7,'documents':1}}") "]",
		 "counter 1/- [nodes] nodes=7@5\ncounter 1/- [Documents] Documents=1@5\n");
}
END_TEST

START_TEST(counters_belong_to_a_process)
{
	ck_tells(
		"[" EV("C", "c", 5, ",'args':{'v':1}") ",{'ph':'C','name':'c','pid':2,'tid':1,'ts':6,'args':{'v':2}}," EV(
			"C", "c", 7, ",'args':{'v':3}") "]",
		"counter 1/- [c] v=1@5,3@7\ncounter 2/- [c] v=2@6\n");
}
END_TEST

START_TEST(counter_values_may_be_any_finite_number)
{
	ck_tells("[" EV("C", "c", 5, ",'args':{'v':-1.5e3,'\\u0077':0.25}") "]",
		 "counter 1/- [c] v=-1500@5 w=0.25@5\n");
	ck_warns("[" EV("C", "c", 5, ",'args':{'v':1e999}") "," X("a", 1, 1) "]", "odd-counter", 1);
	ck_warns("[" EV("C", "c", 5, ",'args':[1]") "," X("a", 1, 1) "]", "odd-counter", 1);
}
END_TEST

/* An event without a usable value does not end the other series. */
START_TEST(counter_event_without_numbers_changes_nothing)
{
	ck_tells("[" EV("C", "c", 5, ",'args':{'v':1}") "," EV(
			 "C", "c", 6, ",'args':{'w':'x'}") "," EV("C", "c", 7,
								  ",'args':{'v':2}") "]",
		 "counter 1/- [c] v=1@5,2@7\n");
}
END_TEST

START_TEST(counter_has_at_most_256_series)
{
	struct buf text = { 0 };
	struct profile *p;

	buf_adds(&text, "[{'ph':'C','name':'c','pid':1,'tid':1,'ts':5,'args':{'s0':1");
	for (int i = 1; i < 300; i++)
		buf_addf(&text, ",'s%d':1", i);
	buf_adds(&text, "}}]");
	p = load(buf_text(&text));
	ck_assert_uint_eq(p->lanes[0].n_series, 256);
	ck_assert_uint_eq(count_of(p, "odd-counter"), 44);
	profile_free(p);
	buf_done(&text);
}
END_TEST

START_TEST(many_counters_are_told_apart)
{
	struct buf text = { 0 };
	struct profile *p;

	for (int i = 0; i < 400; i++)
		buf_addf(&text,
			 "%c{'ph':'C','name':'c%d','pid':%d,'tid':1,'ts':%d,'args':{'v':%d}}",
			 i ? ',' : '[', i % 100, i / 200, i, i);
	buf_addc(&text, ']');
	p = load(buf_text(&text));
	ck_assert_uint_eq(p->n_lanes, 200);
	for (uint32_t i = 0; i < p->n_lanes; i++)
		ck_assert_uint_eq(p->lanes[i].series[0].n, 2);
	profile_free(p);
	buf_done(&text);
}
END_TEST

/* Without numbers, UpdateCounters is a mark like other instants. */
START_TEST(update_counters_without_numbers_is_a_mark)
{
	ck_tells("[" EV("I", "UpdateCounters", 5, ",'args':{'data':{'nodes':'x'}}") "]",
		 "marks 1/1 UpdateCounters:5\n");
	ck_tells("[" EV("I", "UpdateCounters", 5,
			",'args':{'data':7}") "," EV("I", "UpdateCounters", 6, "") "]",
		 "marks 1/1 UpdateCounters:5 UpdateCounters:6\n");
}
END_TEST

static void add_rules(TCase *tc)
{
	tcase_add_test(tc, counter_series_that_is_missing_is_0);
	tcase_add_test(tc, counter_with_id_is_another);
	tcase_add_test(tc, counter_of_no_numbers_is_counted);
	tcase_add_test(tc, counter_of_broken_args_is_counted);
	tcase_add_test(tc, update_counters_are_counters);
	tcase_add_test(tc, counters_belong_to_a_process);
	tcase_add_test(tc, counter_values_may_be_any_finite_number);
	tcase_add_test(tc, counter_event_without_numbers_changes_nothing);
	tcase_add_test(tc, counter_has_at_most_256_series);
	tcase_add_test(tc, many_counters_are_told_apart);
	tcase_add_test(tc, update_counters_without_numbers_is_a_mark);
}

static void add_tests(Suite *suite)
{
	trace_suite(suite, add_rules);
}

int main(void)
{
	return suite_run("trace_counter", add_tests);
}
