/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A walk over the range collects the events in the order of their starts, each with its key; a
 * stable sort brings them into theirs. Names are compared themselves. */
#include "config.h"

#include "analyse/event_order.h"

#include "analyse/match_set.h"
#include "analyse/search.h"
#include "analyse/search_slices.h"
#include "base/alloc.h"
#include "base/budget.h"
#include "base/sort.h"
#include "model/lane.h"
#include "model/profile.h"
#include "model/span_find.h"

#include <string.h>

/* ==== events ====
 *
 * Sample i opens the depths from shared[i - 1] up to the rows of its leaf. */

static int opens_from(const struct lane *lane, size_t i)
{
	return i ? samples_shared(&lane->samples, i - 1) : 0;
}

static int opens_to(const struct lane *lane, size_t i)
{
	return lane->tree.rows[lane->samples.leaf[i]];
}

bool events_first(const struct lane *lane, int64_t t, struct event_at *at)
{
	const struct samples *s = &lane->samples;
	size_t i;

	if (s->n == 0 || t > samples_time(s, s->n))
		return false;
	i = samples_find(s, t);
	/* Of samples without time at t, take the first. */
	while (i > 0 && samples_time(s, i) >= t && samples_time(s, i - 1) >= t)
		i--;
	if (samples_time(s, i) < t)
		i++;
	while (i < s->n && opens_from(lane, i) >= opens_to(lane, i))
		i++;
	if (i == s->n)
		return false;
	*at = (struct event_at){ i, opens_from(lane, i) };
	return true;
}

bool events_next(const struct lane *lane, struct event_at *at)
{
	size_t i = at->sample;

	if (at->depth + 1 < opens_to(lane, i)) {
		at->depth++;
		return true;
	}
	for (i++; i < lane->samples.n; i++) {
		if (opens_from(lane, i) >= opens_to(lane, i))
			continue;
		*at = (struct event_at){ i, opens_from(lane, i) };
		return true;
	}
	return false;
}

/* ==== event order ==== */

#define ITEMS_AT_ONCE 65536u /* more memory than for these is asked for */
#define SAMPLES_A_UNIT 64    /* of work, for the self time of a span */
#define SCORE_UNITS_MAX 1000

void event_order_begin(struct event_order *o, const struct event_query *query)
{
	event_order_done(o);
	o->query = *query;
	o->query.n_lanes += !query->n_lanes;
}

/* The lane that is being walked. */
static const struct lane *walked(const struct event_order *o)
{
	return o->query.lane + o->layer;
}

/* Returns the units of the budget that it used. */
static uint32_t add_event(struct event_order *o, const struct span *span)
{
	const struct event_query *q = &o->query;
	struct event_item item = { .sample = o->at.sample,
				   .depth = o->at.depth,
				   .layer = o->layer };
	size_t units = 1;

	if (q->sort == EVENT_BY_DURATION)
		item.key = span->t1 - span->t0;
	if ((q->lane->kind == LANE_COUNTER || q->n_lanes > 1) && q->sort == EVENT_BY_START)
		item.key = -span->t0;
	if (q->sort == EVENT_BY_SELF && q->lane->kind != LANE_COUNTER) {
		item.key = span_find_self_ns(walked(o), span);
		units += (span->end - span->first) / SAMPLES_A_UNIT;
	}
	*ARRAY_ADD(o->items, o->n, o->cap) = item;
	return units < SCORE_UNITS_MAX ? (uint32_t)units : SCORE_UNITS_MAX;
}

/* A value of a counter, as a span to the next one of its series, whose index is the depth. */
static void value_span(const struct event_query *q, const struct event_at *at, struct span *out)
{
	const struct series *s = &q->lane->series[at->depth];
	size_t i = at->sample;

	*out = (struct span){ .t0 = s->t[i],
			      .t1 = i + 1 < s->n ? s->t[i + 1] : q->profile->t1,
			      .first = i,
			      .depth = at->depth };
}

static void add_values(struct event_order *o)
{
	const struct event_query *q = &o->query;
	struct span span;

	for (o->at.depth = 0; o->at.depth < (int)q->lane->n_series; o->at.depth++) {
		const struct series *s = &q->lane->series[o->at.depth];
		size_t end = series_find(s, q->t1 - 1) + 1;

		o->at.sample = series_find(s, q->t0 - 1) + 1;
		for (; o->at.sample < end; o->at.sample++) {
			value_span(q, &o->at, &span);
			if (span.t1 - span.t0 >= q->min_ns)
				add_event(o, &span);
		}
	}
}

