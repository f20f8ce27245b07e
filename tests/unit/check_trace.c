/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The rules by which trace events become slices, tracks, curves and profiles, one test
 * for each, named after it. A small document goes in; out comes its story: each lane
 * on a line, its spans by row and time in microseconds. */
#include "config.h"

#include "suite.h"

#include "base/alloc.h"
#include "base/buf.h"
#include "build/builder.h"
#include "load/load_file.h"
#include "reader/trace/event.h"
#include "json/json_cursor.h"
#include "reader/reader.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Events are written with ' for ", and without the members that most tests do not need. */
#define EV(ph, name, ts, more) "{'ph':'" ph "','name':'" name "','pid':1,'tid':1,'ts':" #ts more "}"
#define X(name, ts, dur) EV("X", name, ts, ",'dur':" #dur)
#define B(name, ts) EV("B", name, ts, "")
#define E(name, ts) EV("E", name, ts, "")
#define AS(ph, name, ts, id) EV(ph, name, ts, ",'cat':'net','id':'" #id "'")

static char *quoted(const char *text)
{
	char *copy = strdup(text);

	for (char *p = copy; *p; p++)
		if (*p == '\'')
			*p = '"';
	return copy;
}

/* All tests run twice: one event after the other, and with the stream and the keepers of events on
 * threads of their own. */
static size_t ahead_from = SIZE_MAX;

static void read_ahead(void)
{
	ahead_from = 0;
}

static struct profile *load_bytes(const char *text, size_t len, struct error *err)
{
	struct builder_options options = { .is_raw = false };
	struct builder *b = builder_new(&options);
	struct file_hints hints = { .pid = -1, .tid = -1 };
	struct stream *stream = stream_open_memory(text, len, SIZE_MAX);
	bool ok;

	builder_input(b, "test.json");
	stream_set_ahead(stream, ahead_from);
	ok = load_file_stream(stream, &hints, NULL, b, err);
	stream_close(stream);
	if (!ok) {
		builder_free(b);
		return NULL;
	}
	return builder_finish(b, err);
}

static struct profile *load(const char *text)
{
	struct error err = ERROR_INIT;
	char *copy = quoted(text);
	struct profile *p = load_bytes(copy, strlen(copy), &err);

	free(copy);
	if (!p)
		ck_abort_msg("not loaded: %s in %.500s", err.text, text);
	return p;
}

static void add_us(struct buf *out, int64_t ns)
{
	buf_addf(out, "%lld", (long long)(ns / 1000));
	if (ns % 1000)
		buf_addf(out, ".%03d", abs((int)(ns % 1000)));
}

static void add_span(struct buf *out, const struct profile *p, const struct lane *l,
		     const struct span *s)
{
	static const char letters[] = "UCO";
	size_t slice = l->kind == LANE_SAMPLES ? SIZE_MAX : slice_of_span(l, s);

	buf_addf(out, " %s:", profile_text(p, profile_node_frame(p, l, s->node)->name));
	add_us(out, s->t0 + p->origin_ns);
	if (s->t1 > s->t0) {
		buf_addc(out, '-');
		add_us(out, s->t1 + p->origin_ns);
	}
	if (slice == SIZE_MAX)
		return;
	for (int i = 0; i < 3; i++)
		if (slice_flags(&l->slices, slice) & 1 << i)
			buf_addc(out, letters[i]);
}

static void add_lane(struct buf *out, const struct profile *p, const struct lane *l)
{
	static const char *const kind[] = { "samples", "slices", "async", "counter", "marks" };

	buf_addf(out, "%s %lld/%lld", kind[l->kind], (long long)l->pid, (long long)l->tid);
	if (l->title)
		buf_addf(out, " [%s]", profile_text(p, l->title));
	if (l->is_folded)
		buf_adds(out, " folded");
	for (int depth = 0; depth < l->max_depth; depth++) {
		struct span s;

		if (depth)
			buf_adds(out, " |");
		for (size_t from = 0; span_next(&l->samples, &l->tree, depth, from, &s);
		     from = s.end)
			add_span(out, p, l, &s);
	}
	for (uint32_t i = 0; i < l->n_series; i++) {
		buf_addf(out, " %s", profile_text(p, l->series[i].name));
		for (size_t k = 0; k < l->series[i].n; k++) {
			buf_addc(out, k ? ',' : '=');
			buf_addf(out, "%g@", l->series[i].value[k]);
			add_us(out, l->series[i].t[k] + p->origin_ns);
		}
	}
	buf_addc(out, '\n');
}

static uint64_t count_of(const struct profile *p, const char *kind)
{
	for (size_t i = 0; i < p->inputs[0].n_warnings; i++)
		if (strcmp(p->inputs[0].warnings[i].kind, kind) == 0)
			return p->inputs[0].warnings[i].count;
	return 0;
}

static void ck_tells(const char *text, const char *story)
{
	struct profile *p = load(text);
	struct buf out = { 0 };

	for (uint32_t i = 0; i < p->n_lanes; i++)
		add_lane(&out, p, &p->lanes[i]);
	ck_assert_str_eq(buf_text(&out), story);
	buf_done(&out);
	profile_free(p);
}

static void ck_warns(const char *text, const char *kind, uint64_t count)
{
	struct profile *p = load(text);

	ck_assert_msg(count_of(p, kind) == count, "%s: %llu, not %llu, in %s", kind,
		      (unsigned long long)count_of(p, kind), (unsigned long long)count, text);
	profile_free(p);
}

static void ck_says(const char *text, const char *fact)
{
	struct profile *p = load(text);
	bool found = false;

	for (size_t i = 0; i < p->inputs[0].n_facts; i++)
		found |= strstr(profile_text(p, p->inputs[0].facts[i].text), fact) != NULL;
	ck_assert_msg(found, "nothing says \"%s\" of %s", fact, text);
	profile_free(p);
}

/* ---- the container ---- */

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
	ck_says("{'traceEvents':[],'systemTraceEvents':'0123456789'}", "systemTraceEvents (12 B)");
}
END_TEST

START_TEST(no_events_is_no_error)
{
	ck_warns("{'traceEvents':[]}", "no-events", 1);
	ck_warns("[]", "no-events", 1);
}
END_TEST

/* ---- members ---- */

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

