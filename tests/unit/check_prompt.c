/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The line of input: editing at the cursor, and the history of texts. */
#include "config.h"

#include "suite.h"
#include "ui/line/prompt.h"

#include <stdio.h>
#include <string.h>

static struct prompt prompt;

static void setup(void)
{
	prompt = (struct prompt){ 0 };
	prompt_open(&prompt, PROMPT_SEARCH, NULL);
}

static void teardown(void)
{
	prompt_done(&prompt);
}

static void type(const char *text)
{
	key_code key;

	for (size_t n; (n = key_parse(text, &key)) > 0; text += n)
		ck_assert(prompt_insert(&prompt, key));
}

/* What a script of one-letter commands makes of "ab \303\251c d", whose cursor is at the end, as
 * `before|behind` the cursor: b erase before, x delete, w erase word, u erase up to the cursor,
 * < > left and right, ^ $ to the ends, + insert an e with an accent. */
static const struct {
	const char *script, *expected;
} edits[] = {
	{ "", "ab \303\251c d|" },
	{ "b", "ab \303\251c |" },
	{ "bbb", "ab \303\251|" },
	{ "bbbb", "ab |" },
	{ "<<<x", "ab \303\251| d" },
	{ "<<<<x", "ab |c d" },
	{ "x", "ab \303\251c d|" },
	{ "^x", "|b \303\251c d" },
	{ "^b", "|ab \303\251c d" },
	{ "^<x>x", "b|\303\251c d" },
	{ "$>b", "ab \303\251c |" },
	{ "w", "ab \303\251c |" },
	{ "ww", "ab |" },
	{ "www", "|" },
	{ "<<w", "ab | d" },
	{ "<<u", "| d" },
	{ "u", "|" },
	{ "^+", "\303\251|ab \303\251c d" },
	{ "<<+", "ab \303\251c\303\251| d" },
};

static void edit(char step)
{
	switch (step) {
	case 'b':
		prompt_erase(&prompt, PROMPT_LEFT);
		break;
	case 'x':
		prompt_erase(&prompt, PROMPT_RIGHT);
		break;
	case 'w':
		prompt_erase(&prompt, PROMPT_WORD);
		break;
	case 'u':
		prompt_erase(&prompt, PROMPT_START);
		break;
	case '<':
		prompt_move(&prompt, PROMPT_LEFT);
		break;
	case '>':
		prompt_move(&prompt, PROMPT_RIGHT);
		break;
	case '^':
		prompt_move(&prompt, PROMPT_START);
		break;
	case '$':
		prompt_move(&prompt, PROMPT_END);
		break;
	default:
		prompt_insert(&prompt, 0xe9);
		break;
	}
}

START_TEST(text_is_edited_at_the_cursor)
{
	char text[64];

	type("ab \303\251c d");
	for (const char *p = edits[_i].script; *p; p++)
		edit(*p);
	snprintf(text, sizeof text, "%.*s|%s", (int)prompt.cursor, buf_text(&prompt.text),
		 buf_text(&prompt.text) + prompt.cursor);
	ck_assert_str_eq(text, edits[_i].expected);
}
END_TEST

START_TEST(only_characters_are_inserted)
{
	static const key_code no_characters[] = { KEYC_UP, KEYC_ENTER, KEYC_CTRL | 'a',
						  0x1f,    0x7f,       0x9b };

	for (size_t i = 0; i < ARRAY_LEN(no_characters); i++)
		ck_assert(!prompt_insert(&prompt, no_characters[i]));
	ck_assert_uint_eq(prompt.text.len, 0);
}
END_TEST

/* PROMPT_MAX bytes are the limit, whatever the length of a character. */
START_TEST(long_texts_stop_growing)
{
	for (int i = 0; i < 2 * PROMPT_MAX; i++)
		prompt_insert(&prompt, 'x');
	ck_assert_uint_le(prompt.text.len, PROMPT_MAX);
	ck_assert_uint_gt(prompt.text.len, PROMPT_MAX - 8);
	ck_assert(!prompt_insert(&prompt, 'x'));
}
END_TEST

/* Type a text and accept it. */
static void accept(const char *text)
{
	prompt_open(&prompt, PROMPT_SEARCH, text);
	prompt_close(&prompt, true);
}

START_TEST(history_goes_back_and_forth)
{
	accept("one");
	accept("two");
	prompt_open(&prompt, PROMPT_SEARCH, NULL);
	type("thr");
	ck_assert(prompt_older(&prompt));
	ck_assert_str_eq(buf_text(&prompt.text), "two");
	ck_assert_uint_eq(prompt.cursor, 3);
	ck_assert(prompt_older(&prompt));
	ck_assert_str_eq(buf_text(&prompt.text), "one");
	ck_assert(!prompt_older(&prompt));
	ck_assert(prompt_newer(&prompt));
	ck_assert(prompt_newer(&prompt));
	ck_assert_str_eq(buf_text(&prompt.text), "thr");
	ck_assert(!prompt_newer(&prompt));
}
END_TEST

START_TEST(equal_texts_are_kept_once_as_the_newest)
{
	accept("one");
	accept("two");
	accept("one");
	accept("");
	ck_assert_int_eq(prompt.patterns.n, 2);
	ck_assert_str_eq(prompt.patterns.texts[0], "two");
	ck_assert_str_eq(prompt_last(&prompt), "one");
	prompt_open(&prompt, PROMPT_SEARCH, "three");
	prompt_close(&prompt, false);
	ck_assert_str_eq(prompt_last(&prompt), "one");
}
END_TEST

START_TEST(full_history_drops_the_oldest)
{
	char text[16];

	for (int i = 0; i <= PROMPT_HISTORY; i++) {
		snprintf(text, sizeof text, "%d", i);
		accept(text);
	}
	ck_assert_int_eq(prompt.patterns.n, PROMPT_HISTORY);
	ck_assert_str_eq(prompt.patterns.texts[0], "1");
	ck_assert_str_eq(prompt_last(&prompt), text);
}
END_TEST

START_TEST(copy_has_history_and_mode)
{
	struct prompt copy = { 0 };

	ck_assert_ptr_null(prompt_last(&copy));
	accept("one");
	accept("two");
	prompt.is_plain = true;
	prompt_copy(&copy, &prompt);
	ck_assert(copy.is_plain && copy.kind == PROMPT_NONE);
	ck_assert_int_eq(copy.patterns.n, 2);
	ck_assert_str_eq(prompt_last(&copy), "two");
	ck_assert_ptr_ne(prompt_last(&copy), prompt_last(&prompt));
	prompt_done(&copy);
}
END_TEST

static void add_tests(Suite *suite)
{
	TCase *t = suite_case(suite, "prompt", SUITE_SECONDS);

	tcase_add_checked_fixture(t, setup, teardown);
	tcase_add_loop_test(t, text_is_edited_at_the_cursor, 0, N(edits));
	tcase_add_test(t, only_characters_are_inserted);
	tcase_add_test(t, long_texts_stop_growing);
	tcase_add_test(t, history_goes_back_and_forth);
	tcase_add_test(t, equal_texts_are_kept_once_as_the_newest);
	tcase_add_test(t, full_history_drops_the_oldest);
	tcase_add_test(t, copy_has_history_and_mode);
}

int main(void)
{
	return suite_run("prompt", add_tests);
}
