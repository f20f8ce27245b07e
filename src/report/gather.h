/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the tables of a report are made of: all lanes of calls in scope as one. */
#ifndef FLAMETTY_REPORT_GATHER_H
#define FLAMETTY_REPORT_GATHER_H

#include "analysis/functions.h"
#include "analysis/scoped.h"
#include "analysis/summary.h"
#include "report/report.h"

struct gathered {
	const struct profile *profile; /* as the scope shows it */
	const struct scoped *scoped;
	const struct report_options *options;
	const struct lane **lanes; /* of samples, or, where there are none, of slices */
	const struct lane *
		*originals; /* the same as they are in the files; without those joined to others */
	uint32_t n_lanes, n_originals;
	struct view view;
	struct totals totals;
	struct view plain_view; /* the same without a group, where there is one */
	struct totals plain_totals;
	const struct totals
		*functions; /* totals of functions, whatever the group: shares are made of them */
	uint8_t *is_row;    /* by frame: --filter shows it; NULL: all */
	int64_t range_ns;   /* of all lanes, as far as they reach within the range */
	int64_t dropped_ns,
		unsampled_ns; /* what of it was sampled, but dropped; what was not sampled */
	int64_t whole_ns;     /* 100 % */
};

void gather_init(struct gathered *gathered, const struct scoped *scoped,
		 const struct report_options *options);
void gather_done(struct gathered *gathered);

/* How a lane reaches into the range: false, not at all. */
bool gather_range(const struct report_options *options, const struct lane *lane, int64_t *t0,
		  int64_t *t1);

/* What stands out: as summary_findings(). */
size_t gather_findings(const struct gathered *gathered, struct finding out[FINDING_COUNT]);

/* Whether --filter leaves the row of a frame of the view in. */
bool gather_has_row(const struct gathered *gathered, frame_id frame);

#endif
