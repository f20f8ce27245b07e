/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Traces: the document, the members of events, slices with a duration, marks and other phases. One
 * test for each rule, named after it. */
#include "config.h"

#include "trace_story.h"

/* What is compared says the same with escapes and without. */
START_TEST(escapes_are_decoded_before_values_are_compared)
{
	/* Phases, keys, names, numbers. */
	ck_tells("[{'\\u0070h':'\\u0042','name':'a','pid':'\\u0031','tid':1,'ts':'\\u0035'},"
		 "{'ph':'E','name':'\\u0061','pid':1,'tid':'\\u0031','\\u0074\\u0073':9}]",
		 "slices 1/1 a:5-9\n");
	/* Ids, scopes and categories of one async operation. */
	ck_tells(
		"[{'ph':'b','cat':'n','name':'r','id':'\\u0030x1','scope':'\\u0073','pid':1,'tid':1,'ts':0},"
		"{'ph':'e','cat':'\\u006e','name':'r','id':'0x\\u0031','scope':'s','pid':1,'tid':1,'ts':4}]",
		"async 1/- [r] r:0-4\n");
	ck_tells(
		"[{'ph':'b','cat':'n','name':'r','id2':{'\\u006cocal':'0x1'},'pid':1,'tid':1,'ts':0},"
		"{'ph':'e','cat':'n','name':'r','id2':{'local':'0x\\u0031'},'pid':1,'tid':1,'ts':4}]",
		"async 1/- [r] r:0-4\n");
	/* A text that is no number is a thread of that name, and a mark of the process. */
	ck_tells(
		"[{'ph':'I','s':'\\u0070','name':'m','pid':1,'tid':'x','ts':0},{'ph':'X','name':'a','pid':'p\\u0031','tid':7,'ts':0,'dur':1},"
		"{'ph':'X','name':'b','pid':'p1','tid':'\\u0037','ts':1,'dur':1}]",
		"slices 1099511627781/7 a:0-1 b:1-2\nmarks 1/- [Marks] m:0\n");
	/* A profile: its event's name, its id, and a member of its data. */
	ck_tells(
		"[{'ph':'P','name':'\\u0050rofile','id':'0x1','pid':1,'tid':5,'ts':0,'args':{'d\\u0061ta':{}}},"
		"{'ph':'P','name':'Pro\\u0066ileChunk','id':'0x\\u0031','pid':1,'tid':8,'ts':1,'args':{'\\u0064ata':{"
		"'cpuProfile':{" NODES ",'samples':[2,2]},'timeDeltas':[1,9]}}}]",
		"samples 1/5 a:1-19\n");
}
END_TEST

/* ---- the document ---- */

START_TEST(object_with_members_in_any_order)
{
	ck_tells("{'metadata':{'source':'x'},'traceEvents':[" X("a", 1,
								2) "],'displayTimeUnit':'ns'}",
		 "slices 1/1 a:1-3\n");
	ck_tells("[" X("a", 1, 2) "]", "slices 1/1 a:1-3\n");
}
END_TEST

START_TEST(unclosed_array_keeps_whole_events)
{
	ck_tells("[" X("a", 1, 2) ",", "slices 1/1 a:1-3\n");
	ck_tells("[" X("a", 1, 2) ",{'ph':'X','name':'b", "slices 1/1 a:1-3\n");
	ck_tells("{'traceEvents':[" X("a", 1, 2), "slices 1/1 a:1-3\n");
	ck_warns("[" X("a", 1, 2) ",{'ph'", "cut-off", 1);
}
END_TEST

START_TEST(cut_is_reported_where_the_good_part_ends)
{
	struct profile *p = load("[" X("a", 1, 2) ",{'ph'");

	ck_assert_int_eq(p->inputs[0].warnings[0].offset, 1 + (int)strlen(X("a", 1, 2)));
	profile_free(p);
}
END_TEST

START_TEST(trailing_comma_and_text_are_ignored)
{
	ck_tells("[" X("a", 1, 2) ",]", "slices 1/1 a:1-3\n");
	ck_warns("[" X("a", 1, 2) "] server stopped", "trailing", 1);
}
END_TEST

START_TEST(concatenated_traces_are_one)
{
	ck_tells("[" X("a", 1, 2) "]\n{'traceEvents':[" X("b", 5, 2) "]}",
		 "slices 1/1 a:1-3 b:5-7\n");
}
END_TEST

