/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The members beside the events of a trace: samples, stackFrames, metadata. */
#include "config.h"

#include "trace_story.h"

/* ---- stack frames and samples ---- */

START_TEST(top_level_samples_are_a_lane_per_thread)
{
	ck_tells(
		"{'samples':[{'pid':1,'tid':'2','ts':'30','sf':2},{'pid':1,'tid':'2','ts':'10','sf':1,'weight':'1'},{'pid':1,'tid':'2','ts':'20','sf':2}],"
		"'stackFrames':{'1':{'name':'main'},'2':{'name':'sum(app.js:7:3)','parent':'1'}},'traceEvents':[]}",
		"samples 1/2 main:10-40 | sum:20-40\n");
}
END_TEST

START_TEST(hermes_names_hold_their_place)
{
	struct profile *p = load(
		"{'traceEvents':[],'stackFrames':{'2':{'name':'sum(http://h/app.js:7:3)'}},'samples':[{'pid':1,'tid':2,'ts':10,'sf':2},{'pid':1,'tid':2,'ts':20,'sf':2}]}");
	const struct frame *f = profile_node_frame(p, &p->lanes[0], 1);

	ck_assert_str_eq(profile_text(p, f->url), "http://h/app.js");
	ck_assert_int_eq(f->line, 7);
	ck_assert_int_eq(f->column, 3);
	profile_free(p);
}
END_TEST

START_TEST(missing_stack_frame_is_a_question_mark)
{
	const char *text =
		"{'traceEvents':[],'stackFrames':{'2':{'name':'a','parent':9}},'samples':[{'pid':1,'tid':2,'ts':10,'sf':2},{'pid':1,'tid':2,'ts':20,'sf':5}]}";

	ck_tells(text, "samples 1/2 a:10-20 ?:20-30\n");
	ck_warns(text, "stack-frame", 2);
}
END_TEST

START_TEST(circle_of_stack_frames_is_cut)
{
	ck_warns(
		"{'traceEvents':[],'stackFrames':{'2':{'name':'a','parent':3},'3':{'name':'b','parent':2}},'samples':[{'pid':1,'tid':2,'ts':10,'sf':2},{'pid':1,'tid':2,'ts':20,'sf':2}]}",
		"cycle", 1);
}
END_TEST

/* ---- metadata ---- */

START_TEST(innermost_bread_crumb_is_the_window)
{
	struct profile *p = load(
		"{'metadata':{'modifications':{'initialBreadcrumb':{'window':{'min':0,'max':1000},'child':{'window':{'min':100,'max':400},'child':null}}}},'traceEvents':[" X(
			"a", 50, 900) "]}");

	ck_assert_int_eq(p->window_t0, 50000);
	ck_assert_int_eq(p->window_t1, 350000);
	profile_free(p);
}
END_TEST

START_TEST(labelled_ranges_are_marks)
{
	ck_tells(
		"{'metadata':{'modifications':{'annotations':{'labelledTimeRanges':[{'bounds':{'min':1,'max':2},'label':'spike'}]}}},'traceEvents':[]}",
		"marks -1/-1 [Marks] spike:1\n");
}
END_TEST

START_TEST(metadata_is_told)
{
	const char *text =
		"{'metadata':{'source':'DevTools','hardwareConcurrency':8,'resources':[{'content':'x'}]},'traceEvents':[]}";

	ck_says(text, "source: DevTools");
	ck_says(text, "hardwareConcurrency: 8");
	ck_says(text, "metadata.resources (");
}
END_TEST

static void add_rules(TCase *tc)
{
	tcase_add_test(tc, top_level_samples_are_a_lane_per_thread);
	tcase_add_test(tc, hermes_names_hold_their_place);
	tcase_add_test(tc, missing_stack_frame_is_a_question_mark);
	tcase_add_test(tc, circle_of_stack_frames_is_cut);
	tcase_add_test(tc, innermost_bread_crumb_is_the_window);
	tcase_add_test(tc, labelled_ranges_are_marks);
	tcase_add_test(tc, metadata_is_told);
}

static void add_tests(Suite *suite)
{
	trace_suite(suite, add_rules);
}

int main(void)
{
	return suite_run("trace_samples", add_tests);
}
