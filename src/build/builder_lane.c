/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "config.h"

#include "build/builder_lane.h"

#include "base/alloc.h"
#include "build/builder_state.h"

struct lane *builder_lane(struct builder *b, enum lane_kind kind, uint32_t input, int64_t pid,
			  int64_t tid)
{
	struct profile *p = b->profile;
	struct lane *lane;

	p->lanes = xgrow(p->lanes, &b->cap_lanes, (size_t)p->n_lanes + 1, sizeof *p->lanes);
	lane = &p->lanes[p->n_lanes++];
	*lane = (struct lane){ .id = p->n_lanes,
			       .kind = kind,
			       .input = input,
			       .pid = pid,
			       .tid = tid,
			       .has_timeline = true,
			       .clock = kind == LANE_SAMPLES ? b->clock : 0 };
	return lane;
}
