/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Documents in other text, in pieces of random sizes. What comes out is as long as what goes in,
 * and has every byte outside of escapes in its place. */
#include "config.h"

#include "base/quoted.h"

#include "base/alloc.h"
#include "base/buf.h"
#include "base/hash.h"
#include "load_text.h"
#include "suite.h"

#include <string.h>

static uint64_t calls;

static size_t below(size_t n)
{
	return hash_u64(++calls) % n;
}

static struct {
	const char *bytes;
	size_t len, at, fail_at;
} source;

static ptrdiff_t read_source(void *ctx, void *out, size_t size, struct error *err)
{
	size_t n = source.len - source.at, few = 1 + below(9);

	(void)ctx;
	if (source.at >= source.fail_at) {
		error_set(err, ERR_IO, -1, "told to fail");
		return -1;
	}
	n = n < few ? n : few;
	n = n < size ? n : size;
	memcpy(out, source.bytes + source.at, n);
	source.at += n;
	return (ptrdiff_t)n;
}

/* Reads all. Returns whether it ended without an error. */
static bool convert(const char *text, size_t len, size_t fail_at, struct buf *out, struct quoted *q)
{
	struct error err = ERROR_INIT;
	ptrdiff_t n;

	source.bytes = text;
	source.len = len;
	source.at = 0;
	source.fail_at = fail_at;
	quoted_init(q, (struct byte_source){ read_source, NULL });
	do {
		char piece[40];
		size_t size = 4 + below(sizeof piece - 4);

		n = quoted_read(q, piece, size, &err);
		ck_assert_int_le(n, (ptrdiff_t)size);
		if (n > 0)
			buf_add(out, piece, (size_t)n);
	} while (n > 0);
	ck_assert_int_eq(n < 0, err.kind != ERR_NONE);
	return n == 0;
}

