/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Lines of text: where they are wrapped, how far they scroll, and what a page of them shows. */
#include "config.h"

#include "draw/lines.h"
#include "picture.h"
#include "suite.h"

#include "base/text.h"

#include <stdio.h>

static struct lines lines;

static void setup(void)
{
	lines = (struct lines){ 0 };
}

static void teardown(void)
{
	lines_done(&lines);
	picture_done();
}

static const char *line(size_t i)
{
	static char text[256];

	ck_assert_uint_lt(i, lines.n);
	snprintf(text, sizeof text, "%.*s", (int)lines.list[i].len,
		 lines.text.data + lines.list[i].start);
	return text;
}

static const struct {
	const char *text;
	int cols, indent;
	const char *expect[5];
} wraps[] = {
	{ "", 10, 2, { "" } },
	{ "ten cells!", 10, 2, { "ten cells!" } },
	{ "eleven cell", 10, 2, { "eleven ", "  cell" } },
	/* The last blank that fits, if it is in the second half. */
	{ "one two three four", 10, 0, { "one two ", "three four" } },
	{ "a bcdefghijklm", 10, 0, { "a bcdefghi", "jklm" } },
	{ "abcde ghijklmn", 10, 0, { "abcde ", "ghijklmn" } },
	{ "abcd fghijklmn", 10, 0, { "abcd fghij", "klmn" } },
	{ "abcdefghijklm", 10, 3, { "abcdefghij", "   klm" } },
	/* A number stays whole, with its unit. */
	{ "took 12 ms", 8, 0, { "took ", "12 ms" } },
	{ "took 12 mm", 8, 0, { "took 12 ", "mm" } },
	{ "there: 12 345", 11, 0, { "there: ", "12 345" } },
	{ "half 37 %", 8, 0, { "half ", "37 %" } },
	{ "file.js:1234", 10, 0, { "file.js:", "1234" } },
	{ "12345678", 5, 0, { "12345", "678" } },
	/* An indent takes at most half of the columns. */
	{ "abcdefghij", 4, 9, { "abcd", "  ef", "  gh", "  ij" } },
	/* Wide characters stay whole, and each line has one at least. */
	{ "\346\274\242\345\255\227\346\274\242",
	  5,
	  0,
	  { "\346\274\242\345\255\227", "\346\274\242" } },
	{ "\346\274\242\345\255\227", 1, 0, { "\346\274\242", "\345\255\227" } },
	{ "abc", 1, 1, { "a", "b", "c" } },
	{ "abc", 0, 0, { "a", "b", "c" } },
};

START_TEST(lines_are_wrapped_at_blanks)
{
	size_t n = 0;

	lines_add(&lines, wraps[_i].text, strlen(wraps[_i].text), wraps[_i].cols, wraps[_i].indent,
		  false);
	for (; n < ARRAY_LEN(wraps[_i].expect) && wraps[_i].expect[n]; n++)
		ck_assert_str_eq(line(n), wraps[_i].expect[n]);
	ck_assert_uint_eq(lines.n, n);
}
END_TEST

/* Nothing is lost, and nothing is wider than the page. */
START_TEST(lines_together_are_the_text)
{
	static const char text[] =
		"The quick brown fox jumps over the lazy dog, notwithstandingallthosehurdles.";
	struct buf all = { 0 };

	for (int cols = 2; cols < 90; cols++)
		for (int indent = 0; indent < 6; indent++) {
			int own = indent > cols / 2 ? cols / 2 : indent;

			lines_clear(&lines);
			buf_clear(&all);
			lines_add(&lines, text, strlen(text), cols, indent, true);
			for (size_t i = 0; i < lines.n; i++) {
				size_t from = i ? (size_t)own : 0;

				ck_assert_int_le(text_cells(line(i), strlen(line(i))), cols);
				ck_assert_uint_eq(strspn(line(i), " ") >= from, 1);
				ck_assert(lines.list[i].is_head);
				buf_adds(&all, line(i) + from);
			}
			ck_assert_str_eq(buf_text(&all), text);
		}
	buf_done(&all);
}
END_TEST

static void draw_lines(struct grid *g, struct rect r)
{
	lines_draw(g, r, &lines, NULL, 0, true);
}

