/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Numbers of a document, one at a time and in lists, against exact values. */
#include "config.h"

#include "scan_doc.h"
#include "suite.h"

#include "base/alloc.h"
#include "base/buf.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct number_case {
	const char *text;
	int scale;
	int64_t value;
	enum number_kind kind;
	bool is_text;
} number_cases[] = {
	{ "0", 0, 0, NUMBER_INTEGER, false },
	{ "-0", 3, 0, NUMBER_INTEGER, false },
	{ "7", 0, 7, NUMBER_INTEGER, false },
	{ "-7", 3, -7000, NUMBER_INTEGER, false },
	{ "1.5", 3, 1500, NUMBER_INTEGER, false },
	{ "1.5", 0, 2, NUMBER_ROUNDED, false },
	{ "-1.5", 0, -2, NUMBER_ROUNDED, false },
	{ "1.4999999", 0, 1, NUMBER_ROUNDED, false },
	{ "0.05", 1, 1, NUMBER_ROUNDED, false },
	{ "0.04", 1, 0, NUMBER_ROUNDED, false },
	{ "0.0049", 1, 0, NUMBER_ROUNDED, false },
	{ "1.0000", 3, 1000, NUMBER_INTEGER, false },
	{ "1e3", 0, 1000, NUMBER_INTEGER, false },
	{ "1E+3", 0, 1000, NUMBER_INTEGER, false },
	{ "1.25e2", 0, 125, NUMBER_INTEGER, false },
	{ "125e-2", 0, 1, NUMBER_ROUNDED, false },
	{ "125e-2", 2, 125, NUMBER_INTEGER, false },
	{ "5e-1", 0, 1, NUMBER_ROUNDED, false },
	{ "5e-2", 0, 0, NUMBER_ROUNDED, false },
	{ "1e-99999999999", 3, 0, NUMBER_ROUNDED, false },
	{ "0e99999999999", 3, 0, NUMBER_INTEGER, false },
	{ "1e99999999999", 3, INT64_MAX, NUMBER_HUGE, false },
	{ "-1e19", 0, -INT64_MAX, NUMBER_HUGE, false },
	{ "9223372036854775807", 0, INT64_MAX, NUMBER_INTEGER, false },
	{ "-9223372036854775807", 0, -INT64_MAX, NUMBER_INTEGER, false },
	{ "9223372036854775808", 0, INT64_MAX, NUMBER_HUGE, false },
	{ "123456789012345678901234567890", 0, INT64_MAX, NUMBER_HUGE, false },
	{ "9223372036854775", 3, INT64_C(9223372036854775000), NUMBER_INTEGER, false },
	{ "9223372036854776", 3, INT64_MAX, NUMBER_HUGE, false },
	{ "1795255182465123.4567", 3, INT64_C(1795255182465123457), NUMBER_ROUNDED, false },
	{ "9007199254740993.1235", 3, INT64_C(9007199254740993124), NUMBER_ROUNDED, false },
	{ "9007199254740993.12349", 3, INT64_C(9007199254740993123), NUMBER_ROUNDED, false },
	{ "999999999", 0, 999999999, NUMBER_INTEGER, false },
	{ "1000000000", 0, 1000000000, NUMBER_INTEGER, false },
	{ "4294967296", 0, INT64_C(4294967296), NUMBER_INTEGER, false },
	{ "\"42\"", 0, 42, NUMBER_INTEGER, true },
	{ "\"-1.5e1\"", 0, -15, NUMBER_INTEGER, true },
	{ "\"\"", 0, 0, NUMBER_NONE, false },
	{ "\" 42\"", 0, 0, NUMBER_NONE, false },
	{ "\"4\\u0032\"", 0, 0, NUMBER_NONE, false },
	{ "\"0x1\"", 0, 0, NUMBER_NONE, false },
	{ "null", 0, 0, NUMBER_NONE, false },
	{ "true", 0, 0, NUMBER_NONE, false },
	{ "false", 0, 0, NUMBER_NONE, false },
	{ "[1,[2]]", 0, 0, NUMBER_NONE, false },
	{ "{\"a\":1}", 0, 0, NUMBER_NONE, false },
};

