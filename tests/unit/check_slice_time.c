/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Self and total time of slices that overlap, or that outlast the one around them by a rounding
 * error, computed by hand. */
#include "config.h"

#include "trace_story.h"

#include "analyse/functions.h"
#include "analyse/totals.h"
#include "base/units.h"
#include "model/span_find.h"

#define S(name, from, length)                                                                      \
	"{'ph':'X','name':'" name "','pid':1,'tid':1,'ts':" from ",'dur':" length "}"
#define OVERLAP "[" S("outer", "0", "30") "," S("a", "0", "20") "," S("b", "10", "20") "]"

static void add_row(struct buf *out, const char *name, int64_t self, int64_t total)
{
	buf_addf(out, " %s ", name);
	add_us(out, self);
	buf_addc(out, '/');
	add_us(out, total);
}

/* "30 a 10/20": the time of the thread, and the functions with self and total time, in us, in
 * [t0, t1). */
static void check_times(const char *text, int64_t t0, int64_t t1, const char *expect)
{
	struct profile *p = load(text);
	const struct lane *lanes[8];
	struct buf out = { 0 }, list = { 0 };
	struct functions functions;
	struct totals totals;
	struct view view;

	ck_assert_uint_le(p->n_lanes, ARRAY_LEN(lanes));
	for (uint32_t i = 0; i < p->n_lanes; i++)
		lanes[i] = &p->lanes[i];
	ck_assert(view_init(&view, p, lanes, p->n_lanes));
	totals_init(&totals, &view);
	totals_compute(&totals, t0 * NS_PER_US, t1 * NS_PER_US);
	functions_init(&functions, &view, t0 * NS_PER_US, t1 * NS_PER_US);
	add_us(&out, totals.sampled_ns);
	add_us(&list, totals.sampled_ns);
	for (frame_id f = 1; f < totals.n_frames; f++) {
		const char *name = profile_text(p, view.frames[f].name);

		if (totals.frame_total[f] == 0)
			continue;
		add_row(&out, name, totals.frame_self[f], totals.frame_total[f]);
		add_row(&list, name, functions.list[f].self, functions.list[f].total);
	}
	ck_assert_str_eq(buf_text(&out), expect);
	ck_assert_str_eq(buf_text(&list), expect);
	buf_done(&out);
	buf_done(&list);
	functions_done(&functions);
	totals_done(&totals);
	view_done(&view);
	profile_free(p);
}

START_TEST(overlapping_children_are_taken_off_once)
{
	check_times(OVERLAP, 0, 30, "30 outer 0/30 a 20/20 b 20/20");
	check_times(OVERLAP, 15, 25, "10 outer 0/10 a 5/5 b 10/10");
	/* Nothing has the time from 15 on. */
	check_times("[" S("outer", "0", "30") "," S("a", "0", "10") "," S("b", "5", "10") "]", 0,
		    30, "30 outer 15/30 a 10/10 b 10/10");
	/* Three at a time. */
	check_times("[" S("outer", "0", "30") "," S("a", "0", "20") "," S("b", "10", "15") "," S(
			    "c", "15", "15") "]",
		    0, 30, "30 outer 0/30 a 20/20 b 15/15 c 15/15");
}
END_TEST

START_TEST(the_innermost_slice_that_contains_it_is_the_parent)
{
	check_times("[" S("outer", "0", "40") "," S("mid", "0", "30") "," S("a", "0", "20") "," S(
			    "b", "10", "20") "]",
		    0, 40, "40 outer 10/40 mid 0/30 a 20/20 b 20/20");
	/* b is not in mid, so mid keeps what is not in a. */
	check_times("[" S("outer", "0", "40") "," S("mid", "0", "30") "," S("a", "0", "20") "," S(
			    "b", "10", "25") "]",
		    0, 40, "40 outer 5/40 mid 10/30 a 20/20 b 25/25");
}
END_TEST

START_TEST(a_thread_is_busy_once)
{
	check_times("[" S("first", "0", "10") "," S("second", "5", "10") "]", 0, 15,
		    "15 first 10/10 second 10/10");
	check_times("[" S("first", "0", "10") "," S("second", "5", "10") "]", 8, 12,
		    "4 first 2/2 second 4/4");
}
END_TEST

START_TEST(an_overshoot_keeps_its_own_length)
{
	check_times("[" S("outer", "0", "30") "," S("a", "15", "16") "]", 0, 31,
		    "31 outer 15/30 a 16/16");
	check_times("[" S("outer", "0", "30") "," S("a", "15", "16") "]", 20, 30,
		    "10 outer 0/10 a 10/10");
	/* Each overshoots the one around it: b loses to c only what it has itself. */
	check_times("[" S("a", "0", "10") "," S("b", "5", "5.5") "," S("c", "9", "2.3") "]", 0, 12,
		    "11.300 a 5/10 b 4/5.500 c 2.300/2.300");
	/* More than a microsecond is an overlap. */
	ck_warns("[" S("outer", "0", "30") "," S("a", "15", "16") "]", "overlap", 0);
	ck_warns("[" S("outer", "0", "30") "," S("a", "15", "16.001") "]", "overlap", 1);
}
END_TEST

START_TEST(a_selected_slice_has_the_same_times)
{
	struct profile *p = load("[" S("outer", "0", "30") "," S("a", "15", "16") "]");
	const struct lane *lane = &p->lanes[0];
	struct span span;

	ck_assert_int_eq(lane->t1, 31 * NS_PER_US);
	ck_assert(span_at(&lane->samples, &lane->tree, 1, 20 * NS_PER_US, &span));
	ck_assert_int_eq(slice_time_of_span(lane, &span), 16 * NS_PER_US);
	ck_assert_int_eq(span_find_self_ns(lane, &span), 16 * NS_PER_US);
	profile_free(p);
	p = load(OVERLAP);
	lane = &p->lanes[0];
	ck_assert(span_at(&lane->samples, &lane->tree, 0, 0, &span));
	ck_assert_int_eq(slice_time_of_span(lane, &span), 30 * NS_PER_US);
	ck_assert_int_eq(span_find_self_ns(lane, &span), 0);
	profile_free(p);
}
END_TEST

static void add_rules(TCase *tc)
{
	tcase_add_test(tc, overlapping_children_are_taken_off_once);
	tcase_add_test(tc, the_innermost_slice_that_contains_it_is_the_parent);
	tcase_add_test(tc, a_thread_is_busy_once);
	tcase_add_test(tc, an_overshoot_keeps_its_own_length);
	tcase_add_test(tc, a_selected_slice_has_the_same_times);
}

static void add_tests(Suite *suite)
{
	trace_suite(suite, add_rules);
}

int main(void)
{
	return suite_run("slice_time", add_tests);
}
