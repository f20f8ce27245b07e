/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The micro sign is written as U+00B5; the page for plain ASCII terminals replaces it by `u`. */
#include "config.h"

#include "base/units.h"

#include <inttypes.h>
#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ==== units ==== */

/* Decimals for three significant figures of `v`, 1 <= v < 1000. */
static int digits_for(double v)
{
	return v < 9.995 ? 2 : v < 99.95 ? 1 : 0;
}

#define SCALES 5

static const char *const byte_names[SCALES] = { "B", "kB", "MB", "GB", "TB" };

/* Three significant figures of `v` divided by a power of 1,000. Returns the number of the scale. */
static int scaled(double v, char digits[UNITS_MAX])
{
	int scale = 0;

	for (; scale + 1 < SCALES && v >= 999.5; scale++)
		v /= 1000;
	snprintf(digits, UNITS_MAX, "%.*f", scale == 0 ? 0 : digits_for(v), v);
	return scale;
}

static void minutes(uint64_t ns, char out[UNITS_MAX])
{
	uint64_t s = (ns + NS_PER_S / 2) / NS_PER_S;

	if (s < 3600)
		snprintf(out, UNITS_MAX, "%" PRIu64 " min %" PRIu64 " s", s / 60, s % 60);
	else if (s < UINT64_C(86400) * 100)
		snprintf(out, UNITS_MAX, "%" PRIu64 " h %" PRIu64 " min", s / 3600, s % 3600 / 60);
	else
		snprintf(out, UNITS_MAX, "%" PRIu64 " d", s / 86400);
}

const char *units_time(int64_t ns, char out[UNITS_MAX])
{
	static const struct {
		double ns;
		const char *name;
	} unit[] = {
		{ 1, "ns" },
		{ 1e3, "\302\265s" },
		{ 1e6, "ms" },
		{ 1e9, "s" },
	};
	const char *sign = ns < 0 ? "-" : "";
	double v = ns < 0 ? -(double)ns : (double)ns;
	size_t i = 0;

	if (v >= 99.95e9) {
		char rest[UNITS_MAX];

		minutes(ns < 0 ? 0 - (uint64_t)ns : (uint64_t)ns, rest);
		snprintf(out, UNITS_MAX, "%s%.40s", sign, rest);
		return out;
	}
	if (ns == 0) {
		snprintf(out, UNITS_MAX, "0");
		return out;
	}
	while (i + 1 < sizeof unit / sizeof unit[0] && v >= 999.5 * unit[i].ns)
		i++;
	v /= unit[i].ns;
	snprintf(out, UNITS_MAX, "%s%.*f %s", sign, i == 0 ? 0 : digits_for(v), v, unit[i].name);
	return out;
}

/* The parts that a step of whole minutes, hours or days lets differ. */
static void format_long_mark(int64_t ns, int64_t step, char out[UNITS_MAX])
{
	uint64_t minutes = (uint64_t)(ns < 0 ? -ns : ns) / (uint64_t)NS_PER_MIN;
	const struct {
		uint64_t n;
		const char *name;
	} parts[] = { { minutes / (24 * 60), "d" },
		      { minutes / 60 % 24, "h" },
		      { minutes % 60, "min" } };
	int n_parts = step >= 24 * 60 * NS_PER_MIN ? 1 : step >= 60 * NS_PER_MIN ? 2 : 3;
	size_t n = (size_t)snprintf(out, UNITS_MAX, "%s", ns < 0 ? "-" : "");

	for (int i = 0; i < n_parts; i++) {
		if (!parts[i].n)
			continue;
		n += (size_t)snprintf(out + n, UNITS_MAX - n, "%s%" PRIu64 " %s", n > 1 ? " " : "",
				      parts[i].n, parts[i].name);
	}
	if (n <= (size_t)(ns < 0))
		snprintf(out, UNITS_MAX, "0");
}

