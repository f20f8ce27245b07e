/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Names and order of the processes and threads of a trace. */
#include "config.h"

#include "trace_story.h"

START_TEST(names_may_come_last)
{
	struct profile *p = load(
		"[" ON(5, 6) "," META("thread_name", "'name':'one'", 5, 6) "," META(
			"thread_name", "'name':'two'", 5, 6) "," META("process_name", "'name':'P'",
								      5, 0) "]");

	ck_assert_str_eq(profile_text(p, p->lanes[0].thread_name), "two");
	ck_assert_str_eq(profile_text(p, p->lanes[0].process_name), "P");
	profile_free(p);
}
END_TEST

START_TEST(main_thread_comes_first_pools_last)
{
	ck_tells("[" ON(1, 2) "," ON(1, 3) "," ON(1, 4) "," ON(1, 9) "," META(
			 "thread_name", "'name':'ThreadPoolWorker'", 1,
			 2) "," META("thread_name", "'name':'CrRendererMain'", 1,
				     9) "," META("thread_name", "'name':'DedicatedWorker thread'",
						 1, 4) "," META("thread_name",
								"'name':'Compositor'", 1, 3) "]",
		 "slices 1/9 x:1-2\nslices 1/4 x:1-2\nslices 1/3 x:1-2\nslices 1/2 x:1-2\n");
}
END_TEST

START_TEST(sort_index_comes_before_names)
{
	ck_tells("[" ON(1, 2) "," ON(1, 3) "," META("thread_sort_index", "'sort_index':-5", 1,
						    3) "]",
		 "slices 1/3 x:1-2\nslices 1/2 x:1-2\n");
	ck_tells("[" ON(1, 2) "," ON(2, 2) "," META("process_sort_index", "'sort_index':-5", 2,
						    0) "]",
		 "slices 2/2 x:1-2\nslices 1/2 x:1-2\n");
}
END_TEST

START_TEST(metadata_does_not_count_for_the_range)
{
	struct profile *p = load(
		"[" META("thread_name", "'name':'a'", 1, 1) "," X("a", 1000, 5) "]");

	ck_assert_int_eq(p->t1, 5000);
	profile_free(p);
}
END_TEST

START_TEST(command_line_is_cut_to_what_it_tells)
{
	struct profile *p = load("[" ON(5, 5) "," META(
		"process_name", "'name':'/usr/lib/chromium --type=renderer --lang=en'", 5, 0) "]");

	ck_assert_str_eq(profile_text(p, p->lanes[0].process_name), "chromium --type=renderer");
	profile_free(p);
}
END_TEST

START_TEST(console_timers_share_a_track)
{
	ck_tells(
		"[" EV("b", "one", 1, ",'cat':'blink.console','id':1") "," EV("e", "one", 3, ",'cat':'blink.console','id':1") "," EV(
			"b", "two", 5,
			",'cat':'blink.console','id':2") "," EV("e", "two", 8,
								",'cat':'blink.console','id':2") "]",
		"async 1/- [Console] one:1-3 two:5-8\n");
}
END_TEST

START_TEST(page_of_a_renderer_comes_with_its_load)
{
	struct profile *p = load("[" EV("X", "CommitLoad", 1, ",'dur':1,'args':{'data':{'isMainFrame':true,'url':'http://a.example/x'}}") "," EV(
		"X", "CommitLoad", 3,
		",'dur':1,'args':{'data':{'isMainFrame':false,'url':'http://ads.example/x'}}") "," META("process_name",
													"'name':'Renderer'",
													1,
													0) "]");

	ck_assert_str_eq(profile_text(p, p->lanes[0].process_name), "Renderer http://a.example");
	profile_free(p);
}
END_TEST

