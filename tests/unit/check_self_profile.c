/* SPDX-License-Identifier: GPL-2.0-or-later */
/* JS Self-Profiling: one test for each rule of formats(5), JS SELF-PROFILING. */
#include "config.h"

#include "story.h"
#include "suite.h"

#include "analyse/totals.h"

#define FRAMES                                                                                     \
	"'frames':[{'name':'a','resourceId':0,'line':3,'column':1},{'name':'b','resourceId':0,'line':8,'column':5},{'name':'fetch'},{'name':''}]"
#define URLS "'resources':['https://shop.example/app.js']"
/* a; a>b; a again; a>fetch */
#define STACKS                                                                                     \
	"'stacks':[{'frameId':0},{'frameId':1,'parentId':0},{'frameId':0},{'frameId':2,'parentId':2}]"
#define TRACE(samples) "{" URLS "," FRAMES "," STACKS ",'samples':[" samples "]}"

static const char example[] = TRACE(
	"{'timestamp':100,'stackId':1,'marker':'script'},{'timestamp':110,'stackId':1,'marker':'gc'},"
	"{'timestamp':120},{'timestamp':130,'marker':'style'},{'timestamp':140,'stackId':3},{'timestamp':150,'stackId':2}");

START_TEST(markers_and_gaps)
{
	story_check(example,
		    "0 a>b|10000 a>b>(gc)|20000 -|30000 (style)|40000 a>fetch|50000 a|60000", NULL,
		    0);
}
END_TEST

START_TEST(example_has_the_published_totals)
{
	static const struct {
		const char *name;
		int64_t self, total;
	} rows[] = {
		{ "a", 10, 40 },     { "b", 10, 20 },       { "(gc)", 10, 10 },
		{ "fetch", 10, 10 }, { "(style)", 10, 10 },
	};
	struct profile *p = story_load(example);
	struct totals totals;
	struct view view;

	view_init(&view, p, &(const struct lane *){ &p->lanes[0] }, 1);
	totals_init(&totals, &view);
	totals_compute(&totals, 0, p->t1);
	for (size_t k = 0; k < ARRAY_LEN(rows); k++) {
		int64_t self = 0, total = 0;

		for (uint32_t i = 0; i < totals.n_used; i++) {
			if (strcmp(profile_text(p, profile_frame(p, totals.used[i])->name),
				   rows[k].name) == 0) {
				self += totals.frame_self[totals.used[i]];
				total += totals.frame_total[totals.used[i]];
			}
		}
		ck_assert_msg(self == rows[k].self * 1000000 && total == rows[k].total * 1000000,
			      "%s", rows[k].name);
	}
	totals_done(&totals);
	view_done(&view);
	ck_assert_int_eq(p->lanes[0].gc_ns, 10000000);
	profile_free(p);
}
END_TEST

START_TEST(equal_stacks_are_one_span)
{
	struct profile *p = story_load(TRACE(
		"{'timestamp':0,'stackId':0},{'timestamp':10,'stackId':2},{'timestamp':20,'stackId':0}"));

	ck_assert_uint_eq(p->lanes[0].n_spans, 1);
	profile_free(p);
}
END_TEST

START_TEST(lines_count_from_one)
{
	struct profile *p = story_load(example);
	bool is_found = false;

	for (uint32_t i = 0; i < p->frames.n; i++) {
		const struct frame *f = &p->frames.frames[i];

		if (strcmp(profile_text(p, f->name), "b") == 0) {
			is_found = true;
			ck_assert_int_eq(f->line, 8);
			ck_assert_int_eq(f->column, 5);
			ck_assert_str_eq(profile_text(p, f->url), "https://shop.example/app.js");
		}
	}
	ck_assert(is_found);
	profile_free(p);
}
END_TEST

START_TEST(times_are_exact)
{
	story_check(
		TRACE("{'timestamp':1795255182465.123,'stackId':0},{'timestamp':1795255182465.1231,'stackId':1}"),
		"0 a|0.100 a>b|0.200", NULL, 0);
}
END_TEST