/* ---- begin and end ---- */

START_TEST(threads_do_not_take_each_others_ends)
{
	ck_tells("[" B("a", 1) ",{'ph':'B','name':'b','pid':1,'tid':2,'ts':2}," E(
			 "", 5) ",{'ph':'E','pid':1,'tid':2,'ts':9}]",
		 "slices 1/1 a:1-5\nslices 1/2 b:2-9\n");
}
END_TEST

START_TEST(e_without_name_closes_innermost)
{
	ck_tells("[" B("a", 1) "," B("b", 2) ",{'ph':'E','pid':1,'tid':1,'ts':3}," E("a", 5) "]",
		 "slices 1/1 a:1-5 | b:2-3\n");
}
END_TEST

START_TEST(end_waits_for_its_time_stamp)
{
	ck_tells("[" B("a", 1) "," B("b", 2) "," E("a", 5) "," E("b", 5) "]",
		 "slices 1/1 a:1-5 | b:2-5\n");
	ck_tells("[" B("a", 1) "," B("b", 5) "," E("a", 5) "]", "slices 1/1 a:1-5 b:5U\n");
	ck_tells("[" B("a", 1) "," E("c", 2) "," B("c", 2) "," E("a", 10) "]",
		 "slices 1/1 a:1-10 | c:2\n");
}
END_TEST

START_TEST(end_of_an_outer_slice_closes_those_inside)
{
	const char *text = "[" B("a", 1) "," B("b", 2) "," E("a", 5) "," E("b", 9) "]";

	ck_tells(text, "slices 1/1 a:1-5 | b:2-5C\n");
	ck_warns(text, "closed-by-outer", 1);
	ck_warns(text, "unmatched-end", 1);
}
END_TEST

START_TEST(what_began_at_this_instant_stays_open)
{
	ck_tells("[" B("a", 1) "," B("b", 5) "," E("a", 5) "," E("b", 8) "]",
		 "slices 1/1 a:1-5 b:5-8\n");
}
END_TEST

START_TEST(end_without_begin_is_counted)
{
	ck_warns("[" E("a", 1) "," X("b", 2, 1) "]", "unmatched-end", 1);
}
END_TEST

START_TEST(open_begin_lasts_to_the_end_of_the_trace)
{
	const char *text = "[" B("a", 1) ",{'ph':'X','name':'b','pid':1,'tid':2,'ts':5,'dur':15}]";

	ck_tells(text, "slices 1/1 a:1-20U\nslices 1/2 b:5-20\n");
	ck_warns(text, "unfinished", 1);
}
END_TEST

START_TEST(many_begins_and_ends_of_one_instant)
{
	struct buf text = { 0 };
	struct profile *p;
	int n = 50000;

	/* First in, first out: the worst order there is. */
	for (int i = 0; i < 2 * n; i++)
		buf_addf(&text, "%c{'ph':'%c','name':'n%d','pid':1,'tid':1,'ts':5}", i ? ',' : '[',
			 i < n ? 'B' : 'E', i % n);
	buf_addc(&text, ']');
	p = load(buf_text(&text));
	ck_assert_uint_eq(p->lanes[0].slices.n, (size_t)n);
	ck_assert_uint_eq(count_of(p, "unfinished") + count_of(p, "unmatched-end") +
				  count_of(p, "closed-by-outer"),
			  0);
	profile_free(p);
	buf_done(&text);
}
END_TEST

START_TEST(end_event_is_kept_for_its_args)
{
	struct profile *p = load("[" B("a", 1) "," E("a", 5) "]");

	ck_assert_uint_eq(p->lanes[0].slices.n_ends, 1);
	ck_assert_int_eq(slice_offset(&p->lanes[0].slices, 0), 1);
	ck_assert_int_eq(slice_end_offset(&p->lanes[0].slices, 0), 2 + (int)strlen(B("a", 1)));
	profile_free(p);
}
END_TEST

/* ---- marks ---- */

START_TEST(instants_stand_where_their_scope_says)
{
	ck_tells("[" EV("i", "t", 1, ",'s':'t'") "," EV("I", "none", 2, "") "," EV(
			 "I", "p", 3, ",'s':'p'") "," EV("R", "g", 4, ",'s':'g'") "]",
		 "marks -1/-1 [Marks] g:4\nmarks 1/1 t:1 none:2\nmarks 1/-1 [Marks] p:3\n");
}
END_TEST

START_TEST(objects_are_marks)
{
	ck_tells("[" EV("N", "o", 1, ",'id':1") "," EV(
			 "O", "o", 2, ",'id':1,'args':{'snapshot':{}}") "," EV("D", "o", 3,
									       ",'id':1") "]",
		 "marks 1/-1 [Objects] o created:1 o snapshot:2 o deleted:3\n");
}
END_TEST

START_TEST(undrawn_phases_are_named)
{
	ck_says("[" EV("v", "dump", 1, "") "," EV("v", "dump", 2, "") "," X("a", 1, 1) "]",
		"2 events of phase v not drawn");
	ck_says("[" EV("Q", "a", 1, "") "," X("a", 1, 1) "]", "1 events of phase Q not drawn");
	ck_warns("[" EV("Q", "a", 1, "") "," EV("Q", "a", 1, "") "," X("a", 1, 1) "]",
		 "unknown-phase", 2);
}
END_TEST

/* ---- async ---- */

START_TEST(async_slices_nest_by_id)
{
	ck_tells(
		"[" AS("b", "req", 0, 1) "," AS("b", "dns", 5, 1) "," AS(
			"e", "dns", 9,
			1) ",{'ph':'e','name':'req','cat':'net','id':'1','pid':1,'tid':2,'ts':20}]",
		"async 1/-1 [req] req:0-20 | dns:5-9\n");
}
END_TEST

START_TEST(async_id_is_used_again_after_its_end)
{
	ck_tells("[" AS("b", "a", 0, 1) "," AS("e", "a", 4, 1) "," AS("b", "a", 6,
								      1) "," AS("e", "a", 9, 1) "]",
		 "async 1/-1 [a] a:0-4 a:6-9\n");
}
END_TEST