START_TEST(number)
{
	const struct number_case *c = &number_cases[_i];
	static const char *const form[] = { "[%s]", "[%s,1]", "[ %s ]", "[\n%s\t,1]" };

	for (size_t i = 0; i < ARRAY_LEN(form); i++) {
		struct buf text = { 0 };
		struct doc d;
		bool is_first = true, is_text;
		enum number_kind kind;
		int64_t value;

		buf_adds(&text, i < 2 ? "[" : i == 2 ? "[ " : "[\n");
		buf_adds(&text, c->text);
		buf_adds(&text, strchr(form[i], 's') + 1);
		doc_open(&d, buf_text(&text), text.len);
		ck_assert(scan_open(&d.s, '['));
		ck_assert(scan_element(&d.s, &is_first));
		ck_assert(scan_number(&d.s, c->scale, &value, &kind, &is_text));
		ck_assert_msg(value == c->value && kind == c->kind && is_text == c->is_text,
			      "%s at scale %d: %lld kind %d, expected %lld kind %d", c->text,
			      c->scale, (long long)value, (int)kind, (long long)c->value,
			      (int)c->kind);
		ck_assert(scan_element(&d.s, &is_first) == (i % 2 == 1));
		ck_assert_int_eq(d.err.kind, ERR_NONE);
		doc_close(&d);
		buf_done(&text);
	}
}
END_TEST

static const char *const bad_numbers[] = {
	"NaN", "-NaN", "Infinity", "-Infinity", "+2",    "010",  "-",         "--1",
	"1.",  ".5",   "-.5",      "1e",        "1e+",   "1.e3", "0x10",      "1_000",
	"1 2", "01",   "-01",      "tru",       "truee", "nul",  "undefined", "1a",
	"'1'", "]",    ",",        ":",         "\\",    "\x01", "1\x01",     "",
};

START_TEST(bad_number)
{
	struct buf text = { 0 };
	struct doc d;
	bool is_first = true, is_text;
	enum number_kind kind;
	int64_t value[4];

	buf_addf(&text, "[[%s],8]", bad_numbers[_i]);
	doc_open(&d, buf_text(&text), text.len);
	ck_assert(scan_open(&d.s, '['));
	ck_assert(scan_open(&d.s, '['));
	/* "]" and "" are the end of the inner array, and "1 2" begins well. */
	while (scan_number_list(&d.s, 0, value, 4, &is_first) > 0)
		;
	while (scan_element(&d.s, &is_first) && scan_number(&d.s, 0, value, &kind, &is_text))
		;
	if (*bad_numbers[_i] && *bad_numbers[_i] != ']') {
		ck_assert_msg(d.err.kind == ERR_SYNTAX, "taken: %s", bad_numbers[_i]);
		ck_assert_int_ge(d.err.offset, 2);
		ck_assert_int_le(d.err.offset, (int64_t)strlen(bad_numbers[_i]) + 2);
		ck_assert(!d.s.is_cut);
		/* Every further call fails. */
		ck_assert(!scan_skip(&d.s));
		ck_assert_int_eq(scan_peek(&d.s), 0);
		ck_assert_uint_eq(scan_number_list(&d.s, 0, value, 4, &is_first), 0);
	} else {
		ck_assert_int_eq(d.err.kind, ERR_NONE);
	}
	doc_close(&d);
	buf_done(&text);
}
END_TEST

static uint64_t list_rng;

static uint64_t list_below(uint64_t n)
{
	list_rng ^= list_rng << 13;
	list_rng ^= list_rng >> 7;
	list_rng ^= list_rng << 17;
	return (list_rng >> 11) % n;
}

/* A number of each length and form, and other values. */
static void random_element(struct buf *out, int64_t *value, bool *is_number)
{
	static const int64_t most[] = { 10,      100,      1000,      10000,      100000,
					1000000, 10000000, 100000000, 1000000000, 10000000000 };
	static const char *const others[] = { "null", "\"7\"", "[1,2]", "{}", "true" };
	int64_t n = (int64_t)list_below((uint64_t)most[list_below(ARRAY_LEN(most))]);

	*is_number = true;
	*value = list_below(8) ? n : -n;
	switch (list_below(40)) {
	case 0:
		buf_addf(out, "%lld.4", (long long)*value);
		break;
	case 1:
		buf_addf(out, "%llde0", (long long)*value);
		break;
	case 2:
		*is_number = false;
		buf_adds(out, others[list_below(ARRAY_LEN(others))]);
		break;
	default:
		buf_addf(out, "%lld", (long long)*value);
	}
}

static void random_blanks(struct buf *out)
{
	static const char *const blanks[] = { " ", "\n\t", "  \r\n" };

	if (list_below(30) == 0)
		buf_adds(out, blanks[list_below(ARRAY_LEN(blanks))]);
}

