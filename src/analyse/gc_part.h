/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How much of the total time of calls and functions is garbage collection, which lies on top of the
 * stacks that it interrupted. Of garbage collection itself it is all of its time. */
#ifndef FLAMETTY_ANALYSE_GC_PART_H
#define FLAMETTY_ANALYSE_GC_PART_H

#include "analyse/rows/rows.h"
#include "analyse/totals.h"
#include "base/budget.h"

struct gc_part {
	const struct totals *totals;
	int64_t *node;  /* ns by node of the view */
	int64_t *frame; /* ns by frame of the view */
	struct phases phases;
	bool is_complete;
};

/* Begin, call gc_part_work() until it returns true, then ask; gc_part_done() at any time, also for
 * a zeroed struct. The totals must be complete, and stay as they are. */
void gc_part_begin(struct gc_part *part, const struct totals *totals);
bool gc_part_work(struct gc_part *part, struct budget *budget);
void gc_part_done(struct gc_part *part);

/* How much memory the parts take. */
size_t gc_part_bytes(const struct totals *totals);

/* The part of a row's total time, in ns; -1: not known, as the nodes of the row are not. */
int64_t gc_part_of_row(const struct gc_part *part, enum rows_kind kind, const struct row *row);

#endif
