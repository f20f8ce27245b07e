/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The control sequences that take a text to the terminal's clipboard. */
#include "config.h"

#include "suite.h"

#include "term/clipboard.c"

#include <stdio.h>
#include <string.h>

#define HEAD "\033]52;c;"

/* RFC 4648, section 10, and bytes that are not ASCII. */
static const char *const texts[][2] = {
	{ "", "" },
	{ "f", "Zg==" },
	{ "fo", "Zm8=" },
	{ "foo", "Zm9v" },
	{ "foob", "Zm9vYg==" },
	{ "fooba", "Zm9vYmE=" },
	{ "foobar", "Zm9vYmFy" },
	{ "\303\277\377", "w7//" },
	{ "a\nb", "YQpi" },
};

START_TEST(text_is_encoded_as_base64)
{
	struct buf out = { 0 };
	char expected[64];

	clipboard_encode(texts[_i][0], strlen(texts[_i][0]), false, &out);
	snprintf(expected, sizeof expected, HEAD "%s\007", texts[_i][1]);
	ck_assert_str_eq(buf_text(&out), expected);
	buf_done(&out);
}
END_TEST

/* Put together, the pieces are what another terminal gets. */
START_TEST(screen_gets_pieces_of_at_most_768_bytes)
{
	static char text[5000];
	struct buf plain = { 0 }, pieces = { 0 }, joined = { 0 };
	const char *p, *end;
	int n = 0;

	memset(text, 'x', sizeof text);
	clipboard_encode(text, sizeof text, false, &plain);
	clipboard_encode(text, sizeof text, true, &pieces);
	for (p = buf_text(&pieces); *p; p = end + 2) {
		ck_assert(strncmp(p, "\033P", 2) == 0);
		end = strstr(p, "\033\\");
		ck_assert_ptr_nonnull(end);
		ck_assert_int_le(end + 2 - p, 768);
		buf_add(&joined, p + 2, (size_t)(end - p - 2));
		n++;
	}
	ck_assert_int_gt(n, 1);
	ck_assert_str_eq(buf_text(&joined), buf_text(&plain));
	buf_done(&plain);
	buf_done(&pieces);
	buf_done(&joined);
}
END_TEST

static void add_tests(Suite *suite)
{
	TCase *t = suite_case(suite, "encode", SUITE_SECONDS);

	tcase_add_loop_test(t, text_is_encoded_as_base64, 0, ARRAY_LEN(texts));
	tcase_add_test(t, screen_gets_pieces_of_at_most_768_bytes);
}

int main(void)
{
	return suite_run("clipboard", add_tests);
}
