/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The time of a lane as alternating pauses and busy stretches. */
#ifndef FLAMETTY_ANALYSIS_STRETCHES_H
#define FLAMETTY_ANALYSIS_STRETCHES_H

#include "model/profile.h"

/* A stretch of time of a lane. */
struct stretch {
	const struct lane *lane;
	int64_t t0, t1;
	bool is_sampled; /* pauses: idle at least in part; false: nothing was sampled */
	/* Busy stretches: the outermost function and the leaf with most time in it. */
	frame_id outer, leaf;
	/* What a sentence says of a busy stretch: garbage collection if that has half of it;
	 * otherwise the function with most time, with all it calls, below the trunk: of own code
	 * if there is one with a tenth of the stretch. FRAME_NONE: none. */
	frame_id most;
	int64_t most_ns;
};

typedef void stretches_visit(void *ctx, const struct stretch *stretch, bool is_busy);

/* Visit the stretches of [t0, t1) in the order of time, with lane, times and is_sampled; perhaps
 * some without length. Samples without length do not end a stretch. Of joined lanes, the first one
 * has those of the thread. */
void stretches_each(const struct profile *profile, const struct lane *lane, int64_t t0, int64_t t1,
		    stretches_visit *visit, void *ctx);

#endif
