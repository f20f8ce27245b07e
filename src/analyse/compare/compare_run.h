/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Runs: what a comparison compares. All files are loaded into one profile, whose functions and
 * texts the runs share. A run is a set of its lanes and a range of time: the files of one argument
 * of the command line, or one window of a recording. */
#ifndef FLAMETTY_ANALYSE_COMPARE_COMPARE_RUN_H
#define FLAMETTY_ANALYSE_COMPARE_COMPARE_RUN_H

#include "base/error.h"
#include "model/profile.h"

#include <stdlib.h>

struct compare_run {
	const char *name; /* a path, or a range; borrowed */
	uint8_t *is_lane; /* by lane of the profile: 1 if it is of the run; owned */
	int64_t t0, t1;   /* ns since the start of the profile */
	bool is_after;    /* of the side `after` */
	bool is_part;     /* of a range of it: compare_run_restrict() */
	bool is_slices;   /* where there are both, slices are compared instead of samples */
};

/* The run of the arguments of the command line (input.argument) from `first` to before `end`: their
 * lanes with calls, from the start of the first of them to the end of the last one. False: there
 * are none, and err says why. */
bool compare_run_of_arguments(struct compare_run *run, const struct profile *profile,
			      uint32_t first, uint32_t end, struct error *err) MUST_USE;

/* Restrict a run to its lanes that a selector (scope_select()) names; a number is that of a lane
 * among the lanes of the run, counted from 1. NULL: all. False, with ERR_USAGE: it names none. */
bool compare_run_select(struct compare_run *run, const struct profile *profile,
			const char *selector, struct error *err) MUST_USE;

/* Restrict a run to the range from `from` to `to`, as units_parse_time() reads them, counted from
 * the start of the run; NULL: its start, its end. False, with ERR_USAGE: this is no range, or the
 * lanes have no time line. */
bool compare_run_restrict(struct compare_run *run, const struct profile *profile, const char *from,
			  const char *to, struct error *err) MUST_USE;

/* Whether all lanes of the run have a time line, which hit counts, folded stacks and values that
 * are no times have not. */
bool compare_run_has_time(const struct compare_run *run, const struct profile *profile);

static inline void compare_run_done(struct compare_run *run)
{
	free(run->is_lane);
	run->is_lane = NULL;
}

#endif
