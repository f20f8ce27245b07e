/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The document around the events of a trace: comments, displayTimeUnit, what a user changed in
 * DevTools, and files without anything that has a duration. */
#include "config.h"

#include "trace_story.h"

#include "base/alloc.h"
#include "model/profile.h"

static const struct comment_case {
	const char *text;
	long at;
} comment_cases[] = {
	{ "// c\n[]", 0 },
	{ "[\n // c\n" X("a", 1, 2) "]", 3 },
	{ "[ /* c */" X("a", 1, 2) "]", 2 },
	{ "[{'ph':'X' // c\n,'ts':1}]", 11 },
	{ "[{'ph':'X', // c\n'ts':1}]", 12 },
	{ "[{'ph': /* c */ 'X','ts':1}]", 8 },
	{ "{// c\n'traceEvents':[]}", 1 },
	{ "{'traceEvents': // c\n[]}", 16 },
};

START_TEST(comments_are_named_with_their_place)
{
	struct error err = ERROR_INIT;
	char *text = quoted(comment_cases[_i].text);

	ck_assert_ptr_null(load_bytes(text, strlen(text), &err));
	if (!strstr(err.text, "a comment, and JSON has no comments"))
		ck_abort_msg("%s: %s", text, err.text);
	ck_assert_int_eq(err.offset, comment_cases[_i].at);
	free(text);
}
END_TEST

/* 0: times as they are; 1: exact times in ns. */
START_TEST(display_time_unit_is_followed)
{
	static const char *const unit[] = { "ms", "ns" };
	char text[200], time[UNITS_MAX];
	struct profile *p;

	snprintf(text, sizeof text, "{'traceEvents':[%s],'displayTimeUnit':'%s'}", X("a", 1, 2),
		 unit[_i]);
	p = load(text);
	profile_exact(p, 1234567, time);
	ck_assert_str_eq(time, _i ? "1 234 567 ns" : "1 234.567 µs");
	profile_exact(p, -5, time);
	ck_assert_str_eq(time, _i ? "-5 ns" : "-0.005 µs");
	profile_free(p);
	p = load("{'displayTimeUnit':['ns'],'traceEvents':[" X("a", 1, 2) "]}");
	ck_assert(!p->has_ns);
	profile_free(p);
}
END_TEST

#define MODIFIED                                                                                   \
	"'metadata':{'modifications':{'entriesModifications':{'hiddenEntries':['r-1','p-1-2'],"    \
	"'expandableEntries':['r-0']},'annotations':{'entryLabels':[{'entry':'r-1','label':'slow'}]}}}"

START_TEST(entries_changed_in_devtools_are_noted)
{
	ck_notes("{" MODIFIED ",'traceEvents':[" X("a", 1, 2) "," X("b", 5, 2) "]}", false,
		 "2 entries hidden in DevTools, and shown here: b at 5 µs (r-1), p-1-2");
	ck_notes("{" MODIFIED ",'traceEvents':[" X("a", 1, 2) "," X("b", 5, 2) "]}", false,
		 "1 entry expandable in DevTools, with hidden ones below: a at 1 µs (r-0)");
	ck_notes("{" MODIFIED ",'traceEvents':[" X("a", 1, 2) "," X("b", 5, 2) "]}", false,
		 "label of b at 5 µs (r-1): slow");
	/* Events that were read before have only their key. */
	ck_notes("{'traceEvents':[" X("a", 1, 2) "," X("b", 5, 2) "]," MODIFIED "}", false,
		 "label of r-1: slow");
}
END_TEST

START_TEST(names_without_events_are_listed)
{
	struct profile *p = load("[" ON(5, 6) "," META("process_name", "'name':'P'", 5, 0) "," META(
		"thread_name", "'name':'used'", 5,
		6) "," META("thread_name", "'name':'unused'", 5,
			    7) "," META("process_name", "'name':'Q'", 8,
					0) "," META("process_name", "'name':'R'", 9,
						    0) "," META("thread_name", "'name':'t'", 9,
								1) "]");
	struct buf out = { 0 };

	ck_assert_uint_eq(p->n_lanes, 1);
	for (uint32_t i = 0; i < p->n_named; i++) {
		lane_name_of_named(p, &p->named[i], &out);
		buf_addc(&out, '\n');
	}
	ck_assert_str_eq(buf_text(&out),
			 "P: unused (pid 5, tid 7)\nQ (pid 8)\nR: t (pid 9, tid 1)\n");
	buf_done(&out);
	profile_free(p);
}
END_TEST

/* Messages of the DevTools protocol, as programs log them. */
#define DATA(events) "{'method':'Tracing.dataCollected','params':{'value':[" events "]}}"
#define REPLY "{'id':1,'result':{}}"

static const struct message_case {
	const char *text, *story;
	size_t n_warnings;
} message_cases[] = {
	{ DATA(X("a", 1, 2)), "slices 1/1 a:1-3\n", 0 },
	{ DATA(X("a", 1, 2)) "\n" DATA(X("b", 4, 2)) "\n", "slices 1/1 a:1-3 b:4-6\n", 0 },
	{ REPLY "\n{'method':'Page.x','params':{'value':7}}\n" DATA(X("a", 1, 2)) "\n" DATA(
		  "") "\n{'method':'Tracing.bufferUsage','params':{'value':0.5}}\n" DATA(X("b", 4,
											   2)) "\n{'method':'Tracing.tracingComplete'}",
	  "slices 1/1 a:1-3 b:4-6\n", 0 },
	{ "[" REPLY "," DATA(X("a", 1, 2)) "," DATA(X("b", 4, 2)) "]", "slices 1/1 a:1-3 b:4-6\n",
	  0 },
	{ "{'params':{'x':1,'value':[" X("a", 1, 2) "]},'sessionId':'7','method':"
						    "'Tracing.dataCollected'}",
	  "slices 1/1 a:1-3\n", 0 },
	{ DATA(X("a", 1, 2)) "{'method':'Page.x','params':{'value':[" X("b", 4, 2) "]}}",
	  "slices 1/1 a:1-3\n", 0 },
	{ DATA(X("a", 1, 2)) "\n" DATA(X("b", 4, 2) ",{'name':'"), "slices 1/1 a:1-3 b:4-6\n", 1 },
};

