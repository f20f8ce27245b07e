/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Hashes of bytes and numbers for tables in memory. They are never written to a file and never
 * decide the order of any output; they are the same in every run. */
#ifndef FLAMETTY_BASE_HASH_H
#define FLAMETTY_BASE_HASH_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* Eight bytes at any address as a number. */
static inline uint64_t hash_load64(const void *p)
{
	uint64_t v;

	memcpy(&v, p, 8);
	return v;
}

/* Hash `len` bytes into 64 well mixed bits. */
uint64_t hash_bytes(const void *data, size_t len);

/* Hash a number into 64 well mixed bits (the finalizer of MurmurHash3). */
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
