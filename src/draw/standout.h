/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the summary says to stand out, as sentences. */
#ifndef FLAMETTY_DRAW_STANDOUT_H
#define FLAMETTY_DRAW_STANDOUT_H

#include "analyse/summary.h"
#include "base/buf.h"
#include "model/profile.h"

/* Append a line of at most `room` cells, without a line end. has_lane: name the lane of a stretch.
 * clock: that of its place. */
void standout_format(const struct profile *profile, const struct standout *standout, bool has_lane,
		     int room, const struct place_clock *clock, struct buf *out);

/* Append the vitals of the pages of a profile, a line each; unless is_brief, with their phases and
 * milestones in further lines. */
void standout_pages(const struct profile *profile, const struct place_clock *clock, bool is_brief,
		    struct buf *out);

/* The name of a kind for machine-readable output: `gc`, `function`, `busy`, `pause`, `recursion`.
 */
const char *standout_name(enum standout_kind kind);

#endif
