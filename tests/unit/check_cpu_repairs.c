/* SPDX-License-Identifier: GPL-2.0-or-later */
/* CPU and heap profiles that are read with a repair: which node is the root, negative
 * deltas without a sign, functions at the lines of their samples, ids that nested nodes share, hits
 * without samples. */
#include "config.h"

#include "story.h"
#include "suite.h"

#include "analyse/totals.h"
#include "model/profile.h"

/* ---- the root ---- */

#define NODE(id, name, more)                                                                       \
	"{'id':" #id ",'callFrame':{'functionName':'" name "','scriptId':'0'" more "}"
#define URL ",'url':'file:///a.js','lineNumber':3"
#define KIDS(ids) ",'children':[" ids "]"
#define TIMES "'startTime':0,'endTime':1000,'samples':[1,2,1],'timeDeltas':[0,10,10]"

static const struct root {
	const char *text, *story, *kind;
	uint64_t count;
} roots[] = {
	/* a node with a place is a function, with or without samples */
	{ "{'nodes':[" NODE(1, "work", URL) "}],'startTime':0,'endTime':1000,"
					    "'samples':[1,1,1],'timeDeltas':[0,10,10]}",
	  "0 work|10 work|20 work|30", NULL, 0 },
	{ "{'nodes':[" NODE(1, "main", URL) KIDS("2") "}," NODE(2, "f", URL) "}]," TIMES "}",
	  "0 main|10 main>f|20 main|30", NULL, 0 },
	{ "{'nodes':[" NODE(1, "main", ",'lineNumber':0") KIDS("2") "}," NODE(
		  2, "f", URL) "}],"
			       "'startTime':0,'endTime':1000,'samples':[2,2],'timeDeltas':[0,10]}",
	  "0 main>f|10 main>f|20", NULL, 0 },
	{ "{'nodes':[" NODE(1, "root", URL) KIDS("2") "}," NODE(2, "f", URL) "}]," TIMES "}",
	  "0 root|10 root>f|20 root|30", NULL, 0 },
	/* one with samples and a name, too */
	{ "{'nodes':[" NODE(1, "main", "") KIDS("2") "}," NODE(2, "f", URL) "}]," TIMES "}",
	  "0 main|10 main>f|20 main|30", NULL, 0 },
	{ "{" TIMES ",'nodes':[" NODE(1, "main", "") KIDS("2") "}," NODE(2, "f", URL) "}]}",
	  "0 main|10 main>f|20 main|30", NULL, 0 },
	{ "{'nodes':[" NODE(1, "", "") KIDS("2") "}," NODE(2, "f", URL) "}]," TIMES "}",
	  "0 (anonymous)|10 (anonymous)>f|20 (anonymous)|30", NULL, 0 },
	/* a name without place and samples, and the names of roots, are hidden */
	{ "{'nodes':[" NODE(1, "iojs", "") KIDS("2") "}," NODE(
		  2, "f", URL) "}],"
			       "'startTime':0,'endTime':1000,'samples':[2,2],'timeDeltas':[0,10]}",
	  "0 f|10 f|20", NULL, 0 },
	{ "{'nodes':[" NODE(1, "(root)", "") KIDS("2") "}," NODE(2, "f", URL) "}]," TIMES "}",
	  "0 -|10 f|20 -|30", NULL, 0 },
	{ "{'nodes':[" NODE(1, "root", "") KIDS("2") "}," NODE(2, "f", URL) "}]," TIMES "}",
	  "0 -|10 f|20 -|30", NULL, 0 },
	{ "{'nodes':[" NODE(1, "[root]", ",'url':'','lineNumber':-1")
		  KIDS("2") "}," NODE(2, "f", URL) "}]," TIMES "}",
	  "0 -|10 f|20 -|30", NULL, 0 },
	/* (root) is the root wherever it is */
	{ "{'nodes':[" NODE(2, "f", URL) "}," NODE(1, "(root)", "") KIDS("2") "}]," TIMES "}",
	  "0 -|10 f|20 -|30", NULL, 0 },
	{ "{'nodes':[" NODE(3, "g", URL) "}," NODE(2, "f", URL) "}," NODE(1, "(root)", "")
		  KIDS("2") "}]," TIMES "}",
	  "0 -|10 f|20 -|30", "orphan", 1 },
	/* beside a function, other nodes without a parent are in the outermost row */
	{ "{'nodes':[" NODE(1, "main", URL) "}," NODE(2, "f", URL) "}]," TIMES "}",
	  "0 main|10 f|20 main|30", "orphan", 1 },
	{ "{'nodes':[" NODE(1, "main", URL) "}," NODE(2, "(garbage collector)", "") "}]," TIMES "}",
	  "0 main|10 main>(garbage collector)|20 main|30", "orphan", 1 },
	/* samples of nodes that do not exist are beside it */
	{ "{'nodes':[" NODE(1, "main", URL) "}]," TIMES "}", "0 main|10 (unknown)|20 main|30",
	  "unknown-node", 1 },
	/* hit counts are samples where there are no others */
	{ "{'nodes':[" NODE(1, "main", "") ",'hitCount':2" KIDS("2") "}," NODE(
		  2, "f", URL) ",'hitCount':1}],'startTime':0,'endTime':30}",
	  "0 main|20 main>f|30", "samples-missing", 1 },
	{ "{'nodes':[" NODE(1, "(root)", "") ",'hitCount':2" KIDS("2") "}," NODE(
		  2, "f", URL) ",'hitCount':1}],'startTime':0,'endTime':30}",
	  "0 f|10", "samples-missing", 1 },
	/* but not beside samples */
	{ "{'nodes':[" NODE(1, "main", "") ",'hitCount':2" KIDS("2") "}," NODE(
		  2, "f", URL) "}],"
			       "'startTime':0,'endTime':1000,'samples':[2,2],'timeDeltas':[0,10]}",
	  "0 f|10 f|20", NULL, 0 },
	/* the old form */
	{ "{'head':{'functionName':'main','url':'a.js','lineNumber':3,'id':1,'children':["
	  "{'functionName':'f','url':'a.js','lineNumber':9,'id':2,'children':[]}]},"
	  "'startTime':0,'endTime':1,'samples':[1,2,1],'timestamps':[0,10,20]}",
	  "0 main|10 main>f|20 main|30", NULL, 0 },
	{ "{'head':{'functionName':'main','url':'','lineNumber':0,'id':1,'children':["
	  "{'functionName':'f','url':'a.js','lineNumber':9,'id':2,'children':[]}]},"
	  "'startTime':0,'endTime':1,'samples':[1,2,1],'timestamps':[0,10,20]}",
	  "0 main|10 main>f|20 main|30", NULL, 0 },
	{ "{'head':{'functionName':'iojs','url':'','lineNumber':0,'id':1,'children':["
	  "{'functionName':'f','url':'a.js','lineNumber':9,'id':2,'children':[]}]},"
	  "'startTime':0,'endTime':1,'samples':[2,2],'timestamps':[0,10]}",
	  "0 f|10 f|20", NULL, 0 },
	/* profiles in traces */
	{ "[{'ph':'P','name':'Profile','id':'0x1','pid':1,'tid':1,'ts':0,"
	  "'args':{'data':{'startTime':0}}},"
	  "{'ph':'P','name':'ProfileChunk','id':'0x1','pid':1,'tid':1,'ts':30,"
	  "'args':{'data':{'endTime':1000,'cpuProfile':{'nodes':[" NODE(
		  1, "main",
		  URL) "},{'id':2,'parent':1,'callFrame':{'functionName':'f','url':'a.js','lineNumber':1}}],"
		       "'samples':[1,2,1]},'timeDeltas':[0,10,10]}}}]",
	  "0 main|10 main>f|20 main|30", NULL, 0 },
	/* sizes of heap profiles: one kB each */
	{ "{'head':{'callFrame':{'functionName':'main'" URL "},'id':1,'selfSize':1000,"
	  "'children':[{'callFrame':{'functionName':'f'},'id':2,'selfSize':1000,'children':[]}]},"
	  "'samples':[{'nodeId':1,'size':1000,'ordinal':1},{'nodeId':2,'size':1000,'ordinal':2}]}",
	  "0 main|1 main>f|2", NULL, 0 },
	{ "{'head':{'callFrame':{'functionName':'main'},'id':1,'selfSize':1000,"
	  "'children':[{'callFrame':{'functionName':'f'},'id':2,'selfSize':1000,'children':[]}]}}",
	  "0 main|1 main>f|2", NULL, 0 },
	{ "{'head':{'callFrame':{'functionName':'root'},'id':1,'selfSize':1000,"
	  "'children':[{'callFrame':{'functionName':'f'},'id':2,'selfSize':1000,'children':[]}]}}",
	  "0 f|1 (unknown)|2", NULL, 0 },
};

