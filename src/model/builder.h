/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The only writer of a profile. A reader passes on what it sees, in any order; the
 * builder sorts, repairs, and counts each repair as a warning. The rules that
 * turn samples into time are those of formats(5), section CPU PROFILES. */
#ifndef FLAMETTY_MODEL_BUILDER_H
#define FLAMETTY_MODEL_BUILDER_H

#include "base/error.h"
#include "base/progress.h"
#include "model/profile.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct builder;

/* Things that a file may have wrong; the table in builder.c has their texts. */
enum warn {
	WARN_NEGATIVE_DELTA, WARN_ODD_DELTA, WARN_DELTAS_MISSING, WARN_DELTAS_SHORT, WARN_DELTAS_LONG,
	WARN_TIME_RANGE, WARN_ZERO_DURATION, WARN_SAMPLES_MISSING, WARN_ODD_SAMPLE, WARN_UNKNOWN_NODE,
	WARN_END_TIME, WARN_START_TIME, WARN_DUPLICATE_NODE, WARN_ODD_NODE, WARN_NODE_ID, WARN_CALL_FRAME,
	WARN_PARENTS_DISAGREE, WARN_TWO_PARENTS, WARN_MISSING_CHILD, WARN_MISSING_PARENT, WARN_ORPHAN, WARN_CYCLE,
	WARN_ODD_CHILDREN, WARN_ODD_TICKS, WARN_TOO_DEEP, WARN_INLINED, WARN_JOINED, WARN_TRAILING, WARN_CUT_OFF, WARN_COMPRESSION,
	WARN_TRAILING_COMMA, WARN_ENCODING, WARN_TEXT, WARN_NUMBER_TEXT, WARN_SECOND_PROFILE,
	WARN_COUNT
};

struct builder_options {
	bool is_raw;          /* keep GC and lone (program) samples as recorded */
};

struct builder *builder_new(const struct builder_options *options);

/* Free a builder whose profile is not wanted. NULL is allowed. */
void builder_free(struct builder *b);

/* What comes next is from this file. bytes: its size, -1 unknown. */
void builder_input(struct builder *b, const char *path);
void builder_input_facts(struct builder *b, const char *format, const char *compression, int64_t bytes);

/* Count a warning for the current input. offset: -1 if none. */
void builder_warn(struct builder *b, enum warn kind, int64_t offset);

/* builder_warn() with what exactly, for the first one of its kind. */
void builder_warn_text(struct builder *b, enum warn kind, int64_t offset, const char *detail);

/* ---- one CPU profile: becomes one lane ---- */

/* Begin a profile, and give up one that was begun. */
void builder_cpu_begin(struct builder *b);
void builder_cpu_drop(struct builder *b);

/* A function as the file has it. name, url, script: UTF-8, any bytes. line and
 * column: counted from 0 as V8 does, -1 unknown. Returns an index for
 * builder_cpu_node(), good until the next builder_cpu_begin(). */
uint32_t builder_cpu_frame(struct builder *b, const char *name, size_t name_len, const char *url, size_t url_len,
			   const char *script, size_t script_len, int64_t line, int64_t column);

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

/* End the profile: build the tree and the spans, add the lane. pid, tid: -1 unknown.
 * Fails with ERR_FORMAT when there is nothing to show. */
bool builder_cpu_end(struct builder *b, int64_t pid, int64_t tid, struct error *err);

/* The finished profile; frees the builder. Fails when there is no lane. */
struct profile *builder_finish(struct builder *b, struct error *err);

#endif
