/* SPDX-License-Identifier: GPL-2.0-or-later */
/* An unvalidated CPU profile as the builder collected it. cpu_builder.c fills it; cpu_lane.c makes
 * a lane of it, and takes over several of its arrays on the way. */
#ifndef FLAMETTY_MODEL_BUILD_CPU_RAW_H
#define FLAMETTY_MODEL_BUILD_CPU_RAW_H

#include "base/error.h"
#include "base/intern.h"
#include "model/lane.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define SLOT_CHUNK 4096u
#define SLOT_DENSE (1u << 24)
#define SLOT_SPARSE 0x80000000u
#define SLOT_SPARSE_MAX (1u << 30)

/* Lookups are random accesses to a table of megabytes, so a slot is prefetched this many lookups
 * ahead. */
#define SLOT_AHEAD 32u

/* A slot: the state of one node id. */
struct slot {
	uint32_t node;   /* index + 1; 0: no such node */
	uint32_t lister; /* index + 1 of the first node that has it among its children */
};

struct cpu_slots {
	/* SLOT_DENSE / SLOT_CHUNK chunks, NULL if not allocated yet. This is `own`, or a table
	 * without chunks while the slots are in `few`. */
	struct slot *const *chunks;
	struct slot **own;
	uint32_t n_chunks;       /* none is allocated from here on */
	struct few_slot *few;    /* open addressing; at most half of the entries are used */
	uint32_t n_few, cap_few; /* cap_few: 0 or a power of two */
	struct slot *sparse;
	size_t n_sparse, cap_sparse;
	/* Text of an id -> index into sparse, + 1; at most SLOT_SPARSE_MAX. */
	struct intern sparse_ids;
};

/* A zeroed struct is ignored. */
void cpu_slots_done(struct cpu_slots *slots);

/* Call `visit` for all slots that have a node, with their numbers, in no particular order. */
void cpu_slots_each(const struct cpu_slots *slots,
		    void (*visit)(void *ctx, uint32_t number, const struct slot *slot), void *ctx);

/* Find or make a dense slot while there are no chunks, or no chunk that has it. */
struct slot *cpu_slots_add(struct cpu_slots *s, uint32_t slot);

/* Find a dense slot that no chunk has. NULL: it does not exist. */
const struct slot *cpu_slots_find_few(const struct cpu_slots *s, uint32_t slot);

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

struct cpu_filter;

/* A function as the file has it; line and column counted from 0, -1 unknown. */
struct raw_frame {
	str_id name, url, script;
	bool is_by_name;  /* category_is_by_name() */
	bool is_old_node; /* of the profile for which `known` was found */
	int64_t line, column;
	/* What the file says of whose the function is. */
	enum raw_owner { RAW_OWNER_UNKNOWN, RAW_OWNER_USER, RAW_OWNER_OTHER } owner;
	frame_id known; /* its frame in an earlier profile; FRAME_NONE: not known */
};

#define TEXT_UNUSED UINT32_MAX /* cpu_text.frame */

struct raw_deopt {
	uint32_t node;
	str_id reason;
};

/* Part of the sum of a node: of the samples with this set of labels. */
struct raw_label_sum {
	uint32_t node, set;
	int64_t ns;
};

struct cpu_raw {
	uint32_t number;           /* of the profile, in the order in which profiles began */
	struct cpu_filter *filter; /* samples and times go there first; NULL: all are kept */
	bool is_small;             /* of a small file */

	struct raw_frame *frames;
	size_t n_frames, cap_frames;

	struct cpu_slots slots;

	/* By node, in file order. */
	uint32_t *frame;
	uint32_t *lister; /* the node that has it among its children; UINT32_MAX: none */
	uint32_t *hits;   /* NULL: no node has any */
	uint32_t *parent; /* slot; NULL: no node names a parent */
	int64_t *sum;     /* ns; NULL: no node has a sum */
	size_t n, cap, cap_parent;
	size_t n_missing; /* ids of children without a node */

	uint32_t *shared; /* nodes whose id other nodes have, too; may hold one twice */
	size_t n_shared, cap_shared;

	struct line_ticks *ticks; /* their nodes by file index */
	size_t n_ticks, cap_ticks;
	struct cpu_lines *lines; /* counts of samples, which become ticks; NULL: none */
	struct raw_deopt *deopts;
	size_t n_deopts, cap_deopts;

	uint32_t *samples; /* slots; the first n_placed: nodes; later node ids of the lane */
	size_t n_samples, cap_samples, n_placed;
	int64_t *times; /* deltas or time stamps, ns; later absolute times, one more than samples */
	size_t n_times, cap_times;
	uint32_t *deltas;    /* the n_times times while `times` is NULL: sample_time.c */
	uint64_t n_taken;    /* samples that are not stretches of the reader; 0: all */
	int64_t interval_ns; /* their distance */
	bool is_stamps;
	bool has_long;       /* a delta needs more than 32 bits */
	bool is_as_recorded; /* samples are not joined, GC is not moved */
	bool is_by_function; /* equal stacks are the same, whatever their nodes */
	bool is_names_only;  /* a function without url is not native for that reason */
	bool is_instant;     /* a single sample without length */
	bool is_unmeasured;  /* the samples have no duration, and nothing ends them */
	bool has_start, has_end;
	bool is_start_cut; /* startTime was there, but out of range */
	int64_t start_ns, end_ns;

	struct recorded recorded; /* its nodes and samples by their numbers here */

	bool has_sums; /* instead of samples */
	int64_t all_sums;
	struct lane_value value; /* what they are sums of */
	int64_t tick_ns;         /* of lines */

	uint32_t *labels; /* by sample: a set of labels; NULL: no sample has any */
	size_t n_labels, cap_labels;
	struct raw_label_sum *label_sums; /* later samples, in order; NULL: no sample has labels */
	size_t n_label_sums, cap_label_sums;

	str_id title;                            /* of the lane */
	str_id process_name, thread_name, waits; /* as the file states them; 0: it does not */
	int64_t parent_pid;                      /* LANE_NO_ID: it does not */
	bool is_folded;
};

/* Turn the counts into raw->ticks, by node, as long as raw has its slots. If nodes have
 * positionTicks, these win. raw->lines is then NULL. */
void cpu_lines_resolve(struct cpu_raw *raw);

struct builder;

/* Add the lane of the current profile (cpu_lane.c). Uses up what was collected. Fails with
 * ERR_FORMAT when there is nothing to show. */
bool cpu_lane_build(struct builder *b, int64_t pid, int64_t tid, struct error *err) MUST_USE;

/* Give the samples of a lane the labels of its input, too. */
void cpu_lane_label(struct builder *b, struct lane *lane);

/* Whether stacks of a lane may be so deep that they are cut. */
bool cpu_lane_may_be_cut(const struct lane *lane);

#endif
