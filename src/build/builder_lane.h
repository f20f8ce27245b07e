/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The list of lanes while it grows. */
#ifndef FLAMETTY_BUILD_BUILDER_LANE_H
#define FLAMETTY_BUILD_BUILDER_LANE_H

#include "model/lane.h"

struct builder;

/* Add an empty lane. The result is valid until the next call. */
struct lane *builder_lane(struct builder *b, enum lane_kind kind, uint32_t input, int64_t pid,
			  int64_t tid);

#endif
