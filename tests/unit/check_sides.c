/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Two sides: figures, the merged lane of both, its widths, and the totals of a range of it. */
#include "config.h"

#include "suite.h"

#include "analyse/compare/sides.h"
#include "base/buf.h"
#include "draw/flame/label.c"
#include "load_text.h"

#include <check.h>

static void count_sides(const struct sides *sides, int64_t t0, int64_t t1, struct totals *before,
			struct totals *after, struct totals *larger)
{
	struct totals *const of[] = { before, after };
	struct sides_count count;

	if (sides_count_begin(&count, sides, t0, t1, of, larger))
		sides_count_step(&count, BUDGET_UNLIMITED);
}

/* main calls same, more, less, fresh and old; a sample each millisecond. Before, the first 10 ms:
 * same 4, more 1, less 4, old 1. After, the next 5 ms: same 2, more 2, fresh 1. */
static const char document[] =
	"{'nodes':[{'id':1,'callFrame':{'functionName':'(root)','scriptId':'0','url':'',"
	"'lineNumber':-1,'columnNumber':-1},'children':[2]},"
#define NODE(id, name)                                                                             \
	"{'id':" id ",'callFrame':{'functionName':'" name "','scriptId':'1','url':'file:///a.js'," \
	"'lineNumber':" id ",'columnNumber':0}"
	NODE("2", "main") ",'children':[3,4,5,6,7]}," NODE("3", "same") "}," NODE("4", "more") "}," NODE(
		"5",
		"less") "}," NODE("6",
				  "fresh") "}," NODE("7",
						     "old") "}],"
							    "'startTime':0,'endTime':15000,'samples':[3,3,3,3,4,5,5,5,5,7,3,3,4,4,6],"
							    "'timeDeltas':[0,1000,1000,1000,1000,1000,1000,1000,1000,1000,1000,1000,1000,1000,1000]}";

#define MS INT64_C(1000000)

static struct profile *profile, *merged;
static struct sides sides;

static void setup(void)
{
	struct error err = ERROR_INIT;
	char *text = quoted(document);

	profile = load_text(text, strlen(text), SIZE_MAX, NULL, &err);
	ck_assert_msg(profile != NULL, "%s", err.text);
	free(text);
}

static void merge(enum sides_per per, enum sides_width width)
{
	const struct lane *lanes[] = { &profile->lanes[0] };
	uint8_t is_lane[] = { 1 };
	struct compare_run runs[] = { { "a", is_lane, 0, 10 * MS, false, false, false },
				      { "b", is_lane, 10 * MS, 15 * MS, true, false, false } };
	struct sides_plan plan = { .lanes = lanes,
				   .n_lanes = 1,
				   .runs = runs,
				   .n_runs = 2,
				   .per = per,
				   .width = width };
	struct sides_merge *m = sides_merge_begin(profile, &plan);

	sides_merge_work(m, BUDGET_UNLIMITED);
	merged = sides_merge_end(m, &sides);
	ck_assert_ptr_nonnull(merged);
}

static void teardown(void)
{
	sides_done(&sides);
	profile_free(merged);
	profile_free(profile);
	merged = NULL;
}

static node_id node_of(const char *name)
{
	const struct lane *lane = &merged->lanes[0];

	for (node_id i = 1; i < lane->tree.n; i++)
		if (strcmp(profile_text(merged, profile_node_frame(merged, lane, i)->name), name) ==
		    0)
			return i;
	ck_abort_msg("%s is not in the lane", name);
}

/* `name before after` of the self times, in per mille of the whole. */
static void expect_self(const char *name, int before, int after)
{
	node_id node = node_of(name);

	ck_assert_int_eq(sides.self[SIDE_BEFORE][node] * 1000 / sides.unit.whole, before);
	ck_assert_int_eq(sides.self[SIDE_AFTER][node] * 1000 / sides.unit.whole, after);
}