START_TEST(renderer_is_told_by_its_page)
{
	struct profile *p = load(
		"[" EV("I", "TracingStartedInBrowser", 1, ",'args':{'data':{'frames':[{'frame':'F','url':'https://shop.example/cart','processId':7}]}}") "," META(
			"process_name", "'name':'Renderer'", 7, 0) "," ON(7, 7) "]");

	ck_assert_str_eq(profile_text(p, p->lanes[0].process_name),
			 "Renderer https://shop.example");
	profile_free(p);
}
END_TEST

START_TEST(pages_come_from_main_frames_only)
{
	struct profile *p = load("[" EV("I", "TracingStartedInBrowser", 1, ",'args':{'data':{'frames':[7,{'url':'https://a.example/','processId':7},{'url':'https://ads.example/','processId':7,'parent':'F'},{'url':'https://b.example/'}]}}") "," META(
		"process_name", "'name':'Renderer'", 7,
		0) "," META("process_name", "'name':'Renderer'", 8,
			    0) "," META("process_name", "'name':'Browser'", 9,
					0) "," EV("I", "FrameCommittedInBrowser", 2,
						  ",'args':{'data':{'url':'http://c.example:80?q','processId':8}}") "," EV("I",
															   "FrameCommittedInBrowser",
															   3,
															   ",'args':{'data':{'url':'http://d.example','processId':9}}") "," ON(7,
																							       7) "," ON(8,
																									 8) "," ON(9,
																										   9) "]");
	static const struct {
		int64_t pid;
		const char *name;
	} expect[] = {
		{ 7, "Renderer https://a.example" },
		{ 8, "Renderer http://c.example:80" },
		{ 9, "Browser" },
	};

	for (size_t k = 0; k < ARRAY_LEN(expect); k++)
		for (uint32_t i = 0; i < p->n_lanes; i++)
			if (p->lanes[i].pid == expect[k].pid)
				ck_assert_str_eq(profile_text(p, p->lanes[i].process_name),
						 expect[k].name);
	profile_free(p);
}
END_TEST

START_TEST(page_of_a_load_is_that_of_the_outermost_main_frame)
{
	struct profile *p = load(
		"[" EV("X", "CommitLoad", 1, ",'dur':1,'args':{'data':{'isOutermostMainFrame':true,'isMainFrame':false,'url':'http://a.example/x'}}") "," EV("X", "CommitLoad", 3, ",'dur':1,'args':{'data':{'isOutermostMainFrame':false,'isMainFrame':true,'url':'http://b.example/x'}}") "," EV(
			"X", "CommitLoad", 5,
			",'dur':1,'args':{'data':{'url':'http://c.example/x'}}") "," EV("X",
											"CommitLoad",
											7,
											",'dur':1") "," META("process_name",
													     "'name':'Renderer'",
													     1,
													     0) "]");

	ck_assert_str_eq(profile_text(p, p->lanes[0].process_name), "Renderer http://a.example");
	profile_free(p);
}
END_TEST

START_TEST(labels_and_versions_are_noted)
{
	const char *text = "[" ON(5, 5) "," META("process_labels", "'labels':'Shop'", 5,
						 0) "," META("version", "'node':'22.1'", 5, 0) "]";

	ck_notes(text, false, "process 5: Shop");
	ck_notes(text, false, "process 5: Node.js 22.1");
}
END_TEST

START_TEST(sort_index_may_be_text)
{
	ck_tells("[" ON(1, 2) "," ON(1, 3) "," META("thread_sort_index", "'sort_index':'-5'", 1,
						    3) "]",
		 "slices 1/3 x:1-2\nslices 1/2 x:1-2\n");
	ck_tells("[" ON(1, 2) "," ON(1, 3) "," META("thread_sort_index", "'sort_index':'x'", 1,
						    3) "," META("thread_sort_index", "'other':-7",
								1, 3) "]",
		 "slices 1/2 x:1-2\nslices 1/3 x:1-2\n");
}
END_TEST

