/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The sums of the functions of one lane, for the JSON report. A lane is taken together with the
 * lanes that are joined to it, which hold the overlapping slices of the same thread. */
#ifndef FLAMETTY_WRITE_REPORT_REPORT_JSON_H
#define FLAMETTY_WRITE_REPORT_REPORT_JSON_H

#include "analyse/totals.h"
#include "analyse/view/view.h"
#include "write/report/report.h"

#include <stdbool.h>
#include <stdint.h>

struct row_sum {
	int64_t self, total;
	uint64_t spans, self_samples;
	int64_t longest, shortest, spans_ns;
	uint64_t n_measured; /* spans that the three above are about */
	bool is_used;
	bool is_listed; /* in lane_sums.frames */
};

struct lane_sums {
	const struct profile *profile;
	const struct scoped *scoped;
	const struct report_options *options;
	uint8_t *is_row; /* by frame: --filter keeps it; NULL: all */

	const struct lane *lane; /* the first of n_lanes */
	uint32_t n_lanes;
	int64_t sampled_ns;   /* of all these lanes */
	struct row_sum *sums; /* by frame, of all these lanes */
	frame_id *frames;     /* those that have sums, in no order */
	uint32_t n_frames;
	uint32_t *index; /* by frame, of those in `order`: its index in "functions" */
	frame_id *order; /* frames in that order */
	uint32_t n;

	/* View and totals of one of the lanes, for lane_sums_totals(). */
	const struct lane *held; /* NULL: none */
	struct view view;
	struct totals totals;
};

/* Borrows the arguments. */
void lane_sums_init(struct lane_sums *o, const struct scoped *scoped,
		    const struct report_options *options);
void lane_sums_done(struct lane_sums *o);

/* Compute the sums of `lane` and the lanes joined to it, in the range of the options, in place of
 * those of the lane before. The cost follows their nodes, not the frames of the profile. */
void lane_sums_compute(struct lane_sums *o, const struct lane *lane);

/* The totals of one of these lanes: of o->lane + i, 0 <= i < n_lanes. They last until the next
 * call: many joined lanes would need much memory all at once. */
const struct totals *lane_sums_totals(struct lane_sums *o, uint32_t i);

/* The index in "functions" of a frame of the view of those totals. */
static inline uint32_t lane_sums_index(const struct lane_sums *o, frame_id frame)
{
	return o->index[view_frame_id(&o->view, frame)];
}

#endif
