/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Functions as values that refer to no profile, and the same functions in another profile of the
 * same files, or in the same profile by its other names (model/profile.h).
 *
 * Profiles number functions in the order in which they meet them, which differs between two
 * previews of a file. So a function is known by a hash of what identifies a frame: its name, its
 * url or else its script, line and column. */
#ifndef FLAMETTY_UI_SAME_FRAMES_H
#define FLAMETTY_UI_SAME_FRAMES_H

#include "model/profile.h"

struct same_frames {
	uint64_t *ids; /* owned */
	uint32_t n;
	bool is_source; /* of the names of sources */
};

/* The hash of a function; has_place: with its line and column. */
uint64_t same_frames_hash(const struct profile *profile, const struct frame *frame, bool has_place);

/* Take the functions with is[frame] of the profile's frames, in the order of their hashes; or a
 * list of n frames in its order. To be freed with same_frames_done(), which accepts zeros. */
void same_frames_take(const struct profile *profile, const uint8_t *is, struct same_frames *same);
void same_frames_list(const struct profile *profile, const frame_id *list, uint32_t n,
		      struct same_frames *same);

static inline void same_frames_done(struct same_frames *same)
{
	free(same->ids);
	*same = (struct same_frames){ 0 };
}

/* Mark the same functions of a profile: is: by frame, zeroed; 1 is set. The order of the ids does
 * not matter. Returns how many functions were marked. */
uint32_t same_frames_find(const struct profile *profile, const struct same_frames *same,
			  uint8_t *is);

/* Find each function of a list: found[i] becomes the only function of the profile that is
 * same->ids[i], or FRAME_NONE where there is none, or there are several. Returns whether all were
 * found. */
bool same_frames_each(const struct profile *profile, const struct same_frames *same,
		      frame_id *found);

/* The first function of the profile that is one of these; FRAME_NONE: none is. */
frame_id same_frames_first(const struct profile *profile, const struct same_frames *same);

struct same_stack {
	uint64_t *ids;   /* of functions with their places, the outermost first; owned */
	uint64_t *names; /* the same without line and column; owned */
	uint32_t n;      /* 0: no call */
};

/* Take the call of a node. To be freed with same_stack_done(), which accepts zeros. */
void same_stack_take(const struct profile *profile, const struct calltree *tree, node_id node,
		     struct same_stack *stack);

static inline void same_stack_done(struct same_stack *stack)
{
	free(stack->ids);
	free(stack->names);
	*stack = (struct same_stack){ 0 };
}

/* Whether a node is that call, with all functions at the same places. */
bool same_stack_is(const struct same_stack *stack, const struct profile *profile,
		   const struct calltree *tree, node_id node);

/* The node of the call, or of the nearest caller that is there; NODE_ROOT: there is none. A
 * function that is not there at its place is one of the same name and file elsewhere. */
node_id same_stack_find(const struct same_stack *stack, const struct profile *profile,
			const struct calltree *tree);

/* The span of a node that is nearest to a time. False: it has none. */
bool same_stack_span(const struct lane *lane, node_id node, int64_t t, struct span *span);

#endif
