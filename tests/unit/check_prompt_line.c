/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The line of input as it is drawn: the text that is shown, the answer, and the place of an
 * error. */
#include "config.h"

#include "draw/lines.h"
#include "suite.h"

#include <string.h>

#define COLS 20

static struct grid grid;
static struct buf text;

static void setup(void)
{
	grid = (struct grid){ 0 };
	text = (struct buf){ 0 };
}

static void teardown(void)
{
	grid_done(&grid);
	buf_done(&text);
}

/* The line in columns 3 to 22 of the grid. */
static const char *drawn(const struct prompt_line *line)
{
	grid_init(&grid, 1, COLS + 6);
	prompt_line_draw(&grid, (struct rect){ 0, 3, 1, COLS }, line);
	buf_clear(&text);
	grid_format(&grid, false, &text);
	return buf_text(&text);
}

START_TEST(the_longest_answer_that_fits_is_shown)
{
	struct prompt_line line = { .label = "/",
				    .text = "abc",
				    .cursor = 3,
				    .answers = { "12 functions", "12 of 99", "12" },
				    .error_at = -1 };

	ck_assert_str_eq(drawn(&line), "    /abc  12 functions    |\n");
	line.text = "abcdef";
	ck_assert_str_eq(drawn(&line), "    /abcdef   12 of 99    |\n");
	line.text = "abcdefghijk";
	ck_assert_str_eq(drawn(&line), "    /abcdefghijk    12    |\n");
	line.text = "abcdefghijklmn";
	ck_assert_str_eq(drawn(&line), "    /abcdefghijklmn       |\n");
	ck_assert_int_eq(grid.cursor_col, 3 + 2 + 3);
}
END_TEST

/* The text ends at the cursor if not all of it fits. */
START_TEST(the_cursor_is_always_shown)
{
	struct prompt_line line = { .label = "/",
				    .text = "0123456789abcdefghijklmnopqrst",
				    .cursor = 25,
				    .error_at = -1 };

	ck_assert_str_eq(drawn(&line), "    /9abcdefghijklmnop    |\n");
	ck_assert_int_lt(grid.cursor_col, 3 + COLS);
	ck_assert_uint_eq(grid_at(&grid, 0, grid.cursor_col - 1)->ch, 'o');
}
END_TEST

START_TEST(the_place_of_an_error_is_underlined)
{
	struct prompt_line line = { .label = "/",
				    .text = "ab(c",
				    .cursor = 4,
				    .is_error = true,
				    .error_at = 2 };

	drawn(&line);
	for (int col = 0; col < COLS + 6; col++)
		ck_assert_int_eq((grid_at(&grid, 0, col)->flags & CELL_UNDERLINE) != 0,
				 col == 3 + 2 + 2);
}
END_TEST

/* Its place may be unknown, or out of view at the left or the right. */
START_TEST(an_error_without_a_place_in_view_has_no_underline)
{
	struct prompt_line line = { .label = "/",
				    .text = "0123456789abcdefghijklmnopqrst",
				    .cursor = 25,
				    .is_error = true };
	static const int64_t places[] = { -1, 0, 8, 30 };

	for (size_t i = 0; i < ARRAY_LEN(places); i++) {
		line.error_at = places[i];
		drawn(&line);
		for (int col = 0; col < COLS + 6; col++)
			ck_assert_int_eq(grid_at(&grid, 0, col)->flags & CELL_UNDERLINE, 0);
	}
	/* In view, it is where its byte is. */
	line.error_at = 20;
	drawn(&line);
	for (int col = 0; col < COLS + 6; col++)
		ck_assert_int_eq((grid_at(&grid, 0, col)->flags & CELL_UNDERLINE) != 0,
				 grid_at(&grid, 0, col)->ch == 'k');
	/* What is no error has no place either. */
	line.is_error = false;
	line.error_at = 12;
	drawn(&line);
	for (int col = 0; col < COLS + 6; col++)
		ck_assert_int_eq(grid_at(&grid, 0, col)->flags & CELL_UNDERLINE, 0);
}
END_TEST

static void add_tests(Suite *suite)
{
	TCase *t = suite_case(suite, "prompt_line", SUITE_SECONDS);

	tcase_add_checked_fixture(t, setup, teardown);
	tcase_add_test(t, the_longest_answer_that_fits_is_shown);
	tcase_add_test(t, the_cursor_is_always_shown);
	tcase_add_test(t, an_error_without_a_place_in_view_has_no_underline);
	tcase_add_test(t, the_place_of_an_error_is_underlined);
}

int main(void)
{
	return suite_run("prompt_line", add_tests);
}
