/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How much a search has found in a range of several lanes: spans, functions, time. Counted in steps
 * within a budget. */
#ifndef FLAMETTY_ANALYSIS_SEARCH_COUNT_H
#define FLAMETTY_ANALYSIS_SEARCH_COUNT_H

#include "analyse/search.h"
#include "model/blocks.h"

struct search_count {
	int64_t t0, t1;
	size_t end; /* samples from here on are not counted, if spans of one lane are */
	int64_t ns; /* time with a match on the stack */
	int64_t matched_idle_ns;     /* idle time of that */
	int64_t sampled_ns, idle_ns; /* of all samples, whether they match or not */
	uint32_t n_functions;        /* number of matching functions with time in the range */
	bool has_sums;    /* the members above are complete; a caller who needs none of them sets it
			     before the first step */
	uint64_t n_spans; /* matched spans with time in the range, nested ones too; complete if
			     is_complete */
	uint64_t n_marks; /* those of them that are marks */
	bool is_complete;
	/* State of the passes. */
	uint32_t *lanes;
	uint32_t n_lanes, lane;
	bool has_begun; /* the lane; */
	bool has_whole; /* of a search for labels: all its samples are summed, */
	struct blocks_walk walk;
	uint8_t *used;  /* by node: 1 for a match on the stack of a sample with time; NULL: no
			   match */
	node_id n_left; /* nodes whose functions are not counted yet, with the root */
	uint8_t *seen;  /* by frame: 1 if already counted */
	size_t next;    /* sample, in the count of spans */
	unsigned kept;
};

/* Begin to count in [t0, t1). lanes: copied. */
void search_count_init(struct search_count *count, const uint32_t *lanes, uint32_t n_lanes,
		       int64_t t0, int64_t t1);
void search_count_done(struct search_count *count);

/* Count more within the budget: first the sums, then the spans. The search must be complete, and
 * the same in all steps. True: the count is complete. */
bool search_count_step(struct search_count *count, struct search *search, struct budget *budget);

#endif
