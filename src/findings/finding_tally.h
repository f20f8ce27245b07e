/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Sums of time by an index. Clearing takes as long as adding did. */
#ifndef FLAMETTY_ANALYSIS_FINDING_FINDING_TALLY_H
#define FLAMETTY_ANALYSIS_FINDING_FINDING_TALLY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct finding_tally {
	int64_t *ns;    /* by index; 0: not used */
	uint32_t *used; /* indices */
	size_t n;
};

void finding_tally_init(struct finding_tally *tally, size_t n_indices);
void finding_tally_done(struct finding_tally *tally);

void finding_tally_add(struct finding_tally *tally, uint32_t index, int64_t ns);

/* Find the index with the largest sum; the smallest index of several. Returns false, and leaves
 * *index as it is, when nothing was added. */
bool finding_tally_largest(const struct finding_tally *tally, uint32_t *index);

void finding_tally_clear(struct finding_tally *tally);

#endif
