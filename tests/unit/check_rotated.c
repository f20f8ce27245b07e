/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Rotated logs of Node.js: which files are one trace, and that it is the trace that one file with
 * the events of all would be. */
#include "config.h"

#include "random_mix.h"
#include "suite.h"
#include "temp_folder.h"
#include "trace_story.h"

#include "model/profile.h"
#include "read/load/load.h"
#include "read/load/file_set.h"
#include "read/trace/event_reader.h"
#include "read/trace/trace_copy.h"

#include <check.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define EVENTS 60
#define FILES 5
#define RANDOM 150

static void put(const char *name, const char *text)
{
	char path[300], *copy = quoted(text);
	FILE *f;

	temp_folder_path(path, sizeof path, name);
	f = fopen(path, "w");
	ck_assert(f != NULL);
	ck_assert(fputs(copy, f) >= 0);
	ck_assert_int_eq(fclose(f), 0);
	free(copy);
}

/* Keep all lanes and all time. */
static bool choose_all(void *ctx, const struct profile *survey, struct load_choice *choice,
		       struct error *err)
{
	(void)ctx;
	(void)err;
	choice->is_lane = xmalloc(survey->n_lanes + 1);
	memset(choice->is_lane, 1, survey->n_lanes + 1);
	return true;
}

/* Load files of the folder, or the folder itself ("."). */
static struct load_result load_names(const char *const *file, int n, bool is_subset)
{
	char paths[FILES][300], *files[FILES];
	struct load_options options = { .files = files,
					.n_files = n,
					.is_subset = is_subset,
					.choose = choose_all };
	struct load_result result;

	for (int i = 0; i < n; i++) {
		temp_folder_path(paths[i], sizeof paths[i], file[i]);
		files[i] = paths[i];
	}
	load_all(&options, &result);
	return result;
}

static struct load_result load_folder(void)
{
	return load_names((const char *const[]){ "." }, 1, false);
}

static void result_done(struct load_result *result)
{
	profile_free(result->profile);
	buf_done(&result->messages);
}

/* ---- random traces ---- */

static char events[EVENTS][600];
static int n_events;

__attribute__((format(printf, 3, 4))) static void add_event(const char *ph, long long ts,
							    const char *format, ...)
{
	char rest[500];
	va_list ap;

	va_start(ap, format);
	vsnprintf(rest, sizeof rest, format, ap);
	va_end(ap);
	snprintf(events[n_events++], sizeof events[0],
		 "{'pid':7,'tid':%d,'ts':%lld,'tts':1,'ph':'%s',%s}", 7 + (int)below(3), ts, ph,
		 rest);
}

static void add_chunk(long long ts)
{
	unsigned n = 1 + (unsigned)below(3), id = 2 + (unsigned)below(3);

	add_event("P", ts,
		  "'cat':'p','name':'ProfileChunk','id':'0x9','args':{'data':{'cpuProfile':{'nodes'"
		  ":[{'id':1,'callFrame':{'functionName':'(root)','scriptId':0}},{'id':%u,"
		  "'parent':1,'callFrame':{'functionName':'f%u','scriptId':3,'url':'a.js',"
		  "'lineNumber':%u,'columnNumber':0}}],'samples':[%u%s]},'timeDeltas':[%d%s]}}",
		  id, id, id, id, n > 1 ? ",1" : "", (int)below(30), n > 1 ? ",9" : "");
}

