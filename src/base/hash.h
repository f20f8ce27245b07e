/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Hashes of bytes and numbers for tables in memory. They never decide the order of any output, and
 * are the same in every run on machines of one byte order. hash_text() and hash_u64() are the same
 * on all machines: ids of functions, and keys in the tables of fleets, are made of them. */
#ifndef FLAMETTY_BASE_HASH_H
#define FLAMETTY_BASE_HASH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* Eight bytes at any address as a number. */
static inline uint64_t hash_load64(const void *p)
{
	uint64_t v;

	memcpy(&v, p, 8);
	return v;
}

/* Whether `len` bytes are the same. Inline, for short texts: a call of memcmp() costs more. */
static inline bool hash_same(const char *a, const char *b, size_t len)
{
	size_t i = 0;

	if (len < 8)
		return memcmp(a, b, len) == 0;
	for (; i + 8 < len; i += 8)
		if (hash_load64(a + i) != hash_load64(b + i))
			return false;
	return hash_load64(a + len - 8) == hash_load64(b + len - 8);
}

/* Hash `len` bytes into 64 well mixed bits. */
uint64_t hash_bytes(const void *data, size_t len);

#define HASH_TEXT_BEGIN UINT64_C(0xcbf29ce484222325)

/* Go on with one more text and its end, so that texts do not run into each other; the first one
 * with HASH_TEXT_BEGIN. FNV-1a: slow, and not well mixed. */
static inline uint64_t hash_text(uint64_t hash, const char *text, size_t len)
{
	for (size_t i = 0; i <= len; i++)
		hash = (hash ^ (i < len ? (unsigned char)text[i] : 0)) * UINT64_C(0x100000001b3);
	return hash;
}

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

/* The greatest index that a table can hold. */
#define HASH_TABLE_INDEX_MAX (UINT32_MAX - 1)

struct hash_slot {
	uint32_t hash;
	uint32_t used; /* index + 1; 0: the slot is free */
};

struct hash_table {
	struct hash_slot *slots;
	size_t n_slots; /* 0 or a power of two */
	size_t n;       /* slots in use, at most half of them */
};

/* A search in progress. */
struct hash_probe {
	size_t distance; /* slots already examined */
	uint32_t hash;
	uint32_t index; /* of the candidate that hash_table_next() found */
};

static inline void hash_table_done(struct hash_table *t)
{
	free(t->slots);
	*t = (struct hash_table){ 0 };
}

/* Allocate slots for n entries in total, so that adding them does not move the table. */
void hash_table_reserve(struct hash_table *t, size_t n);

/* Add an entry, without comparing it with others. hash: the same as in the search, its low 32 bits
 * must be well mixed; index: at most HASH_TABLE_INDEX_MAX. */
void hash_table_add(struct hash_table *t, uint64_t hash, uint32_t index);

/* Start a search for a key with this hash. */
static inline struct hash_probe hash_probe(uint64_t hash)
{
	return (struct hash_probe){ .hash = (uint32_t)hash };
}

/* Find the next entry with the hash of the probe and store its index in probe->index. Returns false
 * when there is none. Entries with equal hashes come in the order in which they were added. */
static inline bool hash_table_next(const struct hash_table *t, struct hash_probe *probe)
{
	while (t->n) {
		struct hash_slot slot =
			t->slots[(probe->hash + probe->distance) & (t->n_slots - 1)];

		if (!slot.used)
			return false;
		probe->distance++;
		if (slot.hash == probe->hash) {
			probe->index = slot.used - 1;
			return true;
		}
	}
	return false;
}

/* Add the entry that a search did not find, at the free slot where hash_table_next() ended it: a
 * second search is not needed. Nothing may be added between the search and this call. */
static inline void hash_table_add_missing(struct hash_table *t, const struct hash_probe *probe,
					  uint32_t index)
{
	if (t->n >= t->n_slots / 2) {
		hash_table_add(t, probe->hash, index);
		return;
	}
	t->slots[(probe->hash + probe->distance) & (t->n_slots - 1)] =
		(struct hash_slot){ probe->hash, index + 1 };
	t->n++;
}

/* Prefetch the first slot of a search that will come soon. Always inline: gcc considers a call that
 * only prefetches to have no effect, and removes it. */
__attribute__((always_inline)) static inline void hash_table_prefetch(const struct hash_table *t,
								      uint64_t hash)
{
	if (t->n)
		__builtin_prefetch(&t->slots[(uint32_t)hash & (t->n_slots - 1)]);
}

/* Replace the index of the entry that hash_table_next() just found. */
static inline void hash_table_replace(struct hash_table *t, const struct hash_probe *probe,
				      uint32_t index)
{
	t->slots[(probe->hash + probe->distance - 1) & (t->n_slots - 1)].used = index + 1;
}

#endif
