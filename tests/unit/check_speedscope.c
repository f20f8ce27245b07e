/* SPDX-License-Identifier: GPL-2.0-or-later */
/* speedscope files: one test for each rule of formats(5), SPEEDSCOPE. */
#include "config.h"

#include "story.h"
#include "suite.h"

#define SCHEMA "'$schema':'https://www.speedscope.app/file-format-schema.json'"
#define SHARED                                                                                     \
	"'shared':{'frames':[{'name':'a','file':'/srv/x.js','line':3,'col':1},{'name':'b'},{'name':'c'}]}"
#define FILE_OF(profiles) "{" SCHEMA "," SHARED ",'profiles':[" profiles "]}"
#define EVENTED(more, events) "{'type':'evented','name':'one'," more "'events':[" events "]}"
#define SAMPLED(more, samples, weights)                                                            \
	"{'type':'sampled','name':'two'," more "'samples':[" samples "],'weights':[" weights "]}"
#define O(frame, at) "{'type':'O','frame':" #frame ",'at':" #at "}"
#define C(frame, at) "{'type':'C','frame':" #frame ",'at':" #at "}"
#define US "'unit':'microseconds','startValue':0,'endValue':10,"

static const struct good {
	const char *text, *story, *kind;
	uint64_t count;
} goods[] = {
	{ FILE_OF(EVENTED(US, O(0, 0) "," O(1, 2) "," C(1, 5) "," C(0, 10))), "0 a|2 a>b|5 a|10",
	  NULL, 0 },
	{ FILE_OF(SAMPLED(US, "[0,1],[0],[],[2]", "4,1.5,0.5,4")), "0 a>b|4 a|5.500 -|6 c|10", NULL,
	  0 },
	/* units */
	{ FILE_OF(SAMPLED("'unit':'nanoseconds',", "[0],[1]", "400,600")), "0 a|0.400 b|1", NULL,
	  0 },
	{ FILE_OF(SAMPLED("'unit':'milliseconds',", "[0],[1]", "4,0.000001")),
	  "0 a|4000 b|4000.001", NULL, 0 },
	{ FILE_OF(SAMPLED("'unit':'seconds',", "[0],[1]", "1,2")), "0 a|1000000 b|3000000", NULL,
	  0 },
	{ FILE_OF(SAMPLED("'unit':'bytes',", "[0],[1]", "1,2")), "0 a|0.001 b|0.003", NULL, 0 },
	{ FILE_OF(SAMPLED("", "[0],[1]", "1,2")), "0 a|1 b|3", NULL, 0 },
	/* the unit behind the values */
	{ FILE_OF("{'type':'sampled','samples':[[0],[1]],'weights':[1,2],'endValue':3,'unit':'seconds'}"),
	  "0 a|1000000 b|3000000", NULL, 0 },
	{ FILE_OF("{'events':[" O(0, 1000) "," C(0,
						 4000) "],'type':'evented','unit':'nanoseconds'}"),
	  "0 a|3", NULL, 0 },
	{ FILE_OF("{'startValue':2,'endValue':5,'events':[" O(0, 3) "," C(
		  0, 4) "],'type':'evented','unit':'milliseconds'}"),
	  "1000 a|2000", NULL, 0 },
	/* frames behind the profiles */
	{ "{" SCHEMA ",'profiles':[" SAMPLED(US, "[0],[1]", "4,6") "]," SHARED "}", "0 a|4 b|10",
	  NULL, 0 },
	/* calls of no time at all leave no sample */
	{ FILE_OF(EVENTED(US,
			  O(0, 0) "," O(1, 5) "," C(1, 5) "," O(2, 5) "," C(2, 8) "," C(0, 10))),
	  "0 a|5 a>c|8 a|10", NULL, 0 },
	/* blank before and between */
	{ FILE_OF(EVENTED(US, O(0, 2) "," C(0, 4) "," O(1, 6) "," C(1, 7))), "2 a|4 -|6 b|7", NULL,
	  0 },
	/* broken, but used */
	{ FILE_OF(SAMPLED(US, "[9],[0,-1],['x'],7", "1,1,1,7")),
	  "0 (unknown)|1 a>(unknown)|2 (unknown)|3 -|10", "odd-index", 3 },
	{ FILE_OF(SAMPLED(US, "[0],7,[1],null", "1,2,3,4")), "0 a|1 -|3 b|6 -|10", "odd-sample",
	  2 },
	{ FILE_OF(SAMPLED(US, "[0],[1],[2]", "4,-1,'x'")), "0 a|4 b|4 c|4", "odd-weight", 2 },
	{ FILE_OF(SAMPLED(US, "[0],[1],[2]", "4")), "0 a|4 b|4 c|4", "odd-weight", 1 },
	{ FILE_OF(SAMPLED(US, "[0],[1]", "4,6,1")), "0 a|4 b|10", "odd-weight", 1 },
	{ FILE_OF(EVENTED(US,
			  O(0, 0) "," O(1, 2) "," C(0, 5) "," C(1, 6) "," O(2, 7) "," C(2, 10))),
	  "0 a|2 a>b|5 -|7 c|10", "closed-by-outer", 1 },
	{ FILE_OF(EVENTED(US, O(0, 0) "," C(1, 3) "," C(0, 10))), "0 a|10", "unmatched-end", 1 },
	{ FILE_OF(EVENTED(US, O(0, 0) "," O(1, 5))), "0 a|5 a>b|10", "unfinished", 2 },
	{ FILE_OF(EVENTED(US, O(0, 5) "," O(1, 3) "," C(1, 6) "," C(0, 10))), "5 a>b|6 a|10",
	  "negative-delta", 1 },
	{ FILE_OF(EVENTED(
		  US,
		  O(0, 5) ",null,{'type':'X','frame':0,'at':6},{'type':'O','frame':1}," C(0, 10))),
	  "5 a|10", "odd-event", 2 },
	{ FILE_OF(EVENTED(US, O(0, 5) ",{'type':'O','frame':1}," C(0, 10))), "5 a|10",
	  "time-missing", 1 },
	{ "{" SCHEMA "," SHARED
	  ",'profiles':[" SAMPLED(US, "[0],[1]", "4,6") ",{'type':'sampled','uni",
	  "0 a|4 b|10", "cut-off", 1 },
	{ FILE_OF(SAMPLED(US, "[0],[1]", "4,6")) "\n\n tail", "0 a|4 b|10", "trailing", 1 },
};

