/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The sums of the functions of one lane, for the JSON report. A lane is taken together with the
 * lanes that are joined to it, which hold the overlapping slices of the same thread. */
#ifndef FLAMETTY_WRITE_REPORT_REPORT_JSON_H
#define FLAMETTY_WRITE_REPORT_REPORT_JSON_H

#include "analyse/figures.h"
#include "analyse/totals.h"
#include "analyse/view/view.h"
#include "write/report/report.h"

#include <stdbool.h>
#include <stdint.h>

struct row_sum {
	int64_t self, total;
	uint64_t self_samples;
	struct function counts;
	bool is_used;
	bool is_listed; /* in lane_sums.frames */
};

struct lane_sums {
	const struct profile *profile;
	const struct scoped *scoped;
	const struct report_options *options;
	uint8_t *is_row;  /* by frame: --filter keeps it; NULL: all */
	frame_id *events; /* by frame: that of slices with the name of its event; NULL: no slice is
			     called by what it runs */
	bool has_runs;    /* such slices are called so in the sums; otherwise by their event */

	const struct lane *lane; /* the first of n_lanes */
	uint32_t n_lanes;
	int64_t sampled_ns;   /* of all these lanes */
	int64_t hit_ns;       /* lane_value_hit_ns() */
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

#endif
