/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "config.h"

#include "model/build/builder_lane.h"

#include "base/alloc.h"
#include "model/build/builder_state.h"

struct lane *builder_lane_take(struct builder *b, const struct lane *made)
{
	struct profile *p = b->profile;
	struct lane *lane;

	if (p->n_lanes >= b->cap_lanes) {
		p->lanes = xgrow(p->lanes, &b->cap_lanes, (size_t)p->n_lanes + 1, sizeof *p->lanes);
		b->sources = xrealloc(b->sources, b->cap_lanes, sizeof *b->sources);
	}
	b->sources[p->n_lanes] =
		(struct lane_source){ .clock = made->kind == LANE_SAMPLES ? b->clock : 0 };
	lane = &p->lanes[p->n_lanes++];
	*lane = *made;
	lane->id = p->n_lanes;
	return lane;
}

struct lane *builder_lane(struct builder *b, enum lane_kind kind, uint32_t input, int64_t pid,
			  int64_t tid)
{
	return builder_lane_take(b,
				 &(struct lane){ .kind = kind,
						 .input = input,
						 .pid = pid,
						 .tid = tid,
						 .has_timeline = true });
}

struct lane_source *builder_lane_source(struct builder *b)
{
	return &b->sources[b->profile->n_lanes - 1];
}