/* As amount_mark() for times. */
static const char *units_mark(int64_t ns, int64_t step, char out[UNITS_MAX])
{
	static const struct {
		int64_t ns;
		const char *name;
	} unit[] = {
		{ NS_PER_S, "s" },
		{ NS_PER_MS, "ms" },
		{ NS_PER_US, "\302\265s" },
		{ 1, "ns" },
	};
	char mark[UNITS_MAX], whole[UNITS_MAX];
	int64_t abs = ns < 0 ? -ns : ns;
	size_t i = 0;
	int places = 0;

	if (ns == 0) {
		snprintf(out, UNITS_MAX, "0");
		return out;
	}
	if (step >= NS_PER_MIN) {
		format_long_mark(ns, step, out);
		return out;
	}
	while (i + 1 < sizeof unit / sizeof unit[0] && abs < unit[i].ns)
		i++;
	for (int64_t u = unit[i].ns; u > 1 && step < u && places < 9; u /= 10)
		places++;
	snprintf(mark, sizeof mark, "%.*f %s", places, (double)abs / (double)unit[i].ns,
		 unit[i].name);
	/* Digits stand in groups, as in all other numbers. */
	units_count(strtoull(mark, NULL, 10), whole);
	snprintf(out, UNITS_MAX, "%s%.24s%.20s", ns < 0 ? "-" : "", whole,
		 mark + strspn(mark, "0123456789"));
	return out;
}

int64_t units_part(int64_t part, int64_t num, int64_t den)
{
	int64_t whole = part / den, rest = part % den, out;

	if (whole > INT64_MAX / num)
		return INT64_MAX;
	out = whole * num;
	while (rest > INT64_MAX / num) {
		rest /= 2;
		den /= 2;
	}
	rest = rest * num / den;
	return out > INT64_MAX - rest ? INT64_MAX : out + rest;
}

/* What the last of three figures is worth: at most a hundredth of the number. */
static int64_t worth_of_three(uint64_t size)
{
	int64_t worth = 1;

	while (size / (uint64_t)worth >= 1000)
		worth *= 10;
	return worth;
}

const char *units_time_whole(int64_t ns, char out[UNITS_MAX])
{
	if (ns >= NS_PER_S - NS_PER_MS / 2)
		units_time(ns, out);
	else
		snprintf(out, UNITS_MAX, "%lld ms", (long long)((ns + NS_PER_MS / 2) / NS_PER_MS));
	return out;
}

const char *units_count(uint64_t n, char out[UNITS_MAX])
{
	char plain[32];
	size_t len, used = 0;

	snprintf(plain, sizeof plain, "%" PRIu64, n);
	len = strlen(plain);
	for (size_t i = 0; i < len; i++) {
		if (i && (len - i) % 3 == 0)
			out[used++] = ' ';
		out[used++] = plain[i];
	}
	out[used] = '\0';
	return out;
}

const char *units_exact(int64_t ns, char out[UNITS_MAX])
{
	char whole[UNITS_MAX];
	uint64_t abs = ns < 0 ? (uint64_t)0 - (uint64_t)ns : (uint64_t)ns;
	unsigned rest = (unsigned)(abs % 1000);

	units_count(abs / 1000, whole);
	if (rest)
		snprintf(out, UNITS_MAX, "%s%.30s.%03u \302\265s", ns < 0 ? "-" : "", whole, rest);
	else
		snprintf(out, UNITS_MAX, "%s%.30s \302\265s", ns < 0 ? "-" : "", whole);
	return out;
}

const char *units_exact_ns(int64_t ns, char out[UNITS_MAX])
{
	char whole[UNITS_MAX];

	units_count(ns < 0 ? (uint64_t)0 - (uint64_t)ns : (uint64_t)ns, whole);
	snprintf(out, UNITS_MAX, "%s%.40s ns", ns < 0 ? "-" : "", whole);
	return out;
}

const char *units_percent(int64_t part, int64_t whole, char out[UNITS_MAX])
{
	double pct;

	if (whole <= 0) {
		snprintf(out, UNITS_MAX, "-");
		return out;
	}
	pct = 100.0 * (double)part / (double)whole;
	snprintf(out, UNITS_MAX, "%.1f %%", pct);
	return out;
}

const char *units_share(int64_t part, int64_t whole, char out[UNITS_MAX])
{
	double percent = whole > 0 ? 100.0 * (double)part / (double)whole : 0;

	if (whole <= 0)
		snprintf(out, UNITS_MAX, "-");
	else if (part > 0 && percent < 1)
		snprintf(out, UNITS_MAX, "<1 %%");
	else
		snprintf(out, UNITS_MAX, "%.0f %%", floor(percent + 0.5));
	return out;
}

const char *units_bytes(int64_t bytes, char out[UNITS_MAX])
{
	char digits[UNITS_MAX];
	int scale = scaled((double)bytes, digits);

	snprintf(out, UNITS_MAX, "%.40s %s", digits, byte_names[scale]);
	return out;
}

/* What a name after a number multiplies it by. */
struct units_scale {
	const char *name;
	double by;
};

/* Parse a decimal number with the name of one of the scales, or with `%` of `whole`. Blanks may
 * stand before the name. Returns false when `text` is none of these, or the result is above
 * 9e18. */
