/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A profile whose CPU samples are as recorded: garbage collection is on the outermost row, and lone
 * (program) samples are not joined with the call around them. As if it had been loaded so, except
 * for nodes without time. */
#ifndef FLAMETTY_ANALYSE_VIEW_AS_RECORDED_H
#define FLAMETTY_ANALYSE_VIEW_AS_RECORDED_H

#include "base/budget.h"
#include "model/profile.h"

/* Which samples are as recorded. */
enum { AS_RECORDED_GC = 1, AS_RECORDED_PROGRAM = 2 };

struct as_recorded {
	const struct profile *original;
	unsigned what;      /* bits */
	struct profile own; /* the result: borrows everything that did not change */
	uint8_t *is_own;    /* by lane: 1 if its samples were made here */
	uint32_t next;      /* lane that is being made: */
	struct as_recorded_lane *lane;
};

/* Whether that changes any lane. */
bool as_recorded_exists(const struct profile *original, unsigned what);

/* Begin, call as_recorded_work() until it returns true, then use `own`; as_recorded_done() at any
 * time, also for a zeroed struct. The original must outlive the result. False, without effect:
 * memory was refused (base/alloc.h). */
bool as_recorded_begin(struct as_recorded *r, const struct profile *original, unsigned what);
bool as_recorded_work(struct as_recorded *r, struct budget *budget);
void as_recorded_done(struct as_recorded *r);

#endif
