/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The rules by which nodes, samples and deltas become a tree and times, one test for
 * each, named after it. A small document goes in; out comes its story, one
 * "time stack" for each sample and the end of the last, in microseconds. */
#include "config.h"

#define SUITE_OF_MANY

#include "load_text.h"
#include "suite.h"

#include "analyse/totals.h"
#include "analyse/view/as_recorded.h"
#include "base/buf.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>

/* Documents are written with ' for ". */
#define DOC(nodes, rest) "{'nodes':[" nodes "]," rest "}"
#define ROOT(kids)                                                                                                                  \
	"{'id':1,'callFrame':{'functionName':'(root)','scriptId':'0','url':'','lineNumber':-1,'columnNumber':-1},'children':[" kids \
	"]}"
#define FN(id, name, more)                                                                         \
	",{'id':" #id ",'callFrame':{'functionName':'" name                                        \
	"','scriptId':'9','url':'file:///a.js','lineNumber':" #id ",'columnNumber':2}" more "}"
#define SYS(id, name)                                                                              \
	",{'id':" #id ",'callFrame':{'functionName':'" name                                        \
	"','scriptId':'0','url':'','lineNumber':-1,'columnNumber':-1}}"
#define KIDS(ids) ",'children':[" ids "]"

/* root > a(2) > b(3), c(4) */
#define ABC ROOT("2,4") FN(2, "a", KIDS("3")) FN(3, "b", "") FN(4, "c", "")
/* root > (program)(2), (idle)(3), (garbage collector)(4), a(5) > b(6), c(7) */
#define SYSTEM                                                                                     \
	ROOT("2,3,4,5,7")                                                                          \
	SYS(2, "(program)")                                                                        \
	SYS(3, "(idle)")                                                                           \
	SYS(4, "(garbage collector)") FN(5, "a", KIDS("6")) FN(6, "b", "") FN(7, "c", "")
#define EVERY_10(samples, deltas)                                                                  \
	"'startTime':0,'endTime':1000,'samples':[" samples "],'timeDeltas':[" deltas "]"

static struct profile *try_load(const char *text, bool is_raw, struct error *err)
{
	struct builder *b = builder_new(&(struct builder_options){ .is_raw = is_raw });
	char *copy = quoted(text);
	struct profile *p = load_text_with(b, copy, strlen(text), SIZE_MAX, NULL, err);

	free(copy);
	return p;
}

static struct profile *load_as(const char *text, bool is_raw)
{
	struct error err = ERROR_INIT;
	struct profile *p = try_load(text, is_raw, &err);

	if (!p)
		ck_abort_msg("not loaded: %s in %.500s", err.text, text);
	return p;
}

static struct profile *load(const char *text)
{
	return load_as(text, false);
}

static void add_us(struct buf *out, int64_t ns)
{
	buf_addf(out, "%lld", (long long)(ns / 1000));
	if (ns % 1000)
		buf_addf(out, ".%03d", abs((int)(ns % 1000)));
}

static void add_stack(struct buf *out, const struct profile *p, const struct lane *l, node_id node)
{
	if (node == NODE_ROOT)
		return;
	if (l->tree.parent[node] != NODE_ROOT) {
		add_stack(out, p, l, l->tree.parent[node]);
		buf_addc(out, '>');
	}
	buf_adds(out, profile_text(p, profile_node_frame(p, l, node)->name));
}

/* "0 a|10 a>b|20 -|30": times count from the start of the profile, "-" is an empty stack. */
static void check_story_of(const struct profile *p, uint32_t lane, const char *expect)
{
	const struct lane *l = &p->lanes[lane];
	struct buf out = { 0 };

	for (size_t i = 0; i < l->samples.n; i++) {
		add_us(&out, samples_time(&l->samples, i));
		buf_addc(&out, ' ');
		if (l->samples.leaf[i] == NODE_ROOT)
			buf_addc(&out, '-');
		add_stack(&out, p, l, l->samples.leaf[i]);
		buf_addc(&out, '|');
	}
	add_us(&out, samples_time(&l->samples, l->samples.n));
	ck_assert_str_eq(buf_text(&out), expect);
	buf_done(&out);
}

static uint64_t warned(const struct profile *p, const char *kind)
{
	for (size_t i = 0; i < p->inputs[0].n_warnings; i++)
		if (strcmp(warning_name(p->inputs[0].warnings[i].kind), kind) == 0)
			return p->inputs[0].warnings[i].count;
	return 0;
}

static void check_story(const char *text, const char *expect)
{
	struct profile *p = load(text);

	ck_assert_uint_eq(p->n_lanes, 1);
	check_story_of(p, 0, expect);
	profile_free(p);
}

/* The story, and how often a kind of warning was counted. */
static void check_warned(const char *text, const char *expect, const char *kind, uint64_t count)
{
	struct profile *p = load(text);

	check_story_of(p, 0, expect);
	ck_assert_msg(warned(p, kind) == count, "%s: %llu times", kind,
		      (unsigned long long)warned(p, kind));
	profile_free(p);
}

/* Self and total of all functions of a name, in ns, over the whole profile, and how many
 * functions have that name. */
static void check_times(const struct profile *p, const char *name, unsigned n_functions,
			int64_t self, int64_t total)
{
	struct totals totals;
	struct view view;
	int64_t is_self = 0, is_total = 0;
	unsigned n = 0;

	view_init(&view, p, &(const struct lane *){ &p->lanes[0] }, 1);
	totals_init(&totals, &view);
	totals_compute(&totals, 0, p->t1);
	for (uint32_t i = 0; i < totals.n_used; i++) {
		frame_id f = totals.used[i];

		if (strcmp(profile_text(p, profile_frame(p, f)->name), name) != 0)
			continue;
		n++;
		is_self += totals.frame_self[f];
		is_total += totals.frame_total[f];
	}
	totals_done(&totals);
	view_done(&view);
	ck_assert_msg(n == n_functions, "%s: %u functions, expected %u", name, n, n_functions);
	ck_assert_msg(is_self == self && is_total == total,
		      "%s: self %lld total %lld, expected %lld and %lld", name, (long long)is_self,
		      (long long)is_total, (long long)self, (long long)total);
}

static const struct frame *frame_named(const struct profile *p, const char *name)
{
	for (uint32_t i = 1; i < p->frames.n; i++)
		if (strcmp(profile_text(p, p->frames.frames[i].name), name) == 0)
			return &p->frames.frames[i];
	ck_abort_msg("no function %s", name);
	return NULL;
}

static void check_fails(const char *text, enum error_kind kind, const char *part)
{
	struct error err = ERROR_INIT;
	struct profile *p = try_load(text, false, &err);

	ck_assert_msg(p == NULL, "loaded: %s", text);
	ck_assert_int_eq(err.kind, kind);
	ck_assert_msg(strstr(err.text, part) != NULL, "\"%s\" lacks \"%s\"", err.text, part);
}

/* ---- times and lengths of samples ---- */

START_TEST(sample_owns_time_to_the_next)
{
	check_story(DOC(ABC, EVERY_10("3,2,4", "5,10,20")), "5 a>b|15 a|35 c|50");
}
END_TEST

START_TEST(last_sample_takes_average_interval)
{
	check_story(DOC(ABC, EVERY_10("2,3,4", "0,10,30")), "0 a|10 a>b|40 c|60");
	check_story(DOC(ABC, "'startTime':0,'samples':[2,3],'timeDeltas':[0,10]"), "0 a|10 a>b|20");
}
END_TEST

/* Of a member that comes twice, the last one counts: times, samples, and the start. */
START_TEST(member_that_comes_twice_counts_the_last)
{
	static const struct {
		const char *rest, *story;
	} cases[] = {
		{ "'startTime':0,'samples':[4,4,4],'samples':[2,3],'timeDeltas':[0,10]",
		  "0 a|10 a>b|20" },
		{ "'startTime':0,'samples':[2,3],'timeDeltas':[5,5,5],'timeDeltas':[0,10]",
		  "0 a|10 a>b|20" },
		{ "'startTime':0,'samples':[2,3],'timestamps':[1,2,3],'timestamps':[0,10]",
		  "0 a|10 a>b|20" },
		{ "'startTime':7,'startTime':0,'endTime':3,'endTime':15,'samples':[2,3],'timeDeltas':[0,10]",
		  "0 a|10 a>b|15" },
	};

	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		struct buf text = { 0 };

		buf_addf(&text, "{'nodes':[%s],%s}", ABC, cases[i].rest);
		check_story(buf_text(&text), cases[i].story);
		buf_done(&text);
	}
}
END_TEST

/* The node of a sample is the one that has its id in the end, wherever samples and nodes come. */
START_TEST(samples_and_nodes_come_in_any_order)
{
	static const struct {
		const char *before, *rest, *story;
	} cases[] = {
		{ "'samples':[2,3]", "'timeDeltas':[0,10]", "0 a|10 a>b|20" },
		{ "'samples':[2,3],'timeDeltas':[0,10]", "'samples':[4,4,3],'timeDeltas':[0,10,20]",
		  "0 c|10 c|30 a>b|45" },
		{ "'nodes':[" ROOT("3,2") FN(3, "x", KIDS("4")) FN(2, "y", "")
			  FN(4, "z", "") "],'samples':[2,3,4]",
		  "'timeDeltas':[0,10,20]", "0 a|10 a>b|30 c|45" },
		{ "'nodes':[" ROOT("2") FN(2, "y", "") "],'samples':[2,3,4,2]",
		  "'timeDeltas':[0,10,20,20]", "0 a|10 a>b|30 c|50 a|66.667" },
		{ "'startTime':0", "'samples':[2,null,9,3],'timeDeltas':[0,10,10,10]",
		  "0 a|20 (unknown)|30 a>b|40" },
		{ "'startTime':0", "'samples':[2,9,3,4],'timeDeltas':[0,30,-10,20]",
		  "0 a|20 a>b|30 (unknown)|40 c|53.333" },
	};

	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		struct buf text = { 0 };

		buf_addf(&text, "{'startTime':0,%s,'nodes':[%s],%s}", cases[i].before, ABC,
			 cases[i].rest);
		check_story(buf_text(&text), cases[i].story);
		buf_done(&text);
	}
}
END_TEST

