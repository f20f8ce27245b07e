/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Flows: which slice each of their points belongs to, and the way back. */
#include "config.h"

#include "model/tracks.h"

#include "base/alloc.h"
#include "model/cpu_raw.h"

#include <stdlib.h>

/* The innermost slice of a lane at t. */
static bool enclosing(const struct lane *lane, int64_t t, struct span *out)
{
	const struct samples *s = &lane->samples;
	size_t i;

	if (s->n == 0 || t < s->t[0] || t > s->t[s->n])
		return false;
	i = samples_find(s, t);
	/* A slice that ends at this very time still counts when nothing else is there. */
	if (lane->tree.rows[s->leaf[i]] == 0 && i > 0 && s->t[i] == t)
		i--;
	return span_of_sample(s, &lane->tree, i, lane->tree.rows[s->leaf[i]] - 1, out);
}

/* The first slice that begins at or after t. */
static bool beginning(const struct lane *lane, int64_t t, struct span *out)
{
	const struct samples *s = &lane->samples;
	const struct slices *k = &lane->slices;
	size_t lo = 0, hi = k->n, from;

	if (s->n == 0 || t > s->t[s->n])
		return false;
	from = samples_find(s, t);
	while (from > 0 && s->t[from] >= t && s->t[from - 1] >= t)
		from--;
	if (s->t[from] < t)
		from++;
	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;

		if (k->first[mid] < from)
			lo = mid + 1;
		else
			hi = mid;
	}
	if (lo == k->n)
		return false;
	from = k->first[lo];
	return span_of_sample(s, &lane->tree, from, from ? s->shared[from - 1] : 0, out);
}

/* Lanes of a thread stand together; layers below the first hold what overlaps. */
static bool bind(const struct profile *p, const struct raw_flow *raw, int64_t t, struct flow_point *point)
{
	bool has_found = false;
	struct span span;

	for (uint32_t i = 0; i < p->n_lanes; i++) {
		const struct lane *lane = &p->lanes[i];

		if (lane->kind != LANE_SLICES || lane->pid != raw->pid || lane->tid != raw->tid || lane->input != raw->input)
			continue;
		if (!(raw->is_next ? beginning(lane, t, &span) : enclosing(lane, t, &span)))
			continue;
		if (has_found && (raw->is_next ? span.t0 >= point->span.t0 : span.t1 - span.t0 >= point->span.t1 - point->span.t0))
			continue;
		has_found = true;
		point->lane = i;
		point->span = span;
	}
	return has_found;
}

static int by_flow(const void *a, const void *b)
{
	const struct raw_flow *x = a, *y = b;

	if (x->flow != y->flow)
		return x->flow < y->flow ? -1 : 1;
	if (x->t != y->t)
		return x->t < y->t ? -1 : 1;
	return x->kind - y->kind;
}

struct place {
	uint32_t at, lane;
	int64_t t;
	int depth;
};

static int by_place(const void *a, const void *b)
{
	const struct place *x = a, *y = b;

	if (x->lane != y->lane)
		return x->lane < y->lane ? -1 : 1;
	if (x->t != y->t)
		return x->t < y->t ? -1 : 1;
	return x->depth != y->depth ? x->depth - y->depth : (x->at > y->at) - (x->at < y->at);
}

static void index_by_lane(struct profile *p)
{
	struct place *places = xmalloc(p->n_flows * sizeof *places);

	for (size_t i = 0; i < p->n_flows; i++)
		places[i] = (struct place){ (uint32_t)i, p->flows[i].lane, p->flows[i].span.t0, p->flows[i].span.depth };
	qsort(places, p->n_flows, sizeof *places, by_place);
	p->flows_by_lane = xmalloc(p->n_flows * sizeof *p->flows_by_lane);
	for (size_t i = 0; i < p->n_flows; i++)
		p->flows_by_lane[i] = places[i].at;
	free(places);
}

static int by_number(const void *a, const void *b)
{
	const uint64_t *x = a, *y = b;

	return *x < *y ? -1 : *x > *y;
}

/* How many different flows before `flow` have no point that was kept; *at goes through those left out. */
static uint32_t pass_left(const struct tracks *tr, size_t *at, uint64_t flow)
{
	uint32_t n = 0;

	for (; *at < tr->n_left_flows && tr->left_flows[*at] <= flow; ++*at)
		n += tr->left_flows[*at] < flow && (*at + 1 == tr->n_left_flows || tr->left_flows[*at + 1] != tr->left_flows[*at]);
	return n;
}

void flows_build(struct builder *b)
{
	struct tracks *tr = &b->tracks;
	struct profile *p = b->profile;
	uint64_t n_lost = 0;
	uint32_t number = 0;
	size_t left = 0;

	if (tr->n_flows == 0)
		return;
	if (tr->n_left_flows)
		qsort(tr->left_flows, tr->n_left_flows, sizeof *tr->left_flows, by_number);
	qsort(tr->flows, tr->n_flows, sizeof *tr->flows, by_flow);
	p->flows = xmalloc(tr->n_flows * sizeof *p->flows);
	for (size_t i = 0; i < tr->n_flows; i++) {
		const struct raw_flow *raw = &tr->flows[i];
		struct flow_point point = { .kind = (enum flow_kind)raw->kind };

		if (i == 0 || raw->flow != tr->flows[i - 1].flow)
			number += 1 + pass_left(tr, &left, raw->flow);
		point.flow = number;
		point.t = raw->t - p->inputs[raw->input].zero_ns;
		if (bind(p, raw, point.t, &point))
			p->flows[p->n_flows++] = point;
		else
			n_lost++;
	}
	if (n_lost)
		builder_fact(b, true, "%llu flow events%s without a slice", (unsigned long long)n_lost, b->options.part ? " of those loaded" : "");
	index_by_lane(p);
}

size_t profile_flows_of(const struct profile *p, uint32_t lane, const struct span *span, size_t *first)
{
	size_t lo = 0, hi = p->n_flows, n = 0;

	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;
		const struct flow_point *at = &p->flows[p->flows_by_lane[mid]];

		if (at->lane < lane || (at->lane == lane && at->span.t0 < span->t0))
			lo = mid + 1;
		else
			hi = mid;
	}
	/* Slices of one start share the range: those of other depths are passed at its ends. */
	for (*first = lo; lo < p->n_flows; lo++) {
		const struct flow_point *at = &p->flows[p->flows_by_lane[lo]];

		if (at->lane != lane || at->span.t0 != span->t0)
			break;
		if (at->span.depth == span->depth && at->span.first == span->first) {
			if (n == 0)
				*first = lo;
			n++;
		} else if (n) {
			break;
		}
	}
	return n;
}