/* Events in the order in which they are written: X when it ends. */
static void make_events(void)
{
	long long ts = 1000;

	n_events = 0;
	while (n_events < EVENTS - 1) {
		char name = (char)('a' + below(4));

		ts += (long long)below(12);
		switch (below(12)) {
		case 0:
		case 1:
		case 2:
			add_event("B", ts, "'cat':'c%d','name':'%c','args':{'n':%d}", (int)below(2),
				  name, n_events);
			break;
		case 3:
		case 4:
			add_event("E", ts, "'cat':'c','name':'%c','args':{'end':%d}", name,
				  n_events);
			break;
		case 5:
		case 6: {
			long long dur = (long long)below(900);

			add_event("X", ts - dur, "'cat':'c','name':'X%c','dur':%lld,'args':{}",
				  name, dur);
			break;
		}
		case 7:
		case 8:
			add_event(below(2) ? "b" : "e", ts, "'cat':'n','name':'%c','id':'0x%d'",
				  name, (int)below(4));
			break;
		case 9:
			add_event(below(2) ? "s" : "f", ts, "'cat':'w','name':'w','id':%d",
				  (int)below(3));
			break;
		case 10:
			add_event(below(2) ? "C" : "I", ts, "'name':'k','args':{'v':%d}",
				  (int)below(9));
			break;
		default:
			if (below(4))
				add_chunk(ts);
			else
				add_event("P", ts,
					  "'cat':'p','name':'Profile','id':'0x9','args':{'data':"
					  "{'startTime':%lld}}",
					  ts);
		}
	}
	add_event("M", 0, "'name':'thread_name','args':{'name':'t'}");
}

/* Write events [from, end) as a file. */
static void put_events(const char *name, int from, int end)
{
	struct buf text = { 0 };

	buf_adds(&text, "{'traceEvents':[");
	for (int i = from; i < end; i++)
		buf_addf(&text, "%s%s", i > from ? "," : "", events[i]);
	buf_adds(&text, "]}");
	put(name, buf_text(&text));
	buf_done(&text);
}

static void add_slice_events(struct buf *out, const struct profile *p, const struct lane *l)
{
	for (size_t i = 0; i < l->slices.n; i++) {
		event_read(NULL, p, l->input, slice_offset(&l->slices, i), out, NULL);
		if (slice_end_offset(&l->slices, i) >= 0)
			event_read(NULL, p, l->input, slice_end_offset(&l->slices, i), out, NULL);
	}
}

/* All that a user sees of a profile, except for its files. */
static void describe(const struct profile *p, bool has_events, struct buf *out)
{
	const struct input *in = &p->inputs[0];

	for (uint32_t i = 0; i < p->n_lanes; i++) {
		add_lane(out, p, &p->lanes[i]);
		if (has_events)
			add_slice_events(out, p, &p->lanes[i]);
	}
	for (size_t i = 0; i < p->n_flows; i++)
		buf_addf(out, "flow %u of %u at %lld %d\n", (unsigned)p->flows[i].flow,
			 (unsigned)p->flows[i].lane, (long long)p->flows[i].t, p->flows[i].kind);
	for (size_t i = 0; i < in->n_warnings; i++)
		buf_addf(out, "%s %d\n", warning_name(in->warnings[i].kind),
			 (int)in->warnings[i].count);
}

static bool gather(void *ctx, const char *event, size_t len)
{
	buf_add(ctx, event, len);
	return true;
}

static void copy(const struct profile *p, struct buf *out)
{
	struct error err = ERROR_INIT;

	ck_assert_msg(trace_copy(p, 0, 0, gather, out, &err), "%s", err.text);
}

/* The events lie in n files, loaded in an odd order, and in one. */
static void compare(int n, bool is_subset)
{
	const char *const in_order[] = { "log.8.log", "log.9.log", "log.10.log", "log.11.log",
					 "log.12.log" };
	const char *const given[] = { "log.10.log", "log.11.log", "log.12.log", "log.8.log",
				      "log.9.log" };
	struct load_result of_one, of_all;
	struct buf one = { 0 }, all = { 0 };
	int from = 0;

	for (int i = 0; i < n; i++) {
		int left = n_events - from - (n - 1 - i),
		    end = i + 1 == n ? n_events : from + 1 + (int)below((uint64_t)left);

		/* The first file and the last one are always there. */
		put_events(in_order[i], from, end);
		from = end;
	}
	put_events("one.json", 0, n_events);
	of_one = load_names((const char *const[]){ "one.json" }, 1, is_subset);
	of_all = n == FILES ? load_names(given, n, is_subset) : load_names(in_order, n, is_subset);
	ck_assert(of_one.profile && of_all.profile);
	ck_assert_uint_eq(of_all.profile->n_inputs, 1);
	ck_assert_uint_eq(of_all.profile->inputs[0].n_parts, (size_t)n);
	ck_assert_str_eq(buf_text(&of_all.messages), "");
	describe(of_one.profile, !is_subset, &one);
	describe(of_all.profile, !is_subset, &all);
	ck_assert_str_eq(buf_text(&all), buf_text(&one));
	buf_clear(&one);
	buf_clear(&all);
	copy(of_one.profile, &one);
	copy(of_all.profile, &all);
	ck_assert_str_eq(buf_text(&all), buf_text(&one));
	buf_done(&one);
	buf_done(&all);
	result_done(&of_one);
	result_done(&of_all);
}

