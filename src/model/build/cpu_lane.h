/* SPDX-License-Identifier: GPL-2.0-or-later */
/* From the collected CPU profile of a builder to a lane. */
#ifndef FLAMETTY_MODEL_BUILD_CPU_LANE_H
#define FLAMETTY_MODEL_BUILD_CPU_LANE_H

#include "base/error.h"

#include <stdbool.h>
#include <stdint.h>

struct builder;

/* Add the lane of the current profile. Uses up what was collected. Fails with ERR_FORMAT when there
 * is nothing to show. */
bool cpu_lane_build(struct builder *b, int64_t pid, int64_t tid, struct error *err) MUST_USE;

#endif
