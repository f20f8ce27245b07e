/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The only writer of a profile. A reader passes on what it sees, in any order; the
 * builder sorts, repairs, and counts each repair as a warning. The rules that
 * turn samples into time are those of formats(5), section CPU PROFILES. */
#ifndef FLAMETTY_BUILD_BUILDER_H
#define FLAMETTY_BUILD_BUILDER_H

#include "base/error.h"
#include "base/progress.h"
#include "model/profile.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct builder;
struct part;

/* Things that a file may have wrong; the table in builder.c has their texts. */
enum warn {
	WARN_NEGATIVE_DELTA,
	WARN_ODD_DELTA,
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
	WARN_INLINED,
	WARN_JOINED,
	WARN_TRAILING,
	WARN_CUT_OFF,
	WARN_COMPRESSION,
	WARN_TRAILING_COMMA,
	WARN_ENCODING,
	WARN_TEXT,
	WARN_NUMBER_TEXT,
	WARN_SECOND_PROFILE,
	/* traces */
	WARN_ODD_EVENT,
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
	WARN_ODD_COUNTER,
	WARN_NO_IDS,
	WARN_CHUNK,
	WARN_SECOND_RECORDING,
	WARN_STACK_FRAME,
	WARN_NO_EVENTS,
	WARN_FLOW_ID,
	/* self-profiles and others */
	WARN_ODD_INDEX,
	WARN_STACK_CYCLE,
	WARN_UNSORTED,
	WARN_ONE_SAMPLE,
	WARN_ODD_LINE,
	WARN_ODD_WEIGHT,
	WARN_STOPPED,
	WARN_PART,
	WARN_COUNT
};

struct builder_options {
	bool is_raw;    /* keep GC and lone (program) samples as recorded */
	bool is_survey; /* keep nothing of samples and slices but when they are: lanes come out
			   without (part.h) */
	const struct part *part; /* keep only this; NULL: all. It must outlive the builder */
	atomic_bool *has_begun; /* set as soon as there is a sample or a slice; NULL: nobody asks */
};

struct builder *builder_new(const struct builder_options *options);

/* Free a builder whose profile is not wanted. NULL is allowed. */
void builder_free(struct builder *b);

/* What comes next is from this file. bytes: its size, -1 unknown. */
void builder_input(struct builder *b, const char *path);
void builder_input_facts(struct builder *b, const char *format, const char *compression,
			 int64_t bytes);

/* The wall clock at the start of the recording, as the name of the file has it: seconds since
 * 1970 in a zone that nobody knows. Clocks are compared by it (align.c). */
void builder_input_date(struct builder *b, int64_t seconds);

/* The input is none, and forgotten: no lane came of it. */
void builder_input_drop(struct builder *b);

/* CPU profiles from here on, up to the next input, have a clock of their own, that tells
 * nothing of when they were: each call begins another one. */
void builder_own_clock(struct builder *b);

/* Count a warning for the current input. offset: -1 if none. */
void builder_warn(struct builder *b, enum warn kind, int64_t offset);

/* builder_warn() with what exactly, for the first one of its kind. */
void builder_warn_text(struct builder *b, enum warn kind, int64_t offset, const char *detail);

/* The current input was not read to its end, because nobody wanted to wait: what looks cut off is
 * not. */
void builder_stopped(struct builder *b);

/* A line of facts for the details of the current input; is_loss: it says what is not shown. */
void builder_fact(struct builder *b, bool is_loss, const char *format, ...) ERROR_PRINTF(3, 4);

/* Whether not all that is passed on is kept: then slices should come as soon as they are known, in
 * any order. */
bool builder_is_partial(const struct builder *b);

/* What is passed would not be the same when all is kept: no part can be loaded. */
void builder_no_part(struct builder *b);

/* The input is worth having even if no lane comes of it: an empty trace. */
void builder_accept_empty(struct builder *b);

/* Names and order, whenever they are known; the last call wins. name: NULL leaves it. sort_index:
 * lower first, 0 where nobody says; rank: among threads of one sort index (0: main thread). */
void builder_process(struct builder *b, int64_t pid, const char *name, size_t len);
void builder_process_sort(struct builder *b, int64_t pid, int64_t sort_index);
void builder_thread(struct builder *b, int64_t pid, int64_t tid, const char *name, size_t len);
void builder_thread_sort(struct builder *b, int64_t pid, int64_t tid, int64_t sort_index, int rank);

/* The window to begin with, in ns of the file's clock. */
void builder_window(struct builder *b, int64_t t0, int64_t t1);

/* ---- slices, async tracks, marks, counters ---- */

/* A frame for what a trace states: it has a name and, perhaps, a reserved colour name (cname; ""
 * or NULL for none; the first of a name wins). Equal names, equal frames. */
frame_id builder_slice_frame(struct builder *b, const char *name, size_t len, const char *cname,
			     size_t cname_len);

/* A track of LANE_SLICES, LANE_ASYNC or LANE_MARKS: becomes one lane, or several joined ones
 * where slices overlap. tid -1: belongs to the process; pid -1: to all. title: "" for a
 * thread's own slices. Returns an index for builder_slice(). Each call makes a new track. */
uint32_t builder_track(struct builder *b, enum lane_kind kind, int64_t pid, int64_t tid,
		       const char *title, size_t len);

/* A slice [t0, t1) in ns of the file's clock, t1 >= t0, in any order. On a LANE_SLICES track
 * nesting follows from the times (formats(5), SLICES): sorted by start, longer first, then as
 * passed. On LANE_ASYNC and LANE_MARKS tracks `group` says what belongs together: slices of one
 * group nest, groups that overlap stand on rows of their own. On LANE_SLICES it is 0. offset: where
 * the event begins; end_offset: where the event of its end begins, -1 none. flags: SLICE_*. */