/* NULL: the text is not changed. */
static const struct {
	const char *text, *expect;
	size_t n_before;
	char quote;
} cases[] = {
	/* A line of a console. */
	{ "main.js:9 {\"a\":1}", "          {\"a\":1}", 10, 0 },
	{ "\n (index):12  [{\"a\":1}]\n", "\n             [{\"a\":1}]\n", 14, 0 },
	{ "12:03 [vite] a.js:1 { \"a\":1}", "                    { \"a\":1}", 20, 0 },
	{ " LOG  {}", "      {}", 6, 0 },
	{ "const p = {\"a\":1};", "          {\"a\":1};", 10, 0 },
	{ "callback({\"a\":1})", "         {\"a\":1})", 9, 0 },
	{ "main.js:9 {a: 1}", NULL, 0, 0 },
	{ "main.js:9\n{\"a\":1}", NULL, 0, 0 },
	{ "main;{\"a\" 5", NULL, 0, 0 },
	{ "node 1 [001] 1.0: cycles:", NULL, 0, 0 },
	{ "<a>{\"a\":1}", NULL, 0, 0 },
	{ "// x\t{\"a\":1}", NULL, 0, 0 },
	{ "x{\"a\":1}", NULL, 0, 0 },
	{ "\001 {\"a\":1}", NULL, 0, 0 },
	/* One that begins with a slash or a bracket. */
	{ "/app/main.js:9 {\"a\":1}", "               {\"a\":1}", 15, 0 },
	{ "[vite] a.js:1 {\"a\":1}", "              {\"a\":1}", 14, 0 },
	{ "[12:03:01] [x[1]] [{\"a\":1}]", "                  [{\"a\":1}]", 18, 0 },
	{ "[1, {\"a\":1}]", NULL, 0, 0 },
	{ "[1,\n {\"nodes\":1}]", NULL, 0, 0 },
	{ "[null, [1], {\"a\":1}]", NULL, 0, 0 },
	{ "/* x */ {\"a\":1}", NULL, 0, 0 },
	/* A later line. */
	{ "GET / 200\nready {\"nodes\":1}\n{\"nodes\":[]}",
	  "         \n                 \n{\"nodes\":[]}", 28, 0 },
	{ "a\n  {\"x\":[1,{\"nodes\":1}],\"samples\":[]}",
	  " \n  {\"x\":[1,{\"nodes\":1}],\"samples\":[]}", 4, 0 },
	{ "a\r\n[{\"ph\":\"X\"}]", " \r\n[{\"ph\":\"X\"}]", 3, 0 },
	{ "a\n{\"level\":30}\n/srv/x y.js:9:12 {\"nodes\":[]}",
	  " \n            \n                 {\"nodes\":[]}", 32, 0 },
	{ "[x]\nb\n\"{\\\"nodes\\\":1}\"", "   \n \n { \"nodes\" :1} ", 6, '"' },
	{ "a\nm.js:1 '{\"nodes\":1}'", " \n        {\"nodes\":1} ", 9, '\'' },
	{ "\033[1mup\033[0m\n{\"nodes\":1}", "          \n{\"nodes\":1}", 11, 0 },
	{ "a\n{\"level\":30,\"x\":{\"nodes\":1}}\n{\"msg\":\"nodes\"}", NULL, 0, 0 },
	{ "a\nb {\"nodes\":1}\nc:1{\"nodes\":1}\nd:x {\"nodes\":1}", NULL, 0, 0 },
	{ "a\n{\"id\":1,\"result\":{}}", " \n{\"id\":1,\"result\":{}}", 2, 0 },
	{ "a\n{\"method\":\"Tracing.x\"}", " \n{\"method\":\"Tracing.x\"}", 2, 0 },
	{ "a\n{\"method\":\"GET\",\"result\":{}}", NULL, 0, 0 },
	{ "<a>\n{\"nodes\":1}", NULL, 0, 0 },
	{ "a\n{\"nodes", NULL, 0, 0 },
	{ "a\n{", NULL, 0, 0 },
	{ "a\n", NULL, 0, 0 },
	{ "a\n\n\n", NULL, 0, 0 },
	/* A string within a string. */
	{ "\"\\\"{\\\\\\\"a\\\\\\\":1}\\\"\"", NULL, 0, '"' },
	{ "\"\\\"text\\\"\"", NULL, 0, 0 },
	{ "\"\\\"", NULL, 0, 0 },
	{ "\"\\\\", NULL, 0, 0 },
	/* A string. */
	{ "\"{\\\"a\\\":1}\"", " { \"a\" :1} ", 0, '"' },
	{ "\"{\\\"a\\\":1}\" x", " { \"a\" :1}  x", 0, '"' },
	{ "\"[{\\n}]\"", " [{  }] ", 0, '"' },
	{ "\" \\n{\\n \\t\\\"a\\\\\\\"b\\\": 1}\"", "    {      \"a\\\"b\"   : 1} ", 0, '"' },
	{ "\"{\\\"a\\u0022:1}\"", " { \"a\"     :1} ", 0, '"' },
	{ "\"{\\\"\\u00e9\\n\\/\\ud83d\\ude00\\\"}\"", " { \"\\u00e9\\n/\\ud83d\\ude00\"  } ", 0,
	  '"' },
	{ "'{\"a\":\"it\\'s \\\\\"\"}'", " {\"a\":\"it's \\\"\"  } ", 0, '\'' },
	{ "a.js:1 '{\"a\":1}'", "        {\"a\":1} ", 7, '\'' },
	{ "a.js:1 \"{\\\"a\\\":1}\"", "        { \"a\" :1} ", 7, '"' },
	{ "\"{\\\"a", " { \"a", 0, '"' },
	{ "\"{\\\"a\\", " { \"a\\", 0, '"' },
	{ "\"{\\\"a\\u00", " { \"a\\u00", 0, '"' },
	{ "\"text\"", NULL, 0, 0 },
	{ "\"{\"", NULL, 0, 0 },
	{ "'{'", NULL, 0, 0 },
	/* A member of a reply. */
	{ "{\"id\":1,\"body\":\"{\\\"ph\\\":1}\"}", "                { \"ph\" :1}  ", 15, '"' },
	{ "{\"x\":{\"y\":[1]},\"result\":{\"type\":\"t\",\"value\":\"[{\\\"ph\\\":1}]\",\"n\":{\"}\":1}}}\n{",
	  "                                             [{ \"ph\" :1}]               \n{", 44,
	  '"' },
	/* The key of a document is in the string itself, not in one behind it. */
	{ "{\"body\":\"{\\\"a\\\":1}\",\"result\":\"{\\\"ph\\\":1}\"}",
	  "                              { \"ph\" :1}  ", 29, '"' },
	{ "x\n\"{\\\"a\\\":1}\"\n\"{\\\"ph\\\":1}\"", " \n           \n { \"ph\" :1} ", 14, '"' },
	/* No profile and no trace, but JSON as a text. */
	{ "{\"id\":1,\"body\":\"{\\\"a\\\":1}\"}", NULL, 0, 0 },
	{ "{\"data\":\"{}\",\"nodes\":[]}", NULL, 0, 0 },
	{ "{\"other\":\"{\\\"a\\\":1}\"}", NULL, 0, 0 },
	{ "{\"nodes\":[],\"body\":\"{\\\"a\\\":1}\"}", NULL, 0, 0 },
	{ "{\"x\":{\"body\":\"{\\\"a\\\":1}\"}}", NULL, 0, 0 },
	{ "{\"body\":\"a\",\"data\":{}}{\"body\":\"{\\\"a\\\":1}\"}", NULL, 0, 0 },
	{ "{\"body\":", NULL, 0, 0 },
	/* Others. */
	{ "", NULL, 0, 0 },
	{ "  \n", NULL, 0, 0 },
	{ "[\"{\\\"a\\\":1}\"]", NULL, 0, 0 },
	{ "{\"a\":1}", NULL, 0, 0 },
};

