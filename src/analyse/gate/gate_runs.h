/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The figures of gates in the runs of a comparison. */
#ifndef FLAMETTY_ANALYSIS_GATE_GATE_RUNS_H
#define FLAMETTY_ANALYSIS_GATE_GATE_RUNS_H

#include "analyse/compare/compare.h"
#include "analyse/gate/gate.h"

#define GATE_RUNS_MIN 4 /* no p of fewer runs is below 0.05 */
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
	GATE_DOUBT_RUNS,  /* fewer than GATE_RUNS_MIN runs on a side */
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

/* Whether a change of this many runs on each side is tested. */
static inline bool gate_change_has_test(const struct gate_change *c)
{
	return c->n_before >= GATE_RUNS_MIN && c->n_after >= GATE_RUNS_MIN;
}

/* A function that matches the pattern of a gate. */
struct gate_runs_function {
	struct frame frame;
	double before, after; /* medians, in the unit of the comparison */
};

struct gate_runs_gate {
	struct gate_run *runs;
	/* The functions that match and changed most. */
	struct gate_runs_function functions[GATE_FUNCTIONS_MAX];
	uint32_t n_functions, n_more;
	bool is_all; /* in each run the pattern matches all functions */
};

struct gate_runs {
	struct gate_runs_gate *gates;
	struct gate_change *changes; /* by gate */
	size_t n;
};

/* Decide n gates that are about changes. The plan of the comparison is used with functions as
 * frames, whatever its rows are. False with err set: `out` is only good for gate_runs_done(). */
bool gate_runs_init(struct gate_runs *out, const struct compare *compare, const struct gate *gates,
		    size_t n, struct error *err) MUST_USE;

/* Whether the values of a gate are in percent; otherwise they are in ns: of blocks and with
 * COMPARE_PER_TOTAL as recorded, else as the comparison has them. */
bool gate_runs_is_share(const struct compare *compare, const struct gate *gate);
void gate_runs_done(struct gate_runs *out);

#endif
