/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Hashes of bytes and numbers for the tables in memory. Never written to a
 * file, never an order of output; stable between runs all the same. */
#ifndef FLAMETTY_BASE_HASH_H
#define FLAMETTY_BASE_HASH_H

#include <stddef.h>
#include <stdint.h>

/* 64 well mixed bits of `len` bytes. */
uint64_t hash_bytes(const void *data, size_t len);

/* 64 well mixed bits of a number (the finalizer of MurmurHash3). */
static inline uint64_t hash_u64(uint64_t x)
{
	x ^= x >> 33;
	x *= UINT64_C(0xff51afd7ed558ccd);
	x ^= x >> 33;
	x *= UINT64_C(0xc4ceb9fe1a85ec53);
	x ^= x >> 33;
	return x;
}

#endif
