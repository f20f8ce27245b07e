/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Grids: what is put where, and what the text form says of it. */
#include "config.h"

#include "suite.h"

#include "draw/grid.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>

#define COLS 8

static struct grid grid;
static struct buf text;

static void setup(void)
{
	memset(&grid, 0, sizeof grid);
	memset(&text, 0, sizeof text);
	grid_init(&grid, 1, COLS);
}

static void teardown(void)
{
	grid_done(&grid);
	buf_done(&text);
}

static const char *shown(bool with_roles)
{
	buf_clear(&text);
	grid_format(&grid, with_roles, &text);
	return buf_text(&text);
}

static const struct put_case {
	int col, width;
	const char *text;
	int used;
	const char *expect;
} put_cases[] = {
	{ 0, 8, "abc", 3, "abc     |\n" },
	{ 6, 8, "abc", 2, "      ab|\n" },
	{ 0, 2, "abc", 2, "ab      |\n" },
	{ -1, 8, "abc", 3, "bc      |\n" },
	{ 8, 8, "abc", 0, "        |\n" },
	{ 0, 0, "abc", 0, "        |\n" },
	{ 0, 8, "", 0, "        |\n" },
	/* Wide characters: whole or not at all. */
	{ 0, 8, "\346\274\242x", 3, "\346\274\242x     |\n" },
	{ 0, 3, "x\346\274\242\345\255\227", 3, "x\346\274\242     |\n" },
	{ 0, 2, "x\346\274\242", 2, "x       |\n" },
	{ 7, 8, "\346\274\242", 1, "        |\n" },
	{ -1, 8, "\346\274\242x", 3, " x      |\n" },
	/* Combining marks: one per character, kept with it even at the right edge. */
	{ 0, 8, "e\314\201x", 2, "e\314\201x      |\n" },
	{ 7, 1, "e\314\201", 1, "       e\314\201|\n" },
	{ 0, 8, "e\314\201\314\200x", 2, "e\314\201x      |\n" },
	{ 0, 8, "\314\201x", 1, "x       |\n" },
	{ 0, 8, "\346\274\242\314\201x", 3, "\346\274\242\314\201x     |\n" },
	/* Controls and bad bytes. */
	{ 0, 8, "a\033[b", 5, "a^[[b   |\n" },
	{ 0, 2, "a\033[b", 2, "a^      |\n" },
	{ 0, 8, "\302\233x", 5, "<9B>x   |\n" },
	{ 0, 8, "a\377b", 3, "a\357\277\275b     |\n" },
};

START_TEST(put)
{
	const struct put_case *c = &put_cases[_i];
	int used = grid_puts(&grid, 0, c->col, c->width, c->text, ROLE_PLAIN);

	ck_assert_int_eq(used, c->used);
	ck_assert_str_eq(shown(false), c->expect);
}
END_TEST

/* Overwriting one half of a wide character never leaves the other half alone. */
static const struct {
	int col;
	const char *text, *expect;
} split_cases[] = {
	{ 0, "a", "a \345\255\227    |\n" },
	{ 1, "a", " a\345\255\227    |\n" },
	{ 2, "\345\255\227", "\346\274\242\345\255\227    |\n" },
	{ 1, "\345\255\227", " \345\255\227     |\n" },
	{ 0, "\345\255\227", "\345\255\227\345\255\227    |\n" },
};

START_TEST(split)
{
	grid_puts(&grid, 0, 0, COLS, "\346\274\242\345\255\227", ROLE_PLAIN);
	grid_puts(&grid, 0, split_cases[_i].col, COLS, split_cases[_i].text, ROLE_PLAIN);
	ck_assert_str_eq(shown(false), split_cases[_i].expect);
}
END_TEST

/* Half a wide character is a blank, also over other text. */
START_TEST(a_wide_character_that_does_not_fit_is_a_blank)
{
	grid_puts(&grid, 0, 0, COLS, "abcdefgh", ROLE_LABEL);
	ck_assert_int_eq(grid_puts(&grid, 0, 2, 3, "\346\274\242\345\255\227", ROLE_LABEL), 3);
	ck_assert_str_eq(shown(false), "ab\346\274\242 fgh|\n");
}
END_TEST

