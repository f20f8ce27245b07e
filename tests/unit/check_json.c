/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The scanner and the cursor read what json-c reads: all files in data/ and tests/input, and short
 * texts for each place where the two rightly differ. The files are cut at many bytes, too.
 *
 * usage: check_json [FILE-OR-FOLDER...]    with arguments: those instead, and how many agree */
#include "config.h"

#include "suite.h"

#include "json_agree.h"

#include "base/alloc.h"
#include "base/stream/stream.h"

#include <check.h>
#include <ftw.h>
#include <json-c/json.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Longer texts are read with fewer edges in them, and not cut. */
#define SHORT_TEXT ((size_t)64 << 10)
#define N_CUTS 32

/* Files, and texts: whole files and cut ones. */
static int n_agreed, n_differ, n_outcome[JSON_NO_DOCUMENT + 1];

static bool look(const char *name, const char *text, size_t len, int n_edges)
{
	struct buf why = { 0 };
	enum json_outcome outcome;
	bool ok = json_agree(text, len, n_edges, &outcome, &why);

	if (!ok)
		printf("%s, %zu bytes: %s\n", name, len, buf_text(&why));
	n_outcome[outcome]++;
	buf_done(&why);
	return ok;
}

/* The text that is in a file, unpacked and converted. */
static int look_at_file(const char *path, const struct stat *st, int type, struct FTW *where)
{
	struct error err = ERROR_INIT;
	struct stream *stream;
	struct buf text = { 0 };
	char block[4096];
	ptrdiff_t n;
	bool ok;

	(void)st;
	(void)where;
	if (type != FTW_F)
		return 0;
	stream = stream_open(path, NULL, &err);
	if (!stream)
		return 0;
	while ((n = stream_read(stream, block, sizeof block, &err)) > 0)
		buf_add(&text, block, (size_t)n);
	stream_close(stream);
	ok = look(path, buf_text(&text), text.len, text.len <= SHORT_TEXT ? 8 : 1);
	for (size_t i = 1; ok && text.len <= SHORT_TEXT && i < N_CUTS; i++)
		ok = look(path, buf_text(&text), text.len * i / N_CUTS, 1);
	n_agreed += ok;
	n_differ += !ok;
	buf_done(&text);
	return 0;
}

START_TEST(files)
{
	const char *top = getenv("srcdir");
	static const char *const folders[] = { "data", "tests/input" };
	char path[4096];

	for (size_t i = 0; i < ARRAY_LEN(folders); i++) {
		snprintf(path, sizeof path, "%s/%s", top ? top : ".", folders[i]);
		ck_assert_int_eq(nftw(path, look_at_file, 8, FTW_PHYS), 0);
	}
	ck_assert_int_eq(n_differ, 0);
	ck_assert_int_ge(n_outcome[JSON_TAKEN], 15);
	ck_assert_int_ge(n_outcome[JSON_REFUSED], 100);
}
END_TEST

static const struct text_case {
	const char *text;
	enum json_outcome outcome;
} text_cases[] = {
	{ "[]", JSON_TAKEN },
	{ "{}", JSON_TAKEN },
	{ " [ 1 , -2 , 3.5 , 1e3 , -0 , 0.0 , 12345678901234567 , 1e-7 ] ", JSON_TAKEN },
	{ "{\"a\":{\"b\":[true,false,null,{\"c\":\"d\"}]},\"\":[[],{},\"\"]}", JSON_TAKEN },
	{ "{\"a\":1,\"b\":2,\"a\":[3]}", JSON_TAKEN },
	{ "[\"\\u00e4\\ud83d\\ude00\\n\\\\\\\"\\/\",\"\\ud800\",\"\\udc00x\"]", JSON_TAKEN },
	{ "{\"\\u006b\\\"\":{\"\\t\":1}}", JSON_TAKEN },
	{ "[9223372036854775807,-9223372036854775808,9223372036854775808,18446744073709551616,-9223372036854775809,1e300,-1e300,9007199254740993]",
	  JSON_TAKEN },
	{ "[1]x", JSON_TAKEN },
	{ "{}{", JSON_TAKEN },
	{ "12", JSON_NO_DOCUMENT },
	{ "", JSON_NO_DOCUMENT },
	{ "a;b 12", JSON_NO_DOCUMENT },
	/* 1 */
	{ "[1,]", JSON_TAKEN },
	{ "{\"a\":[1 , ] ,\"b\":{\"c\":[{},], } , }", JSON_TAKEN },
	{ "[1,],", JSON_TAKEN },
	{ "[[1,],x]", JSON_REFUSED },
	{ "[,]", JSON_REFUSED },
	{ "[1,,]", JSON_REFUSED },
	{ "{,}", JSON_REFUSED },
	/* 2 */
	{ "[NaN]", JSON_REFUSED },
	{ "{\"a\":-Infinity}", JSON_REFUSED },
	{ "[1.,2]", JSON_REFUSED },
	{ "[1.e5]", JSON_REFUSED },
	{ "[01]", JSON_REFUSED },
	{ "[+1]", JSON_REFUSED },
	{ "[.5]", JSON_REFUSED },
	{ "[1-2]", JSON_REFUSED },
	/* 3 */
	{ "[tru]", JSON_REFUSED },
	{ "[nulll]", JSON_REFUSED },
	{ "[True]", JSON_REFUSED },
	{ "[1x]", JSON_REFUSED },
	{ "[\"\\x\"]", JSON_REFUSED },
	{ "[\"\\u12g4\"]", JSON_REFUSED },
	{ "{\"\\x\":1}", JSON_REFUSED },
	{ "{\"a\\\":1}", JSON_REFUSED },
	{ "{\"\\x\" 1}", JSON_REFUSED },
	{ "{\"\\x\" ", JSON_REFUSED },
	{ "{\"a\" 1}", JSON_REFUSED },
	{ "{a:1}", JSON_REFUSED },
	{ "{'a':1}", JSON_REFUSED },
	{ "['a']", JSON_REFUSED },
	{ "[1/*2*/]", JSON_REFUSED },
	{ "[1}", JSON_REFUSED },
	{ "{\"a\":1]", JSON_REFUSED },
	{ "[1 2]", JSON_REFUSED },
	{ "[1\v]", JSON_REFUSED },
	/* 4 */
	{ "[", JSON_REFUSED },
	{ "[tr", JSON_REFUSED },
	{ "[trx", JSON_REFUSED },
	{ "[1", JSON_REFUSED },
	{ "[1\"a\"b", JSON_REFUSED },
	{ "[1\"a b\"", JSON_REFUSED },
	{ "[\"abc", JSON_REFUSED },
	{ "[\"a\\x", JSON_REFUSED },
	{ "{\"a", JSON_REFUSED },
	{ "{\"a\":", JSON_REFUSED },
	/* 5 */
	{ "[\"a\tb\n\"]", JSON_TAKEN },
	{ "{\"a\tb\":\"\x01\"}", JSON_TAKEN },
};

