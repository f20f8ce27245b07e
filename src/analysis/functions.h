/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The flat table: what each frame of a view did in a range, with its spans one by one: how many,
 * how long. All spans count, those inside of another span of the same frame, too; spans that are
 * partly in the range count with their part. */
#ifndef FLAMETTY_ANALYSIS_FUNCTIONS_H
#define FLAMETTY_ANALYSIS_FUNCTIONS_H

#include "analysis/view.h"
#include "base/budget.h"

struct function {
	int64_t self, total; /* ns; recursion counts once in the total */
	uint64_t n_spans;
	int64_t spans_ns;          /* of all spans together */
	int64_t longest, shortest; /* ns; 0 where there are no spans */
	int64_t longest_t0;        /* where the first of the longest begins in the range */
	uint32_t longest_source;   /* and in which source of the view */
};

struct functions {
	struct function *list; /* by frame of the view */
	uint32_t n;
	int64_t dropped_ns; /* in the range, but left out by the view's transforms */
};

/* The same in steps: begin, step until it is true, end (at any time; what was counted so far
 * stays). The view must outlive the steps, but need not be there at the end. Until it is done,
 * numbers are those of the samples that were looked at. */
struct functions_walk;
struct functions_walk *functions_begin(struct functions *functions, const struct view *view,
				       int64_t t0, int64_t t1);
bool functions_step(struct functions_walk *walk, struct budget *budget);
void functions_end(struct functions_walk *walk);

/* Compute for [t0, t1) in one pass over the samples. */
void functions_init(struct functions *functions, const struct view *view, int64_t t0, int64_t t1);
void functions_done(struct functions *functions);

/* Mean length of its spans; 0: none. */
int64_t functions_mean(const struct function *function);

#endif