START_TEST(shares_are_of_the_busy_time_of_their_side)
{
	merge(SIDES_PER_TOTAL, SIDES_LARGER);
	ck_assert_int_eq(sides.busy_ns[SIDE_BEFORE], 10 * MS);
	ck_assert_int_eq(sides.busy_ns[SIDE_AFTER], 5 * MS);
	expect_self("same", 400, 400);
	expect_self("more", 100, 400);
	expect_self("less", 400, 0);
	expect_self("fresh", 0, 200);
	expect_self("old", 100, 0);
	expect_self("main", 0, 0);
	ck_assert_int_eq(sides.total[SIDE_BEFORE][node_of("main")], sides.unit.whole);
	ck_assert_int_eq(sides.total[SIDE_AFTER][node_of("main")], sides.unit.whole);
}
END_TEST

static void expect_error(const struct sides *s, int64_t before, int64_t after, const char *text)
{
	const int64_t ns[SIDES] = { before, after };
	struct buf out = { 0 };

	sides_add_error(s, ns, &out);
	ck_assert_str_eq(buf_text(&out), text);
	buf_done(&out);
}

START_TEST(samples_of_each_side_are_counted)
{
	merge(SIDES_PER_TOTAL, SIDES_LARGER);
	ck_assert(sides.has_samples);
	ck_assert_int_eq((int)sides.n_samples[SIDE_BEFORE], 10);
	ck_assert_int_eq((int)sides.n_samples[SIDE_AFTER], 5);
	ck_assert_double_eq_tol(sides.sample_ns[SIDE_BEFORE], .5 * MS, 1);
	ck_assert_double_eq_tol(sides.sample_ns[SIDE_AFTER], MS, 1);
	expect_error(&sides, 500 * MS / 1000, 2 * MS, "within the error of 5 samples");
}
END_TEST

/* Of sides of n samples of 1 ms each, whose busy time is the whole. */
static struct sides of_samples(uint64_t before, uint64_t after)
{
	return (struct sides){ .unit = { .per = SIDES_PER_TOTAL, .whole = (int64_t)after * MS },
			       .has_samples = true,
			       .n_samples = { before, after },
			       .sample_ns = { (double)after * MS / (double)before, MS } };
}

START_TEST(what_samples_explain_is_said)
{
	struct sides s = of_samples(100, 1);

	expect_error(&s, 0, MS, "after has 1 sample: its shares say nothing");
	s.unit.is_rest = true;
	expect_error(&s, 0, MS, "window has 1 sample: its shares say nothing");
	s = of_samples(4, 100);
	expect_error(&s, 0, 90 * MS, "before has 4 samples: its shares say nothing");
	s.unit.per = SIDES_PER_TIME;
	expect_error(&s, 0, 90 * MS, "before has 4 samples: its times say nothing");
	s = of_samples(300, 50);
	expect_error(&s, 0, 40 * MS, "few samples: shares of after \302\26114 %");
	/* Without a change, nothing is within an error. */
	expect_error(&s, MS, MS, "few samples: shares of after \302\26114 %");
	s = of_samples(260, 400);
	expect_error(&s, 40 * MS, 90 * MS, "");
	expect_error(&s, 40 * MS, 60 * MS, "within the error of 260 samples");
	s.n_samples[SIDE_BEFORE] = 0;
	expect_error(&s, 0, 60 * MS, "before has no samples: its shares say nothing");
	s.has_samples = false;
	expect_error(&s, 0, 60 * MS, "");
}
END_TEST

START_TEST(without_division_times_are_as_measured)
{
	merge(SIDES_PER_NONE, SIDES_LARGER);
	ck_assert_int_eq(sides.self[SIDE_BEFORE][node_of("same")], 4 * MS);
	ck_assert_int_eq(sides.self[SIDE_AFTER][node_of("same")], 2 * MS);
}
END_TEST