START_TEST(events_one_to_a_line)
{
	ck_tells(X("a", 1, 2) "\n" X("b", 5, 2) "\n", "slices 1/1 a:1-3 b:5-7\n");
}
END_TEST

START_TEST(wrapper_is_unwrapped)
{
	ck_tells("{'payload':{'trace':{'traceEvents':[" X("a", 1, 2) "]}}}", "slices 1/1 a:1-3\n");
}
END_TEST

START_TEST(syntax_error_in_an_event_is_an_error)
{
	struct error err = ERROR_INIT;
	char *text = quoted("[" X("a", 1, 2) ",{'ph':'X','ts':NaN}]");

	ck_assert_ptr_null(load_bytes(text, strlen(text), &err));
	ck_assert_int_eq(err.kind, ERR_SYNTAX);
	ck_assert_int_eq(err.offset, (int64_t)(strstr(text, "NaN") - text));
	free(text);
}
END_TEST

START_TEST(what_is_no_event_is_counted)
{
	ck_warns("[null,7," X("a", 1, 2) ",{'name':'no phase'},{}]", "odd-event", 4);
}
END_TEST

START_TEST(other_members_are_named_with_their_size)
{
	ck_notes("{'traceEvents':[],'systemTraceEvents':'0123456789'}", true,
		 "systemTraceEvents (12 B)");
}
END_TEST

START_TEST(no_events_is_no_error)
{
	ck_warns("{'traceEvents':[]}", "no-events", 1);
	ck_warns("[]", "no-events", 1);
}
END_TEST

/* ---- members ---- */

#define CALL(t, data)                                                                              \
	"{'ph':'X','name':'FunctionCall','pid':1,'tid':1,'ts':" #t                                 \
	",'dur':1,'args':{'data':{" data "}}}"

/* Keys are known by those that came before: also where they differ, and where one begins as
 * another, has blanks, an escape, comes twice, or ends the file. */
START_TEST(args_have_members_in_any_order)
{
	ck_tells(
		"[" CALL(1, "'functionName':'f','url':'u','lineNumber':3") "," CALL(2, "'functionName':'g','url':'u','lineNumber':0") "," CALL(3, "'url':'u','functionName':'h'") "," CALL(4, "'functionName':'i','urls':'v','url':'u'") "," CALL(
			5,
			"'functionName' : 'j' , 'url':'u'") "," CALL(6,
								     "'f\\u0075nctionName':'k','url':'u'") "," CALL(7,
														    "'functionName':'x','url':'u','functionName':'l'") "," CALL(8,
																						"'functionNames':'x','functionName':'m'") "]",
		"slices 1/1 f:1-2 g:2-3 h:3-4 i:4-5 j:5-6 k:6-7 l:7-8 m:8-9\n");
}
END_TEST

START_TEST(numbers_as_strings)
{
	ck_tells("[{'ph':'X','name':'a','pid':'1','tid':'1','ts':'10','dur':'2.5'}]",
		 "slices 1/1 a:10-12.500\n");
	ck_warns("[{'ph':'X','name':'a','pid':'1','tid':'1','ts':'10','dur':2}]", "number-text", 1);
}
END_TEST

START_TEST(fractions_are_exact)
{
	ck_tells("[" EV("X", "a", 1795255182465123.457, ",'dur':0.001") "]",
		 "slices 1/1 a:1795255182465123.457-1795255182465123.458\n");
}
END_TEST

START_TEST(escaped_names_are_equal_names)
{
	ck_tells("[" B("caf\\u00e9", 1) "," E("café", 5) "]", "slices 1/1 café:1-5\n");
}
END_TEST

START_TEST(event_without_a_name)
{
	ck_tells("[{'ph':'X','pid':1,'tid':1,'ts':1,'dur':2}]", "slices 1/1 (unnamed):1-3\n");
}
END_TEST

START_TEST(last_of_equal_keys_wins)
{
	ck_tells("[{'ph':'X','name':'a','name':'b','pid':1,'tid':1,'ts':1,'dur':2}]",
		 "slices 1/1 b:1-3\n");
}
END_TEST

