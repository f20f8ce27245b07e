/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Shares of a part against those of the whole, for times that can be added up by hand. */
#include "config.h"

#include "analyse/rows/rows.h"
#include "recursion.h"
#include "suite.h"

/* Microseconds. Of 200, 180 are busy: b has 70 by itself, c has 110. */
static const char calls[] = "a;b 40\na;c 10\nb 30\n(idle) 20\nc 100\n";

#define US 1000

static struct profile *profile;
static struct view view;
static struct totals part, all;
static struct rows_change change;
static struct rows rows;
static struct buf text;

static void setup(void)
{
	const struct lane *lane;

	profile = story_load(calls);
	lane = &profile->lanes[0];
	view_init(&view, profile, &lane, 1);
	totals_init(&part, &view);
	totals_init(&all, &view);
	totals_compute(&all, lane->t0, lane->t1);
}

static void teardown(void)
{
	rows_done(&rows);
	totals_done(&part);
	totals_done(&all);
	view_done(&view);
	profile_free(profile);
	buf_done(&text);
}

/* Make the rows of [from, end), in microseconds. */
static void compare(int from, int end, enum rows_kind kind, enum rows_sort sort, bool has_idle)
{
	totals_compute(&part, from * US, end * US);
	change = (struct rows_change){ .all = &all,
				       .whole = part.sampled_ns - (has_idle ? 0 : part.idle_ns),
				       .all_whole = all.sampled_ns - (has_idle ? 0 : all.idle_ns),
				       .has_idle = has_idle,
				       .is_of_calls = kind == ROWS_TOPDOWN };
	rows_done(&rows);
	rows_begin(&rows, &part, kind, sort, FRAME_NONE);
	rows.change = change;
	ck_assert(rows_step(&rows, BUDGET_UNLIMITED));
}

/* Each row as `name change`; nothing where there is no comparison. */
static const char *listing(void)
{
	buf_clear(&text);
	for (size_t i = 0; i < rows.n; i++) {
		const struct row *row = &rows.rows[i];
		int64_t here, of_all;

		buf_addf(&text, "%s%s ", i ? ", " : "",
			 profile_text(profile, profile_frame(profile, row->frame)->name));
		if (rows_change_of_row(&change, row, &here, &of_all))
			rows_change_format(&change, here, of_all, &text);
	}
	return buf_text(&text);
}

/* [0, 50): b has 40 of 50, and 70 of 180 in all: 0.8 / 0.3889 = 2.06. c has 10 of 50, and 110 of
 * 180: 0.2 / 0.6111 = 0.327. a has no time by itself, anywhere. */
START_TEST(functions_are_compared_by_self_time)
{
	compare(0, 50, ROWS_BOTTOMUP, ROWS_BY_SELF, false);
	ck_assert_str_eq(listing(), "b x2.1, c x0.3, a -");
	/* [20, 150): b has 50 of 110: 1.17; c has 60 of 110: 0.893. */
	compare(20, 150, ROWS_BOTTOMUP, ROWS_BY_SELF, false);
	ck_assert_str_eq(listing(), "c x0.9, b x1.2, (idle) , a -");
}
END_TEST

/* The callers of a function share its time; they are not compared. */
START_TEST(callers_are_not_compared)
{
	compare(0, 50, ROWS_BOTTOMUP, ROWS_BY_SELF, false);
	rows_open(&rows, 0);
	ck_assert_str_eq(listing(), "b x2.1, a , c x0.3, a -");
}
END_TEST

/* a has 30 of [20, 90), 60 busy, and 50 of 180: 1.8; b below it has 20 of 60, and 40 of 180: 1.5;
 * c below it has all its 10 there. b by itself has all its 30 there. */
START_TEST(calls_are_compared_by_total_time)
{
	compare(20, 90, ROWS_TOPDOWN, ROWS_BY_TOTAL, false);
	rows_open(&rows, 1);
	ck_assert_str_eq(listing(), "b only, a x1.8, b x1.5, c only, (idle) ");
}
END_TEST

