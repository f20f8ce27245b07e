/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Flows lead to slices, which are found again on the parts by their place in the file. */
#include "config.h"

#include "model/build/part_lanes.h"

#include "base/alloc.h"
#include "model/build/flow_bind.h"
#include "model/build/namesakes.h"
#include "model/whole_lanes.h"

#include <string.h>

struct moving {
	struct profile *p;
	const uint32_t *first, *end;
};

/* False: the slice is not found, as its place in the file is not known. */
static bool move_flow(const struct moving *s, struct flow_point *point)
{
	const struct lane *lane = &s->p->whole->lanes[point->lane];
	uint32_t first = s->first[point->lane], end = s->end[point->lane];
	int64_t offset = end > first ? slice_event(lane, &point->span) : -1;

	if (end == first) {
		point->lane = first;
		return true;
	}
	for (uint32_t i = first; i < end; i++) {
		struct span span;

		if (s->p->lanes[i].kind != lane->kind ||
		    !slice_find(&s->p->lanes[i], offset, point->span.t0, &span))
			continue;
		point->lane = i;
		point->span = span;
		return true;
	}
	return false;
}

static void move_flows(const struct moving *s)
{
	struct profile *p = s->p;
	size_t n = 0;

	if (!p->n_flows)
		return;
	p->flows = xmalloc(p->n_flows * sizeof *p->flows);
	memcpy(p->flows, p->whole->flows, p->n_flows * sizeof *p->flows);
	for (size_t i = 0; i < p->n_flows; i++) {
		p->flows[n] = p->flows[i];
		n += move_flow(s, &p->flows[n]);
	}
	p->n_flows = n;
	flow_bind_index(p);
}

void part_lanes_take(struct profile *p, struct lane *lanes, size_t n, const uint32_t *first,
		     const uint32_t *end)
{
	struct moving s = { p, first, end };

	for (size_t i = 0; i < n; i++)
		lanes[i].id = (lane_id)i + 1;
	p->whole = xmalloc(sizeof *p->whole);
	*p->whole = (struct whole_lanes){ p->lanes, p->n_lanes, p->flows, p->flows_by_lane,
					  p->n_flows };
	p->lanes = lanes;
	p->n_lanes = (uint32_t)n;
	p->flows = NULL;
	p->flows_by_lane = NULL;
	namesakes_resolve(p);
	move_flows(&s);
}