START_TEST(documents_are_taken_out)
{
	size_t len = strlen(cases[_i].text);
	struct buf out = { 0 };
	struct quoted q;

	ck_assert(convert(cases[_i].text, len, SIZE_MAX, &out, &q));
	ck_assert_int_eq(q.quote, cases[_i].quote);
	ck_assert_uint_eq(q.n_before, cases[_i].n_before);
	ck_assert_int_eq(quoted_is_needed(cases[_i].text, len), q.quote || q.n_before);
	if (cases[_i].expect || !q.quote)
		ck_assert_str_eq(buf_text(&out),
				 cases[_i].expect ? cases[_i].expect : cases[_i].text);
	quoted_done(&q);
	buf_done(&out);
}
END_TEST

/* A document of random strings. */
static void add_document(struct buf *out)
{
	static const char *const parts[] = {
		"a",        "\\\"",    "\\\\", "\\n", "\\/", "'",
		"\303\251", "\\u00e9", "{",    "]",   " ",   "\\\\\\\""
	};
	size_t n = 1 + below(30);

	buf_adds(out, "{");
	for (size_t i = 0; i < n; i++) {
		buf_adds(out, i ? ",\n\"" : "\"");
		for (size_t k = below(8); k > 0; k--)
			buf_adds(out, parts[below(ARRAY_LEN(parts))]);
		buf_adds(out, "\": [1,\t-2e5]");
	}
	buf_adds(out, "}");
}

/* As a program prints it as a string. */
static void add_string(const struct buf *text, struct buf *out)
{
	buf_addc(out, '"');
	for (size_t i = 0; i < text->len; i++) {
		char c = text->data[i];

		if (c == '"' && below(5) == 0)
			buf_adds(out, "\\u0022");
		else if (c == '\n')
			buf_adds(out, "\\n");
		else if (c == '\t')
			buf_adds(out, "\\t");
		else
			buf_addf(out, c == '"' || c == '\\' ? "\\%c" : "%c", c);
	}
	buf_addc(out, '"');
}

/* Without blanks outside of strings. */
static void add_dense(const struct buf *text, struct buf *out)
{
	bool in_string = false, is_escaped = false;

	for (size_t i = 0; i < text->len; i++) {
		char c = text->data[i];

		if (is_escaped)
			is_escaped = false;
		else if (in_string && c == '\\')
			is_escaped = true;
		else if (c == '"')
			in_string = !in_string;
		if (in_string || !strchr(" \n\t", c))
			buf_addc(out, c);
	}
}

START_TEST(strings_are_decoded)
{
	for (int i = 0; i < 2000; i++) {
		struct buf document = { 0 }, string = { 0 }, out = { 0 }, a = { 0 }, b = { 0 };
		struct quoted q;

		add_document(&document);
		add_string(&document, &string);
		ck_assert(convert(buf_text(&string), string.len, SIZE_MAX, &out, &q));
		ck_assert_uint_eq(out.len, string.len);
		add_dense(&document, &a);
		add_dense(&out, &b);
		ck_assert_str_eq(buf_text(&a), buf_text(&b));
		quoted_done(&q);
		buf_done(&document);
		buf_done(&string);
		buf_done(&out);
		buf_done(&a);
		buf_done(&b);
	}
}
END_TEST

/* Strings in strings, up to three. */
START_TEST(strings_within_strings_are_decoded)
{
	for (int i = 0; i < 400; i++) {
		struct buf texts[5] = { 0 }, out = { 0 }, a = { 0 }, b = { 0 };
		int n = 1 + i % 4;
		struct quoted q;

		add_document(&texts[0]);
		for (int k = 0; k < n; k++)
			add_string(&texts[k], &texts[k + 1]);
		ck_assert(convert(buf_text(&texts[n]), texts[n].len, SIZE_MAX, &out, &q));
		ck_assert_uint_eq(out.len, texts[n].len);
		add_dense(&texts[0], &a);
		add_dense(&out, &b);
		ck_assert_int_eq(strcmp(buf_text(&a), buf_text(&b)) == 0, n <= 3);
		quoted_done(&q);
		for (int k = 0; k < 5; k++)
			buf_done(&texts[k]);
		buf_done(&out);
		buf_done(&a);
		buf_done(&b);
	}
}
END_TEST

