/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The stacks that one function has, as lines of the folded format, for flamegraph.pl and its like:
 * one line for each, heaviest first. Of many stacks, the lightest ones share the last line, so that
 * the lines always add up to the time of all. Borrows everything that it points to. */
#ifndef FLAMETTY_UI_COPY_FOLDED_H
#define FLAMETTY_UI_COPY_FOLDED_H

#include "analyse/totals.h"

#define COPY_FOLDED_LINES_MOST 100

struct copy_folded {
	const struct profile *profile;
	const struct frame *frames; /* what tree->frame refers to */
	const struct calltree *tree;
	bool is_flipped; /* a node's parent is what it calls */
	bool is_hits;  /* values are hit counts; otherwise ns, which are written as microseconds */
	size_t n;      /* stacks */
	int64_t value; /* of all of them */
	struct copy_folded_stack {
		node_id node;
		int64_t value;
	} heaviest[COPY_FOLDED_LINES_MOST]; /* as many as there are */
};

/* Add the stacks in which path[0] is called by path[1], which is called by path[2], and so on.
 * `tree` must be that of the totals. In a flipped tree only path[0] counts. */
void copy_folded_function(struct copy_folded *f, const struct totals *totals, const frame_id *path,
			  uint32_t n_path);

/* Add the stacks of the samples of a span. `tree` must be that of their lane. */
void copy_folded_span(struct copy_folded *f, const struct samples *samples,
		      const struct span *span);

/* Append the lines, without a line break after the last one. */
void copy_folded_write(const struct copy_folded *f, struct buf *out);

/* Append one line: n frames, innermost first. */
void copy_folded_stack(const struct copy_folded *f, const frame_id *stack, uint32_t n,
		       int64_t value, struct buf *out);

#endif