START_TEST(messages_of_the_protocol_are_one_trace)
{
	struct profile *p;

	ck_tells(message_cases[_i].text, message_cases[_i].story);
	p = load(message_cases[_i].text);
	ck_assert_uint_eq(p->inputs[0].n_warnings, message_cases[_i].n_warnings);
	profile_free(p);
}
END_TEST

/* CPU profiles as replies have them, or as the page ends them, wherever they stand. */
#define REPLIED(id) "{'id':" id ",'result':{'profile':" WHOLE "}}"
#define WHOLE                                                                                      \
	"{'nodes':[{'id':1,'callFrame':{'functionName':'(root)'},'children':[2]},"                 \
	"{'id':2,'callFrame':{'functionName':'f','url':'a.js'}}],'startTime':10,'endTime':14,"     \
	"'samples':[2,2],'timeDeltas':[1,2]}"
#define ENDED "{'method':'Profiler.consoleProfileFinished','params':{'id':'1','profile':" WHOLE "}}"
#define PAGE "{'method':'Page.x','params':{'value':7}}"
#define HEAP_REPLIED                                                                               \
	"{'id':8,'result':{'profile':{'head':{'callFrame':{},'selfSize':4,'id':1,'children':[]}}}}"

static const struct reply_case {
	const char *text, *format;
	uint32_t n_samples, n_slices; /* lanes */
	const char *warning;          /* NULL: none */
} reply_cases[] = {
	{ REPLY "\n" REPLIED("2") "\n" PAGE "\n", "trace", 1, 0, NULL },
	{ REPLY "\n" ENDED "\n" REPLIED("2"), "trace", 2, 0, NULL },
	{ PAGE DATA(X("a", 1, 2)) REPLIED("2") DATA(X("b", 4, 2)), "trace", 1, 1, NULL },
	{ "[" PAGE "," REPLIED("2") "," REPLIED("3") "]", "trace", 2, 0, NULL },
	{ REPLY "\n" HEAP_REPLIED "\n" DATA(X("a", 1, 2)), "trace", 0, 1, NULL },
	{ REPLIED("2") PAGE PAGE, "cpuprofile", 1, 0, NULL },
	{ ENDED "\n" PAGE, "cpuprofile", 1, 0, NULL },
	{ REPLIED("2") PAGE REPLIED("3"), "cpuprofile", 2, 0, "second-profile" },
	{ REPLIED("2") DATA(X("a", 1, 2)), "trace", 1, 1, NULL },
	{ REPLY "\n" REPLIED("2") "\n{'id':3,'result':{'profile':{'nodes':[", "trace", 1, 0,
	  "cut-off" },
};

START_TEST(replies_have_profiles)
{
	const struct reply_case *c = &reply_cases[_i];
	struct profile *p = load(c->text);
	uint32_t n[2] = { 0 };

	for (uint32_t i = 0; i < p->n_lanes; i++) {
		n[p->lanes[i].kind == LANE_SLICES]++;
		/* Events alone would lack the profile. */
		ck_assert_int_eq(p->lanes[i].is_beside_events,
				 p->lanes[i].kind == LANE_SAMPLES &&
					 strcmp(c->format, "trace") == 0);
	}
	ck_assert_str_eq(p->inputs[0].format, c->format);
	ck_assert_uint_eq(n[0], c->n_samples);
	ck_assert_uint_eq(n[1], c->n_slices);
	ck_assert_uint_eq(p->inputs[0].n_warnings, c->warning ? 1 : 0);
	if (c->warning)
		ck_assert_str_eq(warning_name(p->inputs[0].warnings[0].kind), c->warning);
	ck_assert_int_eq(p->inputs[0].has_sample_list,
			 strcmp(c->format, "trace") == 0 && c->n_samples > 0);
	profile_free(p);
}
END_TEST

/* More than is looked at to recognise the format. */
START_TEST(replies_come_late)
{
	struct buf text = { 0 };
	struct profile *p;

	buf_adds(&text, REPLY "\n");
	for (int i = 0; i < 8000; i++)
		buf_adds(&text, PAGE "\n");
	buf_adds(&text, REPLIED("2") "\n" PAGE "\n");
	p = load(buf_text(&text));
	ck_assert_uint_eq(p->n_lanes, 1);
	ck_assert_int_eq(p->lanes[0].kind, LANE_SAMPLES);
	profile_free(p);
	buf_done(&text);
}
END_TEST

static void add_rules(TCase *tc)
{
	tcase_add_loop_test(tc, replies_have_profiles, 0, (int)ARRAY_LEN(reply_cases));
	tcase_add_test(tc, replies_come_late);
	tcase_add_loop_test(tc, messages_of_the_protocol_are_one_trace, 0,
			    (int)ARRAY_LEN(message_cases));
	tcase_add_loop_test(tc, comments_are_named_with_their_place, 0,
			    (int)ARRAY_LEN(comment_cases));
	tcase_add_loop_test(tc, display_time_unit_is_followed, 0, 2);
	tcase_add_test(tc, names_without_events_are_listed);
	tcase_add_test(tc, entries_changed_in_devtools_are_noted);
}

static void add_tests(Suite *suite)
{
	trace_suite(suite, add_rules);
}

int main(void)
{
	return suite_run("trace_document", add_tests);
}
