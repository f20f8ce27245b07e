/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Bytes and counts have powers of ten. A count below a million is written with all its digits. */
#include "config.h"

#include "base/amount.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SCALES 5
#define COUNT_WHOLE 1000000 /* counts from here on have three figures */

static const char *const byte_names[SCALES] = { "B", "kB", "MB", "GB", "TB" };
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

const char *amount_member_end(const struct amount_unit *unit)
{
	return amount_is_time(unit) ? "_us" : "";
}

const char *amount_column_end(const struct amount_unit *unit)
{
	static const char *const ends[] = { "_us", "_bytes", "_count" };

	return ends[unit->kind];
}

int64_t amount_number(const struct amount_unit *unit, int64_t ns)
{
	return unit->ns > 1 ? ns / unit->ns : ns;
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

void amount_text(const struct amount_unit *unit, int64_t ns, char out[UNITS_MAX])
{
	int64_t number = amount_number(unit, ns);
	char digits[UNITS_MAX];
	double v = (double)size_of(number);
	int scale = 0, places;

	if (amount_is_time(unit)) {
		units_time(ns, out);
		return;
	}
	if (number == 0) {
		snprintf(out, UNITS_MAX, "0");
		return;
	}
	if (unit->kind == AMOUNT_COUNT && v < COUNT_WHOLE) {
		units_count(size_of(number), digits);
		finish(digits, number < 0, "", out);
		return;
	}
	for (; scale + 1 < SCALES && v >= 999.5; scale++)
		v /= 1000;
	places = scale == 0 ? 0 : v < 9.995 ? 2 : v < 99.95 ? 1 : 0;
	snprintf(digits, sizeof digits, "%.*f", places, v);
	finish(digits, number < 0, scale_name(unit, scale), out);
}

void amount_mark(const struct amount_unit *unit, int64_t ns, int64_t step, char out[UNITS_MAX])
{
	int64_t number = amount_number(unit, ns), apart = amount_number(unit, step);
	uint64_t size = size_of(number), each = 1;
	char digits[UNITS_MAX], whole[UNITS_MAX];
	int scale = 0, places = 0;

	if (amount_is_time(unit)) {
		units_mark(ns, step, out);
		return;
	}
	if (number == 0) {
		snprintf(out, UNITS_MAX, "0");
		return;
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
}

/* What the last of three figures is worth: at most a hundredth of the number. */
static int64_t worth_of_three(uint64_t size)
{
	int64_t worth = 1;

	while (size / (uint64_t)worth >= 1000)
		worth *= 10;
	return worth;
}

void amount_near(const struct amount_unit *unit, int64_t ns, int64_t step, char out[UNITS_MAX])
{
	int64_t number = amount_number(unit, ns), apart = amount_number(unit, step), digit = 1;

	if (amount_is_time(unit)) {
		units_time_near(ns, step, out);
		return;
	}
	while (digit <= apart / 10)
		digit *= 10;
	if (apart <= 0 || digit >= worth_of_three(size_of(number)))
		amount_text(unit, ns, out);
	else
		amount_mark(unit, ns, digit * (unit->ns > 1 ? unit->ns : 1), out);
}

void amount_exact(const struct amount_unit *unit, int64_t ns, char out[UNITS_MAX])
{
	int64_t number = amount_number(unit, ns);
	char digits[UNITS_MAX];

	if (amount_is_time(unit)) {
		units_exact(ns, out);
		return;
	}
	units_count(size_of(number), digits);
	finish(digits, number < 0, scale_name(unit, 0), out);
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