START_TEST(members_in_any_order)
{
	story_check("{'samples':[{'stackId':1,'timestamp':1},{'timestamp':2}]," STACKS "," FRAMES
		    "," URLS "}",
		    "0 a>b|1000 -|2000", NULL, 0);
}
END_TEST

START_TEST(parents_in_any_order)
{
	story_check(
		"{" FRAMES
		",'stacks':[{'frameId':2,'parentId':2},{'frameId':0},{'frameId':1,'parentId':1}],'samples':[{'timestamp':0,'stackId':0},{'timestamp':1,'stackId':0}]}",
		"0 a>b>fetch|1000 a>b>fetch|2000", "odd-index", 2);
}
END_TEST

START_TEST(markers_without_work_add_nothing)
{
	story_check(
		TRACE("{'timestamp':0,'stackId':0,'marker':'script'},{'timestamp':1,'stackId':0,'marker':'other'},{'timestamp':2,'stackId':0,'marker':'new'},{'timestamp':3,'marker':'other'}"),
		"0 a|1000 a|2000 a|3000 (other)|4000", NULL, 0);
}
END_TEST

START_TEST(collections_are_not_moved)
{
	story_check(
		TRACE("{'timestamp':0,'stackId':0},{'timestamp':1,'marker':'gc'},{'timestamp':2}"),
		"0 a|1000 (gc)|2000 -|3000", NULL, 0);
}
END_TEST

static const struct broken {
	const char *text, *story, *kind;
	uint64_t count;
} brokens[] = {
	{ TRACE("{'timestamp':0,'stackId':9},{'timestamp':1,'stackId':-1},{'timestamp':2,'stackId':'x'}"),
	  "0 (unknown)|1000 (unknown)|2000 (unknown)|3000", "odd-index", 3 },
	{ "{" FRAMES "," URLS
	  ",'stacks':[{'frameId':42},{'frameId':0,'parentId':42},{}],'samples':[{'timestamp':0,'stackId':0},{'timestamp':1,'stackId':1},{'timestamp':2,'stackId':2}]}",
	  "0 (unknown)|1000 (unknown)>a|2000 (unknown)|3000", "odd-index", 3 },
	{ "{" FRAMES "," URLS
	  ",'stacks':[{'frameId':0,'parentId':1},{'frameId':1,'parentId':0}],'samples':[{'timestamp':0,'stackId':0},{'timestamp':1,'stackId':1}]}",
	  "0 b>a|1000 b|2000", "stack-cycle", 1 },
	{ "{" FRAMES "," URLS
	  ",'stacks':[{'frameId':0,'parentId':0}],'samples':[{'timestamp':0,'stackId':0},{'timestamp':1}]}",
	  "0 a|1000 -|2000", "stack-cycle", 1 },
	{ TRACE("{'timestamp':20,'stackId':0},{'timestamp':10},{'timestamp':30}"),
	  "0 -|10000 a|20000 -|30000", "unsorted", 1 },
	{ TRACE("{'timestamp':10,'stackId':0},{'timestamp':10},{'timestamp':30}"),
	  "0 a|0 -|20000 -|30000", "unsorted", 1 },
	{ TRACE("{'timestamp':1,'stackId':0},{'stackId':1},null,{'timestamp':1e300},{'timestamp':2}"),
	  "0 a|1000 -|2000", "time-missing", 3 },
	{ TRACE("{'timestamp':'1','stackId':0},{'timestamp':2}"), "0 a|1000 -|2000", "number-text",
	  1 },
	{ TRACE("{'timestamp':5,'stackId':1}"), "0 a>b|0.001", "one-sample", 1 },
	{ TRACE("{'timestamp':5,'stackId':1},{'timestamp':5,'stackId':0}"), "0 a>b|1000 a|2000",
	  "zero-duration", 1 },
	{ TRACE("{'timestamp':1,'stackId':0},{'timestamp':2}") " tail", "0 a|1000 -|2000",
	  "trailing", 1 },
	{ "{" FRAMES "," STACKS ",'samples':[{'timestamp':1,'stackId':0},{'timestamp':2},{'timest",
	  "0 a|1000 -|2000", "cut-off", 1 },
};

