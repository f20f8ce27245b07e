/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Makes the tree and samples of lanes of a view, one lane after the other, in steps. Only scoped.c
 * uses this. */
#ifndef FLAMETTY_ANALYSIS_SCOPED_LANE_H
#define FLAMETTY_ANALYSIS_SCOPED_LANE_H

#include "analyse/view/view.h"

struct scoped_lane;

/* For the lanes of a complete view. */
struct scoped_lane *scoped_lane_new(const struct view *view);

/* Begin to give `lane`, which is a copy of the lane of a source, its own tree and samples; their
 * times stay borrowed. Call scoped_lane_work() until it returns true. Dropped earlier, the lane is
 * only good for lane_done(). */
void scoped_lane_begin(struct scoped_lane *work, uint32_t source, struct lane *lane);
bool scoped_lane_work(struct scoped_lane *work, struct budget *budget);
void scoped_lane_free(struct scoped_lane *work);

#endif
