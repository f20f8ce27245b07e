/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The beginning of a document decides which reader gets it. A document that no reader takes gives
 * an error. */
#include "config.h"

#include "read/load/load_file.c"

#include "base/alloc.h"
#include "load_text.h"
#include "suite.h"

#include <string.h>

/* What is known of the document: all of it; its beginning, and more may come; its beginning, and no
 * more will be looked at. */
enum part { ALL, MORE, LAST };

/* MORE_NEEDED: the text does not tell. Otherwise the name of the reader, or what the error says. */
#define MORE_NEEDED NULL

static const struct {
	const char *text;
	enum part part;
	const char *expect;
} cases[] = {
	/* CPU profiles of V8. */
	{ "{'nodes':[{'id':1}],'x':2}", ALL, "cpuprofile" },
	{ "{'nodes':[{'id':1", MORE, "cpuprofile" },
	{ "{'x':[1,2],'nodes':[{'id':1", MORE, "cpuprofile" },
	{ "{'head':{'functionName':'a'}}", ALL, "cpuprofile" },
	{ "{'head':5}", ALL, "JSON of another kind" },
	{ "{'nodes':[1]}", ALL, "JSON of another kind" },
	{ "{'timeDeltas':[5,6", MORE, "cpuprofile" },
	{ "{'timeDeltas':['5','6'", MORE, "cpuprofile" },
	{ "{'samples':[5,6", LAST, "cpuprofile" },
	{ "{'samples':[-1,6", MORE, "cpuprofile" },
	{ "{'samples':[{'x':1},", MORE, MORE_NEEDED },
	{ "{'samples':[5,6]}", ALL, "JSON of another kind" },
	{ "{'stacks':[],'samples':[5,6", MORE, MORE_NEEDED },
	{ "{'stacks':[],'samples':[5,6", LAST, "JSON of another kind" },
	{ "{'profile':{'nodes':[{'id':1}]}}", ALL, "cpuprofile" },
	/* Other recordings of V8 have a head or nodes, too. */
	{ "{'head':{'selfSize':5}}", ALL, "heapprofile" },
	{ "{'head':{'callFrame':{}}}", ALL, "heapprofile" },
	{ "{'head':{'callFrame':{'functionName':'", MORE, "heapprofile" },
	{ "{'snapshot':{},'nodes':[1]}", ALL, "a heap snapshot" },
	{ "{'snapshot':{},'strings':[1]}", ALL, "a heap snapshot" },
	/* Traces. */
	{ "{'traceEvents':[{'ph':'X'}]}", ALL, "trace" },
	{ "{'traceEvents':[", MORE, "trace" },
	{ "{'nodes':[{'id':1}],'traceEvents':[]}", ALL, "trace" },
	{ "{'traceEvents':{}}", ALL, "a Chrome trace, but its traceEvents is no array" },
	{ "{'traceEvents':{},'nodes':[{'id':1}]}", ALL, "cpuprofile" },
	{ "[{'ph':'X','ts':1}]", ALL, "trace" },
	{ "[{'ts':1,'ph':'X'},", MORE, "trace" },
	{ "[{'ts':1,", MORE, MORE_NEEDED },
	{ "[{'ts':1}]", ALL, "JSON of another kind" },
	{ "[1,2]", ALL, "JSON of another kind" },
	{ "[]", ALL, "trace" },
	{ "[", MORE, MORE_NEEDED },
	{ "{'ph':'X','ts':1}", ALL, "trace" },
	{ "{'method':'Tracing.dataCollected','params':{'value':[", MORE, "trace" },
	{ "[{'method':'Tracing.dataCollected','params':{'value':[]}}]", ALL, "trace" },
	{ "{'id':1,'result':{}}\n{'method':'Tracing.dataCollected','params':{", MORE, "trace" },
	{ "{'id':1,'result':{}}\n{'method':'Page.x','params':{}}", ALL, "JSON of another kind" },
	{ "{'id':1,'result':{}}\n{'method':'Page.x','params':{}}", MORE, "trace" },
	{ "{'id':1,'result':{'x':", MORE, MORE_NEEDED },
	{ "{'ph':1,'ts':1}", ALL, "JSON of another kind" },
	{ "{'stackFrames':{},'samples':[{'cpu':0}]}", ALL, "trace" },
	{ "{'stackFrames':[],'samples':[{'cpu':0}]}", ALL, "JSON of another kind" },
	{ "{'stackFrames':{}}", ALL, "JSON of another kind" },
	/* Spans with parents. */
	{ "[{'name':'a','duration':1,'timestamp':2,'id':3}]", ALL, "spans" },
	{ "{'id':'3','timestamp':2,'name':'a','duration':1}\n", MORE, "spans" },
	{ "[{'name':'a','duration':1,'timestamp':2,'id':3,'ph':'X'}]", ALL, "trace" },
	{ "[{'name':'a','duration':1,'timestamp':2}]", ALL, "JSON of another kind" },
	/* JS self-profiling. */
	{ "{'frames':[{}],'samples':[{}],'stacks':[{}]}", ALL, "selfprofile" },
	{ "{'frames':[{}],'samples':[{}],'stacks':[{", MORE, "selfprofile" },
	{ "{'frames':[null],'samples':[null],'stacks':[null]}", ALL, "selfprofile" },
	{ "{'frames':[],'samples':[],'stacks':[]}", ALL, "selfprofile" },
	{ "{'frames':[1],'samples':[{}],'stacks':[{}]}", ALL, "selfprofile" },
	{ "{'frames':[1],'samples':[{}],'stacks':[1]}", ALL, "JSON of another kind" },
	{ "{'frames':[{}],'samples':[{}]}", ALL, "selfprofile" },
	{ "{'stacks':[{}],'samples':[{}]}", ALL, "selfprofile" },
	{ "{'frames':[{}],'samples':[{}],", MORE, MORE_NEEDED },
	{ "{'frames':[{}],'samples':[1],'stacks':[{}]}", ALL, "JSON of another kind" },
	{ "{'frames':[{}],'stacks':[{}]}", ALL, "JSON of another kind" },
	{ "{'frames':[{}],'samples':[{}],'stacks':[{}],'traceEvents':{}}", ALL,
	  "a Chrome trace, but its traceEvents is no array" },
	{ "{'frames':[{}],'samples':[{}],'stacks':[{}],'nodes':1}", ALL, "JSON of another kind" },
	{ "{'frames':[{}],'samples':[{}],'stacks':[{'prefix':1}]}", ALL, "JSON of another kind" },
	/* Sentry. */
	{ "{'frames':[{}],'samples':[{}],'stacks':[[0]]}", ALL, "sentry" },
	{ "{'profiler_id':'x','profile':{'frames':[],'samples':[{}],'stacks':[]}}", ALL, "sentry" },
	{ "{'event_id':'x'}\n{'type':'profile'}\n{}", ALL, "sentry" },
	{ "{'event_id':'x'}\n{'kind':'profile'}\n{}", ALL, "JSON of another kind" },
	/* Speedscope. */
	{ "{'$schema':'x','profiles':[{}]}", ALL, "speedscope" },
	{ "{'shared':{},'profiles':[{}]}", ALL, "speedscope" },
	{ "{'profiles':[{}]}", ALL, "JSON of another kind" },
	{ "{'$schema':1,'profiles':[{}]}", ALL, "JSON of another kind" },
	{ "{'$schema':'x','profiles':[1]}", ALL, "JSON of another kind" },
	{ "{'$schema':'x','shared':{'frames':[", MORE, "speedscope" },
	{ "{'shared':{'frames':[", MORE, MORE_NEEDED },
	{ "{'$schema':'x','shared':{}}", ALL, "JSON of another kind" },
	{ "{'$schema':'x','profiles':[{}],'traceEvents':{}}", ALL,
	  "a Chrome trace, but its traceEvents is no array" },
	/* Folded stacks. */
	{ "a;b 1\nc 2\n", ALL, "folded" },
	{ "a;b 1", ALL, "folded" },
	{ "a 1\nb 2\n", ALL, "text, neither JSON, folded stacks nor" },
	{ "a;b 1\nc 2", MORE, "folded" },
	{ "a;b 1", MORE, MORE_NEEDED },
	{ "a;b 1\nno number\n", ALL, "text, neither JSON, folded stacks nor" },
	{ "a;b 1\nno number\nc 2\n", ALL, "folded" },
	{ "# comment\na;b 1\n", ALL, "folded" },
	{ "\n  \n a;b 1 \n", ALL, "folded" },
	{ "[unknown];main 12\n", ALL, "folded" },
	{ "<anonymous>;main 12\n", ALL, "folded" },
	{ "<9B>x;main 12\n", ALL, "folded" },
	{ "<html>x;main 12\n", ALL, "HTML or XML, not JSON" },
	{ "<;main 12\n", ALL, "HTML or XML, not JSON" },
	{ "<html>", ALL, "HTML or XML, not JSON" },
	/* What perf script prints. */
	{ "node 7 1.000000: 5 cpu-clock: \n\t1a a (x)\n", ALL, "perf-script" },
	{ "node 7 1.000000: 5 cpu-clock: \n", MORE, "perf-script" },
	{ "# ========\n# captured on    : Mon\n", MORE, "perf-script" },
	{ "# comment\n\nmy prog 7/8 [001] 1.0: cycles:", ALL, "perf-script" },
	{ "node 7 1.000000: \n\t1a a (x)\n", ALL, "perf-script" },
	{ "node 7 1.000000: \n", ALL, "text, neither JSON, folded stacks nor" },
	{ "odd line\nnode 7 1.0: cycles:\n\t1a a (x)\n", ALL, "perf-script" },
	{ "odd line\nnode 7 1.0: cycles:\n1a a (x)\n", ALL,
	  "text, neither JSON, folded stacks nor" },
	{ "a;b 1\nnode 7 1.0: x\n\t1a a (x)\na;c 2\na;d 3\n", ALL, "folded" },
	{ "PERFILE2\n", MORE, "`perf script -i FILE > out.txt`" },
	/* What is no profile. */
	{ "", ALL, "the file is empty" },
	{ " \n\t\r ", ALL, "the file is empty" },
	{ " ", MORE, MORE_NEEDED },
	{ "{}", ALL, "an empty JSON object, not a profile" },
	{ "5", ALL, "a JSON value, not a profile" },
	{ "'text'", ALL, "a JSON value, not a profile" },
	{ "true", ALL, "a JSON value, not a profile" },
	{ "nothing", ALL, "text, neither JSON, folded stacks nor" },
	{ "{'meta':{},'threads':[]}", ALL, "a Firefox Profiler file" },
	{ "{'meta':[],'threads':[]}", ALL, "JSON of another kind" },
	{ "{'meta':{}}", ALL, "JSON of another kind" },
	{ "{'code':[],'ticks':[]}", ALL, "a preprocessed --prof log of V8" },
	{ "{'log':{}}", ALL, "an HTTP archive (HAR)" },
	{ "{'mappings':'AAAA'}", ALL, "a source map" },
	{ "{'sections':[],'version':3}", ALL, "a source map" },
	{ "{'result':[]}", ALL, "coverage of V8" },
	{ "{'functions':[]}", ALL, "coverage of V8" },
	{ "[{'ranges':[],'url':'x'}]", ALL, "coverage of Chrome" },
	{ "{'statementMap':{}}", ALL, "coverage of Istanbul" },
	{ "{'lighthouseVersion':'1'}", ALL, "a Lighthouse report" },
	{ "{'constants':{},'events':[]}", ALL, "a network log of Chrome" },
	{ "{'version':1,'recording':{'displayName':'T','instrumentTypes':[],'records':[", MORE,
	  MORE_NEEDED },
	{ "{'version':1,'recording':{'displayName':'T','instrumentTypes':[]},'overview':{}}", ALL,
	  "Safari's Web Inspector" },
	{ "{'overview':{},'recording':{'displayName':'T'}}", ALL, "Safari's Web Inspector" },
	{ "{'recording':{'displayName':'T'}}", ALL, "JSON of another kind" },
	{ "{'version':5,'dataForRoots':[{'commitData':[]}],'timelineData':[]}", ALL,
	  "React DevTools" },
	{ "{'version':1,'buffer':[{'source':'click','duration':1,'directives':[]}]}", ALL,
	  "Angular DevTools" },
	{ "{'version':1,'hydration':{},'buffer':[]}", ALL, "Angular DevTools" },
	{ "{'buffer':[1]}", ALL, "JSON of another kind" },
	{ "{'snapshot':{'meta':{},'node_count':1},'nodes':[9,1,1],'edges':[],'strings':[]}", ALL,
	  "a heap snapshot: a graph of objects" },
	{ "Statistical profiling result from a-v8.log, (500 ticks, 0 unaccounted).\n", MORE,
	  "a report of node --prof-process" },
	{ " [JavaScript]:\n   ticks  total  nonlib   name\n     86   17.2%   17.6%  JS: *f\n", ALL,
	  "a report of node --prof-process" },
	{ "  ticks parent  name\n    364   72.8%  node\n", ALL, "a report of node --prof-process" },
	{ "  ticks parent  names\n", ALL, "text, neither JSON, folded stacks nor" },
	{ "\n\n  libc.so.1`read+0x5\n  node`uv_run+0x12\n  0x3f1\n   1641\n", ALL,
	  "stacks of DTrace" },
	{ "CPU     ID                    FUNCTION:NAME\n  1  7  :tick-60s\n", ALL,
	  "stacks of DTrace" },
	{ "  node`main\n\n  12\n", ALL, "text, neither JSON, folded stacks nor" },
	{ "  node`main;node`a 12\n", ALL, "folded" },
	{ "PK\003\004xx", MORE, MORE_NEEDED },
	{ "PK\003\004xx\n", MORE, "a zip archive; unpack it first" },
	{ "\177ELFxx\n", MORE, "a program, binary data" },
	{ "v8-version,8,9\n", MORE, "a --prof log of V8, text" },
	{ "BZh9\n", MORE, "bzip2 data" },
	{ "\n\002\b\001", ALL, "pprof" },
	{ "\n\006\b\001", MORE, "pprof" },
	{ "\n\002\b\001\004", ALL, "a pprof profile that is damaged" },
	{ "\n\007\b\001", ALL, "binary data of protocol buffers" },
	{ "\n\001\b\001", ALL, "binary data of protocol buffers" },
	{ "\001\002\003\n", MORE, "binary data, not JSON" },
	{ "\200abc\n", MORE, "binary data, not JSON" },
	{ "prose in a line\n", MORE, "text, neither JSON, folded stacks nor" },
	{ "{'a':1,}x", ALL, "JSON of another kind" },
	{ "{'a' 1}", ALL, "':'" },
};

