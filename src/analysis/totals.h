/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Self and total time of the nodes and frames of a view in a time range. Partly
 * covered spans count with their covered part; recursion counts once in totals. */
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
	uint8_t *is_called; /* by frame of the view; 1: some of its own or total time came by a
			       caller */
	uint32_t n_frames;
	frame_id *used; /* frames with a node that has time */
	uint32_t n_used;
	int64_t sampled_ns; /* sum of self, the root's left out */
	int64_t idle_ns;    /* of the category idle */
	int64_t dropped_ns; /* sampled, but left out by the view's transforms */
	uint32_t n_cleared; /* while it is computed: nodes that are cleared, */
	uint32_t source;    /* the source that is added, */
	bool has_walk;      /* and was begun, */
	struct blocks_walk walk;
	uint32_t n_left; /* nodes that are not summed, with the root */
};

/* The view must outlive the totals. */
void totals_init(struct totals *totals, const struct view *view);
void totals_done(struct totals *totals);

/* The same in steps: begin, then call totals_step() until it returns true. Until then no member of
 * the result is valid. */
void totals_begin(struct totals *totals, int64_t t0, int64_t t1);
bool totals_step(struct totals *totals, struct budget *budget);

/* Compute for [t0, t1), over all lanes of the view. For a lane without a time line the times stand
 * for hits. */
void totals_compute(struct totals *totals, int64_t t0, int64_t t1);

/* Counts by frame of the view. */
struct totals_counts {
	uint64_t *spans; /* spans with time in the range, those open at its start with them */
	uint64_t *self_samples; /* samples that the function is on top of */
	uint8_t *is_used;       /* 1: on the stack of any sample, even one of zero length */
};

/* Count for the range that was computed last: a pass over its samples. Spans of one frame that a
 * transform brought together count once where they touch; slices of one name that touch in the lane
 * stay two. What is dropped parts what is before it from what is after. */
void totals_counts(const struct totals *totals, struct totals_counts *counts);
void totals_counts_done(struct totals_counts *counts);

#endif
