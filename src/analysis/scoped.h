/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A profile as a scope shows it: its lanes only, with transformed call trees, as if the files had
 * been so. For whoever goes through lanes and spans: reports and exports need not know of
 * transforms. What was dropped is time without a stack here. */
#ifndef FLAMETTY_ANALYSIS_SCOPED_H
#define FLAMETTY_ANALYSIS_SCOPED_H

#include "analysis/scope.h"

struct scoped {
	const struct profile *profile; /* what to look at: the original where the scope is plain */
	const struct profile *original;
	uint32_t *from;     /* by lane of `profile`: its index in the original; NULL: the same */
	uint8_t *is_own;    /* by lane: its tree and samples were made here; NULL: none */
	struct profile own; /* borrows from the original whatever did not change */
	struct view view;   /* keeps the frames */
};

/* The range of the scope changes nothing. Async tracks, marks and counters stay as they are; slices
 * of transformed lanes lose what ties them to the events of the file. The original must outlive it.
 */
void scoped_init(struct scoped *scoped, const struct profile *original, const struct scope *scope);
void scoped_done(struct scoped *scoped);

/* The lane of the original. */
const struct lane *scoped_original(const struct scoped *scoped, const struct lane *lane);

/* Time of a lane in [t0, t1) that had a stack, and was dropped. */
int64_t scoped_dropped(const struct scoped *scoped, const struct lane *lane, int64_t t0,
		       int64_t t1);

#endif
