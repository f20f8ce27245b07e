/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Text: decoding, cell widths, visible controls, cutting, repair; what a terminal may get. */
#include "config.h"

#include "base/text.h"

#include "random_mix.h"
#include "suite.h"

#include <string.h>

static const struct next_case {
	const char *bytes;
	uint32_t cp;
	size_t len; /* bytes passed */
} next_cases[] = {
	{ "A", 'A', 1 },
	{ "\xC2\x80", 0x80, 2 },
	{ "\xE2\x82\xAC", 0x20AC, 3 },
	{ "\xF0\x9F\x98\x80", 0x1F600, 4 },
	{ "\xF4\x8F\xBF\xBF", 0x10FFFF, 4 },
	{ "\x80", TEXT_REPLACEMENT, 1 },
	{ "\xC0\xAF", TEXT_REPLACEMENT, 1 },         /* overlong */
	{ "\xE0\x9F\xBF", TEXT_REPLACEMENT, 1 },     /* overlong */
	{ "\xED\xA0\x80", TEXT_REPLACEMENT, 1 },     /* a surrogate */
	{ "\xF0\x8F\xBF\xBF", TEXT_REPLACEMENT, 1 }, /* overlong */
	{ "\xF4\x90\x80\x80", TEXT_REPLACEMENT, 1 }, /* beyond U+10FFFF */
	{ "\xE2\x82", TEXT_REPLACEMENT, 2 },         /* cut */
	{ "\xF0\x9F\x98x", TEXT_REPLACEMENT, 3 },
	{ "\xFF", TEXT_REPLACEMENT, 1 },
};

START_TEST(bad_bytes_become_one_replacement_each_part)
{
	const struct next_case *c = &next_cases[_i];
	const char *p = c->bytes;

	ck_assert_uint_eq(text_next(&p, c->bytes + strlen(c->bytes)), c->cp);
	ck_assert_uint_eq((size_t)(p - c->bytes), c->len);
}
END_TEST

static const struct width_case {
	uint32_t cp;
	int width;
} width_cases[] = {
	{ 'a', 1 },     { 0xE9, 1 },    { 0x301, 0 },   { 0x300, 0 },   { 0x36F, 0 },
	{ 0x370, 1 },   { 0x4E00, 2 },  { 0x1100, 2 },  { 0x115F, 2 },  { 0x1160, 0 },
	{ 0x1F600, 2 }, { 0xFF01, 2 },  { 0xFF61, 1 },  { 0x2026, 1 },  { 0xAC00, 2 },
	{ 0x20000, 2 }, { 0x2E80, 2 },  { 0x2E9A, 1 },  { 0x1F300, 2 }, { 0x1F321, 1 },
	{ 0x30000, 2 }, { 0x3134A, 2 }, { 0x3134B, 1 },
};

START_TEST(width_of_code_points)
{
	ck_assert_int_eq(text_width(width_cases[_i].cp), width_cases[_i].width);
}
END_TEST

static const struct visible_case {
	const char *text, *visible;
	int cells;
} visible_cases[] = {
	{ "plain", "plain", 5 },
	{ "\x1B[31m", "^[[31m", 6 },
	{ "a\x7F", "a^?", 3 },
	{ "\xC2\x9B", "<9B>", 4 },
	{ "\xE2\x80\xAE", "<202E>", 6 },
	{ "\xEF\xBB\xBF", "<FEFF>", 6 },
	{ "\xF3\xA0\x80\x81", "<E0001>", 7 },
	{ "\xFF", "\xEF\xBF\xBD", 1 },
	{ "e\xCC\x81", "e\xCC\x81", 1 },
	{ "\xE4\xB8\x80", "\xE4\xB8\x80", 2 },
};

START_TEST(controls_are_visible_and_harmless)
{
	const struct visible_case *c = &visible_cases[_i];
	struct buf out = { 0 };

	text_visible(&out, c->text, strlen(c->text));
	ck_assert_str_eq(buf_text(&out), c->visible);
	ck_assert_int_eq(text_cells(c->text, strlen(c->text)), c->cells);
	buf_done(&out);
}
END_TEST

