/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A lane in the making, for formats that have stacks instead of a tree with numbered nodes: a
 * stack is walked from the outside in and becomes a node; samples are nodes with
 * times. What belongs to the file's format (frames by number, units) stays with its
 * reader. */
#ifndef FLAMETTY_READER_STACK_LANE_H
#define FLAMETTY_READER_STACK_LANE_H

#include "build/builder.h"
#include "model/node_map.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Times beyond this are cut by the reader: sums of two fit. */
#define STACK_LANE_TIME_MAX (INT64_C(1) << 61)

/* Node 0 is the root: an empty stack. A zeroed struct has nothing, not even that. */
struct stack_lane {
	struct node_map map; /* its frames: the reader's numbers of frames */
	uint32_t *samples;   /* nodes */
	int64_t *times;      /* ns */
	size_t n_samples, cap_samples;
	int64_t end_ns; /* of the last sample, if has_end */
	bool has_end;
};

void stack_lane_init(struct stack_lane *l);
void stack_lane_done(struct stack_lane *l);

/* The node of `frame` called from `parent`. Fails with ERR_LIMIT. */
bool stack_lane_child(struct stack_lane *l, uint32_t parent, uint32_t frame, uint32_t *node,
		      struct error *err);

/* A sample of `node` from t on, up to the next one. */
void stack_lane_sample(struct stack_lane *l, uint32_t node, int64_t t);

/* Sort samples by time, stable. Returns how many do not come after the one before. */
size_t stack_lane_sort(struct stack_lane *l);

/* Pass all to the builder, between cpu_builder_begin() and cpu_builder_end(). frames[i]: what
 * cpu_builder_frame() gave for the reader's frame i. */
void stack_lane_emit(const struct stack_lane *l, struct builder *b, const uint32_t *frames);

#endif
