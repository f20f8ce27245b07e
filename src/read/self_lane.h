/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A JS Self-Profiling trace as its lists, and the lane that they make. The reader fills the lists
 * and owns them. */
#ifndef FLAMETTY_READER_SELF_LANE_H
#define FLAMETTY_READER_SELF_LANE_H

#include "base/intern.h"
#include "model/build/builder.h"
#include "read/reader.h"

#include <stdint.h>

struct self_frame {
	str_id name;
	int64_t resource, line, column; /* line and column count from 1 */
};

struct self_stack {
	int64_t frame, parent;
};

struct self_sample {
	int64_t t, stack;
	str_id marker;
};

struct self_trace {
	struct intern *texts; /* of the names and urls; borrowed */
	struct self_frame *frames;
	size_t n_frames, cap_frames;
	str_id *resources;
	size_t n_resources, cap_resources;
	struct self_stack *stacks;
	size_t n_stacks, cap_stacks;
	struct self_sample *samples; /* in any order; an index that is absent: JSON_INDEX_ABSENT */
	size_t n_samples, cap_samples;
};

/* What a lane is made for. */
struct self_lane_order {
	struct builder *b;
	const struct file_hints *hints;
	const char *title; /* of the lane; empty: none */
	struct error *err;
};

/* Make a lane of a trace that has samples. False, with the error set: it has too many stacks. */
bool self_lane_make(const struct self_trace *trace, const struct self_lane_order *order);

#endif