START_TEST(a_function_is_no_root)
{
	story_check(roots[_i].text, roots[_i].story, roots[_i].kind, roots[_i].count);
}
END_TEST

/* ---- negative deltas without a sign ---- */

#define AB                                                                                         \
	"{'nodes':[" NODE(1, "(root)", "")                                                         \
		KIDS("2,3") "}," NODE(2, "a", URL) "}," NODE(3, "b", URL) "}],"
/* Samples of a, b, a, b at 10, 20, 13, 30. */
#define DELTAS(end, third)                                                                         \
	AB "'startTime':0," end "'samples':[2,3,2,3],'timeDeltas':[10,10," third ",17]}"
#define AS_NEGATIVE "10 a|13 a|20 b|30 b|"

static const struct root deltas[] = {
	{ DELTAS("'endTime':35,", "-7"), AS_NEGATIVE "35", "unsigned-delta", 0 },
	{ DELTAS("'endTime':35,", "4294967289"), AS_NEGATIVE "35", "unsigned-delta", 1 },
	{ DELTAS("'endTime':35,", "'4294967289'"), AS_NEGATIVE "35", "unsigned-delta", 1 },
	{ DELTAS("'endTime':35,", "18446744073709551609"), AS_NEGATIVE "35", "unsigned-delta", 1 },
	/* rounded to a double: how much below 0 is lost */
	{ DELTAS("'endTime':45,", "18446744073709552000"), "10 a|20 b|20 a|37 b|45",
	  "unsigned-delta", 1 },
	{ DELTAS("'endTime':45,", "1.8446744073709552e+19"), "10 a|20 b|20 a|37 b|45",
	  "unsigned-delta", 1 },
	/* without an end, the rest is much shorter */
	{ DELTAS("", "4294967289"), AS_NEGATIVE "36.667", "unsigned-delta", 1 },
	{ DELTAS("'endTime':0,", "4294967289"), AS_NEGATIVE "36.667", "unsigned-delta", 1 },
	/* a surplus delta counts, too */
	{ AB "'startTime':0,'endTime':35,'samples':[2,3,2,3],'timeDeltas':[10,10,4294967289,20,"
	     "4294967295]}",
	  "10 a|13 a|20 b|33 b|35", "unsigned-delta", 2 },
	/* the recording was that long, or the samples would begin before it */
	{ DELTAS("'endTime':4294968000,", "4294967289"),
	  "10 a|20 b|4294967309 a|4294967326 b|4294967339.500", "unsigned-delta", 0 },
	{ DELTAS("'endTime':35,", "4000000000"),
	  "10 a|20 b|4000000020 a|4000000037 b|4000000050.500", "unsigned-delta", 0 },
	/* no end, and not much shorter */
	{ AB "'startTime':0,'samples':[2,3,2,3],'timeDeltas':[10,1000000000,4294967289,17]}",
	  "10 a|1000000010 b|5294967299 a|5294967316 b|7059956418", "unsigned-delta", 0 },
	/* time stamps are none */
	{ AB "'samples':[2,3],'timestamps':[10,4294967289]}", "0 a|4294967279 b|8589934558",
	  "unsigned-delta", 0 },
	/* in a trace */
	{ "[{'ph':'P','name':'Profile','id':'0x1','pid':1,'tid':1,'ts':0,"
	  "'args':{'data':{'startTime':0}}},"
	  "{'ph':'P','name':'ProfileChunk','id':'0x1','pid':1,'tid':1,'ts':30,"
	  "'args':{'data':{'endTime':35,'cpuProfile':{'nodes':[" NODE(
		  1, "(root)", "") "},{'id':2,'parent':1,'callFrame':{'functionName':'a'}},"
				   "{'id':3,'parent':1,'callFrame':{'functionName':'b'}}],"
				   "'samples':[2,3,2,3]},'timeDeltas':[10,10,4294967289,17]}}}]",
	  AS_NEGATIVE "35", "unsigned-delta", 1 },
};