static const struct fit_case {
	const char *text;
	int width;
	const char *middle, *end;
} fit_cases[] = {
	{ "abcdef", 6, "abcdef", "abcdef" },
	{ "abcdef", 5,
	  "ab\xE2\x80\xA6"
	  "ef",
	  "\xE2\x80\xA6"
	  "cdef" },
	{ "abcdef", 2, "a\xE2\x80\xA6",
	  "\xE2\x80\xA6"
	  "f" },
	{ "abcdef", 1, "\xE2\x80\xA6", "\xE2\x80\xA6" },
	{ "abcdef", 0, "", "" },
	/* A wide character that would be cut in two is left out. */
	{ "\xE4\xB8\x80\xE4\xB8\x80\xE4\xB8\x80", 5, "\xE4\xB8\x80\xE2\x80\xA6\xE4\xB8\x80",
	  "\xE2\x80\xA6\xE4\xB8\x80\xE4\xB8\x80" },
	{ "\xE4\xB8\x80\xE4\xB8\x80\xE4\xB8\x80", 4, "\xE4\xB8\x80\xE2\x80\xA6",
	  "\xE2\x80\xA6\xE4\xB8\x80" },
	/* A mark stays with its character. */
	{ "abcde\xCC\x81", 3,
	  "a\xE2\x80\xA6"
	  "e\xCC\x81",
	  "\xE2\x80\xA6"
	  "de\xCC\x81" },
};

START_TEST(cut_text_fits)
{
	const struct fit_case *c = &fit_cases[_i];
	struct buf out = { 0 };
	int cells = text_fit(&out, c->text, strlen(c->text), c->width);

	ck_assert_str_eq(buf_text(&out), c->middle);
	ck_assert_int_le(cells, c->width);
	ck_assert_int_eq(cells, text_cells(c->middle, strlen(c->middle)));
	buf_clear(&out);
	cells = text_fit_end(&out, c->text, strlen(c->text), c->width);
	ck_assert_str_eq(buf_text(&out), c->end);
	ck_assert_int_eq(cells, text_cells(c->end, strlen(c->end)));
	buf_done(&out);
}
END_TEST

/* Marks take no cells: a name of nothing else must still be cut. */
START_TEST(name_of_marks_has_an_end)
{
	struct buf name = { 0 }, out = { 0 };

	for (int i = 0; i < 100000; i++)
		buf_adds(&name, "\xCC\x81");
	text_fit(&out, buf_text(&name), name.len, 10);
	ck_assert_uint_lt(out.len, 1000);
	buf_clear(&out);
	text_fit_end(&out, buf_text(&name), name.len, 10);
	ck_assert_uint_lt(out.len, 1000);
	buf_done(&name);
	buf_done(&out);
}
END_TEST

/* Letters, wide characters, marks, controls and ill-formed bytes. */
static void add_any(struct buf *out, size_t len)
{
	static const char *const any[] = { "a",    "bc",   "\xE4\xB8\x80", "\xCC\x81",
					   "\x1B", "\x80", "\xF0" };

	while (out->len < len)
		buf_adds(out, any[below(N(any))]);
}

START_TEST(ends_of_a_long_text_are_fitted_like_the_whole)
{
	static const int widths[] = { 1, 2, 3, 40, 41, 120, 999, 1000, TEXT_CELLS_MAX - 1 };
	struct buf text = { 0 }, ends = { 0 }, a = { 0 }, b = { 0 };

	set_seed(_i);
	add_any(&text, 200000 + below(100000));
	text_add_ends(&ends, buf_text(&text), text.len);
	ck_assert_uint_lt(ends.len, 140000);
	ck_assert_int_eq(text_cells(buf_text(&text), text.len), TEXT_CELLS_MAX);
	for (size_t i = 0; i < N(widths); i++) {
		buf_clear(&a);
		buf_clear(&b);
		ck_assert_int_eq(text_fit(&a, buf_text(&text), text.len, widths[i]),
				 text_fit(&b, buf_text(&ends), ends.len, widths[i]));
		ck_assert_int_eq(text_fit_end(&a, buf_text(&text), text.len, widths[i]),
				 text_fit_end(&b, buf_text(&ends), ends.len, widths[i]));
		ck_assert_str_eq(buf_text(&a), buf_text(&b));
	}
	buf_done(&text);
	buf_done(&ends);
	buf_done(&a);
	buf_done(&b);
}
END_TEST

