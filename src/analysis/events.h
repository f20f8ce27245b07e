/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The spans of a lane in the order in which they open: outer before inner. A place in that order is
 * a sample and a depth; nothing is computed in advance. */
#ifndef FLAMETTY_ANALYSIS_EVENTS_H
#define FLAMETTY_ANALYSIS_EVENTS_H

#include "model/lane.h"

struct event_at {
	size_t sample;
	int depth;
};

/* Which spans are included. */
struct event_filter {
	int64_t min_ns;        /* minimum length */
	const uint8_t *frames; /* by frame id: 1 if included; NULL: all */
};

/* Set *at to the first span that opens at or after t; false: none. O(spans passed). */
bool events_from(const struct lane *lane, const struct event_filter *filter, int64_t t,
		 struct event_at *at);

/* Move to the next span, or to the previous one. False, with *at unchanged: there is none among the
 * nearest EVENTS_LOOK spans. */
#define EVENTS_LOOK 500000
bool events_next(const struct lane *lane, const struct event_filter *filter, struct event_at *at);
bool events_before(const struct lane *lane, const struct event_filter *filter, struct event_at *at);

/* The span at a place. */
bool events_span(const struct lane *lane, const struct event_at *at, struct span *out);

#endif
