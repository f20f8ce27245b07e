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
#define CHUNK(series, name, samples)                                                               \
	"{'profiler_id':'" series "','profile':{'samples':[" samples "]," STACKS "," FRAMES        \
	",'thread_metadata':{'1':{'name':'" name "'}}}}"
#define EMPTY "{'profiler_id':'p','profile':{'frames':[],'stacks':[],'samples':[]}}"
#define BARE "{'frames':[],'stacks':[],'samples':[]}"
#define ENVELOPE "{'event_id':'e','sent_at':'x'}\n"
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
	/* a length decides where an item ends that is no profile; what it holds may be anything */
	{ ENVELOPE
	  "{'type':'attachment','length':9}\n{'a\n\x01\xff\"[\n\n{'type':'profile'}\n" SOME,
	  STORY, NULL, 0 },
	{ ENVELOPE "{'length':0,'type':'x'}\n\n{'type':'profile'}\n" SOME, STORY, NULL, 0 },
	{ ENVELOPE "{'type':'attachment'}\nno JSON {\n{'type':'profile'}\n" SOME, STORY, NULL, 0 },
	/* a wrong length, too short and too long: lines that are no header are passed */
	{ ENVELOPE "{'type':'attachment','length':2}\nabcd\nef\n{'type':'profile'}\n" SOME, STORY,
	  "trailing", 1 },
	{ ENVELOPE "{'type':'a','length':8}\nabcd\n{'type':'b'}\n1\n{'type':'profile'}\n" SOME,
	  STORY, "trailing", 1 },
	{ ENVELOPE "{'type':'profile'}\n" SOME "\n{'type':'attachment','length':900}\nabc", STORY,
	  "cut-off", 1 },
	/* a profile that is damaged; one after it */
	{ ENVELOPE
	  "{'type':'profile','length':23}\n{'profile':{'frames':}}\n{'type':'profile'}\n" SOME,
	  STORY, "trailing", 1 },
	/* the same with a length that is too short, and without one: the rest of its line is passed
	 */
	{ ENVELOPE
	  "{'type':'profile','length':9}\n{'profile':{'frames':}},[\n{'type':'profile'}\n" SOME,
	  STORY, "trailing", 1 },
	{ ENVELOPE "{'type':'profile'}\n{'profile':{'frames':}},[\n{'type':'profile'}\n" SOME,
	  STORY, "trailing", 1 },
	/* chunks of a series are one lane, in the order of time, also with empty ones between */
	{ "[" CHUNK("p", "m", AT("2", "1", "02") "," AT("0", "1", "03")) "," EMPTY "," CHUNK(
		  "p", "", AT("0", "1", "00") "," AT("1", "1", "01")) "]",
	  "0 a|10000 a>b|20000 c|30000 a|40000", NULL, 0 },
	{ EMPTY SOME, STORY, NULL, 0 },
	{ BARE "\n" SOME, STORY, NULL, 0 },
	/* a list between documents */
	{ EMPTY "[1,{'a':[2]}]" SOME, STORY, NULL, 0 },
	/* one that lacks a list does not end the rest either */
	{ "[{'frames':[],'samples':[" AT("0", "1", "00") "],'thread_metadata':{}}," SOME "]", STORY,
	  "trailing", 1 },
	/* a pause between chunks is none of the last sample before it */
	{ CHUNK("p", "m", AT("0", "1", "00") "," AT("0", "1", "01"))
		  CHUNK("p", "m",
			"{'stack_id':2,'thread_id':1,'timestamp':1700000006},"
			"{'stack_id':2,'thread_id':1,'timestamp':1700000006.01}"),
	  "0 a|10000 a|20000 -|6000000 c|6010000 c|6020000", NULL, 0 },
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

/* A failure to read is an error wherever it comes, and no damage of an item. */
START_TEST(failure_to_read_is_an_error)
{
	char *text = quoted(goods[_i].text);
	size_t len = strlen(text);

	for (size_t at = 0; at < len; at += 1 + at % 3) {
		struct error err = ERROR_INIT;

		ck_assert_msg(!load_text(text, len, at, &reader_sentry, &err) && err.kind == ERR_IO,
			      "%zu: %s", at, err.text);
	}
	free(text);
}
END_TEST

/* Far behind the beginning, in the header of an item, and in the item. */
START_TEST(failure_to_read_a_later_item_is_an_error)
{
	enum { BEHIND = 300000 };
	struct buf text = { 0 };
	size_t before;

	buf_addf(&text, "{\"event_id\":\"e\"}\n{\"type\":\"attachment\",\"length\":%d}\n", BEHIND);
	for (int i = 0; i < BEHIND; i++)
		buf_addc(&text, 'x');
	before = text.len;
	buf_adds(&text,
		 "\n{\"type\":\"profile\",\"length\":1000}\n{\"profile\":{\"samples\":[]}}\n");
	for (size_t at = before; at < text.len; at++) {
		struct error err = ERROR_INIT;

		ck_assert_msg(!load_text(text.data, text.len, at, &reader_sentry, &err) &&
				      err.kind == ERR_IO,
			      "%zu: %s", at - before, err.text);
	}
	buf_done(&text);
}
END_TEST

