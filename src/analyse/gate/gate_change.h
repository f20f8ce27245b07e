/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Gates about the change between two groups of runs.
 *
 * A gate fails if the change of the medians is beyond its limit, is above the floor and, with
 * GATE_RUNS_LEAST runs on each side or more, is no chance: p of the rank-sum test below 0.05, after
 * the correction of Holm over all gates. With fewer runs the medians decide alone. */
#ifndef FLAMETTY_ANALYSIS_GATE_GATE_CHANGE_H
#define FLAMETTY_ANALYSIS_GATE_GATE_CHANGE_H

#include "analyse/gate/gate_value.h"

#define GATE_RUNS_LEAST 4 /* no p of fewer runs is below 0.05 */
#define GATE_LEVEL 0.05

/* A run as a gate sees it. */
struct gate_run {
	bool is_after;
	double value; /* the figure: ns for a limit in time, else anything that is in proportion */
	double whole; /* 100 %: busy time in the same unit */
};

enum gate_doubt {
	GATE_SURE,
	GATE_DOUBT_LACK,  /* `lack` says why there is no figure */
	GATE_DOUBT_RUNS,  /* fewer than GATE_RUNS_LEAST runs on a side */
	GATE_DOUBT_GATES, /* too few runs for the number of gates: none could fail */
};

struct gate_change {
	const struct gate *gate;
	const struct gate_run *runs; /* borrowed */
	size_t n_runs, n_before, n_after;
	enum gate_lack lack;
	/* Medians of what is compared: value, in percent of `whole` for points. */
	double before, after;
	double change;       /* of the medians, in the unit of the limit; INFINITY: from 0 */
	double p;            /* corrected; 1 without a test */
	bool is_above_floor; /* also of gates that have no floor */
	bool has_failed;
	enum gate_doubt doubt;
};

/* Decide n gates. Of each `gate`, `runs`, `n_runs` and `lack` are set. floor: the part of `whole`
 * that a change must have; a blocked event loop has none. */
void gate_change_decide(struct gate_change *changes, size_t n, double floor);

/* Whether a change of this many runs on each side is tested. */
static inline bool gate_change_has_test(const struct gate_change *c)
{
	return c->n_before >= GATE_RUNS_LEAST && c->n_after >= GATE_RUNS_LEAST;
}

#endif
