/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads decimal digits eight at a time: how many of eight bytes are digits follows from their high
 * bits; then pairs, fours and eights are combined with one multiplication each. */
#ifndef FLAMETTY_BASE_JSON_DIGITS_H
#define FLAMETTY_BASE_JSON_DIGITS_H

#include <stdint.h>
#include <string.h>

#if defined __GNUC__ && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
#define DIGITS_BY_EIGHT 1

/* The number that the first `n` of eight digits are, 0 < n <= 8; v: the bytes, each xored with
 * '0'. */
static inline __attribute__((always_inline)) uint64_t digits_value(uint64_t v, unsigned n)
{
	/* The first digit is in the lowest byte; zeros come before it. */
	v <<= 64 - 8 * n;
	v = v * 2561 >> 8 & UINT64_C(0x00FF00FF00FF00FF);
	v = v * 6553601 >> 16 & UINT64_C(0x0000FFFF0000FFFF);
	return v * UINT64_C(42949672960001) >> 32;
}
#endif

/* Read the digits at p, at most eight. Returns how many there are; *value: the number that they
 * are, 0 if there are none. Eight bytes must be readable. */
static inline __attribute__((always_inline)) unsigned digits_read(const unsigned char *p,
								  uint64_t *value)
{
#ifdef DIGITS_BY_EIGHT
	uint64_t v, others;
	unsigned bits;

	memcpy(&v, p, sizeof v);
	v ^= UINT64_C(0x3030303030303030);
	/* A carry can only reach bytes after the first byte that is not a digit. */
	others = ((v + UINT64_C(0x7676767676767676)) | v) & UINT64_C(0x8080808080808080);
	bits = others ? (unsigned)__builtin_ctzll(others) & ~7u : 64;
	*value = 0;
	if (bits == 0)
		return 0;
	*value = digits_value(v, bits / 8);
	return bits / 8;
#else
	unsigned n = 0;

	for (*value = 0; n < 8 && p[n] >= '0' && p[n] <= '9'; n++)
		*value = *value * 10 + (uint64_t)(p[n] - '0');
	return n;
#endif
}

#endif