START_TEST(put_keeps_fill_and_flags)
{
	grid_fill(&grid, 0, 1, 3, ROLE_GC);
	grid_flag(&grid, 0, 2, 1, CELL_BOLD);
	grid_puts(&grid, 0, 0, COLS, "abcde", ROLE_LABEL);
	ck_assert_uint_eq(grid_at(&grid, 0, 0)->fill, ROLE_PLAIN);
	ck_assert_uint_eq(grid_at(&grid, 0, 1)->fill, ROLE_GC);
	ck_assert_uint_eq(grid_at(&grid, 0, 3)->fill, ROLE_GC);
	ck_assert_uint_eq(grid_at(&grid, 0, 4)->fill, ROLE_PLAIN);
	ck_assert_uint_eq(grid_at(&grid, 0, 2)->flags, CELL_BOLD);
	ck_assert_uint_eq(grid_at(&grid, 0, 3)->flags, 0);
	ck_assert_uint_eq(grid_at(&grid, 0, 2)->ink, ROLE_LABEL);
}
END_TEST

START_TEST(fill_splits_wide)
{
	grid_puts(&grid, 0, 0, COLS, "\346\274\242\345\255\227", ROLE_PLAIN);
	grid_fill(&grid, 0, 1, 2, ROLE_GC);
	ck_assert_str_eq(shown(true), "        |\n.GG.....\n");
}
END_TEST

static const struct {
	int row, col, width;
} outside_cases[] = {
	{ -1, 0, 8 },
	{ 1, 0, 8 },
	{ 0, 8, 1 },
	{ 0, -3, 3 },
	{ 0, 3, 0 },
	{ 0, 3, -5 },
	{ 0, INT32_MAX, INT32_MAX },
};

START_TEST(outside_is_left_out)
{
	int row = outside_cases[_i].row, col = outside_cases[_i].col,
	    width = outside_cases[_i].width;

	grid_fill(&grid, row, col, width, ROLE_GC);
	grid_flag(&grid, row, col, width, CELL_SELECTED);
	grid_puts(&grid, row, col, width, "abc", ROLE_PLAIN);
	ck_assert_str_eq(shown(true), "        |\n........\n");
}
END_TEST

START_TEST(clips_both_sides)
{
	grid_fill(&grid, 0, -2, 4, ROLE_GC);
	grid_fill(&grid, 0, 7, 4, ROLE_IDLE);
	grid_flag(&grid, 0, 4, 100, CELL_MATCH);
	ck_assert_str_eq(shown(true), "        |\nGG..MMMM\n");
}
END_TEST

static const struct {
	struct cell cell;
	char letter;
} letter_cases[] = {
	{ { ' ', 0, ROLE_PLAIN, ROLE_PLAIN, 0 }, '.' },
	{ { 'x', 0, ROLE_PLAIN, ROLE_PLAIN, 0 }, '.' },
	{ { ' ', 0, ROLE_RULER, ROLE_PLAIN, 0 }, '.' },
	{ { 'x', 0, ROLE_RULER, ROLE_PLAIN, 0 }, 'R' },
	{ { 0, 0, ROLE_RULER, ROLE_PLAIN, 0 }, 'R' },
	{ { 'x', 0, ROLE_LABEL, ROLE_FRAME, 0 }, 'a' },
	{ { ' ', 0, ROLE_PLAIN, ROLE_DEPENDENCY - 1, 0 }, 'l' },
	{ { ' ', 0, ROLE_PLAIN, ROLE_CNAME - 1, 0 }, 'Z' },
	{ { ' ', 0, ROLE_PLAIN, ROLE_CNAME, 0 }, '&' },
	{ { ' ', 0, ROLE_PLAIN, ROLE_FRAME_LAST, 0 }, '&' },
	{ { 0x258C, 0, ROLE_FRAME + 2, ROLE_PLAIN, 0 }, 'c' },
	{ { 0x258C, 0, ROLE_FRAME + 2, ROLE_FRAME + 3, 0 }, 'd' },
	{ { 0x258C, 0, ROLE_PAGE, ROLE_GC, 0 }, 'G' },
	{ { ' ', 0, ROLE_PLAIN, ROLE_GC, CELL_SAME }, 'm' },
	{ { ' ', 0, ROLE_PLAIN, ROLE_GC, CELL_SAME | CELL_MATCH }, 'M' },
	{ { ' ', 0, ROLE_PLAIN, ROLE_GC, CELL_SAME | CELL_MATCH | CELL_SELECTED }, 'S' },
	{ { ' ', 0, ROLE_PLAIN, ROLE_GC, CELL_SHARED | CELL_BOLD }, 'G' },
};