static bool units_parse(const char *text, int64_t whole, const struct units_scale *scales, size_t n,
			int64_t *value)
{
	char *end;
	double v;

	/* strtod() also accepts hexadecimal numbers, infinity and nan. */
	if (!*text || strspn(text, "+-.0123456789") == 0)
		return false;
	v = strtod(text, &end);
	if (end == text || !isfinite(v) || memchr(text, 'x', (size_t)(end - text)) ||
	    memchr(text, 'X', (size_t)(end - text)))
		return false;
	while (*end == ' ')
		end++;
	if (strcmp(end, "%") == 0) {
		v = v / 100 * (double)whole;
	} else {
		size_t i = 0;

		while (i < n && strcmp(end, scales[i].name) != 0)
			i++;
		if (i == n)
			return false;
		v *= scales[i].by;
	}
	if (fabs(v) > 9e18)
		return false;
	*value = (int64_t)llround(v);
	return true;
}

bool units_parse_time(const char *text, int64_t whole, int64_t *ns)
{
	static const struct units_scale scales[] = {
		{ "s", 1e9 }, { "ms", 1e6 }, { "us", 1e3 },   { "\302\265s", 1e3 },
		{ "ns", 1 },  { "", 1e9 },   { "min", 60e9 },
	};

	return units_parse(text, whole, scales, sizeof scales / sizeof scales[0], ns);
}

/* ==== sampling ==== */

unsigned units_sampling_percent(uint64_t n)
{
	unsigned half = 1; /* halves of a percent */

	while ((double)half * half * (double)n < 40000)
		half += 2;
	return half / 2;
}

double units_sampling_error(int64_t ns, double sample_ns, double share)
{
	return 2 * sample_ns * sqrt((double)ns / sample_ns * (1 - share) + 1);
}

/* ==== amount ====
 *
 * Bytes and counts have powers of ten. A count below a million is written with all its digits. */

#define COUNT_WHOLE 1000000 /* counts from here on have three figures */

static const char *const count_names[SCALES] = { "", "k", "M", "G", "T" };

static const char *scale_name(const struct amount_unit *unit, int scale)
{
	return unit->kind == AMOUNT_BYTES ? byte_names[scale] : count_names[scale];
}

const char *amount_name(const struct amount_unit *unit)
{
	static const char *const names[] = { "time", "bytes", "count" };

	return names[unit->kind];
}

const char *amount_column_end(const struct amount_unit *unit)
{
	static const char *const ends[] = { "_us", "_bytes", "_count" };

	return ends[unit->kind];
}

/* The size of a number without its sign. */
static uint64_t size_of(int64_t number)
{
	return number < 0 ? (uint64_t)0 - (uint64_t)number : (uint64_t)number;
}

/* Add sign and name to the digits of a number. */
static void finish(const char *digits, bool is_negative, const char *name, char out[UNITS_MAX])
{
	snprintf(out, UNITS_MAX, "%s%.30s%s%s", is_negative ? "-" : "", digits, *name ? " " : "",
		 name);
}

const char *amount_text(const struct amount_unit *unit, int64_t ns, char out[UNITS_MAX])
{
	int64_t number = amount_number(unit, ns);
	char digits[UNITS_MAX];
	int scale;

	if (amount_is_time(unit))
		return units_time(ns, out);
	if (number == 0) {
		snprintf(out, UNITS_MAX, "0");
		return out;
	}
	if (unit->kind == AMOUNT_COUNT && size_of(number) < COUNT_WHOLE) {
		units_count(size_of(number), digits);
		finish(digits, number < 0, "", out);
		return out;
	}
	scale = scaled((double)size_of(number), digits);
	finish(digits, number < 0, scale_name(unit, scale), out);
	return out;
}

const char *amount_mark(const struct amount_unit *unit, int64_t ns, int64_t step,
			char out[UNITS_MAX])
{
	int64_t number = amount_number(unit, ns), apart = amount_number(unit, step);
	uint64_t size = size_of(number), each = 1;
	char digits[UNITS_MAX], whole[UNITS_MAX];
	int scale = 0, places = 0;

	if (amount_is_time(unit))
		return units_mark(ns, step, out);
	if (number == 0) {
		snprintf(out, UNITS_MAX, "0");
		return out;
	}
	for (; scale + 1 < SCALES && size / each >= 1000; scale++)
		each *= 1000;
	for (uint64_t u = each; u > 1 && (uint64_t)(apart > 1 ? apart : 1) < u; u /= 10)
		places++;
	snprintf(digits, sizeof digits, "%.*f", places, (double)size / (double)each);
	units_count(strtoull(digits, NULL, 10), whole);
	snprintf(whole + strlen(whole), sizeof whole - strlen(whole), "%.16s",
		 digits + strspn(digits, "0123456789"));
	finish(whole, number < 0, scale_name(unit, scale), out);
	return out;
}

