/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Takes 16 bytes a step; each half is multiplied and folded. The text of a call frame (some 150
 * bytes) costs about 20 multiplications. */
#include "config.h"

#include "base/hash.h"

#include "base/alloc.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* ==== hash table ====
 *
 * Open addressing with linear probing. A slot stores the low 32 bits of the hash: most slots of
 * other keys are skipped without examining the caller's entries, and the table can grow without
 * asking the caller for the hashes again.
 *
 * 1. At most half of the slots are used, so every search ends at a free slot.
 * 2. The entries of one hash stand in the order in which they were added: growing goes through the
 *    old slots from a free one on, so that it meets each cluster from its start, also the cluster
 *    that continues at the first slot. */

#define SLOTS_FIRST 16u

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

void hash_table_reserve(struct hash_table *t, size_t n)
{
	while (t->n_slots / 2 < n) {
		size_t n_old = t->n_slots, start = 0;

		/* Double the slots in place: new memory costs a page fault for each page. An entry
		 * stays in its half or moves to the same place of the new half, or to a lower one:
		 * no search passes over a slot that is still to be moved. */
		t->n_slots = n_old ? 2 * n_old : SLOTS_FIRST;
		t->slots = xrealloc(t->slots, t->n_slots, sizeof *t->slots);
		memset(t->slots + n_old, 0, (t->n_slots - n_old) * sizeof *t->slots);
		while (start < n_old && t->slots[start].used)
			start++;
		move_all(t, start, n_old);
		move_all(t, 0, start);
	}
}

void hash_table_add(struct hash_table *t, uint64_t hash, uint32_t index)
{
	if (t->n >= t->n_slots / 2)
		hash_table_reserve(t, t->n + 1);
	put(t, (struct hash_slot){ (uint32_t)hash, index + 1 });
	t->n++;
}

/* ==== hash ==== */

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

/* The same of a text of `len` bytes, 0 < len < 16, in front of which nothing may be read: from
 * loads that overlap. */
static void load_short(const unsigned char *p, size_t len, uint64_t tail[2])
{
	uint32_t low, high;

	tail[1] = 0;
	if (len >= 8) {
		tail[0] = hash_load64(p);
		if (len > 8)
			tail[1] = hash_load64(p + len - 8) >> 8 * (16 - len);
	} else if (len >= 4) {
		memcpy(&low, p, 4);
		memcpy(&high, p + len - 4, 4);
		tail[0] = low | (uint64_t)high << 8 * (len - 4);
	} else {
		tail[0] = p[0] | (uint64_t)p[len / 2] << 8 * (len / 2) |
			(uint64_t)p[len - 1] << 8 * (len - 1);
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
		if (!IS_LITTLE_ENDIAN)
			memcpy(tail, p, left);
		else if (len >= 16)
			load_tail(p + left, left, tail);
		else
			load_short(p, left, tail);
		a = mix(a, tail[0]);
		b = mix(b, tail[1]);
	}
	return hash_u64(a ^ (b << 29) ^ (b >> 35));
}
