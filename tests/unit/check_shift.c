/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which way a picture has moved, and which of its rows are worth moving. */
#include "config.h"

#include "suite.h"

#include "term/encoder.c"

#include <check.h>
#include <stdlib.h>
#include <string.h>

#define COLS 32

/* A row as text; `~` is the right half of a wide character, `W` the left one. */
static void row_from(const char *text, struct painted row[COLS])
{
	ck_assert_uint_eq(strlen(text), COLS);
	memset(row, 0, COLS * sizeof *row);
	for (int i = 0; i < COLS; i++) {
		row[i].ch = text[i] == '~' ? 0 : (uint32_t)text[i];
		row[i].paint = (struct paint){ .fg = PAINT_DEFAULT, .bg = PAINT_DEFAULT };
	}
}

static const struct row_case {
	const char *before, *after;
	int shift;
	const char *moved; /* NULL: left as it is */
} row_cases[] = {
	{ "abcdefghijklmnopqrstuvwxyz012345", "efghijklmnopqrstuvwxyz0123456789", 4,
	  "efghijklmnopqrstuvwxyz012345    " },
	{ "abcdefghijklmnopqrstuvwxyz012345", "9876abcdefghijklmnopqrstuvwxyz01", -4,
	  "    abcdefghijklmnopqrstuvwxyz01" },
	/* Not worth it: nothing would be right, or next to nothing is wrong. */
	{ "abcdefghijklmnopqrstuvwxyz012345", "543210zyxwvutsrqponmlkjihgfedcba", 4, NULL },
	{ "abcdefghijklmnopqrstuvwxyz012345", "abcdefghijklmnopqrstuvwxyz012344", 4, NULL },
	{ "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", "aaaaaaaaaaaaaaaaaaaaaaaaaaaabbbb", 4, NULL },
	/* More cells would be inserted than stay: tmux leaves old ones between them. */
	{ "abcdefghijklmnopqrstuvwxyz012345", "                    abcdefghijkl", -20, NULL },
	{ "abcdefghijklmnop0123456789012345", "                abcdefghijklmnop", -16,
	  "                abcdefghijklmnop" },
	/* Wide characters: whole, and cut at either end. */
	{ "abcdW~ghijklmnopqrstuvwxyz012345", "W~ghijklmnopqrstuvwxyz0123456789", 4,
	  "W~ghijklmnopqrstuvwxyz012345    " },
	{ "abcW~fghijklmnopqrstuvwxyz012345", " fghijklmnopqrstuvwxyz0123456789", 4, NULL },
	{ "abcdefghijklmnopqrstuvwxyz0W~345", "9876abcdefghijklmnopqrstuvwxyz0 ", -4, NULL },
};

START_TEST(row)
{
	const struct row_case *c = &row_cases[_i];
	struct painted shown[COLS], next[COLS], expected[COLS];

	row_from(c->before, shown);
	row_from(c->after, next);
	row_from(c->moved ? c->moved : c->before, expected);
	ck_assert_int_eq(shift_row(shown, next, COLS, c->shift), c->moved != NULL);
	for (int i = 0; i < COLS; i++)
		ck_assert_msg(pen_is_same(&shown[i], &expected[i]), "cell %d", i);
}
END_TEST

static const struct find_case {
	const char *before[3], *after[3];
	int shift;
} find_cases[] = {
	{ { "abcdefghijklmnopqrstuvwxyz012345", "                                ",
	    "zyxwvutsrqponmlkjihgfedcba987654" },
	  { "efghijklmnopqrstuvwxyz0123456789", "                                ",
	    "vutsrqponmlkjihgfedcba9876543210" },
	  4 },
	{ { "abcdefghijklmnopqrstuvwxyz012345", "a header that stays as it was   ",
	    "zyxwvutsrqponmlkjihgfedcba987654" },
	  { "012345abcdefghijklmnopqrstuvwxyz", "a header that stays as it was   ",
	    "210.:_zyxwvutsrqponmlkjihgfedcba" },
	  -6 },
	/* Nothing has changed; nothing of it is where it could have moved to. */
	{ { "abcdefghijklmnopqrstuvwxyz012345", "a header that stays as it was   ",
	    "                                " },
	  { "abcdefghijklmnopqrstuvwxyz012345", "a header that stays as it was   ",
	    "                                " },
	  0 },
	{ { "abcdefghijklmnopqrstuvwxyz012345", "                                ",
	    "                                " },
	  { "                                ", "                                ",
	    "ABCDEFGHIJKLMNOPQRSTUVWXYZ/!$%&(" },
	  0 },
};

