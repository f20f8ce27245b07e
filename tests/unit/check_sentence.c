/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Sentences lose whole parts, and a cut leaves no part of a number. */
#include "config.h"

#include "findings/verdict.h"

#include "base/text.h"

#include "suite.h"

#include <string.h>

static const struct {
	const char *text;
	int room;
	const char *fitted;
} cases[] = {
	{ "f a.js:3 54 %; GC 22 % (line 1: 92 %)", 37, "f a.js:3 54 %; GC 22 % (line 1: 92 %)" },
	{ "f a.js:3 54 %; GC 22 % (line 1: 92 %)", 36, "f a.js:3 54 %; GC 22 %" },
	{ "f a.js:3 54 %; GC 22 % (line 1: 92 %)", 22, "f a.js:3 54 %; GC 22 %" },
	{ "f a.js:3 54 %; GC 22 % (line 1: 92 %)", 21, "f a.js:3 54 %" },
	{ "f 66 % with all it calls: g 47 %, h 10 %", 39, "f 66 % with all it calls: g 47 %" },
	{ "f 66 % with all it calls: g 47 %, h 10 %", 30, "f 66 % with all it calls" },
	/* What is in parentheses is one part. */
	{ "f 54 % (line 1: 92 %, JSON.parse)", 25, "f 54 %" },
	/* A range is a part without the lanes; a mechanism is none without its share. */
	{ "f 24 % (12 to 38 %) in 9 of 30 lanes", 30, "f 24 % (12 to 38 %)" },
	{ "f 24 % (12 to 38 %) in 9 of 30 lanes", 18, "f 24 %" },
	{ "f in sync (all) 65 %; GC 2 %", 18, "f in sync" },
	/* The first part is too long. */
	{ "longName index.js:1293 54 %; GC 2 %", 26, "longName index.js:1293\342\200\246" },
	{ "longName index.js:1293 54 %; GC 2 %", 20, "longName\342\200\246" },
	{ "every item for 1 204 ms", 20, "every item for\342\200\246" },
	{ "f is busy all the time", 12, "f is busy a\342\200\246" },
	{ "inside: package lodash 12 %", 20, "inside: package lod\342\200\246" },
	{ "1234567", 4, "123\342\200\246" },
	{ "1234567", 1, "1" },
	{ "1234567", 0, "" },
	{ "", 10, "" },
};

START_TEST(sentences_lose_whole_parts)
{
	struct buf out = { 0 };
	bool is_whole = sentence_fit(&out, cases[_i].text, cases[_i].room);

	ck_assert_str_eq(buf_text(&out), cases[_i].fitted);
	ck_assert_int_le(text_cells(buf_text(&out), out.len), cases[_i].room);
	ck_assert(is_whole == !strstr(cases[_i].fitted, "\342\200\246"));
	buf_done(&out);
}
END_TEST

/* Of no width is a number cut, or left without its unit. */
START_TEST(no_number_is_cut)
{
	static const char text[] = "compress bundle.min.js:20731 66 % with all it calls: "
				   "collapse 47 %, hoist 1 204 ms; at most 1 101 ms at 1.56 s";

	for (int room = 10; room < (int)sizeof text; room++) {
		struct buf out = { 0 };
		const char *mark;

		sentence_fit(&out, text, room);
		ck_assert_int_le(text_cells(buf_text(&out), out.len), room);
		mark = strstr(buf_text(&out), "\342\200\246");
		ck_assert_msg(!mark || mark == out.data || mark[-1] < '0' || mark[-1] > '9' ||
				      strstr(out.data, "20731\342\200\246"),
			      "%d: %s", room, buf_text(&out));
		buf_done(&out);
	}
}
END_TEST

static void add_tests(Suite *suite)
{
	TCase *t = suite_case(suite, "sentence", SUITE_SECONDS);

	tcase_add_loop_test(t, sentences_lose_whole_parts, 0, N(cases));
	tcase_add_test(t, no_number_is_cut);
}

int main(void)
{
	return suite_run("sentence", add_tests);
}
