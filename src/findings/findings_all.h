/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The findings of several lanes as one list. */
#ifndef FLAMETTY_ANALYSIS_FINDINGS_ALL_H
#define FLAMETTY_ANALYSIS_FINDINGS_ALL_H

#include "findings/findings.h"

/* Limit of the lanes that are looked at. */
#define FINDINGS_LANES_MOST 200u

struct findings_all {
	struct findings_result *results; /* of each lane that has samples and was looked at */
	uint32_t n_results;
	uint32_t n_left; /* less busy lanes that were not looked at */
	/* At most FINDINGS_MOST, borrowed from the results. The score counts for as much as the
	 * lane's part in the busy time of all. */
	const struct finding *list[FINDINGS_MOST];
	uint32_t n;
	/* The same as users read them: equal sentences about several lanes are one, and leave room
	 * for others. */
	struct findings_joined {
		const struct finding *f; /* of the lane with the most of it */
		uint32_t n_lanes;
	} joined[FINDINGS_MOST];
	uint32_t n_joined;
};

/* What they are wanted of. All borrowed. */
struct findings_wanted {
	const struct profile *profile;
	const struct lane *const *lanes;
	uint32_t n_lanes;
	int64_t t0, t1;
	const struct source_host *sources; /* NULL: no text is looked at */
	uint32_t lanes_most;               /* 0: FINDINGS_LANES_MOST */
};

/* Compute the findings of lanes in [t0, t1). Lanes without samples are passed over. Idle time is no
 * finding if only some of the lanes are idle. */
void findings_all_init(struct findings_all *all, const struct findings_wanted *wanted);
void findings_all_done(struct findings_all *all);

#endif
