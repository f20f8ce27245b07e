/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What is far from the rest of a trace: model/build/stray.h. */
#include "config.h"

#include "trace_story.h"

#define REST X("a", 900000000, 50) "," X("b", 900000100, 50) "," X("c", 900000200, 50)
#define MORE X("d", 900000300, 5) "," X("e", 900000400, 5)
#define REST_STORY "slices 1/1 a:900000000-900000050 b:900000100-900000150 c:900000200-900000250\n"

static void ck_left_out(const char *text, const char *story, uint64_t count, const char *where)
{
	struct profile *p = load(text);
	const struct input *in = &p->inputs[0];
	size_t i = 0;

	ck_profile_tells(p, story);
	ck_assert_uint_eq(count_of(p, "time-zero"), count);
	while (i < in->n_warnings && in->warnings[i].kind != WARN_TIME_ZERO)
		i++;
	ck_assert_msg(strstr(profile_text(p, in->warnings[i].text), where) != NULL, "%s, not %s",
		      profile_text(p, in->warnings[i].text), where);
	profile_free(p);
}

START_TEST(slices_far_from_the_rest_are_left_out)
{
	ck_left_out(
		"[" X("odd", 828000000, 50) "," REST "]", REST_STORY, 1,
		"1 event at 828 000 000 \302\265s of the file's clock, 72.0 s before the others");
	ck_left_out(
		"[" REST "," X("odd", 990000000, 50) "]", REST_STORY, 1,
		"1 event at 990 000 000 \302\265s of the file's clock, 90.0 s after the others");
	ck_left_out("[" X("odd", 990000000, 50) "," REST
						"," X("odd", 1, 50) "," X("odd", 3, 50) "]",
		    REST_STORY, 3,
		    "2 events at 1 \302\265s of the file's clock, 15 min 0 s before the "
		    "others; 1 event at 990 000 000");
}
END_TEST

/* A pair of begin and end is one piece, and two events. */
START_TEST(pairs_far_from_the_rest_are_left_out)
{
	ck_left_out("[" B("odd", 1000) "," E("odd", 1005) "," REST "]", REST_STORY, 2, "2 events");
	ck_left_out("[" AS("b", "odd", 1000, 7) "," AS("e", "odd", 1005, 7) "," REST "]",
		    REST_STORY, 2, "2 events");
	ck_warns("[" B("x", 1000) "," E("x", 1005) "," B("x", 1010) "," E("x", 1015) "," REST
										     "," MORE "]",
		 "time-zero", 0);
	/* It reaches the rest. */
	ck_tells("[" B("long", 1000) "," E("long", 900000300) "," REST "]",
		 "slices 1/1 long:1000-900000300 | a:900000000-900000050 b:900000100-900000150 "
		 "c:900000200-900000250\n");
	ck_warns("[" AS("b", "long", 1000, 7) "," AS("e", "long", 900000005, 7) "," REST "]",
		 "time-zero", 0);
}
END_TEST

/* What has no end lasts to the end of the rest, and is no reason to keep what is behind it. */
START_TEST(unfinished_slices_end_with_the_rest)
{
	ck_left_out("[" B("open", 900000060) "," REST "," X("odd", 990000000, 50) "]",
		    "slices 1/1 a:900000000-900000050 open:900000060-900000250U | "
		    "b:900000100-900000150 c:900000200-900000250\n",
		    1, "1 event");
	ck_left_out("[" B("odd", 1000) "," REST "]", REST_STORY, 1, "1 event");
}
END_TEST

START_TEST(marks_counters_and_flows_are_left_out)
{
	ck_left_out("[" EV("i", "odd", 1000, ",'s':'g'") "," REST "]", REST_STORY, 1, "1 event");
	/* An event with two series is one event. */
	ck_left_out(
		"[" EV("C", "m", 1000, ",'args':{'x':1,'y':2}") "," EV("C", "m", 1001, ",'args':{'x':1,'y':2}") "," EV(
			"C", "m", 1002,
			",'args':{'x':1,'z':2}") "," EV("C", "m", 900000010,
							",'args':{'x':4,'y':5}") "," REST "]",
		REST_STORY "counter 1/- [m] x=4@900000010 y=5@900000010 z=0@900000010\n", 3,
		"3 events");
	ck_left_out("[" X("odd", 1000, 50) "," EV("s", "f", 1010, ",'id':1") "," REST "," EV(
			    "f", "f", 900000010, ",'id':1,'bp':'e'") "]",
		    REST_STORY, 1, "1 event");
}
END_TEST