/* Also of nodes, and of the members of a node; the earlier value may be of any type. */
START_TEST(nodes_that_come_twice_count_the_last)
{
#define REST "'startTime':0,'samples':[2,3],'timeDeltas':[0,10]"
#define OTHER ROOT("3,2") FN(2, "x", KIDS("4")) FN(3, "y", "") FN(4, "z", "")
	static const struct {
		const char *text, *story;
	} cases[] = {
		{ "{'nodes':[" OTHER "],'nodes':[" ABC "]," REST "}", "0 a|10 a>b|20" },
		{ "{" REST ",'nodes':[" OTHER "],'nodes':[" ABC "]}", "0 a|10 a>b|20" },
		{ "{'nodes':null,'nodes':[" ABC "]," REST "}", "0 a|10 a>b|20" },
		{ "{'nodes':{'x':[1]},'nodes':7,'nodes':[" ABC "]," REST "}", "0 a|10 a>b|20" },
		{ DOC(ROOT("2") FN(2, "a", ",'children':[9],'children':[3]") FN(3, "b", ""), REST),
		  "0 a|10 a>b|20" },
		{ DOC(ROOT("2,3") FN(2, "a", ",'children':[3],'children':null") FN(3, "b", ""),
		      REST),
		  "0 a|10 b|20" },
	};

	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		struct profile *p = load(cases[i].text);

		ck_assert_uint_eq(p->n_lanes, 1);
		check_story_of(p, 0, cases[i].story);
		ck_assert_uint_eq(p->inputs[0].n_warnings, 1); /* no endTime */
		profile_free(p);
	}
#undef OTHER
#undef REST
}
END_TEST

static void check_refused(const char *text, enum error_kind kind, const char *why)
{
	struct error err = ERROR_INIT;
	struct profile *p = try_load(text, false, &err);

	ck_assert_ptr_null(p);
	ck_assert_int_eq(err.kind, kind);
	ck_assert_msg(strstr(err.text, why) != NULL, "%s", err.text);
}

START_TEST(nodes_that_are_null_are_absent)
{
	check_refused("{'nodes':[" ABC "],'samples':[2],'timeDeltas':[1],'nodes':null}", ERR_FORMAT,
		      "no nodes");
}
END_TEST

/* A model that an editor has computed has nodes, samples and deltas, too. */
START_TEST(nodes_without_call_frames_are_no_profile)
{
	check_refused(
		"{'nodes':[{'id':0,'selfTime':5,'children':[1]},{'id':1,'locationId':1,'lineNumber':3,'children':[]}],"
		"'samples':[1],'timeDeltas':[10],'locations':[{'id':1,'callFrame':{'functionName':'f'}}]}",
		ERR_UNKNOWN, "nodes have no call frames");
	/* One of them is enough; so is a name. */
	check_story(
		"{'nodes':[{'id':1,'callFrame':{},'children':[2]},{'id':2}],'samples':[2],'timestamps':[10,20]}",
		"0 (anonymous)|10");
	check_story(
		"{'nodes':[{'id':1,'children':[2]},{'id':2,'functionName':'f'}],'samples':[2],'timestamps':[10,20]}",
		"0 f|10");
}
END_TEST

/* A file that is evaluated twice: two nodes, and two script ids. */
START_TEST(sibling_nodes_of_one_function_are_two_spans)
{
#define TWIN(id, script, more)                                                                     \
	",{'id':" #id ",'callFrame':{'functionName':'f','scriptId':'" script                       \
	"','url':'file:///a.js','lineNumber':1,'columnNumber':2}" more "}"
	struct profile *p = load(DOC(
		ROOT("2,3") TWIN(2, "7", KIDS("4")) TWIN(3, "8", KIDS("5")) FN(4, "g", "")
			TWIN(5, "9", ""),
		"'startTime':0,'endTime':60,'samples':[2,4,4,3,5,5],'timeDeltas':[0,10,10,10,10,10]"));
	const struct lane *lane = &p->lanes[0];
	struct span span;

	/* f 0-30 with g 10-30, then f 30-60 with f 40-60. */
	check_story_of(p, 0, "0 f|10 f>g|20 f>g|30 f|40 f>f|50 f>f|60");
	ck_assert_uint_eq(lane->n_spans, 4);
	ck_assert(span_at(&lane->samples, &lane->tree, 0, 0, &span));
	ck_assert_int_eq(span.t1, 30000);
	ck_assert(span_at(&lane->samples, &lane->tree, 0, 59999, &span));
	ck_assert_int_eq(span.t0, 30000);
	check_times(p, "f", 1, 40000, 60000);
	profile_free(p);
#undef TWIN
}
END_TEST

START_TEST(average_counts_from_first_to_last_sample)
{
	/* The lead-in of 500 is no interval. */
	check_story(DOC(ABC, EVERY_10("2,3,4", "500,10,10")), "500 a|510 a>b|520 c|530");
}
END_TEST

START_TEST(last_sample_is_cut_at_end_time)
{
	check_story(DOC(ABC, "'startTime':0,'endTime':24,'samples':[2,3,4],'timeDeltas':[0,10,10]"),
		    "0 a|10 a>b|20 c|24");
}
END_TEST

START_TEST(end_time_before_last_sample_is_unknown)
{
	static const char *const end[] = { "'endTime':0,", "'endTime':20,", "'endTime':19,",
					   "'endTime':null,", "" };

	for (size_t i = 0; i < sizeof end / sizeof end[0]; i++) {
		struct buf text = { 0 };

		buf_addf(&text,
			 "{'nodes':[%s],'startTime':0,%s'samples':[2,3,4],'timeDeltas':[0,10,10]}",
			 ABC, end[i]);
		check_warned(buf_text(&text), "0 a|10 a>b|20 c|30", "end-time", 1);
		buf_done(&text);
	}
}
END_TEST

START_TEST(surplus_delta_closes_last_sample)
{
	check_story(DOC(ABC, "'startTime':0,'endTime':21,'samples':[2,3],'timeDeltas':[0,10,77]"),
		    "0 a|10 a>b|87");
	check_story(DOC(ABC, "'startTime':0,'endTime':21,'samples':[2],'timeDeltas':[0,77]"),
		    "0 a|77");
}
END_TEST

START_TEST(surplus_delta_counts_from_the_last_written_sample)
{
	/* Written at 0, 30, 20: the surplus of 50 ends at 70, not at 80. */
	check_story(DOC(ABC, "'startTime':0,'samples':[2,3,4],'timeDeltas':[0,30,-10,50]"),
		    "0 a|20 c|30 a>b|70");
	/* An end at 25 would be before the last sample: the average ends it. */
	check_story(DOC(ABC, "'startTime':0,'samples':[2,3,4],'timeDeltas':[0,30,-10,5]"),
		    "0 a|20 c|30 a>b|45");
}
END_TEST

START_TEST(further_surplus_deltas_are_ignored)
{
	check_warned(DOC(ABC, EVERY_10("2,3", "0,10,77,5")), "0 a|10 a>b|20", "deltas-long", 1);
}
END_TEST

START_TEST(single_sample_ends_at_end_time)
{
	check_story(DOC(ABC, "'startTime':0,'endTime':90,'samples':[2],'timeDeltas':[40]"),
		    "40 a|90");
	/* Without an end there is no duration: like equal times, a millisecond a sample. */
	check_story(DOC(ABC, "'startTime':0,'endTime':30,'samples':[2],'timeDeltas':[40]"),
		    "40 a|1040");
}
END_TEST

START_TEST(a_length_that_no_time_states_is_not_measured)
{
	static const struct {
		const char *rest;
		bool is_unmeasured;
	} cases[] = {
		{ "'startTime':0,'samples':[2],'timeDeltas':[40]", true },
		{ "'startTime':0,'endTime':40,'samples':[2],'timeDeltas':[40]", true },
		{ "'startTime':0,'samples':[2,3],'timeDeltas':[40,0]", true },
		{ "'startTime':0,'endTime':90,'samples':[2],'timeDeltas':[40]", false },
		{ "'startTime':0,'samples':[2],'timeDeltas':[40,50]", false },
		{ "'startTime':0,'samples':[2,3],'timeDeltas':[40,1]", false },
	};

	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		struct buf text = { 0 };
		struct profile *p;

		buf_addf(&text, "{'nodes':[%s],%s}", ABC, cases[i].rest);
		p = load(buf_text(&text));
		ck_assert_int_eq(p->lanes[0].is_unmeasured, cases[i].is_unmeasured);
		profile_free(p);
		buf_done(&text);
	}
}
END_TEST

START_TEST(negative_deltas_are_sorted_stably)
{
	check_warned(DOC(ABC, EVERY_10("2,3,4", "10,20,-5")), "10 a|25 c|30 a>b|40",
		     "negative-delta", 1);
	/* 3, 4 and 2 are all at 10, in the order of the file. */
	check_warned(DOC(ABC, EVERY_10("4,3,4,2", "20,-10,0,0")), "10 a>b|10 c|10 a|20 c|23.333",
		     "negative-delta", 1);
}
END_TEST

