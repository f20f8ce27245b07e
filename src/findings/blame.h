/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The function that a stretch of time is to be blamed on: that of the heaviest finding about it. */
#ifndef FLAMETTY_ANALYSIS_BLAME_H
#define FLAMETTY_ANALYSIS_BLAME_H

#include "base/buf.h"
#include "findings/findings.h"

/* All texts are in visible form. */
struct blame {
	struct buf text; /* the finding: `render page.js:12 93 %; in JSON.stringify 80 %`; empty:
			    nothing is known */
	struct buf name, url; /* of its function; a name of "": there is none */
	int32_t line, column; /* from 1; 0: unknown */
	double share;         /* of the busy time of the stretch, from 0 to 1 */
};

/* Blame [t0, t1) of the lane, ns of the clock of the files. The whole lane decides which code is
 * the user's own. sources: texts that the finding may quote; NULL: none. */
void blame_find(const struct profile *profile, const struct lane *lane, int64_t t0, int64_t t1,
		const struct source_host *sources, struct blame *blame);
void blame_done(struct blame *blame);

#endif