START_TEST(a_line_has_bars)
{
	for (int i = 0; i < 2; i++) {
		lines_clear(&lines);
		lines_add_link(&lines, "12 ms        x", 14, 20, 0);
		lines_add_bar(&lines, &(struct line_bar){ 6, 19, ROLE_GC }, i);
		picture(draw_lines, 1, 20);
		ck_assert_str_eq(picture_row(0), i ? " 12 ms ##     x" : " 12 ms ▇▇▍    x");
		/* The row with the cursor is behind it, too. */
		ck_assert_int_eq(grid_at(&picture_grid, 0, 6)->fill, ROLE_ROW);
		ck_assert_int_eq(grid_at(&picture_grid, 0, 7)->fill, ROLE_ROW);
		ck_assert_int_eq(grid_at(&picture_grid, 0, 7)->ink, ROLE_GC);
	}
}
END_TEST

static void add_numbered(int n)
{
	for (int i = 0; i < n; i++) {
		char text[16];
		int len = snprintf(text, sizeof text, "line %d", i);

		lines_add(&lines, text, (size_t)len, 20, 0, i % 5 == 0);
	}
}

START_TEST(scrolling_stops_at_both_ends)
{
	static const struct {
		size_t top;
		int64_t rows;
		int page;
		size_t expect;
	} cases[] = {
		{ 0, 3, 4, 3 },  { 3, 3, 4, 6 },   { 3, 4, 4, 6 },         { 6, -2, 4, 4 },
		{ 1, -2, 4, 0 }, { 0, 1, 10, 0 },  { 0, 1, 9, 1 },         { 0, 1, 99, 0 },
		{ 5, 0, 9, 1 },  { 0, 99, 0, 10 }, { 2, INT32_MIN, 4, 0 },
	};

	add_numbered(10);
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		lines.top = cases[i].top;
		lines_scroll(&lines, cases[i].rows, cases[i].page);
		ck_assert_msg(lines.top == cases[i].expect, "case %zu: %zu", i, lines.top);
	}
}
END_TEST

static void draw(struct grid *g, struct rect r)
{
	lines_draw(g, r, &lines, NULL, 0, false);
}

/* The last row of a page has the number of the lines that do not fit; a single row has a line. */
START_TEST(a_page_shows_its_lines_and_how_many_follow)
{
	add_numbered(10);
	for (int rows = 0; rows < 13; rows++)
		for (lines.top = 0; lines.top < 12; lines.top++) {
			int left = lines.top < 10 ? 10 - (int)lines.top : 0;
			int shown = left <= rows || rows <= 1 ? rows : rows - 1;
			char expect[32];

			picture(draw, rows, 24);
			for (int row = 0; row < rows; row++) {
				snprintf(expect, sizeof expect, " line %d", (int)lines.top + row);
				if (row >= left)
					*expect = '\0';
				else if (row >= shown)
					snprintf(expect, sizeof expect,
						 " \342\200\246 %d more lines", left - shown);
				ck_assert_str_eq(picture_row(row), expect);
				if (row < shown && row < left)
					ck_assert_int_eq(grid_at(&picture_grid, row, 1)->ink,
							 (lines.top + (size_t)row) % 5 == 0
								 ? ROLE_HEAD
								 : ROLE_PLAIN);
				else if (row < left)
					ck_assert_int_eq(grid_at(&picture_grid, row, 1)->ink,
							 ROLE_DIM);
			}
		}
}
END_TEST

/* A page is cleared before it is drawn, to its last column. */
START_TEST(a_page_replaces_what_was_there)
{
	struct grid g = { 0 };

	add_numbered(2);
	grid_init(&g, 3, 9);
	for (int row = 0; row < 3; row++)
		grid_puts(&g, row, 0, 9, "#########", ROLE_WARN);
	lines_draw(&g, (struct rect){ 0, 0, 3, 9 }, &lines, NULL, 0, false);
	grid_format(&g, false, &picture_buf);
	ck_assert_str_eq(buf_text(&picture_buf), " line 0  |\n line 1  |\n         |\n");
	grid_done(&g);
	/* Of a line that is too long for the page, what fits is shown. */
	ck_assert_str_eq(picture(draw, 1, 5), " line|\n");
}
END_TEST

static void add_tests(Suite *suite)
{
	TCase *t = suite_case(suite, "lines", SUITE_SECONDS);

	tcase_add_checked_fixture(t, setup, teardown);
	tcase_add_loop_test(t, lines_are_wrapped_at_blanks, 0, N(wraps));
	tcase_add_test(t, a_line_has_bars);
	tcase_add_test(t, lines_together_are_the_text);
	tcase_add_test(t, scrolling_stops_at_both_ends);
	tcase_add_test(t, a_page_shows_its_lines_and_how_many_follow);
	tcase_add_test(t, a_page_replaces_what_was_there);
}

int main(void)
{
	return suite_run("lines", add_tests);
}
