/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The stacks of a lane: the nodes in which its samples end, and those that garbage collection
 * interrupted, in the order of the nodes. Most nodes only lead to others: what is stored by stack
 * takes less memory than what is stored by node. Stack 0 is the empty one. */
#ifndef FLAMETTY_ANALYSIS_FINDING_CHARGE_STACKS_H
#define FLAMETTY_ANALYSIS_FINDING_CHARGE_STACKS_H

#include "model/blocks.h"
#include "model/profile.h"

enum charge_kind {
	CHARGE_STACK,
	CHARGE_WAITING, /* a stack whose leaf sleeps: CHARGE_SLEEPS */
	CHARGE_GC,
	CHARGE_IDLE,
	CHARGE_PROGRAM,
	CHARGE_EMPTY
};

#define CHARGE_KINDS (CHARGE_EMPTY + 1)

#define CHARGE_STACKS_WORD 32u /* nodes */

/* Which of CHARGE_STACKS_WORD nodes are stacks, and how many stacks there are before them. */
struct charge_stacks_word {
	uint32_t bits, before;
};

struct charge_stacks {
	const struct lane *lane;
	uint8_t *kind; /* by node: enum charge_kind; the caller sets it */
	uint32_t n;
	node_id *node; /* by stack, ascending */
	struct charge_stacks_word *words;
	/* The state of the search. */
	struct blocks_walk walk; /* begun if it has samples */
};

/* All kinds are 0. */
void charge_stacks_init(struct charge_stacks *stacks, const struct lane *lane);
void charge_stacks_done(struct charge_stacks *stacks);

/* Find the stacks, when the kinds are set. Call it until it returns true. */
bool charge_stacks_find(struct charge_stacks *stacks, struct budget *budget);

/* The stack below garbage collection, as a node; NODE_ROOT if there is none. */
node_id charge_stacks_below_gc(const struct charge_stacks *stacks, node_id node);

/* The number of bits that are set. */
static inline uint32_t charge_stacks_bits(uint32_t bits)
{
	bits -= bits >> 1 & 0x55555555u;
	bits = (bits & 0x33333333u) + (bits >> 2 & 0x33333333u);
	return ((bits + (bits >> 4)) & 0x0f0f0f0fu) * 0x01010101u >> 24;
}

/* How many stacks are nodes before `node`, which may be one past the last node: the stack of a node
 * that is one. The stacks of a subtree follow each other. */
static inline uint32_t charge_stacks_before(const struct charge_stacks *stacks, node_id node)
{
	struct charge_stacks_word word = stacks->words[node / CHARGE_STACKS_WORD];

	return word.before +
		charge_stacks_bits(word.bits & ((1u << node % CHARGE_STACKS_WORD) - 1u));
}

#endif
