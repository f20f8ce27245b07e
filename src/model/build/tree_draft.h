/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The call tree of a CPU profile while it is repaired. Nodes are known by their index in the file;
 * nodes that the builder adds (unknown, GC on a stack) come after them. */
#ifndef FLAMETTY_MODEL_BUILD_TREE_DRAFT_H
#define FLAMETTY_MODEL_BUILD_TREE_DRAFT_H

#include "model/build/cpu_raw.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct builder;

#define TREE_DRAFT_NONE UINT32_MAX

struct tree_draft {
	uint32_t n;
	size_t cap;
	uint32_t *parent; /* TREE_DRAFT_NONE for the root */
	frame_id *frame;
	uint32_t root;
	uint32_t unknown;   /* the node for samples of unknown nodes; TREE_DRAFT_NONE: none yet */
	uint32_t *gc_child; /* by node: the GC node on it, 0: none; NULL: no GC at all */
	size_t n_gc_child;
	uint32_t *scratch; /* by node, for one step at a time: see tree_draft_scratch() */
};

/* Whether a node without a parent is a function, not the root: it has a place, or a time of its own
 * and a name that no root has. */
bool tree_draft_is_function(const struct builder *b, const struct raw_frame *f, bool has_time);

/* Make the tree of the builder's current profile. Takes over its arrays by node. */
void tree_draft_init(struct tree_draft *draft, struct builder *b);

/* Free everything. A second call does nothing. */
static inline void tree_draft_done(struct tree_draft *d)
{
	free(d->parent);
	free(d->frame);
	free(d->gc_child);
	free(d->scratch);
	*d = (struct tree_draft){ 0 };
}

/* An array with one undefined number for each node. The next call reuses it. */
uint32_t *tree_draft_scratch(struct tree_draft *draft);

/* Make slots of the samples that are placed. */
void cpu_place_undo(struct cpu_raw *raw);

/* Turn raw.samples into nodes of the draft, and free the slots. Either all samples or none are
 * placed. Samples must be in the order of time. Adds nodes to the draft where samples need them. */
void cpu_place_samples(struct builder *b, struct tree_draft *draft);

#endif