/* Its marks are the events of an object. */
START_TEST(objects_live_in_the_rest)
{
	ck_left_out("[" EV("N", "o", 1000, ",'id':1") "," EV("O", "o", 900000010,
							     ",'id':1") "," REST "]",
		    REST_STORY
		    "objects 1/- [Objects: o] o 1:900000000-900000250U | o snapshot:900000010\n",
		    1, "1 event");
	ck_left_out("[" X("odd", 1000, 1) "," EV("D", "o", 900000010, ",'id':1") "," REST "]",
		    REST_STORY
		    "objects 1/- [Objects: o] o 1:900000000-900000010O | o deleted:900000010\n",
		    1, "1 event");
}
END_TEST

START_TEST(metadata_and_profiles_have_no_time_of_their_own)
{
	ck_warns("[" META("process_name", "'name':'p'", 1, 1) "," REST "]", "time-zero", 0);
	ck_left_out("[" PROFILE("0x1", 1, 900000000, "'startTime':0") "," CHUNK(
			    "0x1", 1000, SAMPLES("2,3,2,3", "0,10,10,97200000000")) "," REST "]",
		    REST_STORY "samples 1/1 a:900000000-900000030 | b:900000010-900000020\n", 1,
		    "1 sample at 98 100 000 020");
}
END_TEST

#define STARTED(ts) EV("I", "TracingStartedInBrowser", ts, ",'s':'t','args':{'data':{}}")

START_TEST(all_before_the_start_of_the_recording_is_left_out)
{
	const char *many = X("x", 1, 1) "," X("x", 2, 1) "," X("x", 3, 1) "," X("x", 4,
										1) "," X("x", 5, 1);
	struct buf text = { 0 };

	buf_addf(&text, "[%s,%s]", many, REST "," MORE "," X("f", 900000500, 5));
	ck_warns(buf_text(&text), "time-zero", 0);
	buf_clear(&text);
	buf_addf(&text, "[%s,%s,%s]", many, STARTED(900000000), REST);
	ck_warns(buf_text(&text), "time-zero", 5);
	buf_done(&text);
	/* Near the start, they are of the recording. */
	ck_warns("[" X("x", 899999000, 1) "," STARTED(900000000) "," REST "]", "time-zero", 0);
}
END_TEST

START_TEST(time_0_far_from_the_rest_stands_for_no_time)
{
	const char *five = X("odd", 0, 0) "," X("odd", 0, 0) "," X("odd", 0, 0) "," X(
		"odd", 0, 0) "," X("odd", 0, 0);
	struct buf text = { 0 };

	buf_addf(&text, "[%s,%s]", five, X("a", 90000000, 80000000));
	ck_left_out(buf_text(&text), "slices 1/1 a:90000000-170000000\n", 5,
		    "5 events at 0 \302\265s of the file's clock, 90.0 s before the others");
	buf_clear(&text);
	buf_addf(&text, "[%s,%s]", five, X("a", 90000000, 90000000));
	ck_warns(buf_text(&text), "time-zero", 0);
	buf_done(&text);
	ck_warns("[" X("first", 0, 0) "," X("a", 900000, 50) "," X("b", 900100, 50) "]",
		 "time-zero", 0);
}
END_TEST

START_TEST(samples_beside_the_events_are_left_out)
{
	ck_left_out(
		"{'traceEvents':[],'stackFrames':{'1':{'name':'f'},'2':{'name':'g'}},'samples':["
		"{'pid':1,'tid':1,'ts':0,'sf':1},{'pid':1,'tid':1,'ts':90000000000,'sf':1},"
		"{'pid':1,'tid':1,'ts':90000010000,'sf':2},{'pid':1,'tid':1,'ts':90000020000,'sf':1}]}",
		"samples 1/1 f:90000000000-90000010000 g:90000010000-90000020000 "
		"f:90000020000-90000030000\n",
		1, "1 sample at 0 \302\265s of the file's clock, 25 h 0 min before the others");
}
END_TEST