/* The letter of a cell, in the second block of a grid of this cell alone. */
static char letter_of(struct cell cell)
{
	grid_init(&grid, 1, 1);
	*grid_at(&grid, 0, 0) = cell;
	return strrchr(shown(true), '|')[2];
}

START_TEST(letters)
{
	ck_assert_int_eq(letter_of(letter_cases[_i].cell), letter_cases[_i].letter);
}
END_TEST

/* Every role that is not the page has a letter of its own, but the colours that traces ask for
 * share one. */
START_TEST(letters_differ)
{
	int seen[256] = { 0 };

	for (int role = 0; role < ROLE_COUNT; role++) {
		struct cell cell = { 'x', 0, ROLE_PLAIN, (uint8_t)role, 0 };
		char letter = letter_of(cell);

		ck_assert_msg(letter > ' ' && letter < 127, "role %d", role);
		if (letter != '.' && role <= ROLE_CNAME)
			ck_assert_msg(!seen[(unsigned char)letter]++, "role %d: %c again", role,
				      letter);
	}
	/* Flags. */
	ck_assert(!seen['S'] && !seen['M'] && !seen['m'] && !seen['*']);
}
END_TEST

START_TEST(format_two_blocks)
{
	grid_init(&grid, 2, 4);
	grid_fill(&grid, 0, 0, 4, ROLE_TITLE);
	grid_puts(&grid, 1, 0, 4, "\346\274\242x", ROLE_RULER);
	ck_assert_str_eq(shown(true), "    |\n\346\274\242x |\nTTTT\nRRR.\n");
}
END_TEST

/* Without colours, a bar with a frame as its background has no page in its cell. */
START_TEST(stacked_bars_are_full_blocks_in_text)
{
	grid_init(&grid, 1, 3);
	for (int c = 0; c < 3; c++)
		*grid_at(&grid, 0, c) = (struct cell){ .ch = 0x2583, .ink = ROLE_GC };
	grid_at(&grid, 0, 1)->fill = ROLE_FRAME;
	grid_at(&grid, 0, 2)->fill = ROLE_NODE;
	ck_assert_str_eq(shown(false), "\342\226\203\342\226\210\342\226\210|\n");
}
END_TEST

/* A grid is used again: nothing of the last picture stays. */
START_TEST(init_again)
{
	grid_puts(&grid, 0, 0, COLS, "abcdefgh", ROLE_RULER);
	grid.cursor_row = 0;
	grid_init(&grid, 2, 3);
	ck_assert_int_eq(grid.cursor_row, -1);
	ck_assert_str_eq(shown(true), "   |\n   |\n...\n...\n");
	grid_init(&grid, 0, 0);
	ck_assert_str_eq(shown(true), "");
	grid_init(&grid, -1, 5);
	ck_assert_int_eq(grid.rows, 0);
}
END_TEST

static void add_tests(Suite *suite)
{
	TCase *tcase = suite_case(suite, "grid", SUITE_SECONDS);

	tcase_add_checked_fixture(tcase, setup, teardown);
	tcase_add_loop_test(tcase, put, 0, N(put_cases));
	tcase_add_loop_test(tcase, split, 0, N(split_cases));
	tcase_add_test(tcase, a_wide_character_that_does_not_fit_is_a_blank);
	tcase_add_test(tcase, put_keeps_fill_and_flags);
	tcase_add_test(tcase, fill_splits_wide);
	tcase_add_loop_test(tcase, outside_is_left_out, 0, N(outside_cases));
	tcase_add_test(tcase, clips_both_sides);
	tcase_add_loop_test(tcase, letters, 0, N(letter_cases));
	tcase_add_test(tcase, letters_differ);
	tcase_add_test(tcase, format_two_blocks);
	tcase_add_test(tcase, stacked_bars_are_full_blocks_in_text);
	tcase_add_test(tcase, init_again);
}

int main(void)
{
	return suite_run("grid", add_tests);
}