/* Behind many lines, as far as QUOTED_HEAD reaches. */
START_TEST(long_logs_are_searched)
{
	static const size_t lengths[] = { 4000, 4090, 5000, 30000, 64000, 65500, 70000 };

	for (size_t i = 0; i < ARRAY_LEN(lengths); i++) {
		struct buf text = { 0 }, out = { 0 };
		struct quoted q;

		while (text.len < lengths[i])
			buf_adds(&text, "{\"level\":30}\n");
		/* The first line begins no object, as each document does. */
		text.data[0] = 'x';
		buf_adds(&text, "a.js:1 {\"nodes\":[]}");
		ck_assert(convert(buf_text(&text), text.len, SIZE_MAX, &out, &q));
		ck_assert_uint_eq(out.len, text.len);
		ck_assert_uint_eq(q.n_before,
				  text.len <= QUOTED_HEAD ? text.len - strlen("{\"nodes\":[]}")
							  : 0);
		quoted_done(&q);
		buf_done(&text);
		buf_done(&out);
	}
}
END_TEST

START_TEST(errors_of_the_source_come_after_the_text)
{
	static const char text[] = "\"{\\\"a\\\":1,\\\"b\\\":2}\"";

	for (size_t at = 0; at < strlen(text); at++) {
		struct buf out = { 0 };
		struct quoted q;

		ck_assert(!convert(text, strlen(text), at, &out, &q));
		ck_assert(out.len + 7 >= at);
		quoted_done(&q);
		buf_done(&out);
	}
}
END_TEST

static const struct {
	const char *before, *after;
	size_t n_warnings;
} envelopes[] = {
	{ "main.js:9 ", "", 1 },
	{ "\"", "\"", 1 },
	{ "main.js:9 \"", "\"\n", 2 },
	{ "{\"id\":1,\"result\":{\"value\":\"", "\"}}\n", 2 },
};

/* Long enough to be read ahead, and at places that are those of the file. */
START_TEST(profiles_are_read)
{
	static const char profile[] =
		"{\"nodes\":[{\"id\":1,\"callFrame\":{\"functionName\":\"(root)\"},\"children\":[2]},"
		"{\"id\":2,\"callFrame\":{\"functionName\":\"say \\\"\\u00e9\\n\\\"\"}}],"
		"\"startTime\":0,\"endTime\":9,\"samples\":[2,2],\"timeDeltas\":[1,2]}";
	bool is_string = strchr(envelopes[_i].before, '"') != NULL;
	struct buf document = { 0 }, text = { 0 };
	struct error err = ERROR_INIT;
	struct profile *p;

	buf_adds(&document, profile);
	for (int i = 0; i < 100000; i++)
		buf_addc(&document, ' ');
	buf_adds(&text, envelopes[_i].before);
	if (is_string) {
		struct buf string = { 0 };

		add_string(&document, &string);
		buf_add(&text, string.data + 1, string.len - 2);
		buf_done(&string);
	} else {
		buf_add(&text, document.data, document.len);
	}
	buf_adds(&text, envelopes[_i].after);
	p = load_text(buf_text(&text), text.len, SIZE_MAX, NULL, &err);
	ck_assert_msg(p != NULL, "%s", err.text);
	ck_assert_uint_eq(p->n_lanes, 1);
	ck_assert_uint_eq(p->inputs[0].n_warnings, envelopes[_i].n_warnings);
	profile_free(p);
	buf_done(&document);
	buf_done(&text);
}
END_TEST

START_TEST(errors_have_the_place_of_the_file)
{
	static const char text[] = "a.js:1 \"{\\\"nodes\\\":[{\\\"id\\\":1},x]}\"";
	struct error err = ERROR_INIT;

	ck_assert(!load_text(text, strlen(text), SIZE_MAX, NULL, &err));
	ck_assert_int_eq(err.offset, strchr(text, 'x') - text);
}
END_TEST

static void add_tests(Suite *suite)
{
	TCase *t = suite_case(suite, "quoted", SUITE_SECONDS);

	tcase_add_loop_test(t, documents_are_taken_out, 0, N(cases));
	tcase_add_test(t, strings_are_decoded);
	tcase_add_test(t, strings_within_strings_are_decoded);
	tcase_add_test(t, long_logs_are_searched);
	tcase_add_test(t, errors_of_the_source_come_after_the_text);
	tcase_add_loop_test(t, profiles_are_read, 0, N(envelopes));
	tcase_add_test(t, errors_have_the_place_of_the_file);
}

int main(void)
{
	return suite_run("quoted", add_tests);
}
