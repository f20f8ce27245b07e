/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Times, counts, shares and sizes as short text; times as users type them. */
#include "config.h"

#include "base/units.h"

#include "suite.h"

static const struct time_case {
	int64_t ns;
	const char *text, *exact;
} time_cases[] = {
	{ 0, "0", "0 \302\265s" },
	{ 830, "830 ns", "0.830 \302\265s" },
	{ 1000, "1.00 \302\265s", "1 \302\265s" },
	{ 9995, "10.0 \302\265s", "9.995 \302\265s" },
	{ 12400000, "12.4 ms", "12 400 \302\265s" },
	{ 999499, "999 \302\265s", "999.499 \302\265s" },
	{ 999500, "1.00 ms", "999.500 \302\265s" },
	{ 1240000000, "1.24 s", "1 240 000 \302\265s" },
	{ INT64_C(99949999999), "99.9 s", "99 949 999.999 \302\265s" },
	{ INT64_C(99950000000), "1 min 40 s", "99 950 000 \302\265s" },
	{ INT64_C(200000000000), "3 min 20 s", "200 000 000 \302\265s" },
	{ INT64_C(7260) * NS_PER_S, "2 h 1 min", "7 260 000 000 \302\265s" },
	{ INT64_C(86400) * 200 * NS_PER_S, "200 d", "17 280 000 000 000 \302\265s" },
	{ -830, "-830 ns", "-0.830 \302\265s" },
	{ INT64_MAX, "106751 d", "9 223 372 036 854 775.807 \302\265s" },
	{ INT64_MIN, "-106751 d", "-9 223 372 036 854 775.808 \302\265s" },
};

START_TEST(times_have_three_figures)
{
	char out[UNITS_MAX];

	units_time(time_cases[_i].ns, out);
	ck_assert_str_eq(out, time_cases[_i].text);
	units_exact(time_cases[_i].ns, out);
	ck_assert_str_eq(out, time_cases[_i].exact);
}
END_TEST

static const struct mark_case {
	int64_t ns, step;
	const char *text;
} mark_cases[] = {
	{ 0, 5, "0" },
	{ 1200000000, 50000000, "1.20 s" },
	{ 1200000000, 500000000, "1.2 s" },
	{ 350000000, 50000000, "350 ms" },
	{ 350000000, 500000, "350.0 ms" },
	{ 20, 5, "20 ns" },
	{ -1500, 500, "-1.5 \302\265s" },
	{ 80 * NS_PER_MIN, 20 * NS_PER_MIN, "1 h 20 min" },
	{ 120 * NS_PER_MIN, 20 * NS_PER_MIN, "2 h" },
	{ 80 * NS_PER_S, 30 * NS_PER_S, "80 s" },
	{ 1800 * NS_PER_MIN, 360 * NS_PER_MIN, "1 d 6 h" },
	{ 4320 * NS_PER_MIN, 1440 * NS_PER_MIN, "3 d" },
	{ -10 * NS_PER_MIN, 5 * NS_PER_MIN, "-10 min" },
};

START_TEST(marks_can_be_told_apart)
{
	char out[UNITS_MAX];

	amount_mark(&(struct amount_unit){ 0 }, mark_cases[_i].ns, mark_cases[_i].step, out);
	ck_assert_str_eq(out, mark_cases[_i].text);
}
END_TEST

static const struct mark_case near_cases[] = {
	{ 20487123456, 0, "20.5 s" },
	{ 20487123456, 10 * NS_PER_MS, "20.49 s" },
	{ 20487123456, 99 * NS_PER_US, "20.48712 s" },
	{ 123456, 10 * NS_PER_MS, "123 \302\265s" },
	{ 786267, 440, "786.3 \302\265s" },
	{ 3600 * NS_PER_S + 1500 * NS_PER_MS, 10 * NS_PER_MS, "3 601.50 s" },
	{ 3600 * NS_PER_S, 2 * NS_PER_S, "1 h 0 min" },
	{ 0, 5, "0" },
	{ -20487123456, 10 * NS_PER_MS, "-20.49 s" },
};