START_TEST(a_document_goes_to_its_reader)
{
	static char text[SNIFF_FIRST];
	size_t len = strlen(cases[_i].text);
	struct error err = ERROR_INIT;
	struct outline outline;
	const struct reader *reader;

	memset(text, 0, sizeof text);
	for (size_t i = 0; i < len; i++)
		text[i] = (char)(cases[_i].text[i] == '\'' ? '"' : cases[_i].text[i]);
	reader = sniff_reader(&outline, (struct str){ text, len }, cases[_i].part == ALL,
			      cases[_i].part == LAST, &err);
	if (reader) {
		ck_assert_msg(cases[_i].expect && strcmp(cases[_i].expect, reader->name) == 0,
			      "%s: %s", cases[_i].text, reader->name);
		ck_assert_int_eq(err.kind, ERR_NONE);
	} else if (cases[_i].expect) {
		ck_assert_msg(err.kind == ERR_UNKNOWN && strstr(err.text, cases[_i].expect),
			      "%s: %s", cases[_i].text, err.text);
	} else {
		ck_assert_msg(err.kind == ERR_NONE, "%s: %s", cases[_i].text, err.text);
	}
}
END_TEST

/* Where the first bytes do not tell, more are looked at. */
START_TEST(more_of_a_document_is_looked_at)
{
	static const size_t lengths[] = { SNIFF_FIRST - 6, SNIFF_FIRST, 2 * SNIFF_FIRST,
					  10 * SNIFF_FIRST };
	struct buf text = { 0 };
	struct error err = ERROR_INIT;
	struct profile *p;

	buf_adds(&text, "{\"x\":\"");
	while (text.len < lengths[_i])
		buf_addc(&text, 'x');
	buf_adds(&text,
		 "\",\"nodes\":[{\"id\":1,\"callFrame\":{\"functionName\":\"a\"}}],"
		 "\"startTime\":0,\"endTime\":9,\"samples\":[1,1],\"timeDeltas\":[1,2]}");
	p = load_text(buf_text(&text), text.len, SIZE_MAX, NULL, &err);
	ck_assert_msg(p != NULL, "%s", err.text);
	profile_free(p);
	buf_done(&text);
}
END_TEST

