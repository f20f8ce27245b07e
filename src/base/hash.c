/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Takes 16 bytes a step; each half is multiplied and folded. The text of a call frame (some 150
 * bytes) costs about 20 multiplications. */
#include "config.h"

#include "base/hash.h"

#include <stdbool.h>
#include <string.h>

#if defined __BYTE_ORDER__ && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
#define IS_LITTLE_ENDIAN true
#else
#define IS_LITTLE_ENDIAN false
#endif

static uint64_t mix(uint64_t a, uint64_t b)
{
	a ^= b;
	a *= UINT64_C(0x9e3779b97f4a7c15);
	return a ^ (a >> 32);
}

/* The last `left` bytes of at least 16, 0 < left < 16, with zeros after them: from the 16 bytes
 * before `end`, as a copy of an unknown length takes longer than the rest of a hash. */
static void load_tail(const unsigned char *end, size_t left, uint64_t tail[2])
{
	uint64_t low = hash_load64(end - 16), high = hash_load64(end - 8);
	unsigned bits = (unsigned)(8 - left % 8) * 8 % 64;

	if (left < 8) {
		tail[0] = high >> bits;
		tail[1] = 0;
	} else {
		tail[0] = bits ? low >> bits | high << (64 - bits) : high;
		tail[1] = bits ? high >> bits : 0;
	}
}

uint64_t hash_bytes(const void *data, size_t len)
{
	const unsigned char *p = data;
	uint64_t a = UINT64_C(0x243f6a8885a308d3) ^ len, b = UINT64_C(0x13198a2e03707344);
	uint64_t tail[2] = { 0, 0 };
	size_t left = len;

	for (; left >= 16; left -= 16, p += 16) {
		a = mix(a, hash_load64(p));
		b = mix(b, hash_load64(p + 8));
	}
	if (left) {
		if (IS_LITTLE_ENDIAN && len >= 16)
			load_tail(p + left, left, tail);
		else
			memcpy(tail, p, left);
		a = mix(a, tail[0]);
		b = mix(b, tail[1]);
	}
	return hash_u64(a ^ (b << 29) ^ (b >> 35));
}
