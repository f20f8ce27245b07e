/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The script's settings, and that Node.js gets the path of the script as it is. */
#include "config.h"

#include "suite.h"

#include "record/run_command.c"

#include <string.h>

#define WORDS_MAX 16

/* Split a value of NODE_OPTIONS by the rules of Node.js: blanks separate words except between
 * quotes, and a backslash between quotes takes the next character as it is. Returns the number of
 * words. */
static int split(const char *text, struct buf words[WORDS_MAX])
{
	bool is_quoted = false, is_new = true;
	int n = 0;

	for (; *text; text++) {
		char c = *text;

		if (c == '\\' && is_quoted) {
			c = *++text;
			ck_assert_int_ne(c, '\0');
		} else if (c == ' ' && !is_quoted) {
			is_new = true;
			continue;
		} else if (c == '"') {
			is_quoted = !is_quoted;
			continue;
		}
		if (is_new) {
			ck_assert_int_lt(n, WORDS_MAX);
			words[n++] = (struct buf){ 0 };
		}
		is_new = false;
		buf_addc(&words[n - 1], c);
	}
	ck_assert(!is_quoted);
	return n;
}

static const char *const paths[] = {
	"/tmp/flametty-AAAAAA/hook.cjs", "/tmp/a b/hook.cjs",     "/tmp/a \"b\"/hook.cjs",
	"/tmp/a\\b\\/hook.cjs",          "/tmp/\"\\\" /hook.cjs",
};

START_TEST(node_gets_the_path_as_it_is)
{
	struct buf words[WORDS_MAX], value = { 0 };
	int n;

	run_hook_node_options(paths[_i], "--max-old-space-size=64 --require \"a b\"", &value);
	n = split(buf_text(&value), words);
	ck_assert_int_eq(n, 5);
	ck_assert_str_eq(buf_text(&words[0]), "--require");
	ck_assert_str_eq(buf_text(&words[1]), paths[_i]);
	ck_assert_str_eq(buf_text(&words[2]), "--max-old-space-size=64");
	ck_assert_str_eq(buf_text(&words[4]), "a b");
	for (int i = 0; i < n; i++)
		buf_done(&words[i]);
	buf_done(&value);
}
END_TEST

START_TEST(nothing_is_added_to_no_options)
{
	struct buf value = { 0 };

	run_hook_node_options("/h.cjs", NULL, &value);
	ck_assert_str_eq(buf_text(&value), "--require \"/h.cjs\"");
	buf_clear(&value);
	run_hook_node_options("/h.cjs", "", &value);
	ck_assert_str_eq(buf_text(&value), "--require \"/h.cjs\"");
	buf_clear(&value);
	run_hook_bun_options("/p", 500, NULL, &value);
	ck_assert_str_eq(buf_text(&value), "--cpu-prof --cpu-prof-interval=500 --cpu-prof-dir=/p");
	buf_clear(&value);
	run_hook_bun_options("/p", 500, "--smol", &value);
	ck_assert_str_eq(buf_text(&value),
			 "--cpu-prof --cpu-prof-interval=500 --cpu-prof-dir=/p --smol");
	buf_done(&value);
}
END_TEST

START_TEST(the_script_is_called_with_the_settings)
{
	struct buf script = { 0 };
	const char *call;

	run_hook_write(&(struct run_hook){ "/a \"b\"\\q", 250, 4096, 99, NULL }, &script);
	call = strstr(buf_text(&script), "\n})\n({");
	ck_assert_ptr_nonnull(call);
	ck_assert_str_eq(call,
			 "\n})\n({\"folder\":\"/a \\\"b\\\"\\\\q\","
			 "\"interval\":250,\"heap\":4096,\"most\":99});\n");
	ck_assert_ptr_nonnull(strstr(buf_text(&script), "(function flametty(settings) {\n"));
	buf_done(&script);
}
END_TEST

/* With the script that follows requests, and its settings. */
START_TEST(requests_are_followed_with_their_script)
{
	struct buf script = { 0 };

	run_hook_write(&(struct run_hook){ "/a", 250, 0, 99, "{cpu:1" }, &script);
	ck_assert_ptr_nonnull(strstr(buf_text(&script), ",\"requests\":"));
	ck_assert_ptr_nonnull(strstr(buf_text(&script), "(function flamettyRequests("));
	ck_assert_ptr_nonnull(strstr(buf_text(&script), ",\"follow\":{cpu:1,atOnce:1}});\n"));
	buf_done(&script);
}
END_TEST

static void add_tests(Suite *suite)
{
	TCase *tc = suite_case(suite, "rules", SUITE_SECONDS);

	tcase_add_loop_test(tc, node_gets_the_path_as_it_is, 0, N(paths));
	tcase_add_test(tc, nothing_is_added_to_no_options);
	tcase_add_test(tc, the_script_is_called_with_the_settings);
	tcase_add_test(tc, requests_are_followed_with_their_script);
}

int main(void)
{
	return suite_run("run_hook", add_tests);
}