const char *amount_near(const struct amount_unit *unit, int64_t ns, int64_t step,
			char out[UNITS_MAX])
{
	int64_t number = amount_number(unit, ns), apart = amount_number(unit, step), digit = 1;

	while (digit <= apart / 10)
		digit *= 10;
	if (apart <= 0 || digit >= worth_of_three(size_of(number)) ||
	    (amount_is_time(unit) && digit >= NS_PER_S))
		amount_text(unit, ns, out);
	else
		amount_mark(unit, ns, digit * (unit->ns > 1 ? unit->ns : 1), out);
	return out;
}

const char *amount_exact(const struct amount_unit *unit, int64_t ns, char out[UNITS_MAX])
{
	int64_t number = amount_number(unit, ns);
	char digits[UNITS_MAX];

	if (amount_is_time(unit))
		return units_exact(ns, out);
	units_count(size_of(number), digits);
	finish(digits, number < 0, scale_name(unit, 0), out);
	return out;
}

bool amount_parse(const struct amount_unit *unit, const char *text, int64_t whole, int64_t *ns)
{
	struct units_scale scales[SCALES + 1];
	double by = unit->ns > 0 ? (double)unit->ns : 1;

	if (amount_is_time(unit))
		return units_parse_time(text, whole, ns);
	scales[SCALES] = (struct units_scale){ "", by };
	for (int i = 0; i < SCALES; i++, by *= 1000)
		scales[i] = (struct units_scale){ scale_name(unit, i), by };
	return units_parse(text, whole, scales, SCALES + 1, ns);
}

const char *amount_words(const struct amount_unit *unit, const char *words,
			 char out[AMOUNT_WORDS_MAX])
{
	static const char time[] = "time";
	const char *rest = words, *at;
	size_t n = 0;

	if (amount_is_time(unit))
		return words;
	for (*out = '\0'; (at = strstr(rest, time)); rest = at + sizeof time - 1) {
		n += (size_t)snprintf(out + n, AMOUNT_WORDS_MAX - n, "%.*s%s", (int)(at - rest),
				      rest, amount_name(unit));
		if (n >= AMOUNT_WORDS_MAX)
			return words;
	}
	n += (size_t)snprintf(out + n, AMOUNT_WORDS_MAX - n, "%s", rest);
	return n < AMOUNT_WORDS_MAX ? out : words;
}

const char *amount_examples(const struct amount_unit *unit)
{
	static const char *const examples[] = { "1.2s, 350ms, 1200us", "3.2MB, 500kB, 64B",
						"1200, 350k, 1.2M" };

	return examples[unit->kind];
}

/* ==== date ====
 *
 * Years begin in March here, so that the day of a leap year is the last one. An era has 400 years.
 */

#define DAY_S (24 * 3600)
#define ERA_DAYS 146097
#define FIRST_DAY 719468 /* of 1970, counted from March of the year 0 */

int64_t date_days(int64_t year, int64_t month, int64_t day)
{
	int64_t y = month > 2 ? year : year - 1, era = y / 400, of_era = y - era * 400;
	int64_t of_year = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1;

	return era * ERA_DAYS + of_era * 365 + of_era / 4 - of_era / 100 + of_year - FIRST_DAY;
}

/* Take `n` digits, and the byte after them if it is one of `after` (NULL: any, which stays). */
static bool take(const char **p, const char *end, int n, const char *after, int64_t *number)
{
	*number = 0;
	if (end - *p < n)
		return false;
	for (int i = 0; i < n; i++, (*p)++) {
		if (**p < '0' || **p > '9')
			return false;
		*number = *number * 10 + (**p - '0');
	}
	if (!after)
		return true;
	return *p < end && **p && strchr(after, *(*p)++);
}

/* Take the fraction of a second, in ns, without rounding. */
static bool take_fraction(const char **p, const char *end, int64_t *ns)
{
	const char *from = *p + 1;

	*ns = 0;
	if (*p == end || **p != '.')
		return true;
	for (int64_t unit = NS_PER_S / 10; ++*p < end && **p >= '0' && **p <= '9'; unit /= 10)
		*ns += (**p - '0') * unit;
	return *p > from;
}

