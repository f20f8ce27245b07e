/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Searches for labels: samples match, not functions. A match is a stretch of samples of a lane that
 * match and follow each other. The rest of a search walks over spans, so a lane gets samples of its
 * own here, in which those that do not match have no stack, and a stretch is a span at depth 0. */
#ifndef FLAMETTY_ANALYSIS_SEARCH_SAMPLES_H
#define FLAMETTY_ANALYSIS_SEARCH_SAMPLES_H

#include "analyse/search.h"

/* Mark the functions on the stacks of samples whose sets match: search.labels is complete. In
 * steps: returns whether all lanes are done. */
bool search_samples_mark(struct search *search, struct budget *budget);

/* Make the samples and nodes of a lane, in the same way. */
bool search_samples_prepare(struct search *search, struct search_lane *lane, struct budget *budget);

/* Free the samples. */
void search_samples_done(struct search_lane *lane);

#endif