START_TEST(broken_but_used)
{
	story_check(brokens[_i].text, brokens[_i].story, brokens[_i].kind, brokens[_i].count);
}
END_TEST

START_TEST(one_sample_has_no_time)
{
	struct profile *p = story_load(TRACE("{'timestamp':5,'stackId':1}"));

	ck_assert_uint_eq(p->lanes[0].n_spans, 0);
	profile_free(p);
}
END_TEST

START_TEST(no_samples_is_an_error)
{
	story_fails(TRACE(""), "no samples");
	story_fails("{" URLS "," STACKS ",'samples':[{'timestamp':5,'stackId':1}]}", "no frames");
	story_fails("{" FRAMES ",'samples':[{'timestamp':5,'stackId':1}],'stacks':[{'frameId'",
		    "ends");
}
END_TEST

/* A document with one of the lists is no self-profile: then the message would be about samples. */
START_TEST(frames_alone_are_no_trace)
{
	story_fails("{" FRAMES "}", "no profile");
}
END_TEST

START_TEST(stopped_at_once_is_none)
{
	struct profile *p = story_load("{'frames':[],'resources':[],'samples':[],'stacks':[]}");

	ck_assert_uint_eq(p->n_lanes, 0);
	ck_assert_uint_eq(p->inputs[0].n_notes, 1);
	ck_assert(!p->inputs[0].notes[0].is_loss);
	profile_free(p);
}
END_TEST

START_TEST(array_gives_lanes)
{
	struct profile *p = story_load(
		"[" TRACE("{'timestamp':100,'stackId':0},{'timestamp':101}") "," TRACE(
			"{'timestamp':7,'stackId':1},{'timestamp':8}") "]");

	ck_assert_uint_eq(p->n_lanes, 2);
	story_of(p, 0, "0 a|1000 -|2000");
	ck_assert_str_eq(profile_text(p, p->lanes[0].title), "");
	ck_assert_str_eq(profile_text(p, p->lanes[1].title), "trace 2");
	profile_free(p);
}
END_TEST

/* A lane has at most 64 kinds of markers, whatever markers other lanes have. */
START_TEST(markers_of_each_trace_are_its_own)
{
	struct buf text = { 0 };
	struct profile *p;

	for (int k = 0; k < 2; k++) {
		buf_addf(&text, "%s{" URLS "," FRAMES "," STACKS ",'samples':[", k ? "," : "[");
		for (int i = 0; i < 65; i++)
			buf_addf(&text, "{'timestamp':%d,'marker':'m%d.%d'},", 100 * k + i, k, i);
		buf_addf(&text, "{'timestamp':%d}]}", 100 * k + 65);
	}
	buf_addc(&text, ']');
	p = story_load(buf_text(&text));
	ck_assert_uint_eq(p->n_lanes, 2);
	for (uint32_t k = 0; k < 2; k++) {
		const struct lane *l = &p->lanes[k];

		for (size_t i = 0; i < l->samples.n; i++)
			ck_assert_msg((l->samples.leaf[i] != NODE_ROOT) == (i < 64), "%u: %zu", k,
				      i);
	}
	profile_free(p);
	buf_done(&text);
}
END_TEST

START_TEST(samples_of_one_time_keep_their_order)
{
	story_check(
		TRACE("{'timestamp':30,'stackId':0},{'timestamp':10,'stackId':1},{'timestamp':10,'stackId':3},{'timestamp':10},{'timestamp':40}"),
		"0 a>b|0 a>fetch|0 -|20000 a|30000 -|37500", "unsorted", 3);
}
END_TEST