/* A line that is longer than SNIFF_FIRST is within what is looked at first. */
START_TEST(long_stacks_are_recognised)
{
	struct buf text = { 0 };
	struct error err = ERROR_INIT;
	struct profile *p;

	buf_adds(&text, "# a comment\n(idle) 40\nmain");
	while (text.len < SNIFF_FIRST + 10000)
		buf_adds(&text, ";a_function_with_a_long_name");
	buf_adds(&text, " 5\nmain;b 3\n");
	p = load_text(buf_text(&text), text.len, SIZE_MAX, NULL, &err);
	ck_assert_msg(p != NULL, "%s", err.text);
	ck_assert_uint_eq(p->n_lanes, 1);
	ck_assert_int_eq(p->lanes[0].t1 - p->lanes[0].t0, 48000);
	profile_free(p);
	buf_done(&text);
}
END_TEST

static const struct hint_case {
	const char *path;
	int64_t pid, tid;
} hint_cases[] = {
	{ "CPU.20250510.134625.51430.0.001.cpuprofile", 51430, 0 },
	{ "/a.b/c.d/CPU.20250510.134625.51430.2.001.cpuprofile", 51430, 2 },
	{ "x.20250510.050090.1.3.001", 1, 3 },
	{ "CPU.20250510.134625.-7.-2.001.cpuprofile", -7, -2 },
	{ "CPU.1747000000000.-7.cpuprofile", -7, LANE_NO_ID },
	{ "CPU.20250510.134625.-.0.001.cpuprofile", LANE_NO_ID, LANE_NO_ID },
	{ "CPU.20250510.134625.7.0.-1.cpuprofile", LANE_NO_ID, LANE_NO_ID },
	{ "CPU.20250510.134625.51430.0.001.cpuprofile.gz", 51430, 0 },
	{ "CPU.2025051.134625.51430.0.001.cpuprofile", LANE_NO_ID, LANE_NO_ID },
	{ "CPU.20250510.134625.x.0.001.cpuprofile", LANE_NO_ID, LANE_NO_ID },
	{ "CPU.20250510.134625.51430.cpuprofile", LANE_NO_ID, LANE_NO_ID },
	{ "profile.cpuprofile", LANE_NO_ID, LANE_NO_ID },
	{ "-", LANE_NO_ID, LANE_NO_ID },
	{ "", LANE_NO_ID, LANE_NO_ID },
};

