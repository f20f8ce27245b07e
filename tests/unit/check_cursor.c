/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The cursor: looking at the text of one value. */
#include "config.h"

#include "trace_story.h"

#include "base/json/cursor.h"

START_TEST(cursor_skips_what_strings_hide)
{
	static const char *const text[] = {
		"{'a':'}]{[','b':[1,{'c':'\\\\'}],'d':'\\'}'}",
		"[]",
		"{}",
		"['"
		"xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx\\'"
		"]']",
		"['"
		"xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx\\'"
		"]']",
		"['"
		"xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx\\\\"
		"']",
	};

	for (size_t i = 0; i < ARRAY_LEN(text); i++) {
		char block[512] = "";
		char *copy = quoted(text[i]);

		snprintf(block, sizeof block, "%s, next", copy);
		for (size_t cut = 0; cut <= strlen(copy); cut++) {
			struct cursor c = cursor_of((struct str){ block, cut });

			ck_assert_int_eq(cursor_skip(&c), cut == strlen(copy));
			ck_assert(cut == strlen(copy) ? c.p == (unsigned char *)block + cut
						      : c.is_cut);
		}
		free(copy);
	}
}
END_TEST

START_TEST(cursor_reads_numbers_as_others_do)
{
	static const char *const odd[] = { "-0",
					   "1e3",
					   "0.1234567",
					   "1.",
					   "01",
					   "-",
					   "99999999999999999999",
					   "12345678",
					   "123456789.5",
					   "1234567x",
					   "-12345678.25",
					   "0.0005",
					   "1E+2" };
	uint64_t seed = 7;

	for (int i = 0; i < 40000; i++) {
		char number[40], block[80] = "";
		int scale = i % 4 ? 3 : 0;
		int64_t want, got;
		enum number_kind want_kind, kind;
		struct cursor c;
		bool is_text, is_good;

		seed = seed * UINT64_C(6364136223846793005) + 1442695040888963407;
		if (i < N(odd))
			snprintf(number, sizeof number, "%s", odd[i]);
		else if (i % 3)
			snprintf(number, sizeof number, "%lld", (long long)seed >> (seed % 63));
		else
			snprintf(number, sizeof number, "%s%llu.%llu", i % 2 ? "" : "-",
				 (unsigned long long)(seed >> (14 + seed % 50)),
				 (unsigned long long)(seed % 10007));
		snprintf(block, sizeof block, "%s%c 1234567890123456789, 123456789", number,
			 ",]} \n"[i % 5]);
		c = cursor_of((struct str){ block, strlen(block) });
		is_good = json_number_parse(number, strlen(number), scale, &want, &want_kind);
		ck_assert_msg(cursor_number(&c, scale, &got, &kind, &is_text) == is_good, "%s",
			      number);
		if (is_good) {
			ck_assert_msg(got == want && kind == want_kind, "%s: %lld, not %lld",
				      number, (long long)got, (long long)want);
			ck_assert_ptr_eq(c.p, (unsigned char *)block + strlen(number));
		}
		c = cursor_of((struct str){ block, strlen(block) });
		ck_assert_msg(cursor_skip(&c) == is_good, "%s", number);
		ck_assert(!is_good || c.p == (unsigned char *)block + strlen(number));
	}
}
END_TEST

START_TEST(short_numbers_are_whole_before_the_end)
{
	static const char *const numbers[] = { "0", "-7", "123456789", "12345678", "1234567.125" };
	static const char more[] = ",                                        ";

	for (size_t i = 0; i < ARRAY_LEN(numbers); i++) {
		char block[96] = "";
		size_t len = strlen(numbers[i]);

		snprintf(block, sizeof block, "%s%s", numbers[i], more);
		for (size_t cut = 0; cut < len + sizeof more - 1; cut++) {
			struct cursor c = cursor_of((struct str){ block, cut });
			int64_t value = 0, want;
			enum number_kind kind;

			json_number_parse(numbers[i], len, 3, &want, &kind);
			if (cursor_short_number(&c, 3, &value)) {
				ck_assert(cut > len && value == want);
				ck_assert_ptr_eq(c.p, (unsigned char *)block + len);
			} else {
				ck_assert_ptr_eq(c.p, (unsigned char *)block);
			}
			c = cursor_of((struct str){ block, cut });
			if (cursor_skip_digits(&c))
				ck_assert(cut > len && c.p == (unsigned char *)block + len);
			else
				ck_assert_ptr_eq(c.p, (unsigned char *)block);
		}
	}
}
END_TEST

