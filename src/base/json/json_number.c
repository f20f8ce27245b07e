/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Converts decimal text to whole numbers without a double, which has too few digits for present
 * times in nanoseconds. */
#include "config.h"

#include "base/json/json_number.h"

#include "base/str.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* ==== json key ====
 *
 * Keys of objects as they are written, with escapes. */

/* The character of four hexadecimal digits; -1: there are not four. */
static int hex_value(const char *p)
{
	int value = 0;

	for (int i = 0; i < 4; i++) {
		char c = p[i];
		int digit = c >= '0' && c <= '9' ? c - '0'
			: c >= 'a' && c <= 'f'   ? c - 'a' + 10
			: c >= 'A' && c <= 'F'   ? c - 'A' + 10
						 : -1;

		if (digit < 0)
			return -1;
		value = value * 16 + digit;
	}
	return value;
}

bool json_key_is(struct str key, const char *name)
{
	size_t len = strlen(name), at = 0;

	if (key.len <= len)
		return key.len == len && memcmp(key.p, name, len) == 0;
	/* It is longer, so it can only be equal with escapes. Letters have none but \u. */
	for (size_t i = 0; i < key.len; at++) {
		bool is_escape = key.p[i] == '\\' && key.len - i >= 6 && key.p[i + 1] == 'u';
		int c = is_escape ? hex_value(key.p + i + 2) : (unsigned char)key.p[i];

		if (at == len || c != (unsigned char)name[at])
			return false;
		i += is_escape ? 6 : 1;
	}
	return at == len;
}

/* ==== json number ==== */

static bool is_digit(unsigned char c)
{
	return c >= '0' && c <= '9';
}

bool json_number_is(const char *text, size_t n)
{
	const unsigned char *p = (const unsigned char *)text;
	size_t i = 0;

	if (i < n && p[i] == '-')
		i++;
	if (i >= n || !is_digit(p[i]))
		return false;
	if (p[i++] != '0')
		while (i < n && is_digit(p[i]))
			i++;
	if (i < n && p[i] == '.') {
		if (++i >= n || !is_digit(p[i]))
			return false;
		while (i < n && is_digit(p[i]))
			i++;
	}
	if (i < n && (p[i] == 'e' || p[i] == 'E')) {
		i++;
		if (i < n && (p[i] == '+' || p[i] == '-'))
			i++;
		if (i >= n || !is_digit(p[i]))
			return false;
		while (i < n && is_digit(p[i]))
			i++;
	}
	return i == n;
}

/* A number while its digits are collected: mantissa * 10^exp, and the digits that did not fit. */
struct digits {
	uint64_t mantissa;
	int exp;
	unsigned last; /* the first digit that was dropped */
	bool has_last;
	bool has_rest; /* a digit after that one is not 0 */
};

/* The value as int64_t, rounded half away from zero. */
static int64_t round_digits(struct digits *d, enum number_kind *kind)
{
	for (; d->exp > 0; d->exp--) {
		if (d->mantissa > (uint64_t)INT64_MAX / 10) {
			*kind = NUMBER_HUGE;
			return INT64_MAX;
		}
		d->mantissa *= 10;
	}
	for (; d->exp < 0; d->exp++) {
		d->has_rest |= d->last != 0;
		d->last = (unsigned)(d->mantissa % 10);
		d->mantissa /= 10;
	}
	if (d->last || d->has_rest)
		*kind = NUMBER_ROUNDED;
	if (d->last >= 5)
		d->mantissa++;
	if (d->mantissa > (uint64_t)INT64_MAX) {
		*kind = NUMBER_HUGE;
		return INT64_MAX;
	}
	return (int64_t)d->mantissa;
}

/* The exponent at `p`, which is after its letter, clamped. */
static int exponent(const unsigned char *p, const unsigned char *end)
{
	bool is_down = p < end && *p == '-';
	int value = 0;

	for (; p < end; p++)
		if (is_digit(*p) && value < 100000)
			value = value * 10 + (*p - '0');
	return is_down ? -value : value;
}

/* The number in [p, p + n), which json_number_is() accepted. */
static int64_t decimal(const unsigned char *p, size_t n, int scale, enum number_kind *kind)
{
	const unsigned char *end = p + n;
	bool is_negative = n && *p == '-', in_fraction = false;
	struct digits d = { .exp = scale };
	int64_t value;

	*kind = NUMBER_INTEGER;
	for (p += is_negative; p < end && (is_digit(*p) || *p == '.'); p++) {
		if (*p == '.') {
			in_fraction = true;
		} else if (!d.has_last && d.mantissa < UINT64_MAX / 10 - 1) {
			d.mantissa = d.mantissa * 10 + (uint64_t)(*p - '0');
			d.exp -= in_fraction;
		} else {
			unsigned digit = (unsigned)(*p - '0');

			if (d.has_last)
				d.has_rest |= digit != 0;
			else
				d.last = digit;
			d.has_last = true;
			d.exp += !in_fraction;
		}
	}
	if (p < end)
		d.exp += exponent(p + 1, end);
	if (d.mantissa == 0)
		return 0;
	if (d.exp < -40) {
		*kind = NUMBER_ROUNDED;
		return 0;
	}
	value = round_digits(&d, kind);
	return is_negative ? -value : value;
}

bool json_number_parse(const char *text, size_t len, int scale, int64_t *value,
		       enum number_kind *kind)
{
	*value = 0;
	*kind = NUMBER_NONE;
	if (!json_number_is(text, len))
		return false;
	*value = decimal((const unsigned char *)text, len, scale, kind);
	return true;
}
