/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a lane without a time line has instead of samples, for users. */
#ifndef FLAMETTY_MODEL_LANE_VALUE_H
#define FLAMETTY_MODEL_LANE_VALUE_H

#include "base/buf.h"
#include "model/profile.h"

/* Append `hit counts`, or what the sums are: `cpu`, `alloc_space`. */
void lane_value_text(const struct profile *profile, const struct lane *lane, struct buf *out);

/* The values of the first lane of a profile that has no time line. NULL: all lanes have one. */
const struct lane *lane_value_first(const struct profile *profile);

/* What the length of one hit is, if all lanes of samples have hit counts and one such length;
 * else 0. */
int64_t lane_value_hit_ns(const struct profile *profile);

#endif