/* Collect the events of one lane. Returns whether all are. */
static bool walk_lane(struct event_order *o, struct budget *budget)
{
	const struct event_query *q = &o->query;
	const struct lane *lane = walked(o);
	bool has_more = true;

	if (!o->has_begun)
		has_more = lane->tree.n && events_first(lane, q->t0, &o->at);
	o->has_begun = true;
	while (has_more && samples_time(&lane->samples, o->at.sample) < q->t1) {
		struct span span;
		uint32_t units = 1;

		if (o->n == o->cap && o->n >= ITEMS_AT_ONCE &&
		    !reserve_has_room(2 * o->n * sizeof *o->items)) {
			o->is_cut = true;
			return true;
		}
		if (events_span(lane, &o->at, &span) && span.t1 - span.t0 >= q->min_ns &&
		    (!q->set.frames ||
		     (q->set.slices ? search_slices_has(q->set.slices,
							(uint32_t)(lane - q->profile->lanes), &span)
				    : match_set_has(&q->set, q->profile, lane, span.node))))
			units = add_event(o, &span);
		has_more = events_next(lane, &o->at);
		if (budget_use(budget, units))
			return !has_more;
	}
	return true;
}

/* Collect the events. Returns whether all are. */
static bool walk(struct event_order *o, struct budget *budget)
{
	if (o->query.lane && o->query.lane->kind == LANE_COUNTER) {
		add_values(o);
		return true;
	}
	for (; o->query.lane && o->layer < o->query.n_lanes && !o->is_cut; o->layer++) {
		if (!walk_lane(o, budget))
			return false;
		o->has_begun = false;
	}
	return true;
}

static const char *name_of(const struct event_query *q, const struct event_item *item)
{
	const struct event_at at = { item->sample, item->depth };
	const struct lane *lane = q->lane + item->layer;
	struct span span;

	if (lane->kind == LANE_COUNTER)
		return profile_text(q->profile, lane->series[at.depth].name);
	if (!events_span(lane, &at, &span))
		return "";
	return profile_text(q->profile, profile_node_frame(q->profile, lane, span.node)->name);
}

static bool is_before(const void *a, const void *b, const void *ctx)
{
	const struct event_item *x = a, *y = b;
	const struct event_query *q = ctx;

	if (q->sort == EVENT_BY_NAME)
		return strcmp(name_of(q, x), name_of(q, y)) < 0;
	if (q->sort == EVENT_BY_SELF && q->lane->kind == LANE_COUNTER)
		return q->lane->series[x->depth].value[x->sample] >
			q->lane->series[y->depth].value[y->sample];
	return x->key > y->key;
}

bool event_order_work(struct event_order *o, struct budget *budget)
{
	if (!o->is_walked) {
		if (!walk(o, budget))
			return false;
		o->is_walked = true;
		o->is_complete = o->query.sort == EVENT_BY_START &&
			!(o->query.lane && (o->query.lane->n_series > 1 || o->query.n_lanes > 1));
	}
	if (o->is_complete)
		return true;
	if (!o->sorting)
		o->sorting = sort_begin(o->items, o->n, sizeof *o->items, is_before, &o->query);
	o->is_complete = sort_step(o->sorting, budget);
	if (o->is_complete) {
		sort_end(o->sorting);
		o->sorting = NULL;
	}
	return o->is_complete;
}

const struct lane *event_order_span(const struct event_order *o, size_t i, bool is_reversed,
				    struct span *out)
{
	const struct event_item *item = &o->items[is_reversed ? o->n - 1 - i : i];
	const struct event_at at = { item->sample, item->depth };
	const struct lane *lane = o->query.lane + item->layer;

	if (lane->kind == LANE_COUNTER)
		value_span(&o->query, &at, out);
	else if (!events_span(lane, &at, out))
		*out = (struct span){ .node = NODE_ROOT };
	return lane;
}

bool event_order_find(const struct event_order *o, const struct lane *lane, size_t sample,
		      int depth, bool is_reversed, size_t *i)
{
	for (size_t k = 0; k < o->n; k++) {
		if (o->items[k].sample != sample || o->items[k].depth != depth ||
		    o->query.lane + o->items[k].layer != lane)
			continue;
		*i = is_reversed ? o->n - 1 - k : k;
		return true;
	}
	return false;
}
