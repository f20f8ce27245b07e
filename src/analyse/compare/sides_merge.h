/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Merges the calls of two sides into one left heavy lane (analyse/view/merged.h): the union of
 * both trees. The width of a call is the mean of both, that of one side, or what the larger one
 * needs. */
#ifndef FLAMETTY_ANALYSIS_COMPARE_SIDES_MERGE_H
#define FLAMETTY_ANALYSIS_COMPARE_SIDES_MERGE_H

#include "analyse/compare/compare_run.h"
#include "analyse/compare/sides.h"

/* The width of a call. With the mean, all calls together are as wide as one side. */
enum sides_width { SIDES_MEAN, SIDES_LARGER, SIDES_BEFORE, SIDES_AFTER, SIDES_WIDTHS };

struct sides_plan {
	const struct lane *const *lanes; /* of all runs, each once */
	uint32_t n_lanes;
	const struct compare_run *runs; /* those of a side are added up */
	uint32_t n_runs;
	frame_id *match; /* as in struct view_plan; taken; NULL: each frame stands for itself */
	enum sides_per per;
	enum sides_width width;
	bool has_idle; /* idle time counts */
	/* SIDES_PER_COUNT: the pattern of the functions whose calls are counted, and the profile
	 * with all calls, whose lanes have the same numbers. */
	const char *count;
	const struct profile *all;
};

/* Begin, call sides_merge_work() until it returns true, then end. Ended earlier, the result is
 * NULL. The plan is copied with its runs and their lanes; the rest must outlive the result. NULL:
 * memory was refused (base/reserve.h), or the pattern is none. */
struct sides_merge;
struct sides_merge *sides_merge_begin(const struct profile *profile, const struct sides_plan *plan);
bool sides_merge_work(struct sides_merge *merge, struct budget *budget);

/* The merged profile; the caller frees it with profile_free(). NULL: no side has any time. sides:
 * filled, without names; the caller ends it with sides_done(). */
struct profile *sides_merge_end(struct sides_merge *merge, struct sides *sides);

#endif