/* Merge by the calls of a pattern. False: a side has none. */
static bool merge_by_calls(const char *pattern)
{
	const struct lane *lanes[] = { &profile->lanes[0] };
	uint8_t is_lane[] = { 1 };
	struct compare_run runs[] = { { "a", is_lane, 0, 10 * MS, false, false, false },
				      { "b", is_lane, 10 * MS, 15 * MS, true, false, false } };
	struct sides_plan plan = { .lanes = lanes,
				   .n_lanes = 1,
				   .runs = runs,
				   .n_runs = 2,
				   .per = SIDES_PER_COUNT,
				   .count = pattern,
				   .all = profile };
	struct sides_merge *m = sides_merge_begin(profile, &plan);

	ck_assert_ptr_nonnull(m);
	while (!sides_merge_work(m, a_step()))
		;
	merged = sides_merge_end(m, &sides);
	return merged != NULL;
}

START_TEST(times_are_divided_by_the_calls_of_their_side)
{
	char text[UNITS_MAX];

	ck_assert(merge_by_calls("^(more|less)$"));
	ck_assert_uint_eq(sides.n_calls[SIDE_BEFORE], 2);
	ck_assert_uint_eq(sides.n_calls[SIDE_AFTER], 1);
	ck_assert_int_eq(sides.self[SIDE_BEFORE][node_of("same")], 2 * MS);
	ck_assert_int_eq(sides.self[SIDE_AFTER][node_of("same")], 2 * MS);
	sides_format(&sides.unit, sides.self[SIDE_BEFORE][node_of("less")], text);
	ck_assert_str_eq(text, "2.00 ms");
	sides_format_change(&sides.unit, 3 * MS / 2, text);
	ck_assert_str_eq(text, "+1.50 ms");
	sides_format_change(&sides.unit, 2, text);
	ck_assert_str_eq(text, "\302\2610");
}
END_TEST

START_TEST(sides_without_calls_are_not_divided)
{
	ck_assert(!merge_by_calls("^fresh$"));
	ck_assert_uint_eq(sides.n_calls[SIDE_BEFORE], 0);
	ck_assert_uint_eq(sides.n_calls[SIDE_AFTER], 1);
}
END_TEST

/* Per mille of the whole. */
static const struct {
	enum sides_width width;
	int lane, old, fresh;
} widths[] = { { SIDES_MEAN, 1000, 50, 100 },
	       { SIDES_LARGER, 1500, 100, 200 },
	       { SIDES_BEFORE, 1000, 100, 0 },
	       { SIDES_AFTER, 1000, 0, 200 } };

START_TEST(boxes_are_as_wide_as_the_side_that_is_asked_for)
{
	const struct lane *lane;
	int64_t self_ns[2] = { 0, 0 };

	merge(SIDES_PER_TOTAL, widths[_i].width);
	lane = &merged->lanes[0];
	ck_assert_int_eq(lane->t1 * 1000 / sides.unit.whole, widths[_i].lane);
	for (size_t i = 0; i < lane->samples.n; i++)
		for (int k = 0; k < 2; k++)
			if (lane->samples.leaf[i] == node_of(k ? "fresh" : "old"))
				self_ns[k] += samples_time(&lane->samples, i + 1) -
					samples_time(&lane->samples, i);
	ck_assert_int_eq(self_ns[0] * 1000 / sides.unit.whole, widths[_i].old);
	ck_assert_int_eq(self_ns[1] * 1000 / sides.unit.whole, widths[_i].fresh);
}
END_TEST

/* The totals of a range of the lane. */
static void count(int64_t t0, int64_t t1, int64_t sum[3])
{
	const struct lane *lane = &merged->lanes[0];
	struct view view;
	struct totals totals[3];

	ck_assert(view_init(&view, merged, &lane, 1));
	for (int k = 0; k < 3; k++)
		totals_init(&totals[k], &view);
	count_sides(&sides, t0, t1, &totals[0], &totals[1], &totals[2]);
	for (int k = 0; k < 3; k++) {
		sum[k] = totals[k].self_ns;
		totals_done(&totals[k]);
	}
	view_done(&view);
}