/* More disorder than the insertion sort is meant for. */
START_TEST(reversed_samples_are_sorted)
{
	enum { N = 3000 };
	struct buf text = { 0 };
	struct profile *p;

	buf_addf(&text, "{'nodes':[%s],'startTime':0,'samples':[", ABC);
	for (int i = 0; i < N; i++)
		buf_addf(&text, "%s%d", i ? "," : "", 2 + i % 3);
	buf_adds(&text, "],'timeDeltas':[");
	for (int i = 0; i < N; i++)
		buf_adds(&text, i == 0 ? "100000" : i % 2 ? ",-2" : ",0");
	buf_adds(&text, "]}");
	p = load(buf_text(&text));
	for (size_t i = 1; i < N; i++) {
		const struct samples *s = &p->lanes[0].samples;

		ck_assert_int_le(samples_time(s, i - 1), samples_time(s, i));
	}
	/* Pairs (2k - 1, 2k) of the file have one time; in the file's order within it. */
	for (int i = 0; i < N; i++) {
		const struct lane *l = &p->lanes[0];
		int at = i == N - 1 ? 0 : N - 1 - i; /* the file's index, were pairs reversed too */
		const char *name;

		if (i == 0)
			at = N - 1;
		else if (i < N - 1)
			at = at % 2 ? at + 1 : at - 1;
		name = profile_text(p, profile_node_frame(p, l, l->samples.leaf[i])->name);
		ck_assert_msg(name[0] ==
				      (at % 3 == 0           ? 'a'
					       : at % 3 == 1 ? 'b'
							     : 'c'),
			      "sample %d is %s", i, name);
	}
	profile_free(p);
	buf_done(&text);
}
END_TEST

START_TEST(lead_in_belongs_to_nobody)
{
	struct profile *p = load(
		DOC(ABC, "'startTime':100,'endTime':200,'samples':[2,4],'timeDeltas':[30,10]"));

	check_story_of(p, 0, "30 a|40 c|50");
	ck_assert_int_eq(p->origin_ns, 100000);
	ck_assert_int_eq(p->t1, 100000);
	ck_assert_int_eq(p->lanes[0].unsampled_ns, 80000);
	ck_assert_int_eq(p->lanes[0].busy_ns, 20000);
	check_times(p, "a", 1, 10000, 10000);
	check_times(p, "(program)", 0, 0, 0);
	profile_free(p);
}
END_TEST

START_TEST(fractions_of_microseconds_are_exact)
{
	struct profile *p = load(DOC(
		ABC,
		"'startTime':1795255182465123.25,'samples':[2,3,4],'timeDeltas':[0.25,7.001,9.0004]"));

	ck_assert_int_eq(p->origin_ns, INT64_C(1795255182465123250));
	check_story_of(p, 0, "0.250 a|7.251 a>b|16.251 c|24.252");
	profile_free(p);
}
END_TEST

START_TEST(missing_deltas_spread_samples_evenly)
{
	check_warned(DOC(ABC, "'startTime':0,'endTime':90,'samples':[2,3,4]"), "0 a|30 a>b|60 c|90",
		     "deltas-missing", 1);
	check_warned(DOC(ABC, "'samples':[2,3,4],'timeDeltas':[]"), "0 a|1000 a>b|2000 c|3000",
		     "deltas-missing", 1);
}
END_TEST

START_TEST(too_few_deltas_are_filled_with_the_average)
{
	check_warned(DOC(ABC, EVERY_10("2,3,4,2", "5,10")), "5 a|15 a>b|25 c|35 a|45",
		     "deltas-short", 1);
}
END_TEST

/* A number of 64 letters or more is none. */
START_TEST(very_long_start_time_is_unknown)
{
	static const char *const zeros = "0000000000000000000000000000000000000000"
					 "0000000000000000000000000";

	for (int n = 62; n <= 65; n++) {
		struct buf text = { 0 };

		buf_addf(&text,
			 "{'nodes':[%s],'startTime':\"5.%.*s\",'endTime':35,'samples':[2,3],"
			 "'timeDeltas':[0,10]}",
			 ABC, n - 2, zeros);
		check_warned(buf_text(&text), "0 a|10 a>b|20", "start-time", n < 64 ? 0 : 1);
		buf_done(&text);
	}
}
END_TEST

/* Nothing is left of an earlier profile of the file. */
START_TEST(each_profile_has_times_of_its_own)
{
	struct profile *p = load(
		DOC(ABC, "'startTime':1,'endTime':9,'samples':[2,3],'timeDeltas':[0,5]") "\n" DOC(
			ABC, "'samples':[2,3],'timeDeltas':[0,6]"));

	ck_assert_uint_eq(p->n_lanes, 2);
	check_story_of(p, 0, "1 a|6 a>b|9");
	check_story_of(p, 1, "0 a|6 a>b|12");
	ck_assert_uint_eq(warned(p, "end-time"), 1);
	ck_assert_uint_eq(warned(p, "start-time"), 1);
	profile_free(p);
}
END_TEST

START_TEST(missing_start_time_is_zero)
{
	check_warned(DOC(ABC, "'samples':[2,3],'timeDeltas':[5,10]"), "5 a|15 a>b|25", "start-time",
		     1);
}
END_TEST

START_TEST(unreadable_sample_gives_its_time_to_the_one_before)
{
	check_warned(DOC(ABC, EVERY_10("2,null,true,3.5,4", "0,10,10,10,10")), "0 a|40 c|50",
		     "odd-sample", 3);
	check_warned(DOC(ABC, EVERY_10("{},3,4", "0,10,10")), "10 a>b|20 c|30", "odd-sample", 1);
}
END_TEST

START_TEST(odd_delta_counts_as_zero)
{
	check_warned(DOC(ABC, EVERY_10("2,3,4", "0,null,20")), "0 a|0 a>b|20 c|30", "odd-delta", 1);
	check_warned(DOC(ABC, EVERY_10("2,3,4", "0,'10',20")), "0 a|10 a>b|30 c|45", "number-text",
		     1);
}
END_TEST

START_TEST(equal_times_are_spread)
{
	struct profile *p = load(DOC(ABC, "'startTime':0,'samples':[2,3,4],'timeDeltas':[7,0,0]"));

	ck_assert_uint_eq(warned(p, "zero-duration"), 1);
	check_times(p, "b", 1, 1000000, 1000000);
	check_times(p, "a", 1, 1000000, 2000000);
	profile_free(p);
}
END_TEST

START_TEST(consecutive_samples_of_a_node_are_one_span)
{
	struct profile *p = load(DOC(ABC, EVERY_10("3,3,2,3,4", "0,10,10,10,10")));
	const struct lane *l = &p->lanes[0];
	struct span span;

	ck_assert_uint_eq(l->n_spans, 4); /* a, b, b, c */
	ck_assert(span_at(&l->samples, &l->tree, 1, 5000, &span));
	ck_assert_int_eq(span.t0, 0);
	ck_assert_int_eq(span.t1, 20000);
	/* Frames of the common path stay open. */
	ck_assert(span_at(&l->samples, &l->tree, 0, 35000, &span));
	ck_assert_int_eq(span.t0, 0);
	ck_assert_int_eq(span.t1, 40000);
	ck_assert(!span_at(&l->samples, &l->tree, 1, 25000, &span));
	profile_free(p);
}
END_TEST

/* formats.md 2.4 */
START_TEST(worked_example)
{
	struct profile *p = load(DOC(
		ROOT("2,3") FN(2, "two", "") FN(3, "three", ""),
		"'startTime':4,'endTime':27,'samples':[1,2,1,3,1,2,1,3],'timeDeltas':[0,1,3,2,5,1,4,2]"));

	check_story_of(p, 0, "0 -|1 two|4 -|6 three|11 -|12 two|16 -|18 three|20.571");
	check_times(p, "two", 1, 7000, 7000);
	check_times(p, "three", 1, 7571, 7571);
	ck_assert_int_eq(p->t1, 23000);
	ck_assert_int_eq(p->lanes[0].sampled_t1, 20571);
	ck_assert_int_eq(p->lanes[0].busy_ns, 14571);
	profile_free(p);
}
END_TEST

/* formats.md 2.1 */
START_TEST(example_ends_at_end_time)
{
	struct profile *p = load(
		"{'nodes':["
		"{'id':1,'callFrame':{'functionName':'(root)','scriptId':'0','url':'','lineNumber':-1,'columnNumber':-1},'hitCount':0,'children':[2,3]},"
		"{'id':2,'callFrame':{'functionName':'(idle)','scriptId':'0','url':'','lineNumber':-1,'columnNumber':-1},'hitCount':1},"
		"{'id':3,'callFrame':{'functionName':'handle','scriptId':'81','url':'file:///srv/app.js','lineNumber':4,'columnNumber':15},"
		"'hitCount':2,'positionTicks':[{'line':7,'ticks':2}]}],"
		"'startTime':2555762223,'endTime':2555766000,'samples':[2,3,3],'timeDeltas':[900,1010,985]}");
	const struct lane *l = &p->lanes[0];

	check_story_of(p, 0, "900 (idle)|1910 handle|2895 handle|3777");
	ck_assert_int_eq(l->idle_ns, 1010000);
	ck_assert_int_eq(l->busy_ns, 1867000);
	ck_assert_int_eq(l->unsampled_ns, 900000);
	ck_assert_uint_eq(l->n_ticks, 1);
	ck_assert_int_eq(l->ticks[0].line, 7);
	ck_assert_uint_eq(l->ticks[0].ticks, 2);
	ck_assert_int_eq(frame_named(p, "handle")->line, 5);
	ck_assert_int_eq(frame_named(p, "handle")->column, 16);
	profile_free(p);
}
END_TEST