START_TEST(async_overlap_takes_another_row)
{
	ck_tells("[" AS("b", "a", 0, 1) "," AS("b", "a", 2, 2) "," AS("e", "a", 6,
								      1) "," AS("e", "a", 9, 2) "]",
		 "async 1/-1 [a] a:0-6\nasync 1/-1 [a] a:2-9\n");
}
END_TEST

START_TEST(local_ids_belong_to_a_process)
{
	ck_tells(
		"[{'ph':'b','cat':'c','name':'a','id2':{'local':'1'},'pid':1,'tid':1,'ts':1},{'ph':'b','cat':'c','name':'a','id2':{'local':'1'},'pid':2,'tid':1,'ts':2},"
		"{'ph':'e','cat':'c','name':'a','id2':{'local':'1'},'pid':1,'tid':1,'ts':5},{'ph':'e','cat':'c','name':'a','id2':{'local':'1'},'pid':2,'tid':1,'ts':7}]",
		"async 1/-1 [a] a:1-5\nasync 2/-1 [a] a:2-7\n");
}
END_TEST

START_TEST(async_without_partner)
{
	const char *text = "[" AS("b", "a", 0, 1) "," AS("b", "b", 2, 1) "," AS(
		"e", "a", 6, 1) "," AS("e", "x", 7, 1) "," AS("b", "c", 8, 1) "," AS("n", "n", 9,
										     1) "]";

	ck_tells(text, "async 1/-1 [a] a:0-6 | b:2-6U\nasync 1/-1 [c] c:8-9U n:9\n");
	ck_warns(text, "async-unmatched", 3);
}
END_TEST

START_TEST(old_async_has_steps)
{
	ck_tells("[" EV("S", "load", 1, ",'id':1") "," EV(
			 "T", "load", 3, ",'id':1,'args':{'step':'sent'}") "," EV("F", "load", 9,
										  ",'id':1") "]",
		 "async 1/-1 [load] load:1-9 | load: sent:3\n");
}
END_TEST

START_TEST(many_names_share_a_track)
{
	struct buf text = { 0 };
	struct profile *p;

	for (int i = 0; i < 100; i++)
		buf_addf(
			&text,
			"%c{'ph':'b','cat':'c','name':'GET /%d','id':%d,'pid':1,'tid':1,'ts':%d},{'ph':'e','cat':'c','name':'GET /%d','id':%d,'pid':1,'tid':1,'ts':%d}",
			i ? ',' : '[', i, i, i * 10, i, i, i * 10 + 5);
	buf_addc(&text, ']');
	p = load(buf_text(&text));
	ck_assert_uint_eq(p->n_lanes, 9);
	profile_free(p);
	buf_done(&text);
}
END_TEST

/* ---- flows and counters ---- */

START_TEST(flow_binds_to_enclosing_and_next_slice)
{
	struct profile *p = load("[" X("a", 1, 9) "," EV(
		"s", "f", 5,
		",'cat':'c','id':1") ",{'ph':'f','name':'f','cat':'c','id':1,'pid':1,'tid':2,'ts':20},"
				     "{'ph':'X','name':'b','pid':1,'tid':2,'ts':25,'dur':5}]");

	ck_assert_uint_eq(p->n_flows, 2);
	ck_assert_int_eq(p->flows[0].kind, FLOW_START);
	ck_assert_int_eq(p->flows[1].kind, FLOW_END);
	ck_assert_int_eq(p->flows[1].span.t0, 24000);
	profile_free(p);
}
END_TEST

START_TEST(flow_without_id_is_counted)
{
	ck_warns("[" EV("s", "f", 5, "") "," X("a", 1, 9) "]", "flow-id", 1);
}
END_TEST

START_TEST(flow_of_bind_id)
{
	struct profile *p = load(
		"[" EV("X", "a", 1, ",'dur':2,'bind_id':'0x5','flow_out':true") "," EV(
			"X", "b", 5, ",'dur':2,'bind_id':'0x5','flow_in':true") "]");

	ck_assert_uint_eq(p->n_flows, 2);
	profile_free(p);
}
END_TEST

START_TEST(counter_series_that_is_missing_is_0)
{
	ck_tells("[" EV("C", "heap", 5, ",'args':{'used':10,'free':4}") "," EV(
			 "C", "heap", 7, ",'args':{'used':12}") "]",
		 "counter 1/-1 [heap] used=10@5,12@7 free=4@5,0@7\n");
}
END_TEST

START_TEST(counter_with_id_is_another)
{
	ck_tells("[" EV("C", "c", 5, ",'id':'1','args':{'v':1}") "," EV(
			 "C", "c", 6, ",'id':'2','args':{'v':2}") "]",
		 "counter 1/-1 [c 1] v=1@5\ncounter 1/-1 [c 2] v=2@6\n");
}
END_TEST

START_TEST(counter_of_no_numbers_is_counted)
{
	ck_warns("[" EV("C", "c", 5, ",'args':{'v':'x','w':null,'n':{}}") "," EV(
			 "C", "c", 5, "") "," X("a", 1, 1) "]",
		 "odd-counter", 4);
}
END_TEST

START_TEST(update_counters_are_counters)
{
	ck_tells("[" EV("I", "UpdateCounters", 5, ",'args':{'data':{'nodes':7,'documents':1}}") "]",
		 "counter 1/-1 [nodes] nodes=7@5\ncounter 1/-1 [documents] documents=1@5\n");
}
END_TEST

/* ---- user timings ---- */

#define TIMING(ph, name, ts, more) EV(ph, name, ts, ",'cat':'blink.user_timing'" more)
#define DETAIL(text) "'detail':'{\\'devtools\\':{" text "}}'"

START_TEST(user_timings_have_tracks_of_their_own)
{
	ck_tells(
		"[" TIMING("I", "mark", 1, "") "," TIMING("b", "m", 2, ",'id2':{'local':'1'}") "," TIMING(
			"e", "m", 5, ",'id2':{'local':'1'}") "," TIMING("R", "fetchStart", 1,
									"") "]",
		"marks 1/1 fetchStart:1\nmarks 1/-1 [User timing] mark:1\nasync 1/-1 [User timing] m:2-5\n");
}
END_TEST

