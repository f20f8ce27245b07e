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

/* Set *at to the first span that opens at or after t; false: none. */
bool events_first(const struct lane *lane, int64_t t, struct event_at *at);

/* Move to the next span. False, with *at unchanged: there is none. */
bool events_next(const struct lane *lane, struct event_at *at);

/* The span at a place. */
bool events_span(const struct lane *lane, const struct event_at *at, struct span *out);

#endif
