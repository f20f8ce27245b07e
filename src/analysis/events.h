/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The spans of a lane one after the other, in the order in which they open: outer before
 * inner. A place in that order is a sample and a depth; nothing is computed ahead. */
#ifndef FLAMETTY_ANALYSIS_EVENTS_H
#define FLAMETTY_ANALYSIS_EVENTS_H

#include "model/lane.h"

struct event_at {
	size_t sample;
	int depth;
};

/* Which spans count. */
struct event_filter {
	int64_t min_ns;        /* at least this long */
	const uint8_t *frames; /* by frame id, 1: counts; NULL: all */
};

/* The first span that opens at or after t; false: none. O(spans passed). */
bool events_from(const struct lane *lane, const struct event_filter *filter, int64_t t,
		 struct event_at *at);

/* The next and the one before; false, with *at as it was: there is none among the nearest
 * EVENTS_LOOK. */
#define EVENTS_LOOK 500000
bool events_next(const struct lane *lane, const struct event_filter *filter, struct event_at *at);
bool events_before(const struct lane *lane, const struct event_filter *filter, struct event_at *at);

/* The span there. */
bool events_span(const struct lane *lane, const struct event_at *at, struct span *out);

#endif
