/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The findings of several lanes as one list. */
#ifndef FLAMETTY_ANALYSIS_FINDINGS_ALL_H
#define FLAMETTY_ANALYSIS_FINDINGS_ALL_H

#include "analysis/findings.h"

struct findings_all {
	struct findings_result *results; /* of each lane that has samples */
	uint32_t n_results;
	/* At most FINDINGS_MOST, borrowed from the results. The score counts for as much as the
	 * lane's part in the busy time of all. */
	const struct finding *list[FINDINGS_MOST];
	uint32_t n;
};

/* What they are wanted of. All borrowed. */
struct findings_wanted {
	const struct profile *profile;
	const struct lane *const *lanes;
	uint32_t n_lanes;
	int64_t t0, t1;
	const struct source_host *sources; /* NULL: no text is looked at */
};

/* Compute the findings of lanes in [t0, t1). Lanes without samples are passed over. Idle time is no
 * finding if only some of the lanes are idle. */
void findings_all_init(struct findings_all *all, const struct findings_wanted *wanted);
void findings_all_done(struct findings_all *all);

#endif
