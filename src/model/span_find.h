/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds spans in a lane: the next one of a function, the longest one in view. All functions walk
 * over samples with one comparison each. */
#ifndef FLAMETTY_MODEL_SPAN_FIND_H
#define FLAMETTY_MODEL_SPAN_FIND_H

#include "model/profile.h"

/* The wanted nodes of a lane. By node: the outermost wanted node at or above it; NODE_ROOT: none.
 */
struct span_find {
	const struct lane *lane;
	node_id *owner;           /* NULL: it is known from the stacks */
	frame_id frame;           /* then the wanted function, */
	const uint8_t *is_wanted; /* or by node; NULL: a function is wanted */
};

/* If memory is refused (base/alloc.h), the struct is zeroed, and nothing is found. */
void span_find_init_frame(struct span_find *seek, const struct lane *lane, frame_id frame);
void span_find_init_nodes(struct span_find *seek, const struct lane *lane, const node_id *nodes,
			  uint32_t n);

/* is_wanted: by node. */
void span_find_init_set(struct span_find *seek, const struct lane *lane, const uint8_t *is_wanted);

/* The same for span_find_heaviest() alone: it needs no memory, and takes time for each row of the
 * stacks. is_wanted: NULL: `frame` is wanted; borrowed. */
static inline void span_find_init_stacks(struct span_find *seek, const struct lane *lane,
					 frame_id frame, const uint8_t *is_wanted)
{
	*seek = (struct span_find){ .lane = lane, .frame = frame, .is_wanted = is_wanted };
}

static inline void span_find_done(struct span_find *seek)
{
	free(seek->owner);
	*seek = (struct span_find){ 0 };
}

/* The outermost wanted span of sample i. */
bool span_find_at(const struct span_find *seek, size_t i, struct span *out);

/* The first wanted span with a sample at `from` or later; the last one with a sample before
 * `before`. */
bool span_find_next(const struct span_find *seek, size_t from, struct span *out);
bool span_find_before(const struct span_find *seek, size_t before, struct span *out);

/* The wanted span that has most time in [t0, t1) with one of certain nodes as the leaf; of several,
 * the one with the longest part. is_leaf: by node; NULL:
 * none is. */
bool span_find_heaviest(const struct span_find *seek, const uint8_t *is_leaf, int64_t t0,
			int64_t t1, struct span *out);

/* The wanted span with the longest part in [t0, t1). */
static inline bool span_find_longest(const struct span_find *seek, int64_t t0, int64_t t1,
				     struct span *out)
{
	return span_find_heaviest(seek, NULL, t0, t1, out);
}

/* The longest callee of `span` in [t0, t1); NULL: the longest outermost span. */
bool span_find_callee(const struct lane *lane, const struct span *span, int64_t t0, int64_t t1,
		      struct span *out);

/* The self time of a span in ns. */
int64_t span_find_self_ns(const struct lane *lane, const struct span *span);

#endif
