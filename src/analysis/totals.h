/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Self and total time of the nodes and frames of a view in a range. Partly covered spans count with
 * the covered part; totals count recursion once. */
#ifndef FLAMETTY_ANALYSIS_TOTALS_H
#define FLAMETTY_ANALYSIS_TOTALS_H

#include "analysis/view.h"
#include "base/budget.h"
#include "model/blocks.h"

struct totals {
	const struct profile *profile;
	const struct view *view;
	int64_t t0, t1;
	int64_t *self;       /* ns by node */
	int64_t *total;      /* ns by node */
	int64_t *frame_self; /* ns by frame of the view */
	int64_t *frame_total;
	/* By frame of the view; 1: part of its own or total time came by a caller. */
	uint8_t *is_called;
	uint32_t n_frames;
	frame_id *used; /* the frames that have a node with time */
	uint32_t n_used;
	int64_t sampled_ns; /* sum of self, without the root */
	int64_t idle_ns;    /* of category idle */
	int64_t dropped_ns; /* sampled, but dropped by the view's transforms */
	uint32_t n_cleared; /* state of the computation: number of nodes cleared, */
	uint32_t source;    /* the source that is being added, */
	bool has_walk;      /* whether it was begun, */
	struct blocks_walk walk;
	uint32_t n_left; /* number of nodes not summed yet, including the root */
};

/* The view must outlive the totals. */
void totals_init(struct totals *totals, const struct view *view);
void totals_done(struct totals *totals);

/* The same in steps: begin, then call totals_step() until it returns true. Before that, no member
 * of the result is valid. */
void totals_begin(struct totals *totals, int64_t t0, int64_t t1);
bool totals_step(struct totals *totals, struct budget *budget);

/* Compute for [t0, t1), over all lanes of the view. In a lane without a time line, times are hits.
 */
void totals_compute(struct totals *totals, int64_t t0, int64_t t1);

/* Counts by frame of the view. */
struct totals_counts {
	/* Spans with time in the range, including those that are open at its start. */
	uint64_t *spans;
	uint64_t *self_samples; /* samples with the function as the leaf */
	uint8_t *is_used;       /* 1: on the stack of a sample, even one of zero length */
};

/* Count for the range that was computed last, in a walk over its samples. Adjacent spans that a
 * transform gave the same frame count as one; adjacent slices with the same name, on the same lane,
 * stay two. Dropped time separates spans. */
void totals_counts(const struct totals *totals, struct totals_counts *counts);
void totals_counts_done(struct totals_counts *counts);

#endif
