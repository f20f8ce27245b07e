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
#ifndef FLAMETTY_ANALYSIS_GATE_GATE_H
#define FLAMETTY_ANALYSIS_GATE_GATE_H

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
void gate_done(struct gate *gate);

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
	/* Twice the standard error that sampling causes; 0: the figure is exact, or of a change. Of
	 * k among n samples, 2 sqrt(k (1 - k / n) + 1) samples. */
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

/* The set of frames[0 .. n) that a gate's pattern is about, as frame_set_find() returns it. (idle),
 * (program) and garbage collection are no functions: they are in it only if the pattern names them,
 * with four letters in a row of their name, or gc. */
uint8_t *gate_value_matches(const struct profile *profile, const struct frame *frames, uint32_t n,
			    const char *pattern, struct error *err) MUST_USE;

/* The gate limits a share of which is_all is true: err says what to write instead (ERR_USAGE).
 * Always returns false. */
bool gate_value_refuse(const struct gate *gate, struct error *err) MUST_USE;

/* False: the pattern takes too long. */
bool gate_value_find(const struct gate *gate, const struct gate_source *source,
		     struct gate_value *value, struct error *err) MUST_USE;

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

#endif
