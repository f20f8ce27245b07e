/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Text inside an element: no element and no reference begins in it. */
#include "config.h"

#include "write/report/page.h"

#include "suite.h"

#include <string.h>

static const struct text_case {
	const char *text, *expect;
} texts[] = {
	{ "", "" },
	{ "</script><b>", "&lt;/script&gt;&lt;b&gt;" },
	{ "&lt; &#60; &", "&amp;lt; &amp;#60; &amp;" },
	{ "]]> \"a\" 'b'", "]]&gt; \"a\" 'b'" },
	{ "two\nlines\033\177", "two\nlines^[^?" },
	{ "\303\244\377\357\277\276", "\303\244\357\277\275&lt;FFFE&gt;" },
};

START_TEST(no_text_is_markup)
{
	struct buf out = { 0 };

	markup_text(&out, texts[_i].text, strlen(texts[_i].text));
	ck_assert_str_eq(buf_text(&out), texts[_i].expect);
	buf_done(&out);
}
END_TEST

static void add_tests(Suite *suite)
{
	TCase *t = suite_case(suite, "text", SUITE_SECONDS);

	tcase_add_loop_test(t, no_text_is_markup, 0, N(texts));
}

int main(void)
{
	return suite_run("markup", add_tests);
}
