/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The list of lanes while it grows, and what only the builder knows of each. */
#ifndef FLAMETTY_BUILD_BUILDER_LANE_H
#define FLAMETTY_BUILD_BUILDER_LANE_H

#include "model/lane.h"

struct builder;
struct time_survey;

/* By lane, beside the profile's lanes. */
struct lane_source {
	uint32_t number; /* of the track or CPU profile it was made of, in the order in which they
			    began */
	uint32_t clock;  /* 0: that of the machine; else lanes with the same number share a clock */
	/* Samples are stretches whose lengths the file tells: those without a stack are no samples
	 * where is_taken. */
	bool is_stretches, is_taken;
	bool has_surplus; /* the file says how long the last sample is */
	bool has_end;     /* the recording ended at end_ns of the file's clock */
	int64_t end_ns;
	struct time_survey *survey; /* when its samples or slices are; only in a survey */
};

/* Add an empty lane. The result is valid until the next call. */
struct lane *builder_lane(struct builder *b, enum lane_kind kind, uint32_t input, int64_t pid,
			  int64_t tid);

/* Add a lane that was made elsewhere, and give it its id. */
struct lane *builder_lane_take(struct builder *b, const struct lane *made);

/* The source of the lane that was added last. */
struct lane_source *builder_lane_source(struct builder *b);

#endif