START_TEST(times_beyond_all_bounds_are_cut)
{
	static const char *const doc[] = {
		DOC(ABC,
		    "'startTime':9223372036854775,'endTime':9223372036854775,'samples':[2,3],'timeDeltas':[9223372036854775,9223372036854775]"),
		DOC(ABC,
		    "'startTime':-4611686018427387.904,'endTime':4611686018427387.904,'samples':[2,3],'timeDeltas':[0,1]"),
		DOC(ABC,
		    "'startTime':-4611686018427387.904,'endTime':4611686018427387.904,'samples':[2,3]"),
		DOC(ABC,
		    "'startTime':-4611686018427387.904,'samples':[2,3,4],'timeDeltas':[0,4611686018427387.904,4611686018427387.904]"),
		DOC(ABC, "'startTime':0,'samples':[2,3,4],'timeDeltas':[1e300,-1e300,1e15]"),
		DOC(ABC,
		    "'startTime':1e999,'samples':[2,3,4],'timeDeltas':[-9223372036854775.808,1,2]"),
	};

	for (size_t i = 0; i < sizeof doc / sizeof doc[0]; i++) {
		struct profile *p = load(doc[i]);
		const struct samples *s = &p->lanes[0].samples;

		for (size_t k = 0; k < s->n; k++)
			ck_assert_int_le(samples_time(s, k), samples_time(s, k + 1));
		ck_assert_int_ge(samples_time(s, 0), 0);
		profile_free(p);
	}
}
END_TEST

/* Layout counts on it: it multiplies and adds times of a profile. */
START_TEST(a_profile_is_shorter_than_2_to_the_62_ns)
{
	struct profile *p = load(
		DOC(ABC, "'startTime':-4e15,'samples':[2,3],'timeDeltas':[4e15,4e15]"));

	ck_assert_int_gt(p->t1, 0);
	ck_assert_int_le(p->t1, 2 * PROFILE_TIME_MAX);
	ck_assert_uint_ge(warned(p, "time-range"), 1);
	profile_free(p);
}
END_TEST

/* Samples without times of their own get some after the start, which may be the last time. */
START_TEST(times_that_are_made_up_end_at_the_last_one)
{
	static const char *const docs[] = {
		DOC(ABC, "'startTime':2305843009213693.9,'samples':[2,3],'timeDeltas':[0,0]"),
		DOC("{'id':1,'callFrame':{'functionName':'(root)'},'children':[2]},"
		    "{'id':2,'callFrame':{'functionName':'a'},'hitCount':4000000000}",
		    "'startTime':2305843009213693.9"),
	};
	struct profile *p = load(docs[_i]);
	const struct lane *l = &p->lanes[0];

	ck_assert_int_gt(l->t1, l->t0);
	ck_assert_int_le(l->zero_ns + l->t1, PROFILE_TIME_MAX);
	profile_free(p);
}
END_TEST

/* ---- frames that are not code ---- */

START_TEST(sample_of_root_is_a_gap)
{
	struct profile *p = load(DOC(ABC, EVERY_10("2,1,4", "0,10,10")));

	check_story_of(p, 0, "0 a|10 -|20 c|30");
	ck_assert_int_eq(p->lanes[0].unsampled_ns, 10000 + 970000);
	check_times(p, "(root)", 0, 0, 0);
	profile_free(p);
}
END_TEST

START_TEST(idle_program_and_gc_are_told_apart)
{
	struct profile *p = load(DOC(SYSTEM, EVERY_10("2,2,3,5,4,6", "0,10,10,10,10,10")));
	const struct lane *l = &p->lanes[0];

	ck_assert_int_eq(l->program_ns, 20000);
	ck_assert_int_eq(l->idle_ns, 10000);
	ck_assert_int_eq(l->gc_ns, 10000);
	ck_assert_int_eq(l->busy_ns, 20000);
	profile_free(p);
}
END_TEST

START_TEST(gc_is_put_on_the_stack_before_it)
{
	struct profile *p = load(
		DOC(SYSTEM, EVERY_10("6,4,4,5,4,3,4,2,4", "0,10,10,10,10,10,10,10,10")));

	check_story_of(
		p, 0,
		"0 a>b|10 a>b>(garbage collector)|20 a>b>(garbage collector)|30 a|40 a>(garbage collector)|"
		"50 (idle)|60 (idle)>(garbage collector)|70 (program)|80 (program)>(garbage collector)|90");
	check_times(p, "a", 1, 10000, 50000);
	check_times(p, "b", 1, 10000, 30000);
	check_times(p, "(idle)", 1, 10000, 20000);
	check_times(p, "(garbage collector)", 1, 50000, 50000);
	/* A run of collections is one span; the frames below stay open. */
	ck_assert_uint_eq(p->lanes[0].n_spans, 2 + 1 + 1 + 2 + 2);
	profile_free(p);
}
END_TEST

START_TEST(gc_on_an_empty_stack_is_row_zero)
{
	check_story(DOC(SYSTEM, EVERY_10("5,1,4,5", "0,10,10,10")),
		    "0 a|10 -|20 (garbage collector)|30 a|40");
}
END_TEST

START_TEST(gc_first_is_row_zero)
{
	check_story(DOC(SYSTEM, EVERY_10("4,4,5", "0,10,10")),
		    "0 (garbage collector)|10 (garbage collector)|20 a|30");
}
END_TEST

START_TEST(gc_with_url_is_a_function)
{
	struct profile *p = load(DOC(ROOT("2,3") FN(2, "a", "") FN(3, "(garbage collector)", ""),
				     EVERY_10("2,3", "0,10")));

	check_story_of(p, 0, "0 a|10 (garbage collector)|20");
	ck_assert_int_eq(p->lanes[0].gc_ns, 0);
	profile_free(p);
}
END_TEST

START_TEST(gc_below_a_function_stays_there)
{
	check_story(DOC(ROOT("2,4") FN(2, "a", KIDS("3")) SYS(3, "(garbage collector)")
				FN(4, "c", ""),
			EVERY_10("4,3,4", "0,10,10")),
		    "0 c|10 a>(garbage collector)|20 c|30");
}
END_TEST

START_TEST(raw_keeps_gc_at_row_zero)
{
	struct profile *p = load_as(DOC(SYSTEM, EVERY_10("6,4,6,2,6", "0,10,10,10,10")), true);

	check_story_of(p, 0, "0 a>b|10 (garbage collector)|20 a>b|30 (program)|40 a>b|50");
	ck_assert_uint_eq(warned(p, "joined"), 0);
	profile_free(p);
}
END_TEST

START_TEST(lone_program_sample_is_joined)
{
	check_warned(DOC(SYSTEM, EVERY_10("5,2,6", "0,10,10")), "0 a|10 a|20 a>b|30", "joined", 1);
	check_warned(DOC(SYSTEM, EVERY_10("6,2,5,2,6", "0,10,10,10,10")),
		     "0 a>b|10 a>b|20 a|30 a|40 a>b|50", "joined", 2);
}
END_TEST

START_TEST(two_program_samples_stay)
{
	check_warned(DOC(SYSTEM, EVERY_10("5,2,2,5", "0,10,10,10")),
		     "0 a|10 (program)|20 (program)|30 a|40", "joined", 0);
}
END_TEST

START_TEST(program_between_different_calls_stays)
{
	check_warned(DOC(SYSTEM, EVERY_10("5,2,7", "0,10,10")), "0 a|10 (program)|20 c|30",
		     "joined", 0);
}
END_TEST

START_TEST(program_next_to_idle_or_gc_stays)
{
	check_warned(DOC(SYSTEM, EVERY_10("3,2,3", "0,10,10")),
		     "0 (idle)|10 (program)|20 (idle)|30", "joined", 0);
	check_warned(DOC(SYSTEM, EVERY_10("4,2,4", "0,10,10")),
		     "0 (garbage collector)|10 (program)|20 (program)>(garbage collector)|30",
		     "joined", 0);
	check_warned(DOC(SYSTEM, EVERY_10("5,4,2,5", "0,10,10,10")),
		     "0 a|10 a>(garbage collector)|20 (program)|30 a|40", "joined", 0);
}
END_TEST

START_TEST(first_and_last_program_samples_stay)
{
	check_warned(DOC(SYSTEM, EVERY_10("2,5,2", "0,10,10")), "0 (program)|10 a|20 (program)|30",
		     "joined", 0);
}
END_TEST

START_TEST(program_with_url_stays)
{
	check_warned(DOC(ROOT("2,3") FN(2, "a", "") FN(3, "(program)", ""),
			 EVERY_10("2,3,2", "0,10,10")),
		     "0 a|10 (program)|20 a|30", "joined", 0);
}
END_TEST

/* ---- the tree ---- */

START_TEST(children_win_over_parent)
{
	check_warned(DOC(ROOT("4") FN(4, "d", KIDS("5")) FN(5, "e", KIDS("6"))
				 FN(6, "f", ",'parent':4"),
			 EVERY_10("6,4", "0,10")),
		     "0 d>e>f|10 d|20", "parents-disagree", 1);
}
END_TEST

START_TEST(parent_is_enough)
{
	check_story(DOC("{'id':1,'callFrame':{'functionName':'(root)'}}" FN(2, "a", ",'parent':1")
				FN(3, "b", ",'parent':2"),
			EVERY_10("3,2", "0,10")),
		    "0 a>b|10 a|20");
	/* An empty list of children does not mean that there are none. */
	check_story(DOC(ROOT("") FN(2, "a", ",'parent':1"), EVERY_10("2,1", "0,10")),
		    "0 a|10 -|20");
}
END_TEST

START_TEST(root_need_not_be_first)
{
	check_story(
		"{'nodes':[{'id':2,'callFrame':{'functionName':'a','url':'x'},'children':[3]},{'id':3,'callFrame':{'functionName':'b','url':'x'}},"
		"{'id':1,'callFrame':{'functionName':'(root)'},'children':[2]}],'startTime':0,'samples':[3,2,1],'timeDeltas':[0,10,10]}",
		"0 a>b|10 a|20 -|30");
}
END_TEST

