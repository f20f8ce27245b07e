/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Numbers in Base64 VLQ, as source maps have them: digits of five bits, the least first; the sixth
 * bit says that another digit follows. */
#ifndef FLAMETTY_SOURCE_VLQ_H
#define FLAMETTY_SOURCE_VLQ_H

#include "base/str.h"

#include <stdint.h>

/* A number has at most 32 bits, one of them the sign: seven digits of five bits. */
#define VLQ_DIGITS_MAX 7

/* Digits of Base64; 64 and more: none. */
static inline uint8_t vlq_digit(unsigned char c)
{
	static const uint8_t digits[256] = {
#define LETTERS(first, from)                                                                       \
	[(first)] = (from) + 1, [(first) + 1] = (from) + 2, [(first) + 2] = (from) + 3,            \
	[(first) + 3] = (from) + 4, [(first) + 4] = (from) + 5, [(first) + 5] = (from) + 6,        \
	[(first) + 6] = (from) + 7, [(first) + 7] = (from) + 8, [(first) + 8] = (from) + 9,        \
	[(first) + 9] = (from) + 10
#define ALPHABET(first, from)                                                                      \
	LETTERS(first, from), LETTERS((first) + 10, (from) + 10),                                  \
		[(first) + 20] = (from) + 21, [(first) + 21] = (from) + 22,                        \
			   [(first) + 22] = (from) + 23, [(first) + 23] = (from) + 24,             \
			   [(first) + 24] = (from) + 25, [(first) + 25] = (from) + 26
		ALPHABET('A', 0), ALPHABET('a', 26), LETTERS('0', 52), ['+'] = 63, ['/'] = 64,
#undef ALPHABET
#undef LETTERS
	};

	/* The table counts from 1, so that other bytes are 0. */
	return (uint8_t)(digits[c] - 1);
}

/* Pass a number of at most 32 bits at *at. Returns NULL, or why it is none. */
static inline const char *vlq_pass(const struct str *text, uint32_t *at, uint32_t *value)
{
	uint64_t bits = 0;
	uint8_t digit;
	int n = 0;

	do {
		if (*at >= text->len)
			return "the text ends inside a number";
		digit = vlq_digit((unsigned char)text->p[*at]);
		if (digit > 63)
			return "not a digit of Base64";
		if (n == VLQ_DIGITS_MAX)
			return "a number of more than 32 bits";
		bits |= (uint64_t)(digit & 31u) << (5 * n++);
		++*at;
	} while (digit & 32u);
	if (bits > UINT32_MAX)
		return "a number of more than 32 bits";
	*value = (uint32_t)bits;
	return NULL;
}

/* The number whose lowest bit is its sign. */
static inline int64_t vlq_signed(uint32_t bits)
{
	int64_t value = (int64_t)(bits >> 1);

	return bits & 1u ? -value : value;
}

#endif
