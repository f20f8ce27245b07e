/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The stacks that events of a trace name, and the frames that they lack. */
#include "config.h"

#include "trace_story.h"

#define DOC(events, frames) "{'traceEvents':[" events "],'stackFrames':{" frames "}}"
#define AT(member) EV("X", "a", 1, ",'dur':1," member)
#define FRAMES "'7':{'name':'sum','parent':'5'},'5':{'name':'main'}"

START_TEST(stack_whose_frames_exist_is_no_warning)
{
	static const char *const members[] = { "'sf':7",
					       "'sf':'7'",
					       "'stack':7",
					       "'esf':'7'",
					       "'estack':'\\u0037'",
					       "'sf':null",
					       "'stack':['main','0x7']",
					       "'stack':[]" };

	for (size_t i = 0; i < ARRAY_LEN(members); i++) {
		struct buf text = { 0 };

		buf_addf(&text,
			 "{'traceEvents':[{'ph':'X','name':'a','pid':1,'tid':1,'ts':1,"
			 "'dur':1,%s}],'stackFrames':{" FRAMES "}}",
			 members[i]);
		ck_warns(buf_text(&text), "stack-frame", 0);
		buf_done(&text);
	}
	/* The keys of the frames are decoded, too. */
	ck_warns(DOC(AT("'sf':7"), "'\\u0037':{'name':'sum'}"), "stack-frame", 0);
}
END_TEST

START_TEST(missing_frames_of_events_are_counted)
{
	ck_warns(DOC(AT("'sf':8"), FRAMES), "stack-frame", 1);
	ck_warns(DOC(AT("'sf':8,'esf':8") "," AT("'stack':8") "," AT("'sf':7,'estack':9"), FRAMES),
		 "stack-frame", 4);
	/* A missing caller, of each event that has it. */
	ck_warns(DOC(AT("'sf':7") "," AT("'sf':7") "," AT("'sf':6"),
		     "'7':{'name':'sum','parent':'6'},'6':{'name':'x','parent':'5'}"),
		 "stack-frame", 3);
	/* No frames at all. */
	ck_warns("[" AT("'sf':7") "]", "stack-frame", 1);
	ck_warns(DOC(AT("'sf':{}"), FRAMES), "stack-frame", 1);
}
END_TEST

START_TEST(frames_may_come_before_the_events)
{
	ck_warns("{'stackFrames':{" FRAMES "},'traceEvents':[" AT("'sf':7") "]}", "stack-frame", 0);
}
END_TEST

START_TEST(cycle_of_callers_ends)
{
	const char *text = DOC(AT("'sf':7") "," AT("'sf':9"),
			       "'7':{'name':'a','parent':'8'},'8':{'name':'b','parent':'7'},"
			       "'9':{'name':'c','parent':'7'}");

	ck_warns(text, "stack-cycle", 2);
	ck_warns(text, "stack-frame", 0);
	ck_warns(DOC(AT("'sf':7"), "'7':{'name':'a','parent':7}"), "stack-cycle", 1);
}
END_TEST

START_TEST(category_of_a_frame_is_kept)
{
	struct profile *p = load(DOC(AT("'sf':7"), "'7':{'name':'sum','category':'app'}"));

	ck_assert_uint_eq(p->n_stack_frames, 1);
	ck_assert_str_eq(profile_text(p, p->stack_frames[0].category), "app");
	profile_free(p);
}
END_TEST

START_TEST(numbers_of_samples_may_be_escaped_text)
{
	struct profile *p = load("{'traceEvents':[],'stackFrames':{" FRAMES "},'samples':["
				 "{'pid':'\\u0031','tid':'2','ts':'1\\u0030','sf':'\\u0037'},"
				 "{'pid':1,'tid':2,'ts':20,'sf':5}]}");

	ck_assert_uint_eq(p->n_lanes, 1);
	ck_assert_int_eq(p->lanes[0].pid, 1);
	ck_assert_int_eq(p->lanes[0].tid, 2);
	ck_assert_uint_eq(p->lanes[0].n_samples, 2);
	ck_assert_int_eq(p->origin_ns, 10000);
	profile_free(p);
}
END_TEST

static void add_rules(TCase *tc)
{
	tcase_add_test(tc, stack_whose_frames_exist_is_no_warning);
	tcase_add_test(tc, missing_frames_of_events_are_counted);
	tcase_add_test(tc, frames_may_come_before_the_events);
	tcase_add_test(tc, cycle_of_callers_ends);
	tcase_add_test(tc, category_of_a_frame_is_kept);
	tcase_add_test(tc, numbers_of_samples_may_be_escaped_text);
}

static void add_tests(Suite *suite)
{
	trace_suite(suite, add_rules);
}

int main(void)
{
	return suite_run("trace_stack", add_tests);
}
