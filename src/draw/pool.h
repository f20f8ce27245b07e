/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Pools: runs of lanes of one process that have a row together, below which they are folded. The
 * threads of a thread pool are one, by their names, and so are the objects of one scope. */
#ifndef FLAMETTY_LAYOUT_POOL_H
#define FLAMETTY_LAYOUT_POOL_H

#include "base/buf.h"
#include "model/profile.h"

/* Whether a lane belongs to a pool, and the next lane to the same. */
bool pool_has(const struct profile *profile, const struct lane *lane);
bool pool_goes_on(const struct profile *profile, const struct lane *lane, const struct lane *next);

/* Whether the next lane of a pool counts beside the one before it: it is of another thread, or of
 * other objects. */
bool pool_counts(const struct lane *before, const struct lane *lane);

/* Append the name of the pool that begins with a lane and has n such: `Thread pool, 5 threads`,
 * `Objects in shop (pid 7), 2 lanes`. has_process: objects have name and id of the process. */
void pool_name(const struct profile *profile, const struct lane *first, int n, bool has_process,
	       struct buf *out);

/* Append the name of a lane of objects below that: their type. */
void pool_lane_name(const struct profile *profile, const struct lane *lane, struct buf *out);

#endif