START_TEST(names_have_ids)
{
	struct file_hints is;

	file_hints_parse(hint_cases[_i].path, &is);
	ck_assert_int_eq(is.pid, hint_cases[_i].pid);
	ck_assert_int_eq(is.tid, hint_cases[_i].tid);
}
END_TEST

static const struct dated {
	const char *name;
	int64_t pid, tid, seq;
	bool has_date;
	int64_t date_s;
	bool is_utc;
	const char *text; /* of a date that does not exist */
} dated[] = {
	{ "CPU.20250510.134625.51430.2.003.cpuprofile", 51430, 2, 3, true, 1746884785, false,
	  NULL },
	{ "CPU.20240229.000000.1.0.001.cpuprofile", 1, 0, 1, true, 1709164800, false, NULL },
	{ "CPU.19700101.000000.1.0.001", 1, 0, 1, true, 0, false, NULL },
	{ "CPU.20250510.050090.1.0.001.cpuprofile", 1, 0, 1, false, 0, false,
	  "2025-05-10 05:00:90" },
	{ "CPU.20251310.000000.1.0.001.cpuprofile", 1, 0, 1, false, 0, false,
	  "2025-13-10 00:00:00" },
	{ "CPU.1746884785123.77.cpuprofile", 77, LANE_NO_ID, -1, true, 1746884785, true, NULL },
	{ "CPU.1746884785123.77.2.cpuprofile.gz", 77, LANE_NO_ID, -1, true, 1746884785, true,
	  NULL },
	{ "CPU.174688478512.77.cpuprofile", LANE_NO_ID, LANE_NO_ID, -1, false, 0, false, NULL },
	{ "CPU-20250510T134625.cpuprofile", LANE_NO_ID, LANE_NO_ID, -1, false, 0, false, NULL },
};

START_TEST(names_have_dates)
{
	struct file_hints is;

	file_hints_parse(dated[_i].name, &is);
	ck_assert_int_eq(is.pid, dated[_i].pid);
	ck_assert_int_eq(is.tid, dated[_i].tid);
	ck_assert_int_eq(is.seq, dated[_i].seq);
	ck_assert_int_eq(is.has_date, dated[_i].has_date);
	ck_assert_int_eq(is.date_s, dated[_i].date_s);
	ck_assert_int_eq(is.is_utc, dated[_i].is_utc);
	ck_assert_str_eq(is.date_text, dated[_i].text ? dated[_i].text : "");
}
END_TEST

static void add_tests(Suite *suite)
{
	TCase *t = suite_case(suite, "sniff", SUITE_SECONDS);

	tcase_add_loop_test(t, more_of_a_document_is_looked_at, 0, 4);
	tcase_add_test(t, long_stacks_are_recognised);
	tcase_add_loop_test(t, a_document_goes_to_its_reader, 0, N(cases));
	tcase_add_loop_test(t, names_have_ids, 0, N(hint_cases));
	tcase_add_loop_test(t, names_have_dates, 0, N(dated));
}

int main(void)
{
	return suite_run("sniff", add_tests);
}