START_TEST(texts)
{
	const struct text_case *c = &text_cases[_i];
	struct buf why = { 0 };
	enum json_outcome outcome;

	ck_assert_msg(json_agree(c->text, strlen(c->text), 4, &outcome, &why), "%s: %s", c->text,
		      buf_text(&why));
	ck_assert_msg(outcome == c->outcome, "%s: outcome %d", c->text, (int)outcome);
	buf_done(&why);
}
END_TEST

/* Objects within what the cursor walks, one in the other, with arrays between them. */
START_TEST(nesting)
{
	static const size_t depths[] = { 1, 2, 31, 62, 63, 64, 65, 66, 128, 1000 };
	size_t depth = depths[_i];
	struct buf text = { 0 }, why = { 0 };
	enum json_outcome outcome;

	for (int bad = 0; bad < 2; bad++) {
		buf_clear(&text);
		buf_adds(&text, "[{\"a\":");
		for (size_t i = 0; i < depth; i++)
			buf_adds(&text, i % 3 ? "[" : "{\"b\":");
		buf_adds(&text, "1");
		for (size_t i = depth; i-- > 0;)
			buf_addc(&text, i % 3 ? ']' : bad && i == 0 ? ']' : '}');
		buf_adds(&text, "}]");
		ck_assert_msg(json_agree(buf_text(&text), text.len, 1, &outcome, &why),
			      "depth %zu: %s", depth, buf_text(&why));
		ck_assert_int_eq(outcome, bad ? JSON_REFUSED : JSON_TAKEN);
	}
	buf_done(&text);
	buf_done(&why);
}
END_TEST

/* Otherwise the test would agree to anything. */
START_TEST(differences_are_noticed)
{
	static const char *const pair[][2] = { { "[1]", "[2]" },
					       { "[1]", "[1,1]" },
					       { "{\"a\":1}", "{\"b\":1}" },
					       { "[\"a\"]", "[\"b\"]" },
					       { "[null]", "[[]]" } };
	struct buf why = { 0 };

	for (size_t i = 0; i < ARRAY_LEN(pair); i++)
		ck_assert_msg(!json_agree_with(pair[i][0], pair[i][1], &why), "%s and %s",
			      pair[i][0], pair[i][1]);
	buf_done(&why);
}
END_TEST

static int look_at(int n, char **names)
{
	for (int i = 0; i < n; i++)
		if (nftw(names[i], look_at_file, 8, FTW_PHYS) != 0)
			n_differ++;
	printf("%d texts taken by both, %d refused, %d too deep, %d no documents\n",
	       n_outcome[JSON_TAKEN], n_outcome[JSON_REFUSED], n_outcome[JSON_TOO_DEEP],
	       n_outcome[JSON_NO_DOCUMENT]);
	printf("%d passed, %d failed\n", n_agreed, n_differ);
	return n_differ ? EXIT_FAILURE : EXIT_SUCCESS;
}

static void add_tests(Suite *suite)
{
	TCase *t = suite_case(suite, "json", 120);

	tcase_add_loop_test(t, texts, 0, N(text_cases));
	tcase_add_loop_test(t, nesting, 0, 10);
	tcase_add_test(t, differences_are_noticed);
	tcase_add_test(t, files);
}

static int run_tests(void)
{
	return suite_run("json", add_tests);
}

int main(int argc, char **argv)
{
	return argc > 1 ? look_at(argc - 1, argv + 1) : run_tests();
}