START_TEST(text_that_is_not_long_has_no_ends)
{
	struct buf text = { 0 }, ends = { 0 };

	add_any(&text, 100000);
	text_add_ends(&ends, buf_text(&text), text.len);
	ck_assert_str_eq(buf_text(&ends), buf_text(&text));
	buf_done(&text);
	buf_done(&ends);
}
END_TEST

/* Near the limit, all cells that a screen can have are measured. */
START_TEST(cells_are_counted_up_to_any_screen)
{
	struct buf text = { 0 };

	for (int i = 0; i < 3 * TEXT_CELLS_MAX; i++) {
		ck_assert_int_eq(text_cells(buf_text(&text), text.len),
				 i < TEXT_CELLS_MAX ? i : TEXT_CELLS_MAX);
		buf_addc(&text, 'x');
		i += text.len > 9 && text.len < TEXT_CELLS_MAX - 9 ? 997 : 0;
		while (text.len < (size_t)i + 1)
			buf_addc(&text, 'x');
	}
	buf_done(&text);
}
END_TEST

START_TEST(json_text_is_escaped)
{
	struct buf out = { 0 };
	static const char text[] = "a\"b\\c\n\t\x01\xE2\x80\xA8\xF3\xA0\x80\x81\xFF\xC3\xA9";

	text_json(&out, text, sizeof text - 1);
	ck_assert_str_eq(buf_text(&out),
			 "a\\\"b\\\\c\\n\\t\\u0001\\u2028\\udb40\\udc01"
			 "\xEF\xBF\xBD\xC3\xA9");
	buf_done(&out);
}
END_TEST

START_TEST(repair_changes_bad_text_only)
{
	struct buf out = { 0 };

	ck_assert(!text_repair(&out, "good \xC3\xA9\xEF\xBF\xBD", 10));
	ck_assert_uint_eq(out.len, 0);
	ck_assert(text_repair(&out, "a\xC3", 2));
	ck_assert_str_eq(buf_text(&out), "a\xEF\xBF\xBD");
	buf_clear(&out);
	ck_assert(text_repair(&out, "\xEF\xBF\xBD\x80z", 5));
	ck_assert_str_eq(buf_text(&out), "\xEF\xBF\xBD\xEF\xBF\xBDz");
	buf_done(&out);
}
END_TEST

START_TEST(two_hexadecimal_digits)
{
	ck_assert_int_eq(text_hex_pair("2F"), 0x2F);
	ck_assert_int_eq(text_hex_pair("aB"), 0xAB);
	ck_assert_int_eq(text_hex_pair("09x"), 0x09);
	ck_assert_int_eq(text_hex_pair(""), -1);
	ck_assert_int_eq(text_hex_pair("1"), -1);
	ck_assert_int_eq(text_hex_pair("1g"), -1);
	ck_assert_int_eq(text_hex_pair("@1"), -1);
}
END_TEST

/* ---- rules compared with their definitions ---- */

/* The beginnings of all well-formed sequences, by their bytes. */
static struct {
	bool of_1[256], of_2[1 << 16], of_3[1 << 24];
} prefixes;

static void find_prefixes(void)
{
	for (uint32_t cp = 0x80; cp < 0x110000; cp++) {
		unsigned char b[4] = { 0 };
		char bytes[4];
		size_t n;

		if (cp >= 0xD800 && cp < 0xE000)
			continue;
		n = buf_encode_utf8(cp, bytes);
		memcpy(b, bytes, n);
		prefixes.of_1[b[0]] = true;
		prefixes.of_2[b[0] << 8 | b[1]] = true;
		if (n > 2)
			prefixes.of_3[b[0] << 16 | b[1] << 8 | b[2]] = true;
	}
}

/* How many bytes at `b` begin a well-formed sequence, at least 1. */
static size_t longest_prefix(const unsigned char *b, size_t len)
{
	if (!prefixes.of_1[b[0]] || len < 2 || !prefixes.of_2[b[0] << 8 | b[1]])
		return 1;
	if (b[0] < 0xE0 || len < 3 || !prefixes.of_3[b[0] << 16 | b[1] << 8 | b[2]])
		return 2;
	return b[0] >= 0xF0 && len > 3 && (b[3] & 0xC0) == 0x80 ? 4 : 3;
}

static size_t length_of(unsigned char lead)
{
	return lead < 0x80 ? 1 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
}