START_TEST(orphan_hangs_below_root)
{
	check_warned(DOC(ROOT("2") FN(2, "a", "") FN(3, "b", ""), EVERY_10("3,2", "0,10")),
		     "0 b|10 a|20", "orphan", 1);
	check_warned(
		DOC(ROOT("2") FN(2, "a", "") FN(3, "b", ",'parent':77"), EVERY_10("3,2", "0,10")),
		"0 b|10 a|20", "missing-parent", 1);
}
END_TEST

START_TEST(second_root_hangs_below_the_first)
{
	check_warned(
		"{'nodes':[{'id':1,'callFrame':{'functionName':'(root)'},'children':[2]},{'id':2,'callFrame':{'functionName':'a','url':'x'}},"
		"{'id':3,'callFrame':{'functionName':'(root)'},'children':[4]},{'id':4,'callFrame':{'functionName':'b','url':'x'}}],"
		"'startTime':0,'samples':[2,4],'timeDeltas':[0,10]}",
		"0 a|10 (root)>b|20", "orphan", 1);
}
END_TEST

START_TEST(cycle_is_cut)
{
	check_warned(DOC(ROOT("2") FN(2, "a", "") FN(3, "b", KIDS("4")) FN(4, "c", KIDS("3")),
			 EVERY_10("2,4,3", "0,10,10")),
		     "0 a|10 b>c|20 b|30", "cycle", 1);
	check_warned(DOC(ROOT("2") FN(2, "a", "") FN(3, "b", KIDS("3")), EVERY_10("2,3", "0,10")),
		     "0 a|10 b|20", "cycle", 1);
	/* All of it is one circle. */
	check_warned(
		"{'nodes':[{'id':1,'callFrame':{'functionName':'(root)'},'children':[2],'parent':2},"
		"{'id':2,'callFrame':{'functionName':'a','url':'x'},'children':[1]}],'startTime':0,'samples':[2,1],'timeDeltas':[0,10]}",
		"0 a|10 -|20", "cycle", 1);
}
END_TEST

START_TEST(missing_child_is_passed_over)
{
	check_warned(DOC(ROOT("2,9,'x'") FN(2, "a", ""), EVERY_10("2,1", "0,10")), "0 a|10 -|20",
		     "missing-child", 2);
}
END_TEST

/* What is no id among the children is passed over; an object is counted as well. */
START_TEST(children_that_are_no_ids_are_passed_over)
{
	static const char text[] = DOC(ROOT("{'id':4},'2',null,4,5") FN(2, "a", ",'children':7")
					       FN(3, "b", ",'children':null") FN(4, "c", KIDS("3"))
						       FN(5, "d", ",'children':{}"),
				       EVERY_10("2,3,4", "0,10,10"));
	struct profile *p = load(text);

	check_story_of(p, 0, "0 a|10 c>b|20 c|30");
	ck_assert_uint_eq(warned(p, "odd-children"), 3);
	profile_free(p);
}
END_TEST

START_TEST(first_of_two_parents_wins)
{
	check_warned(DOC(ROOT("2,4") FN(2, "a", KIDS("3")) FN(4, "c", KIDS("3")) FN(3, "b", ""),
			 EVERY_10("3,4", "0,10")),
		     "0 a>b|10 c|20", "two-parents", 1);
}
END_TEST

START_TEST(duplicate_id_last_wins)
{
	/* Children are united: 3 is of the first, 4 of the second. */
	check_warned(DOC(ROOT("2") FN(2, "old", KIDS("3")) FN(3, "b", "") FN(2, "new", KIDS("4"))
				 FN(4, "c", ""),
			 EVERY_10("2,3,4", "0,10,10")),
		     "0 new|10 new>b|20 new>c|30", "duplicate-node", 1);
}
END_TEST

START_TEST(ids_compare_as_text)
{
	check_story(
		"{'nodes':[{'id':'1','callFrame':{'functionName':'(root)'},'children':[2,'x7',-3,99999999999999999999]},"
		"{'id':'2','callFrame':{'functionName':'a','url':'x'}},{'id':'x7','callFrame':{'functionName':'b','url':'x'}},"
		"{'id':'-3','callFrame':{'functionName':'c','url':'x'}},{'id':99999999999999999999,'callFrame':{'functionName':'d','url':'x'}},{'id':9007199254740992,'callFrame':{'functionName':'e','url':'x'}}],"
		"'startTime':0,'samples':[2,'2','x7','-3','99999999999999999999',2.0,2e0,9007199254740992.0],'timeDeltas':[0,10,10,10,10,10,10,10]}",
		"0 a|10 a|20 b|30 c|40 d|50 a|60 a|70 e|80");
}
END_TEST

START_TEST(unknown_node_keeps_its_time)
{
	struct profile *p = load(DOC(ABC, EVERY_10("3,77,78,4", "0,10,10,10")));

	check_story_of(p, 0, "0 a>b|10 (unknown)|20 (unknown)|30 c|40");
	ck_assert_uint_eq(warned(p, "unknown-node"), 2);
	check_times(p, "(unknown)", 1, 20000, 20000);
	profile_free(p);
}
END_TEST

START_TEST(bare_members_make_a_function)
{
	struct profile *p = load(
		"{'nodes':[{'id':1,'functionName':'(root)','children':[2]},"
		"{'id':2,'functionName':'f','url':'file:///x.js','scriptId':7,'lineNumber':3,'columnNumber':0}],"
		"'startTime':0,'samples':[2,2],'timeDeltas':[0,10]}");

	check_story_of(p, 0, "0 f|10 f|20");
	ck_assert_int_eq(frame_named(p, "f")->line, 4);
	ck_assert_int_eq(frame_named(p, "f")->column, 1);
	profile_free(p);
}
END_TEST

START_TEST(nameless_function_is_anonymous)
{
	check_story(DOC(ROOT("2,3,4") FN(2, "", "") ",{'id':3},{'id':4,'callFrame':{}}",
			EVERY_10("2,3,4", "0,10,10")),
		    "0 (anonymous)|10 (anonymous)|20 (anonymous)|30");
}
END_TEST

/* ---- self, total, identity ---- */

/* formats.md 2.6 */
START_TEST(recursion_counts_once)
{
	struct profile *p = load(
		"{'nodes':[{'id':1,'callFrame':{'functionName':'(root)','scriptId':'0','url':''},'children':[2]},"
		"{'id':2,'callFrame':{'functionName':'f','scriptId':'7','url':'file:///a.js','lineNumber':1},'children':[3]},"
		"{'id':3,'callFrame':{'functionName':'g','scriptId':'7','url':'file:///a.js','lineNumber':5},'children':[4]},"
		"{'id':4,'callFrame':{'functionName':'f','scriptId':'7','url':'file:///a.js','lineNumber':1}}],"
		"'startTime':0,'endTime':400,'samples':[2,3,4,2],'timeDeltas':[0,100,100,100]}");

	check_story_of(p, 0, "0 f|100 f>g|200 f>g>f|300 f|400");
	check_times(p, "f", 1, 300000, 400000);
	check_times(p, "g", 1, 100000, 200000);
	profile_free(p);
}
END_TEST

#define CODE(id, name, script, url, line, column)                                                  \
	",{'id':" #id ",'callFrame':{'functionName':'" name "','scriptId':'" script                \
	"','url':'" url "','lineNumber':" #line ",'columnNumber':" #column "}}"

START_TEST(inlined_functions_get_their_place)
{
	struct profile *p = load(DOC(ROOT("2,3,4") CODE(2, "next", "5", "caller.js", -1, -1)
					     CODE(3, "next", "5", "own.js", 7, 1)
						     CODE(4, "next", "6", "caller.js", -1, -1),
				     EVERY_10("2,3,4", "0,10,10")));

	/* Script 6 has no function next with a position: left alone. */
	check_times(p, "next", 2, 30000, 30000);
	ck_assert_uint_eq(warned(p, "inlined"), 1);
	ck_assert_str_eq(
		profile_text(p,
			     profile_node_frame(p, &p->lanes[0], p->lanes[0].samples.leaf[0])->url),
		"own.js");
	profile_free(p);
}
END_TEST

START_TEST(ambiguous_inlined_functions_are_left_alone)
{
	struct profile *p = load(DOC(ROOT("2,3,4") CODE(2, "next", "5", "caller.js", -1, -1)
					     CODE(3, "next", "5", "own.js", 7, 1)
						     CODE(4, "next", "5", "own.js", 9, 1),
				     EVERY_10("2,3,4", "0,10,10")));

	check_times(p, "next", 3, 30000, 30000);
	ck_assert_uint_eq(warned(p, "inlined"), 0);
	profile_free(p);
}
END_TEST

START_TEST(identity_is_url_not_script_id)
{
	struct profile *p = load(
		DOC(ROOT("2,3,4,5,6") CODE(2, "f", "5", "a.js", 7, 1)
			    CODE(3, "f", "6", "a.js", 7, 1) CODE(4, "f", "5", "b.js", 7, 1)
				    CODE(5, "f", "5", "a.js", 8, 1) CODE(6, "f", "5", "a.js", 7, 2),
		    EVERY_10("2,3,4,5,6", "0,10,10,10,10")));
	const struct lane *l = &p->lanes[0];

	check_times(p, "f", 4, 50000, 50000);
	ck_assert_uint_eq(l->tree.frame[l->samples.leaf[0]], l->tree.frame[l->samples.leaf[1]]);
	profile_free(p);
}
END_TEST

/* Samples that the builder joined and moved can be shown as recorded: the result is the profile
 * that is loaded so. */
