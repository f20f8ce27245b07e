/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The heaviest stack through a row of a call table: of the calls that the row stands for, the one
 * with most total time, with its callers up to the outermost call, and with its heaviest callees
 * as long as these have more time than the call above them has by itself. */
#ifndef FLAMETTY_ANALYSE_HEAVY_STACK_H
#define FLAMETTY_ANALYSE_HEAVY_STACK_H

#include "analyse/scope.h"
#include "analyse/totals.h"
#include "analyse/view/view.h"
#include "model/profile.h"

#include <stdint.h>
#include <stdlib.h>

/* Which calls a path of functions stands for. */
enum heavy_from {
	HEAVY_CALLERS, /* a call of the first function; each one after it calls the one before */
	HEAVY_ROOT,    /* the path is a whole stack, the outermost call first */
	HEAVY_OUTER    /* the first function, where no caller is the same; its callees follow */
};

struct heavy_stack {
	const struct totals *totals;
	enum heavy_from from;
	frame_id *path; /* owned */
	uint32_t n_path;
	/* The result. */
	node_id *nodes; /* of the view, outermost first; owned */
	uint32_t n;     /* 0: no call of the row has time */
	uint32_t at;    /* index of the call that the row is about: the last function of the path */
	/* While it is computed: */
	node_id next; /* the next node to look at */
	node_id best; /* NODE_ROOT: none yet */
	bool is_found;
	size_t cap;
	node_id heaviest; /* of the callees of the last node of the result, so far */
};

/* Begin; takes `path`, n > 0 functions of the view, from malloc(). The totals must be complete and
 * stay until the result is complete. */
static inline void heavy_stack_begin(struct heavy_stack *stack, const struct totals *totals,
				     enum heavy_from from, frame_id *path, uint32_t n)
{
	*stack = (struct heavy_stack){ .totals = totals,
				       .from = from,
				       .path = path,
				       .n_path = n,
				       .next = NODE_ROOT + 1 };
}

/* Continue. Returns true when the result is complete. */
bool heavy_stack_step(struct heavy_stack *stack, struct budget *budget);

static inline void heavy_stack_done(struct heavy_stack *stack)
{
	free(stack->path);
	free(stack->nodes);
	*stack = (struct heavy_stack){ 0 };
}

/* Append a name. The separator `;` becomes `:`; control characters, line breaks among them, become
 * visible. */
void folded_add_name(struct buf *out, const char *name, size_t len);

/* Append a frame: its name, and for an anonymous function its location. */
void folded_add_frame(struct buf *out, const struct profile *profile, const struct frame *frame);

/* By node of a view of one lane: the number of samples in the range of the scope whose innermost
 * call it is. Other lanes than those of samples have none. The caller frees the result. */
uint64_t *leaf_counts(const struct view *view, const struct scope *scope);

#endif
