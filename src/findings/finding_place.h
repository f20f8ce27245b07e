/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Where in time a finding is: the stretch of a fixed length that has most of its time, and in it
 * the span of its function that has most of that. For functions, packages and files, time in which
 * modules are loaded does not count, unless it is more than half of the time. */
#ifndef FLAMETTY_ANALYSIS_FINDING_FINDING_PLACE_H
#define FLAMETTY_ANALYSIS_FINDING_FINDING_PLACE_H

#include "findings/charge_times.h"
#include "findings/finding_window.h"

struct finding_stretch {
	int64_t ns;     /* time of the keys in it, */
	int64_t t0;     /* and where that begins, unless ns is 0: the first such stretch */
	int64_t run_ns; /* the longest time of the keys without another sample between */
};

struct finding_dense;

/* Begin a search in the window of `times`, which are complete; it goes through the samples of them.
 * mask: by key; bit i is set if set i has it. n: number of sets, 15 at most. runs: the bits of
 * those whose run_ns is wanted. Both are borrowed. */
struct finding_dense *finding_dense_begin(struct charge_times *times, const uint16_t *mask,
					  unsigned n, unsigned runs, int64_t length);

/* Go on; call it until it returns true. */
bool finding_dense_work(struct finding_dense *dense, struct budget *budget);

/* The stretch of a set, when the search is complete. */
const struct finding_stretch *finding_dense_of(const struct finding_dense *dense, unsigned set);

/* Free everything, also before the search is complete. NULL is allowed. */
void finding_dense_end(struct finding_dense *dense);

/* The search for up to FINDINGS_MAX drafts at once. */
struct finding_places {
	struct finding_window *w;
	struct finding_draft *drafts[FINDINGS_MAX];
	unsigned n;
	uint16_t *mask; /* by key: bit i is set if draft i has it */
	bool *is_load;  /* by key: whether modules are being loaded */
	int64_t length; /* of the stretches */
	struct finding_dense *dense;
};

void finding_place_init(struct finding_places *places, struct finding_window *w);
void finding_place_done(struct finding_places *places);

/* Add a draft that has keys and no place. */
void finding_place_want(struct finding_places *places, struct finding_draft *draft);

/* Go through the samples of the window; call until it returns true. Then the drafts have places. */
bool finding_place_step(struct finding_places *places, struct budget *budget);

/* Find the span of the function of a finding that has most of the finding's time in its place. */
void finding_place_span(const struct finding_window *w, struct finding_draft *draft);

#endif
