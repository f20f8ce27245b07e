/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Profiles of Sentry: one test for each rule of formats(5), SENTRY. */
#include "config.h"

#include "story.h"
#include "suite.h"

#define FRAMES                                                                                     \
	"'frames':[{'function':'a','abs_path':'/srv/a.js','lineno':3,'colno':1,'in_app':true},"    \
	"{'function':'b','filename':'/srv/node_modules/x/b.js','in_app':false},"                   \
	"{'function':'c','module':'c','in_app':true}]"
/* a, b called by a, c */
#define STACKS "'stacks':[[0],[1,0],[2]]"
#define AT(stack, thread, seconds)                                                                 \
	"{'stack_id':" stack ",'thread_id':" thread ",'timestamp':1700000000." seconds "}"
#define ELAPSED(stack, thread, ns)                                                                 \
	"{'stack_id':" stack ",'thread_id':" thread ",'elapsed_since_start_ns':" ns "}"
#define V2(samples)                                                                                \
	"{'version':'2','profiler_id':'p','chunk_id':'q','profile':{'samples':[" samples           \
	"]," STACKS "," FRAMES ",'thread_metadata':{'1':{'name':'main'}}}}"
#define V1(samples)                                                                                \
	"{'version':'1','transaction':{'name':'t'},'profile':{" FRAMES "," STACKS                  \
	",'samples':[" samples "],'thread_metadata':{'1':{'name':'main'}}}}"
#define SOME V2(AT("0", "'1'", "00") "," AT("1", "'1'", "01") "," AT("0", "'1'", "02"))
#define STORY "0 a|10000 a>b|20000 a|30000"

static const struct good {
	const char *text, *story, *kind;
	uint64_t count;
} goods[] = {
	/* chunks have seconds, version 1 nanoseconds, also as text; ids are texts or numbers */
	{ SOME, STORY, NULL, 0 },
	{ V1(ELAPSED("0", "1", "0") "," ELAPSED("1", "1", "10000000") "," ELAPSED("0", "'1'",
										  "'20000000'")),
	  STORY, NULL, 0 },
	/* without what is around the profile */
	{ "{" FRAMES "," STACKS ",'samples':[" AT("0", "1", "00") "," AT("1", "1", "01") "]}",
	  "0 a|10000 a>b|20000", NULL, 0 },
	/* envelopes: header, header of an item, item */
	{ "{'event_id':'e','sent_at':'x'}\n{'type':'profile_chunk','length':9}\n" SOME "\n", STORY,
	  NULL, 0 },
	{ "{'event_id':'e'}\n{'type':'transaction'}\n{'spans':[],'contexts':{'trace':{'op':'x'}}}\n"
	  "{'type':'replay_recording'}\n[1,{'a':2}]\n{'type':'profile'}\n" SOME,
	  STORY, NULL, 0 },
	/* samples in any order; one without a time; indices that point nowhere */
	{ V2(AT("1", "'1'", "01") "," AT("0", "'1'", "00")), "0 a|10000 a>b|20000", "unsorted", 1 },
	{ V2(AT("0", "'1'", "00") ",{'stack_id':1,'thread_id':'1'}," AT("2", "'1'", "01")),
	  "0 a|10000 c|20000", "time-missing", 1 },
	{ V2(AT("9", "'1'", "00") "," AT("0", "'1'", "01")), "0 (unknown)|10000 a|20000",
	  "odd-index", 1 },
	{ "{'samples':[" AT("0", "1", "00") "," AT("0", "1", "01") "],'stacks':[[7,0]]," FRAMES "}",
	  "0 a>(unknown)|10000 a>(unknown)|20000", "odd-index", 1 },
	/* empty stacks are gaps */
	{ "{'samples':[" AT("0", "1", "00") "," AT("1", "1", "01") "],'stacks':[[0],[]]," FRAMES
								   "}",
	  "0 a|10000 -|20000", NULL, 0 },
};

START_TEST(rules)
{
	story_check(goods[_i].text, goods[_i].story, goods[_i].kind, goods[_i].count);
}
END_TEST

static const struct other {
	const char *text, *part;
} others[] = {
	{ V2(""), "no samples" },
	{ "{'event_id':'e'}\n{'type':'transaction'}\n{'spans':[]}\n",
	  "the envelope has no profile" },
	{ "{'thread_metadata':{},'frames':[],'samples':[" AT("0", "1", "00") "]}", "no stacks" },
};

START_TEST(errors_say_what_is_missing)
{
	story_fails(others[_i].text, others[_i].part);
}
END_TEST

START_TEST(each_thread_is_a_lane)
{
	struct profile *p = story_load(V2(AT("0", "'1'", "00") "," AT("2", "'w'", "01") "," AT(
		"1", "'1'", "02") "," AT("2", "'w'", "04")));

	ck_assert_str_eq(p->inputs[0].format, "sentry");
	ck_assert_uint_eq(p->n_lanes, 2);
	story_of(p, 0, "0 a|20000 a>b|40000");
	story_of(p, 1, "10000 c|40000 c|70000");
	ck_assert_int_eq(p->lanes[0].tid, 1);
	ck_assert_int_eq(p->origin_ns, INT64_C(1700000000) * 1000000000);
	profile_free(p);
}
END_TEST

/* in_app, whatever the url is. */
START_TEST(frames_know_whose_they_are)
{
	struct profile *p = story_load(
		"{'frames':[{'function':'a','abs_path':'/srv/node_modules/x/a.js','in_app':true},"
		"{'function':'b','abs_path':'/usr/lib/python3/site-packages/b.py','in_app':false},"
		"{'function':'c','in_app':true},{'function':'d','abs_path':'/srv/d.js'}],"
		"'stacks':[[3,2,1,0]],'samples':[" AT("0", "1", "00") "," AT("0", "1", "01") "]}");
	static const enum category expect[] = { CATEGORY_APP, CATEGORY_DEPENDENCY, CATEGORY_APP,
						CATEGORY_APP };

	for (frame_id f = 1; f < p->frames.n; f++) {
		const char *name = profile_text(p, p->frames.frames[f].name);

		if (name[0] >= 'a' && name[0] <= 'd' && !name[1])
			ck_assert_int_eq(p->frames.frames[f].category, expect[name[0] - 'a']);
	}
	profile_free(p);
}
END_TEST

static void add_tests(Suite *suite)
{
	TCase *t = suite_case(suite, "sentry", SUITE_SECONDS);

	tcase_add_loop_test(t, rules, 0, N(goods));
	tcase_add_loop_test(t, errors_say_what_is_missing, 0, N(others));
	tcase_add_test(t, each_thread_is_a_lane);
	tcase_add_test(t, frames_know_whose_they_are);
}

int main(void)
{
	return suite_run("sentry", add_tests);
}
