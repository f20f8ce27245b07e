/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Growing text: what is added, the NUL behind it, formats, code points. */
#include "config.h"

#include "base/buf.h"

#include "suite.h"

#include <string.h>

START_TEST(empty_buffer_is_the_empty_text)
{
	struct buf b = { 0 };

	ck_assert_str_eq(buf_text(&b), "");
	buf_clear(&b);
	ck_assert_str_eq(buf_text(&b), "");
	buf_add(&b, NULL, 0);
	ck_assert_str_eq(buf_text(&b), "");
	buf_done(&b);
	ck_assert_uint_eq(b.len, 0);
}
END_TEST

START_TEST(additions_stand_in_order)
{
	struct buf b = { 0 };

	buf_adds(&b, "ab");
	buf_addc(&b, '-');
	buf_add(&b, "cdef", 2);
	buf_addf(&b, "<%d %s>", 42, "x");
	ck_assert_str_eq(buf_text(&b), "ab-cd<42 x>");
	ck_assert_uint_eq(b.len, 11);
	buf_clear(&b);
	ck_assert_str_eq(buf_text(&b), "");
	buf_adds(&b, "again");
	ck_assert_str_eq(buf_text(&b), "again");
	buf_done(&b);
}
END_TEST

/* Around the 64 bytes that buf_addf() reserves first. */
START_TEST(formats_of_any_length_are_whole)
{
	char expected[400];

	for (int len = 0; len < 300; len++) {
		struct buf b = { 0 };

		memset(expected, 'x', (size_t)len);
		expected[len] = '\0';
		buf_addf(&b, "%s", expected);
		ck_assert_str_eq(buf_text(&b), expected);
		buf_addf(&b, "%s", "end");
		ck_assert_uint_eq(b.len, (size_t)len + 3);
		ck_assert_str_eq(buf_text(&b) + len, "end");
		buf_done(&b);
	}
}
END_TEST

static const struct utf8_case {
	uint32_t cp;
	const char *bytes;
} utf8_cases[] = {
	{ 'A', "A" },
	{ 0x7F, "\x7F" },
	{ 0x80, "\xC2\x80" },
	{ 0x7FF, "\xDF\xBF" },
	{ 0x800, "\xE0\xA0\x80" },
	{ 0xFFFD, "\xEF\xBF\xBD" },
	{ 0xFFFF, "\xEF\xBF\xBF" },
	{ 0x10000, "\xF0\x90\x80\x80" },
	{ 0x10FFFF, "\xF4\x8F\xBF\xBF" },
};

START_TEST(code_points_as_utf8)
{
	struct buf b = { 0 };

	buf_add_utf8(&b, utf8_cases[_i].cp);
	ck_assert_str_eq(buf_text(&b), utf8_cases[_i].bytes);
	buf_done(&b);
}
END_TEST

static void add_tests(Suite *suite)
{
	TCase *t = suite_case(suite, "buf", SUITE_SECONDS);

	tcase_add_test(t, empty_buffer_is_the_empty_text);
	tcase_add_test(t, additions_stand_in_order);
	tcase_add_test(t, formats_of_any_length_are_whole);
	tcase_add_loop_test(t, code_points_as_utf8, 0, N(utf8_cases));
}

int main(void)
{
	return suite_run("buf", add_tests);
}
