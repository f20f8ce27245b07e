/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Calls that happened at different times, laid together: the same calls merged, the heaviest first.
 * The result is a profile of its own, whose axis is time spent, not time of day; so everything that
 * a time line can do works on it too. */
#ifndef FLAMETTY_ANALYSIS_MERGED_H
#define FLAMETTY_ANALYSIS_MERGED_H

#include "analysis/totals.h"

/* One lane: all calls of the totals' view and range, root on top (a flame graph). NULL: no time at
 * all. To be freed by profile_free(); the view's profile must outlive it. */
struct profile *merged_left_heavy(const struct totals *totals);

/* Two lanes about one frame of the view: first who calls it (depth 0: itself, then its callers),
 * then what it calls. Recursion counts once: calls of it inside of it are callees. NULL: it
 * has no time. */
struct profile *merged_sandwich(const struct totals *totals, frame_id frame);

#endif