static const struct other {
	const char *text, *part;
} others[] = {
	{ V2(""), "no samples" },
	{ "{'event_id':'e'}\n{'type':'transaction'}\n{'spans':[]}\n",
	  "the envelope has no profile" },
	{ EMPTY EMPTY, "no samples" },
	{ ENVELOPE "{'type':'profile','length':22}\n{'profile':{'frames':[\n", "too early" },
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

/* Chunks of two series, and of none, are lanes of their own; the threads have one name each. */
START_TEST(each_series_has_its_lanes)
{
	struct profile *p = story_load(
		CHUNK("p", "m", AT("0", "'1'", "00")) CHUNK("q", "m", AT("0", "'1'", "01"))
			CHUNK("p", "m", AT("1", "1", "02")) V2(AT("2", "1", "03")));

	ck_assert_uint_eq(p->n_lanes, 2);
	profile_free(p);
}
END_TEST

/* The start of version 1 is a date: its profiles are on the wall clock. Without one, each has a
 * clock of its own. */
START_TEST(version_1_has_a_date)
{
	static const char *const starts[] = { "'2023-11-14T22:13:20.5Z'",
					      "'2023-11-15T00:13:20.500+02:00'", "1700000000.5",
					      "'1.11.2023'" };
	struct buf text = { 0 };
	struct profile *p;

	buf_addf(&text, "{'timestamp':%s,%s", starts[_i],
		 &V1(ELAPSED("0", "1", "0") "," ELAPSED("1", "1", "10000000"))[1]);
	p = story_load(buf_text(&text));
	story_of(p, 0, "0 a|10000 a>b|20000");
	ck_assert_int_eq(p->inputs[0].has_date, _i < 3);
	ck_assert_int_eq(p->inputs[0].date_s, _i < 3 ? 1700000000 : 0);
	if (_i < 3)
		ck_assert_int_eq(p->origin_ns, INT64_C(1700000000500) * 1000000);
	profile_free(p);
	buf_done(&text);
}
END_TEST

/* The cost follows the samples, not threads times frames. A lane passes its own frames. */
START_TEST(many_threads_of_many_frames)
{
	struct buf text = { 0 };
	struct profile *p;

	buf_adds(&text, "{'frames':[");
	for (int i = 0; i < 20000; i++)
		buf_addf(&text, "%s{'function':'f%d'}", i ? "," : "", i);
	buf_adds(&text, "],'stacks':[");
	for (int i = 0; i < 20000; i++)
		buf_addf(&text, "%s[%d]", i ? "," : "", i);
	buf_adds(&text, "],'samples':[");
	for (int i = 0; i < 20000; i++)
		buf_addf(&text, "%s{'stack_id':%d,'thread_id':'t%d','timestamp':%d}", i ? "," : "",
			 i, i % 10000, 1700000000 + i);
	buf_adds(&text, "]}");
	p = story_load(buf_text(&text));
	ck_assert_uint_eq(p->n_lanes, 10000);
	story_of(p, 3, "3000000 f3|10003000000 f10003|20003000000");
	profile_free(p);
	buf_done(&text);
}
END_TEST

/* Lines of a trace are no envelope. */
START_TEST(events_are_no_envelope)
{
	struct profile *p = story_load(
		"{'ph':'X','name':'a','pid':1,'tid':1,'ts':0,'dur':5,'sdk':1}\n"
		"{'type':1,'ph':'X','name':'b','pid':1,'tid':1,'ts':5,'dur':5}\n");

	ck_assert_str_eq(p->inputs[0].format, "trace");
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
	tcase_add_loop_test(t, failure_to_read_is_an_error, 0, N(goods));
	tcase_add_test(t, failure_to_read_a_later_item_is_an_error);
	tcase_add_loop_test(t, errors_say_what_is_missing, 0, N(others));
	tcase_add_test(t, each_thread_is_a_lane);
	tcase_add_test(t, each_series_has_its_lanes);
	tcase_add_loop_test(t, version_1_has_a_date, 0, 4);
	tcase_add_test(t, many_threads_of_many_frames);
	tcase_add_test(t, events_are_no_envelope);
	tcase_add_test(t, frames_know_whose_they_are);
}

int main(void)
{
	return suite_run("sentry", add_tests);
}
