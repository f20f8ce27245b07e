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
bool gate_parse(struct gate *gate, const char *text, bool is_change, struct error *err);
void gate_done(struct gate *gate);

/* `total`, `gc`, ...: static text. */
const char *gate_metric_name(enum gate_metric metric);

#endif
