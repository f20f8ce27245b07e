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

/* The end that waits is for a begin before this instant, not for one behind it in the file. */
START_TEST(waiting_end_is_taken_as_soon_as_it_matches)
{
	ck_tells("[" B("a", 1) "," B("b", 2) "," E("a", 9) "," E("b", 9) "," B("a", 9) "," E(
			 "a", 20) "]",
		 "slices 1/1 a:1-9 a:9-20 | b:2-9\n");
}
END_TEST

START_TEST(events_that_cannot_be_counted_are_an_error)
{
	struct error err = ERROR_INIT;
	struct buf text = { 0 };

	buf_adds(&text, "[");
	for (int i = 0; i <= 1000; i++)
		buf_addf(&text, "%s{\"ph\":\"B\",\"name\":\"a\",\"pid\":1,\"tid\":1,\"ts\":%d}",
			 i ? "," : "", i + 1);
	buf_adds(&text, "]");
	ck_assert_ptr_null(load_text_with(builder_new(&(struct builder_options){ .most = 1000 }),
					  buf_text(&text), text.len, SIZE_MAX, NULL, &err));
	ck_assert_int_eq(err.kind, ERR_LIMIT);
	ck_assert_msg(strstr(err.text, "more than 1000 B and E events") != NULL, "%s", err.text);
	buf_done(&text);
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
	struct profile *p;

	ck_tells(text, "slices 1/1 a:1-20U\nslices 1/2 b:5-20\n");
	ck_warns(text, "unfinished", 1);
	p = load(text);
	ck_assert_int_eq(slice_end_offset(&p->lanes[0].slices, 0), -1);
	profile_free(p);
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

/* Where a thread is not sorted by time, events of one time stay in the order of the file. */
START_TEST(unsorted_events_of_one_time_keep_their_order)
{
	ck_tells("[" B("z", 9) "," E("z", 10) "," B("a", 5) "," B("c", 5) "," E("c", 6) "," E(
			 "a", 7) "]",
		 "slices 1/1 a:5-7 z:9-10 | c:5-6\n");
}
END_TEST

START_TEST(all_slices_inside_are_closed_with_the_outer)
{
	const char *text = "[" B("a", 1) "," B("b", 2) "," B("c", 3) "," E("a", 5) "," E(
		"b", 9) "," E("c", 9) "]";

	ck_tells(text, "slices 1/1 a:1-5 | b:2-5C | c:3-5C\n");
	ck_warns(text, "closed-by-outer", 2);
	ck_warns(text, "unmatched-end", 2);
}
END_TEST

START_TEST(nearest_begin_of_a_name_is_closed)
{
	ck_tells("[" B("a", 1) "," B("a", 2) "," B("b", 3) "," E("a", 5) "," E("a", 9) "]",
		 "slices 1/1 a:1-9 | a:2-5 | b:3-5C\n");
	ck_tells("[" B("a", 1) "," E("a", 2) "," B("b", 3) "," E("a", 4) "," E("b", 5) "]",
		 "slices 1/1 a:1-2 b:3-5\n");
}
END_TEST

START_TEST(nameless_end_without_begin_is_counted)
{
	ck_warns("[{'ph':'E','pid':1,'tid':1,'ts':1}," B("a", 2) "," E("a", 3) "]", "unmatched-end",
		 1);
}
END_TEST

START_TEST(each_unmatched_end_of_an_instant_is_counted)
{
	struct buf text = { 0 };

	buf_adds(&text, "[" B("a", 1));
	for (int i = 0; i < 3000; i++)
		buf_adds(&text, "," E("b", 5));
	buf_adds(&text, "," E("a", 9) "]");
	ck_warns(buf_text(&text), "unmatched-end", 3000);
	ck_tells(buf_text(&text), "slices 1/1 a:1-9\n");
	buf_done(&text);
}
END_TEST

/* More than one chunk of events, some open across the border of chunks. */
START_TEST(long_threads_keep_all_pairs)
{
	struct buf text = { 0 };
	struct profile *p;
	int n = 70000;

	buf_adds(&text, "[" B("outer", 1));
	for (int i = 0; i < n; i++)
		buf_addf(
			&text,
			",{'ph':'B','name':'n%d','pid':1,'tid':1,'ts':%d},{'ph':'E','pid':1,'tid':1,'ts':%d}",
			i % 5, 10 * i + 10, 10 * i + 14);
	buf_addf(&text, ",{'ph':'E','name':'outer','pid':1,'tid':1,'ts':%d}]", 10 * n + 30);
	p = load(buf_text(&text));
	ck_assert_uint_eq(p->lanes[0].slices.n, (size_t)n + 1);
	ck_assert_uint_eq(p->lanes[0].slices.n_ends, (size_t)n + 1);
	ck_assert_int_eq(p->lanes[0].max_depth, 2);
	ck_assert_int_eq(p->t1, (int64_t)(10 * n + 29) * 1000);
	ck_assert_uint_eq(p->inputs[0].n_warnings, 0);
	profile_free(p);
	buf_done(&text);
}
END_TEST

#define AT(ph, name, ts, tts) EV(ph, name, ts, ",'tts':" #tts)

/* The slices of the first lane in order, each with its time of the processor in us; -1: none. */
static void ck_cpu(const char *text, const char *expect)
{
	BUF_LOCAL out = { 0 };
	struct profile *p = load(text);
	const struct slices *s = &p->lanes[0].slices;

	for (size_t k = 0; k < s->n; k++)
		buf_addf(&out, "%s%lld", k ? " " : "",
			 (long long)(slice_cpu(s, k) < 0 ? -1 : slice_cpu(s, k) / 1000));
	ck_assert_msg(strcmp(buf_text(&out), expect) == 0, "%s, not %s: %s", buf_text(&out), expect,
		      text);
	profile_free(p);
}

START_TEST(processor_time_is_between_the_clocks_of_both_events)
{
	ck_cpu("[" AT("B", "a", 1, 100) "," AT("B", "b", 2, 101) "," AT("E", "b", 5, 103) "," AT(
		       "E", "a", 9, 106) "]",
	       "6 2");
	/* A begin or an end that does not state it; a clock that runs back, or stands. */
	ck_cpu("[" B("a", 1) "," AT("B", "b", 2, 101) "," E("b", 5) "," AT("E", "a", 9, 106) "]",
	       "-1 -1");
	ck_cpu("[" AT("B", "a", 1, 100) "," AT("B", "b", 2, 104) "," AT("E", "b", 5, 103) "," AT(
		       "E", "a", 9, 100) "]",
	       "-1 -1");
	/* Closed with the slice around it; without an end. */
	ck_cpu("[" AT("B", "a", 1, 0) "," AT("B", "b", 2, 1) "," AT("E", "a", 9, 6) "]", "6 5");
	ck_cpu("[" AT("B", "a", 1, 0) "," AT("B", "b", 2, 1) "," AT("E", "b", 9, 6) "]", "-1 5");
	/* The length of an event that states both is not what its clock says. */
	ck_cpu("[" EV("X", "a", 1, ",'dur':8,'tts':100,'tdur':3") "," AT("B", "b", 2, 101) "," AT(
		       "E", "b", 5, 103) "]",
	       "3 2");
}
END_TEST

START_TEST(processor_time_of_events_in_no_order)
{
	struct buf text = { 0 }, expect = { 0 };
	int n = 70000;

	/* Only the second half states it. More than one chunk of events. */
	buf_addf(&text, "[" AT("E", "a", 2000000, 50) "," AT("B", "a", 1999990, 43));
	for (int i = 0; i < n; i++) {
		int cpu = i < n / 2 ? -1 : 1 + i % 4;

		for (int is_end = 0; is_end < 2; is_end++) {
			buf_addf(&text, ",{'ph':'%c','name':'b','pid':1,'tid':1,'ts':%d",
				 is_end ? 'E' : 'B', 10 * i + 10 + 5 * is_end);
			if (cpu > 0)
				buf_addf(&text, ",'tts':%d", i + is_end * cpu);
			buf_adds(&text, "}");
		}
		buf_addf(&expect, "%d ", cpu);
	}
	buf_adds(&text, "]");
	buf_adds(&expect, "7");
	ck_cpu(buf_text(&text), buf_text(&expect));
	buf_done(&text);
	buf_done(&expect);
}
END_TEST

static void add_rules(TCase *tc)
{
	tcase_add_test(tc, threads_do_not_take_each_others_ends);
	tcase_add_test(tc, e_without_name_closes_innermost);
	tcase_add_test(tc, end_waits_for_its_time_stamp);
	tcase_add_test(tc, waiting_end_is_taken_as_soon_as_it_matches);
	tcase_add_test(tc, end_of_an_outer_slice_closes_those_inside);
	tcase_add_test(tc, what_began_at_this_instant_stays_open);
	tcase_add_test(tc, end_without_begin_is_counted);
	tcase_add_test(tc, open_begin_lasts_to_the_end_of_the_trace);
	tcase_add_test(tc, many_begins_and_ends_of_one_instant);
	tcase_add_test(tc, end_event_is_kept_for_its_args);
	tcase_add_test(tc, unsorted_events_of_one_time_keep_their_order);
	tcase_add_test(tc, all_slices_inside_are_closed_with_the_outer);
	tcase_add_test(tc, nearest_begin_of_a_name_is_closed);
	tcase_add_test(tc, nameless_end_without_begin_is_counted);
	tcase_add_test(tc, each_unmatched_end_of_an_instant_is_counted);
	tcase_add_test(tc, long_threads_keep_all_pairs);
	tcase_add_test(tc, events_that_cannot_be_counted_are_an_error);
	tcase_add_test(tc, processor_time_is_between_the_clocks_of_both_events);
	tcase_add_test(tc, processor_time_of_events_in_no_order);
}

static void add_tests(Suite *suite)
{
	trace_suite(suite, add_rules);
}

int main(void)
{
	return suite_run("trace_pairs", add_tests);
}