START_TEST(ids_that_are_text_are_names)
{
	struct profile *p = load(
		"[{'ph':'X','name':'a','pid':'gpu','tid':'main','ts':1,'dur':2},{'ph':'X','name':'b','pid':'gpu','tid':'main','ts':5,'dur':2}]");

	ck_assert_uint_eq(p->n_lanes, 1);
	ck_assert_str_eq(profile_text(p, p->lanes[0].process_name), "gpu");
	ck_assert_str_eq(profile_text(p, p->lanes[0].thread_name), "main");
	profile_free(p);
}
END_TEST

START_TEST(missing_ids_are_0)
{
	ck_tells("[{'ph':'X','name':'a','ts':1,'dur':2}]", "slices 0/0 a:1-3\n");
	ck_warns("[{'ph':'X','name':'a','ts':1,'dur':2}]", "no-ids", 1);
}
END_TEST

START_TEST(missing_time_is_not_drawn)
{
	ck_warns("[{'ph':'X','name':'a','pid':1,'tid':1,'dur':2}," X("b", 1, 1) "]", "time-missing",
		 1);
	ck_warns("[" EV("X", "a", 1e300, ",'dur':1") "," X("b", 1, 1) "]", "time-range", 1);
}
END_TEST

START_TEST(missing_or_negative_dur_is_0)
{
	ck_tells("[" EV("X", "a", 1, "") "," X("b", 5, -3) "," X("c", 9, 1) "]",
		 "slices 1/1 a:1 b:5 c:9-10\n");
	ck_warns("[" EV("X", "a", 1, "") "]", "dur-missing", 1);
	ck_warns("[" X("b", 5, -3) "]", "dur-negative", 1);
}
END_TEST

/* ---- nesting ---- */

START_TEST(overlap_goes_to_the_next_row)
{
	const char *text = "[" X("first", 0, 10) "," X("second", 5, 10) "," X("inside second", 11,
									      2) "]";

	ck_tells(text, "slices 1/1 first:0-10\nslices 1/1 second:5-15O | inside second:11-13\n");
	ck_warns(text, "overlap", 1);
}
END_TEST

START_TEST(of_equal_slices_the_first_written_is_outer)
{
	ck_tells("[" X("a", 1, 4) "," X("b", 1, 4) "]", "slices 1/1 a:1-5 | b:1-5\n");
	ck_tells("[" B("a", 1) "," X("b", 1, 4) "," E("a", 5) "]", "slices 1/1 a:1-5 | b:1-5\n");
	ck_tells("[" X("b", 1, 4) "," B("a", 1) "," E("a", 5) "]", "slices 1/1 b:1-5 | a:1-5\n");
}
END_TEST

START_TEST(events_need_not_be_sorted)
{
	ck_tells("[" E("b", 6) "," E("a", 9) "," B("b", 2) "," B("a", 1) "]",
		 "slices 1/1 a:1-9 | b:2-6\n");
}
END_TEST

/* ---- marks ---- */

START_TEST(instants_stand_where_their_scope_says)
{
	ck_tells("[" EV("i", "t", 1, ",'s':'t'") "," EV("I", "none", 2, "") "," EV(
			 "I", "p", 3,
			 ",'s':'p'") "," EV("R", "g", 4,
					    ",'s':'g'") "," EV("R", "r", 5,
							       "") "," EV("R", "rt", 6,
									  ",'s':'t'") "]",
		 "marks -/- [Marks] g:4\nmarks 1/- [Marks] p:3 r:5\nmarks 1/1 t:1 none:2 rt:6\n");
}
END_TEST

START_TEST(rare_phases_are_marks_of_their_thread)
{
	ck_tells("[" EV("v", "dump", 1, ",'args':{'dumps':{'a':1}}") "," EV(
			 "V", "all", 2, "") "," EV("c", "clock", 3,
						   "") "," EV("(", "in", 4,
							      "") "," EV(")", "out", 5,
									 "") "," EV("=", "same", 6,
										    "") "]",
		 "marks 1/1 dump:1 all:2 clock:3 in:4 out:5 same:6\n");
}
END_TEST

START_TEST(undrawn_phases_are_named)
{
	ck_notes("[" EV("v", "dump", 1, "") ",{'ph':'v','name':'dump','pid':1,'tid':1}," X("a", 1,
											   1) "]",
		 true, "1 events of phase v not drawn");
	ck_notes("[" EV("Q", "a", 1, "") "," X("a", 1, 1) "]", true,
		 "1 events of phase Q not drawn");
	ck_warns("[" EV("Q", "a", 1, "") "," EV("Q", "a", 1, "") "," X("a", 1, 1) "]",
		 "unknown-phase", 2);
}
END_TEST

