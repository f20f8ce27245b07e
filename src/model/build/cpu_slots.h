/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Slots: the node ids of a file as small numbers. Ids below SLOT_DENSE are their own number; all
 * others are numbered from SLOT_SPARSE on, by their text.
 *
 * The slots of a few dense ids stand in a small hash table, so that each of many small profiles
 * takes little memory. More than SLOT_FEW of them move to chunks that are allocated when needed. */
#ifndef FLAMETTY_BUILD_CPU_SLOTS_H
#define FLAMETTY_BUILD_CPU_SLOTS_H

#include "base/intern.h"

#include <stddef.h>
#include <stdint.h>

#define SLOT_CHUNK 4096u
#define SLOT_DENSE (1u << 24)
#define SLOT_SPARSE 0x80000000u
#define SLOT_SPARSE_MOST (1u << 30)
#define SLOT_FEW 256u

/* Lookups are random accesses to a table of megabytes, so a slot is prefetched this many lookups
 * ahead. */
#define SLOT_AHEAD 32u

/* A slot: the state of one node id. */
struct slot {
	uint32_t node;   /* index + 1; 0: no such node */
	uint32_t lister; /* index + 1 of the first node that has it among its children */
};

/* A slot in the hash table. */
struct few_slot {
	uint32_t number; /* of the slot, + 1; 0: free */
	struct slot slot;
};

struct cpu_slots {
	/* SLOT_DENSE / SLOT_CHUNK chunks, NULL if not allocated yet. This is `own`, or a table
	 * without chunks while the slots are in `few`. */
	struct slot *const *chunks;
	struct slot **own;
	struct few_slot *few;    /* open addressing; at most half of the entries are used */
	uint32_t n_few, cap_few; /* cap_few: 0 or a power of two */
	struct slot *sparse;
	size_t n_sparse, cap_sparse;
	struct intern
		sparse_ids; /* text of an id -> index into sparse, + 1; at most SLOT_SPARSE_MOST */
};

void cpu_slots_init(struct cpu_slots *slots);

/* A zeroed struct is ignored. */
void cpu_slots_done(struct cpu_slots *slots);

/* The slot of an id as text, which must not be empty. "7" is the same id as 7. If there is no room
 * for another id, the slot is that of another node, and intern_fits() fails for sparse_ids. */
uint32_t cpu_slots_of_text(struct cpu_slots *slots, const char *id, size_t len);

/* Find or make a dense slot while there are no chunks, or no chunk that has it. */
struct slot *cpu_slots_add(struct cpu_slots *slots, uint32_t slot);

/* Find a dense slot that no chunk has. NULL: it does not exist. */
const struct slot *cpu_slots_find_few(const struct cpu_slots *slots, uint32_t slot);

/* Call `visit` for all slots that have a node, with their numbers, in no particular order. */
void cpu_slots_each(const struct cpu_slots *slots,
		    void (*visit)(void *ctx, uint32_t number, const struct slot *slot), void *ctx);

/* Forget the nodes of all slots; the slots and their numbers stay. */
void cpu_slots_clear(struct cpu_slots *slots);

/* The slot with this number, created if it is new. Valid until the next call. */
static inline struct slot *cpu_slots_get(struct cpu_slots *slots, uint32_t slot)
{
	struct slot *chunk;

	if (slot & SLOT_SPARSE)
		return &slots->sparse[slot & ~SLOT_SPARSE];
	chunk = slots->chunks[slot / SLOT_CHUNK];
	return chunk ? chunk + slot % SLOT_CHUNK : cpu_slots_add(slots, slot);
}

/* The slot with this number, or NULL. Creates none. */
static inline const struct slot *cpu_slots_find(const struct cpu_slots *slots, uint32_t slot)
{
	const struct slot *chunk;

	if (slot & SLOT_SPARSE)
		return &slots->sparse[slot & ~SLOT_SPARSE];
	chunk = slots->chunks[slot / SLOT_CHUNK];
	return chunk ? chunk + slot % SLOT_CHUNK : cpu_slots_find_few(slots, slot);
}

/* Prefetch a slot that will be looked up soon. Always inline: gcc considers a call that only
 * prefetches to have no effect, and removes it. */
__attribute__((always_inline)) static inline void cpu_slots_prefetch(const struct cpu_slots *slots,
								     uint32_t slot)
{
	if (!(slot & SLOT_SPARSE) && slots->chunks[slot / SLOT_CHUNK])
		__builtin_prefetch(slots->chunks[slot / SLOT_CHUNK] + slot % SLOT_CHUNK, 1);
}

#endif