/* A list read in stretches, as far as those go, and one by one. */
START_TEST(a_list_of_numbers_has_the_numbers_that_are_in_it)
{
	for (int i = 0; i < 2000; i++) {
		struct buf text = { 0 };
		int64_t expect[64] = { 0 }, out[64];
		bool is_number[64] = { 0 }, is_first = true;
		size_t n, at = 0;
		int scale = i % 4;
		struct doc d;

		list_rng = 88172645463325252u + (uint64_t)i * 7919;
		n = list_below(ARRAY_LEN(expect));
		buf_addc(&text, '[');
		for (size_t k = 0; k < n; k++) {
			buf_adds(&text, k ? "," : "");
			random_blanks(&text);
			random_element(&text, &expect[k], &is_number[k]);
			random_blanks(&text);
		}
		buf_adds(&text, "],9");
		doc_open(&d, buf_text(&text), text.len);
		ck_assert(scan_open(&d.s, '['));
		for (;;) {
			size_t most = 1 + list_below(ARRAY_LEN(out) - 1), got;
			enum number_kind kind;
			bool is_text;
			int64_t value;

			got = scan_number_list(&d.s, scale, out, most, &is_first);
			ck_assert_uint_le(got, most);
			ck_assert_uint_le(at + got, n);
			for (size_t k = 0; k < got; k++, at++) {
				int64_t whole = expect[at];

				for (int s = 0; s < scale; s++)
					whole *= 10;
				ck_assert(is_number[at]);
				ck_assert_msg(out[k] == whole, "%s: element %zu is %lld",
					      buf_text(&text), at, (long long)out[k]);
			}
			if (got == most)
				continue;
			if (!scan_element(&d.s, &is_first))
				break;
			ck_assert(scan_number(&d.s, 0, &value, &kind, &is_text));
			if (is_number[at])
				ck_assert_int_eq(value, expect[at]);
			at++;
		}
		ck_assert_int_eq(d.err.kind, ERR_NONE);
		ck_assert_uint_eq(at, n);
		ck_assert_int_eq(scan_peek(&d.s), ',');
		doc_close(&d);
		buf_done(&text);
	}
}
END_TEST

static const char *const cut_lists[] = {
	"[1,2,012,4,5,6,7,8,9,10]", "[1,2,1.,4,5,6,7,8,9,10]",    "[1,2,-,4,5,6,7,8,9,10]",
	"[1,2,3;4,5,6,7,8,9,10]",   "[1,2,3 4,5,6,7,8,9,10,11]",  "[1,2,,4,5,6,7,8,9,10,11,12]",
	"[1,2,-01,4,5,6,7,8,9,10]", "[1,2,0x3,4,5,6,7,8,9,10]",   "[1,2,3/,4,5,6,7,8,9,10]",
	"[1,2,3:,4,5,6,7,8,9,10]",  "[1,2,:3,4,5,6,7,8,9,10,11]", "[1,2,1e,4,5,6,7,8,9,10]",
};

/* What is no number is found in the middle of a list, too. */
START_TEST(a_bad_number_in_a_list_is_an_error)
{
	int64_t out[16];
	bool is_first = true, is_text;
	enum number_kind kind;
	struct doc d;
	size_t n;

	doc_open(&d, cut_lists[_i], strlen(cut_lists[_i]));
	ck_assert(scan_open(&d.s, '['));
	n = scan_number_list(&d.s, 0, out, 16, &is_first);
	ck_assert_uint_ge(n, 2);
	ck_assert_uint_le(n, 3);
	while (scan_element(&d.s, &is_first) && scan_number(&d.s, 0, out, &kind, &is_text))
		;
	ck_assert_int_eq(d.err.kind, ERR_SYNTAX);
	doc_close(&d);
}
END_TEST

/* Numbers of 1 to 9 digits without blanks, and one odd element among them: all before it are
 * read. */
START_TEST(a_long_list_is_read_up_to_what_is_odd)
{
	static const char *const odd[] = { "-5", "1.5",  "1e3", "\"3\"",
					   " 4", "null", "4 ",  "12345678901" };

	for (size_t i = 0; i < 3000; i++) {
		int64_t expect[200], out[256];
		size_t n = 0, got, odd_at = i * 13 % 190, digits = 1 + i % 9;
		bool is_first = true;
		struct buf text = { 0 };
		struct doc d;

		list_rng = 88172645463325252u + (uint64_t)i * 104729;
		buf_addc(&text, '[');
		for (size_t k = 0; k < ARRAY_LEN(expect); k++) {
			uint64_t below = 1;

			for (size_t m = list_below((uint32_t)digits) + 1; m > 0; m--)
				below *= 10;
			expect[k] = (int64_t)list_below((uint32_t)below);
			buf_adds(&text, k ? "," : "");
			if (k == odd_at)
				buf_addf(&text, "%s,", odd[i % ARRAY_LEN(odd)]);
			buf_addf(&text, "%lld", (long long)expect[k]);
		}
		buf_adds(&text, "],9");
		doc_open(&d, buf_text(&text), text.len);
		ck_assert(scan_open(&d.s, '['));
		while (n < odd_at) {
			got = scan_number_list(&d.s, 0, out, odd_at - n, &is_first);
			ck_assert_uint_gt(got, 0);
			for (size_t k = 0; k < got; k++)
				ck_assert_int_eq(out[k], expect[n + k]);
			n += got;
		}
		ck_assert_uint_eq(n, odd_at);
		if (odd[i % ARRAY_LEN(odd)][0] == '-' || strchr(odd[i % ARRAY_LEN(odd)], ' ')) {
			ck_assert_uint_eq(scan_number_list(&d.s, 0, out, 1, &is_first), 1);
		} else {
			ck_assert_uint_eq(scan_number_list(&d.s, 0, out, 1, &is_first), 0);
			ck_assert(scan_element(&d.s, &is_first) && scan_skip(&d.s));
		}
		got = scan_number_list(&d.s, 0, out, ARRAY_LEN(out), &is_first);
		ck_assert_uint_eq(got, ARRAY_LEN(expect) - odd_at);
		for (size_t k = 0; k < got; k++)
			ck_assert_int_eq(out[k], expect[odd_at + k]);
		ck_assert(!scan_element(&d.s, &is_first));
		ck_assert_int_eq(d.err.kind, ERR_NONE);
		ck_assert_int_eq(scan_peek(&d.s), ',');
		doc_close(&d);
		buf_done(&text);
	}
}
END_TEST