START_TEST(all_is_kept_where_that_is_wanted)
{
	struct error err = ERROR_INIT;
	char *text = quoted("[" X("odd", 828000000, 50) "," REST "]");
	struct profile *p = load_text_with(
		builder_new(&(struct builder_options){ .keeps_strays = true }), text, strlen(text),
		SIZE_MAX, NULL, &err);

	ck_assert_ptr_nonnull(p);
	ck_assert_uint_eq(count_of(p, "time-zero"), 0);
	ck_assert_int_eq(p->t1, INT64_C(72000250) * 1000);
	profile_free(p);
	free(text);
}
END_TEST

/* Events that are too many to be stray are no reason for a first window without a use. */
START_TEST(part_with_most_events_is_the_first_window)
{
	const char *few = X("x", 1, 1) "," X("x", 2, 1) "," X("x", 3, 1) "," X("x", 4, 1);
	const char *many = X("x", 900000000001, 1) "," X("x", 900000000002, 1) "," X(
		"x", 900000000003, 1) "," X("x", 900000000004, 1) "," X("x", 900000000005, 1);
	struct buf text = { 0 };
	struct profile *p;

	buf_addf(&text, "[%s,%s]", few, many);
	p = load(buf_text(&text));
	ck_assert_uint_eq(count_of(p, "time-zero"), 0);
	ck_assert_int_eq(p->window_t0, INT64_C(900000000000) * 1000);
	ck_assert_int_eq(p->window_t1 - p->window_t0, 5000);
	ck_assert_int_eq(p->t1, INT64_C(900000000005) * 1000);
	profile_free(p);
	buf_done(&text);
	ck_notes("[" X("x", 1, 1) "," X("x", 2, 1) "," X("x", 3, 1) "," X("x", 4, 1) "," X(
			 "x", 900000000001, 1) "," X("x", 900000000002,
						     1) "," X("x", 900000000003,
							      1) "," X("x", 900000000004,
								       1) "," X("x", 900000000005,
										1) "]",
		 false, "more than a day apart");
}
END_TEST

START_TEST(window_of_the_metadata_wins)
{
	struct profile *p = load(
		"{'metadata':{'modifications':{'initialBreadcrumb':{'window':{'min':900000010,'max':900000020}}}},"
		"'traceEvents':[" X("odd", 0, 0) "," X("a", 900000000, 50) "]}");

	ck_assert_int_eq(p->window_t0, 10000);
	ck_assert_int_eq(p->window_t1, 20000);
	profile_free(p);
}
END_TEST

START_TEST(warning_is_at_the_first_event)
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
	tcase_add_test(tc, slices_far_from_the_rest_are_left_out);
	tcase_add_test(tc, pairs_far_from_the_rest_are_left_out);
	tcase_add_test(tc, unfinished_slices_end_with_the_rest);
	tcase_add_test(tc, marks_counters_and_flows_are_left_out);
	tcase_add_test(tc, objects_live_in_the_rest);
	tcase_add_test(tc, metadata_and_profiles_have_no_time_of_their_own);
	tcase_add_test(tc, all_before_the_start_of_the_recording_is_left_out);
	tcase_add_test(tc, time_0_far_from_the_rest_stands_for_no_time);
	tcase_add_test(tc, samples_beside_the_events_are_left_out);
	tcase_add_test(tc, all_is_kept_where_that_is_wanted);
	tcase_add_test(tc, part_with_most_events_is_the_first_window);
	tcase_add_test(tc, window_of_the_metadata_wins);
	tcase_add_test(tc, warning_is_at_the_first_event);
}

static void add_tests(Suite *suite)
{
	trace_suite(suite, add_rules);
}

int main(void)
{
	return suite_run("trace_range", add_tests);
}