START_TEST(the_longest_beginning_of_a_sequence_is_one_replacement)
{
	static const unsigned char edges[] = { 0x00, 0x7F, 0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xBF,
					       0xC0, 0xC1, 0xC2, 0xDF, 0xE0, 0xE1, 0xEC, 0xED,
					       0xEE, 0xEF, 0xF0, 0xF1, 0xF3, 0xF4, 0xF5, 0xFF };

	find_prefixes();
	for (size_t i = 0; i < ARRAY_LEN(edges) * ARRAY_LEN(edges) * ARRAY_LEN(edges) * 4; i++) {
		const size_t n = ARRAY_LEN(edges);
		const unsigned char b[4] = { edges[i % n], edges[i / n % n], edges[i / n / n % n],
					     edges[4 + i / n / n / n] };

		for (size_t len = 1; len <= 4; len++) {
			const char *p = (const char *)b;
			size_t whole = longest_prefix(b, len);
			uint32_t cp = text_next(&p, (const char *)b + len);
			char again[4];

			ck_assert_uint_eq((size_t)(p - (const char *)b), whole);
			if (b[0] < 0x80 || (prefixes.of_1[b[0]] && whole == length_of(b[0]))) {
				ck_assert_uint_eq(buf_encode_utf8(cp, again), whole);
				ck_assert_mem_eq(again, b, whole);
			} else {
				ck_assert_uint_eq(cp, TEXT_REPLACEMENT);
			}
		}
	}
}
END_TEST

static const struct {
	uint32_t first, last;
} controls[] = {
	{ 0, 0x1F },        { 0x7F, 0x9F },     { 0xAD, 0xAD },       { 0x61C, 0x61C },
	{ 0x180E, 0x180E }, { 0x200B, 0x200F }, { 0x2028, 0x202E },   { 0x2060, 0x206F },
	{ 0xFEFF, 0xFEFF }, { 0xFFF0, 0xFFFB }, { 0xE0000, 0xE0FFF },
};

/* Besides these, the last two code points of each plane are no characters. */
START_TEST(controls_are_those_of_the_list)
{
	for (uint32_t cp = 0; cp < 0x110000; cp++) {
		bool is_control = (cp & 0xFFFF) >= 0xFFFE;

		for (size_t i = 0; i < ARRAY_LEN(controls); i++)
			is_control |= cp >= controls[i].first && cp <= controls[i].last;
		ck_assert_msg(text_is_control(cp) == is_control, "U+%04X", (unsigned)cp);
	}
}
END_TEST

/* Each with the cells of its visible form; marks have none. */
static const struct {
	const char *bytes, *visible;
	int cells;
} parts[] = {
	{ "a", "a", 1 },
	{ "~", "~", 1 },
	{ "\x7F", "^?", 2 },
	{ "\x1F", "^_", 2 },
	{ "\xC2\x9B", "<9B>", 4 },
	{ "\xE2\x80\xAE", "<202E>", 6 },
	{ "\xE4\xB8\x80", "\xE4\xB8\x80", 2 },
	{ "\xF0\x9F\x98\x80", "\xF0\x9F\x98\x80", 2 },
	{ "\xFF", "\xEF\xBF\xBD", 1 },
	{ "e\xCC\x81", "e\xCC\x81", 1 },
};

#define PARTS_MAX 12

static void join(struct buf *out, const size_t *chosen, size_t from, size_t end)
{
	for (size_t i = from; i < end; i++)
		buf_adds(out, parts[chosen[i]].visible);
}

/* The greatest number of parts from the start, or from the end, that fit. */
static size_t fitting(const size_t *chosen, size_t n, int width, bool is_end)
{
	size_t used = 0;
	int cells = 0;

	while (used < n) {
		cells += parts[chosen[is_end ? n - 1 - used : used]].cells;
		if (cells > width)
			break;
		used++;
	}
	return used;
}

/* A text that is too long is its beginning, an ellipsis and its end, each in half of the room (the
 * beginning has one cell more), or the ellipsis and its end. */