/* The same errors in the middle of a long list. */
START_TEST(a_bad_number_in_a_long_list_is_an_error)
{
	for (size_t before = 0; before < 150; before++) {
		int64_t out[512];
		bool is_first = true, is_text;
		enum number_kind kind;
		struct buf text = { 0 };
		struct doc d;
		size_t n;

		buf_addc(&text, '[');
		for (size_t i = 0; i < before; i++)
			buf_addf(&text, "%zu,", i * i);
		buf_add(&text, cut_lists[_i] + 1, strlen(cut_lists[_i]) - 2);
		for (size_t i = 0; i < 100; i++)
			buf_addf(&text, ",%zu", i);
		buf_addc(&text, ']');
		doc_open(&d, buf_text(&text), text.len);
		ck_assert(scan_open(&d.s, '['));
		n = scan_number_list(&d.s, 0, out, ARRAY_LEN(out), &is_first);
		ck_assert_uint_ge(n, before + 2);
		ck_assert_uint_le(n, before + 3);
		for (size_t i = 0; i < before; i++)
			ck_assert_int_eq(out[i], (int64_t)(i * i));
		while (scan_element(&d.s, &is_first) && scan_number(&d.s, 0, out, &kind, &is_text))
			;
		ck_assert_int_eq(d.err.kind, ERR_SYNTAX);
		doc_close(&d);
		buf_done(&text);
	}
}
END_TEST

/* Random decimals: against the integers that they were made of. */
START_TEST(random_numbers)
{
	uint64_t rng = 88172645463325252u;

	for (int i = 0; i < 4000; i++) {
		char text[64];
		int64_t value, expect;
		enum number_kind kind;
		bool is_text;
		struct doc d;
		long long whole;
		unsigned fraction;

		rng ^= rng << 13;
		rng ^= rng >> 7;
		rng ^= rng << 17;
		whole = (long long)(rng >> (12 + i % 50));
		fraction = (unsigned)(rng % 1000);
		snprintf(text, sizeof text, "%s%lld.%03u,", i % 2 ? "-" : "", whole, fraction);
		expect = whole > INT64_MAX / 1000 - 1 ? 0 : whole * 1000 + fraction;
		if (i % 2)
			expect = -expect;
		doc_open(&d, text, strlen(text));
		ck_assert(scan_number(&d.s, 3, &value, &kind, &is_text));
		if (expect)
			ck_assert_msg(value == expect && kind == NUMBER_INTEGER, "%s: %lld", text,
				      (long long)value);
		doc_close(&d);
		doc_open(&d, text, strlen(text));
		ck_assert(scan_number(&d.s, 0, &value, &kind, &is_text));
		expect = whole + (fraction >= 500);
		ck_assert_msg(value == (i % 2 ? -expect : expect), "%s: %lld", text,
			      (long long)value);
		ck_assert_int_eq(kind, fraction ? NUMBER_ROUNDED : NUMBER_INTEGER);
		doc_close(&d);
	}
}
END_TEST

static void add_tests(Suite *suite)
{
	TCase *t = suite_case(suite, "numbers", SUITE_SECONDS);

	tcase_add_loop_test(t, number, 0, N(number_cases));
	tcase_add_loop_test(t, bad_number, 0, N(bad_numbers));
	tcase_add_test(t, random_numbers);
	tcase_add_test(t, a_list_of_numbers_has_the_numbers_that_are_in_it);
	tcase_add_loop_test(t, a_bad_number_in_a_list_is_an_error, 0, N(cut_lists));
	tcase_add_test(t, a_long_list_is_read_up_to_what_is_odd);
	tcase_add_loop_test(t, a_bad_number_in_a_long_list_is_an_error, 0,
			    (int)ARRAY_LEN(cut_lists));
}

int main(void)
{
	return suite_run("scan_number", add_tests);
}
