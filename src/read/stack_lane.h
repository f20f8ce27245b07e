/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A lane under construction, for formats that have stacks instead of a tree of numbered nodes. A
 * stack becomes a node: the reader goes from the outermost frame inwards. A sample is a node and
 * a time. Frames are numbers that the reader chooses. */
#ifndef FLAMETTY_READ_STACK_LANE_H
#define FLAMETTY_READ_STACK_LANE_H

#include "base/intern.h"
#include "model/calltree.h"
#include "read/reader.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct builder;
struct error;

/* Node 0 is the root, an empty stack. A zeroed struct does not have it: call stack_lane_init(). */
struct stack_lane {
	struct node_map map; /* its frames: the reader's numbers of frames */
	uint32_t *samples;   /* nodes */
	int64_t *times;      /* ns */
	size_t n_samples, cap_samples;
	int64_t end_ns; /* of the last sample, if has_end */
	bool has_end;
};

static inline void stack_lane_init(struct stack_lane *l)
{
	*l = (struct stack_lane){ 0 };
	node_map_init(&l->map);
}

void stack_lane_done(struct stack_lane *l);

/* The node of `frame` called from `parent`. Fails with ERR_LIMIT. */
bool stack_lane_child(struct stack_lane *l, uint32_t parent, uint32_t frame, uint32_t *node,
		      struct error *err) MUST_USE;

/* Add a sample of `node` that lasts from t to the next sample. */
void stack_lane_sample(struct stack_lane *l, uint32_t node, int64_t t);

/* Sort samples by time; the sort is stable. Returns how many were earlier than the one before, or,
 * unless times may be equal, not later. */
size_t stack_lane_sort(struct stack_lane *l, bool may_be_equal);

/* Pass nodes and samples to the builder, between cpu_builder_begin() and cpu_builder_end(). The
 * lane takes no further nodes. frames[i]: the result of cpu_builder_frame() for the reader's frame
 * i. */
void stack_lane_emit(struct stack_lane *l, struct builder *b, const uint32_t *frames);

/* Pass a function to the builder. Line and column count from 1; 0: unknown. */
uint32_t stack_lane_frame(struct builder *b, const struct intern *texts, str_id name, str_id url,
			  int64_t line, int64_t column);

struct named_stacks {
	struct intern names;
	struct stack_lane lane; /* its frames: ids of names */
	uint32_t node;          /* of the names that were pushed */
	size_t n_stacks;        /* 0: the next stack begins at time 0 */
};

static inline void named_stacks_init(struct named_stacks *l)
{
	*l = (struct named_stacks){ 0 };
	intern_init(&l->names);
	stack_lane_init(&l->lane);
}

static inline void named_stacks_done(struct named_stacks *l)
{
	stack_lane_done(&l->lane);
	intern_done(&l->names);
}

/* Go from the current stack to the frame with this name, an id of l->names. Fails with ERR_LIMIT.
 */
bool named_stacks_push(struct named_stacks *l, str_id name, struct error *err) MUST_USE;

/* Add the current stack, which lasts `ns`, and begin an empty one. offset: of the stack in the
 * document, for the warning if `ns` is negative or too long. */
void named_stacks_add(struct named_stacks *l, struct builder *b, int64_t offset, int64_t ns);

/* Make the lane, and begin another one. Fails with ERR_FORMAT if there are no stacks, or as
 * cpu_builder_end() does. */
bool named_stacks_end(struct named_stacks *l, struct builder *b, const struct file_hints *hints,
		      struct error *err) MUST_USE;

#endif