/* The text of a detail is JSON in JSON: its quotes are escaped. */
static void ck_tells_detail(const char *detail, const char *story)
{
	struct buf text = { 0 };

	buf_adds(
		&text,
		"[{'ph':'b','cat':'blink.user_timing','name':'m','id':1,'pid':1,'tid':1,'ts':2,'args':{'detail':'");
	for (; *detail; detail++)
		buf_adds(&text, *detail == '\'' ? "\\'" : (char[]){ *detail, '\0' });
	buf_adds(
		&text,
		"'}},{'ph':'e','cat':'blink.user_timing','name':'m','id':1,'pid':1,'tid':1,'ts':5}]");
	ck_tells(buf_text(&text), story);
	buf_done(&text);
}

START_TEST(detail_puts_a_measure_on_a_track)
{
	ck_tells_detail(
		"{'devtools':{'dataType':'track-entry','track':'Cache','trackGroup':'Server','color':'tertiary'}}",
		"async 1/-1 [Server: Cache] m:2-5\n");
	ck_tells_detail("{'devtools':{'track':'Cache'}}", "async 1/-1 [Cache] m:2-5\n");
}
END_TEST

START_TEST(detail_makes_a_marker_over_all_lanes)
{
	ck_tells_detail("{'devtools':{'dataType':'marker'}}", "marks -1/-1 [Marks] m:2\n");
}
END_TEST

START_TEST(detail_of_another_kind_is_a_plain_measure)
{
	ck_tells_detail("{'devtools':7}", "async 1/-1 [User timing] m:2-5\n");
	ck_tells_detail("not json 'devtools'", "async 1/-1 [User timing] m:2-5\n");
}
END_TEST

START_TEST(of_equal_measures_the_later_is_outer)
{
	ck_tells(
		"[" EV("I", "TimeStamp", 9, ",'args':{'data':{'name':'in','start':1,'end':4,'track':'T'}}") "," EV(
			"I", "TimeStamp", 9,
			",'args':{'data':{'name':'out','start':1,'end':4,'track':'T'}}") "]",
		"async 1/-1 [T] out:1-4 | in:1-4\n");
}
END_TEST

START_TEST(time_stamp_without_a_track_is_a_mark)
{
	ck_tells("[" EV("I", "TimeStamp", 9, ",'args':{'data':{'message':'hi'}}") "]",
		 "marks 1/1 hi:9\n");
}
END_TEST

/* ---- names and order ---- */

#define META(name, args, pid, tid)                                                                 \
	"{'ph':'M','name':'" name "','pid':" #pid ",'tid':" #tid ",'ts':0,'args':{" args "}}"
#define ON(pid, tid) "{'ph':'X','name':'x','pid':" #pid ",'tid':" #tid ",'ts':1,'dur':1}"

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
		"async 1/-1 [Console] one:1-3 two:5-8\n");
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

/* ---- profiles ---- */

#define PROFILE(id, tid, ts, more)                                                                 \
	"{'ph':'P','name':'Profile','id':'" id "','pid':1,'tid':" #tid ",'ts':" #ts                \
	",'args':{'data':{" more "}}}"
#define CHUNK(id, ts, data)                                                                        \
	"{'ph':'P','name':'ProfileChunk','id':'" id "','pid':1,'tid':88,'ts':" #ts                 \
	",'args':{'data':{" data "}}}"
#define NODES                                                                                                                                                                                                                             \
	"'nodes':[{'id':1,'callFrame':{'functionName':'(root)','scriptId':0,'codeType':'other'}},{'id':2,'parent':1,'callFrame':{'functionName':'a','scriptId':3,'url':'file:///w.js','lineNumber':2,'columnNumber':0,'codeType':'JS'}}," \
	"{'id':3,'parent':2,'callFrame':{'functionName':'b','scriptId':3,'url':'file:///w.js','lineNumber':4,'columnNumber':0}}]"
#define SAMPLES(s, d) "'cpuProfile':{" NODES ",'samples':[" s "]},'timeDeltas':[" d "]"

START_TEST(profile_stands_on_the_announced_thread)
{
	ck_tells("[" PROFILE("0x1", 10, 1000, "'startTime':990") "," CHUNK(
			 "0x1", 1300, SAMPLES("2,2", "100,100")) "," CHUNK("0x1", 1500,
									   "'endTime':1490") "]",
		 "samples 1/10 a:1100-1300\n");
}
END_TEST

START_TEST(end_time_is_of_the_profiles_own_clock)
{
	ck_tells("[" PROFILE("0x1", 10, 1000, "'startTime':990") "," CHUNK(
			 "0x1", 1300, SAMPLES("2,2", "100,100")) "," CHUNK("0x1", 1500,
									   "'endTime':1240") "]",
		 "samples 1/10 a:1100-1250\n");
}
END_TEST

START_TEST(stop_profiling_ends_a_profile)
{
	ck_tells("[" PROFILE("0x1", 1, 1000, "") "," CHUNK(
			 "0x1", 1300,
			 SAMPLES("2,2", "100,100")) "," EV("I", "CpuProfiler::StopProfiling", 1230,
							   "") "]",
		 "marks 1/1 CpuProfiler::StopProfiling:1230\nsamples 1/1 a:1100-1230\n");
}
END_TEST

START_TEST(deltas_go_on_across_chunks_in_file_order)
{
	ck_tells(
		"[" PROFILE("0x1", 10, 0, "'startTime':0") "," CHUNK(
			"0x1", 900,
			SAMPLES("2",
				"10")) "," CHUNK("0x1", 100,
						 "'cpuProfile':{'samples':[3,3],'timeDeltas':[10,10]}") "]",
		"samples 1/10 a:10-40 | b:20-40\n");
}
END_TEST

START_TEST(chunk_before_profile)
{
	ck_tells("[" CHUNK("0x1", 900, SAMPLES("2,2", "10,10")) "," PROFILE("0x1", 10, 0,
									    "'startTime':0") "]",
		 "samples 1/10 a:10-30\n");
}
END_TEST

START_TEST(chunk_without_profile_keeps_its_own_thread)
{
	const char *text = "[" CHUNK("0x1", 900, SAMPLES("2,2", "10,10")) "]";

	ck_tells(text, "samples 1/88 a:910-930\n");
	ck_warns(text, "chunk", 1);
}
END_TEST

