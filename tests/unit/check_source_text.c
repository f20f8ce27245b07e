/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tokens of the highlight, and the lines of a text. */
#include "config.h"

#include "model/source_text.h"
#include "suite.h"

#include <string.h>

/* ---- tokens ---- */

/* Below each text its bytes: ~ comment, " string, w keyword, . plain. */
static const struct {
	const char *text, *kinds;
} tokens[] = {
	{ "a // b\nc", "..~~~~~." },
	{ "a /* b\nc */ d", "..~~~~~~~~~.." },
	{ "a = 'b' + \"c\";", "....\"\"\"...\"\"\"." },
	{ "'a\\'b' c", "\"\"\"\"\"\".." },
	/* A string ends with its line, unless that ends with a backslash. */
	{ "'a\nb", "\"\"\"." },
	{ "'a\\\nb' c", "\"\"\"\"\"\".." },
	{ "`a${b}c` d", "\"\"\"\".\"\"\".." },
	{ "`a${{b: `${c}`}}d`", "\"\"\"\"....\"\"\".\"\".\"\"\"" },
	{ "`a\nb` c", "\"\"\"\"\".." },
	{ "x = /a'[/]b/g; c", "....\"\"\"\"\"\"\"\"\"..." },
	{ "a / b / c", "........." },
	{ "(a) / b / c", "..........." },
	{ "return /a/", "wwwwww.\"\"\"" },
	{ "this / a / b", "wwww........" },
	{ "x = / a\nb", "........." },
	{ "const f = async () => await g()", "wwwww.................wwwww...." },
	{ "async function f() {}", "wwwww.wwwwwwww......." },
	{ "type A = string; type = 1", "wwww....................." },
	{ "for (const x of xs)", "www..wwwww...ww...." },
	{ "a.delete(b.default)", "..................." },
	{ "newest classes", ".............." },
	{ "#!/usr/bin/env node\na", "~~~~~~~~~~~~~~~~~~~~." },
	{ "", "" },
};

static void add_kinds(const struct source_text *text, size_t from, struct buf *out)
{
	static const char letters[] = { '.', '~', '"', 'w' };
	struct source_lex lex;
	size_t at = source_text_lex(text, from, &lex);

	while (at < text->bytes.len) {
		enum source_kind kind;
		size_t end = source_lex_next(&lex, text->bytes.data, at, text->bytes.len, &kind);

		ck_assert_uint_gt(end, at);
		ck_assert_uint_le(end, text->bytes.len);
		for (; at < end; at++)
			if (at >= from)
				buf_addc(out, letters[kind]);
	}
}

START_TEST(tokens_have_kinds)
{
	struct source_text text = { 0 };
	struct buf kinds = { 0 };

	buf_adds(&text.bytes, tokens[_i].text);
	source_text_index(&text, true);
	add_kinds(&text, 0, &kinds);
	ck_assert_str_eq(buf_text(&kinds), tokens[_i].kinds);
	buf_done(&kinds);
	source_text_done(&text);
}
END_TEST

/* From any byte on, the kinds are those that all of the text has there: of long lines, too. */
START_TEST(highlight_can_begin_anywhere)
{
	static const char *const parts[] = { "let a = 1; ", "/* c\n c */ ", "'s' ", "`t ${ {a} } ",
					     "t` ",         "/r'/.x ",      "\n",   "// l\n" };
	struct source_text text = { 0 };
	struct buf all = { 0 }, rest = { 0 };
	uint32_t seed = (uint32_t)_i + 1;

	while (text.bytes.len < 40000) {
		seed = seed * 1103515245u + 12345u;
		buf_adds(&text.bytes, parts[(seed >> 16) % (_i % 2 ? 5 : ARRAY_LEN(parts))]);
	}
	source_text_index(&text, true);
	ck_assert_uint_ge(text.n_marks, 5);
	add_kinds(&text, 0, &all);
	ck_assert_uint_eq(all.len, text.bytes.len);
	for (size_t from = 0; from < text.bytes.len; from += 1717) {
		buf_clear(&rest);
		add_kinds(&text, from, &rest);
		ck_assert_uint_eq(rest.len, text.bytes.len - from);
		ck_assert_mem_eq(rest.data, all.data + from, rest.len);
	}
	buf_done(&all);
	buf_done(&rest);
	source_text_done(&text);
}
END_TEST

/* Any bytes, in memory of their own size, so that a sanitizer sees reads beyond it. */
START_TEST(any_bytes_are_read_within_their_ends)
{
	static const char bytes[] = "/*\\`${}'\"\n\r a9#![]()\xE2\x80\xA8\xFF";
	uint32_t seed = (uint32_t)_i;

	for (int i = 0; i < 500; i++) {
		struct source_lex lex = { 0 };
		enum source_kind kind;
		size_t n, at = 0;
		char *text;

		seed = seed * 1103515245u + 12345u;
		n = (seed >> 8) % 60;
		text = xmalloc(n ? n : 1);
		for (size_t k = 0; k < n; k++) {
			seed = seed * 1103515245u + 12345u;
			text[k] = bytes[(seed >> 8) % (sizeof bytes - 1)];
		}
		while (at < n) {
			size_t end = source_lex_next(&lex, text, at, n, &kind);

			ck_assert(end > at && end <= n);
			at = end;
		}
		free(text);
	}
}
END_TEST

/* ---- lines ---- */

static const struct {
	const char *text;
	size_t n;
	const char *second;
} lines[] = {
	{ "", 1, "" },
	{ "a", 1, "" },
	{ "a\n", 1, "" },
	{ "a\nb\n", 2, "b" },
	{ "a\r\nb\r\nc", 3, "b" },
	{ "a\rb\rc", 3, "b" },
	{ "a\n\nb", 3, "" },
	{ "a\xE2\x80\xA8"
	  "b\xE2\x80\xA9"
	  "c",
	  3, "b" },
	{ "a\xE2\x80\xA6"
	  "b",
	  1, "" },
};

START_TEST(lines_end_as_in_javascript)
{
	struct source_text text = { 0 };
	struct str line;

	buf_adds(&text.bytes, lines[_i].text);
	source_text_index(&text, false);
	ck_assert_uint_eq(text.n_lines, lines[_i].n);
	line = source_text_line(&text, 1);
	ck_assert(str_is(line, lines[_i].second));
	ck_assert_uint_eq(source_text_line(&text, 1000).len, 0);
	source_text_done(&text);
}
END_TEST

START_TEST(columns_count_units_of_utf16)
{
	static const char text[] = "a\xC3\xA4\xE6\x97\xA5\xF0\x9F\x98\x80z";
	const struct str line = { text, sizeof text - 1 };
	static const size_t bytes[] = { 0, 1, 3, 6, 10, 10, 11, 11 };

	for (uint32_t i = 0; i < ARRAY_LEN(bytes); i++)
		ck_assert_uint_eq(source_text_byte(line, i), bytes[i]);
}
END_TEST

static void add_tests(Suite *suite)
{
	TCase *t = suite_case(suite, "tokens", SUITE_SECONDS);

	tcase_add_loop_test(t, tokens_have_kinds, 0, N(tokens));
	tcase_add_loop_test(t, highlight_can_begin_anywhere, 0, 4);
	tcase_add_loop_test(t, any_bytes_are_read_within_their_ends, 0, 4);
	t = suite_case(suite, "lines", SUITE_SECONDS);
	tcase_add_loop_test(t, lines_end_as_in_javascript, 0, N(lines));
	tcase_add_test(t, columns_count_units_of_utf16);
}

int main(void)
{
	return suite_run("source_text", add_tests);
}
