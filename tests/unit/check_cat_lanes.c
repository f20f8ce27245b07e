/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Slices of threads on one lane for each event category. What such a lane has must be what a trace
 * has that consists of the events of this category alone. */
#include "config.h"

#include "random_mix.h"
#include "suite.h"
#include "trace_story.h"

#include "read/load/split_lanes.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>

#define RANDOM 200
#define CATS 3

static const char *const cats[CATS + 1] = { "v8", "io", "net", "" };

/* An event of a random trace; cat: CATS: none. */
struct random_event {
	char ph, name;
	int cat, tid;
	long long ts, dur;
};

/* The events of one category; -1: of all. */
static char *text_of(const struct random_event *list, int n, int cat)
{
	struct buf text = { 0 };
	bool is_later = false;
	char *copy;

	buf_addc(&text, '[');
	for (int i = 0; i < n; i++) {
		const struct random_event *e = &list[i];

		if (cat >= 0 && e->cat != cat)
			continue;
		buf_addf(&text,
			 "%s{'ph':'%c','name':'%c','cat':'%s%s','pid':1,'tid':%d,'ts':%lld,"
			 "'dur':%lld}",
			 is_later ? "," : "", e->ph, e->name, cats[e->cat],
			 e->cat < CATS && i % 2 ? ",other" : "", e->tid, e->ts, e->dur);
		is_later = true;
	}
	buf_addc(&text, ']');
	copy = xstrdup(buf_text(&text));
	buf_done(&text);
	return copy;
}

/* The lanes with a title, or all if it is NULL; without titles. */
static void tell(const struct profile *p, const char *title, struct buf *out)
{
	struct lane lane;

	for (uint32_t i = 0; i < p->n_lanes; i++) {
		lane = p->lanes[i];
		if (title && strcmp(profile_text(p, lane.title), title) != 0)
			continue;
		lane.title = 0;
		add_lane(out, p, &lane);
		buf_addf(out, "joined %d, %lld to %lld, busy %lld\n", lane.is_joined,
			 (long long)(lane.t0 + p->origin_ns), (long long)(lane.t1 + p->origin_ns),
			 (long long)lane.busy_ns);
	}
}

static void split(struct profile *p, bool is_split)
{
	struct error err = ERROR_INIT;

	ck_assert_msg(split_lanes(p, is_split ? "cat" : "none", &err), "%s", err.text);
}

static void compare(const struct random_event *list, int n)
{
	char *text = text_of(list, n, -1);
	struct profile *p = load(text);
	struct buf before = { 0 }, after = { 0 };

	free(text);
	tell(p, NULL, &before);
	split(p, true);
	for (int cat = 0; cat <= CATS; cat++) {
		struct buf one = { 0 }, all = { 0 };
		struct profile *alone;

		text = text_of(list, n, cat);
		tell(p, cat < CATS ? cats[cat] : "(no event category)", &all);
		if (strcmp(text, "[]") != 0) {
			alone = load(text);
			tell(alone, NULL, &one);
			profile_free(alone);
		}
		ck_assert_str_eq(buf_text(&all), buf_text(&one));
		free(text);
		buf_done(&one);
		buf_done(&all);
	}
	split(p, false);
	tell(p, NULL, &after);
	ck_assert_str_eq(buf_text(&after), buf_text(&before));
	/* A profile that is freed meanwhile frees both. */
	split(p, true);
	profile_free(p);
	buf_done(&before);
	buf_done(&after);
}

START_TEST(each_lane_is_that_of_its_events_alone)
{
	struct random_event list[40];

	for (int i = 0; i < SUITE_CASES(RANDOM); i++) {
		int n;

		set_seed(i);
		n = 2 + (int)below(N(list) - 2);
		for (int k = 0; k < n; k++) {
			list[k] = (struct random_event){
				.ph = below(5) ? 'X' : 'I',
				.name = (char)('a' + below(3)),
				.cat = (int)below(CATS + 1),
				.tid = 1 + (int)below(2),
				.ts = 100 + (long long)below(100),
			};
			list[k].dur = list[k].ph == 'X' ? (long long)below(60) : 0;
		}
		/* Otherwise there may be no category, or no slice. */
		list[0].cat = 0;
		list[0].ph = 'X';
		compare(list, n);
	}
}
END_TEST

#define CX(name, cat, ts, dur) EV("X", name, ts, ",'cat':'" cat "','dur':" #dur)

/* The lanes of a trace by event category. */
static void ck_splits(const char *text, const char *story)
{
	struct profile *p = load(text);
	struct buf out = { 0 };

	split(p, true);
	for (uint32_t i = 0; i < p->n_lanes; i++) {
		ck_assert_uint_eq(p->lanes[i].id, i + 1);
		add_lane(&out, p, &p->lanes[i]);
	}
	ck_assert_str_eq(buf_text(&out), story);
	buf_done(&out);
	profile_free(p);
}