START_TEST(events_of_all_files_are_one_trace)
{
	for (int i = 0; i < SUITE_CASES(RANDOM); i++) {
		set_seed(i);
		make_events();
		compare(2 + i % (FILES - 1), false);
	}
}
END_TEST

START_TEST(parts_of_all_files_can_be_loaded)
{
	for (int i = 0; i < SUITE_CASES(RANDOM / 3); i++) {
		set_seed(i);
		make_events();
		compare(2 + i % (FILES - 1), true);
	}
}
END_TEST

/* ---- which files ---- */

#define EVENT(pid, ts) "{'pid':" #pid ",'tid':1,'ts':" #ts ",'ph':'X','name':'a','dur':2}"
#define LOG(events) "{'traceEvents':[" events "]}"
#define AT(ts) LOG(EVENT(7, ts))
/* As other programs write events. */
#define OTHER(ts) LOG("{'name':'a','pid':7,'tid':1,'ts':" #ts ",'ph':'X','dur':2}")

#define BLANKS "                                                                "

static const struct family {
	struct {
		const char *name, *text;
	} files[FILES];
	const char *inputs; /* a line for each */
} families[] = {
	{ { { "n.1.log", AT(10) }, { "n.2.log", AT(20) }, { "n.10.log", AT(30) } },
	  "n.{1,2,10}.log\n" },
	{ { { "n.8.log", AT(10) },
	    { "n.9.log", AT(20) },
	    { "n.10.log", AT(30) },
	    { "n.11.log", AT(40) },
	    { "n.12.log", AT(50) } },
	  "n.{8..12}.log\n" },
	/* Any events do if the name is the usual one. */
	{ { { "n.1.log", OTHER(10) }, { "n.2.log", OTHER(20) } }, "n.{1,2}.log\n" },
	{ { { "n1.json", OTHER(10) }, { "n2.json", OTHER(20) } }, "n1.json\nn2.json\n" },
	{ { { "n1.json", AT(10) }, { "n2.json", AT(20) } }, "n{1,2}.json\n" },
	{ { { "01-p.txt", AT(10) }, { "02-p.txt", AT(20) } }, "{01,02}-p.txt\n" },
	/* The number of the process beside that of the rotation. */
	{ { { "7-1.log", AT(10) }, { "7-2.log", AT(20) }, { "8-1.log", LOG(EVENT(8, 10)) } },
	  "7-{1,2}.log\n8-1.log\n" },
	{ { { "1-7.log", AT(10) },
	    { "2-7.log", AT(20) },
	    { "1-8.log", LOG(EVENT(8, 10)) },
	    { "2-8.log", LOG(EVENT(8, 20)) } },
	  "{1,2}-7.log\n{1,2}-8.log\n" },
	/* Two processes with one number, at one time or one after the other. */
	{ { { "n.1.log", LOG(EVENT(7, 10) "," EVENT(7, 50) "," EVENT(7, 90)) },
	    { "n.2.log", LOG(EVENT(7, 11) "," EVENT(7, 40) "," EVENT(7, 95)) } },
	  "n.1.log\nn.2.log\n" },
	{ { { "n.1.log", AT(90) }, { "n.2.log", AT(20) }, { "n.3.log", AT(30) } },
	  "n.1.log\nn.{2,3}.log\n" },
	{ { { "n.1.log", AT(10) }, { "n.2.log", AT(200000000000) } }, "n.1.log\nn.2.log\n" },
	/* A slice that began in the file before is written when it ends. */
	{ { { "n.1.log", AT(10) },
	    { "n.2.log", LOG("{'pid':7,'tid':1,'ts':1,'ph':'X','name':'b','dur':40}") } },
	  "n.{1,2}.log\n" },
	/* Blanks of all kinds, also more of them than are looked at first. */
	{ { { "n1.json", "\n\t { \r\n'traceEvents' : [" EVENT(7, 10) "]}" },
	    { "n2.json", BLANKS "{" BLANKS "'traceEvents':[" EVENT(7, 20) "]}" } },
	  "n{1,2}.json\n" },
	{ { { "n.1.log", "{'traceEventsOf':1}" }, { "n.2.log", AT(20) }, { "n.3.log", AT(30) } },
	  "n.{2,3}.log\n" },
	/* Other names, other files. */
	{ { { "a.1.log", AT(10) }, { "b.2.log", AT(20) } }, "a.1.log\nb.2.log\n" },
	{ { { "n.1.log", AT(10) }, { "n.2.log", "no trace" }, { "n.3.log", AT(30) } },
	  "n.{1,3}.log\n" },
	{ { { "n.1.log", AT(10) }, { "n.2.log", LOG("") }, { "n.3.log", AT(30) } },
	  "n.{1,3}.log\nn.2.log\n" },
};

