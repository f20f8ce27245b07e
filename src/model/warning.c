/* SPDX-License-Identifier: GPL-2.0-or-later */
/* One row for each kind of warning. Names are part of the JSON output and must not change. */
#include "config.h"

#include "model/warning.h"

static const struct {
	const char *name;
	const char *text;
	bool is_note;
} kinds[WARN_COUNT] = {
	[WARN_NEGATIVE_DELTA] = { "negative-delta", "negative time delta; samples sorted by time",
				  true },
	[WARN_ODD_DELTA] = { "odd-delta",
			     "time delta that is not a number, above 1 h or below -1 s", false },
	[WARN_UNSIGNED_DELTA] = { "unsigned-delta",
				  "negative time delta written as an unsigned number; read as "
				  "negative",
				  false },
	[WARN_DELTAS_MISSING] = { "deltas-missing", "no time deltas; samples spread evenly",
				  false },
	[WARN_DELTAS_SHORT] = { "deltas-short",
				"fewer time deltas than samples; the average fills the rest",
				false },
	[WARN_DELTAS_LONG] = { "deltas-long",
			       "more time deltas than samples; the surplus is ignored", false },
	[WARN_TIME_RANGE] = { "time-range", "time out of range; clamped", false },
	[WARN_ZERO_DURATION] = { "zero-duration",
				 "the samples have no duration; shown spread evenly, the tables "
				 "count samples",
				 false },
	[WARN_SAMPLES_MISSING] = { "samples-missing",
				   "no samples; totals from hit counts, aggregated, no time line",
				   false },
	[WARN_ODD_SAMPLE] = { "odd-sample",
			      "sample that is not a node id; its time goes to the sample before",
			      false },
	[WARN_UNKNOWN_NODE] = { "unknown-node",
				"sample of a node that does not exist; shown as (unknown)", false },
	[WARN_END_TIME] = { "end-time",
			    "endTime missing or not after the last sample; the average interval "
			    "ends it",
			    true },
	[WARN_START_TIME] = { "start-time", "startTime missing; taken as 0", true },
	[WARN_DUPLICATE_NODE] = { "duplicate-node",
				  "two nodes with one id; the last one counts, with the children "
				  "of both",
				  false },
	[WARN_NESTED_ID] = { "nested-id",
			     "nested node with the id of another one; each counts where it stands",
			     true },
	[WARN_AMBIGUOUS_SAMPLE] = { "ambiguous-sample",
				    "sample of an id that several nodes have; taken for the one that "
				    "ends first in the file",
				    false },
	[WARN_ODD_NODE] = { "odd-node", "entry of nodes that is not a node; left out", false },
	[WARN_NODE_ID] = { "node-id", "node without a usable id", false },
	[WARN_CALL_FRAME] = { "call-frame", "node without a call frame; shown as (anonymous)",
			      false },
	[WARN_PARENTS_DISAGREE] = { "parents-disagree",
				    "parent and children disagree; the children count", false },
	[WARN_TWO_PARENTS] = { "two-parents",
			       "node listed as a child more than once; the first parent counts",
			       false },
	[WARN_MISSING_CHILD] = { "missing-child", "child that does not exist", false },
	[WARN_SPAN_PARENT] = { "span-parent", "span whose parent is not in the file; it has none",
			       false },
	[WARN_SPAN_ID] = { "span-id", "two spans with one id; children belong to the first",
			   false },
	[WARN_SPAN_ROW] = { "span-row",
			    "span for which no row is free; cut where the one on its row ends",
			    false },
	[WARN_MISSING_PARENT] = { "missing-parent",
				  "parent that does not exist; node moved below the root", false },
	[WARN_ORPHAN] = { "orphan", "node without a parent; moved below the root", false },
	[WARN_CYCLE] = { "cycle", "cycle of parents; cut", false },
	[WARN_ODD_CHILDREN] = { "odd-children", "children that are not node ids; left out", false },
	[WARN_ODD_TICKS] = { "odd-ticks", "positionTicks without line and count; left out", true },
	[WARN_TOO_DEEP] = { "too-deep", "node deeper than 65 000 rows; counted in the deepest row",
			    false },
	[WARN_INLINED] = { "inlined",
			   "inlined function without position; url and position taken from its "
			   "own entry",
			   true },
	[WARN_SPLIT] = { "split",
			 "function at several lines, as Bun up to 1.3.9 writes the line of each "
			 "sample; --group=name joins them",
			 true },
	[WARN_JOINED] = { "joined", "lone (program) sample joined with the call around it", true },
	[WARN_TRAILING] = { "trailing", "text after the end of the profile; ignored", false },
	[WARN_CUT_OFF] = { "cut-off", "the file is cut off", false },
	[WARN_COMPRESSION] = { "compression",
			       "the compressed data is damaged; read up to the damage", false },
	[WARN_TRAILING_COMMA] = { "trailing-comma", "comma before a closing bracket; ignored",
				  false },
	[WARN_ENCODING] = { "encoding", "not UTF-8; converted", true },
	[WARN_PREFIX] = { "prefix", "text before the profile; skipped", true },
	[WARN_QUOTED] = { "quoted", "the profile is in a quoted string; its escapes are decoded",
			  true },
	[WARN_TEXT] = { "text", "text that is not valid UTF-8; shown with U+FFFD", true },
	[WARN_NUMBER_TEXT] = { "number-text", "number written as text", true },
	[WARN_SECOND_PROFILE] = { "second-profile",
				  "another profile after the first; on a lane of its own", true },
	[WARN_ODD_EVENT] = { "odd-event", "entry of traceEvents that is not an event; left out",
			     false },
	[WARN_ODD_ARGS] = { "odd-args",
			    "args that are damaged or lack a member; what cannot be read is not "
			    "used",
			    false },
	[WARN_UNKNOWN_PHASE] = { "unknown-phase", "event of an unknown phase; not drawn", false },
	[WARN_TIME_MISSING] = { "time-missing",
				"event or sample without a usable time stamp; not drawn", false },
	[WARN_TIME_ZERO] = { "time-zero",
			     "events or samples far from all others; left out (--whole keeps "
			     "them)",
			     false },
	[WARN_DUR_MISSING] = { "dur-missing", "X event without dur; taken as 0", false },
	[WARN_DUR_NEGATIVE] = { "dur-negative", "negative dur; taken as 0", false },
	[WARN_OVERLAP] = { "overlap",
			   "slice that begins inside another and outlasts it; on a row of its own",
			   false },
	[WARN_UNMATCHED_END] = { "unmatched-end", "end without a begin; left out", false },
	[WARN_UNFINISHED] = { "unfinished",
			      "begin without an end; drawn to the end of the recording", false },
	[WARN_CLOSED_BY_OUTER] = { "closed-by-outer",
				   "slice closed by the end of the slice around it", false },
	[WARN_ASYNC_UNMATCHED] = { "async-unmatched", "async begin or end without its partner",
				   false },
	[WARN_OBJECT_ID] = { "object-id", "object without an id; one for each type", false },
	[WARN_OBJECT_NOT_CREATED] = { "object-not-created",
				      "object without N; drawn from the start of the recording",
				      true },
	[WARN_OBJECT_NOT_DELETED] = { "object-not-deleted",
				      "object without D; drawn to the end of the recording, or to "
				      "the next one with its id",
				      true },
	[WARN_OBJECT_ORDER] = { "object-order",
				"object created while it lives, or changed or deleted after its "
				"end; another one begins",
				false },
	[WARN_ODD_COUNTER] = { "odd-counter", "counter value that is not a number; left out",
			       false },
	[WARN_NO_IDS] = { "no-ids", "event without pid or tid; taken as 0", true },
	[WARN_CHUNK] = { "chunk", "ProfileChunk without its Profile or without data", false },
	[WARN_NO_NODES] = { "no-nodes", "profile with samples, but no nodes; left out", false },
	[WARN_SECOND_RECORDING] = { "second-recording",
				    "profile announced a second time; on a lane of its own", true },
	[WARN_STACK_FRAME] = { "stack-frame", "stack that names a missing frame; shown as ?",
			       false },
	[WARN_NO_EVENTS] = { "no-events", "no events", true },
	[WARN_FLOW_ID] = { "flow-id", "flow event without an id; left out", false },
	[WARN_FILE_MISSING] = { "file-missing",
				"a file of a rotated log is missing, and its events with it",
				false },
	[WARN_CLOCK] = { "clock",
			 "on another clock than other files; it begins at 0 of its own time line",
			 true },
	[WARN_ODD_INDEX] = { "odd-index",
			     "index that points nowhere; shown as (unknown) or without url",
			     false },
	[WARN_STACK_CYCLE] = { "stack-cycle", "cycle of stacks; cut", false },
	[WARN_UNSORTED] = { "unsorted", "samples out of order or at the same time; sorted", true },
	[WARN_ONE_SAMPLE] = { "one-sample", "a single sample has no duration", true },
	[WARN_ODD_LINE] = { "odd-line", "line that cannot be read; left out", false },
	[WARN_SOURCE_MAP] = { "source-map", "source map that cannot be used as it is", false },
	[WARN_SUBSET] = { "part", "only a part was loaded", false },
	[WARN_STOPPED] = { "stopped",
			   "reading was stopped; what comes later in the file is missing", false },
	[WARN_OCCURRENCES] = { "occurrences",
			       "values are occurrences of an event, not time; without a time line",
			       true },
	[WARN_TWO_COUNTS] = { "two-counts",
			      "two counts a line, before and after; the second ones are shown "
			      "unless --sample-type=before is given; flametty diff FILE compares "
			      "them",
			      true },
	[WARN_LABEL_TEXT] = { "label-text", "key or value of a label of more than 1 kB; cut",
			      false },
	[WARN_LABEL_KEYS] = { "label-keys", "label beyond 256 keys; left out", false },
	[WARN_LABEL_LISTS] = { "label-lists",
			       "sample beyond 4194304 different lists of labels; shown without",
			       false },
	[WARN_LABEL_VALUES] = { "label-values",
				"lane of values below 0; labels of its samples ignored", false },
	[WARN_ODD_WEIGHT] = { "odd-weight",
			      "sample weight that is negative or not a number; taken as 0", false },
};

const char *warning_name(enum warning_kind kind)
{
	return kinds[kind].name;
}

const char *warning_text(enum warning_kind kind)
{
	return kinds[kind].text;
}

bool warning_is_note(enum warning_kind kind)
{
	return kinds[kind].is_note;
}
