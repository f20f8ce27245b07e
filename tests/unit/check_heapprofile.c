/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Heap profiles: one test for each rule of formats(5), HEAP PROFILES. A byte is drawn as a
 * nanosecond, so the stories count in kB. */
#include "config.h"

#include "story.h"
#include "suite.h"

#define FRAME(name)                                                                                \
	"'callFrame':{'functionName':'" name                                                       \
	"','scriptId':'0','url':'','lineNumber':-1,'columnNumber':-1}"
#define NODE(name, id, size, children)                                                             \
	"{" FRAME(name) ",'selfSize':" size ",'id':" id ",'children':[" children "]}"
#define SAMPLE(node, size, ordinal) "{'size':" size ",'nodeId':" node ",'ordinal':" ordinal "}"
/* a has 3 kB and calls b, which has 6 kB. */
#define TREE NODE("(root)", "1", "0", NODE("a", "2", "3000", NODE("b", "3", "6000", "")))

static const struct good {
	const char *text, *story, *kind;
	uint64_t count;
} goods[] = {
	/* samples in the order of their ordinals, whatever that of the file */
	{ "{'head':" TREE ",'samples':[" SAMPLE("3", "4000", "9") "," SAMPLE(
		  "2", "3000", "5") "," SAMPLE("3", "2000", "1") "]}",
	  "0 a>b|2 a|5 a>b|9", NULL, 0 },
	/* samples may come before the tree */
	{ "{'samples':[" SAMPLE("2", "3000", "2") "," SAMPLE("3", "6000", "1") "],'head':" TREE "}",
	  "0 a>b|6 a|9", NULL, 0 },
	/* the sizes of nodes count: samples share them */
	{ "{'head':" TREE ",'samples':[" SAMPLE("3", "1000", "1") "," SAMPLE(
		  "2", "9", "2") "," SAMPLE("3", "2000", "3") "]}",
	  "0 a>b|2 a|5 a>b|9", NULL, 0 },
	/* a node without samples is at the end */
	{ "{'head':" TREE ",'samples':[" SAMPLE("3", "6000", "7") "]}", "0 a>b|6 a|9", NULL, 0 },
	/* without samples: sums of nodes, in the order of the tree */
	{ "{'head':" TREE "}", "0 a|3 a>b|9", NULL, 0 },
	{ "{'head':" TREE ",'samples':[]}", "0 a|3 a>b|9", NULL, 0 },
	/* without sizes of nodes: those of samples */
	{ "{'head':" NODE("(root)", "1", "0", NODE("a", "2", "0", "")) ",'samples':[" SAMPLE(
		  "2", "1000", "1") "," SAMPLE("2", "500", "2") "]}",
	  "0 a|1 a|1.500", NULL, 0 },
	/* samples of nodes that are not there change nothing else */
	{ "{'head':" TREE ",'samples':[" SAMPLE("3", "6000", "1") "," SAMPLE(
		  "77", "5000", "2") "," SAMPLE("2", "1", "3") ",7]}",
	  "0 a>b|6 a|9", NULL, 0 },
	/* what the root has itself is one call */
	{ "{'head':" NODE("(root)", "1", "2000", NODE("a", "2", "1000", "")) ",'samples':[" SAMPLE(
		  "1", "9", "1") "," SAMPLE("2", "9", "2") "]}",
	  "0 (unknown)|2 a|3", NULL, 0 },
	{ "{'head':" NODE("(root)", "1", "2000", NODE("a", "2", "1000", "")) "}",
	  "0 a|1 (unknown)|3", NULL, 0 },
	/* equal stacks are one call */
	{ "{'head':" NODE("(root)", "1", "0",
			  NODE("a", "2", "1000", "") "," NODE("a", "3", "2000", "")) "}",
	  "0 a|3", NULL, 0 },
	/* sizes that are none count nothing */
	{ "{'head':" NODE("(root)", "1", "0",
			  NODE("a", "2", "-5", "") "," NODE("b", "3", "'x'",
							    "") "," NODE("c", "4", "1000", "")) "}",
	  "0 c|1", "odd-weight", 2 },
	/* an answer of the protocol */
	{ "{'id':4,'result':{'profile':{'head':" TREE ",'samples':[]}}}", "0 a|3 a>b|9", NULL, 0 },
	/* cut off in the samples: what is there counts */
	{ "{'head':" TREE ",'samples':[" SAMPLE("3", "6000", "1") ",{'size':3", "0 a>b|6 a|9",
	  "cut-off", 1 },
};