/* ---- nested arguments ---- */

/* Deeper than the cursor remembers kinds of brackets. */
START_TEST(arguments_may_nest_deeply)
{
	struct buf text = { 0 };
	struct profile *p;

	buf_adds(&text, "[{'ph':'X','name':'a','pid':1,'tid':1,'ts':1,'dur':5,'args':");
	for (int i = 0; i < 200; i++)
		buf_adds(&text, i % 2 ? "[" : "{'b':");
	buf_addc(&text, '1');
	for (int i = 200; i-- > 0;)
		buf_addc(&text, i % 2 ? ']' : '}');
	buf_adds(&text, "}]");
	p = load(buf_text(&text));
	ck_assert_uint_eq(p->n_lanes, 1);
	profile_free(p);
	buf_done(&text);
}
END_TEST

/* ---- values of all kinds ---- */

START_TEST(times_beyond_the_range_are_not_drawn)
{
	ck_warns("[" X("a", -3000000000000000, 1) "," X("b", 3000000000000000, 1) "," X("c", 1,
											1) "]",
		 "time-range", 2);
	ck_tells("[" X("a", -3000000000000000, 1) "," X("b", 3000000000000000, 1) "," X("c", 1,
											1) "]",
		 "slices 1/1 c:1-2\n");
	ck_tells("[" X("a", -2000000000000, 1) "]", "slices 1/1 a:-2000000000000--1999999999999\n");
}
END_TEST

START_TEST(last_time_counts_even_if_it_is_none)
{
	ck_warns("[{'ph':'X','name':'a','pid':1,'tid':1,'ts':1,'ts':'x','dur':2}," X("b", 1, 1) "]",
		 "time-missing", 1);
	ck_tells("[{'ph':'X','name':'a','pid':1,'tid':1,'ts':'x','ts':1,'dur':2}]",
		 "slices 1/1 a:1-3\n");
	ck_tells("[{'ph':'X','name':'a','pid':1,'tid':1,'ts':1,'dur':2,'dur':null}]",
		 "slices 1/1 a:1\n");
}
END_TEST

START_TEST(names_may_be_numbers)
{
	ck_tells(
		"[{'ph':'X','name':0.5,'pid':1,'tid':1,'ts':-1,'dur':1},{'ph':'X','name':0,'pid':1,'tid':1,'ts':0,'dur':1},{'ph':'X','name':9,'pid':1,'tid':1,'ts':1,'dur':1},{'ph':'X','name':-1.5,'pid':1,'tid':1,'ts':3,'dur':1},"
		"{'ph':'X','name':true,'pid':1,'tid':1,'ts':5,'dur':1},{'ph':'X','name':{'a':1},'pid':1,'tid':1,'ts':7,'dur':1},"
		"{'ph':'X','name':'x','name':[],'pid':1,'tid':1,'ts':9,'dur':1}]",
		"slices 1/1 0.5:-1-0 0:0-1 9:1-2 -1.5:3-4 (unnamed):5-6 (unnamed):7-8 (unnamed):9-10\n");
}
END_TEST

START_TEST(phase_is_one_letter)
{
	ck_warns(
		"[{'ph':'XX','name':'a','pid':1,'tid':1,'ts':1},{'ph':7,'ts':1},{'ph':'','ts':1}," X(
			"b", 1, 1) "]",
		"unknown-phase", 3);
	ck_notes("[{'ph':'\\u0001','ts':1}," EV("\303", "a", 1, "") "," X("b", 1, 1) "]", true,
		 "events of phase 0xC3 not drawn");
}
END_TEST

/* A phase that is an escape is none of the letters, and does not end the text. */
START_TEST(escaped_quote_is_no_phase)
{
	const char *text = "[" EV("\\'", "a", 1, "") "," X("b", 1, 1) "]";

	ck_warns(text, "unknown-phase", 1);
	ck_tells(text, "slices 1/1 b:1-2\n");
}
END_TEST

