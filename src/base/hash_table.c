/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Open addressing with linear probing. A slot stores the low 32 bits of the hash: most slots of
 * other keys are skipped without examining the caller's entries, and the table can grow without
 * asking the caller for the hashes again.
 *
 * 1. At most half of the slots are used, so every search ends at a free slot.
 * 2. The entries of one hash stand in the order in which they were added: growing goes through the
 *    old slots from a free one on, so that it meets each cluster from its start, also the cluster
 *    that continues at the first slot. */
#include "config.h"

#include "base/hash_table.h"

#include "base/alloc.h"

#include <stdlib.h>
#include <string.h>

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

/* Put the entries of some old slots anew. */
static void move_all(struct hash_table *t, size_t from, size_t end)
{
	for (size_t i = from; i < end; i++) {
		struct hash_slot slot = t->slots[i];

		if (!slot.used)
			continue;
		t->slots[i] = (struct hash_slot){ 0 };
		put(t, slot);
	}
}

/* Double the slots in place: new memory costs a page fault for each page. An entry stays in its
 * half or moves to the same place of the new half, or to a lower one: no search passes over a slot
 * that is still to be moved. */
static void grow(struct hash_table *t)
{
	size_t n_old = t->n_slots, start = 0;

	t->n_slots = n_old ? 2 * n_old : SLOTS_FIRST;
	t->slots = xrealloc(t->slots, t->n_slots, sizeof *t->slots);
	memset(t->slots + n_old, 0, (t->n_slots - n_old) * sizeof *t->slots);
	while (start < n_old && t->slots[start].used)
		start++;
	move_all(t, start, n_old);
	move_all(t, 0, start);
}

void hash_table_reserve(struct hash_table *t, size_t n)
{
	while (t->n_slots / 2 < n)
		grow(t);
}

void hash_table_add(struct hash_table *t, uint64_t hash, uint32_t index)
{
	if (t->n >= t->n_slots / 2)
		hash_table_reserve(t, t->n + 1);
	put(t, (struct hash_slot){ (uint32_t)hash, index + 1 });
	t->n++;
}
