/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Binds points of flows, and requests, to slices, once all lanes are made. */
#include "config.h"

#include "model/build/track_builder.h"

#include "base/alloc.h"
#include "base/sort.h"
#include "base/thread.h"
#include "model/build/builder_state.h"
#include "model/profile.h"

#include <stdlib.h>

/* ==== flow bind ====
 *
 * Points are bound in the order of the file, in which neighbours are near to each other in time, by
 * two threads that take chunks in turn; then they are sorted. */

/* Find the innermost slice of a lane at t. */
static bool enclosing(const struct lane *lane, int64_t t, struct span *out)
{
	const struct samples *s = &lane->samples;
	size_t i;

	if (s->n == 0 || t < samples_time(s, 0) || t > samples_time(s, s->n))
		return false;
	i = samples_find(s, t);
	/* A slice that ends at t counts if no other is open there. */
	if (lane->tree.rows[s->leaf[i]] == 0 && i > 0 && samples_time(s, i) == t)
		i--;
	return span_of_sample(s, &lane->tree, i, lane->tree.rows[s->leaf[i]] - 1, out);
}

/* Find the first slice of a lane that begins at or after t. */
static bool beginning(const struct lane *lane, int64_t t, struct span *out)
{
	const struct samples *s = &lane->samples;
	size_t from;

	if (s->n == 0 || t > samples_time(s, s->n))
		return false;
	from = samples_find(s, t);
	while (from > 0 && samples_time(s, from) >= t && samples_time(s, from - 1) >= t)
		from--;
	if (samples_time(s, from) < t)
		from++;
	while (from < s->n && lane_opens(lane, from) == 0)
		from++;
	if (from == s->n)
		return false;
	return span_of_sample(s, &lane->tree, from, from ? samples_shared(s, from - 1) : 0, out);
}

/* ---- which slice ---- */

/* A lane of slices and its thread. */
struct owned {
	uint32_t input, lane;
	int64_t pid, tid;
};

SORT_ORDER(by_owner, struct owned,
	   SORT_BY_4(x->pid, y->pid, x->tid, y->tid, x->input, y->input, x->lane, y->lane))

struct binding {
	const struct profile *profile;
	const struct track_flow *raw;
	struct flow_point *points; /* by index of the raw points; `flow` is 1, or 0 if the point has
				      no slice */
	struct owned *owned;       /* by_owner() */
	size_t n_owned;
};

/* The first lane of a thread. */
static size_t first_owned(const struct binding *b, const struct track_flow *raw)
{
	const struct owned key = { raw->input, 0, raw->pid, raw->tid };
	size_t lo = 0;

	SORT_BISECT(lo, b->n_owned, mid, by_owner(&b->owned[mid], &key) < 0);
	return lo;
}

/* Go out from a span to the one of an event, of those that begin with it. */
static void go_out(const struct profile *p, const struct lane *lane, frame_id event,
		   struct span *span)
{
	str_id name = p->frames.frames[event].name;
	struct span at = *span;

	while (frame_event(profile_node_frame(p, lane, at.node)) != name) {
		if (at.depth == 0 ||
		    !span_at(&lane->samples, &lane->tree, at.depth - 1, at.t0, &at) ||
		    at.t0 != span->t0)
			return;
	}
	*span = at;
}

/* A thread may have several layers, where slices overlap: the shortest slice counts, or the next
 * one. */
static bool bind(const struct binding *b, const struct track_flow *raw, struct flow_point *point)
{
	bool has_found = false;
	struct span span;

	for (size_t i = first_owned(b, raw); i < b->n_owned; i++) {
		const struct owned *o = &b->owned[i];
		const struct lane *lane = &b->profile->lanes[o->lane];

		if (o->pid != raw->pid || o->tid != raw->tid || o->input != raw->input)
			break;
		if (!(raw->is_next ? beginning(lane, point->t, &span)
				   : enclosing(lane, point->t, &span)))
			continue;
		if (raw->event)
			go_out(b->profile, lane, raw->event, &span);
		if (has_found &&
		    (raw->is_next ? span.t0 >= point->span.t0
				  : span.t1 - span.t0 >= point->span.t1 - point->span.t0))
			continue;
		has_found = true;
		point->lane = o->lane;
		point->span = span;
	}
	return has_found;
}

static void bind_chunk(void *ctx, size_t from, size_t end)
{
	const struct binding *b = ctx;

	for (size_t i = from; i < end; i++) {
		const struct track_flow *raw = &b->raw[i];
		struct flow_point *point = &b->points[i];

		*point = (struct flow_point){ .kind = raw->kind,
					      .initiator = raw->initiator,
					      .t = raw->t -
						      b->profile->inputs[raw->input].zero_ns };
		point->flow = bind(b, raw, point);
	}
}

/* ---- order ---- */

/* Sort key of a point: by flow, then time. */
struct key {
	uint64_t flow;
	int64_t t;
	uint32_t at; /* index of the point */
	uint32_t kind;
};

SORT_ORDER(by_flow, struct key,
	   SORT_BY_4(x->flow, y->flow, x->t, y->t, x->kind, y->kind, x->at, y->at))