START_TEST(find)
{
	const struct find_case *c = &find_cases[_i];
	struct painted before[3 * COLS], after[3 * COLS];

	for (int i = 0; i < 3; i++) {
		row_from(c->before[i], before + i * COLS);
		row_from(c->after[i], after + i * COLS);
	}
	ck_assert_int_eq(shift_find(before, after, 3, COLS), c->shift);
}
END_TEST

static const struct tail_case {
	const char *before, *after;
	int shift, from; /* 0: nothing moves */
	const char *moved;
} tail_cases[] = {
	{ "a title  abcdefghijklmnopqrstuvw", "a title  efghijklmnopqrstuvw0123", 4, 9,
	  "a title  efghijklmnopqrstuvw    " },
	{ "a title  abcdefghijklmnopqrstuvw", "a title  0123abcdefghijklmnopqrs", -4, 9,
	  "a title      abcdefghijklmnopqrs" },
	/* The title changes, too. */
	{ "of 12 %  abcdefghijklmnopqrstuvw", "of 13 %  efghijklmnopqrstuvw0123", 4, 9,
	  "of 13 %  efghijklmnopqrstuvw    " },
	/* All of the row moves: not from a column on. Too little of it moves. */
	{ "abcdefghijklmnopqrstuvwxyz012345", "zyxwvutsrqponmlkjihgfedcba543210", 0, 0, NULL },
	{ "a longer title       abcdefghijk", "a longer title       efghijk0123", 4, 0, NULL },
	/* Wide characters: whole, and cut at either end. */
	{ "a title  abcdW~ghijklmnopqrstuvw", "a title  W~ghijklmnopqrstuvw0123", 4, 9,
	  "a title  W~ghijklmnopqrstuvw    " },
	{ "a title  abcW~fghijklmnopqrstuvw", "a title   fghijklmnopqrstuvw0123", 4, 10,
	  "a title  afghijklmnopqrstuvw    " },
	{ "a title  abcdefghijklmnopqrW~uvw", "a title  0123abcdefghijklmnopqr ", -4, 0, NULL },
};

/* How far the tails have moved, from where, and that they are worth moving. */
START_TEST(tail)
{
	const struct tail_case *c = &tail_cases[_i];
	struct painted shown[COLS], next[COLS], expected[COLS];
	int from;

	row_from(c->before, shown);
	row_from(c->after, next);
	if (c->moved || !c->shift)
		ck_assert_int_eq(shift_find_tail(shown, next, 1, COLS, 0), c->shift);
	ck_assert_int_eq(shift_tail_gain(shown, next, COLS, c->shift ? c->shift : 4, &from) > 0,
			 c->moved != NULL);
	if (!c->moved)
		return;
	ck_assert_int_eq(from, c->from);
	shift_tail(shown, from, COLS, c->shift);
	row_from(c->moved, expected);
	for (int i = c->from; i < COLS; i++)
		ck_assert_msg(pen_is_same(&shown[i], &expected[i]), "cell %d", i);
	row_from(c->before, expected);
	for (int i = 0; i < c->from; i++)
		ck_assert_msg(pen_is_same(&shown[i], &expected[i]), "cell %d", i);
}
END_TEST

static void add_tests(Suite *suite)
{
	TCase *tcase = suite_case(suite, "shift", SUITE_SECONDS);

	tcase_add_loop_test(tcase, row, 0, N(row_cases));
	tcase_add_loop_test(tcase, find, 0, N(find_cases));
	tcase_add_loop_test(tcase, tail, 0, N(tail_cases));
}

int main(void)
{
	return suite_run("shift", add_tests);
}