START_TEST(lanes_are_ordered_by_category)
{
	ck_splits("[" CX("a", "v8", 0, 9) "," CX("b", "io", 1, 2) "," X("c", 1, 3) "]",
		  "slices 1/1 [io] b:1-3\n"
		  "slices 1/1 [v8] a:0-9\n"
		  "slices 1/1 [(no event category)] c:1-4\n");
}
END_TEST

START_TEST(first_of_several_categories_counts)
{
	ck_splits("[" CX("a", "v8,x", 0, 9) "," CX("b", "v8,y", 1, 2) "]",
		  "slices 1/1 [v8] a:0-9 | b:1-3\n");
}
END_TEST

START_TEST(slices_of_one_name_go_to_the_lanes_of_their_categories)
{
	ck_splits("[" CX("a", "v8", 0, 9) "," CX("a", "io", 20, 2) "," CX("a", "v8", 30, 1) "]",
		  "slices 1/1 [io] a:20-22\n"
		  "slices 1/1 [v8] a:0-9 a:30-31\n");
}
END_TEST

/* They overlap on one lane, and do not on two. */
START_TEST(slices_overlap_within_a_lane_only)
{
	ck_splits("[" CX("a", "v8", 0, 10) "," CX("b", "io", 5, 10) "," CX("c", "io", 12, 10) "]",
		  "slices 1/1 [io] b:5-15\n"
		  "slices 1/1 [io] c:12-22O\n"
		  "slices 1/1 [v8] a:0-10\n");
}
END_TEST

START_TEST(lanes_of_other_kinds_stay)
{
	ck_splits("[" CX("a", "v8", 0, 10) "," AS("b", "r", 1, 1) "," AS("e", "r", 3, 1) "," EV(
			  "C", "heap", 2, ",'args':{'used':7}") "]",
		  "slices 1/1 [v8] a:0-10\n"
		  "async 1/- [r] r:1-3\n"
		  "counter 1/- [heap] used=7@2\n");
}
END_TEST

START_TEST(flows_follow_their_slices)
{
	struct profile *p = load(
		"[" CX("a", "v8", 0, 10) "," CX("b", "io", 20, 10) "," CX("c", "v8", 40, 5) "," EV(
			"s", "f", 1,
			",'cat':'w','id':1") "," EV("t", "f", 21,
						    ",'cat':'w','id':1,'bp':'e'") "," EV("f", "f",
											 41,
											 ",'cat':'w','id':1,'bp':'e'") "]");
	const char *const names_of[] = { "a", "b", "c" }, *const titles[] = { "v8", "io", "v8" };

	ck_assert_uint_eq(p->n_flows, 3);
	split(p, true);
	ck_assert_uint_eq(p->n_flows, 3);
	for (size_t i = 0; i < p->n_flows; i++) {
		const struct lane *lane = &p->lanes[p->flows[i].lane];
		size_t first;

		ck_assert_str_eq(profile_text(p, lane->title), titles[i]);
		ck_assert_str_eq(
			profile_text(p, profile_node_frame(p, lane, p->flows[i].span.node)->name),
			names_of[i]);
		ck_assert_uint_eq(profile_flows_of(p, p->flows[i].lane, &p->flows[i].span, &first),
				  1);
		ck_assert_uint_eq(p->flows_by_lane[first], i);
	}
	split(p, false);
	ck_assert_uint_eq(p->n_flows, 3);
	ck_assert_uint_eq(p->n_lanes, 1);
	profile_free(p);
}
END_TEST

static void ck_refused(const char *text, const char *why)
{
	struct error err = ERROR_INIT;
	struct profile *p = load(text);

	ck_assert(!split_lanes(p, "cat", &err));
	ck_assert_str_eq(err.text, why);
	ck_assert(split_lanes(p, "none", &err));
	profile_free(p);
}

START_TEST(profile_without_categories_is_refused)
{
	ck_refused("[" X("a", 0, 10) "]", "no slices of threads with event categories");
	ck_refused("[" AS("b", "r", 1, 1) "]", "no slices of threads with event categories");
}
END_TEST

static void add_tests(Suite *suite)
{
	TCase *t = suite_case(suite, "rules", SUITE_SECONDS);

	tcase_add_test(t, each_lane_is_that_of_its_events_alone);
	tcase_add_test(t, lanes_are_ordered_by_category);
	tcase_add_test(t, first_of_several_categories_counts);
	tcase_add_test(t, slices_of_one_name_go_to_the_lanes_of_their_categories);
	tcase_add_test(t, slices_overlap_within_a_lane_only);
	tcase_add_test(t, lanes_of_other_kinds_stay);
	tcase_add_test(t, flows_follow_their_slices);
	tcase_add_test(t, profile_without_categories_is_refused);
}

int main(void)
{
	return suite_run("cat_lanes", add_tests);
}