START_TEST(a_negative_delta_may_lack_its_sign)
{
	story_check(deltas[_i].text, deltas[_i].story, deltas[_i].kind, deltas[_i].count);
}
END_TEST

/* ---- nested nodes with one id ---- */

#define HEAD(id, name, kids)                                                                       \
	"{'functionName':'" name "','url':'','lineNumber':0,'id':" id ",'children':[" kids "]}"
#define CALL(id, name, kids)                                                                       \
	"{'functionName':'" name "','url':'a.js','lineNumber':7,'id':" id ",'children':[" kids "]}"

static const struct root nested[] = {
	/* the root and its first child */
	{ "{'head':" HEAD(
		  "0", "iojs",
		  CALL("0", "run",
		       CALL("1", "poll",
			    ""))) ",'startTime':0,'endTime':1,'samples':[1,0,1],'timestamps':[0,10,20]}",
	  "0 run>poll|10 run|20 run>poll|30", "ambiguous-sample", 1 },
	{ "{'samples':[1,0,1],'timestamps':[0,10,20],'head':" HEAD(
		  "0", "iojs", CALL("0", "run", CALL("1", "poll", ""))) "}",
	  "0 run>poll|10 run|20 run>poll|30", "ambiguous-sample", 1 },
	{ "{'head':" HEAD(
		  "0", "iojs",
		  CALL("0", "run",
		       CALL("1", "poll",
			    ""))) ",'startTime':0,'endTime':1,'samples':[1,1],'timestamps':[0,10]}",
	  "0 run>poll|10 run>poll|20", "nested-id", 1 },
	/* beside each other, and in two branches: the first counts */
	{ "{'head':" HEAD(
		  "1", "(root)",
		  CALL("2", "a", CALL("3", "b", "")) "," CALL(
			  "2", "c",
			  CALL("3", "d", "") "," CALL(
				  "3", "e",
				  ""))) ",'startTime':0,'endTime':1,'samples':[2,3,3],'timestamps':[0,10,20]}",
	  "0 a|10 a>b|20 a>b|30", "ambiguous-sample", 3 },
	/* a sample that is no id is none of them */
	{ "{'head':" HEAD("0", "(root)",
			  CALL("1", "a", "") "," CALL(
				  "1", "b", "")) ",'startTime':0,'endTime':1,"
						 "'samples':[1e308,1,1],'timestamps':[0,10,20]}",
	  "10 a|20 a|30", "ambiguous-sample", 2 },
	/* all: the tree stays, with the hits of each */
	{ "{'head':" HEAD(
		  "0", "(root)",
		  CALL("0", "a",
		       "{'functionName':'b','id':0,'hitCount':4,"
		       "'children':[]}") ",{'functionName':'c','id':0,'hitCount':1}") ",'startTime':0,'endTime':0.00001}",
	  "0 a>b|8 c|10", "nested-id", 3 },
	/* of a heap profile: sizes of nodes count */
	{ "{'head':{'callFrame':{'functionName':'(root)'},'id':1,'selfSize':0,'children':["
	  "{'callFrame':{'functionName':'a'},'id':1,'selfSize':2000,'children':["
	  "{'callFrame':{'functionName':'b'},'id':1,'selfSize':1000,'children':[]}]}]}}",
	  "0 a|2 a>b|3", "nested-id", 2 },
};

