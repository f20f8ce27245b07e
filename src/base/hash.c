/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Takes 16 bytes a step; each half is multiplied and folded. The text of a call frame (some 150
 * bytes) costs about 20 multiplications. */
#include "config.h"

#include "base/hash.h"

#include <string.h>

static uint64_t mix(uint64_t a, uint64_t b)
{
	a ^= b;
	a *= UINT64_C(0x9e3779b97f4a7c15);
	return a ^ (a >> 32);
}

uint64_t hash_bytes(const void *data, size_t len)
{
	const unsigned char *p = data;
	uint64_t a = UINT64_C(0x243f6a8885a308d3) ^ len, b = UINT64_C(0x13198a2e03707344);
	unsigned char tail[16] = { 0 };
	size_t left = len;

	for (; left >= 16; left -= 16, p += 16) {
		a = mix(a, hash_load64(p));
		b = mix(b, hash_load64(p + 8));
	}
	if (left) {
		memcpy(tail, p, left);
		a = mix(a, hash_load64(tail));
		b = mix(b, hash_load64(tail + 8));
	}
	return hash_u64(a ^ (b << 29) ^ (b >> 35));
}