START_TEST(thread_ids_that_are_no_whole_numbers_are_names)
{
	struct profile *p = load(
		"[{'ph':'X','name':'a','pid':1.5,'tid':1e30,'ts':1,'dur':2},{'ph':'X','name':'b','pid':1.5,'tid':1e30,'ts':5,'dur':2},"
		"{'ph':'X','name':'c','pid':1.5,'tid':'w','ts':5,'dur':2}]");

	ck_assert_uint_eq(p->n_lanes, 2);
	ck_assert_str_eq(profile_text(p, p->lanes[0].process_name), "1.5");
	profile_free(p);
	ck_warns(
		"[{'ph':'X','name':'a','pid':null,'tid':1,'ts':1,'dur':2},{'ph':'X','name':'a','pid':1,'tid':'','ts':1,'dur':2}]",
		"no-ids", 2);
	/* A number that comes after a text counts, and the other way round. */
	ck_tells("[{'ph':'X','name':'a','pid':'x','pid':1,'tid':2,'ts':1,'dur':2}]",
		 "slices 1/2 a:1-3\n");
}
END_TEST

START_TEST(keys_that_begin_like_others_are_skipped)
{
	ck_tells(
		"[{'nameless':'x','name':'a','argsy':1,'tdurx':3,'category':'q','duration':9,'phase':'B','pids':7,'tids':8,'ts2':9,"
		"'tts':5,'tdur':6,'tsx':1,'ph':'X','pid':1,'tid':1,'ts':1,'dur':2}]",
		"slices 1/1 a:1-3\n");
	ck_tells(
		"[{ 'nameless' : 'x', 'name' : 'a', 'ph' : 'X', 'pid' : 1, 'tid' : 1, 'ts' : 1, 'dur' : 2 }]",
		"slices 1/1 a:1-3\n");
}
END_TEST

START_TEST(reserved_colour_of_a_name_is_kept)
{
	struct profile *p = load(
		"[" EV("X", "a", 1, ",'dur':2,'cname':'terri\\u0062le'") "," X("b", 5, 1) "]");
	const struct lane *l = &p->lanes[0];

	for (node_id i = 1; i < l->tree.n; i++) {
		const struct frame *f = profile_node_frame(p, l, i);
		bool is_a = strcmp(profile_text(p, f->name), "a") == 0;

		ck_assert_msg((f->color != 0) == is_a, "%s", profile_text(p, f->name));
		if (is_a)
			ck_assert_str_eq(frame_color_name(f->color), "terrible");
	}
	profile_free(p);
}
END_TEST

START_TEST(other_members_of_a_document_are_skipped_whatever_they_hold)
{
	ck_tells(
		"{'traceEvents':{'a':1},'samples':7,'stackFrames':[1],'metadata':'x','payload':3,'trace':{'traceEvents':[" X(
			"a", 1, 2) "]}}",
		"slices 1/1 a:1-3\n");
	ck_notes("{'samples':7,'traceEvents':[]}", true, "member samples (");
}
END_TEST

/* Once events were found, an object with the name of a wrapper is no document. */
START_TEST(wrapper_behind_the_events_is_not_followed)
{
	ck_tells("{'traceEvents':[" X("a", 1, 2) "],'trace':{'traceEvents':[" X("b", 5, 2) "]}}",
		 "slices 1/1 a:1-3\n");
}
END_TEST

START_TEST(damaged_second_trace_is_a_warning)
{
	ck_warns("[" X("a", 1, 2) "]\n[" X("b", 5, 2) ",{x", "trailing", 1);
	ck_tells("[" X("a", 1, 2) "]\n[" X("b", 5, 2) ",{x", "slices 1/1 a:1-3 b:5-7\n");
}
END_TEST

START_TEST(comma_between_members_is_needed)
{
	static const char *const bad[] = {
		"[" X("b", 1, 1) ",{'ph':'X' 'ts':1,'dur':2,'name':'a','pid':1,'tid':1}]",
		"[" X("b", 1, 1) ",{'ph':'X','ts':1 'dur':2,'name':'a','pid':1,'tid':1}]",
		"[" X("b", 1, 1) ",{'ph':'X','ts':1,,'dur':2,'name':'a','pid':1,'tid':1}]",
		"[" X("b", 1, 1) ",{,'ph':'X','ts':1,'dur':2,'name':'a','pid':1,'tid':1}]",
	};

	for (size_t i = 0; i < ARRAY_LEN(bad); i++) {
		struct error err = ERROR_INIT;
		char *text = quoted(bad[i]);

		ck_assert_msg(!load_bytes(text, strlen(text), &err), "%s", bad[i]);
		ck_assert_int_eq(err.kind, ERR_SYNTAX);
		free(text);
	}
}
END_TEST

