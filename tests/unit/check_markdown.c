/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Text as Markdown: what could be markup is code, and code cannot be left. */
#include "config.h"

#include "write/report/page.h"

#include "suite.h"

#include <string.h>

static const struct text_case {
	const char *text, *expect;
} codes[] = {
	{ "", "" },
	{ "render", "`render`" },
	{ "a[b](c) *d* <e> @f #1", "`a[b](c) *d* <e> @f #1`" },
	{ "two\nlines\033", "`two^Jlines^[`" },
	{ "a`b", "<code>a&#96;b</code>" },
	{ "a|</code>", "<code>a&#124;&#60;&#47;code&#62;</code>" },
	{ "\\|\303\244", "<code>&#92;&#124;\303\244</code>" },
}, words[] = {
	{ "", "" },
	{ "GC 48 %: 60 % of it (line 5)", "GC 48 %: 60 % of it (line 5)" },
	{ "in src/a.js:12; then", "in `src/a.js:12`; then" },
	{ "(a_b) two  blanks", "(`a_b`) two blanks" },
	{ "@user #12 https://x www.x.org", "`@user` `#12` `https://x` `www.x.org`" },
	{ "![x](y) <b> |", "`![x](y`) `<b>` <code>&#124;</code>" },
	{ "- item", "`-` item" },
	{ "1. item - 2.", "`1`. item - 2." },
	{ "12 items", "12 items" },
	{ "12", "12" },
	{ "a\nb", "`a^Jb`" },
};

START_TEST(a_name_is_code)
{
	struct buf out = { 0 };

	markdown_code(&out, codes[_i].text, strlen(codes[_i].text));
	ck_assert_str_eq(buf_text(&out), codes[_i].expect);
	buf_done(&out);
}
END_TEST

START_TEST(a_word_that_could_be_markup_is_code)
{
	struct buf out = { 0 }, expect = { 0 };
	struct page page = { .form = &page_md, .out = &out };

	buf_addf(&expect, "- %s\n", words[_i].expect);
	page_item(&page, 1, words[_i].text, strlen(words[_i].text));
	ck_assert_str_eq(buf_text(&out), buf_text(&expect));
	buf_done(&out);
	buf_done(&expect);
}
END_TEST

static void add_tests(Suite *suite)
{
	TCase *t = suite_case(suite, "words", SUITE_SECONDS);

	tcase_add_loop_test(t, a_name_is_code, 0, N(codes));
	tcase_add_loop_test(t, a_word_that_could_be_markup_is_code, 0, N(words));
}

int main(void)
{
	return suite_run("markdown", add_tests);
}