START_TEST(wrapped_in_an_envelope)
{
	story_check("{'page':'/','trace':" TRACE("{'timestamp':1,'stackId':0},{'timestamp':2}") "}",
		    "0 a|1000 -|2000", NULL, 0);
}
END_TEST

START_TEST(deep_stacks)
{
	struct buf text = { 0 };
	struct profile *p;

	buf_adds(&text, "{" FRAMES ",'stacks':[{'frameId':0}");
	for (int i = 1; i < 70000; i++)
		buf_addf(&text, ",{'frameId':0,'parentId':%d}", i - 1);
	buf_adds(&text, "],'samples':[{'timestamp':1,'stackId':69999},{'timestamp':2}]}");
	p = story_load(buf_text(&text));
	ck_assert_int_eq(p->lanes[0].max_depth, 65000);
	profile_free(p);
	buf_done(&text);
}
END_TEST

START_TEST(list_that_comes_twice_counts_the_last)
{
	story_check("{'frames':[{'name':'x'},{'name':'y'}]," FRAMES "," URLS ","
		    "'stacks':[{'frameId':3}]," STACKS ",'samples':[{'timestamp':5,'stackId':0}],"
		    "'samples':[{'timestamp':0,'stackId':0},{'timestamp':10,'stackId':1},"
		    "{'timestamp':20,'stackId':0}]}",
		    "0 a|10000 a>b|20000 a|30000", NULL, 0);
}
END_TEST

START_TEST(broken_anywhere)
{
	story_broken(example, "selfprofile");
}
END_TEST

START_TEST(marker_is_a_frame_without_a_place)
{
	struct profile *p = story_load(TRACE("{'timestamp':1,'marker':'paint'},{'timestamp':2}"));
	const struct frame *f = profile_node_frame(p, &p->lanes[0], p->lanes[0].samples.leaf[0]);

	ck_assert_str_eq(profile_text(p, f->name), "(paint)");
	ck_assert_uint_eq(f->url, 0);
	ck_assert_uint_eq(f->script, 0);
	ck_assert_int_eq(f->line, 0);
	ck_assert_int_eq(f->column, 0);
	profile_free(p);
}
END_TEST

/* A trace of `leaf` at `t` ms, which has a stack of its own. */
#define LEAF(t, name)                                                                              \
	"{'frames':[{'name':'" name                                                                \
	"'}],'resources':[],'stacks':[{'frameId':0}],'samples':[{'timestamp':" #t                  \
	",'stackId':0},{'timestamp':" #t "1,'stackId':0}]}"

static void check_lane(const struct profile *p, uint32_t lane, const char *title, const char *story)
{
	ck_assert_uint_lt(lane, p->n_lanes);
	ck_assert_str_eq(profile_text(p, p->lanes[lane].title), title);
	story_of(p, lane, story);
}

START_TEST(traces_of_an_object_are_lanes_by_its_keys)
{
	struct profile *p = story_load(
		"{'url':'x','list':" LEAF(2, "a") ",'env':{'frames':3},'n'"
						  ":{'x':{}},'detail':" LEAF(1, "b") "}");

	ck_assert_uint_eq(p->n_lanes, 2);
	/* One clock: `detail` begins a millisecond before `list`. */
	check_lane(p, 0, "list", "1000 a|20000 a|39000");
	check_lane(p, 1, "detail", "0 b|10000 b|20000");
	profile_free(p);
}
END_TEST

START_TEST(traces_of_an_object_that_is_cut_off_stay)
{
	static const char text[] = "{'list':" LEAF(
		2, "a") ",'detail':{'frames':[{'name':'b'}],'stacks':[{'frameId'";
	struct profile *p = story_load(text);

	ck_assert_uint_eq(p->n_lanes, 1);
	check_lane(p, 0, "list", "0 a|19000 a|38000");
	ck_assert_uint_eq(story_warned(p, "cut-off"), 1);
	profile_free(p);
	p = story_load("{'list':" LEAF(
		2, "a") ",'detail':{'frames':[{'name':'b'}],'stacks':"
			"[{'frameId':0}],'samples':[{'timestamp':2,'stackId':0},{'timestamp':3");
	ck_assert_uint_eq(p->n_lanes, 2);
	ck_assert_str_eq(profile_text(p, p->lanes[1].title), "detail");
	profile_free(p);
}
END_TEST

