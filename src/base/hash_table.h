/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Index table: finds the index of an entry in an array of the caller by the hash of the entry's
 * key. The table knows neither keys nor entries: the caller computes the hash, compares the keys,
 * and stores the entries. A zeroed struct is an empty table. Entries are never removed.
 *
 *	struct hash_probe probe = hash_probe(hash);
 *
 *	while (hash_table_next(&table, &probe))
 *		if (is_equal(&entries[probe.index], key))
 *			return probe.index;
 *	hash_table_add(&table, hash, n_entries); */
#ifndef FLAMETTY_BASE_HASH_TABLE_H
#define FLAMETTY_BASE_HASH_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

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

void hash_table_done(struct hash_table *t);

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
