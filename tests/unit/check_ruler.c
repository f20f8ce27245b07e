/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The ruler: marks at multiples of a round step, whole labels, and the selected range. */
#include "config.h"

#include "draw/ruler.h"
#include "picture.h"
#include "suite.h"

#include "base/hash.h"
#include "base/text.h"
#include "base/units.h"

#include <stdio.h>

#define MAX_COLS 200

static struct profile profile;
static struct viewport view;
static struct chart chart;
static uint64_t calls;

static void setup(void)
{
	profile = (struct profile){ 0 };
	/* Without lanes there is no ruler. */
	chart = (struct chart){ .profile = &profile,
				.view = &view,
				.n_lanes = 1,
				.lane = -1,
				.is_ascii = true };
	calls = 0;
}

static void teardown(void)
{
	picture_done();
}

static int64_t below(int64_t n)
{
	return (int64_t)(hash_u64(++calls) % (uint64_t)n);
}

static void draw(struct grid *g, struct rect r)
{
	ruler_draw(g, r, &chart);
}

/* The text of amount_mark() with its digits before the point in groups of three. */
static const char *label(int64_t t, int64_t step)
{
	static char out[2 * UNITS_MAX];
	char mark[UNITS_MAX];
	size_t at = 0, n = 0, digits;

	amount_mark(&(struct amount_unit){ 0 }, t, step, mark);
	if (mark[0] == '-')
		out[n++] = mark[at++];
	digits = strspn(mark + at, "0123456789");
	for (size_t left = digits; left; left--) {
		out[n++] = mark[at++];
		if (left > 1 && (left - 1) % 3 == 0)
			out[n++] = ' ';
	}
	strcpy(out + n, mark + at);
	return out;
}

static int cells(const char *text)
{
	return text_cells(text, strlen(text));
}

static int64_t round_step(int i)
{
	static const int digit[] = { 1, 2, 5 };
	static const int minutes[] = { 1, 2, 5, 10, 20, 30, 60, 120, 180, 360, 720, 1440 };
	int64_t unit = 1;

	if (i == 32)
		return 30 * NS_PER_S;
	if (i > 32)
		return minutes[i - 33] * NS_PER_MIN;
	for (int k = 0; k < i / 3; k++)
		unit *= 10;
	return unit * digit[i % 3];
}

/* The smallest of 1, 2, 5, 10 ... ns, and so on up to a day, that has 9 columns or more, and room
 * for the longer label of the first and the last two marks, its tick and a blank; else the first
 * that is longer than the window. */
static int64_t step_of(int64_t t0, int64_t t1, int cols)
{
	for (int i = 0;; i++) {
		int64_t step = round_step(i);
		int need = cells(label(t1 - step, step)) + 2,
		    other = cells(label(t0 + step, step)) + 2,
		    last = cells(label(t1 - 2 * step, step)) + 2;

		need = need > other ? need : other;
		need = step >= NS_PER_MIN && last > need ? last : need;
		if (step > t1 - t0 ||
		    (double)step * cols / (double)(t1 - t0) >= (need > 9 ? need : 9))
			return step;
	}
}

/* The row that the marks alone give. */
static void expect_marks(int64_t origin, int cols, char *out)
{
	int64_t t0 = view.t0 + origin, t1 = view.t1 + origin, step = step_of(t0, t1, cols);

	memset(out, ' ', (size_t)cols);
	for (int64_t t = t0; t < t1; t++) {
		int col = viewport_col(&view, t - origin, cols);
		const char *text = label(t, step);

		if (t % step) {
			/* To the next multiple; division rounds towards zero. */
			t += t < 0 ? -(t % step) - 1 : step - t % step - 1;
			continue;
		}
		out[col] = '|';
		if (col + 1 + cells(text) <= cols)
			memcpy(out + col + 1, text, strlen(text));
	}
	out[cols] = '\0';
}

/* A micro sign is two bytes: rows are compared cell by cell. */
static void compare(const char *expect, int cols)
{
	for (int col = 0; col < cols; col++)
		ck_assert_msg(grid_at(&picture_grid, 0, col)->ch == (unsigned char)expect[col],
			      "[%lld, %lld) in %d columns: %s instead of %s", (long long)view.t0,
			      (long long)view.t1, cols, picture_row(0), expect);
}

/* Times from 10 ms on, so that no label has a micro sign. */
static void random_view(int cols)
{
	int64_t length = 10 * NS_PER_MS * cols +
		below(NS_PER_S * (1 + below(below(2) ? 20000 : 2000)));
	int64_t t0 = below(4 * length);

	viewport_init(&view, 0, INT64_MAX / 4);
	viewport_set(&view, t0, t0 + length);
}

START_TEST(marks_are_at_multiples_of_the_smallest_step_with_room)
{
	char expect[MAX_COLS + 1];

	for (int i = 0; i < 200; i++) {
		int cols = 1 + (int)below(MAX_COLS - 1);

		random_view(cols);
		profile.origin_ns = below(2) ? below(NS_PER_S * 1000) : -below(NS_PER_S * 1000);
		for (int is_absolute = 0; is_absolute < 2; is_absolute++) {
			chart.times = is_absolute ? CHART_TIMES_FILE : CHART_TIMES_PROFILE;
			picture(draw, 1, cols);
			expect_marks(is_absolute ? profile.origin_ns : 0, cols, expect);
			compare(expect, cols);
			for (int col = 0; col < cols; col++)
				ck_assert_int_eq(grid_at(&picture_grid, 0, col)->fill, ROLE_TITLE);
		}
	}
}
END_TEST