START_TEST(rules)
{
	story_check(goods[_i].text, goods[_i].story, goods[_i].kind, goods[_i].count);
}
END_TEST

static const struct other {
	const char *text, *part;
} others[] = {
	{ "{'head':" NODE("(root)", "1", "0", "") ",'samples':[]}", "no samples" },
	{ "{'head':{'selfSize':5,'children':[", "ends" },
	{ "{'head':{'selfSize':x}}", "" },
	{ "{'snapshot':{'meta':{'node_fields':['type']},'node_count':3},'nodes':[1,2]}",
	  "a heap snapshot" },
	{ "{'snapshot':{'meta':{'node_fields':['type']}},'edges':[3]}",
	  "record with node --heap-prof" },
};

START_TEST(errors_say_what_the_file_is)
{
	story_fails(others[_i].text, others[_i].part);
}
END_TEST

START_TEST(values_are_bytes)
{
	struct profile *p = story_load("{'head':" TREE
				       ",'samples':[" SAMPLE("3", "6000", "1") "]}");
	char text[UNITS_MAX];

	ck_assert_int_eq(p->unit.kind, AMOUNT_BYTES);
	ck_assert_str_eq(p->inputs[0].format, "heapprofile");
	ck_assert(p->lanes[0].has_timeline);
	ck_assert(!lane_has_times(&p->lanes[0]));
	profile_value(p, p->lanes[0].busy_ns, text);
	ck_assert_str_eq(text, "9.00 kB");
	profile_exact(p, p->lanes[0].busy_ns, text);
	ck_assert_str_eq(text, "9 000 B");
	profile_free(p);
}
END_TEST

/* Sizes beyond what fits are clamped, and the sum is still one that fits. */
START_TEST(huge_sizes)
{
	struct profile *p = story_load("{'head':" NODE(
		"(root)", "1", "0",
		NODE("a", "2", "2305843009213693950", "") "," NODE(
			"b", "3", "2305843009213693950",
			"")) ",'samples':[" SAMPLE("2", "2305843009213693950",
						   "1") "," SAMPLE("3", "2305843009213693950",
								   "2") "]}");

	ck_assert_int_eq(p->t1, PROFILE_TIME_MAX);
	ck_assert_uint_eq(story_warned(p, "time-range"), 1);
	story_sound(p);
	profile_free(p);
}
END_TEST

/* The parts of the samples of a node add up to its size, in whatever steps. */
START_TEST(parts_add_up)
{
	struct buf text = { 0 };
	struct profile *p;

	buf_adds(&text,
		 "{'head':" NODE("(root)", "1", "0",
				 NODE("a", "2", "1000003", "") "," NODE("b", "3", "777",
									"")) ",'samples':[");
	for (int i = 0; i < 1000; i++)
		buf_addf(&text, "%s{'size':%d,'nodeId':%d,'ordinal':%d}", i ? "," : "", 1 + i * 7,
			 2 + i % 2, 1000 - i);
	buf_adds(&text, "]}");
	p = story_load(buf_text(&text));
	ck_assert_int_eq(p->t1, 1000003 + 777);
	ck_assert_int_eq(p->lanes[0].busy_ns, 1000003 + 777);
	story_sound(p);
	profile_free(p);
	buf_done(&text);
}
END_TEST

START_TEST(broken_anywhere)
{
	story_broken("{'head':" NODE("(root)", "1", "2",
				     NODE("a", "2", "30", "")) ",'samples':[" SAMPLE("2", "30",
										     "5") "]}",
		     "heapprofile");
}
END_TEST

static void add_tests(Suite *suite)
{
	TCase *t = suite_case(suite, "rules", 300);

	tcase_add_loop_test(t, rules, 0, N(goods));
	tcase_add_loop_test(t, errors_say_what_the_file_is, 0, N(others));
	tcase_add_test(t, values_are_bytes);
	tcase_add_test(t, huge_sizes);
	tcase_add_test(t, parts_add_up);
	tcase_add_test(t, broken_anywhere);
}

int main(void)
{
	return suite_run("heapprofile", add_tests);
}
