/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A CPU profile as its reader passed it on, before it makes sense. Shared by the
 * three files that turn it into a lane: builder.c collects, sample_time.c gives each
 * sample its time, cpu_lane.c builds the tree and the spans. */
#ifndef FLAMETTY_BUILD_CPU_RAW_H
#define FLAMETTY_BUILD_CPU_RAW_H

#include "build/builder.h"
#include "build/tracks.h"

/* A child that waits for its slot to come from memory. */
struct raw_child {
	uint32_t node, slot;
	int64_t offset;
};

/* A function as the file has it; line and column counted from 0, -1 unknown. */
struct raw_frame {
	str_id name, url, script;
	int64_t line, column;
};

struct slot {
	uint32_t node;   /* index + 1; 0: no such node */
	uint32_t lister; /* index + 1 of the first node that has it among its children */
};

/* Limit of times on both sides of zero: their differences fit into 64 bits, and some more. */
#define CPU_TIME_MAX ((INT64_C(1) << 62) - (INT64_C(1) << 32))

#define SLOT_CHUNK 4096u
#define SLOT_DENSE (1u << 24)   /* ids below stand for themselves */
#define SLOT_SPARSE 0x80000000u /* the others are numbered from here on */

/* Slots are looked up all over a table of megabytes: this many lookups are asked for ahead. */
#define SLOT_AHEAD 32u

struct cpu_stream;

/* What sample times follow from: of all samples, whether they are kept or not; absolute, ns. */
struct sample_bounds {
	size_t n;
	int64_t first, last;
	bool has_surplus, runs_back;
	int64_t surplus;
};

struct cpu_raw {
	uint32_t number;           /* in the order in which profiles began */
	struct cpu_stream *stream; /* if not all samples are kept: they and their times go there
				      first; NULL: all are */

	struct raw_frame *frames;
	size_t n_frames, cap_frames;

	struct slot **chunks; /* SLOT_DENSE / SLOT_CHUNK of them, made when needed */
	struct slot *sparse;
	size_t n_sparse, cap_sparse;
	struct intern sparse_ids; /* text of id -> index into sparse, less one */

	/* The last children named, by number modulo SLOT_AHEAD; those up to n_linked are linked. */
	struct raw_child children[SLOT_AHEAD];
	size_t n_children, n_linked;

	uint32_t *frame; /* by node, in file order */
	uint32_t *slot;  /* by node; SLOT_NONE: the node has no id */
	uint32_t *hits;
	uint32_t *parent; /* slot by node; NULL: no node names a parent */
	size_t n, cap, cap_parent;
	bool has_hits;

	struct line_ticks *ticks; /* node: file index */
	size_t n_ticks, cap_ticks;
	struct {
		uint32_t node;
		str_id reason;
	} * deopts;
	size_t n_deopts, cap_deopts;

	uint32_t *samples;
	size_t n_samples, cap_samples;
	int64_t *times; /* deltas or time stamps, ns */
	size_t n_times, cap_times;
	bool is_stamps;
	bool is_as_recorded; /* no joining, no moving of collections */
	bool is_names_only;  /* no url is no sign of native code */
	bool is_instant;     /* a single sample without length */
	bool has_start, has_end;
	bool is_start_cut; /* startTime was there, but out of range */
	int64_t start_ns, end_ns;
};

struct builder {
	struct builder_options options;
	struct profile *profile;
	struct cpu_raw raw;
	struct tracks tracks;
	bool has_begun; /* said so */
	uint32_t clock; /* of CPU profiles: lane.clock */
	uint32_t n_clocks;
	uint32_t n_cpus; /* CPU profiles that began */
};

static inline void builder_begun(struct builder *b)
{
	if (b->has_begun)
		return;
	b->has_begun = true;
	if (b->options.has_begun)
		atomic_store(b->options.has_begun, true);
}

/* The chunk of the table with this slot in it, made. */
struct slot *cpu_raw_chunk(struct cpu_raw *raw, uint32_t slot);

/* Free the table of slots. */
void cpu_raw_drop_slots(struct cpu_raw *raw);

/* The slot with this number, made if it is new. */
static inline struct slot *cpu_raw_slot(struct cpu_raw *raw, uint32_t slot)
{
	struct slot *chunk;

	if (slot & SLOT_SPARSE)
		return &raw->sparse[slot & ~SLOT_SPARSE];
	chunk = raw->chunks[slot / SLOT_CHUNK];
	return (chunk ? chunk : cpu_raw_chunk(raw, slot)) + slot % SLOT_CHUNK;
}

/* Have a slot that will be looked up soon on its way from memory. Always inline: gcc takes a
 * call that only prefetches for one without effect, and leaves it out. */
#ifdef __GNUC__
__attribute__((always_inline))
#endif
static inline void
cpu_raw_prefetch(const struct cpu_raw *raw, uint32_t slot)
{
#ifdef __GNUC__
	if (!(slot & SLOT_SPARSE) && raw->chunks[slot / SLOT_CHUNK])
		__builtin_prefetch(raw->chunks[slot / SLOT_CHUNK] + slot % SLOT_CHUNK, 1);
#else
	(void)raw;
	(void)slot;
#endif
}

/* Turn samples and deltas into raw->times: n_samples + 1 absolute times, not
 * descending; samples are put in the order of time with them. Follows the rules of
 * formats(5), WHEN A SAMPLE IS. Times come out between -CPU_TIME_MAX and CPU_TIME_MAX. bounds: of
 * all samples; *end: where the last of them ends. False: a survey cannot tell. */
bool sample_time_resolve(struct builder *b, struct sample_bounds *bounds, int64_t *end);

/* Whether nodes below the root, known by their index in the file, have hits; samples out of them;
 * these put in the order of the nodes of the lane's tree (cpu_hits.c). */
bool cpu_hits_any(const struct cpu_raw *raw, uint32_t root);
void cpu_hits_to_samples(struct builder *b, uint32_t root);
void cpu_hits_sort(struct cpu_raw *raw, struct lane *lane);

/* Build the lane from what is in b->raw. */
bool cpu_lane_build(struct builder *b, int64_t pid, int64_t tid, struct error *err);

#endif
