/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the interface says of itself: why a key changes nothing, what a search is about, whose
 * verdict the line is. */
#include "config.h"

#include "runs.h"
#include "stage.h"

#define MAIN "main@/app/main.js:1"

static void setup(void)
{
	stage_open(runs_load("60 " MAIN ">parse@/app/a.js:3|40 " MAIN ">Paint@/app/b.js:5"),
		   &(struct app_options){ 0 }, 44, 100);
	draw();
}

static void says(const char *keys, const char *text)
{
	play(keys);
	draw();
	ck_assert_msg(shows(text), "%s: no \"%s\"", keys, text);
}

START_TEST(key_that_changes_nothing_says_why)
{
	static const struct {
		const char *keys, *says;
	} cases[] = {
		{ "s", "this is the whole profile" },
		{ "a", "this is the whole profile" },
		{ "0", "this is the whole profile" },
		{ "^", "the time line begins here" },
		{ "$", "the time line ends here" },
		{ "wa^a", "the time line begins here" },
		{ "$d", "the time line ends here" },
		{ "<C-y>", "no lanes above" },
		{ "G<C-e>", "no lanes below" },
		{ "g", "no lanes above" },
		{ "1", "this is the time order" },
		{ ":40 zoom-in<Enter>w", "the window is as short as it can be" },
	};

	for (size_t i = 0; i < ARRAY_LEN(cases); i++)
		says(cases[i].keys, cases[i].says);
	/* A key that does something says nothing. */
	says("0", "");
	play("w");
	draw();
	ck_assert(!shows("this is the whole profile"));
}
END_TEST

START_TEST(prompt_says_that_capitals_count)
{
	says("/pa", " /pa");
	ck_assert(!shows("case /"));
	says("<Backspace><Backspace>Pa", "case /Pa");
	says("<C-t>", "plain, case /Pa");
	says("<Esc><Esc>5&P", "case &P");
}
END_TEST

START_TEST(transforms_take_a_pattern)
{
	says(":focus pars<Enter>", "focus /pars/");
	says("u:keep-function pars<Enter>", "only /pars/");
	says("u:drop-function Pain<Enter>", "drop /Pain/");
	says("u:merge-function main<Enter>", "merge /main/");
	says("u:collapse-function main<Enter>", "collapse /main/");
	says("u:focus nothing<Enter>", "no function matches nothing");
	says(":focus (<Enter>", "is no pattern");
	/* Without a pattern, the command is the key. */
	says(":focus-function<Enter>", "focus main");
	says("u5:focus<Enter>", "Tab");
}
END_TEST

/* The second row does not repeat the first. */
START_TEST(second_row_of_the_verdict_is_news)
{
	char *text = picture(false);
	const char *first = strstr(text, "\n parse a.js:3 60 %"), *second;

	ck_assert_ptr_nonnull(first);
	second = strchr(first + 1, '\n');
	ck_assert_ptr_nonnull(second);
	ck_assert_msg(strncmp(second, "\n blocked: 1 task", 17) == 0, "%.60s", second);
	free(text);
}
END_TEST

/* A kind of finding before what the line says already is no news either. */
START_TEST(second_row_does_not_repeat_a_file)
{
	char *text;

	stage_close();
	stage_open(runs_load("44 a@/app/a.js:3|40 b@/app/a.js:13|36 c@/app/a.js:23|30 d@/app/d.js:5"
			     "|30 e@/app/e.js:5|20 f@/app/f.js:5|1 emit@node:events:1"),
		   &(struct app_options){ 0 }, 44, 100);
	draw();
	text = picture(false);
	ck_assert_msg(strstr(text, "\n a.js 60 %") != NULL, "%.700s", text);
	ck_assert_ptr_null(strstr(text, "\n file a.js 60 %"));
	free(text);
}
END_TEST

START_TEST(keys_that_can_do_nothing_are_no_hints)
{
	ck_assert(!shows("s out"));
	play("w");
	draw();
	ck_assert(shows("s out"));
}
END_TEST

static void add_tests(Suite *suite)
{
	TCase *t = tcase_create("answers");

	suite_add_tcase(suite, t);
	tcase_add_checked_fixture(t, setup, stage_close);
	tcase_add_test(t, key_that_changes_nothing_says_why);
	tcase_add_test(t, prompt_says_that_capitals_count);
	tcase_add_test(t, transforms_take_a_pattern);
	tcase_add_test(t, second_row_of_the_verdict_is_news);
	tcase_add_test(t, second_row_does_not_repeat_a_file);
	tcase_add_test(t, keys_that_can_do_nothing_are_no_hints);
}

int main(void)
{
	return suite_run("answers", add_tests);
}
