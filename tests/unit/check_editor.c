/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The words with which an editor is started; which folders of sources are kept. */
#include "config.h"

#include "suite.h"

#include "base/buf.h"
#include "session/session_host.c"

#include <string.h>

/* The words with a | after each. */
static void make(const char *command, const char *path, int line, int column, struct buf *out)
{
	struct editor_place place = { path, line, column, NULL };
	struct error err = ERROR_INIT;
	struct editor_words words;

	if (editor_words_make(command, &place, &words, &err)) {
		ck_assert_ptr_null(words.list[words.n]);
		for (size_t i = 0; i < words.n; i++)
			buf_addf(out, "%s|", words.list[i]);
	} else {
		buf_adds(out, err.text);
	}
	editor_words_done(&words);
}

static const struct {
	const char *command, *path;
	int line, column;
	const char *words;
} cases[] = {
	{ "vi", "a.ts", 12, 3, "vi|+12|a.ts|" },
	{ "vim", "a.ts", 12, 3, "vim|+call cursor(12,3)|a.ts|" },
	{ "/usr/bin/nvim", "a.ts", 12, 3, "/usr/bin/nvim|+call cursor(12,3)|a.ts|" },
	{ "vim", "a.ts", 12, 0, "vim|+12|a.ts|" },
	{ "vim", "a.ts", 0, 0, "vim|a.ts|" },
	{ "nano", "a.ts", 12, 3, "nano|+12,3|a.ts|" },
	{ "emacs -nw", "a.ts", 12, 3, "emacs|-nw|+12:3|a.ts|" },
	{ "emacsclient", "a.ts", 12, 3, "emacsclient|+12:3|a.ts|" },
	{ "code -w", "a.ts", 12, 3, "code|-w|-g|a.ts:12:3|" },
	{ "codium", "a.ts", 12, 0, "codium|-g|a.ts:12|" },
	{ "code", "a.ts", 0, 0, "code|a.ts|" },
	{ "hx", "a.ts", 12, 3, "hx|a.ts:12:3|" },
	{ "helix", "a.ts", 12, 3, "helix|a.ts:12:3|" },
	{ "micro", "a.ts", 12, 3, "micro|a.ts:12:3|" },
	{ "kak", "a.ts", 12, 3, "kak|a.ts|+12:3|" },
	{ "kate", "a.ts", 12, 3, "kate|--line|12|--column|3|a.ts|" },
	{ "other", "a.ts", 12, 3, "other|+12|a.ts|" },
	/* paths */
	{ "ed", "-c.ts", 1, 1, "ed|+1|./-c.ts|" },
	{ "ed", "+!sh", 1, 1, "ed|+1|./+!sh|" },
	{ "code", "-c.ts", 1, 1, "code|-g|./-c.ts:1:1|" },
	{ "kak", "+c.ts", 0, 0, "kak|./+c.ts|" },
	{ "ed", "a b;$(c)`d`%f", 7, 1, "ed|+7|a b;$(c)`d`%f|" },
	{ "vim", "%l_%c", 7, 1, "vim|+call cursor(7,1)|%l_%c|" },
	/* the command */
	{ "  a  b\tc ", "f", 0, 0, "a|b|c|f|" },
	{ "'/opt/my editor/ed' -x", "f", 1, 0, "/opt/my editor/ed|-x|+1|f|" },
	{ "\"/opt/my editor/nano\" \"a\\\"b\\\\c\\d\"", "f", 1, 2,
	  "/opt/my editor/nano|a\"b\\c\\d|+1,2|f|" },
	{ "/opt/my\\ editor/ed", "f", 0, 0, "/opt/my editor/ed|f|" },
	{ "a'b c'\"d e\"f ''", "f", 0, 0, "ab cd ef||f|" },
	{ "a $HOME ~ * ; b | c", "f", 0, 0, "a|$HOME|~|*|;|b|||c|f|" },
	{ "a\\", "f", 0, 0, "a\\|f|" },
	{ "a 'b", "f", 0, 0, "a quote has no end: a 'b" },
	{ "a \"b\\", "f", 0, 0, "a quote has no end: a \"b\\" },
	{ "a \"b\\\"", "f", 0, 0, "a quote has no end: a \"b\\\"" },
	{ "'' -x", "f", 0, 0, "the editor has no name: '' -x" },
	{ " ", "f", 0, 0, "the editor has no name:  " },
};

START_TEST(editor_gets_its_words)
{
	struct buf out = { 0 };

	make(cases[_i].command, cases[_i].path, cases[_i].line, cases[_i].column, &out);
	ck_assert_str_eq(buf_text(&out), cases[_i].words);
	buf_done(&out);
}
END_TEST

START_TEST(visual_comes_before_editor)
{
	ck_assert_str_eq(editor_choose("a", "b"), "a");
	ck_assert_str_eq(editor_choose(" ", "b"), "b");
	ck_assert_str_eq(editor_choose(NULL, "b"), "b");
	ck_assert_str_eq(editor_choose("", ""), "vi");
	ck_assert_str_eq(editor_choose(NULL, NULL), "vi");
}
END_TEST

/* Another process gets the number of one that has ended. */
START_TEST(folder_of_a_process_is_not_kept)
{
	static struct run run;
	struct session_host host = { .run = &run };
	struct buf said = { 0 };

	keep_folder(&host, "/srv/app", &said);
	keep_folder(&host, "/proc/7/root/app", &said);
	ck_assert_int_eq(host.folder_list.n, 1);
	ck_assert_str_eq(host.folder_list.texts[0], "/srv/app");
	ck_assert_uint_eq(said.len, 0);
	session_host_done(&host);
	buf_done(&said);
}
END_TEST

static void add_tests(Suite *suite)
{
	TCase *t = suite_case(suite, "words", SUITE_SECONDS);

	tcase_add_loop_test(t, editor_gets_its_words, 0, N(cases));
	tcase_add_test(t, visual_comes_before_editor);
	tcase_add_test(t, folder_of_a_process_is_not_kept);
}

int main(void)
{
	return suite_run("editor", add_tests);
}
