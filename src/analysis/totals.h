/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Self and total time of nodes and functions of one lane in a time range. Partly
 * covered spans count with their covered part; recursion counts once in totals. */
#ifndef FLAMETTY_ANALYSIS_TOTALS_H
#define FLAMETTY_ANALYSIS_TOTALS_H

#include "model/profile.h"

struct totals {
	const struct profile *profile;
	const struct lane *lane;
	int64_t t0, t1;
	int64_t *self;        /* ns by node */
	int64_t *total;       /* ns by node */
	int64_t *frame_self;  /* ns by frame of the profile */
	int64_t *frame_total;
	uint8_t *is_called;   /* by frame of the profile; 1: has a node with time that is not a child of the root */
	uint32_t n_frames;
	frame_id *used;       /* frames with a node that has time */
	uint32_t n_used;
	int64_t sampled_ns;   /* sum of self, the root's left out */
	int64_t idle_ns;      /* of the category idle */
};

void totals_init(struct totals *totals, const struct profile *profile, const struct lane *lane);
void totals_done(struct totals *totals);

/* Compute for [t0, t1). For a lane without a time line the times stand for hits. */
void totals_compute(struct totals *totals, int64_t t0, int64_t t1);

/* Counts by frame of the profile. */
struct totals_counts {
	uint64_t *spans;        /* spans with time in the range, those open at its start with them */
	uint64_t *self_samples; /* samples that the function is on top of */
	uint8_t *is_used;       /* 1: on the stack of any sample, even one of zero length */
};

/* Count for the range that was computed last: a pass over its samples. */
void totals_counts(const struct totals *totals, struct totals_counts *counts);
void totals_counts_done(struct totals_counts *counts);

#endif
