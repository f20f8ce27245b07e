/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Milestones and vitals: which frame and navigation they are of, session windows of shifts, and
 * which interaction is INP. tests/readers/engine.sh compares them with the engine of DevTools. */
#include "config.h"

#include "trace_story.h"

#include "model/milestone.h"
#include "model/profile.h"

#define SOME X("task", 0, 90000000)
#define NAV(ts, id, url, frame)                                                                    \
	EV("R", "navigationStart", ts,                                                             \
	   ",'args':{'frame':'" frame "','data':{'isLoadingMainFrame':true,'navigationId':'" id    \
	   "','documentLoaderURL':'" url "'}}")
#define PAINT(name, ts, id, more)                                                                  \
	EV("R", name, ts, ",'args':{'frame':'F','data':{'navigationId':'" id "'" more "}}")
#define LARGEST(ts, id, index)                                                                     \
	PAINT("largestContentfulPaint::Candidate", ts, id, ",'candidateIndex':" #index)
#define SHIFT(ts, score, more)                                                                     \
	EV("I", "LayoutShift", ts,                                                                 \
	   ",'args':{'frame':'F','data':{'weighted_score_delta':" #score more "}}")
#define PAGE SOME "," NAV(1000, "1", "https://a.example/", "F")

/* The vitals of all pages, a line each: `1000: LCP 2.00 ms good`. */
static void ck_vitals(const char *events, const char *want)
{
	struct buf text = { 0 }, got = { 0 };
	struct profile *p;

	buf_addf(&text, "[%s]", events);
	p = load(buf_text(&text));
	for (size_t i = 0; i < p->n_loads; i++) {
		ck_assert_int_ge(p->loads[i].first_byte, -1);
		if (p->loads[i].has_navigation)
			buf_addf(&got, "%lld: ", (long long)(p->loads[i].t / 1000));
		vital_format(&p->loads[i], &got);
		buf_addc(&got, '\n');
	}
	ck_assert_str_eq(buf_text(&got), want);
	profile_free(p);
	buf_done(&text);
	buf_done(&got);
}

START_TEST(last_candidate_of_a_navigation_counts)
{
	ck_vitals(PAGE "," LARGEST(9000, "1", 2) "," LARGEST(4000, "1", 1),
		  "1000: LCP 8.00 ms good · CLS 0.00 good\n");
	ck_vitals(PAGE "," LARGEST(9000, "other", 2), "1000: \n");
	ck_vitals(PAGE "," NAV(5000, "2", "https://a.example/b", "F") "," LARGEST(9000, "1", 1),
		  "1000: LCP 8.00 ms good · CLS 0.00 good\n5000: \n");
	ck_vitals(PAGE "," NAV(1000, "1", "https://a.example/", "F"), "1000: \n");
}
END_TEST

START_TEST(main_frame_is_of_the_web)
{
	ck_vitals(SOME "," NAV(500, "0", "chrome://top", "G") "," NAV(
			  1000, "1", "https://a.example/", "F") "," LARGEST(4000, "1", 1),
		  "1000: LCP 3.00 ms good · CLS 0.00 good\n");
	ck_vitals(SOME "," NAV(500, "0", "", "F") "," NAV(1000, "1", "chrome://top", "F"),
		  "1000: \n");
}
END_TEST

START_TEST(shifts_add_up_in_windows)
{
	ck_vitals(PAGE "," SHIFT(2000, 0.05, "") "," SHIFT(1002000, 0.07, ""),
		  "1000: CLS 0.12 needs improvement\n");
	ck_vitals(PAGE "," SHIFT(2000, 0.05, "") "," SHIFT(1002001, 0.07, ""),
		  "1000: CLS 0.07 good\n");
	ck_vitals(PAGE "," SHIFT(2000, 0.3, ",'had_recent_input':true") "," SHIFT(3000, 0.004, ""),
		  "1000: CLS 0.0040 good\n");
	ck_vitals(PAGE "," SHIFT(2000, 0.1, "") "," NAV(3000, "2", "https://a.example/b",
							"F") "," SHIFT(4000, 0.2, ""),
		  "1000: CLS 0.10 good\n3000: CLS 0.20 needs improvement\n");
	/* From 0 s to 5.4 s in steps of 0.9 s: the last one is in a window of its own. */
	ck_vitals(PAGE "," SHIFT(1000000, 0.1, "") "," SHIFT(1900000, 0.1, "") "," SHIFT(
			  2800000, 0.1,
			  "") "," SHIFT(3700000, 0.1,
					"") "," SHIFT(4600000, 0.1,
						      "") "," SHIFT(5500000, 0.1,
								    "") "," SHIFT(6400000, 0.1, ""),
		  "1000: CLS 0.60 poor\n");
}
END_TEST

static void add_interaction(struct buf *out, const char *type, int number, int ts, int length,
			    int from, int to)
{
	buf_addf(out,
		 ",{'ph':'b','name':'EventTiming','cat':'t','id':'%d','pid':1,'tid':1,'ts':%d,"
		 "'args':{'data':{'type':'%s','interactionId':%d,'duration':%d,'timeStamp':1000,"
		 "'processingStart':%d,'processingEnd':%d}}}"
		 ",{'ph':'e','name':'EventTiming','cat':'t','id':'%d','pid':1,'tid':1,'ts':%d}",
		 number, ts, type, number, length / 1000, 1000 + from, 1000 + to, number,
		 ts + length);
}

START_TEST(longest_interaction_is_the_worst)
{
	struct buf text = { 0 };

	buf_adds(&text, SOME);
	add_interaction(&text, "click", 1, 1000000, 300000, 10, 20);
	add_interaction(&text, "keydown", 2, 2000000, 600000, 10, 20);
	ck_vitals(buf_text(&text), "INP 600 ms poor\n");
	buf_done(&text);
}
END_TEST

START_TEST(one_interaction_of_each_fifty_does_not_count)
{
	struct buf text = { 0 };

	buf_adds(&text, SOME);
	add_interaction(&text, "click", 1, 1000000, 600000, 10, 20);
	for (int i = 2; i < 50; i++)
		add_interaction(&text, "click", i, 1000000 * i, 100000 + i * 1000, 10, 20);
	ck_vitals(buf_text(&text), "INP 600 ms poor\n");
	add_interaction(&text, "click", 50, 50000000, 250000, 10, 20);
	ck_vitals(buf_text(&text), "INP 250 ms needs improvement\n");
	buf_done(&text);
}
END_TEST

START_TEST(events_that_end_together_are_one_interaction)
{
	struct buf text = { 0 }, phases = { 0 };
	struct profile *p;

	buf_adds(&text, "[" SOME);
	add_interaction(&text, "pointerdown", 1, 1000000, 100000, 5, 10);
	add_interaction(&text, "pointerup", 2, 1050000, 50000, 5, 40);
	add_interaction(&text, "keydown", 3, 1060000, 40000, 5, 10);
	buf_adds(&text, "]");
	p = load(buf_text(&text));
	ck_assert_uint_eq(p->n_loads, 1);
	ck_assert_str_eq(profile_text(p, p->loads[0].worst.type), "pointerdown");
	vital_phases_format(&p->loads[0], VITAL_INP, &phases);
	ck_assert_str_eq(buf_text(&phases),
			 "input delay 5.00 ms, processing 85.0 ms, presentation 10.0 ms");
	for (uint32_t i = 0; i < p->n_lanes; i++)
		if (strcmp(profile_text(p, p->lanes[i].title), "Interactions") == 0 &&
		    !p->lanes[i].is_joined)
			ck_assert_uint_eq(p->lanes[i].n_spans, 2);
	profile_free(p);
	buf_done(&text);
	buf_done(&phases);
}
END_TEST

START_TEST(milestones_are_of_the_main_frame)
{
	struct profile *p = load("[" PAGE "," PAINT("firstPaint", 2000, "1", "") "," EV(
		"I", "MarkLoad", 3000,
		",'args':{'data':{'frame':'other'}}") "," EV("I", "MarkDOMContent", 4000,
							     ",'args':{'data':{'frame':'F'}}") "," LARGEST(5000,
													   "1",
													   1) "]");
	struct buf got = { 0 };

	for (size_t i = 0; i < p->n_milestones; i++)
		buf_addf(&got, "%s %lld, ", milestone_name(p->milestones[i].kind),
			 (long long)(p->milestones[i].t / 1000));
	ck_assert_str_eq(buf_text(&got), "nav 1000, FP 2000, DCL 4000, LCP 5000, ");
	buf_done(&got);
	profile_free(p);
}
END_TEST

START_TEST(damaged_args_are_no_milestone)
{
	ck_vitals(PAGE "," EV("R", "firstContentfulPaint", 5000,
			      ",'args':7") "," EV("I", "LayoutShift", 6000, ""),
		  "1000: CLS 0.00 good\n");
	ck_vitals(SOME "," EV("b", "EventTiming", 5000, ",'id':'1','args':{'data':7}") "," EV(
			  "e", "EventTiming", 6000, ",'id':'1'"),
		  "");
}
END_TEST

/* What comes after page 256 does not count for that one. */
START_TEST(pages_beyond_256_have_no_figures)
{
	for (int n = 256; n <= 258; n++) {
		struct buf events = { 0 }, want = { 0 };

		buf_adds(&events, SOME);
		for (int i = 1; i <= n; i++)
			buf_addf(&events,
				 ",{'ph':'R','name':'navigationStart','pid':1,'tid':1,'ts':%d000,"
				 "'args':{'frame':'F','data':{'isLoadingMainFrame':true,"
				 "'navigationId':'%d','documentLoaderURL':'https://a.example/'}}}",
				 i, i);
		for (int i = 1; i <= 256; i++)
			buf_addf(&want, "%d000: %s\n", i,
				 i == 256 && n == 256 ? "CLS 0.20 needs improvement" : "");
		buf_adds(&events, "," SHIFT(900000, 0.2, ""));
		ck_vitals(buf_text(&events), buf_text(&want));
		buf_done(&events);
		buf_done(&want);
	}
}
END_TEST

static void add_rules(TCase *tc)
{
	tcase_add_test(tc, last_candidate_of_a_navigation_counts);
	tcase_add_test(tc, main_frame_is_of_the_web);
	tcase_add_test(tc, shifts_add_up_in_windows);
	tcase_add_test(tc, longest_interaction_is_the_worst);
	tcase_add_test(tc, one_interaction_of_each_fifty_does_not_count);
	tcase_add_test(tc, events_that_end_together_are_one_interaction);
	tcase_add_test(tc, milestones_are_of_the_main_frame);
	tcase_add_test(tc, damaged_args_are_no_milestone);
	tcase_add_test(tc, pages_beyond_256_have_no_figures);
}

static void add_tests(Suite *suite)
{
	trace_suite(suite, add_rules);
}

int main(void)
{
	return suite_run("trace_milestone", add_tests);
}
