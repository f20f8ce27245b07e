/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The kinds of oddities that a file may have. The builder counts them by input; each kind has a
 * short name for programs and a sentence for users. To add a kind: a constant here, a row in
 * warning.c. */
#ifndef FLAMETTY_MODEL_WARNING_H
#define FLAMETTY_MODEL_WARNING_H

#include "base/intern.h"

#include <stdbool.h>
#include <stdint.h>

enum warning_kind {
	WARN_NEGATIVE_DELTA,
	WARN_ODD_DELTA,
	WARN_UNSIGNED_DELTA,
	WARN_DELTAS_MISSING,
	WARN_DELTAS_SHORT,
	WARN_DELTAS_LONG,
	WARN_TIME_RANGE,
	WARN_ZERO_DURATION,
	WARN_SAMPLES_MISSING,
	WARN_ODD_SAMPLE,
	WARN_UNKNOWN_NODE,
	WARN_END_TIME,
	WARN_START_TIME,
	WARN_DUPLICATE_NODE,
	WARN_NESTED_ID,
	WARN_AMBIGUOUS_SAMPLE,
	WARN_ODD_NODE,
	WARN_NODE_ID,
	WARN_CALL_FRAME,
	WARN_PARENTS_DISAGREE,
	WARN_TWO_PARENTS,
	WARN_MISSING_CHILD,
	WARN_MISSING_PARENT,
	WARN_ORPHAN,
	WARN_CYCLE,
	WARN_ODD_CHILDREN,
	WARN_ODD_TICKS,
	WARN_TOO_DEEP,
	WARN_CUT_STACK,
	WARN_INLINED,
	WARN_SPLIT,
	WARN_JOINED,
	WARN_TRAILING,
	WARN_CUT_OFF,
	WARN_COMPRESSION,
	WARN_TRAILING_COMMA,
	WARN_ENCODING,
	WARN_PREFIX,
	WARN_QUOTED,
	WARN_TEXT,
	WARN_NUMBER_TEXT,
	WARN_SECOND_PROFILE,
	/* traces */
	WARN_ODD_EVENT,
	WARN_ODD_ARGS,
	WARN_UNKNOWN_PHASE,
	WARN_TIME_MISSING,
	WARN_TIME_ZERO,
	WARN_DUR_MISSING,
	WARN_DUR_NEGATIVE,
	WARN_OVERLAP,
	WARN_UNMATCHED_END,
	WARN_UNFINISHED,
	WARN_CLOSED_BY_OUTER,
	WARN_ASYNC_UNMATCHED,
	WARN_OBJECT_ID,
	WARN_OBJECT_NOT_CREATED,
	WARN_OBJECT_NOT_DELETED,
	WARN_OBJECT_ORDER,
	WARN_ODD_COUNTER,
	WARN_NO_IDS,
	WARN_CHUNK,
	WARN_NO_NODES,
	WARN_SECOND_RECORDING,
	WARN_STACK_FRAME,
	WARN_NO_EVENTS,
	WARN_FLOW_ID,
	WARN_FILE_MISSING,
	WARN_CLOCK,
	/* self-profiles and others */
	WARN_ODD_INDEX,
	WARN_STACK_CYCLE,
	WARN_UNSORTED,
	WARN_ONE_SAMPLE,
	WARN_ODD_LINE,
	WARN_ODD_WEIGHT,
	WARN_OCCURRENCES,
	WARN_TWO_COUNTS,
	WARN_SPAN_PARENT,
	WARN_SPAN_ID,
	WARN_SPAN_ROW,
	WARN_STOPPED,
	WARN_SUBSET,
	WARN_SOURCE_MAP,
	WARN_LABEL_TEXT,
	WARN_LABEL_KEYS,
	WARN_LABEL_LISTS,
	WARN_LABEL_VALUES,
	WARN_COUNT
};

/* All warnings of one kind in one input. */
struct warning {
	enum warning_kind kind;
	str_id text;    /* warning_text(), perhaps with details of the first one */
	int64_t offset; /* of the first one, a byte of the uncompressed file; -1: none */
	uint64_t count;
	bool is_note; /* nothing was lost and nothing is doubtful */
};

/* The name that programs know a kind by: "negative-delta". Static text. */
const char *warning_name(enum warning_kind kind);

/* What a user reads: "negative time delta; samples sorted by time". Static text. */
const char *warning_text(enum warning_kind kind);

/* Whether a warning of this kind is a note: nothing was lost and nothing is doubtful. */
bool warning_is_note(enum warning_kind kind);

#endif