SORT_ORDER(by_number, uint64_t, SORT_BY_1(*x, *y))

/* The number of flows before `flow` of which no point was kept. *at: position in left_flows, which
 * is sorted. */
static uint32_t pass_left(const struct tracks *tr, size_t *at, uint64_t flow)
{
	uint32_t n = 0;

	for (; *at < tr->n_left_flows && tr->left_flows[*at] <= flow; ++*at)
		n += tr->left_flows[*at] < flow &&
			(*at + 1 == tr->n_left_flows ||
			 tr->left_flows[*at + 1] != tr->left_flows[*at]);
	return n;
}

/* Number the flows. from: the index of each point in sorted order, those without a slice last.
 * Returns the number of points that have a slice. */
static size_t number_flows(const struct tracks *tr, struct flow_point *points, struct key *keys,
			   uint32_t *from)
{
	size_t n = tr->n_flows, n_bound = 0, n_lost = 0, left = 0;
	uint32_t number = 0;

	qsort(keys, n, sizeof *keys, by_flow);
	for (size_t i = 0; i < n; i++) {
		struct flow_point *point = &points[keys[i].at];

		if (i == 0 || keys[i].flow != keys[i - 1].flow)
			number += 1 + pass_left(tr, &left, keys[i].flow);
		if (point->flow)
			from[n_bound++] = keys[i].at;
		else
			from[n - ++n_lost] = keys[i].at;
		point->flow = number;
	}
	return n_bound;
}

/* Sort by flow, then time. Returns the number of points that have a slice; they come first. */
static size_t sort_points(struct tracks *tr, struct flow_point *points)
{
	const struct track_flow *raw = tr->flows;
	size_t n = tr->n_flows;
	struct key *keys = xmalloc(n * sizeof *keys);
	ALLOC_LOCAL uint32_t *from = xmalloc(n * sizeof *from);
	size_t n_bound;

	for (size_t i = 0; i < n; i++)
		keys[i] = (struct key){ raw[i].flow, raw[i].t, (uint32_t)i, (uint32_t)raw[i].kind };
	if (tr->n_left_flows)
		qsort(tr->left_flows, tr->n_left_flows, sizeof *tr->left_flows, by_number);
	n_bound = number_flows(tr, points, keys, from);
	free(keys);
	/* Move point from[i] to i, in place. The contents of `from` are destroyed. */
	for (size_t i = 0; i < n; i++) {
		struct flow_point first = points[i];
		size_t at = i;

		if (from[i] == UINT32_MAX)
			continue;
		while (from[at] != i) {
			size_t next = from[at];

			points[at] = points[next];
			from[at] = UINT32_MAX;
			at = next;
		}
		points[at] = first;
		from[at] = UINT32_MAX;
	}
	return n_bound;
}

struct flow_place {
	uint32_t at, lane;
	int64_t t;
	int depth;
};

SORT_ORDER(by_place, struct flow_place,
	   SORT_BY_4(x->lane, y->lane, x->t, y->t, x->depth, y->depth, x->at, y->at))

void flow_bind_index(struct profile *p)
{
	ALLOC_LOCAL struct flow_place *places = xmalloc(p->n_flows * sizeof *places);

	for (size_t i = 0; i < p->n_flows; i++)
		places[i] = (struct flow_place){ (uint32_t)i, p->flows[i].lane, p->flows[i].span.t0,
						 p->flows[i].span.depth };
	qsort(places, p->n_flows, sizeof *places, by_place);
	p->flows_by_lane = xmalloc(p->n_flows * sizeof *p->flows_by_lane);
	for (size_t i = 0; i < p->n_flows; i++)
		p->flows_by_lane[i] = places[i].at;
}

void flow_bind(struct builder *b)
{
	struct tracks *tr = &b->tracks;
	struct profile *p = b->profile;
	struct binding all = { .profile = p, .raw = tr->flows };

	if (tr->n_flows == 0)
		return;
	all.owned = xmalloc((size_t)p->n_lanes * sizeof *all.owned);
	for (uint32_t i = 0; i < p->n_lanes; i++)
		if (p->lanes[i].kind == LANE_SLICES)
			all.owned[all.n_owned++] = (struct owned){ p->lanes[i].input, i,
								   p->lanes[i].pid,
								   p->lanes[i].tid };
	qsort(all.owned, all.n_owned, sizeof *all.owned, by_owner);
	p->flows = all.points = xmalloc(tr->n_flows * sizeof *all.points);
	parallel_chunks(tr->n_flows, bind_chunk, &all);
	free(all.owned);
	p->n_flows = sort_points(tr, p->flows);
	if (p->n_flows < tr->n_flows)
		builder_input_note(b, true, "%llu flow events%s without a slice",
				   (unsigned long long)(tr->n_flows - p->n_flows),
				   b->options.subset ? " of those loaded" : "");
	p->flows = xrealloc(p->flows, p->n_flows, sizeof *p->flows);
	free(tr->flows);
	tr->flows = NULL;
	tr->n_flows = tr->cap_flows = 0;
	flow_bind_index(p);
}

