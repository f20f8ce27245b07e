/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The slices of a trace at the samples of the same thread: tasks, what (program) is, and layout
 * that JavaScript forces.
 *
 * The companion of a lane of samples is the lane of slices of its thread. Each sample is cut into
 * pieces, one for each stretch of the companion that it overlaps. */
#ifndef FLAMETTY_ANALYSIS_FINDING_FINDING_SLICE_H
#define FLAMETTY_ANALYSIS_FINDING_FINDING_SLICE_H

#include "findings/charge.h"
#include "findings/finding_tally.h"

struct finding_slices {
	const struct charge *charge;
	const struct lane *lane;      /* the companion; NULL: none */
	uint8_t *flags;               /* by its nodes */
	size_t next;                  /* the stretch of the companion that the last piece was in */
	bool has_tasks;               /* the companion tells tasks */
	struct span task;             /* the last one */
	struct finding_tally program; /* by frame of the innermost slice: time of (program) */
	struct finding_tally forced;  /* by owner: layout below its calls */
	int64_t forced_ns;            /* also without an owner */
};

/* A part of a sample. */
struct finding_piece {
	int64_t t0, t1;
	/* The task that it is in, if is_in_task: a slice of the first row. */
	bool is_in_task;
	int64_t task_t0, task_t1;
};

void finding_slice_init(struct finding_slices *slices, const struct charge *charge);
void finding_slice_done(struct finding_slices *slices);

/* The next piece of a sample, and add it to the sums. from: the end of the last piece, or the
 * beginning of the sample. Returns false behind the last one. Samples come in the order of time. */
bool finding_slice_next(struct finding_slices *slices, const struct charge_sample *sample,
			int64_t from, struct finding_piece *piece);

#endif