START_TEST(empty_names_do_not_count)
{
	struct profile *p = load(
		"[" ON(5, 6) "," META("thread_name", "'name':'one'", 5, 6) "," META(
			"thread_name", "'name':''", 5,
			6) "," META("thread_name", "'name':7", 5,
				    6) "," META("thread_name", "'other':1", 5,
						6) "," META("process_name", "'name':''", 5, 6) "]");

	ck_assert_str_eq(profile_text(p, p->lanes[0].thread_name), "one");
	ck_assert_str_eq(profile_text(p, p->lanes[0].process_name), "");
	profile_free(p);
}
END_TEST

/* Main threads by name or because their id is the process's, then workers, others, pools. */
START_TEST(rank_of_threads_goes_by_name)
{
	ck_tells(
		"[" ON(1, 2) "," ON(1, 3) "," ON(1, 4) "," ON(1, 9) "," ON(1, 1) "," META(
			"thread_name", "'name':'CompositorTileWorker1'", 1,
			2) "," META("thread_name", "'name':'[worker 3] x'", 1,
				    4) "," META("thread_name", "'name':'CrRendererMainX'", 1,
						3) "," META("thread_name",
							    "'name':'DedicatedWorker'", 1, 9) "]",
		"slices 1/1 x:1-2\nslices 1/9 x:1-2\nslices 1/4 x:1-2\nslices 1/3 x:1-2\nslices 1/2 x:1-2\n");
}
END_TEST

/* Only the type of the process follows the program's name. */
START_TEST(command_line_without_a_folder)
{
	struct profile *p = load(
		"[" ON(5, 5) "," META("process_name", "'name':'chrome.exe --type=gpu'", 5, 0) "]");

	ck_assert_str_eq(profile_text(p, p->lanes[0].process_name), "chrome.exe --type=gpu");
	profile_free(p);
	p = load("[" ON(5, 5) "," META("process_name",
				       "'name':'C:\\\\\\\\x\\\\\\\\chrome.exe --a --type=gpu --b'",
				       5, 0) "]");
	ck_assert_str_eq(profile_text(p, p->lanes[0].process_name), "chrome.exe --type=gpu");
	profile_free(p);
}
END_TEST

START_TEST(many_threads_and_processes_are_told_apart)
{
	struct buf text = { 0 };
	struct profile *p;

	for (int i = 0; i < 3000; i++)
		buf_addf(&text, "%c{'ph':'X','name':'x','pid':%d,'tid':%d,'ts':%d,'dur':1}",
			 i ? ',' : '[', i % 30, i % 1000, i * 2);
	buf_addc(&text, ']');
	p = load(buf_text(&text));
	ck_assert_uint_eq(p->n_lanes, 3000);
	for (uint32_t i = 0; i < p->n_lanes; i++)
		ck_assert_uint_eq(p->lanes[i].slices.n, 1);
	profile_free(p);
	buf_done(&text);
}
END_TEST

/* A main thread comes before a worker, whatever their names and ids. */
START_TEST(main_thread_by_name_comes_before_workers)
{
	ck_tells("[" ON(1, 2) "," ON(1, 9) "," META(
			 "thread_name", "'name':'DedicatedWorker'", 1,
			 2) "," META("thread_name", "'name':'JavaScriptMainThread'", 1, 9) "]",
		 "slices 1/9 x:1-2\nslices 1/2 x:1-2\n");
	ck_tells("[" ON(9, 2) "," ON(9, 9) "," META("thread_name", "'name':'A'", 9, 2) "," META(
			 "thread_name", "'name':'[worker 1]'", 9, 9) "]",
		 "slices 9/9 x:1-2\nslices 9/2 x:1-2\n");
}
END_TEST