static void same_samples(const struct profile *is, const struct profile *want, int seed)
{
	const struct lane *a = &is->lanes[0], *b = &want->lanes[0];

	ck_assert_uint_eq(a->samples.n, b->samples.n);
	for (size_t i = 0; i < a->samples.n; i++) {
		node_id x = a->samples.leaf[i], y = b->samples.leaf[i];

		ck_assert_int_eq(samples_time(&a->samples, i), samples_time(&b->samples, i));
		for (; x != NODE_ROOT && y != NODE_ROOT;
		     x = a->tree.parent[x], y = b->tree.parent[y])
			ck_assert_msg(a->tree.frame[x] == b->tree.frame[y], "seed %d, sample %zu",
				      seed, i);
		ck_assert_msg(x == y, "seed %d, sample %zu", seed, i);
		ck_assert_uint_eq(samples_shared(&a->samples, i), samples_shared(&b->samples, i));
	}
	ck_assert_uint_eq(a->n_spans, b->n_spans);
	ck_assert_int_eq(a->max_depth, b->max_depth);
	ck_assert_int_eq(a->gc_ns, b->gc_ns);
	ck_assert_int_eq(a->program_ns, b->program_ns);
	ck_assert_int_eq(a->busy_ns, b->busy_ns);
	ck_assert_int_eq(a->unsampled_ns, b->unsampled_ns);
}

START_TEST(samples_as_recorded_are_those_of_raw_loading)
{
	for (unsigned seed = 1; seed <= 200; seed++) {
		struct buf ids = { 0 }, deltas = { 0 }, text = { 0 };
		struct profile *cooked, *raw;
		struct as_recorded as;
		struct budget some;
		unsigned state = seed * 2654435761u;

		for (int i = 0; i < 30; i++) {
			state = state * 1664525u + 1013904223u;
			buf_addf(&ids, "%s%u", i ? "," : "", 2 + (state >> 16) % 6);
			buf_addf(&deltas, "%s10", i ? "," : "");
		}
		buf_addf(&text,
			 "{'nodes':[%s],'startTime':0,'endTime':1000,'samples':[%s],"
			 "'timeDeltas':[%s]}",
			 SYSTEM, buf_text(&ids), buf_text(&deltas));
		cooked = load_as(buf_text(&text), false);
		raw = load_as(buf_text(&text), true);
		as_recorded_begin(&as, cooked, AS_RECORDED_GC | AS_RECORDED_PROGRAM);
		while (some = budget_steps(3, 1), !as_recorded_work(&as, &some))
			;
		same_samples(&as.own, raw, (int)seed);
		as_recorded_done(&as);
		/* Half-made, it can be dropped. */
		as_recorded_begin(&as, cooked, AS_RECORDED_GC);
		some = budget_steps(1, 1);
		as_recorded_work(&as, &some);
		as_recorded_done(&as);
		ck_assert(!as_recorded_exists(raw, AS_RECORDED_GC | AS_RECORDED_PROGRAM));
		profile_free(cooked);
		profile_free(raw);
		buf_done(&ids);
		buf_done(&deltas);
		buf_done(&text);
	}
}
END_TEST

/* root > f(2) and g(3), each at the url given */
#define AT_URLS(url, other)                                                                        \
	ROOT("2,3")                                                                                \
	",{'id':2,'callFrame':{'functionName':'f','scriptId':'9','url':'" url                      \
	"'}},{'id':3,'callFrame':{'functionName':'g','scriptId':'8','url':'" other "'}}"

static void check_category(const char *text, const char *name, enum category expect)
{
	struct profile *p = load(text);
	bool found = false;

	for (frame_id f = 1; f < p->frames.n; f++) {
		if (strcmp(profile_text(p, p->frames.frames[f].name), name) != 0)
			continue;
		found = true;
		ck_assert_str_eq(category_name(p->frames.frames[f].category),
				 category_name(expect));
	}
	ck_assert(found);
	profile_free(p);
}

/* Functions with one url have one category, and many of them are not looked at again; but a url
 * that begins with NUL is none, so that their names tell. */
START_TEST(functions_without_text_in_their_url_differ)
{
	struct buf text = { 0 };

	buf_adds(&text, "{'nodes':[" ROOT("2,3"));
	for (int i = 2; i < 600; i++)
		buf_addf(&text,
			 ",{'id':%d,'callFrame':{'functionName':'%s%d','scriptId':'0',"
			 "'url':'\\u0000x','lineNumber':%d}}",
			 i, i % 2 ? "RegExp: " : "f", i, i);
	buf_adds(&text, "],'samples':[2,3],'timeDeltas':[1,2]}");
	check_category(buf_text(&text), "RegExp: 599", CATEGORY_REGEXP);
	check_category(buf_text(&text), "f598", CATEGORY_NATIVE);
	buf_done(&text);
}
END_TEST

START_TEST(bare_url_is_of_node_only_beside_internal_urls)
{
#define BARE(url, other) DOC(AT_URLS(url, other), EVERY_10("2,3", "0,10"))
	check_category(BARE("index.js", "node:fs"), "f", CATEGORY_APP);
	check_category(BARE("index.js", "internal/util.js"), "f", CATEGORY_APP);
	check_category(BARE("events.js", "index.js"), "f", CATEGORY_APP);
	check_category(BARE("events.js", "internal/util.js"), "f", CATEGORY_NODE);
	check_category(BARE("internal/util.js", "events.js"), "g", CATEGORY_NODE);
	check_category(BARE("internal/util.js", "node:events"), "f", CATEGORY_NODE);
	check_category(DOC(AT_URLS("internal/util.js", "node:fs")
				   FN(4, "h", "") ",{'id':5,'callFrame':{'functionName':'i',"
						  "'scriptId':'7','url':'events.js'}}",
			   EVERY_10("2,5", "0,10")),
		       "i", CATEGORY_APP);
#undef BARE
}
END_TEST

START_TEST(evals_stay_apart)
{
	struct profile *p = load(
		DOC(ROOT("2,3,4,5") CODE(2, "e", "5", "", 0, 0) CODE(3, "e", "6", "", 0, 0)
			    CODE(4, "native", "0", "", -1, -1) CODE(5, "native", "0", "", -1, -1),
		    EVERY_10("2,3,4,5", "0,10,10,10")));

	check_times(p, "e", 2, 20000, 20000);
	check_times(p, "native", 1, 20000, 20000);
	ck_assert_int_eq(frame_named(p, "e")->category, CATEGORY_EVAL);
	ck_assert_int_eq(frame_named(p, "native")->category, CATEGORY_NATIVE);
	profile_free(p);
}
END_TEST

START_TEST(range_clips_spans)
{
	struct profile *p = load(DOC(ABC, EVERY_10("3,2,4", "0,10,10")));
	struct totals totals;
	struct view view;

	view_init(&view, p, &(const struct lane *){ &p->lanes[0] }, 1);
	totals_init(&totals, &view);
	totals_compute(&totals, 4000, 23000);
	ck_assert_int_eq(totals.sampled_ns, 19000);
	for (uint32_t i = 0; i < totals.n_used; i++) {
		frame_id f = totals.used[i];
		char name = profile_text(p, profile_frame(p, f)->name)[0];

		ck_assert_int_eq(totals.frame_self[f],
				 name == 'a'           ? 10000
					 : name == 'b' ? 6000
						       : 3000);
		ck_assert_int_eq(totals.frame_total[f],
				 name == 'a'           ? 16000
					 : name == 'b' ? 6000
						       : 3000);
	}
	totals_done(&totals);
	view_done(&view);
	profile_free(p);
}
END_TEST

/* ---- hit counts ---- */

START_TEST(hit_counts_only_without_samples)
{
	struct profile *p = load(DOC(ABC, EVERY_10("2,4", "0,10")));

	ck_assert(p->lanes[0].has_timeline);
	profile_free(p);
	/* Hit counts do not matter where there are samples. */
	check_story(DOC(ROOT("2,3") FN(2, "a", ",'hitCount':900") FN(3, "b", ",'hitCount':1"),
			EVERY_10("2,3", "0,10")),
		    "0 a|10 b|20");
	p = load(DOC(ROOT("2,4") FN(2, "a", KIDS("3") ",'hitCount':1") FN(3, "b", ",'hitCount':4")
			     FN(4, "c", ",'hitCount':5"),
		     "'startTime':0,'endTime':100"));
	ck_assert(!p->lanes[0].has_timeline);
	ck_assert_uint_eq(warned(p, "samples-missing"), 1);
	check_times(p, "a", 1, 10000, 50000);
	check_times(p, "b", 1, 40000, 40000);
	check_times(p, "c", 1, 50000, 50000);
	profile_free(p);
}
END_TEST

START_TEST(neither_samples_nor_hits_is_an_error)
{
	check_fails(DOC(ABC, "'startTime':0"), ERR_FORMAT, "no samples");
	check_fails(DOC(ABC, "'startTime':0,'samples':[],'timeDeltas':[]"), ERR_FORMAT,
		    "no samples");
	check_fails("{'nodes':[],'samples':[1],'timeDeltas':[1]}", ERR_FORMAT, "no nodes");
}
END_TEST

START_TEST(huge_hit_counts_do_not_overflow)
{
	struct buf text = { 0 };
	struct profile *p;

	buf_addf(&text, "{'nodes':[%s", ROOT("2"));
	for (int i = 2; i < 3000; i++)
		buf_addf(
			&text,
			",{'id':%d,'callFrame':{'functionName':'f%d','url':'x'},'parent':1,'hitCount':1e12}",
			i, i);
	buf_adds(&text, "]}");
	p = load(buf_text(&text));
	ck_assert_int_gt(p->t1, 0);
	profile_free(p);
	buf_done(&text);
}
END_TEST