START_TEST(one_id_in_two_processes_is_two_profiles)
{
	ck_tells(
		"[" PROFILE("0x1", 10, 0, "") "," CHUNK(
			"0x1", 1,
			SAMPLES("2,2",
				"10,10")) ","
					  "{'ph':'P','name':'Profile','id':'0x1','pid':2,'tid':20,'ts':0},{'ph':'P','name':'ProfileChunk','id':'0x1','pid':2,'tid':9,'ts':5,'args':{'data':{" SAMPLES(
						  "3,3",
						  "20,20") "}}}," CHUNK("0x1", 7,
									"'cpuProfile':{'samples':[2]},'timeDeltas':[10]") "]",
		"samples 1/10 a:10-40\nsamples 2/20 a:20-60 | b:20-60\n");
}
END_TEST

START_TEST(of_several_profiles_of_a_thread_one_is_open)
{
	ck_tells(
		"[" PROFILE("0x1", 10, 0, "'source':'Inspector'") "," CHUNK(
			"0x1", 1,
			SAMPLES("2,2",
				"10,10")) "," PROFILE("0x2", 10, 0,
						      "'source':'Internal'") "," CHUNK("0x2", 1,
										       SAMPLES("3,3",
											       "10,10")) "]",
		"samples 1/10 a:10-30 | b:10-30\nsamples 1/10 [Inspector] folded a:10-30\n");
}
END_TEST

START_TEST(profile_announced_again_is_a_second_recording)
{
	const char *text = "[" PROFILE("0x1", 10, 0, "") "," CHUNK(
		"0x1", 1,
		SAMPLES("2,2", "10,10")) "," PROFILE("0x1", 10, 100,
						     "") "," CHUNK("0x1", 101,
								   SAMPLES("3,3", "10,10")) "]";

	ck_warns(text, "second-recording", 1);
	ck_tells(
		text,
		"samples 1/10 a:10-30\nsamples 1/10 [another profile] folded a:110-130 | b:110-130\n");
}
END_TEST

START_TEST(chunk_without_data_is_counted)
{
	ck_warns(
		"[" PROFILE("0x1", 10, 0, "") ",{'ph':'P','name':'ProfileChunk','id':'0x1','pid':1,'tid':88,'ts':1}," CHUNK(
			"0x1", 1, "") "," CHUNK("0x1", 1, SAMPLES("2,2", "10,10")) "]",
		"chunk", 2);
}
END_TEST

START_TEST(profile_without_samples_is_named)
{
	ck_says("[" PROFILE("0x1", 10, 0, "") "]", "has no samples");
}
END_TEST

START_TEST(cpu_profile_event_is_a_whole_profile)
{
	ck_tells(
		"[" EV("I", "CpuProfile", 900,
		       ",'args':{'data':{'cpuProfile':{" NODES
		       ",'samples':[2,3],'timeDeltas':[10,10],'startTime':100,'endTime':125}}}") "]",
		"samples 1/1 a:110-125 | b:120-125\n");
}
END_TEST

START_TEST(syntax_error_in_a_chunk_has_its_place)
{
	struct error err = ERROR_INIT;
	char *text = quoted("[" CHUNK("0x1", 1, "'timeDeltas':[1 2]") "]");

	ck_assert_ptr_null(load_bytes(text, strlen(text), &err));
	ck_assert_int_eq(err.offset, (int64_t)(strstr(text, "1 2") + 2 - text));
	free(text);
}
END_TEST

/* ---- stack frames and samples ---- */

START_TEST(top_level_samples_are_a_lane_per_thread)
{
	ck_tells(
		"{'samples':[{'pid':1,'tid':'2','ts':'30','sf':2},{'pid':1,'tid':'2','ts':'10','sf':1,'weight':'1'},{'pid':1,'tid':'2','ts':'20','sf':2}],"
		"'stackFrames':{'1':{'name':'main'},'2':{'name':'sum(app.js:7:3)','parent':'1'}},'traceEvents':[]}",
		"samples 1/2 main:10-40 | sum:20-40\n");
}
END_TEST

START_TEST(hermes_names_hold_their_place)
{
	struct profile *p = load(
		"{'traceEvents':[],'stackFrames':{'2':{'name':'sum(http://h/app.js:7:3)'}},'samples':[{'pid':1,'tid':2,'ts':10,'sf':2},{'pid':1,'tid':2,'ts':20,'sf':2}]}");
	const struct frame *f = profile_node_frame(p, &p->lanes[0], 1);

	ck_assert_str_eq(profile_text(p, f->url), "http://h/app.js");
	ck_assert_int_eq(f->line, 7);
	ck_assert_int_eq(f->column, 3);
	profile_free(p);
}
END_TEST

START_TEST(missing_stack_frame_is_a_question_mark)
{
	const char *text =
		"{'traceEvents':[],'stackFrames':{'2':{'name':'a','parent':9}},'samples':[{'pid':1,'tid':2,'ts':10,'sf':2},{'pid':1,'tid':2,'ts':20,'sf':5}]}";

	ck_tells(text, "samples 1/2 a:10-20 ?:20-30\n");
	ck_warns(text, "stack-frame", 2);
}
END_TEST

START_TEST(circle_of_stack_frames_is_cut)
{
	ck_warns(
		"{'traceEvents':[],'stackFrames':{'2':{'name':'a','parent':3},'3':{'name':'b','parent':2}},'samples':[{'pid':1,'tid':2,'ts':10,'sf':2},{'pid':1,'tid':2,'ts':20,'sf':2}]}",
		"cycle", 1);
}
END_TEST

/* ---- metadata ---- */

START_TEST(innermost_bread_crumb_is_the_window)
{
	struct profile *p = load(
		"{'metadata':{'modifications':{'initialBreadcrumb':{'window':{'min':0,'max':1000},'child':{'window':{'min':100,'max':400},'child':null}}}},'traceEvents':[" X(
			"a", 50, 900) "]}");

	ck_assert_int_eq(p->window_t0, 50000);
	ck_assert_int_eq(p->window_t1, 350000);
	profile_free(p);
}
END_TEST

START_TEST(labelled_ranges_are_marks)
{
	ck_tells(
		"{'metadata':{'modifications':{'annotations':{'labelledTimeRanges':[{'bounds':{'min':1,'max':2},'label':'spike'}]}}},'traceEvents':[]}",
		"marks -1/-1 [Marks] spike:1\n");
}
END_TEST