START_TEST(rules)
{
	story_check(goods[_i].text, goods[_i].story, goods[_i].kind, goods[_i].count);
}
END_TEST

START_TEST(each_profile_is_a_lane)
{
	struct profile *p = story_load(FILE_OF(EVENTED(US, O(0, 0) "," C(0, 10)) "," SAMPLED(
		US, "[1]", "10") ",{'type':'evented','events':[]}"));

	ck_assert_uint_eq(p->n_lanes, 2);
	ck_assert_str_eq(profile_text(p, p->lanes[0].title), "one");
	ck_assert_str_eq(profile_text(p, p->lanes[1].title), "two");
	ck_assert_uint_eq(p->inputs[0].n_notes, 1);
	ck_assert(p->inputs[0].notes[0].is_loss);
	profile_free(p);
}
END_TEST

START_TEST(places_count_from_one)
{
	struct profile *p = story_load(FILE_OF(SAMPLED(US, "[0]", "10")));
	const struct frame *f = profile_node_frame(p, &p->lanes[0], 1);

	ck_assert_int_eq(f->line, 3);
	ck_assert_int_eq(f->column, 1);
	ck_assert_str_eq(profile_text(p, f->url), "/srv/x.js");
	profile_free(p);
}
END_TEST

START_TEST(nothing_to_show)
{
	story_fails(FILE_OF("{'type':'evented','events':[]}"), "no samples");
	story_fails("{" SCHEMA ",'shared':{'frames':[{'na", "");
}
END_TEST

START_TEST(broken_anywhere)
{
	story_broken(FILE_OF(EVENTED(US, O(0, 0) "," C(0, 10)) "," SAMPLED("'unit':'seconds',",
									   "[0,1],[2]", "1,2.5")),
		     "speedscope");
}
END_TEST

START_TEST(second_file_is_lanes_of_its_own)
{
	struct profile *p = story_load(FILE_OF(SAMPLED(US, "[0],[1]", "4,6")) "\n" FILE_OF(
		SAMPLED(US, "[1],[2]", "1,2") "," SAMPLED(US, "[0]", "5")));

	ck_assert_uint_eq(p->n_lanes, 3);
	story_of(p, 0, "0 a|4 b|10");
	ck_assert_uint_eq(story_warned(p, "second-profile"), 1);
	profile_free(p);
}
END_TEST

/* The frame (unknown) and a frame of the file without a place are equal if their names are. */
START_TEST(unknown_frame_has_no_place)
{
	struct profile *p = story_load(
		"{" SCHEMA ",'shared':{'frames':[{'name':'(unknown)'}]},'profiles':[" SAMPLED(
			US, "[0],[9]", "4,6") "]}");
	const struct lane *l = &p->lanes[0];

	ck_assert_uint_eq(l->tree.n, 2);
	ck_assert_uint_eq(profile_node_frame(p, l, 1)->script, 0);
	ck_assert_uint_eq(profile_node_frame(p, l, 1)->url, 0);
	profile_free(p);
}
END_TEST

START_TEST(times_beyond_the_range_are_cut)
{
	struct profile *p = story_load(FILE_OF(SAMPLED("'unit':'nanoseconds',", "[0],[1],[2],[0]",
						       "2305843009213693000,900,100,1")));

	ck_assert_uint_eq(story_warned(p, "time-range"), 2);
	/* The warning has the place of the profile in the file. */
	ck_assert_int_gt(p->inputs[0].warnings[0].offset, 0);
	ck_assert_int_eq(p->t1, (INT64_C(1) << 61) - 1);
	profile_free(p);
}
END_TEST

static void add_tests(Suite *suite)
{
	TCase *t = suite_case(suite, "rules", 300);

	tcase_add_loop_test(t, rules, 0, N(goods));
	tcase_add_test(t, each_profile_is_a_lane);
	tcase_add_test(t, second_file_is_lanes_of_its_own);
	tcase_add_test(t, unknown_frame_has_no_place);
	tcase_add_test(t, times_beyond_the_range_are_cut);
	tcase_add_test(t, places_count_from_one);
	tcase_add_test(t, nothing_to_show);
	tcase_add_test(t, broken_anywhere);
}

int main(void)
{
	return suite_run("speedscope", add_tests);
}
