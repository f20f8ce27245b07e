/* SPDX-License-Identifier: GPL-2.0-or-later */
/* From what the slices of a layer say about time, while they are placed, to what its lane keeps
 * (model/slice_time.h). */
#ifndef FLAMETTY_BUILD_SLICE_COVER_H
#define FLAMETTY_BUILD_SLICE_COVER_H

#include "model/lane.h"

/* Give the lane, which has its tree and samples, the stretches of its layer. Takes the lists of
 * `time`, whose times are absolute; `covered` has the whole time of each slice on a later layer in
 * its parent on this one. order: the lane's node of each node of `time`. lane->busy_ns loses what
 * is doubled. */
void slice_cover_take(struct slice_time *time, struct lane *lane, const node_id *order);

#endif
