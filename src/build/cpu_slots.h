/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Slots: the node ids of a file as small numbers. Ids below SLOT_DENSE are their own number and
 * stand in chunks that are allocated when needed; all others are numbered from SLOT_SPARSE on, by
 * their text. */
#ifndef FLAMETTY_BUILD_CPU_SLOTS_H
#define FLAMETTY_BUILD_CPU_SLOTS_H

#include "base/intern.h"

#include <stddef.h>
#include <stdint.h>

#define SLOT_CHUNK 4096u
#define SLOT_DENSE (1u << 24)
#define SLOT_SPARSE 0x80000000u
#define SLOT_SPARSE_MOST (1u << 30)

/* Lookups are random accesses to a table of megabytes, so a slot is prefetched this many lookups
 * ahead. */
#define SLOT_AHEAD 32u

/* A slot: the state of one node id. */
struct slot {
	uint32_t node;   /* index + 1; 0: no such node */
	uint32_t lister; /* index + 1 of the first node that has it among its children */
};

struct cpu_slots {
	struct slot **chunks; /* SLOT_DENSE / SLOT_CHUNK of them; NULL: none allocated yet */
	struct slot *sparse;
	size_t n_sparse, cap_sparse;
	struct intern
		sparse_ids; /* text of an id -> index into sparse, + 1; at most SLOT_SPARSE_MOST */
};

void cpu_slots_init(struct cpu_slots *slots);
void cpu_slots_done(struct cpu_slots *slots);

/* The slot of an id as text, which must not be empty. "7" is the same id as 7. If there is no room
 * for another id, the slot is that of another node, and intern_fits() fails for sparse_ids. */
uint32_t cpu_slots_of_text(struct cpu_slots *slots, const char *id, size_t len);

/* Allocate the chunk that has this slot. */
struct slot *cpu_slots_chunk(struct cpu_slots *slots, uint32_t slot);

/* The slot with this number, created if it is new. */
static inline struct slot *cpu_slots_get(struct cpu_slots *slots, uint32_t slot)
{
	struct slot *chunk;

	if (slot & SLOT_SPARSE)
		return &slots->sparse[slot & ~SLOT_SPARSE];
	chunk = slots->chunks[slot / SLOT_CHUNK];
	return (chunk ? chunk : cpu_slots_chunk(slots, slot)) + slot % SLOT_CHUNK;
}

/* The slot with this number, or NULL. Creates none. */
static inline const struct slot *cpu_slots_find(const struct cpu_slots *slots, uint32_t slot)
{
	const struct slot *chunk;

	if (slot & SLOT_SPARSE)
		return &slots->sparse[slot & ~SLOT_SPARSE];
	chunk = slots->chunks[slot / SLOT_CHUNK];
	return chunk ? chunk + slot % SLOT_CHUNK : NULL;
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