/* Names are cut to 32 bytes, notes to 100, and what shows nothing has none. */
START_TEST(notes_of_members_have_bounds)
{
	struct buf text = { 0 };
	struct profile *p;

	ck_notes("{'a23456789b23456789c23456789d2345':7,'traceEvents':[]}", true,
		 "member a23456789b23456789c23456789d2345 (1 B) not shown");
	ck_notes("{'a23456789b23456789c23456789d23456':7,'traceEvents':[]}", true,
		 "member a23456789b23456789c23456789d2345 (1 B) not shown");
	p = load("{'displayTimeUnit':'ms','traceEvents':[]}");
	ck_assert_uint_eq(p->inputs[0].n_notes, 0);
	profile_free(p);
	for (int n = 99; n <= 101; n++) {
		buf_clear(&text);
		buf_adds(&text, "{'traceEvents':[],'displayTimeUnit':'ms'");
		for (int i = 0; i < n; i++)
			buf_addf(&text, ",'m%d':7", i);
		buf_addc(&text, '}');
		p = load(buf_text(&text));
		ck_assert_uint_eq(p->inputs[0].n_notes, n < 100 ? (size_t)n : 100);
		profile_free(p);
	}
	buf_done(&text);
}
END_TEST

static void add_rules(TCase *tc)
{
	tcase_add_test(tc, escapes_are_decoded_before_values_are_compared);
	tcase_add_test(tc, object_with_members_in_any_order);
	tcase_add_test(tc, args_have_members_in_any_order);
	tcase_add_test(tc, unclosed_array_keeps_whole_events);
	tcase_add_test(tc, cut_is_reported_where_the_good_part_ends);
	tcase_add_test(tc, trailing_comma_and_text_are_ignored);
	tcase_add_test(tc, concatenated_traces_are_one);
	tcase_add_test(tc, events_one_to_a_line);
	tcase_add_test(tc, wrapper_is_unwrapped);
	tcase_add_test(tc, syntax_error_in_an_event_is_an_error);
	tcase_add_test(tc, what_is_no_event_is_counted);
	tcase_add_test(tc, other_members_are_named_with_their_size);
	tcase_add_test(tc, no_events_is_no_error);
	tcase_add_test(tc, numbers_as_strings);
	tcase_add_test(tc, fractions_are_exact);
	tcase_add_test(tc, escaped_names_are_equal_names);
	tcase_add_test(tc, event_without_a_name);
	tcase_add_test(tc, last_of_equal_keys_wins);
	tcase_add_test(tc, ids_that_are_text_are_names);
	tcase_add_test(tc, missing_ids_are_0);
	tcase_add_test(tc, missing_time_is_not_drawn);
	tcase_add_test(tc, missing_or_negative_dur_is_0);
	tcase_add_test(tc, overlap_goes_to_the_next_row);
	tcase_add_test(tc, of_equal_slices_the_first_written_is_outer);
	tcase_add_test(tc, events_need_not_be_sorted);
	tcase_add_test(tc, instants_stand_where_their_scope_says);
	tcase_add_test(tc, rare_phases_are_marks_of_their_thread);
	tcase_add_test(tc, undrawn_phases_are_named);
	tcase_add_test(tc, arguments_may_nest_deeply);
	tcase_add_test(tc, times_beyond_the_range_are_not_drawn);
	tcase_add_test(tc, last_time_counts_even_if_it_is_none);
	tcase_add_test(tc, names_may_be_numbers);
	tcase_add_test(tc, phase_is_one_letter);
	tcase_add_test(tc, escaped_quote_is_no_phase);
	tcase_add_test(tc, thread_ids_that_are_no_whole_numbers_are_names);
	tcase_add_test(tc, keys_that_begin_like_others_are_skipped);
	tcase_add_test(tc, reserved_colour_of_a_name_is_kept);
	tcase_add_test(tc, other_members_of_a_document_are_skipped_whatever_they_hold);
	tcase_add_test(tc, wrapper_behind_the_events_is_not_followed);
	tcase_add_test(tc, damaged_second_trace_is_a_warning);
	tcase_add_test(tc, comma_between_members_is_needed);
	tcase_add_test(tc, notes_of_members_have_bounds);
}

static void add_tests(Suite *suite)
{
	trace_suite(suite, add_rules);
}

int main(void)
{
	return suite_run("trace", add_tests);
}