START_TEST(names_that_cannot_be_read_are_counted)
{
	static const char *const odd[] = {
		META("thread_name", "'name':", 1, 1),
		META("thread_name", "'nam':'a'", 1, 1),
		META("process_name", "'name':7", 1, 1),
		META("process_labels", "'labels' 'a'", 1, 1),
		META("process_sort_index", "'sort_index':'x'", 1, 1),
		META("thread_sort_index", "", 1, 1),
		META("version", "'node' 'v20'", 1, 1),
		EV("I", "TracingStartedInBrowser", 1, ",'args':{'data':{'frames' []}}"),
		EV("I", "FrameCommittedInBrowser", 1, ",'args':['data']"),
		EV("X", "CommitLoad", 1, ",'dur':1,'args':{'data' {}}"),
		EV("O", "a", 1, ",'id':1,'args':{'snapshot':{'base_type' 'b'}}"),
		EV("T", "a", 1, ",'id':1,'args':{'step' 'b'}"),
		EV("P", "Profile", 1, ",'id':1,'args':{'data':{'startTime' 1}}"),
		EV("I", "TimeStamp", 1, ",'args':{'data' {}}"),
	};
	char text[500];

	for (size_t i = 0; i < ARRAY_LEN(odd); i++) {
		snprintf(text, sizeof text, "[%s,%s]", odd[i], ON(1, 1));
		ck_warns(text, "odd-args", 1);
	}
	ck_warns("[" META("version", "'other':1", 1,
			  1) "," META("thread_name", "'name':''", 1,
				      1) "," EV("O", "a", 1, ",'id':1") "," ON(1, 1) "]",
		 "odd-args", 0);
}
END_TEST

/* Whatever looks at its args, and how often. */
START_TEST(damaged_event_is_counted_once)
{
	static const char *const names[] = {
		"FunctionCall",
		"EvaluateScript",
		"EventDispatch",
		"TimerFire",
		"TimerInstall",
		"XHRReadyStateChange",
		"ParseHTML",
		"Layout",
		"UpdateLayoutTree",
		"CommitLoad",
		"navigationStart",
		"TracingStartedInBrowser",
		"FrameCommittedInBrowser",
		"UpdateCounters",
		"TimeStamp",
		"ResourceSendRequest",
		"ResourceReceiveResponse",
		"ResourceChangePriority",
		"EventTiming",
		"LayoutShift",
		"DrawFrame",
		"Profile",
		"http.server.request",
		"thread_name",
		"largestContentfulPaint::Candidate",
		"v8::Debugger::AsyncTaskScheduled",
	};
	static const char *const args[] = {
		"{'data':{'url':'u' 5} 5}",
		"{'data' {}}",
		"{'data':{'frame' 1},'beginData':{'frame' 1}}",
		"{'data':{'frames':[{'url' 1}] 1,'requestId':'1' 2},'name' 3}",
		"{'beginData':{'a':}}",
	};
	char text[600];
	uint64_t most = 0;

	for (size_t i = 0; i < ARRAY_LEN(names) * ARRAY_LEN(args); i++)
		for (const char *ph = "XBIRPOSTbneM"; *ph; ph++) {
			struct profile *p;

			snprintf(
				text, sizeof text,
				"[{'ph':'%c','name':'%s','cat':'blink.user_timing','pid':1,'tid':1,"
				"'ts':1,'dur':1,'id':1,'args':%s},%s]",
				*ph, names[i / ARRAY_LEN(args)], args[i % ARRAY_LEN(args)],
				ON(1, 1));
			p = load(text);
			most = most > count_of(p, "odd-args") ? most : count_of(p, "odd-args");
			ck_assert_msg(most <= 1, "%s", text);
			profile_free(p);
		}
	ck_assert_uint_eq(most, 1);
}
END_TEST

