/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The help screen: where each line is, in how many columns, and how far it scrolls. */
#include "config.h"

#include "layout/help.h"
#include "picture.h"
#include "suite.h"

#include "base/text.h"

#include <stdio.h>

/* Keys have 9 cells at most, except one, and the longest line has 4 + 9 + 20. */
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
#define LONGEST (4 + KEYS + 20)
#define LINES ((int)ARRAY_LEN(list))

static struct help help;

static void setup(void)
{
	help = (struct help){ .lines = list, .n_lines = ARRAY_LEN(list) };
}

static void teardown(void)
{
	picture_done();
}

static void draw(struct grid *g, struct rect r)
{
	help_draw(g, r, &help);
}

/* Puts a text, truncated to `room` cells, over a row of `out`. */
static void put(char *out, int col, int room, const char *text)
{
	struct buf fit = { 0 };

	if (room <= 0 || !text)
		return;
	text_fit(&fit, text, strlen(text), room);
	memcpy(out + col, buf_text(&fit), fit.len);
	buf_done(&fit);
}

static void expect_line(char *out, int col, int width, const struct help_line *line)
{
	if (line->title)
		put(out, col, width, line->title);
	if (!line->keys)
		return;
	put(out, col + 2, KEYS < width - 2 ? KEYS : width - 2, line->keys);
	put(out, col + 4 + KEYS, width - 4 - KEYS, line->text);
}

/* Two columns if the longest line is shorter than half of the screen; lines go down the first and
 * then down the second; between the first and the last row there are as many as fit. */
START_TEST(lines_fill_the_first_column_then_the_second)
{
	for (int cols = LONGEST + 1; cols < 3 * LONGEST; cols++)
		for (int rows = 0; rows < 14; rows++) {
			int columns = LONGEST < cols / 2 ? 2 : 1, width = cols / columns;
			int per_column = (LINES + columns - 1) / columns;
			int shown = rows > 2 ? rows - 2 : 0;
			int most = per_column > shown ? per_column - shown : 0;
			struct rect r = { 1, 1, rows, cols };

			ck_assert_int_eq(help_max_scroll(r, &help), most);
			for (help.scroll = 0; help.scroll < most + 2; help.scroll++) {
				int top = help.scroll < most ? help.scroll : most;

				picture(draw, rows, cols);
				for (int row = 1; row < rows - 1; row++) {
					char expect[4 * LONGEST];
					int at = top + row - 1;

					memset(expect, ' ', sizeof expect);
					expect[cols] = '\0';
					for (int c = 0; c < columns && at < per_column; c++)
						if (c * per_column + at < LINES)
							expect_line(expect, c * width, width - 1,
								    &list[c * per_column + at]);
					for (size_t n = strlen(expect); n && expect[n - 1] == ' ';)
						expect[--n] = '\0';
					ck_assert_str_eq(picture_row(row), expect);
				}
			}
		}
}
END_TEST

/* Truncated in their middle where they do not fit; the ellipsis is three bytes and one cell. */
START_TEST(lines_are_truncated_on_a_narrow_screen)
{
	ck_assert_str_eq((picture(draw, 6, 24), picture_row(3)),
			 "  Page Down  twent\342\200\246text");
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
	help.n_lines = ARRAY_LEN(lines);
	picture(draw, 6, 60);
	ck_assert_str_eq(picture_row(1), "  h j k l Up Down  move         Escape Ctrl-C  stop");
	ck_assert_str_eq(picture_row(2), "  q              quit");
}
END_TEST

/* A line without a text has the cells of its keys and the gaps. */
START_TEST(lines_without_a_text_need_no_room_for_it)
{
	static const struct help_line lines[] = { { .title = "one" }, { .title = "two" } };

	help.lines = lines;
	help.n_lines = ARRAY_LEN(lines);
	ck_assert_str_eq((picture(draw, 4, 10), picture_row(1)), "one  two");
	ck_assert_str_eq((picture(draw, 4, 9), picture_row(1)), "one");
	ck_assert_str_eq(picture_row(2), "two");
}
END_TEST

static const struct {
	int rows, scroll;
	const char *expect;
} feet[] = {
	{ 11, 0, " q: close" },
	{ 10, 0, " lines 1-8 of 9   j k Space: scroll   q: close" },
	{ 10, 1, " lines 2-9 of 9   j k Space: scroll   q: close" },
	{ 5, 3, " lines 4-6 of 9   j k Space: scroll   q: close" },
	{ 5, 99, " lines 7-9 of 9   j k Space: scroll   q: close" },
};

START_TEST(the_last_row_tells_which_lines_are_shown)
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
	ck_assert_str_eq(picture_row(1), " lines 1-0 of 9   j k Space: scroll   q: close");
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
	tcase_add_test(t, lines_fill_the_first_column_then_the_second);
	tcase_add_test(t, lines_are_truncated_on_a_narrow_screen);
	tcase_add_test(t, long_keys_move_no_other_text);
	tcase_add_test(t, lines_without_a_text_need_no_room_for_it);
	tcase_add_loop_test(t, the_last_row_tells_which_lines_are_shown, 0, N(feet));
	tcase_add_test(t, one_row_has_the_title);
	tcase_add_test(t, keys_and_titles_have_their_roles);
}

int main(void)
{
	return suite_run("help", add_tests);
}
