/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Pauses of a lane, and the busy stretches between them. A pause is idle time of more than
 * lane_bridge_ns(), or time without a stack. The finding about a stretch (findings/finding_time.c)
 * has the same rule, but walks through charges. */
#ifndef FLAMETTY_ANALYSE_STRETCHES_H
#define FLAMETTY_ANALYSE_STRETCHES_H

#include "model/profile.h"

/* A stretch of time of a lane. */
struct stretch {
	const struct lane *lane;
	int64_t t0, t1;
	bool is_sampled; /* pauses: idle at least in part; false: nothing was sampled */
	/* Busy stretches: the outermost function and the leaf with most time in it. */
	frame_id outer, leaf;
	/* What fills a busy stretch: garbage collection if that has half of it; otherwise the
	 * function of own code that most time is charged to, or else that of a package, if that is
	 * a tenth of the stretch; otherwise the function with most self time. FRAME_NONE: none. */
	frame_id most;
	int64_t most_ns;
};

/* The `most` longest ones. Zeroed, but for `most`: none yet. The owner frees the list. */
struct stretches {
	struct stretch *list; /* longest first, and of equal ones in the order of time */
	size_t n, cap, most;
	size_t all;       /* the number of all */
	int64_t least_ns; /* stretches that are not longer are not among them */
};

/* Add the pauses, found[0], and the busy stretches, found[1], of [t0, t1), with lane, times and
 * is_sampled, in any order until stretches_settle(). Samples without length do not end a stretch.
 * Of joined lanes, the first one has those of the thread. O(samples), and the logarithm of `most`
 * for each stretch. */
void stretches_add(struct stretches found[2], const struct profile *profile,
		   const struct lane *lane, int64_t t0, int64_t t1);

/* After the last lane: sort the list, and leave the longest. */
void stretches_settle(struct stretches *found);

#endif