/* The value is used, but something behind it is lost. */
START_TEST(damage_behind_the_value_is_counted)
{
	static const char *const odd[] = {
		META("thread_name", "'name':'a' 'b':1", 1, 1),
		META("thread_name", "'name':'a',,", 1, 1),
		META("process_name", "'name':'a','b' 1", 1, 1),
		META("process_labels", "'labels':'a',7", 1, 1),
		META("process_sort_index", "'sort_index':3,'x'", 1, 1),
		META("thread_sort_index", "'sort_index':3 4", 1, 1),
		META("version", "'node':'v20' 5", 1, 1),
		EV("I", "TracingStartedInBrowser", 1, ",'args':{'data':{'frames':[] 5}}"),
		EV("I", "TracingStartedInBrowser", 1, ",'args':{'data':{'frames':[]} 5}"),
		EV("I", "FrameCommittedInBrowser", 1, ",'args':{'data':{'url':'u'},'x'}"),
		EV("X", "CommitLoad", 1,
		   ",'dur':1,'args':{'data':{'isMainFrame':true,'url':'u' 5}}"),
		EV("I", "navigationStart", 1,
		   ",'args':{'data':{'isLoadingMainFrame':true,'documentLoaderURL':'u' 5}}"),
		EV("O", "a", 1, ",'id':1,'args':{'snapshot':{'base_type':'b' 5}}"),
		EV("O", "a", 1, ",'id':1,'args':{'snapshot':{'base_type':'b'} 5}"),
		EV("T", "a", 1, ",'id':1,'args':{'step':'b' 5}"),
		EV("P", "Profile", 1, ",'id':1,'args':{'data':{'startTime':1 5}}"),
		EV("P", "Profile", 1, ",'id':1,'args':{'data':{'startTime':1} 5}"),
		EV("I", "UpdateCounters", 1, ",'args':{'data':{'nodes':1} 5}"),
	};
	char text[500];

	for (size_t i = 0; i < ARRAY_LEN(odd); i++) {
		struct profile *p;

		snprintf(text, sizeof text, "[%s,%s]", odd[i], ON(1, 1));
		ck_warns(text, "odd-args", 1);
		p = load(text);
		for (size_t k = 0; k < p->inputs[0].n_warnings; k++)
			if (p->inputs[0].warnings[k].kind == WARN_ODD_ARGS)
				ck_assert_int_eq(p->inputs[0].warnings[k].offset, 1);
		profile_free(p);
	}
	snprintf(text, sizeof text, "[%s,%s,%s]", odd[0], odd[1], ON(1, 1));
	ck_warns(text, "odd-args", 2);
	ck_tells("[" META("thread_name", "'name':'a' 5", 1, 1) "," X("x", 1, 2) "]",
		 "slices 1/1 x:1-3\n");
}
END_TEST

static void add_rules(TCase *tc)
{
	tcase_add_test(tc, damaged_event_is_counted_once);
	tcase_add_test(tc, damage_behind_the_value_is_counted);
	tcase_add_test(tc, names_that_cannot_be_read_are_counted);
	tcase_add_test(tc, names_may_come_last);
	tcase_add_test(tc, main_thread_comes_first_pools_last);
	tcase_add_test(tc, sort_index_comes_before_names);
	tcase_add_test(tc, metadata_does_not_count_for_the_range);
	tcase_add_test(tc, command_line_is_cut_to_what_it_tells);
	tcase_add_test(tc, console_timers_share_a_track);
	tcase_add_test(tc, page_of_a_renderer_comes_with_its_load);
	tcase_add_test(tc, renderer_is_told_by_its_page);
	tcase_add_test(tc, pages_come_from_main_frames_only);
	tcase_add_test(tc, page_of_a_load_is_that_of_the_outermost_main_frame);
	tcase_add_test(tc, labels_and_versions_are_noted);
	tcase_add_test(tc, sort_index_may_be_text);
	tcase_add_test(tc, empty_names_do_not_count);
	tcase_add_test(tc, rank_of_threads_goes_by_name);
	tcase_add_test(tc, command_line_without_a_folder);
	tcase_add_test(tc, many_threads_and_processes_are_told_apart);
	tcase_add_test(tc, main_thread_by_name_comes_before_workers);
}

static void add_tests(Suite *suite)
{
	trace_suite(suite, add_rules);
}

int main(void)
{
	return suite_run("trace_names", add_tests);
}