START_TEST(a_range_has_its_part_of_both_sides)
{
	int64_t all[3], parts[3] = { 0, 0, 0 }, sum[3];
	int64_t end;

	merge(SIDES_PER_TOTAL, widths[_i].width);
	end = merged->lanes[0].t1;
	count(0, end, all);
	ck_assert_int_eq(all[0], sides.unit.whole);
	ck_assert_int_eq(all[1], sides.unit.whole);
	for (int i = 0; i < 3; i++) {
		count(end * i / 3, end * (i + 1) / 3, sum);
		for (int k = 0; k < 3; k++)
			parts[k] += sum[k];
	}
	for (int k = 0; k < 3; k++)
		ck_assert(parts[k] >= all[k] - 3 && parts[k] <= all[k] + 3);
}
END_TEST

/* Each sample and each sum is a unit of work. */
START_TEST(counting_stops_when_the_budget_is_spent)
{
	const struct lane *lane;
	struct view view;
	struct totals totals[6];
	struct totals *const of[SIDES] = { &totals[0], &totals[1] };
	struct sides_count counting;
	size_t n_steps = 1;

	merge(SIDES_PER_TOTAL, SIDES_LARGER);
	lane = &merged->lanes[0];
	ck_assert(view_init(&view, merged, &lane, 1));
	for (int k = 0; k < 6; k++)
		totals_init(&totals[k], &view);
	ck_assert(sides_count_begin(&counting, &sides, 0, lane->t1, of, &totals[2]));
	for (;; n_steps++) {
		struct budget budget = budget_steps(1, 1);

		if (sides_count_step(&counting, &budget))
			break;
	}
	ck_assert_uint_gt(n_steps, lane->samples.n);
	count_sides(&sides, 0, lane->t1, &totals[3], &totals[4], &totals[5]);
	for (int k = 0; k < 3; k++) {
		ck_assert_int_eq(totals[k].self_ns, totals[k + 3].self_ns);
		for (node_id i = 0; i < view.tree->n; i++)
			ck_assert_int_eq(totals[k].total[i], totals[k + 3].total[i]);
	}
	for (int k = 0; k < 6; k++)
		totals_done(&totals[k]);
	view_done(&view);
}
END_TEST

static const struct {
	const char *name;
	int room;
	const char *label;
} labels[] = {
	{ "same", 30, "same" },
	{ "same", 2, "" },
	{ "more", 30, "more +30.0 pt" },
	{ "more", 8, "+more" },
	{ "less", 30, "\342\200\240less -40.0 pt" },
	{ "less", 4, "\342\200\240les" },
	{ "fresh", 30, "*fresh +20.0 pt" },
	{ "fresh", 3, "*" },
	{ "fresh", 1, "*" },
	{ "main", 30, "main" },
};

/* The change of a call, that of its function, and the label of the call; `less` loses 40 points. */
static const struct {
	int change, all; /* per mille */
	int room;
	const char *label;
} parts[] = {
	{ -400, -400, 30, "\342\200\240less -40.0 pt" },
	{ -400, -500, 30, "\342\200\240less -40.0 of -50.0 pt" },
	{ -400, -500, 16, "\342\200\240less" },
	{ -400, -300, 30, "\342\200\240less -40.0 pt, others rose" },
	{ -400, 100, 30, "\342\200\240less -40.0 pt, others rose" },
	{ -400, 100, 20, "\342\200\240less -40.0 pt" },
	{ 300, 200, 30, "more +30.0 pt, others fell" },
	{ 300, -200, 30, "more +30.0 pt, others fell" },
	{ 300, 310, 30, "more +30.0 of +31.0 pt" },
};

START_TEST(a_part_is_not_said_to_be_of_less)
{
	struct buf text = { 0 };
	node_id node;

	merge(SIDES_PER_TOTAL, SIDES_LARGER);
	node = node_of(parts[_i].change > 0 ? "more" : "less");
	sides.frame_self[SIDE_BEFORE][merged->lanes[0].tree.frame[node]] = 0;
	sides.frame_self[SIDE_AFTER][merged->lanes[0].tree.frame[node]] = parts[_i].all *
		sides.unit.whole / 1000;
	change_label(merged, &merged->lanes[0], &sides, node, parts[_i].room, &text);
	ck_assert_str_eq(buf_text(&text), parts[_i].label);
	buf_done(&text);
}
END_TEST

