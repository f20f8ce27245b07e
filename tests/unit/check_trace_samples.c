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

/* Where a function starts makes it one row, whichever line it was at. */
START_TEST(hermes_function_is_one_row_at_its_start)
{
	struct profile *p = load(
		"{'traceEvents':[],'stackFrames':{"
		"'1':{'name':'f(a.js:7:3)','line':'7','column':'3','funcLine':'5','funcColumn':'2'},"
		"'2':{'name':'f(a.js:9:1)','line':'9','column':'1','funcLine':'5','funcColumn':'2'},"
		"'3':{'name':'g(a.js:4:4)','parent':'1'},'4':{'name':'g(a.js:4:4)','parent':'2'},"
		"'5':{'name':'h','funcLine':8,'funcColumn':6}},"
		"'samples':[{'pid':1,'tid':2,'ts':'10','sf':3},{'pid':1,'tid':2,'ts':'20','sf':4},"
		"{'pid':1,'tid':2,'ts':'30','sf':2},{'pid':1,'tid':2,'ts':'40','sf':5}]}");
	const struct lane *lane = &p->lanes[0];
	const struct frame *f = profile_node_frame(p, lane, 1);

	ck_assert_uint_eq(lane->tree.n, 4);
	ck_assert_str_eq(profile_text(p, f->name), "f");
	ck_assert_int_eq(f->line, 5);
	ck_assert_int_eq(f->column, 2);
	/* f is one span, g in it another: the stacks are the same. */
	ck_assert_uint_eq(lane->n_spans, 3);
	f = profile_node_frame(p, lane, 3);
	ck_assert_int_eq(f->line, 8);
	ck_assert_int_eq(f->column, 6);
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

START_TEST(labelled_ranges_are_ranges)
{
	ck_tells(
		"{'metadata':{'modifications':{'annotations':{'labelledTimeRanges':[{'bounds':{'min':1,'max':5},'label':'spike'},{'bounds':{'min':3,'max':9},'label':'later'}]}}},'traceEvents':[]}",
		"async -/- [Labelled ranges] spike:1-5\nasync -/- [Labelled ranges] later:3-9\n");
}
END_TEST

START_TEST(metadata_is_told)
{
	const char *text =
		"{'metadata':{'source':'DevTools','hardwareConcurrency':8,'resources':[{'content':'x'}]},'traceEvents':[]}";

	ck_notes(text, false, "source: DevTools");
	ck_notes(text, false, "hardwareConcurrency: 8");
	ck_notes(text, true, "metadata.resources (17 B) not shown");
}
END_TEST

START_TEST(samples_that_are_none_are_counted)
{
	const char *text =
		"{'traceEvents':[],'stackFrames':{'2':{'name':'a'},'x':7},'samples':[7,{'pid':1,'tid':2,'sf':2},{'pid':1,'tid':2,'ts':1e300,'sf':2},{'pid':1,'tid':2,'ts':-3e15,'sf':2},{'pid':1,'ts':10,'sf':2},{'pid':1,'tid':0,'ts':20,'sf':'2'}]}";

	ck_tells(text, "samples 1/0 a:10-30\n");
	ck_warns(text, "odd-event", 1);
	ck_warns(text, "time-missing", 3);
	ck_warns(text, "no-ids", 1);
	ck_warns(text, "stack-frame", 1);
}
END_TEST

START_TEST(samples_of_one_time_keep_their_order)
{
	ck_tells(
		"{'traceEvents':[],'stackFrames':{'1':{'name':'a'},'2':{'name':'b'},'3':{'name':'c'}},"
		"'samples':[{'pid':1,'tid':1,'ts':30,'sf':1},{'pid':1,'tid':1,'ts':10,'sf':3},{'pid':1,'tid':1,'ts':20,'sf':2},{'pid':1,'tid':1,'ts':20,'sf':1}]}",
		"samples 1/1 c:10-20 b:20 a:20-36.667\n");
}
END_TEST

START_TEST(threads_share_stack_frames)
{
	ck_tells(
		"{'traceEvents':[],'stackFrames':{'1':{'name':'a'},'2':{'name':'b','parent':1}},"
		"'samples':[{'pid':2,'tid':1,'ts':10,'sf':2},{'pid':1,'tid':2,'ts':10,'sf':2},{'pid':1,'tid':1,'ts':10,'sf':2},{'pid':2,'tid':1,'ts':20,'sf':1},{'pid':1,'tid':2,'ts':20,'sf':1},{'pid':1,'tid':1,'ts':20,'sf':1}]}",
		"samples 1/1 a:10-30 | b:10-20\nsamples 1/2 a:10-30 | b:10-20\nsamples 2/1 a:10-30 | b:10-20\n");
}
END_TEST

/* Only a whole "(url:line:column)" at the end is a place. */
START_TEST(names_without_a_place_stay_whole)
{
	ck_tells(
		"{'traceEvents':[],'stackFrames':{'1':{'name':'f(x)'},'2':{'name':'g(u:1:2) '},'3':{'name':'h(:1:2)'},'4':{'name':'i(u:1)'},'5':{'name':'j(u:1:1234567890)'},'6':{'name':'k(u::2)'},'7':{'name':'l(u:3:4)'}},"
		"'samples':[{'pid':1,'tid':1,'ts':10,'sf':1},{'pid':1,'tid':1,'ts':20,'sf':2},{'pid':1,'tid':1,'ts':30,'sf':3},{'pid':1,'tid':1,'ts':40,'sf':4},{'pid':1,'tid':1,'ts':50,'sf':5},{'pid':1,'tid':1,'ts':60,'sf':6},{'pid':1,'tid':1,'ts':70,'sf':7}]}",
		"samples 1/1 f(x):10-20 g(u:1:2) :20-30 h:30-40 i(u:1):40-50 j(u:1:1234567890):50-60 k(u::2):60-70 l:70-80\n");
}
END_TEST

START_TEST(window_without_a_width_is_none)
{
	static const char *const windows[] = {
		"{'min':5,'max':5}",    "{'min':9,'max':5}", "{'min':5}", "{'max':5}", "7",
		"{'min':-1e16,'max':5}"
	};

	for (size_t i = 0; i < ARRAY_LEN(windows); i++) {
		struct buf text = { 0 };
		struct profile *p;

		buf_addf(
			&text,
			"{'metadata':{'modifications':{'initialBreadcrumb':{'window':%s}}},'traceEvents':[" X(
				"a", 1, 2) "]}",
			windows[i]);
		p = load(buf_text(&text));
		ck_assert_msg(p->window_t1 <= p->window_t0, "%s", windows[i]);
		profile_free(p);
		buf_done(&text);
	}
}
END_TEST

START_TEST(hidden_entries_are_noted)
{
	ck_notes(
		"{'metadata':{'modifications':{'entriesModifications':{'hiddenEntries':['r-1','r-2']}}},'traceEvents':[]}",
		false, "2 entries hidden in DevTools, and shown here");
}
END_TEST

START_TEST(small_values_of_the_metadata_are_noted)
{
	const char *text =
		"{'metadata':{'empty':'','yes':true,'n':1.5,'list':[1],'null':null,'sourceMaps':[],'resources':[1,2,3]},'traceEvents':[]}";
	struct profile *p = load(text);

	ck_notes(text, false, "yes: true");
	ck_notes(text, false, "n: 1.5");
	ck_assert_uint_eq(p->inputs[0].n_notes, 3);
	profile_free(p);
}
END_TEST

START_TEST(ranges_without_bounds_or_label_are_left_out)
{
	ck_tells(
		"{'metadata':{'modifications':{'annotations':{'labelledTimeRanges':[7,{'label':'x'},{'bounds':{'min':1,'max':2}},{'bounds':7,'label':'y'},{'bounds':{'min':3,'max':3},'label':'z'}]}}},'traceEvents':[]}",
		"async -/- [Labelled ranges] z:3\n");
}
END_TEST

START_TEST(samples_without_events_are_a_trace)
{
	struct error err = ERROR_INIT;
	char *text = quoted("{'stackFrames':{'1':{'name':'a'}},'other':1}");

	ck_tells(
		"{'stackFrames':{'1':{'name':'a'}},'samples':[{'pid':1,'tid':2,'ts':10,'sf':1},{'pid':1,'tid':2,'ts':20,'sf':1}]}",
		"samples 1/2 a:10-30\n");
	ck_assert_ptr_null(load_bytes(text, strlen(text), &err));
	ck_assert_int_eq(err.kind, ERR_UNKNOWN);
	free(text);
}
END_TEST

START_TEST(samples_that_are_cut_off_are_kept)
{
	const char *text =
		"{'stackFrames':{'1':{'name':'a'}},'samples':[{'pid':1,'tid':2,'ts':10,'sf':1},{'pid':1,'tid':2,'ts':20,'sf':1},{'pid'";

	ck_tells(text, "samples 1/2 a:10-30\n");
	ck_warns(text, "cut-off", 1);
}
END_TEST

START_TEST(unknown_stack_frames_are_one_node)
{
	const char *text =
		"{'traceEvents':[],'stackFrames':{'1':{'name':'a'}},'samples':[{'pid':1,'tid':1,'ts':10,'sf':8},{'pid':1,'tid':1,'ts':20,'sf':1},{'pid':1,'tid':1,'ts':30,'sf':9}]}";
	struct profile *p = load(text);

	ck_tells(text, "samples 1/1 ?:10-20 a:20-30 ?:30-40\n");
	ck_assert_uint_eq(p->inputs[0].n_warnings, 2);
	ck_assert_uint_eq(count_of(p, "stack-frame"), 2);
	ck_assert_uint_eq(count_of(p, "end-time"), 1);
	profile_free(p);
}
END_TEST

static void add_rules(TCase *tc)
{
	tcase_add_test(tc, top_level_samples_are_a_lane_per_thread);
	tcase_add_test(tc, hermes_names_hold_their_place);
	tcase_add_test(tc, hermes_function_is_one_row_at_its_start);
	tcase_add_test(tc, missing_stack_frame_is_a_question_mark);
	tcase_add_test(tc, circle_of_stack_frames_is_cut);
	tcase_add_test(tc, innermost_bread_crumb_is_the_window);
	tcase_add_test(tc, labelled_ranges_are_ranges);
	tcase_add_test(tc, metadata_is_told);
	tcase_add_test(tc, samples_that_are_none_are_counted);
	tcase_add_test(tc, samples_of_one_time_keep_their_order);
	tcase_add_test(tc, unknown_stack_frames_are_one_node);
	tcase_add_test(tc, threads_share_stack_frames);
	tcase_add_test(tc, names_without_a_place_stay_whole);
	tcase_add_test(tc, window_without_a_width_is_none);
	tcase_add_test(tc, hidden_entries_are_noted);
	tcase_add_test(tc, small_values_of_the_metadata_are_noted);
	tcase_add_test(tc, ranges_without_bounds_or_label_are_left_out);
	tcase_add_test(tc, samples_without_events_are_a_trace);
	tcase_add_test(tc, samples_that_are_cut_off_are_kept);
}

static void add_tests(Suite *suite)
{
	trace_suite(suite, add_rules);
}

int main(void)
{
	return suite_run("trace_samples", add_tests);
}