void builder_slice(struct builder *b, uint32_t track, uint32_t group, int64_t t0, int64_t t1,
		   frame_id frame, int64_t offset, int64_t end_offset, unsigned flags);

/* A counter with that many slices of time: `name` (with its id, if any), a series of it, a value
 * from t on. Values in any order of time; what is not finite is left out with WARN_ODD_COUNTER. */
uint32_t builder_counter(struct builder *b, int64_t pid, const char *name, size_t len);
void builder_counter_value(struct builder *b, uint32_t counter, const char *series, size_t len,
			   int64_t t, double value);

/* A point of flow `flow` (numbers of the caller's choice) at t on a thread; it belongs to the
 * innermost slice there that encloses t, or, if is_next, to the next one that begins at or after t.
 * Points without a slice are counted as a fact. */
void builder_flow(struct builder *b, uint64_t flow, int kind, int64_t pid, int64_t tid, int64_t t,
		  bool is_next);

/* A frame of `stackFrames`: ids as text; parent "" for none. */
void builder_stack_frame(struct builder *b, const char *id, size_t id_len, const char *name,
			 size_t name_len, const char *parent, size_t parent_len);

/* ---- one CPU profile: becomes one lane ---- */

/* Several profiles may be collected in turns: park the current one, and go on with another.
 * A parked profile must be taken up again or freed. */
struct cpu_raw;
struct cpu_raw *builder_cpu_park(struct builder *b);
void builder_cpu_resume(struct builder *b,
			struct cpu_raw *parked); /* frees the shell; the current one is dropped */
void builder_cpu_parked_free(struct cpu_raw *parked);

/* Begin a profile, and give up one that was begun. */
void builder_cpu_begin(struct builder *b);
void builder_cpu_drop(struct builder *b);

/* Samples of this profile stand as they are: none is joined, collections are not moved, and
 * one alone may have no length. For formats that do not come from V8's sampler. */
void builder_cpu_as_recorded(struct builder *b);

/* Functions of this profile have names and seldom an url, wherever they come from: what has none is
 * not native for that. */
void builder_cpu_names_only(struct builder *b);

/* A function as the file has it. name, url, script: UTF-8, any bytes. line and
 * column: counted from 0 as V8 does, -1 unknown. Returns an index for
 * builder_cpu_node(), good until the next builder_cpu_begin(). */
uint32_t builder_cpu_frame(struct builder *b, const char *name, size_t name_len, const char *url,
			   size_t url_len, const char *script, size_t script_len, int64_t line,
			   int64_t column);

/* A slot stands for a node id of the file. Ids that are text, negative or huge are
 * allowed: equal text, equal slot. */
uint32_t builder_cpu_slot(struct builder *b, int64_t id);
uint32_t builder_cpu_slot_text(struct builder *b, const char *id, size_t len);

/* A node: `slot` says which, `frame` is from builder_cpu_frame(). Returns its index
 * in file order. A slot that has a node already counts as WARN_DUPLICATE_NODE and
 * gives the index it has. */
uint32_t builder_cpu_node(struct builder *b, uint32_t slot, uint32_t frame, int64_t offset);
void builder_cpu_hits(struct builder *b, uint32_t node, int64_t hits);
void builder_cpu_child(struct builder *b, uint32_t node, uint32_t child_slot, int64_t offset);
void builder_cpu_parent(struct builder *b, uint32_t node, uint32_t parent_slot);
void builder_cpu_deopt(struct builder *b, uint32_t node, const char *reason, size_t len);
void builder_cpu_ticks(struct builder *b, uint32_t node, int64_t line, int64_t ticks);

/* Samples: `n` slots; times as deltas or as absolute time stamps, in ns. SLOT_NONE
 * is a sample that could not be read: its time goes to the one before. */
#define SLOT_NONE UINT32_MAX
void builder_cpu_samples(struct builder *b, const uint32_t *slots, size_t n);
void builder_cpu_deltas(struct builder *b, const int64_t *ns, size_t n);
void builder_cpu_timestamps(struct builder *b, const int64_t *ns, size_t n);

/* Forget the samples or times given so far, for when the member comes a second time.
 * is_stamps: which kind of times; stamps win over deltas, wherever they stand. */
void builder_cpu_clear_samples(struct builder *b);
void builder_cpu_clear_times(struct builder *b, bool is_stamps);

/* Absolute, in ns of the file's clock. */
void builder_cpu_start_time(struct builder *b, int64_t ns);
void builder_cpu_end_time(struct builder *b, int64_t ns);

/* How many nodes were given so far; the reader must stop at CPU_NODES_MAX. */
#define CPU_NODES_MAX (1u << 28)
size_t builder_cpu_node_count(const struct builder *b);

/* What the lane of this profile is called beside its thread, and whether it is closed at first:
 * for the second profile of a thread. To be called before builder_cpu_end(). */
void builder_cpu_title(struct builder *b, const char *title, size_t len, bool is_folded);

/* End the profile: build the tree and the spans, add the lane. pid, tid: -1 unknown.
 * Fails with ERR_FORMAT when there is nothing to show. */
bool builder_cpu_end(struct builder *b, int64_t pid, int64_t tid, struct error *err);

/* The finished profile; frees the builder. Slices are built and lanes put in order now. Fails when
 * there is no lane, unless builder_accept_empty() was called. */
struct profile *builder_finish(struct builder *b, struct error *err);

#endif
