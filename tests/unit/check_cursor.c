/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The cursor: looking at the text of one value. */
#include "config.h"

#include "trace_story.h"

#include "json/cursor.h"

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

	for (int i = 0; i < 20000; i++) {
		char number[40], block[80] = "";
		int64_t want, got;
		enum number_kind want_kind, kind;
		struct cursor c;
		bool is_text, is_good;

		seed = seed * UINT64_C(6364136223846793005) + 1442695040888963407;
		if (i < N(odd))
			snprintf(number, sizeof number, "%s", odd[i]);
		else if (i % 2)
			snprintf(number, sizeof number, "%lld", (long long)(seed >> (seed % 63)));
		else
			snprintf(number, sizeof number, "%s%llu.%llu", i % 3 ? "" : "-",
				 (unsigned long long)(seed >> (14 + seed % 50)),
				 (unsigned long long)(seed % 10007));
		snprintf(block, sizeof block, "%s, 1234567890123456789", number);
		c = cursor_of((struct str){ block, strlen(block) });
		is_good = json_number_parse(number, strlen(number), 3, &want, &want_kind);
		ck_assert_msg(cursor_number(&c, 3, &got, &kind, &is_text) == is_good, "%s", number);
		if (is_good) {
			ck_assert_msg(got == want, "%s: %lld, not %lld", number, (long long)got,
				      (long long)want);
			ck_assert_int_eq(*c.p, ',');
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

static void add_rules(TCase *tc)
{
	tcase_add_test(tc, cursor_skips_what_strings_hide);
	tcase_add_test(tc, cursor_reads_numbers_as_others_do);
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
