/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The help screen: where each line is, in how many columns, and how far it scrolls. */
#include "config.h"

#include "draw/screen.c"
#include "picture.h"
#include "suite.h"

#include "base/text.h"

#include <stdio.h>

/* Keys have 9 cells at most. The second column begins with `Marks`. */
static const struct help_line list[] = {
	{ .title = "Move" },
	{ .keys = "h", .text = "left" },
	{ .keys = "Page Down", .text = "twenty cells of text" },
	{ .keys = NULL },
	{ .title = "Marks" },
	{ .keys = "m", .text = "set" },
	{ .keys = "'", .text = "go" },
	{ .keys = "q Ctrl-C", .text = "quit" },
	{ .keys = "x", .text = "last" },
};
#define KEYS 9
#define RIGHT 4

static struct help help;

static void setup(void)
{
	help = (struct help){ .lines = list, .n_lines = ARRAY_LEN(list), .right = RIGHT };
}

static void teardown(void)
{
	picture_done();
}

static void draw(struct grid *g, struct rect r)
{
	help_draw(g, r, &help);
}

/* The rows between the first and the last one of all scroll positions, as one text of the columns
 * [col, col + width): what is read by scrolling through it. */
static char *read_column(int rows, int cols, int col, int width)
{
	struct rect r = { 0, 0, rows, cols };
	int most = help_max_scroll(r, &help);
	struct buf text = { 0 };

	for (help.scroll = 0; help.scroll <= most; help.scroll++) {
		picture(draw, rows, cols);
		for (int row = 1; row < rows - 1; row++) {
			if (help.scroll < most && row > 1)
				break;
			for (int c = col; c < col + width; c++) {
				const struct cell *cell = grid_at(&picture_grid, row, c);

				if (cell->ch != ' ' || (text.len && text.data[text.len - 1] != ' '))
					buf_add_utf8(&text, cell->ch);
			}
			if (text.len && text.data[text.len - 1] != ' ')
				buf_addc(&text, ' ');
		}
	}
	help.scroll = 0;
	return text.data;
}

/* No word is lost, in whatever size the text is read. */
START_TEST(all_words_are_there_in_one_column)
{
	for (int cols = 40; cols < 100; cols += 7)
		for (int rows = 3; rows < 14; rows++) {
			char *text = read_column(rows, cols, 0, cols);

			ck_assert_str_eq(text,
					 "Move h left Page Down twenty cells of text Marks m "
					 "set ' go q Ctrl-C quit x last ");
			free(text);
		}
}
END_TEST

START_TEST(two_columns_from_100_cells_on)
{
	for (int cols = 100; cols < 130; cols += 3)
		for (int rows = 3; rows < 14; rows++) {
			char *left = read_column(rows, cols, 0, cols / 2);
			char *right = read_column(rows, cols, cols / 2, cols - cols / 2);

			ck_assert_str_eq(left, "Move h left Page Down twenty cells of text ");
			ck_assert_str_eq(right, "Marks m set ' go q Ctrl-C quit x last ");
			free(left);
			free(right);
		}
}
END_TEST

/* A text that is longer than its column goes on below itself, at the end of a word. */
START_TEST(long_texts_go_on_below)
{
	picture(draw, 14, 4 + KEYS + 14);
	ck_assert_str_eq(picture_row(3), "  Page Down  twenty cells");
	ck_assert_str_eq(picture_row(4), "             of text");
	ck_assert_str_eq(picture_row(6), "Marks");
}
END_TEST

/* With too little room for words, texts are truncated in their middle. */
START_TEST(lines_are_truncated_on_a_narrow_screen)
{
	ck_assert_str_eq((picture(draw, 6, 20), picture_row(3)), "  Page Down  twe\342\200\246xt");
	ck_assert_str_eq((picture(draw, 6, 10), picture_row(3)), "  Pag\342\200\246own");
	ck_assert_str_eq((picture(draw, 6, 4), picture_row(1)), "M\342\200\246e");
}
END_TEST

/* A list of keys that is longer than 13 cells moves its own text only. */
START_TEST(long_keys_move_no_other_text)
{
	static const struct help_line lines[] = {
		{ .keys = "h j k l Up Down", .text = "move" },
		{ .keys = "q", .text = "quit" },
		{ .keys = "Escape Ctrl-C", .text = "stop" },
	};

	help.lines = lines;
	help.n_lines = help.right = ARRAY_LEN(lines);
	picture(draw, 6, 60);
	ck_assert_str_eq(picture_row(1), "  h j k l Up Down  move");
	ck_assert_str_eq(picture_row(2), "  q              quit");
	ck_assert_str_eq(picture_row(3), "  Escape Ctrl-C  stop");
}
END_TEST

static const struct {
	int rows, scroll;
	const char *expect;
} feet[] = {
	{ 11, 0, " / filters   q: close" },
	{ 10, 0, " rows 1-8 of 9   j k Space: scroll   / filters   q: close" },
	{ 10, 1, " rows 2-9 of 9   j k Space: scroll   / filters   q: close" },
	{ 5, 3, " rows 4-6 of 9   j k Space: scroll   / filters   q: close" },
	{ 5, 99, " rows 7-9 of 9   j k Space: scroll   / filters   q: close" },
};

START_TEST(the_last_row_tells_which_rows_are_shown)
{
	help.scroll = feet[_i].scroll;
	picture(draw, feet[_i].rows, 60);
	ck_assert_str_eq(picture_row(feet[_i].rows - 1), feet[_i].expect);
	ck_assert_int_eq(strncmp(buf_text(&picture_buf), " Help", 5), 0);
	for (int col = 0; col < 60; col++) {
		ck_assert_int_eq(grid_at(&picture_grid, 0, col)->fill, ROLE_HEADER);
		ck_assert_int_eq(grid_at(&picture_grid, feet[_i].rows - 1, col)->fill, ROLE_STATUS);
	}
}
END_TEST

START_TEST(one_row_has_the_title)
{
	picture(draw, 1, 60);
	ck_assert_int_eq(strncmp(picture_row(0), " Help", 5), 0);
	picture(draw, 2, 60);
	ck_assert_int_eq(strncmp(picture_row(0), " Help", 5), 0);
	ck_assert_str_eq(picture_row(1),
			 " rows 1-0 of 9   j k Space: scroll   / filters   q: close");
}
END_TEST

START_TEST(keys_and_titles_have_their_roles)
{
	picture(draw, 11, 60);
	ck_assert_int_eq(grid_at(&picture_grid, 1, 0)->ink, ROLE_TITLE);
	ck_assert_int_eq(grid_at(&picture_grid, 2, 2)->ink, ROLE_KEY);
	ck_assert_int_eq(grid_at(&picture_grid, 2, 4 + KEYS)->ink, ROLE_PLAIN);
}
END_TEST

static void add_tests(Suite *suite)
{
	TCase *t = suite_case(suite, "help", SUITE_SECONDS);

	tcase_add_checked_fixture(t, setup, teardown);
	tcase_add_test(t, all_words_are_there_in_one_column);
	tcase_add_test(t, two_columns_from_100_cells_on);
	tcase_add_test(t, long_texts_go_on_below);
	tcase_add_test(t, lines_are_truncated_on_a_narrow_screen);
	tcase_add_test(t, long_keys_move_no_other_text);
	tcase_add_loop_test(t, the_last_row_tells_which_rows_are_shown, 0, N(feet));
	tcase_add_test(t, one_row_has_the_title);
	tcase_add_test(t, keys_and_titles_have_their_roles);
}

int main(void)
{
	return suite_run("help", add_tests);
}