START_TEST(member_that_is_an_object_does_not_change_the_trace)
{
	story_check("{" FRAMES "," URLS "," STACKS
		    ",'more':{'frames':[],'stacks':[{'frameId':0}]},'samples':[{'timestamp':1,"
		    "'stackId':1},{'timestamp':2}]}",
		    "0 a>b|1000 -|2000", NULL, 0);
}
END_TEST

static struct profile *load_gaps(const char *text, bool is_idle)
{
	struct builder *b = builder_new(&(struct builder_options){ .has_idle_gaps = is_idle });
	struct error err = ERROR_INIT;
	char *copy = quoted(text);
	struct profile *p = load_text_with(b, copy, strlen(text), SIZE_MAX, NULL, &err);

	free(copy);
	ck_assert_msg(p != NULL, "%s", err.text);
	return p;
}

START_TEST(gaps_are_idle_only_on_request)
{
	static const char text[] = TRACE(
		"{'timestamp':0,'stackId':0},{'timestamp':1},{'timestamp':2,'marker':'style'}");
	struct profile *p = load_gaps(text, false);

	story_of(p, 0, "0 a|1000 -|2000 (style)|3000");
	ck_assert_int_eq(p->lanes[0].idle_ns, 0);
	ck_assert_int_eq(p->lanes[0].unsampled_ns, 1000000);
	profile_free(p);
	p = load_gaps(text, true);
	story_of(p, 0, "0 a|1000 (idle)|2000 (style)|3000");
	ck_assert_int_eq(p->lanes[0].idle_ns, 1000000);
	ck_assert_int_eq(p->lanes[0].unsampled_ns, 0);
	profile_free(p);
}
END_TEST

static void add_tests(Suite *suite)
{
	TCase *t = suite_case(suite, "rules", 300);

	tcase_add_test(t, traces_of_an_object_are_lanes_by_its_keys);
	tcase_add_test(t, traces_of_an_object_that_is_cut_off_stay);
	tcase_add_test(t, member_that_is_an_object_does_not_change_the_trace);
	tcase_add_test(t, gaps_are_idle_only_on_request);
	tcase_add_test(t, markers_and_gaps);
	tcase_add_test(t, example_has_the_published_totals);
	tcase_add_test(t, equal_stacks_are_one_span);
	tcase_add_test(t, lines_count_from_one);
	tcase_add_test(t, times_are_exact);
	tcase_add_test(t, members_in_any_order);
	tcase_add_test(t, parents_in_any_order);
	tcase_add_test(t, markers_without_work_add_nothing);
	tcase_add_test(t, collections_are_not_moved);
	tcase_add_loop_test(t, broken_but_used, 0, N(brokens));
	tcase_add_test(t, one_sample_has_no_time);
	tcase_add_test(t, no_samples_is_an_error);
	tcase_add_test(t, frames_alone_are_no_trace);
	tcase_add_test(t, stopped_at_once_is_none);
	tcase_add_test(t, array_gives_lanes);
	tcase_add_test(t, marker_is_a_frame_without_a_place);
	tcase_add_test(t, markers_of_each_trace_are_its_own);
	tcase_add_test(t, samples_of_one_time_keep_their_order);
	tcase_add_test(t, wrapped_in_an_envelope);
	tcase_add_test(t, deep_stacks);
	tcase_add_test(t, list_that_comes_twice_counts_the_last);
	tcase_add_test(t, broken_anywhere);
}

int main(void)
{
	return suite_run("self_profile", add_tests);
}