START_TEST(nesting_decides_not_ids)
{
	story_check(nested[_i].text, nested[_i].story, nested[_i].kind, nested[_i].count);
}
END_TEST

/* ---- hit counts ---- */

/* Numbers of samples are those of hits, whatever length a hit has: here it is 2 us. */
START_TEST(hits_are_counted)
{
	struct profile *p = story_load(
		"{'nodes':[" NODE(1, "(root)", "") ",'hitCount':9" KIDS("2") "}," NODE(2, "a", URL) ",'hitCount':3" KIDS(
			"3,4") "}," NODE(3, "b",
					 URL) ",'hitCount':7}," NODE(4, "b",
								     URL) ",'hitCount':1}],"
									  "'startTime':0,'endTime':40}");
	struct totals_counts counts;
	struct totals totals;
	struct view view;

	view_init(&view, p, &(const struct lane *){ &p->lanes[0] }, 1);
	totals_init(&totals, &view);
	totals_compute(&totals, 0, p->t1);
	totals_counts(&totals, &counts);
	ck_assert_int_eq(p->lanes[0].hit_ns, 2000);
	ck_assert_int_eq(lane_value_hit_ns(p), 2000);
	for (frame_id f = 1; f < totals.n_frames; f++) {
		const char *name = profile_text(p, profile_frame(p, f)->name);

		if (strcmp(name, "a") == 0)
			ck_assert_uint_eq(counts.self_samples[f], 3);
		if (strcmp(name, "b") == 0)
			ck_assert_uint_eq(counts.self_samples[f], 8);
	}
	totals_counts_done(&counts);
	totals_done(&totals);
	view_done(&view);
	profile_free(p);
}
END_TEST

