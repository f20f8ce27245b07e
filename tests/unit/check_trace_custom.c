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
		"marks 1/- [Marks] fetchStart:1\nmarks 1/- [User timing] mark:1\nasync 1/- [User timing] m:2-5\n");
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
		"async 1/- [Server: Cache] m:2-5\n");
	ck_tells_detail("{'devtools':{'track':'Cache'}}", "async 1/- [Cache] m:2-5\n");
}
END_TEST

START_TEST(detail_makes_a_marker_over_all_lanes)
{
	ck_tells_detail("{'devtools':{'dataType':'marker'}}", "marks -/- [Marks] m:2\n");
}
END_TEST

START_TEST(detail_of_another_kind_is_a_plain_measure)
{
	ck_tells_detail("{'devtools':7}", "async 1/- [User timing] m:2-5\n");
	ck_tells_detail("not json 'devtools'", "async 1/- [User timing] m:2-5\n");
}
END_TEST

START_TEST(of_equal_measures_the_later_is_outer)
{
	ck_tells(
		"[" EV("I", "TimeStamp", 9, ",'args':{'data':{'name':'in','start':1,'end':4,'track':'T'}}") "," EV(
			"I", "TimeStamp", 9,
			",'args':{'data':{'name':'out','start':1,'end':4,'track':'T'}}") "]",
		"async 1/- [T] out:1-4 | in:1-4\n");
}
END_TEST

START_TEST(time_stamp_without_a_track_is_a_mark)
{
	ck_tells("[" EV("I", "TimeStamp", 9, ",'args':{'data':{'message':'hi'}}") "]",
		 "marks 1/1 hi:9\n");
}
END_TEST

static void ck_stamps(const char *events, const char *story)
{
	struct buf text = { 0 };

	buf_addf(&text, "[%s]", events);
	ck_tells(buf_text(&text), story);
	buf_done(&text);
}

#define STAMP(ts, data) EV("I", "TimeStamp", ts, ",'args':{'data':{" data "}}")

START_TEST(time_stamps_refer_to_earlier_ones)
{
	ck_stamps(STAMP(5, "'name':'p'") "," STAMP(9, "'name':'q'") "," STAMP(
			  20, "'name':'m','start':'p','end':'q','track':'T'"),
		  "marks 1/1 p:5 q:9\nasync 1/- [T] m:5-9\n");
	ck_stamps(STAMP(5, "'name':'p'") "," STAMP(7, "'name':'p'") "," STAMP(
			  20, "'name':'m','start':'p','track':'T','trackGroup':'G'"),
		  "marks 1/1 p:5 p:7\nasync 1/- [G: T] m:7-20\n");
	ck_stamps(STAMP(20, "'name':'m','start':'unknown','end':'','track':'T'"),
		  "async 1/- [T] m:20\n");
	ck_stamps(STAMP(20, "'start':30,'end':25,'track':'T'"), "async 1/- [T] TimeStamp:30\n");
}
END_TEST

START_TEST(tracks_are_told_apart_by_process_group_and_name)
{
	ck_stamps(
		STAMP(1, "'name':'a','track':'T'") "," STAMP(2, "'name':'b','track':'U'") "," STAMP(
			3,
			"'name':'c','track':'T','trackGroup':'G'") "," STAMP(4,
									     "'name':'d','track':'T'") ",{'ph':'I','name':'TimeStamp','pid':2,'tid':1,'ts':5,'args':{'data':{'name':'e','track':'T'}}}",
		"async 1/- [T] a:1 d:4\nasync 1/- [U] b:2\nasync 1/- [G: T] c:3\nasync 2/- [T] e:5\n");
}
END_TEST

