/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The state of a builder, shared by the files of this folder. A file calls those below it:
 *
 * 1. builder.c
 * 2. cpu_builder.c, track_builder.c: what readers call
 * 3. cpu_lane.c, slice_lane.c, lane_order.c, align.c: at the end, and for each lane
 * 4. tree_draft.c; subset.c: what is kept, if not everything
 * 5. sample_time.c
 * 6. stray.c: which times are far from all others
 * 7. track_raw.c: data structures
 *
 * Below all of them, though in files above, are the sections of builder.c but the last (lanes,
 * unit, warnings, inputs, labels), the tables cpu_slots and cpu_lines of cpu_builder.c, and
 * track_builder_window(). */
#ifndef FLAMETTY_MODEL_BUILD_BUILDER_STATE_H
#define FLAMETTY_MODEL_BUILD_BUILDER_STATE_H

#include "model/build/builder.h"
#include "model/build/cpu_builder.h"
#include "model/build/cpu_raw.h"
#include "model/build/stray.h"
#include "model/build/track_raw.h"

/* A child that is not linked yet, because its slot is still being fetched from memory. */
struct child {
	uint32_t node, slot;
	int64_t offset;
};

struct builder {
	struct builder_options options;
	struct profile *profile;
	struct lane_source *sources; /* by lane */
	size_t cap_lanes, cap_inputs;
	struct cpu_raw raw; /* the current CPU profile */
	struct cpu_texts texts;
	uint64_t n_repaired; /* texts that were not UTF-8 */
	/* The last children that it named, by number modulo SLOT_AHEAD; those up to n_linked are
	 * linked. */
	struct child children[SLOT_AHEAD];
	size_t n_children, n_linked;
	struct tracks tracks;
	bool has_begun;      /* options.has_begun was set */
	bool is_empty_valid; /* builder_accept_empty() was called */
	bool is_whole_only;  /* builder_no_subset() was called */
	uint32_t clock;      /* of CPU profiles from here on: lane_source.clock */
	uint32_t n_clocks;
	struct stray_times times; /* of the current input */
	bool has_kept;            /* of which a survey has found what is stray */
	bool has_strays;          /* something is stray */
	bool has_stray_samples;
	uint32_t argument; /* of the inputs from here on: struct input */
	struct builder_label labels[BUILDER_INPUT_LABELS]; /* the same */
	size_t n_labels;
	const char *files_note; /* builder_files_note(); NULL: none */
	uint32_t n_cpus;        /* CPU profiles begun so far */

	/* Called before a warning is added; NULL: nothing to do. It must not warn itself, except
	 * by builder_warn_text() after it has reset this pointer. */
	void (*before_warning)(struct builder *b);
};

static inline uint32_t builder_this_input_index(const struct builder *b)
{
	return b->profile->n_inputs - 1;
}

/* The source of the lane that was added last. */
static inline struct lane_source *builder_lane_source(const struct builder *b)
{
	return &b->sources[b->profile->n_lanes - 1];
}

/* Tell that the first sample or slice has come. */
static inline void builder_begun(struct builder *b)
{
	if (b->has_begun)
		return;
	b->has_begun = true;
	if (b->options.has_begun)
		atomic_store(b->options.has_begun, true);
}

#endif