/* Three figures, and as many more as the step needs. */
START_TEST(times_of_a_window_can_be_told_apart)
{
	char out[UNITS_MAX];

	amount_near(&(struct amount_unit){ 0 }, near_cases[_i].ns, near_cases[_i].step, out);
	ck_assert_str_eq(out, near_cases[_i].text);
}
END_TEST

START_TEST(counts_shares_and_sizes)
{
	char out[UNITS_MAX];

	units_count(0, out);
	ck_assert_str_eq(out, "0");
	units_count(999, out);
	ck_assert_str_eq(out, "999");
	units_count(12044, out);
	ck_assert_str_eq(out, "12 044");
	units_count(UINT64_MAX, out);
	ck_assert_str_eq(out, "18 446 744 073 709 551 615");
	units_percent(183, 1000, out);
	ck_assert_str_eq(out, "18.3 %");
	units_percent(5, 0, out);
	ck_assert_str_eq(out, "-");
	units_percent(INT64_MAX, INT64_MAX, out);
	ck_assert_str_eq(out, "100.0 %");
	units_bytes(999, out);
	ck_assert_str_eq(out, "999 B");
	units_bytes(3210000, out);
	ck_assert_str_eq(out, "3.21 MB");
	units_bytes(999500, out);
	ck_assert_str_eq(out, "1.00 MB");
	units_bytes(INT64_C(5000000000000000), out);
	ck_assert_str_eq(out, "5000 TB");
}
END_TEST

/* Parts of times whose product has no room in 64 bits. */
START_TEST(parts_do_not_overflow)
{
	const int64_t years = INT64_C(2305840245337862000);

	ck_assert_int_eq(units_part(1000, 50, 100), 500);
	ck_assert_int_eq(units_part(999, 1, 2), 499);
	ck_assert_int_eq(units_part(years, 50, 100), years / 2);
	ck_assert_int_eq(units_part(years, 400, years), 400);
	ck_assert_int_eq(units_part(INT64_C(1) << 60, 400, INT64_C(1) << 61), 200);
	ck_assert_int_eq(units_part(INT64_MAX, 1, INT64_MAX), 1);
	ck_assert(units_part(INT64_MAX, 2, 1) == INT64_MAX);
}
END_TEST

static const struct parse_case {
	const char *text;
	int64_t ns; /* INT64_MIN: refused */
} parse_cases[] = {
	{ "1.2s", 1200000000 },  { "350ms", 350000000 },
	{ "350 ms", 350000000 }, { "1200us", 1200000 },
	{ "5\302\265s", 5000 },  { "80ns", 80 },
	{ "2", 2000000000 },     { "2min", INT64_C(120000000000) },
	{ "40%", 400 },          { "-1", -1000000000 },
	{ "", INT64_MIN },       { "s", INT64_MIN },
	{ "inf", INT64_MIN },    { "nan", INT64_MIN },
	{ "x1", INT64_MIN },     { "1h", INT64_MIN },
	{ "1e30s", INT64_MIN },  { "1s2", INT64_MIN },
	{ ".", INT64_MIN },      { "0x10s", INT64_MIN },
};

START_TEST(times_as_typed)
{
	const struct parse_case *c = &parse_cases[_i];
	int64_t ns = 7;

	ck_assert_int_eq(units_parse_time(c->text, 1000, &ns), c->ns != INT64_MIN);
	ck_assert_int_eq(ns, c->ns == INT64_MIN ? 7 : c->ns);
}
END_TEST

static void add_tests(Suite *suite)
{
	TCase *t = suite_case(suite, "units", SUITE_SECONDS);

	tcase_add_test(t, parts_do_not_overflow);
	tcase_add_loop_test(t, times_have_three_figures, 0, N(time_cases));
	tcase_add_loop_test(t, marks_can_be_told_apart, 0, N(mark_cases));
	tcase_add_loop_test(t, times_of_a_window_can_be_told_apart, 0, N(near_cases));
	tcase_add_test(t, counts_shares_and_sizes);
	tcase_add_loop_test(t, times_as_typed, 0, N(parse_cases));
}

int main(void)
{
	return suite_run("units", add_tests);
}