START_TEST(files_belong_together_by_name_process_and_time)
{
	const struct family *family = &families[_i];
	struct load_result is;
	struct buf out = { 0 };

	for (int i = 0; i < FILES && family->files[i].name; i++)
		put(family->files[i].name, family->files[i].text);
	is = load_folder();
	ck_assert(is.profile != NULL);
	for (uint32_t i = 0; i < is.profile->n_inputs; i++)
		buf_addf(&out, "%s\n", profile_input_name(is.profile, i));
	ck_assert_str_eq(buf_text(&out), family->inputs);
	buf_done(&out);
	result_done(&is);
}
END_TEST

START_TEST(file_that_is_given_twice_is_two_traces)
{
	const char *const given[] = { "n.1.log", "n.2.log", "n.1.log" };
	struct load_result is;

	put("n.1.log", AT(10));
	put("n.2.log", AT(20));
	is = load_names(given, 3, false);
	ck_assert(is.profile != NULL);
	ck_assert_uint_eq(is.profile->n_inputs, 2);
	ck_assert_str_eq(profile_input_name(is.profile, 0), "n.{1,2}.log");
	ck_assert_str_eq(profile_input_name(is.profile, 1), "n.1.log");
	result_done(&is);
}
END_TEST

/* ---- damage ---- */

/* The warnings and notes of the first input, with the place of each, and its lanes. */
static void ck_loads(const char *expect, const char *messages)
{
	struct load_result is = load_folder();
	const struct profile *p = is.profile;
	struct buf out = { 0 };
	const struct input *in;

	ck_assert(p != NULL);
	in = &p->inputs[0];
	for (uint32_t i = 0; i < p->n_lanes; i++)
		add_lane(&out, p, &p->lanes[i]);
	for (size_t i = 0; i < in->n_warnings; i++) {
		buf_addf(&out, "%d %s", (int)in->warnings[i].count,
			 profile_text(p, in->warnings[i].text));
		input_place_add_first(p, in, in->warnings[i].offset, &out);
		buf_addc(&out, '\n');
	}
	for (size_t i = 0; i < in->n_notes; i++)
		buf_addf(&out, "%s\n", profile_text(p, in->notes[i].text));
	ck_assert_str_eq(buf_text(&out), expect);
	if (*messages)
		ck_assert_msg(strstr(buf_text(&is.messages), messages) != NULL, "%s",
			      buf_text(&is.messages));
	else
		ck_assert_str_eq(buf_text(&is.messages), "");
	buf_done(&out);
	result_done(&is);
}