/* [0, 90): idle time has 10 of 90, and 20 of 200 in all. */
START_TEST(idle_is_compared_if_it_counts)
{
	compare(0, 90, ROWS_BOTTOMUP, ROWS_BY_SELF, false);
	ck_assert_str_eq(listing(), "b only, c x0.2, (idle) , a -");
	compare(0, 90, ROWS_BOTTOMUP, ROWS_BY_SELF, true);
	ck_assert_str_eq(listing(), "b only, c x0.2, (idle) x1.1, a -");
}
END_TEST

/* `only` first, then the larger ratio; rows without a comparison last. Less than 1 % of the part
 * comes after what has more: b has 1 of 101, or 1 of 100. */
START_TEST(rows_are_sorted_by_change)
{
	compare(20, 150, ROWS_BOTTOMUP, ROWS_BY_CHANGE, false);
	ck_assert_str_eq(listing(), "b x1.2, c x0.9, (idle) , a -");
	compare(20, 150, ROWS_BOTTOMUP, ROWS_BY_CHANGE | ROWS_REVERSED, false);
	ck_assert_str_eq(listing(), "a -, (idle) , c x0.9, b x1.2");
	compare(0, 90, ROWS_BOTTOMUP, ROWS_BY_CHANGE, false);
	ck_assert_str_eq(listing(), "b only, c x0.2, (idle) , a -");
	compare(20, 90, ROWS_TOPDOWN, ROWS_BY_CHANGE, false);
	rows_open(&rows, 1);
	ck_assert_str_eq(listing(), "b only, a x1.8, c only, b x1.5, (idle) ");
}
END_TEST

static const struct {
	int64_t here, all;
	const char *text;
} texts[] = {
	{ 0, 0, "-" },         { 0, 1000, "-" },     { 1, 1000, "x0.01" }, { 10, 1000, "x0.1" },
	{ 9, 1000, "x0.09" },  { 95, 1000, "x0.9" }, { 96, 1000, "x1.0" }, { 400, 1000, "x4.0" },
	{ 994, 1000, "x9.9" }, { 996, 1000, "x10" }, { 999, 1000, "x10" }, { 1000, 1000, "only" },
	{ 100, 100, "only" },
};

/* The part is a tenth of the whole. */
START_TEST(ratios_have_two_digits)
{
	const struct rows_change tenth = { .whole = 1000, .all_whole = 10000 };

	rows_change_format(&tenth, texts[_i].here, texts[_i].all, &text);
	ck_assert_str_eq(buf_text(&text), texts[_i].text);
}
END_TEST

START_TEST(keys_put_little_time_last)
{
	const struct rows_change tenth = { .whole = 1000, .all_whole = 10000 };
	/* From first to last: with at least 1 % of the part; with less. */
	static const int64_t order[][2] = { { 10, 10 },  { 100, 200 }, { 10, 50 },
					    { 10, 900 }, { 9, 9 },     { 9, 10 },
					    { 1, 900 },  { 0, 900 },   { 0, 0 } };

	for (size_t i = 0; i + 1 < sizeof order / sizeof *order; i++)
		ck_assert_int_gt(rows_change_key(&tenth, order[i][0], order[i][1]),
				 rows_change_key(&tenth, order[i + 1][0], order[i + 1][1]));
	/* However small the part is, nothing is above what is only there. */
	ck_assert_int_lt(
		rows_change_key(&(struct rows_change){ .whole = 1, .all_whole = INT64_MAX }, 1, 2),
		rows_change_key(&tenth, 10, 10));
}
END_TEST

static void add_tests(Suite *suite)
{
	TCase *t = suite_case(suite, "rows_change", SUITE_SECONDS);

	tcase_add_checked_fixture(t, setup, teardown);
	tcase_add_test(t, functions_are_compared_by_self_time);
	tcase_add_test(t, callers_are_not_compared);
	tcase_add_test(t, calls_are_compared_by_total_time);
	tcase_add_test(t, idle_is_compared_if_it_counts);
	tcase_add_test(t, rows_are_sorted_by_change);
	tcase_add_loop_test(t, ratios_have_two_digits, 0, N(texts));
	tcase_add_test(t, keys_put_little_time_last);
}

int main(void)
{
	return suite_run("rows_change", add_tests);
}