/* Entries that nest share rows; those that overlap take others. */
START_TEST(entries_of_a_track_nest)
{
	ck_stamps(
		STAMP(9, "'name':'a','start':1,'end':9,'track':'T'") "," STAMP(9, "'name':'b','start':2,'end':5,'track':'T'") "," STAMP(
			9,
			"'name':'c','start':5,'end':9,'track':'T'") "," STAMP(9,
									      "'name':'d','start':9,'end':12,'track':'T'"),
		"async 1/- [T] a:1-9 d:9-12 | b:2-5 c:5-9\n");
	ck_stamps(STAMP(9, "'name':'a','start':1,'end':5,'track':'T'") "," STAMP(
			  9, "'name':'b','start':3,'end':8,'track':'T'"),
		  "async 1/- [T] a:1-5\nasync 1/- [T] b:3-8\n");
}
END_TEST

START_TEST(time_stamp_without_data_is_a_mark)
{
	ck_stamps(EV("I", "TimeStamp", 9, "") "," EV("I", "TimeStamp", 10,
						     ",'args':{'data':7}") "," STAMP(11, ""),
		  "marks 1/1 TimeStamp:9 TimeStamp:10 TimeStamp:11\n");
}
END_TEST

START_TEST(mark_with_a_detail_stands_on_its_track)
{
	ck_tells(
		"[" TIMING("I", "m", 3, ",'args':{'data':{'detail':'{\\u0022devtools\\u0022:{\\u0022track\\u0022:\\u0022T\\u0022}}'}}") "," TIMING(
			"I", "n", 4,
			",'args':{'data':{'detail':'{\\u0022devtools\\u0022:{\\u0022dataType\\u0022:\\u0022other\\u0022,\\u0022track\\u0022:\\u0022T\\u0022}}'}}") "]",
		"marks 1/- [User timing] n:4\nasync 1/- [T] m:3\n");
}
END_TEST

START_TEST(user_timing_of_node_is_one_too)
{
	ck_tells(
		"[" EV("b", "a", 1, ",'cat':'node,node.perf,node.perf.usertiming','id':1") "," EV("e", "a", 3, ",'cat':'node,node.perf,node.perf.usertiming','id':1") "," EV(
			"b", "t", 5,
			",'cat':'node.console','id':2") "," EV("e", "t", 6,
							       ",'cat':'node.console','id':2") "]",
		"async 1/- [User timing] a:1-3\nasync 1/- [Console] t:5-6\n");
	/* A name of navigation timing is one whatever its category. */
	ck_tells("[" TIMING("b", "loadEventEnd", 1, ",'id':1") "," TIMING(
			 "e", "loadEventEnd", 3, ",'id':1") "," TIMING("R", "mine", 2, "") "]",
		 "marks 1/- [User timing] mine:2\nasync 1/- [User timing] loadEventEnd:1-3\n");
}
END_TEST

/* Of entries that begin together the longer is the outer one, in any order of the file. */
START_TEST(of_entries_that_begin_together_the_longer_is_outer)
{
	static const char story[] = "async 1/- [T] b:-9--1 | a:-9--5\n";

	ck_stamps(STAMP(9, "'name':'a','start':-9,'end':-5,'track':'T'") "," STAMP(
			  9, "'name':'b','start':-9,'end':-1,'track':'T'"),
		  story);
	ck_stamps(STAMP(9, "'name':'b','start':-9,'end':-1,'track':'T'") "," STAMP(
			  9, "'name':'a','start':-9,'end':-5,'track':'T'"),
		  story);
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
	tcase_add_test(tc, time_stamps_refer_to_earlier_ones);
	tcase_add_test(tc, tracks_are_told_apart_by_process_group_and_name);
	tcase_add_test(tc, entries_of_a_track_nest);
	tcase_add_test(tc, of_entries_that_begin_together_the_longer_is_outer);
	tcase_add_test(tc, time_stamp_without_data_is_a_mark);
	tcase_add_test(tc, mark_with_a_detail_stands_on_its_track);
	tcase_add_test(tc, user_timing_of_node_is_one_too);
}

static void add_tests(Suite *suite)
{
	trace_suite(suite, add_rules);
}

int main(void)
{
	return suite_run("trace_custom", add_tests);
}