START_TEST(missing_file_is_a_warning)
{
	put("n.1.log", AT(10));
	put("n.3.log", AT(20));
	put("n.6.log", AT(30));
	ck_loads("slices 7/1 a:10-12 a:20-22 a:30-32\n"
		 "3 a file of a rotated log is missing, and its events with it: n.2.log\n"
		 "3 rotated files are read as one trace\n",
		 "");
}
END_TEST

/* However many. */
START_TEST(missing_files_are_all_counted)
{
	put("n.1.log", AT(10));
	put("n.2.log", AT(20));
	put("n.1234567.log", AT(30));
	ck_loads("slices 7/1 a:10-12 a:20-22 a:30-32\n"
		 "1234564 a file of a rotated log is missing, and its events with it: n.3.log\n"
		 "3 rotated files are read as one trace\n",
		 "");
}
END_TEST

START_TEST(last_file_may_be_cut_off)
{
	put("n.1.log", AT(10));
	put("n.2.log", "{'traceEvents':[" EVENT(7, 20) ",{'pid':7,'t");
	ck_loads(
		"slices 7/1 a:10-12 a:20-22\n"
		"1 the file is cut off: the file ends inside an event, first at byte 69 of n.2.log\n"
		"2 rotated files are read as one trace\n",
		"");
}
END_TEST

START_TEST(file_between_may_be_cut_off)
{
	put("n.1.log", AT(10));
	put("n.2.log", "{'traceEvents':[" EVENT(7, 20) ",{'pid':7,'t");
	put("n.3.log", AT(30));
	ck_loads(
		"slices 7/1 a:10-12 a:20-22 a:30-32\n"
		"1 the file is cut off: the file ends inside an event, first at byte 69 of n.2.log\n"
		"3 rotated files are read as one trace\n",
		"");
}
END_TEST

/* The events before the damage count, and so do those of the other files. */
START_TEST(damaged_file_is_named)
{
	put("n.1.log", AT(10));
	put("n.2.log", "{'traceEvents':[" EVENT(7, 20) ",{'pid':7,'tid':oops}]}");
	put("n.3.log", AT(30));
	ck_loads("slices 7/1 a:10-12 a:20-22 a:30-32\n"
		 "2 rotated files are read as one trace\n",
		 "n.2.log:1: byte 85: ");
}
END_TEST

START_TEST(places_of_one_file_have_no_name)
{
	struct fingerprint print = { .is_known = true };
	struct input in = { .path = 0, .print = print };
	struct input_place place = input_place_at(&in, 17);

	ck_assert_int_eq(place.offset, 17);
	ck_assert(place.print == &in.print);
	ck_assert_uint_eq(input_place_files(&in), 1);
	ck_assert_int_eq(input_place_at(&in, -1).offset, -1);
}
END_TEST

static void add_tests(Suite *suite)
{
	TCase *t = suite_case(suite, "rules", SUITE_SECONDS);

	tcase_add_checked_fixture(t, temp_folder_make, temp_folder_remove);
	tcase_add_test(t, events_of_all_files_are_one_trace);
	tcase_add_test(t, parts_of_all_files_can_be_loaded);
	tcase_add_loop_test(t, files_belong_together_by_name_process_and_time, 0, N(families));
	tcase_add_test(t, file_that_is_given_twice_is_two_traces);
	tcase_add_test(t, missing_file_is_a_warning);
	tcase_add_test(t, missing_files_are_all_counted);
	tcase_add_test(t, last_file_may_be_cut_off);
	tcase_add_test(t, file_between_may_be_cut_off);
	tcase_add_test(t, damaged_file_is_named);
	tcase_add_test(t, places_of_one_file_have_no_name);
}

int main(void)
{
	return suite_run("rotated", add_tests);
}
