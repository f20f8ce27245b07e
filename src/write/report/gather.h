/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What reports are made from: the lanes of the scope, their totals, findings, and sums. */
#ifndef FLAMETTY_WRITE_REPORT_GATHER_H
#define FLAMETTY_WRITE_REPORT_GATHER_H

#include "analyse/summary.h"
#include "analyse/totals.h"
#include "analyse/view/scoped.h"
#include "findings/findings.h"
#include "write/report/report.h"

#include <stdbool.h>

struct gathered {
	const struct profile *profile; /* in the scope */
	const struct scoped *scoped;
	const struct report_options *options;
	const struct lane **lanes; /* lanes of calls */
	/* The same lanes in the original profile, without joined lanes. */
	const struct lane **originals;
	uint32_t n_lanes, n_originals;
	struct summary_range of_originals; /* in the range of the options */
	int64_t hit_ns;                    /* lane_value_hit_ns() */
	struct findings_all findings; /* if they were asked for; groups of functions have none */
	struct view view;
	struct totals totals;
	struct scoped plain;    /* the same without --group, if it was given */
	struct view plain_view; /* ... its functions */
	struct totals plain_totals;
	const struct totals *functions;   /* totals of functions, with any --group; shares are
					     computed from them */
	uint8_t *is_row;                  /* by frame: --filter keeps it; NULL: all */
	int64_t range_ns;                 /* the parts of all lanes within the range */
	int64_t dropped_ns, unsampled_ns; /* of range_ns: dropped by transforms; not sampled */
	int64_t whole_ns;                 /* 100 % */
	struct stretches stretches[2];    /* of the originals, if gather_stretches() was called */
	struct hot_line *lines; /* the GATHER_LINES hottest ones of n_lines; NULL: not known */
	size_t n_lines, n_all_lines;
};

/* What is gathered: the totals, the findings, too, or all, that is also the first rows of the
 * tables of stretches and of lines. The latter need only the samples, so another thread can find
 * them. */
enum gather_parts { GATHER_TOTALS, GATHER_FINDINGS, GATHER_ALL };

#define GATHER_STRETCHES 10
#define GATHER_LINES 20

void gather_init(struct gathered *gathered, const struct scoped *scoped,
		 const struct report_options *options, enum gather_parts parts);
void gather_done(struct gathered *gathered);

/* The part [*t0, *t1) of a lane within the range. False: it is empty. */
bool gather_range(const struct report_options *options, const struct lane *lane, int64_t *t0,
		  int64_t *t1);

/* The time of [t0, t1) that calls of a lane, and of those joined to it, cover. The cost follows its
 * samples, not the functions of the profile. */
int64_t gather_covered(const struct lane *lane, int64_t t0, int64_t t1);

/* Find the longest pauses and busy stretches: `most` of each, the rows of their tables. */
void gather_stretches(struct gathered *gathered, size_t most);

/* What stands out, as summary_standouts() has it. */
size_t gather_standouts(const struct gathered *gathered, struct standout out[STANDOUT_COUNT]);

/* Whether --filter keeps the row of a frame of the view. */
static inline bool gather_has_row(const struct gathered *g, frame_id frame)
{
	return !g->is_row || g->is_row[frame];
}

/* The same of tables of functions, which leave idle time out unless it is wanted. */
static inline bool gather_lists(const struct gathered *g, frame_id frame)
{
	bool is_idle = g->view.frames[frame].category == CATEGORY_IDLE;

	return (!is_idle || g->options->scope.has_idle) && gather_has_row(g, frame);
}

#endif