void flow_bind_links(struct profile *p)
{
	const struct user_note *list = p->notes.list;
	uint32_t flow = p->n_flows ? p->flows[p->n_flows - 1].flow : 0;
	size_t n = p->n_flows;

	for (size_t i = 0; i + 1 < p->notes.n; i++) {
		struct flow_point from = { .kind = FLOW_START }, to = { .kind = FLOW_END };

		if (list[i].kind != NOTE_LINK || !notes_find(p, &list[i], &from.lane, &from.span) ||
		    !notes_find(p, &list[i + 1], &to.lane, &to.span))
			continue;
		from.flow = to.flow = ++flow;
		from.t = from.span.t0;
		to.t = to.span.t0;
		p->flows = xrealloc(p->flows, n + 2, sizeof *p->flows);
		p->flows[n++] = from;
		p->flows[n++] = to;
	}
	if (n == p->n_flows)
		return;
	p->first_link = p->flows[p->n_flows].flow;
	p->n_flows = n;
	free(p->flows_by_lane);
	flow_bind_index(p);
}

/* ==== request bind ====
 *
 * Finds the slices of requests, and makes a flow to each from the slice that sent it. */

SORT_ORDER(by_offset, struct request, SORT_BY_2(x->input, y->input, x->offset, y->offset))

static int compare_lane(const struct lane *lane, const struct request *r, int64_t tid)
{
	return SORT_BY_3(lane->input, r->input, lane->pid, r->pid, lane->tid, tid);
}

static bool lane_is_before(const void *a, const void *b, const void *ctx)
{
	const struct lane *lanes = ctx, *x = &lanes[*(const uint32_t *)a],
			  *y = &lanes[*(const uint32_t *)b];

	return SORT_BY_3(x->input, y->input, x->pid, y->pid, x->tid, y->tid) < 0;
}

/* The first of the lanes of a thread, in `order`, which has all lanes by input and thread. */
static size_t first_lane(const struct profile *p, const uint32_t *order, const struct request *r,
			 int64_t tid)
{
	size_t lo = 0;

	SORT_BISECT(lo, p->n_lanes, mid, compare_lane(&p->lanes[order[mid]], r, tid) < 0);
	return lo;
}

/* The slice of a request. False: there is none. */
static bool find_slice(const struct profile *p, const uint32_t *order, const struct request *r,
		       struct flow_point *out)
{
	int64_t t0 = r->t0 - p->inputs[r->input].zero_ns;

	for (size_t i = first_lane(p, order, r, r->tid); i < p->n_lanes; i++) {
		const struct lane *lane = &p->lanes[order[i]];

		if (compare_lane(lane, r, r->tid) != 0)
			break;
		out->lane = order[i];
		if (lane->kind == LANE_ASYNC && slice_find(lane, r->offset, t0, &out->span))
			return true;
	}
	return false;
}

/* The innermost slice that sent a request. False: there is none. */
static bool find_sender(const struct profile *p, const uint32_t *order, const struct request *r,
			struct flow_point *out)
{
	int64_t t = r->sent - p->inputs[r->input].zero_ns;
	bool has_found = false;
	struct span span;

	for (size_t i = first_lane(p, order, r, r->sent_tid); i < p->n_lanes; i++) {
		const struct lane *lane = &p->lanes[order[i]];

		if (compare_lane(lane, r, r->sent_tid) != 0)
			break;
		if (lane->kind != LANE_SLICES || !enclosing(lane, t, &span) ||
		    (has_found && span.t1 - span.t0 >= out->span.t1 - out->span.t0))
			continue;
		*out = (struct flow_point){ .lane = order[i], .t = t, .span = span };
		has_found = true;
	}
	return has_found;
}

void request_bind(struct builder *b)
{
	struct profile *p = b->profile;
	uint32_t flow = p->n_flows ? p->flows[p->n_flows - 1].flow : 0;
	uint32_t *order = xcalloc(p->n_lanes + 1, sizeof *order);
	size_t n = 0;

	for (uint32_t i = 0; i < p->n_lanes; i++)
		order[i] = i;
	sort_stable(order, p->n_lanes, sizeof *order, lane_is_before, p->lanes);
	p->flows = xrealloc(p->flows, p->n_flows + 2 * p->n_requests, sizeof *p->flows);
	for (size_t i = 0; i < p->n_requests; i++) {
		const struct request *r = &p->requests[i];
		struct flow_point *from = &p->flows[p->n_flows], to = { .kind = FLOW_END };

		bool has_slice = find_slice(p, order, r, &to);

		/* It was not loaded; or its slice is cut, as too many overlap. */
		if (!has_slice && builder_is_partial(b))
			continue;
		if (has_slice)
			p->lanes[to.lane].has_requests = true;
		if (has_slice && find_sender(p, order, r, from)) {
			from[0].flow = to.flow = ++flow;
			to.t = from->t;
			from[1] = to;
			p->n_flows += 2;
		}
		p->requests[n++] = *r;
	}
	p->n_requests = n;
	free(order);
	if (!n)
		return;
	qsort(p->requests, n, sizeof *p->requests, by_offset);
	free(p->flows_by_lane);
	flow_bind_index(p);
}
