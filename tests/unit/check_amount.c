/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Values in the unit of a profile. */
#include "config.h"

#include "suite.h"

#include "base/units.h"

#include <check.h>

static const struct amount_unit times = { AMOUNT_TIME, 0 }, bytes = { AMOUNT_BYTES, 1 },
				counts = { AMOUNT_COUNT, 1000 };

static const struct text {
	const struct amount_unit *unit;
	int64_t ns;
	const char *text, *exact;
} texts[] = {
	{ &times, 12400000, "12.4 ms", "12 400 \302\265s" },
	{ &bytes, 0, "0", "0 B" },
	{ &bytes, 7, "7 B", "7 B" },
	{ &bytes, 999, "999 B", "999 B" },
	{ &bytes, 1000, "1.00 kB", "1 000 B" },
	{ &bytes, 99228504, "99.2 MB", "99 228 504 B" },
	{ &bytes, -3210000, "-3.21 MB", "-3 210 000 B" },
	{ &bytes, INT64_C(5000000000000000), "5000 TB", "5 000 000 000 000 000 B" },
	{ &counts, 0, "0", "0" },
	{ &counts, 1000, "1", "1" },
	{ &counts, 12044000, "12 044", "12 044" },
	{ &counts, 999999000, "999 999", "999 999" },
	{ &counts, 1240000000, "1.24 M", "1 240 000" },
	{ &counts, -5000, "-5", "-5" },
};

START_TEST(values_have_their_unit)
{
	const struct text *t = &texts[_i];
	char out[UNITS_MAX];

	amount_text(t->unit, t->ns, out);
	ck_assert_str_eq(out, t->text);
	amount_exact(t->unit, t->ns, out);
	ck_assert_str_eq(out, t->exact);
}
END_TEST

static const struct mark {
	const struct amount_unit *unit;
	int64_t ns, step;
	const char *mark, *near;
} marks[] = {
	{ &bytes, 0, 500, "0", "0" },
	{ &bytes, 1500000, 500000, "1.5 MB", "1.50 MB" },
	{ &bytes, 20000000, 5000000, "20 MB", "20.0 MB" },
	{ &bytes, 20487123, 1000, "20.487 MB", "20.487 MB" },
	{ &bytes, 1200, 200, "1.2 kB", "1.20 kB" },
	{ &bytes, INT64_C(90000000000), INT64_C(10000000000), "90 GB", "90.0 GB" },
	{ &counts, 5000, 1000, "5", "5" },
	{ &counts, 2500000, 500000, "2.5 k", "2 500" },
};

START_TEST(marks_of_a_ruler)
{
	const struct mark *m = &marks[_i];
	char out[UNITS_MAX];

	amount_mark(m->unit, m->ns, m->step, out);
	ck_assert_str_eq(out, m->mark);
	amount_near(m->unit, m->ns, m->step, out);
	ck_assert_str_eq(out, m->near);
}
END_TEST

static const struct parsed {
	const struct amount_unit *unit;
	const char *text;
	int64_t ns; /* -1: none */
} parsed[] = {
	{ &times, "350ms", 350000000 }, { &times, "3MB", -1 },        { &bytes, "3.2MB", 3200000 },
	{ &bytes, "3.2 MB", 3200000 },  { &bytes, "500kB", 500000 },  { &bytes, "64", 64 },
	{ &bytes, "64B", 64 },          { &bytes, "40%", 400 },       { &bytes, "350ms", -1 },
	{ &bytes, "0x10", -1 },         { &bytes, "", -1 },           { &bytes, "1e300TB", -1 },
	{ &counts, "12", 12000 },       { &counts, "1.5k", 1500000 }, { &counts, "12B", -1 },
};

START_TEST(values_are_parsed)
{
	const struct parsed *p = &parsed[_i];
	int64_t ns = -1;

	ck_assert_msg(amount_parse(p->unit, p->text, 1000, &ns) == (p->ns != -1), "%s", p->text);
	ck_assert_int_eq(ns, p->ns);
}
END_TEST

START_TEST(words)
{
	static const char *const many =
		"time time time time time time time time time time time time time time time time "
		"time time";
	char out[AMOUNT_WORDS_MAX];

	ck_assert_str_eq(amount_words(&times, "self time", out), "self time");
	ck_assert_str_eq(amount_words(&bytes, "self time by time of", out),
			 "self bytes by bytes of");
	ck_assert_str_eq(amount_words(&counts, "name", out), "name");
	ck_assert_ptr_eq(amount_words(&bytes, many, out), many);
	ck_assert_str_eq(amount_member_end(&times), "_us");
	ck_assert_str_eq(amount_member_end(&bytes), "");
	ck_assert_str_eq(amount_column_end(&bytes), "_bytes");
}
END_TEST

static void add_tests(Suite *suite)
{
	TCase *t = suite_case(suite, "rules", 30);

	tcase_add_loop_test(t, values_have_their_unit, 0, N(texts));
	tcase_add_loop_test(t, marks_of_a_ruler, 0, N(marks));
	tcase_add_loop_test(t, values_are_parsed, 0, N(parsed));
	tcase_add_test(t, words);
}

int main(void)
{
	return suite_run("amount", add_tests);
}