START_TEST(a_cut_text_is_what_fits_of_both_ends)
{
	set_seed(1);
	for (int i = 0; i < 4000; i++) {
		size_t chosen[PARTS_MAX], n = below(PARTS_MAX + 1);
		struct buf text = { 0 }, middle = { 0 }, end = { 0 }, out = { 0 };
		int cells = 0, width = 1 + (int)below(16), half = (width - 1) / 2;

		for (size_t k = 0; k < n; k++) {
			chosen[k] = below(ARRAY_LEN(parts));
			buf_adds(&text, parts[chosen[k]].bytes);
			cells += parts[chosen[k]].cells;
		}
		ck_assert_int_eq(text_cells(buf_text(&text), text.len), cells);
		if (cells <= width) {
			join(&middle, chosen, 0, n);
			join(&end, chosen, 0, n);
		} else {
			join(&middle, chosen, 0, fitting(chosen, n, width - 1 - half, false));
			buf_adds(&middle, "\xE2\x80\xA6");
			join(&middle, chosen, n - fitting(chosen, n, half, true), n);
			buf_adds(&end, "\xE2\x80\xA6");
			join(&end, chosen, n - fitting(chosen, n, width - 1, true), n);
		}
		cells = text_fit(&out, buf_text(&text), text.len, width);
		ck_assert_str_eq(buf_text(&out), buf_text(&middle));
		ck_assert_int_eq(cells, text_cells(buf_text(&out), out.len));
		buf_clear(&out);
		cells = text_fit_end(&out, buf_text(&text), text.len, width);
		ck_assert_str_eq(buf_text(&out), buf_text(&end));
		ck_assert_int_eq(cells, text_cells(buf_text(&out), out.len));
		buf_done(&text);
		buf_done(&middle);
		buf_done(&end);
		buf_done(&out);
	}
}
END_TEST

/* A text of a megabyte is cut like a short one. */
START_TEST(a_very_long_text_is_cut_the_same)
{
	struct buf text = { 0 }, out = { 0 };

	for (int i = 0; i < 1000000; i++)
		buf_addc(&text, (char)('a' + i % 26));
	ck_assert_int_eq(text_fit(&out, buf_text(&text), text.len, 9), 9);
	ck_assert_str_eq(buf_text(&out), "abcd\xE2\x80\xA6klmn");
	buf_clear(&out);
	ck_assert_int_eq(text_fit_end(&out, buf_text(&text), text.len, 9), 9);
	ck_assert_str_eq(buf_text(&out), "\xE2\x80\xA6ghijklmn");
	buf_done(&text);
	buf_done(&out);
}
END_TEST

/* Every byte, as the first and as the second digit. */
START_TEST(hexadecimal_digits_are_those_of_the_language)
{
	for (int a = 0; a < 256; a++)
		for (int b = 0; b < 256; b++) {
			const char text[3] = { (char)a, (char)b, 0 };
			bool is_pair = a && b && strchr("0123456789abcdefABCDEF", a) &&
				strchr("0123456789abcdefABCDEF", b);

			ck_assert_int_eq(text_hex_pair(text),
					 is_pair ? (int)strtol(text, NULL, 16) : -1);
		}
}
END_TEST

static void add_tests(Suite *suite)
{
	TCase *t = suite_case(suite, "text", SUITE_SECONDS);

	tcase_add_loop_test(t, bad_bytes_become_one_replacement_each_part, 0, N(next_cases));
	tcase_add_loop_test(t, width_of_code_points, 0, N(width_cases));
	tcase_add_loop_test(t, controls_are_visible_and_harmless, 0, N(visible_cases));
	tcase_add_loop_test(t, cut_text_fits, 0, N(fit_cases));
	tcase_add_test(t, name_of_marks_has_an_end);
	tcase_add_loop_test(t, ends_of_a_long_text_are_fitted_like_the_whole, 0, 4);
	tcase_add_test(t, text_that_is_not_long_has_no_ends);
	tcase_add_test(t, cells_are_counted_up_to_any_screen);
	tcase_add_test(t, json_text_is_escaped);
	tcase_add_test(t, repair_changes_bad_text_only);
	tcase_add_test(t, two_hexadecimal_digits);
	tcase_add_test(t, the_longest_beginning_of_a_sequence_is_one_replacement);
	tcase_add_test(t, controls_are_those_of_the_list);
	tcase_add_test(t, a_cut_text_is_what_fits_of_both_ends);
	tcase_add_test(t, a_very_long_text_is_cut_the_same);
	tcase_add_test(t, hexadecimal_digits_are_those_of_the_language);
}

int main(void)
{
	return suite_run("text", add_tests);
}