START_TEST(metadata_is_told)
{
	const char *text =
		"{'metadata':{'source':'DevTools','hardwareConcurrency':8,'resources':[{'content':'x'}]},'traceEvents':[]}";

	ck_says(text, "source: DevTools");
	ck_says(text, "hardwareConcurrency: 8");
	ck_says(text, "metadata.resources (");
}
END_TEST

START_TEST(time_0_far_from_the_rest_is_left_out_of_the_view)
{
	const char *text = "[" X("odd", 0, 0) "," X("a", 900000000, 50) "," X("b", 900000100,
									      50) "]";
	struct profile *p = load(text);

	ck_assert_int_eq(p->window_t1 - p->window_t0, 150000);
	profile_free(p);
	ck_warns(text, "time-zero", 1);
}
END_TEST

START_TEST(events_days_away_are_kept_but_not_in_view)
{
	const char *text = "[" X("a", 900000000, 50) "," X("b", 900000100,
							   50) "," X("odd", 900000000000, 5) "]";
	struct profile *p = load(text);

	ck_assert_uint_eq(count_of(p, "time-zero"), 1);
	ck_assert_int_eq(p->window_t0, 0);
	ck_assert_int_eq(p->window_t1, 150000);
	profile_free(p);
	ck_warns("[" X("a", 1, 50) "," X("b", 86399999999, 50) "," X("c", 86400000001, 5) "]",
		 "time-zero", 0);
}
END_TEST

/* ---- the cursor ---- */

START_TEST(cursor_skips_what_strings_hide)
{
	static const char *const text[] = {
		"{'a':'}]{[','b':[1,{'c':'\\\\'}],'d':'\\'}'}",
		"[]",
		"{}",
		"['"
		"xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx\\'"
		"]']",
		"['"
		"xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx\\'"
		"]']",
		"['"
		"xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx\\\\"
		"']",
	};

	for (size_t i = 0; i < ARRAY_LEN(text); i++) {
		char block[512] = "";
		char *copy = quoted(text[i]);

		snprintf(block, sizeof block, "%s, next", copy);
		for (size_t cut = 0; cut <= strlen(copy); cut++) {
			struct cursor c = cursor_of((struct slice){ block, cut });

			ck_assert_int_eq(cursor_skip(&c), cut == strlen(copy));
			ck_assert(cut == strlen(copy) ? c.p == (unsigned char *)block + cut
						      : c.is_cut);
		}
		free(copy);
	}
}
END_TEST

START_TEST(cursor_reads_numbers_as_others_do)
{
	static const char *const odd[] = { "-0",
					   "1e3",
					   "0.1234567",
					   "1.",
					   "01",
					   "-",
					   "99999999999999999999",
					   "12345678",
					   "123456789.5",
					   "1234567x",
					   "-12345678.25",
					   "0.0005",
					   "1E+2" };
	uint64_t seed = 7;

	for (int i = 0; i < 20000; i++) {
		char number[40], block[80] = "";
		int64_t want, got;
		enum number_kind want_kind, kind;
		struct cursor c;
		bool is_text, is_good;

		seed = seed * UINT64_C(6364136223846793005) + 1442695040888963407;
		if (i < N(odd))
			snprintf(number, sizeof number, "%s", odd[i]);
		else if (i % 2)
			snprintf(number, sizeof number, "%lld", (long long)(seed >> (seed % 63)));
		else
			snprintf(number, sizeof number, "%s%llu.%llu", i % 3 ? "" : "-",
				 (unsigned long long)(seed >> (14 + seed % 50)),
				 (unsigned long long)(seed % 10007));
		snprintf(block, sizeof block, "%s, 1234567890123456789", number);
		c = cursor_of((struct slice){ block, strlen(block) });
		is_good = json_number_parse(number, strlen(number), 3, &want, &want_kind);
		ck_assert_msg(cursor_number(&c, 3, &got, &kind, &is_text) == is_good, "%s", number);
		if (is_good) {
			ck_assert_msg(got == want, "%s: %lld, not %lld", number, (long long)got,
				      (long long)want);
			ck_assert_int_eq(*c.p, ',');
		}
	}
}
END_TEST

START_TEST(cursor_finds_brackets_that_do_not_fit)
{
	char block[64] = "{\"a\":[}] ";
	struct cursor c = cursor_of((struct slice){ block, 9 });

	ck_assert(!cursor_skip(&c));
	ck_assert_ptr_nonnull(c.why);
	ck_assert_ptr_eq(c.p, (unsigned char *)block + 6);
}
END_TEST

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

/* ---- all at once ---- */

static const char whole[] =
	"{'metadata':{'source':'DevTools','modifications':{'initialBreadcrumb':{'window':{'min':1,'max':4},'child':null}}},'traceEvents':[\n" X(
		"a", 1, 9) "," B("caf\\u00e9",
				 2) "," E("caf\\u00e9",
					  5) "," EV("i", "mark", 3,
						    ",'s':'g'") "," AS("b", "req", 0,
								       1) "," AS("n", "step", 2,
										 1) "," AS("e",
											   "req", 20, 1) "," EV("s", "f", 5, ",'cat':'c','id':1") "," EV("f", "f", 6, ",'cat':'c','id':1,'bp':'e'") "," EV("C", "heap", 5, ",'args':{'used':10.5,'free':-4}") "," EV("O", "o", 2, ",'id':1,'args':{'snapshot':{'a':['x',{}]}}") "," META("thread_name",
																																									 "'name':'main'",
																																									 1,
																																									 1) "," PROFILE("0x1", 10,
																																											0,
																																											"'startTime':0,'source':'Internal'") "," CHUNK("0x1",
																																																       900,
																																																       SAMPLES("2,3,2", "10,10,-1")) "," CHUNK("0x1",
																																																					       901, "'endTime':1490") "," TIMING("b", "m", 2, ",'id2':{'local':'1'},'args':{'detail':'{}'}") "," TIMING("e",
																																																																			"m",
																																																																			5,
																																																																			",'id2':{'local':'1'}") "],\n"
																																																																						"'stackFrames':{'1':{'name':'main'},'2':{'name':'sum','parent':1}},'samples':[{'pid':1,'tid':1,'ts':10,'sf':2},{'pid':1,'tid':1,'ts':20,'sf':1}]}\n";

