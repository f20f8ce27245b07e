/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A gate: a limit that a script sets for a figure of a profile, or for its change between two sides
 * of a comparison. `total(render) > 5%` fails where render has more than 5 % of the busy time.
 *
 *	gate   = metric ( ">" | "<" ) [ "+" | "-" ] number unit
 *	metric = ( "total" | "self" ) "(" pattern ")"
 *	       | "gc" | "program" | "idle" | "busy" | "blocked"
 *	unit   = "%" | "pt" | "ns" | "us" | "ms" | "s"
 *
 * The pattern is one of pattern.h, and ends at the last parenthesis: it may have others. A limit of
 * a change has a sign, and only it can be in points of share (pt). */
#ifndef FLAMETTY_ANALYSE_GATE_GATE_H
#define FLAMETTY_ANALYSE_GATE_GATE_H

#include "analyse/compare/compare.h"
#include "analyse/totals.h"
#include "base/error.h"

#include <stddef.h>

enum gate_metric {
	GATE_TOTAL,   /* time with a match on the stack */
	GATE_SELF,    /* time with a match as the leaf */
	GATE_GC,      /* garbage collection */
	GATE_PROGRAM, /* (program) */
	GATE_IDLE,
	GATE_BUSY,    /* all but idle time */
	GATE_BLOCKED, /* the longest task of an event loop */
};

enum gate_unit { GATE_TIME, GATE_PERCENT, GATE_POINTS };

struct gate {
	const char *text; /* borrowed */
	enum gate_metric metric;
	const char *pattern; /* owned; NULL: the metric has none */
	bool is_below;       /* it fails below the limit, else above it */
	bool is_change;      /* the limit is one of a change */
	enum gate_unit unit;
	double limit; /* in ns, percent, or points; of a change with its sign */
};

/* Parse a gate; `text` must outlive it. False: err->offset is the byte of the text where it is
 * wrong. */
bool gate_parse(struct gate *gate, const char *text, bool is_change, struct error *err) MUST_USE;

static inline void gate_done(struct gate *gate)
{
	free((void *)gate->pattern);
	*gate = (struct gate){ 0 };
}

/* `total`, `gc`, ...: static text. */
const char *gate_metric_name(enum gate_metric metric);

/* Where to measure. */
struct gate_source {
	const struct profile *profile;
	const struct lane *const *lanes; /* with samples or slices; the lanes of the view */
	uint32_t n_lanes;
	int64_t t0, t1;              /* ns since the start of the profile */
	const struct totals *totals; /* of that range; frames of the view are functions */
};

/* Why there is no figure. */
enum gate_lack {
	GATE_LACKS_NOTHING,
	GATE_LACKS_MATCH, /* no function matches the pattern; the figure is 0 */
	GATE_LACKS_BUSY,  /* no busy time */
	GATE_LACKS_LOOP,  /* no lane has an event loop with a task */
	GATE_LACKS_LABEL, /* no sample has a label that matches; the figure is 0 */
	GATE_LACKS_TIME,  /* lengths were not measured or are no times, but the limit is one */
};

#define GATE_FUNCTIONS_MAX 3

struct gate_value {
	enum gate_lack lack;
	struct amount_unit amount; /* of the profile */
	int64_t ns;
	int64_t whole_ns; /* 100 %: busy time; of idle and busy, all sampled time */
	/* units_sampling_error(); 0: the figure is exact, or of a change. */
	int64_t error_ns;
	/* The functions that match with most of it; of labels, the values. */
	struct frame functions[GATE_FUNCTIONS_MAX];
	int64_t function_ns[GATE_FUNCTIONS_MAX];
	uint32_t n_functions;
	uint32_t n_more; /* functions that match and are not among these */
	/* The longest task: when, and the number of its lane; 0: none. */
	uint32_t lane;
	int64_t t0;
	bool is_at_most; /* it may be several tasks */
	/* The pattern matches each of two or more functions with time: its share is the same
	 * whatever they do. */
	bool is_all;
};

/* `no function matches` and so on; NULL: nothing is lacking. Static text. */
const char *gate_value_lack(enum gate_lack lack);

struct gate_result {
	const struct gate *gate;
	struct gate_value value;
	double figure; /* in the unit of the limit */
	double error;  /* value.error_ns in that unit */
	bool has_failed;
	/* The profile is too little to decide: value.lack is set, or the figure is nearer to the
	 * limit than the error. */
	bool is_undecided;
};

/* Decide a gate that is not about a change. False: the pattern takes too long. */
bool gate_result_find(const struct gate *gate, const struct gate_source *source,
		      struct gate_result *result, struct error *err) MUST_USE;

/* ---- gate runs ----
 *
 * The figures of gates in the runs of a comparison. */

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
static inline bool gate_runs_is_share(const struct compare *c, const struct gate *gate)
{
	return gate->metric != GATE_BLOCKED && gate->unit != GATE_TIME &&
		(gate->unit == GATE_POINTS || c->plan.per == COMPARE_PER_TOTAL);
}

static inline void gate_runs_done(struct gate_runs *out)
{
	for (size_t i = 0; i < out->n; i++)
		free(out->gates[i].runs);
	free(out->gates);
	free(out->changes);
	*out = (struct gate_runs){ 0 };
}

#endif