START_TEST(a_label_has_the_sign_of_its_change)
{
	struct buf text = { 0 };

	merge(SIDES_PER_TOTAL, SIDES_LARGER);
	change_label(merged, &merged->lanes[0], &sides, node_of(labels[_i].name), labels[_i].room,
		     &text);
	ck_assert_str_eq(buf_text(&text), labels[_i].label);
	buf_done(&text);
}
END_TEST

static const struct {
	enum sides_per per;
	int64_t before, after;
	const char *text;
	enum sides_kind kind;
	int level;
} figures[] = {
	{ SIDES_PER_TOTAL, 489, 651, "48.9 \342\206\222 65.1 %  +16.2 pt", SIDES_MORE, 2 },
	{ SIDES_PER_TOTAL, 100, 95, "10.0 \342\206\222 9.5 %  -0.5 pt", SIDES_LESS, 1 },
	{ SIDES_PER_TOTAL, 100, 100, "10.0 \342\206\222 10.0 %  \302\2610", SIDES_SAME, 0 },
	{ SIDES_PER_TOTAL, 0, 10, "0.0 \342\206\222 1.0 %  +1.0 pt", SIDES_NEW, 2 },
	{ SIDES_PER_TOTAL, 10, 0, "1.0 \342\206\222 0.0 %  -1.0 pt", SIDES_GONE, 2 },
	{ SIDES_PER_TIME, 20, 32, "20.0 ms/s \342\206\222 32.0 ms/s  +12.0 ms/s", SIDES_MORE, 2 },
	{ SIDES_PER_NONE, 20, 32, "20 ns \342\206\222 32 ns  +12 ns", SIDES_MORE, 2 },
};

START_TEST(figures_have_the_unit_and_the_sign)
{
	struct sides_unit unit = { .per = figures[_i].per, .whole = 1000, .n_calls = 1 };
	int64_t ns[SIDES] = { figures[_i].before, figures[_i].after };
	struct buf text = { 0 };

	change_text(&unit, ns, &text);
	ck_assert_str_eq(buf_text(&text), figures[_i].text);
	ck_assert_int_eq(sides_kind_of(&unit, ns[0], ns[1]), figures[_i].kind);
	ck_assert_int_eq(sides_level(&unit, ns[1] - ns[0]), figures[_i].level);
	buf_done(&text);
}
END_TEST

static void add_tests(Suite *suite)
{
	TCase *lane = suite_case(suite, "lane", SUITE_SECONDS),
	      *text = suite_case(suite, "text", SUITE_SECONDS);

	tcase_add_checked_fixture(lane, setup, teardown);
	tcase_add_test(lane, shares_are_of_the_busy_time_of_their_side);
	tcase_add_test(lane, samples_of_each_side_are_counted);
	tcase_add_test(text, what_samples_explain_is_said);
	tcase_add_test(lane, without_division_times_are_as_measured);
	tcase_add_test(lane, times_are_divided_by_the_calls_of_their_side);
	tcase_add_test(lane, sides_without_calls_are_not_divided);
	tcase_add_loop_test(lane, boxes_are_as_wide_as_the_side_that_is_asked_for, 0, N(widths));
	tcase_add_loop_test(lane, a_range_has_its_part_of_both_sides, 0, N(widths));
	tcase_add_test(lane, counting_stops_when_the_budget_is_spent);
	tcase_add_loop_test(lane, a_part_is_not_said_to_be_of_less, 0, N(parts));
	tcase_add_loop_test(lane, a_label_has_the_sign_of_its_change, 0, N(labels));
	tcase_add_loop_test(text, figures_have_the_unit_and_the_sign, 0, N(figures));
}

int main(void)
{
	return suite_run("sides", add_tests);
}
