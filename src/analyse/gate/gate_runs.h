/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The figures of gates in the runs of a comparison. */
#ifndef FLAMETTY_ANALYSIS_GATE_GATE_RUNS_H
#define FLAMETTY_ANALYSIS_GATE_GATE_RUNS_H

#include "analyse/compare/compare.h"
#include "analyse/gate/gate_change.h"

/* A function that matches the pattern of a gate. */
struct gate_runs_function {
	struct frame frame;
	double before, after; /* medians, in the unit of the comparison */
};

struct gate_runs_gate {
	struct gate_run *runs;
	/* The functions that match and changed most. */
	struct gate_runs_function functions[GATE_FUNCTIONS_MOST];
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
		    size_t n, struct error *err);
/* Whether the values of a gate are in percent; otherwise they are in ns: of blocks and with
 * COMPARE_PER_TOTAL as recorded, else as the comparison has them. */
bool gate_runs_is_share(const struct compare *compare, const struct gate *gate);

void gate_runs_done(struct gate_runs *out);

#endif
