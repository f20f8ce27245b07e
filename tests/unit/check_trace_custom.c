/* SPDX-License-Identifier: GPL-2.0-or-later */
/* User timings, console timers and time stamps of a trace. */
#include "config.h"

#include "trace_story.h"

START_TEST(user_timings_have_tracks_of_their_own)
{
	ck_tells(
		"[" TIMING("I", "mark", 1, "") "," TIMING("b", "m", 2, ",'id2':{'local':'1'}") "," TIMING(
			"e", "m", 5, ",'id2':{'local':'1'}") "," TIMING("R", "fetchStart", 1,
									"") "]",
		"marks 1/1 fetchStart:1\nmarks 1/-1 [User timing] mark:1\nasync 1/-1 [User timing] m:2-5\n");
}
END_TEST

/* The text of a detail is JSON in JSON: its quotes are escaped. */
static void ck_tells_detail(const char *detail, const char *story)
{
	struct buf text = { 0 };

	buf_adds(
		&text,
		"[{'ph':'b','cat':'blink.user_timing','name':'m','id':1,'pid':1,'tid':1,'ts':2,'args':{'detail':'");
	for (; *detail; detail++)
		buf_adds(&text, *detail == '\'' ? "\\'" : (char[]){ *detail, '\0' });
	buf_adds(
		&text,
		"'}},{'ph':'e','cat':'blink.user_timing','name':'m','id':1,'pid':1,'tid':1,'ts':5}]");
	ck_tells(buf_text(&text), story);
	buf_done(&text);
}

START_TEST(detail_puts_a_measure_on_a_track)
{
	ck_tells_detail(
		"{'devtools':{'dataType':'track-entry','track':'Cache','trackGroup':'Server','color':'tertiary'}}",
		"async 1/-1 [Server: Cache] m:2-5\n");
	ck_tells_detail("{'devtools':{'track':'Cache'}}", "async 1/-1 [Cache] m:2-5\n");
}
END_TEST

START_TEST(detail_makes_a_marker_over_all_lanes)
{
	ck_tells_detail("{'devtools':{'dataType':'marker'}}", "marks -1/-1 [Marks] m:2\n");
}
END_TEST

START_TEST(detail_of_another_kind_is_a_plain_measure)
{
	ck_tells_detail("{'devtools':7}", "async 1/-1 [User timing] m:2-5\n");
	ck_tells_detail("not json 'devtools'", "async 1/-1 [User timing] m:2-5\n");
}
END_TEST

START_TEST(of_equal_measures_the_later_is_outer)
{
	ck_tells(
		"[" EV("I", "TimeStamp", 9, ",'args':{'data':{'name':'in','start':1,'end':4,'track':'T'}}") "," EV(
			"I", "TimeStamp", 9,
			",'args':{'data':{'name':'out','start':1,'end':4,'track':'T'}}") "]",
		"async 1/-1 [T] out:1-4 | in:1-4\n");
}
END_TEST

START_TEST(time_stamp_without_a_track_is_a_mark)
{
	ck_tells("[" EV("I", "TimeStamp", 9, ",'args':{'data':{'message':'hi'}}") "]",
		 "marks 1/1 hi:9\n");
}
END_TEST

static void add_rules(TCase *tc)
{
	tcase_add_test(tc, user_timings_have_tracks_of_their_own);
	tcase_add_test(tc, detail_puts_a_measure_on_a_track);
	tcase_add_test(tc, detail_makes_a_marker_over_all_lanes);
	tcase_add_test(tc, detail_of_another_kind_is_a_plain_measure);
	tcase_add_test(tc, of_equal_measures_the_later_is_outer);
	tcase_add_test(tc, time_stamp_without_a_track_is_a_mark);
}

static void add_tests(Suite *suite)
{
	trace_suite(suite, add_rules);
}

int main(void)
{
	return suite_run("trace_custom", add_tests);
}