/* ---- functions at the lines of their samples ---- */

#define AT(id, name, line)                                                                         \
	NODE(id, name, ",'url':'file:///a.js','lineNumber':" #line ",'columnNumber':2") "}"
#define EPOCH "1795833188671059.5"
#define SPLIT(start, nodes)                                                                        \
	"{'nodes':[" NODE(1, "(root)", "") KIDS(                                                   \
		"2,3,4,5,6") "}," nodes "],'startTime':" start                                     \
			     ",'endTime':1795833188681059.5,'samples':[2,3,4,5],'timeDeltas':[0,10,10,10]}"
#define TWO_SPLIT AT(2, "fib", 5) "," AT(3, "fib", 6) "," AT(4, "other", 9) "," AT(5, "other", 11)

static const struct split {
	const char *text;
	uint64_t count;
} splits[] = {
	{ SPLIT(EPOCH, TWO_SPLIT "," AT(6, "once", 20)), 2 },
	/* V8 writes a time since the start of the machine, its states, and ticks of lines */
	{ SPLIT("802299310", TWO_SPLIT), 0 },
	{ SPLIT(EPOCH, TWO_SPLIT "," NODE(6, "(program)", "") "}"), 0 },
	{ SPLIT(EPOCH,
		TWO_SPLIT "," NODE(6, "once", URL) ",'positionTicks':[{'line':4,'ticks':1}]}"),
	  0 },
	/* one function is not many; minified names and anonymous functions are alike */
	{ SPLIT(EPOCH, AT(2, "fib", 5) "," AT(3, "fib", 6) "," AT(4, "other", 9)), 0 },
	{ SPLIT(EPOCH, AT(2, "e", 5) "," AT(3, "e", 6) "," AT(4, "t", 9) "," AT(5, "t", 11)), 0 },
	{ SPLIT(EPOCH, AT(2, "", 5) "," AT(3, "", 6) "," AT(4, "fib", 9) "," AT(5, "fib", 11)), 0 },
	/* equal lines, and lines that are not known */
	{ SPLIT(EPOCH,
		AT(2, "fib", 5) "," AT(3, "fib", 5) "," AT(4, "other", -1) "," AT(5, "other", 11)),
	  0 },
};

START_TEST(functions_at_the_lines_of_their_samples_are_noted)
{
	struct profile *p = story_load(splits[_i].text);

	ck_assert_uint_eq(story_warned(p, "split"), splits[_i].count);
	profile_free(p);
}
END_TEST

static void add_tests(Suite *suite)
{
	TCase *t = suite_case(suite, "cpu_repairs", SUITE_SECONDS);

	tcase_add_loop_test(t, a_function_is_no_root, 0, N(roots));
	tcase_add_loop_test(t, nesting_decides_not_ids, 0, N(nested));
	tcase_add_test(t, hits_are_counted);
	tcase_add_loop_test(t, a_negative_delta_may_lack_its_sign, 0, N(deltas));
	tcase_add_loop_test(t, functions_at_the_lines_of_their_samples_are_noted, 0, N(splits));
}

int main(void)
{
	return suite_run("cpu_repairs", add_tests);
}