START_TEST(cut_at_every_byte_it_loads_or_fails_cleanly)
{
	char *text = quoted(whole);
	size_t len = strlen(text), n_loaded = 0;

	for (size_t cut = 0; cut <= len; cut++) {
		/* Of its own, so that a sanitizer sees what is read behind it. */
		char *part = malloc(cut + 1);
		struct error err = ERROR_INIT;
		struct profile *p;

		memcpy(part, text, cut);
		p = load_bytes(part, cut, &err);
		ck_assert_msg(p || err.text[0], "no reason at byte %zu", cut);
		ck_assert_msg(p || cut < (size_t)(strstr(text, "traceEvents") - text) + 20,
			      "not loaded at byte %zu: %s", cut, err.text);
		if (p && cut + 1 < len)
			ck_assert_uint_ge(count_of(p, "cut-off"), 1);
		n_loaded += p != NULL;
		profile_free(p);
		free(part);
	}
	ck_assert_uint_gt(n_loaded, len / 2);
	free(text);
}
END_TEST

START_TEST(windows_end_anywhere)
{
	struct buf text = { 0 };
	struct profile *p;
	char fill[401] = "\\\\";
	int n = 5000;

	memset(fill + 2, 'x', sizeof fill - 3);

	/* Several windows full, events of all lengths. */
	buf_addc(&text, '[');
	for (int i = 0; i < n; i++)
		buf_addf(
			&text,
			"%s{'ph':'X','name':'e%d','args':{'s':'%.*s'},'pid':1,'tid':1,'ts':%d,'dur':%d}",
			i ? "," : "", i % 7, i % 400, &fill[i % 400 == 1 ? 2 : 0], i * 10,
			i % 9 + 1);
	buf_addc(&text, ']');
	p = load(buf_text(&text));
	ck_assert_uint_eq(p->lanes[0].slices.n, (size_t)n);
	profile_free(p);
	buf_done(&text);
}
END_TEST

START_TEST(event_is_shown_on_demand)
{
	char path[] = "/tmp/check_trace.XXXXXX",
	     *text = quoted("[" X("a", 1, 2) "," EV("X", "b", 5,
						    ",'dur':1,'args':{'k':'\\u001b[31m'}") "]");
	struct error err = ERROR_INIT;
	struct buf out = { 0 };
	int fd = mkstemp(path);

	ck_assert_int_eq(write(fd, text, strlen(text)), (ssize_t)strlen(text));
	close(fd);
	ck_assert(event_copy(path, 2 + (int64_t)strlen(X("a", 1, 2)), 4096, &out, &err));
	ck_assert_ptr_nonnull(strstr(buf_text(&out), "\"name\": \"b\""));
	ck_assert_ptr_null(strchr(buf_text(&out), 27));
	buf_clear(&out);
	ck_assert(event_copy(path, 1, 10, &out, &err));
	ck_assert_ptr_nonnull(strstr(buf_text(&out), "more bytes"));
	buf_clear(&out);
	ck_assert(!event_copy(path, 100000, 4096, &out, &err));
	ck_assert_uint_eq(out.len, 0);
	buf_done(&out);
	unlink(path);
	free(text);
}
END_TEST

/* Events of all lengths up to several stretches of the stream, with texts that are needed and texts
 * that are not. */
static void add_many(struct buf *text, unsigned n)
{
	uint32_t r = 1;

	for (unsigned i = 0; i < n; i++) {
		unsigned len;

		r = r * 1664525 + 1013904223;
		len = r >> 8 & 0xFF;
		len = i % 5000 == 4999 ? 700000 : i % 900 == 899 ? 20000 + len : len;
		buf_addf(
			text,
			"%s{'ph':'%s','name':'n%u','cat':'%s','pid':%u,'tid':'t%u','ts':%u.%u,'dur':%u,'id':'0x%x','args':{'d':'",
			i ? ",\n" : "",
			i % 11 == 3           ? "I"
				: i % 17 == 4 ? "b"
				: i % 17 == 8 ? "e"
				: i % 13 == 5 ? "s"
				: i % 13 == 6 ? "f"
					      : "X",
			r >> 20 & 63, i % 7 == 1 ? "blink.user_timing" : "c", i % 3, i % 5, i * 3,
			r >> 16 & 7, r >> 12 & 15, i / 17);
		for (unsigned k = 0; k < len; k++)
			buf_addc(text, (char)('a' + (i + k) % 26));
		buf_addf(text, "'}}%s", i % 1000 == 7 ? ",7" : "");
	}
}

static void tell_all(const char *text, size_t len, size_t from, struct buf *out)
{
	struct error err = ERROR_INIT;
	struct profile *p;

	ahead_from = from;
	p = load_bytes(text, len, &err);
	if (!p) {
		buf_addf(out, "%s at %lld", err.text, (long long)err.offset);
		return;
	}
	for (uint32_t i = 0; i < p->n_lanes; i++)
		add_lane(out, p, &p->lanes[i]);
	for (size_t i = 0; i < p->inputs[0].n_warnings; i++)
		buf_addf(out, "%s %llu %lld\n", p->inputs[0].warnings[i].kind,
			 (unsigned long long)p->inputs[0].warnings[i].count,
			 (long long)p->inputs[0].warnings[i].offset);
	for (size_t i = 0; i < p->n_flows; i++)
		buf_addf(out, "flow %u in %u\n", p->flows[i].flow, p->flows[i].lane);
	profile_free(p);
}

/* Whether reading on threads changes anything, from the start or from the middle of the list on. */
START_TEST(long_trace_is_the_same_on_threads)
{
	static const char *const ends[] = {
		"]", "", ",{'ph':'X','na", ",{'ph':'X' 'name':1}]",
		",{'ph':'P','name':'ProfileChunk','pid':1,'tid':1,'ts':9,'args':{'data':{'cpuProfile':{'nodes':[1,}}}},"
	};
	struct buf text = { 0 };

	for (size_t i = 0; i < ARRAY_LEN(ends); i++) {
		struct buf alone = { 0 }, ahead = { 0 }, later = { 0 };
		char *copy;

		buf_clear(&text);
		buf_addc(&text, '[');
		add_many(&text, 24000);
		buf_adds(&text, ends[i]);
		/* Behind an error others must not count. */
		if (i == 4)
			add_many(&text, 20000);
		copy = quoted(buf_text(&text));
		tell_all(copy, text.len, SIZE_MAX, &alone);
		tell_all(copy, text.len, 0, &ahead);
		tell_all(copy, text.len, text.len / 3, &later);
		ck_assert_uint_gt(alone.len, i < 3 ? 100000 : 10);
		ck_assert(strcmp(buf_text(&alone), buf_text(&ahead)) == 0);
		ck_assert(strcmp(buf_text(&alone), buf_text(&later)) == 0);
		buf_done(&alone);
		buf_done(&ahead);
		buf_done(&later);
		free(copy);
	}
	buf_done(&text);
}
END_TEST