START_TEST(cursor_finds_brackets_that_do_not_fit)
{
	char block[64] = "{\"a\":[}] ";
	struct cursor c = cursor_of((struct str){ block, 9 });

	ck_assert(!cursor_skip(&c));
	ck_assert_ptr_nonnull(c.why);
	ck_assert_ptr_eq(c.p, (unsigned char *)block + 6);
}
END_TEST

/* The end of a flat object, by the full walk over values; 0: it is none. */
static size_t plain_flat(const char *text, size_t len)
{
	struct cursor c = cursor_of((struct str){ text, len });
	bool is_inside = false;

	if (!cursor_skip(&c))
		return 0;
	len = (size_t)((const char *)c.p - text);
	for (size_t i = 1; i < len; i++) {
		if (text[i] == '"')
			is_inside = !is_inside;
		else if (is_inside && text[i] == '\\')
			i++;
		else if (!is_inside && strchr("{[", text[i]))
			return 0;
	}
	return len;
}

START_TEST(flat_objects_end_where_they_are_skipped_to)
{
	static const char *const parts[] = { "a", "bcdefghijklm", "}",    "{",       "[", "]", ",",
					     ":", "\\\"",         "\\\\", "\\u00e4", "/" };
	uint32_t seed = (uint32_t)_i + 1;
	size_t n_flat = 0;

	for (int k = 0; k < 4000; k++) {
		struct buf text = { 0 };
		size_t n, flat, expected;

		buf_addc(&text, '{');
		seed = seed * 1664525u + 1013904223u;
		for (unsigned i = 0, most = seed >> 8 & 3; i < most; i++) {
			bool is_nested = (seed = seed * 1664525u + 1013904223u) >> 28 == 0;

			buf_adds(&text, i ? ",\"key\":" : "\"k\":");
			buf_adds(&text, is_nested ? "[1]" : "\"");
			for (int j = 0; !is_nested && j < 6; j++) {
				seed = seed * 1664525u + 1013904223u;
				if (seed >> 30)
					buf_adds(&text, parts[(seed >> 8) % ARRAY_LEN(parts)]);
			}
			buf_adds(&text, is_nested ? "" : "\"");
		}
		buf_addc(&text, '}');
		n = text.len;
		buf_adds(&text, ",\"more\":12345678901234567890}");
		expected = plain_flat(buf_text(&text), text.len);
		flat = cursor_flat_object((const unsigned char *)buf_text(&text),
					  (const unsigned char *)buf_text(&text) + text.len);
		ck_assert_msg(flat == expected && (flat == 0 || flat == n), "%zu, not %zu: %s",
			      flat, expected, buf_text(&text));
		n_flat += flat > 0;
		buf_done(&text);
	}
	ck_assert_uint_gt(n_flat, 2000);
}
END_TEST

static void add_rules(TCase *tc)
{
	tcase_add_test(tc, cursor_skips_what_strings_hide);
	tcase_add_test(tc, cursor_reads_numbers_as_others_do);
	tcase_add_test(tc, short_numbers_are_whole_before_the_end);
	tcase_add_loop_test(tc, flat_objects_end_where_they_are_skipped_to, 0, 4);
	tcase_add_test(tc, cursor_finds_brackets_that_do_not_fit);
}

static void add_tests(Suite *suite)
{
	trace_suite(suite, add_rules);
}

int main(void)
{
	return suite_run("cursor", add_tests);
}