/* Ticks are lines where the terminal has them. */
START_TEST(ticks_are_lines_or_bars)
{
	viewport_init(&view, 0, NS_PER_S);
	ck_assert_int_eq(picture(draw, 1, 30)[0], '|');
	chart.is_ascii = false;
	ck_assert_int_eq(strncmp(picture(draw, 1, 30), "\342\224\202", 3), 0);
	ck_assert_int_eq(grid_at(&picture_grid, 0, 0)->ink, ROLE_RULER);
	ck_assert_int_eq(grid_at(&picture_grid, 0, 1)->ink, ROLE_RULER);
	/* It belongs to the lanes below it. */
	for (int col = 0; col < 30; col++)
		ck_assert_int_eq(grid_at(&picture_grid, 0, col)->fill, ROLE_TITLE);
}
END_TEST

START_TEST(nothing_is_drawn_without_rows_or_columns)
{
	viewport_init(&view, 0, NS_PER_S);
	picture(draw, 0, 20);
	picture(draw, 1, 0);
}
END_TEST

/* A label is whole or gone: `row` has the label of `expect` behind the tick at `tick`, or nothing
 * of it but what belongs to the range. */
static void check_label(const char *row, const char *expect, int cols, int tick)
{
	int end = tick + 1;
	bool is_whole = true, is_gone = true;

	while (end < cols && expect[end] != '|')
		end++;
	while (end > tick + 1 && expect[end - 1] == ' ')
		end--;
	for (int col = tick + 1; col < end; col++) {
		is_whole = is_whole && row[col] == expect[col];
		is_gone = is_gone &&
			(row[col] != expect[col] || expect[col] == ' ' ||
			 grid_at(&picture_grid, 0, col)->ink == ROLE_WINDOW);
	}
	ck_assert_msg(is_whole || is_gone, "'%s' instead of '%s'", row, expect);
}

/* The length of the range, if it is written: once, whole, between blanks. */
static void check_length(const char *row, int cols, int first, int last, bool has_room)
{
	char length[UNITS_MAX], text[UNITS_MAX + 2];
	const char *at;
	int col;

	units_time(chart.range_t1 - chart.range_t0, length);
	snprintf(text, sizeof text, " %s ", length);
	at = strstr(row, text);
	ck_assert_msg(at || !has_room, "no '%s' in '%s'", text, row);
	while (at && grid_at(&picture_grid, 0, (int)(at - row) + 1)->ink != ROLE_WINDOW)
		at = strstr(at + 1, text);
	if (!at || first < 0)
		return;
	col = (int)(at - row);
	if (cells(text) <= last - first + 1)
		ck_assert_msg(col >= first && col + cells(text) <= last + 1, "'%s'", row);
	ck_assert_int_le(col + cells(text), cols);
}

/* A selected range has a fill of its own in all columns with a part of it, brackets at those ends
 * that are in the window, and its length. Labels are whole or gone. */
START_TEST(a_range_has_its_length_and_brackets)
{
	char expect[MAX_COLS + 1], row[MAX_COLS + 1];

	chart.has_range = true;
	for (int i = 0; i < 2000; i++) {
		int cols = 1 + (int)below(i % 2 ? 20 : MAX_COLS - 1), first = -1, last = -1;
		int64_t length, edges[4];

		random_view(cols);
		length = view.t1 - view.t0;
		edges[0] = view.t0;
		edges[1] = view.t1;
		edges[2] = view.t0 - length / 2 + below(2 * length);
		edges[3] = view.t0 + below(length);
		chart.range_t0 = edges[below(4)];
		chart.range_t1 = edges[below(4)];
		if (chart.range_t0 >= chart.range_t1)
			continue;
		expect_marks(0, cols, expect);
		for (int col = 0; col < cols; col++)
			if (viewport_time(&view, col, cols) < chart.range_t1 &&
			    viewport_time(&view, col + 1, cols) > chart.range_t0) {
				first = first < 0 ? col : first;
				last = col;
			}
		picture(draw, 1, cols);
		for (int col = 0; col < cols; col++)
			row[col] = (char)grid_at(&picture_grid, 0, col)->ch;
		row[cols] = '\0';
		for (int col = 0; col < cols; col++) {
			if (expect[col] == '|')
				check_label(row, expect, cols, col);
			ck_assert_int_eq(grid_at(&picture_grid, 0, col)->fill == ROLE_WINDOW,
					 first >= 0 && col >= first && col <= last);
		}
		/* Where the text of the length is wider than the range, it may have no room. */
		check_length(row, cols, first, last, first >= 0 && last - first >= UNITS_MAX);
		if (first > 0 && chart.range_t0 >= view.t0)
			ck_assert_msg(row[first - 1] == '[' || row[first] == '[', "'%s'", row);
		if (first >= 0 && last < cols - 1 && chart.range_t1 <= view.t1)
			ck_assert_msg(row[last + 1] == ']' || row[last] == ']', "'%s'", row);
	}
}
END_TEST

static void add_tests(Suite *suite)
{
	TCase *t = suite_case(suite, "ruler", SUITE_SECONDS);

	tcase_add_checked_fixture(t, setup, teardown);
	tcase_add_test(t, marks_are_at_multiples_of_the_smallest_step_with_room);
	tcase_add_test(t, ticks_are_lines_or_bars);
	tcase_add_test(t, nothing_is_drawn_without_rows_or_columns);
	tcase_add_test(t, a_range_has_its_length_and_brackets);
}

int main(void)
{
	return suite_run("ruler", add_tests);
}