/* More hits than nanoseconds: a hit is a millisecond, as without any times. */
START_TEST(hits_that_do_not_fit_into_the_time)
{
	struct profile *p = load("{'nodes':[" ROOT("2") ",{'id':2,'callFrame':{'functionName':'f'},"
							"'hitCount':5000}],"
							"'startTime':1000,'endTime':1001}");

	ck_assert_int_eq(p->t1, 5000 * INT64_C(1000000));
	profile_free(p);
}
END_TEST

/* ---- the old form ---- */

#define HEAD(line, kids)                                                                           \
	"'head':{'functionName':'(root)','scriptId':'0','url':'','lineNumber':" line               \
	",'columnNumber':0,'hitCount':0,'callUID':1,'id':1,'children':[" kids "]}"
#define HANDLER                                                                                    \
	"{'functionName':'handler','scriptId':'5','url':'file:///srv/old.js','lineNumber':10,'columnNumber':3,'hitCount':2,'bailoutReason':'no reason','id':3,'children':[]}"

START_TEST(old_shape_has_seconds_and_time_stamps)
{
	struct profile *p = load("{" HEAD(
		"0",
		HANDLER) ",'startTime':2.5,'endTime':2.5004,'samples':[3,3],'timestamps':[2500200,2500300]}");

	check_story_of(p, 0, "200 handler|300 handler|400");
	ck_assert_int_eq(p->origin_ns, 2500000000);
	profile_free(p);
}
END_TEST

START_TEST(old_shape_lines_count_from_one)
{
	static const struct {
		const char *text;
		int line, column;
	} docs[] = {
		{ "{" HEAD("0", HANDLER) ",'samples':[3,3],'timestamps':[200,300]}", 10, 3 },
		{ "{" HEAD("-1", HANDLER) ",'samples':[3,3],'timestamps':[200,300]}", 11, 4 },
	};

	for (size_t i = 0; i < sizeof docs / sizeof docs[0]; i++) {
		struct profile *p = load(docs[i].text);

		ck_assert_int_eq(frame_named(p, "handler")->line, docs[i].line);
		ck_assert_int_eq(frame_named(p, "handler")->column, docs[i].column);
		profile_free(p);
	}
}
END_TEST

#define CALL(id, kids)                                                                             \
	"{'functionName':'f" #id                                                                   \
	"','scriptId':'5','url':'file:///srv/old.js','lineNumber':10,'children':[" kids            \
	"],'hitCount':1,'id':" #id "}"

START_TEST(old_shape_calls_nest)
{
	check_story("{" HEAD("0",
			     CALL(2, CALL(3, CALL(4, "")) "," CALL(5, "")) "," CALL(
				     6, "")) ",'samples':[2,3,4,5,6],'timestamps':[0,10,20,30,40]}",
		    "0 f2|10 f2>f3|20 f2>f3>f4|30 f2>f5|40 f6|50");
}
END_TEST

START_TEST(old_shape_seconds_that_do_not_enclose_are_ignored)
{
	/* v8-profiler cuts them to whole seconds. */
	check_story(
		"{" HEAD(
			"0",
			HANDLER) ",'startTime':2,'endTime':2,'samples':[3,1],'timestamps':[2500200,2500300]}",
		"0 handler|100 -|200");
}
END_TEST

START_TEST(old_shape_seconds_may_be_those_of_the_samples)
{
	check_story(
		"{" HEAD(
			"0",
			HANDLER) ",'startTime':2.5,'endTime':2.5003,'samples':[3,1],'timestamps':[2500200,2500300]}",
		"200 handler|300 -|400");
	check_story(
		"{" HEAD(
			"0",
			HANDLER) ",'startTime':2.5002,'endTime':2.50035,'samples':[3,1],'timestamps':[2500200,2500300]}",
		"0 handler|100 -|150");
}
END_TEST

START_TEST(old_shape_surplus_stamp_closes_last_sample)
{
	check_story("{" HEAD("0", HANDLER) ",'samples':[3,1],'timestamps':[200,300,340]}",
		    "0 handler|100 -|140");
}
END_TEST

START_TEST(stamps_win_over_deltas)
{
	check_story(DOC(ABC, "'samples':[2,4],'timeDeltas':[1,2],'timestamps':[200,300]"),
		    "0 a|100 c|200");
	check_story(DOC(ABC, "'samples':[2,4],'timestamps':[200,300],'timeDeltas':[1,2]"),
		    "0 a|100 c|200");
}
END_TEST

START_TEST(samples_without_any_id_are_no_samples)
{
	struct error err = ERROR_INIT;
	struct profile *p = try_load(DOC(ABC, EVERY_10("null,{},true", "0,10,10")), false, &err);

	/* A lane without a single sample must not be made. */
	ck_assert(!p || p->lanes[0].samples.n > 0);
	profile_free(p);
}
END_TEST

START_TEST(hits_of_the_root_only_are_no_samples)
{
	struct error err = ERROR_INIT;
	struct profile *p = try_load(
		"{'nodes':[{'id':1,'callFrame':{'functionName':'(root)'},'hitCount':4}]}", false,
		&err);

	ck_assert(!p || p->lanes[0].samples.n > 0);
	profile_free(p);
}
END_TEST

/* ---- several profiles in one file ---- */

START_TEST(second_profile_is_a_lane_of_its_own)
{
	static const char one[] = DOC(ABC, "'startTime':100,'samples':[2,3],'timeDeltas':[0,10]");
	static const char *const form[] = { "%s\n%s", "[%s,%s]",
					    "[{'profile':%s},{'result':{'profile':%s}}]" };

	for (size_t i = 0; i < sizeof form / sizeof form[0]; i++) {
		static const char two[] = DOC(
			ABC, "'startTime':150,'samples':[4,3],'timeDeltas':[0,10]");
		char *text = malloc(sizeof one + sizeof two + 100), *at = text;
		const char *f = form[i];
		struct profile *p;
		bool is_second = false;

		for (; *f; f++) {
			if (*f == '%') {
				at = stpcpy(at, is_second ? two : one);
				is_second = true;
				f++;
			} else {
				*at++ = *f;
			}
		}
		*at = '\0';
		p = load(text);
		ck_assert_uint_eq(p->n_lanes, 2);
		check_story_of(p, 0, "0 a|10 a>b|20");
		check_story_of(p, 1, "50 c|60 a>b|70");
		profile_free(p);
		free(text);
	}
}
END_TEST

/* ---- nodes and call frames of any form ---- */

/* What a call frame does not have is none, as if it were empty. */
START_TEST(members_that_are_missing_are_none)
{
	static const char *const frames[] = { "{'functionName':'f'}", "{ 'functionName' : 'f' }",
					      "{'functionName':'f','url':'','scriptId':'0'}",
					      "{'functionName':'\\u0066','columnNumber':-1}" };
	struct buf text = { 0 };
	struct profile *p;

	buf_adds(&text, "{'nodes':[" ROOT("2,3,4,5"));
	for (int i = 0; i < 4; i++)
		buf_addf(&text, ",{'id':%d,'callFrame':%s}", i + 2, frames[i]);
	buf_adds(&text, "]," EVERY_10("2,3,4,5", "0,10,10,10") "}");
	p = load(buf_text(&text));
	check_story_of(p, 0, "0 f|10 f|20 f|30 f|40");
	for (uint32_t i = 1; i < p->frames.n; i++) {
		const struct frame *f = &p->frames.frames[i];

		ck_assert_str_eq(profile_text(p, f->url), "");
		ck_assert_uint_eq(f->url, 0);
		ck_assert_int_eq(f->line, 0);
		ck_assert_int_eq(f->column, 0);
	}
	profile_free(p);
	buf_done(&text);
}
END_TEST

START_TEST(of_equal_members_of_a_node_the_last_counts)
{
	check_story(
		DOC(ROOT("2,4") ",{'id':9,'id':2,'callFrame':{'functionName':'x','functionName':'y','functionName':'a','url':'u'}}"
				",{'id':4,'callFrame':{'functionName':'x'},'callFrame':{'functionName':'b','url':'u'}}",
		    EVERY_10("2,4", "0,10")),
		"0 a|10 b|20");
}
END_TEST

START_TEST(syntax_error_in_a_node_has_its_place)
{
	static const char *const bad[] = {
		"'callFrame' :  {'functionName':'a','lineNumber':@-x}",
		"'callFrame' :\n {'functionName' : @nul}",
		"'callFrame':{'functionName':'a'},'positionTicks':[{'line':1,'ticks':@}]",
		"'callFrame':{'functionName':'a'},'positionTicks':[{'line':@1;'ticks':2}]",
		"'callFrame':{'functionName':'a'} @'hitCount':2",
	};

	for (size_t i = 0; i < ARRAY_LEN(bad); i++) {
		struct error err = ERROR_INIT;
		struct buf text = { 0 };
		const char *at = strchr(bad[i], '@');
		int64_t offset;

		buf_adds(&text, "{'nodes':[" ROOT("2") ",{'id':2,");
		offset = (int64_t)text.len + (at - bad[i]);
		buf_add(&text, bad[i], (size_t)(at - bad[i]));
		buf_adds(&text, at + 1);
		buf_adds(&text, "}]," EVERY_10("2", "0") "}");
		ck_assert_msg(!try_load(buf_text(&text), false, &err), "%s", bad[i]);
		ck_assert_int_eq(err.kind, ERR_SYNTAX);
		ck_assert_msg(err.offset >= offset && err.offset <= offset + 3,
			      "%s: %lld, not %lld", bad[i], (long long)err.offset,
			      (long long)offset);
		buf_done(&text);
	}
}
END_TEST

START_TEST(what_is_no_node_is_counted)
{
	check_warned(DOC(ROOT("2") ",7" FN(2, "a", "") ",null", EVERY_10("2,1", "0,10")),
		     "0 a|10 -|20", "odd-node", 2);
}
END_TEST

