/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The spans of a lane, and of those joined to it, that open in a range, as a list in an order: by
 * start, length, self time or name. It is made in steps; the caller owns it, and the lane must
 * outlive it. */
#ifndef FLAMETTY_ANALYSE_EVENT_ORDER_H
#define FLAMETTY_ANALYSE_EVENT_ORDER_H

#include "analyse/match_set.h"
#include "base/budget.h"
#include "base/sort.h"
#include "model/lane.h"
#include "model/profile.h"

struct event_at {
	size_t sample;
	int depth;
};

/* Set *at to the first span that opens at or after t; false: none. */
bool events_first(const struct lane *lane, int64_t t, struct event_at *at);

/* Move to the next span. False, with *at unchanged: there is none. */
bool events_next(const struct lane *lane, struct event_at *at);

/* The span at a place. */
static inline bool events_span(const struct lane *lane, const struct event_at *at, struct span *out)
{
	return span_of_sample(&lane->samples, &lane->tree, at->sample, at->depth, out);
}

/* By start and by name, the least comes first; by duration and self time, the longest. Events that
 * are equal in the order stand in that of their starts. */
enum event_sort {
	EVENT_BY_START,
	EVENT_BY_DURATION,
	EVENT_BY_SELF,
	EVENT_BY_NAME,
	EVENT_SORT_COUNT
};

/* Which spans are included: of the lanes, those that open in [t0, t1). */
struct event_query {
	const struct profile *profile;
	const struct lane *lane; /* the first of n_lanes (0: 1), which are joined; NULL: none */
	uint32_t n_lanes;
	int64_t t0, t1;
	int64_t min_ns;       /* minimum length */
	struct match_set set; /* those included, borrowed; zeroed: all */
	enum event_sort sort;
};

struct event_item {
	int64_t key; /* larger comes first */
	size_t sample;
	int depth;
	uint32_t layer; /* of the lanes */
};

struct event_order {
	struct event_query query;
	struct event_item *items;
	size_t n, cap;
	struct event_at at; /* the next span of the walk, */
	uint32_t layer;     /* in this one of the lanes */
	bool has_begun, is_walked, is_complete;
	bool is_cut; /* memory was refused: later spans are missing */
	struct sorting *sorting;
};

/* Begin, call event_order_work() until it returns true; event_order_done() at any time, also for a
 * zeroed struct. Before that the list is useful by start only, and lacks later events. */
void event_order_begin(struct event_order *order, const struct event_query *query);
bool event_order_work(struct event_order *order, struct budget *budget);

static inline void event_order_done(struct event_order *o)
{
	sort_end(o->sorting);
	free(o->items);
	*o = (struct event_order){ .sorting = NULL };
}

/* The i-th event, i < order->n, of the order or of its reverse, as a span. Returns its lane. */
const struct lane *event_order_span(const struct event_order *order, size_t i, bool is_reversed,
				    struct span *out);

/* The number of the event of a lane that opens with a sample at a depth; false: it is not in the
 * list. */
bool event_order_find(const struct event_order *order, const struct lane *lane, size_t sample,
		      int depth, bool is_reversed, size_t *i);

#endif
