/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A call as a value that refers to no profile: it is known by its stack, and found again in another
 * profile, also where code was changed between the two recordings. */
#ifndef FLAMETTY_UI_SAME_STACK_H
#define FLAMETTY_UI_SAME_STACK_H

#include "model/profile.h"

struct same_stack {
	uint64_t *ids;   /* of functions with their places, the outermost first; owned */
	uint64_t *names; /* the same without line and column; owned */
	uint32_t n;      /* 0: no call */
};

/* Take the call of a node. To be freed with same_stack_done(), which accepts zeros. */
void same_stack_take(const struct profile *profile, const struct calltree *tree, node_id node,
		     struct same_stack *stack);
void same_stack_done(struct same_stack *stack);

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
