/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Dates: both ways over leap years and the start of 1970; times of day with decimals. */
#include "config.h"

#include "suite.h"

#include "base/units.h"

#include <stdio.h>
#include <string.h>

static const struct date_case {
	int64_t year, month, day, days;
} date_cases[] = {
	{ 1970, 1, 1, 0 },         { 1969, 12, 31, -1 },   { 1970, 3, 1, 59 },
	{ 2000, 2, 29, 11016 },    { 2000, 3, 1, 11017 },  { 2024, 2, 29, 19782 },
	{ 2024, 12, 31, 20088 },   { 2100, 2, 28, 47540 }, { 2100, 3, 1, 47541 },
	{ 9999, 12, 31, 2932896 },
};

START_TEST(days)
{
	const struct date_case *c = &date_cases[_i];
	char text[DATE_MAX], expect[DATE_MAX];

	ck_assert_int_eq(date_days(c->year, c->month, c->day), c->days);
	snprintf(expect, sizeof expect, "%04d-%02d-%02dT23:59:59", (int)c->year, (int)c->month,
		 (int)c->day);
	date_format(c->days * 86400 + 86399, 'T', text);
	ck_assert_str_eq(text, expect);
}
END_TEST

static const struct clock_case {
	int64_t ns;
	int decimals;
	const char *expect;
} clock_cases[] = {
	{ 0, 0, "00:00:00" },
	{ 49585 * NS_PER_S + 123456789, 0, "13:46:25" },
	{ 49585 * NS_PER_S + 123456789, 3, "13:46:25.123" },
	{ 49585 * NS_PER_S + 123456789, 9, "13:46:25.123456789" },
	{ 49585 * NS_PER_S + 3456789, 6, "13:46:25.003456" },
	/* not rounded up to the next day */
	{ 86400 * NS_PER_S - 1, 3, "23:59:59.999" },
	{ -1, 9, "23:59:59.999999999" },
	{ 20000 * 86400 * NS_PER_S + NS_PER_S, 0, "00:00:01" },
};

START_TEST(times_of_day)
{
	char text[DATE_MAX];

	date_clock(clock_cases[_i].ns, clock_cases[_i].decimals, text);
	ck_assert_str_eq(text, clock_cases[_i].expect);
}
END_TEST

static const struct parse_case {
	const char *text;
	int64_t ns; /* -1: no date */
} parse_cases[] = {
	{ "1970-01-01T00:00:00Z", 0 },
	{ "2023-11-14T22:13:20Z", INT64_C(1700000000) * NS_PER_S },
	{ "2023-11-14t22:13:20.123456z", INT64_C(1700000000) * NS_PER_S + 123456000 },
	{ "2023-11-14 22:13:20.0000000019", INT64_C(1700000000) * NS_PER_S + 1 },
	{ "2023-11-14T23:43:20+01:30", INT64_C(1700000000) * NS_PER_S },
	{ "2023-11-14T20:13:20-0200", INT64_C(1700000000) * NS_PER_S },
	{ "2023-11-14T20:13:20-02", INT64_C(1700000000) * NS_PER_S },
	{ "", -1 },
	{ "2023-11-14", -1 },
	{ "2023-11-14T22:13", -1 },
	{ "2023-11-14T22:13:20.", -1 },
	{ "2023-11-14T22:13:20Zz", -1 },
	{ "2023-11-14T22:13:20+1", -1 },
	{ "2023-11-14T22:13:20+01:3", -1 },
	{ "2023-13-14T22:13:20Z", -1 },
	{ "2023-11-14T24:13:20Z", -1 },
	/* the limits of each part */
	{ "2023-01-01T00:00:00Z", INT64_C(1672531200) * NS_PER_S },
	{ "2022-12-31T23:59:60Z", INT64_C(1672531200) * NS_PER_S },
	{ "2023-00-14T22:13:20Z", -1 },
	{ "2023-11-00T22:13:20Z", -1 },
	{ "2023-11-32T22:13:20Z", -1 },
	{ "2023-11-14T22:60:20Z", -1 },
	{ "2023-11-14T22:13:61Z", -1 },
	{ "1969-12-31T23:59:59Z", -1 },
	{ "2200-01-01T00:00:00Z", INT64_C(7258118400) * NS_PER_S },
	{ "2201-01-01T00:00:00Z", -1 },
	{ "0001-01-01T00:00:00Z", -1 },
	{ "9999-01-01T00:00:00Z", -1 },
	{ "x023-11-14T22:13:20Z", -1 },
};

START_TEST(texts)
{
	const struct parse_case *c = &parse_cases[_i];
	int64_t ns = -1;

	ck_assert_int_eq(date_parse(c->text, strlen(c->text), &ns), c->ns >= 0);
	if (c->ns >= 0)
		ck_assert_int_eq(ns, c->ns);
}
END_TEST

static const struct {
	const char *text;
	int64_t seconds; /* -1: no date */
} short_cases[] = {
	{ "2023-11-14T23:13:20+01:00", 1700000000 },
	{ "2023-11-14", 1699920000 },
	{ "2023-11-14T22", 1699999200 },
	{ "2023-11-14T2x", 1699920000 },
	{ "2023-11-14_22-13-20Z", 1700000000 },
	{ "20231114.221320.cpuprofile", 1700000000 },
	{ "1700000000", 1700000000 },
	{ "170000000", 170000000 },
	{ "17000000001", -1 },
	{ "2023-11", -1 },
	{ "2023-13-14", -1 },
	{ "2023-11-14T24:00", -1 },
	{ "worker-3", -1 },
	{ "", -1 },
};

START_TEST(texts_in_part)
{
	int64_t seconds;
	bool is = date_parse_short(short_cases[_i].text, &seconds);

	ck_assert_int_eq(is ? seconds : -1, short_cases[_i].seconds);
}
END_TEST

static void add_tests(Suite *suite)
{
	TCase *t = suite_case(suite, "date", SUITE_SECONDS);

	tcase_add_loop_test(t, days, 0, N(date_cases));
	tcase_add_loop_test(t, texts, 0, N(parse_cases));
	tcase_add_loop_test(t, texts_in_part, 0, N(short_cases));
	tcase_add_loop_test(t, times_of_day, 0, N(clock_cases));
}

int main(void)
{
	return suite_run("date", add_tests);
}
