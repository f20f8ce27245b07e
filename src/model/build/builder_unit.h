/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The unit of a profile: all lanes have the same one, because tables add their values up. */
#ifndef FLAMETTY_BUILD_BUILDER_UNIT_H
#define FLAMETTY_BUILD_BUILDER_UNIT_H

#include "base/error.h"
#include "model/lane.h"

#include <stdbool.h>

struct builder;

/* Give the profile the unit of a lane's values. Fails with ERR_FORMAT when the profile has lanes of
 * another unit. value.type 0: times. */
bool builder_unit_take(struct builder *b, const struct lane_value *value, struct error *err);

/* The same for slices, marks and counters of traces, which are times. */
bool builder_unit_take_tracks(struct builder *b, struct error *err);

#endif
