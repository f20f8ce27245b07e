/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How much of the total time of calls and functions is garbage collection, which lies on top of the
 * stacks that it interrupted. Of garbage collection itself it is all of its time. */
#ifndef FLAMETTY_ANALYSE_GC_PART_H
#define FLAMETTY_ANALYSE_GC_PART_H

#include "analyse/rows/rows.h"
#include "analyse/totals.h"

struct gc_part {
	const struct calltree *tree; /* of the view */
	int64_t *node;               /* ns by node of the view */
	int64_t *frame;              /* ns by frame of the view */
};

/* Find the parts of totals that are complete. The view must outlive them. */
void gc_part_find(struct gc_part *part, const struct totals *totals);

/* A zeroed struct is allowed. */
static inline void gc_part_done(struct gc_part *part)
{
	free(part->node);
	free(part->frame);
	*part = (struct gc_part){ .tree = NULL };
}

/* How much memory the parts take. */
static inline size_t gc_part_bytes(const struct totals *totals)
{
	size_t n = totals->view->tree ? totals->view->tree->n : 0;

	return (n + totals->n_frames + 2) * sizeof(int64_t);
}

/* The part of a row's total time, in ns; -1: not known, as the nodes of the row are not. */
int64_t gc_part_of_row(const struct gc_part *part, enum rows_kind kind, const struct row *row);

#endif
