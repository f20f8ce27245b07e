/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Open addressing with linear probing. A slot stores the low 32 bits of the hash: most slots of
 * other keys are skipped without examining the caller's entries, and the table can grow without
 * asking the caller for the hashes again.
 *
 * 1. At most half of the slots are used, so every search ends at a free slot.
 * 2. The entries of one hash stand in the order in which they were added: growing goes through the
 *    old slots from a free one on, so that it meets each cluster from its start. */
#include "config.h"

#include "base/hash_table.h"

#include "base/alloc.h"

#include <stdlib.h>

#define SLOTS_FIRST 16u

void hash_table_done(struct hash_table *t)
{
	free(t->slots);
	*t = (struct hash_table){ 0 };
}

static void put(struct hash_table *t, struct hash_slot slot)
{
	size_t at = slot.hash & (t->n_slots - 1);

	while (t->slots[at].used)
		at = (at + 1) & (t->n_slots - 1);
	t->slots[at] = slot;
}

static void put_all(struct hash_table *t, const struct hash_slot *slots, size_t from, size_t end)
{
	for (size_t i = from; i < end; i++)
		if (slots[i].used)
			put(t, slots[i]);
}

static void grow(struct hash_table *t, size_t n_slots)
{
	const struct hash_table before = *t;
	size_t start = 0;

	t->slots = xcalloc(n_slots, sizeof *t->slots);
	t->n_slots = n_slots;
	while (start < before.n_slots && before.slots[start].used)
		start++;
	put_all(t, before.slots, start, before.n_slots);
	put_all(t, before.slots, 0, start);
	free(before.slots);
}

void hash_table_reserve(struct hash_table *t, size_t n)
{
	size_t n_slots = t->n_slots ? t->n_slots : SLOTS_FIRST;

	while (n_slots / 2 < n)
		n_slots *= 2;
	if (n_slots > t->n_slots)
		grow(t, n_slots);
}

void hash_table_add(struct hash_table *t, uint64_t hash, uint32_t index)
{
	if (t->n >= t->n_slots / 2)
		hash_table_reserve(t, t->n + 1);
	put(t, (struct hash_slot){ (uint32_t)hash, index + 1 });
	t->n++;
}