static void add_rules(TCase *tc)
{
	tcase_add_test(tc, object_with_members_in_any_order);
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
	tcase_add_test(tc, threads_do_not_take_each_others_ends);
	tcase_add_test(tc, e_without_name_closes_innermost);
	tcase_add_test(tc, end_waits_for_its_time_stamp);
	tcase_add_test(tc, end_of_an_outer_slice_closes_those_inside);
	tcase_add_test(tc, what_began_at_this_instant_stays_open);
	tcase_add_test(tc, end_without_begin_is_counted);
	tcase_add_test(tc, open_begin_lasts_to_the_end_of_the_trace);
	tcase_add_test(tc, many_begins_and_ends_of_one_instant);
	tcase_add_test(tc, end_event_is_kept_for_its_args);
	tcase_add_test(tc, instants_stand_where_their_scope_says);
	tcase_add_test(tc, objects_are_marks);
	tcase_add_test(tc, undrawn_phases_are_named);
	tcase_add_test(tc, async_slices_nest_by_id);
	tcase_add_test(tc, async_id_is_used_again_after_its_end);
	tcase_add_test(tc, async_overlap_takes_another_row);
	tcase_add_test(tc, local_ids_belong_to_a_process);
	tcase_add_test(tc, async_without_partner);
	tcase_add_test(tc, old_async_has_steps);
	tcase_add_test(tc, many_names_share_a_track);
	tcase_add_test(tc, flow_binds_to_enclosing_and_next_slice);
	tcase_add_test(tc, flow_without_id_is_counted);
	tcase_add_test(tc, flow_of_bind_id);
	tcase_add_test(tc, counter_series_that_is_missing_is_0);
	tcase_add_test(tc, counter_with_id_is_another);
	tcase_add_test(tc, counter_of_no_numbers_is_counted);
	tcase_add_test(tc, update_counters_are_counters);
	tcase_add_test(tc, user_timings_have_tracks_of_their_own);
	tcase_add_test(tc, detail_puts_a_measure_on_a_track);
	tcase_add_test(tc, detail_makes_a_marker_over_all_lanes);
	tcase_add_test(tc, detail_of_another_kind_is_a_plain_measure);
	tcase_add_test(tc, of_equal_measures_the_later_is_outer);
	tcase_add_test(tc, time_stamp_without_a_track_is_a_mark);
	tcase_add_test(tc, names_may_come_last);
	tcase_add_test(tc, main_thread_comes_first_pools_last);
	tcase_add_test(tc, sort_index_comes_before_names);
	tcase_add_test(tc, metadata_does_not_count_for_the_range);
	tcase_add_test(tc, command_line_is_cut_to_what_it_tells);
	tcase_add_test(tc, console_timers_share_a_track);
	tcase_add_test(tc, page_of_a_renderer_comes_with_its_load);
	tcase_add_test(tc, renderer_is_told_by_its_page);
	tcase_add_test(tc, profile_stands_on_the_announced_thread);
	tcase_add_test(tc, end_time_is_of_the_profiles_own_clock);
	tcase_add_test(tc, stop_profiling_ends_a_profile);
	tcase_add_test(tc, deltas_go_on_across_chunks_in_file_order);
	tcase_add_test(tc, chunk_before_profile);
	tcase_add_test(tc, chunk_without_profile_keeps_its_own_thread);
	tcase_add_test(tc, one_id_in_two_processes_is_two_profiles);
	tcase_add_test(tc, of_several_profiles_of_a_thread_one_is_open);
	tcase_add_test(tc, profile_announced_again_is_a_second_recording);
	tcase_add_test(tc, chunk_without_data_is_counted);
	tcase_add_test(tc, profile_without_samples_is_named);
	tcase_add_test(tc, cpu_profile_event_is_a_whole_profile);
	tcase_add_test(tc, syntax_error_in_a_chunk_has_its_place);
	tcase_add_test(tc, top_level_samples_are_a_lane_per_thread);
	tcase_add_test(tc, hermes_names_hold_their_place);
	tcase_add_test(tc, missing_stack_frame_is_a_question_mark);
	tcase_add_test(tc, circle_of_stack_frames_is_cut);
	tcase_add_test(tc, innermost_bread_crumb_is_the_window);
	tcase_add_test(tc, labelled_ranges_are_marks);
	tcase_add_test(tc, metadata_is_told);
	tcase_add_test(tc, time_0_far_from_the_rest_is_left_out_of_the_view);
	tcase_add_test(tc, events_days_away_are_kept_but_not_in_view);
	tcase_add_test(tc, cursor_skips_what_strings_hide);
	tcase_add_test(tc, cursor_reads_numbers_as_others_do);
	tcase_add_test(tc, cursor_finds_brackets_that_do_not_fit);
	tcase_add_test(tc, arguments_may_nest_deeply);
	tcase_add_test(tc, cut_at_every_byte_it_loads_or_fails_cleanly);
	tcase_add_test(tc, windows_end_anywhere);
	tcase_add_test(tc, event_is_shown_on_demand);
	tcase_set_timeout(tc, 60);
}

static void add_tests(Suite *suite)
{
	TCase *alone = suite_case(suite, "rules", SUITE_SECONDS);
	TCase *ahead = suite_case(suite, "on threads", SUITE_SECONDS);
	TCase *both = suite_case(suite, "both", 120);

	add_rules(alone);
	tcase_add_checked_fixture(ahead, read_ahead, NULL);
	add_rules(ahead);
	tcase_add_test(both, long_trace_is_the_same_on_threads);
}

int main(void)
{
	return suite_run("trace", add_tests);
}
