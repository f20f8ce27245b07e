/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A profile as a scope shows it: only its lanes, with transformed call trees, as if the files
 * contained these. Reports and exports, which walk through lanes and spans, need not know of
 * transforms. Dropped calls become time without a stack. */
#ifndef FLAMETTY_ANALYSE_VIEW_SCOPED_H
#define FLAMETTY_ANALYSE_VIEW_SCOPED_H

#include "analyse/scope.h"

struct scoped {
	const struct profile *profile; /* the result: the original if the scope is plain */
	const struct profile *original;
	uint32_t *from;     /* by lane of `profile`: its index in the original; NULL: the same */
	uint8_t *is_own;    /* by lane: 1 if its tree and samples were made here, 2 if their times
			       were, too; NULL: none */
	struct profile own; /* borrows everything that did not change from the original */
	struct view view;   /* owns the frames */
};

/* Begin, call scoped_work() until it returns true, then end. The range of the scope has no effect.
 * Async tracks, marks and counters stay as they are; slices of transformed lanes lose the link to
 * their events in the file. The original must outlive the result.
 *
 * Until the end, `scoped` is only good for scoped_done(), which comes after scoped_end(), and what
 * the scope points to must stay. NULL: there is an error, which is that the view would be too large
 * or memory was refused (base/alloc.h); `scoped` is then the original. */
struct scoped_work *scoped_begin(struct scoped *scoped, const struct profile *original,
				 const struct scope *scope, struct error *err) MUST_USE;
bool scoped_work(struct scoped_work *work, struct budget *budget);

/* Whether there is memory for the next steps (base/alloc.h). scoped_begin() asks for all of it;
 * ask again before each step, as memory may become short in between. */
bool scoped_has_room(const struct scoped_work *work);
void scoped_end(struct scoped_work *work);
void scoped_done(struct scoped *scoped);

/* The same in steps: call it until it returns true; until then the result is good for nothing else.
 * The original may be gone. */
bool scoped_free_work(struct scoped *scoped, struct budget *budget);

/* Make it at once. Returns false when begin returns NULL. */
MUST_USE static inline bool scoped_init(struct scoped *scoped, const struct profile *original,
					const struct scope *scope, struct error *err)
{
	struct scoped_work *work = scoped_begin(scoped, original, scope, err);

	if (!work)
		return false;
	scoped_work(work, BUDGET_UNLIMITED);
	scoped_end(work);
	return true;
}

/* The lane in the original. */
static inline const struct lane *scoped_original(const struct scoped *sc, const struct lane *lane)
{
	return sc->from ? &sc->original->lanes[sc->from[lane - sc->profile->lanes]] : lane;
}

/* The time of a lane in [t0, t1) that had a stack and was dropped. The first lane of a thread has
 * that of the lanes joined to it, which have 0. */
int64_t scoped_dropped(const struct scoped *scoped, const struct lane *lane, int64_t t0,
		       int64_t t1);

#endif