/* A line counts from 1, and so do its ticks; all members but these two are skipped. */
START_TEST(ticks_without_a_line_or_number_are_counted)
{
	static const struct {
		const char *ticks;
		uint64_t n_odd;
		size_t n;
	} cases[] = {
		{ "{'line':1,'ticks':1}", 0, 1 },
		{ "{'line':0,'ticks':1}", 1, 0 },
		{ "{'line':1,'ticks':0}", 1, 0 },
		{ "{'line':-1,'ticks':2}", 1, 0 },
		{ "{'time':1,'ticks':1}", 1, 0 },
		{ "{'mine':1,'ticks':1}", 1, 0 },
		{ "{'line':1,'uicks':1}", 1, 0 },
		{ "{'line':1,'ticky':1}", 1, 0 },
		{ "{'ticks':1, 'line':1}", 0, 1 },
		{ "{'line':1,'ticks':1,'x':[]}", 0, 1 },
		{ "{'line':2,'ticks':1},7", 1, 1 },
		{ "{'line':2.0,'ticks':'1'}", 0, 1 },
		{ "{'line':1,'ticks':1},{'line':2,'ticks':1}", 0, 2 },
		{ "", 0, 0 },
	};

	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		struct buf text = { 0 };
		struct profile *p;

		buf_addf(&text,
			 "{'nodes':[" ROOT("2") FN(2, "a", ",'positionTicks':[%s]") "]," EVERY_10(
				 "2,1", "0,10") "}",
			 cases[i].ticks);
		p = load(buf_text(&text));
		ck_assert_msg(warned(p, "odd-ticks") == cases[i].n_odd, "%s", cases[i].ticks);
		ck_assert_msg(p->lanes[0].n_ticks == cases[i].n, "%s: %zu", cases[i].ticks,
			      (size_t)p->lanes[0].n_ticks);
		for (size_t k = 0; k < cases[i].n; k++) {
			ck_assert_int_le(p->lanes[0].ticks[k].line, 2);
			ck_assert_uint_eq(p->lanes[0].ticks[k].ticks, 1);
		}
		profile_free(p);
		buf_done(&text);
	}
}
END_TEST

START_TEST(old_shape_hits_count_without_samples)
{
	struct profile *p = load("{" HEAD("0", HANDLER) ",'startTime':1,'endTime':1.004}");

	check_story_of(p, 0, "0 handler|4000");
	profile_free(p);
}
END_TEST

START_TEST(warning_of_a_time_out_of_range_has_no_place)
{
	struct profile *p = load(DOC(ABC, "'startTime':1e300,'samples':[2],'timeDeltas':[0]"));

	ck_assert_uint_eq(warned(p, "time-range"), 1);
	for (size_t i = 0; i < p->inputs[0].n_warnings; i++)
		if (p->inputs[0].warnings[i].kind == WARN_TIME_RANGE)
			ck_assert_int_eq(p->inputs[0].warnings[i].offset, -1);
	profile_free(p);
}
END_TEST

static void add_rules(TCase *t)
{
	tcase_set_timeout(t, 120);
	tcase_add_test(t, sample_owns_time_to_the_next);
	tcase_add_test(t, last_sample_takes_average_interval);
	tcase_add_test(t, member_that_comes_twice_counts_the_last);
	tcase_add_test(t, samples_and_nodes_come_in_any_order);
	tcase_add_test(t, nodes_that_come_twice_count_the_last);
	tcase_add_test(t, nodes_that_are_null_are_absent);
	tcase_add_test(t, sibling_nodes_of_one_function_are_two_spans);
	tcase_add_test(t, nodes_without_call_frames_are_no_profile);
	tcase_add_test(t, average_counts_from_first_to_last_sample);
	tcase_add_test(t, last_sample_is_cut_at_end_time);
	tcase_add_test(t, end_time_before_last_sample_is_unknown);
	tcase_add_test(t, surplus_delta_closes_last_sample);
	tcase_add_test(t, surplus_delta_counts_from_the_last_written_sample);
	tcase_add_test(t, further_surplus_deltas_are_ignored);
	tcase_add_test(t, single_sample_ends_at_end_time);
	tcase_add_test(t, a_length_that_no_time_states_is_not_measured);
	tcase_add_test(t, negative_deltas_are_sorted_stably);
	tcase_add_test(t, reversed_samples_are_sorted);
	tcase_add_test(t, lead_in_belongs_to_nobody);
	tcase_add_test(t, fractions_of_microseconds_are_exact);
	tcase_add_test(t, missing_deltas_spread_samples_evenly);
	tcase_add_test(t, too_few_deltas_are_filled_with_the_average);
	tcase_add_test(t, very_long_start_time_is_unknown);
	tcase_add_test(t, each_profile_has_times_of_its_own);
	tcase_add_test(t, missing_start_time_is_zero);
	tcase_add_test(t, unreadable_sample_gives_its_time_to_the_one_before);
	tcase_add_test(t, odd_delta_counts_as_zero);
	tcase_add_test(t, equal_times_are_spread);
	tcase_add_test(t, consecutive_samples_of_a_node_are_one_span);
	tcase_add_test(t, worked_example);
	tcase_add_test(t, example_ends_at_end_time);
	tcase_add_test(t, times_beyond_all_bounds_are_cut);
	tcase_add_test(t, a_profile_is_shorter_than_2_to_the_62_ns);
	tcase_add_loop_test(t, times_that_are_made_up_end_at_the_last_one, 0, 2);
	tcase_add_test(t, sample_of_root_is_a_gap);
	tcase_add_test(t, idle_program_and_gc_are_told_apart);
	tcase_add_test(t, gc_is_put_on_the_stack_before_it);
	tcase_add_test(t, gc_on_an_empty_stack_is_row_zero);
	tcase_add_test(t, gc_first_is_row_zero);
	tcase_add_test(t, gc_with_url_is_a_function);
	tcase_add_test(t, gc_below_a_function_stays_there);
	tcase_add_test(t, raw_keeps_gc_at_row_zero);
	tcase_add_test(t, lone_program_sample_is_joined);
	tcase_add_test(t, two_program_samples_stay);
	tcase_add_test(t, program_between_different_calls_stays);
	tcase_add_test(t, program_next_to_idle_or_gc_stays);
	tcase_add_test(t, first_and_last_program_samples_stay);
	tcase_add_test(t, program_with_url_stays);
	tcase_add_test(t, children_win_over_parent);
	tcase_add_test(t, parent_is_enough);
	tcase_add_test(t, root_need_not_be_first);
	tcase_add_test(t, orphan_hangs_below_root);
	tcase_add_test(t, second_root_hangs_below_the_first);
	tcase_add_test(t, cycle_is_cut);
	tcase_add_test(t, missing_child_is_passed_over);
	tcase_add_test(t, children_that_are_no_ids_are_passed_over);
	tcase_add_test(t, first_of_two_parents_wins);
	tcase_add_test(t, duplicate_id_last_wins);
	tcase_add_test(t, ids_compare_as_text);
	tcase_add_test(t, unknown_node_keeps_its_time);
	tcase_add_test(t, bare_members_make_a_function);
	tcase_add_test(t, nameless_function_is_anonymous);
	tcase_add_test(t, recursion_counts_once);
	tcase_add_test(t, inlined_functions_get_their_place);
	tcase_add_test(t, ambiguous_inlined_functions_are_left_alone);
	tcase_add_test(t, identity_is_url_not_script_id);
	tcase_add_test(t, samples_as_recorded_are_those_of_raw_loading);
	tcase_add_test(t, functions_without_text_in_their_url_differ);
	tcase_add_test(t, bare_url_is_of_node_only_beside_internal_urls);
	tcase_add_test(t, evals_stay_apart);
	tcase_add_test(t, range_clips_spans);
	tcase_add_test(t, hit_counts_only_without_samples);
	tcase_add_test(t, neither_samples_nor_hits_is_an_error);
	tcase_add_test(t, huge_hit_counts_do_not_overflow);
	tcase_add_test(t, hits_that_do_not_fit_into_the_time);
	tcase_add_test(t, old_shape_has_seconds_and_time_stamps);
	tcase_add_test(t, old_shape_lines_count_from_one);
	tcase_add_test(t, old_shape_calls_nest);
	tcase_add_test(t, old_shape_seconds_that_do_not_enclose_are_ignored);
	tcase_add_test(t, old_shape_seconds_may_be_those_of_the_samples);
	tcase_add_test(t, old_shape_surplus_stamp_closes_last_sample);
	tcase_add_test(t, stamps_win_over_deltas);
	tcase_add_test(t, samples_without_any_id_are_no_samples);
	tcase_add_test(t, hits_of_the_root_only_are_no_samples);
	tcase_add_test(t, second_profile_is_a_lane_of_its_own);
	tcase_add_test(t, members_that_are_missing_are_none);
	tcase_add_test(t, of_equal_members_of_a_node_the_last_counts);
	tcase_add_test(t, syntax_error_in_a_node_has_its_place);
	tcase_add_test(t, what_is_no_node_is_counted);
	tcase_add_test(t, ticks_without_a_line_or_number_are_counted);
	tcase_add_test(t, old_shape_hits_count_without_samples);
	tcase_add_test(t, warning_of_a_time_out_of_range_has_no_place);
}

/* All rules are tried twice: one batch after the other, and with the stream and the builder on
 * threads of their own. */
static void add_tests(Suite *suite)
{
	TCase *alone = suite_case(suite, "rules", SUITE_SECONDS);
	TCase *ahead = suite_case(suite, "on threads", SUITE_SECONDS);

	add_rules(alone);
	tcase_add_checked_fixture(ahead, load_text_on_threads, NULL);
	add_rules(ahead);
}

int main(void)
{
	return suite_run("cpu_rules", add_tests);
}