/* Take a time zone, in seconds before UTC. */
static bool take_zone(const char **p, const char *end, int64_t *seconds)
{
	int64_t hours, minutes = 0;
	bool is_east;

	*seconds = 0;
	if (*p == end)
		return true;
	if (**p == 'Z' || **p == 'z') {
		++*p;
		return true;
	}
	is_east = **p == '+';
	if (*(*p)++ != '-' && !is_east)
		return false;
	if (!take(p, end, 2, NULL, &hours))
		return false;
	*p += *p < end && **p == ':';
	if (*p < end && !take(p, end, 2, NULL, &minutes))
		return false;
	*seconds = (hours * 3600 + minutes * 60) * (is_east ? -1 : 1);
	return hours < 24 && minutes < 60;
}

bool date_parse(const char *text, size_t len, int64_t *ns)
{
	const char *p = text, *end = text + len;
	int64_t year, month, day, hour, minute, second, fraction, zone;

	if (!take(&p, end, 4, "-", &year) || !take(&p, end, 2, "-", &month) ||
	    !take(&p, end, 2, "Tt ", &day) || !take(&p, end, 2, ":", &hour) ||
	    !take(&p, end, 2, ":", &minute) || !take(&p, end, 2, NULL, &second) ||
	    !take_fraction(&p, end, &fraction) || !take_zone(&p, end, &zone) || p != end)
		return false;
	/* Later years have no room as nanoseconds. */
	if (year < 1970 || year > 2200 || month < 1 || month > 12 || day < 1 || day > 31 ||
	    hour > 23 || minute > 59 || second > 60)
		return false;
	*ns = (date_days(year, month, day) * DAY_S + hour * 3600 + minute * 60 + second + zone) *
			NS_PER_S +
		fraction;
	return true;
}

bool date_parse_short(const char *text, int64_t *seconds)
{
	const char *p = text, *end = text + strlen(text);
	int64_t part[6] = { 0 }, ns;
	size_t n = 0, len = strspn(text, "0123456789");

	if (date_parse(text, strlen(text), &ns)) {
		*seconds = ns / NS_PER_S;
		return true;
	}
	*seconds = strtoll(text, NULL, 10);
	if (!text[len] && (len == 9 || len == 10))
		return true;
	while (n < 6 && take(&p, end, n == 0 ? 4 : 2, NULL, &part[n])) {
		p += p < end && strchr("-:.T_ ", *p);
		n++;
	}
	if (n < 6)
		part[n] = 0;
	*seconds = date_days(part[0], part[1], part[2]) * DAY_S + part[3] * 3600 + part[4] * 60 +
		part[5];
	return n > 2 && part[0] >= 1970 && part[1] >= 1 && part[1] <= 12 && part[2] >= 1 &&
		part[2] <= 31 && part[3] < 24 && part[4] < 60 && part[5] <= 60;
}

static int64_t floor_div(int64_t a, int64_t b)
{
	return a / b - (a % b < 0);
}

void date_format(int64_t seconds, char between, char out[DATE_MAX])
{
	int64_t days = floor_div(seconds, DAY_S) + FIRST_DAY, era = floor_div(days, ERA_DAYS),
		of_era = days - era * ERA_DAYS, time = seconds - floor_div(seconds, DAY_S) * DAY_S,
		year = (of_era - of_era / 1460 + of_era / 36524 - of_era / (ERA_DAYS - 1)) / 365,
		of_year = of_era - (365 * year + year / 4 - year / 100),
		month = (5 * of_year + 2) / 153, day = of_year - (153 * month + 2) / 5 + 1;

	month += month < 10 ? 3 : -9;
	year += era * 400 + (month <= 2);
	snprintf(out, DATE_MAX, "%04d-%02d-%02d%c%02d:%02d:%02d", (int)year, (int)month, (int)day,
		 between, (int)(time / 3600), (int)(time / 60 % 60), (int)(time % 60));
}

void date_clock(int64_t ns, int decimals, char out[DATE_MAX])
{
	int64_t s = floor_div(ns, NS_PER_S), rest = ns - s * NS_PER_S,
		time = s - floor_div(s, DAY_S) * DAY_S, unit = NS_PER_S;
	int n = snprintf(out, DATE_MAX, "%02d:%02d:%02d", (int)(time / 3600), (int)(time / 60 % 60),
			 (int)(time % 60));

	for (int i = 0; i < decimals && i < 9; i++)
		unit /= 10;
	if (decimals > 0)
		snprintf(out + n, (size_t)(DATE_MAX - n), ".%0*" PRId64,
			 decimals < 9 ? decimals : 9, rest / unit);
}
