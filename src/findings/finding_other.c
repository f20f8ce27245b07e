/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Only lanes that can have enough busy time in the window are summed sample by sample. */
#include "config.h"

#include "findings/finding_other.h"

#include "base/units.h"

#define BUSY_PERCENT 50 /* of the window */

/* The time of [t0, t1) in which a lane was sampled and not idle. */
static int64_t busy_of(const struct profile *profile, const struct lane *lane, int64_t t0,
		       int64_t t1)
{
	const struct samples *s = &lane->samples;
	int64_t ns = 0;

	for (size_t i = samples_find(s, t0); i < s->n && samples_time(s, i) < t1; i++) {
		int64_t from = samples_time(s, i) > t0 ? samples_time(s, i) : t0,
			end = samples_time(s, i + 1) < t1 ? samples_time(s, i + 1) : t1;
		node_id leaf = s->leaf[i];

		if (leaf != NODE_ROOT && end > from &&
		    profile_node_frame(profile, lane, leaf)->category != CATEGORY_IDLE)
			ns += end - from;
	}
	return ns;
}

const struct lane *finding_other_busy(const struct finding_window *w, int64_t *ns)
{
	const struct profile *profile = w->charge->profile;
	const struct lane *best = NULL;
	int64_t t0 = w->times.t0, t1 = w->times.t1, least = units_part(t1 - t0, BUSY_PERCENT, 100);

	*ns = 0;
	if (profile->has_own_zero)
		return NULL;
	for (uint32_t i = 0; i < profile->n_lanes; i++) {
		const struct lane *lane = &profile->lanes[i];
		int64_t busy;

		if (lane == w->charge->lane || lane->kind != LANE_SAMPLES ||
		    !lane_has_times(lane) || !lane->samples.n || lane_worked_ns(lane) <= least)
			continue;
		busy = busy_of(profile, lane, t0, t1);
		if (busy >= least && busy > *ns) {
			*ns = busy;
			best = lane;
		}
	}
	return best;
}
