/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The text is followed by a bit 1, zeros, and its length in bits as 64 bits, so that blocks of 64
 * bytes are full. The last one or two blocks are composed in a buffer. */
#include "config.h"

#include "base/sha1.h"

#include <stdint.h>
#include <string.h>

#define BLOCK 64

static uint32_t rotate(uint32_t x, int n)
{
	return x << n | x >> (32 - n);
}

static void add_block(uint32_t h[5], const unsigned char *block)
{
	uint32_t w[80], a = h[0], b = h[1], c = h[2], d = h[3], e = h[4];

	for (int i = 0; i < 16; i++)
		w[i] = (uint32_t)block[4 * i] << 24 | (uint32_t)block[4 * i + 1] << 16 |
			(uint32_t)block[4 * i + 2] << 8 | block[4 * i + 3];
	for (int i = 16; i < 80; i++)
		w[i] = rotate(w[i - 3] ^ w[i - 8] ^ w[i - 14] ^ w[i - 16], 1);
	for (int i = 0; i < 80; i++) {
		uint32_t f = i < 20 ? ((b & c) | (~b & d)) + 0x5a827999
			: i < 40    ? (b ^ c ^ d) + 0x6ed9eba1
			: i < 60    ? ((b & c) | (b & d) | (c & d)) + 0x8f1bbcdc
				    : (b ^ c ^ d) + 0xca62c1d6;
		uint32_t next = rotate(a, 5) + f + e + w[i];

		e = d;
		d = c;
		c = rotate(b, 30);
		b = a;
		a = next;
	}
	h[0] += a;
	h[1] += b;
	h[2] += c;
	h[3] += d;
	h[4] += e;
}

void sha1(const void *bytes, size_t len, unsigned char out[SHA1_BYTES])
{
	uint32_t h[5] = { 0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476, 0xc3d2e1f0 };
	const unsigned char *from = bytes;
	unsigned char last[2 * BLOCK] = { 0 };
	size_t rest = len % BLOCK, n_last = rest + 9 > BLOCK ? 2 * BLOCK : BLOCK;

	for (size_t at = 0; at + BLOCK <= len; at += BLOCK)
		add_block(h, from + at);
	if (rest > 0)
		memcpy(last, from + len - rest, rest);
	last[rest] = 0x80;
	for (size_t i = 0; i < 8; i++)
		last[n_last - 1 - i] = (unsigned char)((uint64_t)len * 8 >> 8 * i);
	for (size_t at = 0; at < n_last; at += BLOCK)
		add_block(h, last + at);
	for (size_t i = 0; i < SHA1_BYTES; i++)
		out[i] = (unsigned char)(h[i / 4] >> (24 - 8 * (i % 4)));
}
