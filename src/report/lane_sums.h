/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The sums of the functions of one lane, for the JSON report. A lane is taken together with the
 * lanes that are joined to it, which hold the overlapping slices of the same thread. */
#ifndef FLAMETTY_REPORT_LANE_SUMS_H
#define FLAMETTY_REPORT_LANE_SUMS_H

#include "analysis/totals.h"
#include "analysis/view.h"
#include "report/report.h"

#include <stdbool.h>
#include <stdint.h>

struct row_sum {
	int64_t self, total;
	uint64_t spans, self_samples;
	int64_t longest, shortest, spans_ns;
	uint64_t n_measured; /* spans that the three above are about */
	bool is_used;
};

struct lane_sums {
	const struct profile *profile;
	const struct scoped *scoped;
	const struct report_options *options;
	const struct lane *lane; /* the first of n_lanes */
	uint32_t n_lanes;
	struct view *views; /* of each lane */
	struct totals *totals;
	struct row_sum *sums; /* by frame, of all these lanes */
	uint32_t *index;      /* by frame: its index in "functions" */
	frame_id *order;      /* frames in that order */
	uint32_t n;
};

/* Compute the sums of `lane` and the lanes joined to it, in the range of the options. Borrows the
 * arguments. */
void lane_sums_init(struct lane_sums *o, const struct scoped *scoped, const struct lane *lane,
		    const struct report_options *options);
void lane_sums_done(struct lane_sums *o);

#endif
