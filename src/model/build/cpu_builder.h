/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The builder of CPU profiles: one call tree and its samples become one lane. The members of a
 * profile may be passed in any order. The rules that turn samples into time are those of
 * formats(5), section CPU PROFILES.
 *
 * Frames, slots and nodes are numbers, valid from cpu_builder_begin() to cpu_builder_end() or
 * cpu_builder_drop(). A slot stands for a node id of the file, also before the node itself has
 * come. */
#ifndef FLAMETTY_MODEL_BUILD_CPU_BUILDER_H
#define FLAMETTY_MODEL_BUILD_CPU_BUILDER_H

#include "base/hash.h"
#include "base/intern.h"
#include "base/str.h"
#include "model/build/builder.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The number of nodes at which a reader must stop. */
#define CPU_NODES_MAX (1u << 28)

/* Used in place of a slot for a sample that could not be read. Its time goes to the sample
 * before. */
#define SLOT_NONE UINT32_MAX

/* A function as the file has it. Texts: UTF-8, but any bytes are allowed. */
struct cpu_frame {
	const char *name;
	size_t name_len;
	const char *url;
	size_t url_len;
	const char *script; /* id as text; "0" or empty: none */
	size_t script_len;
	int64_t line, column; /* counted from 0, as V8 does; -1 unknown */
};

/* Give the CPU profiles from here to the next input a clock: that of the file, which files may
 * share, as they have at first; or one of their own, which cannot be compared with others, and is
 * another one at each call. */
enum cpu_clock { CPU_CLOCK_OF_FILE, CPU_CLOCK_OWN };
void cpu_builder_clock(struct builder *b, enum cpu_clock clock);

/* ---- several profiles in turn ---- */

/* Put the current profile aside, to collect another one. The result must be given to
 * cpu_builder_resume() or cpu_builder_parked_free(). */
struct cpu_raw;
struct cpu_raw *cpu_builder_park(struct builder *b);

/* Drop the current profile and go on with `parked`, which is freed. */
void cpu_builder_resume(struct builder *b, struct cpu_raw *parked);
void cpu_builder_parked_free(struct cpu_raw *parked);

/* A call in a parked profile: node `id` in a sample, by number. Sets when the sample is, after the
 * start; how many calls are around the call, with the root; and its function. False: there is no
 * such sample or node. */
bool cpu_builder_parked_call(const struct builder *b, const struct cpu_raw *parked, size_t sample,
			     int64_t id, int64_t *t, int *depth, const char **name);

/* The number of different positions of cpu_builder_line() that count in a parked profile; 0 of
 * NULL. */
size_t cpu_builder_parked_lines(const struct cpu_raw *parked);

/* Sort these positions: a part of cpu_builder_end() that can be done before, on any thread. No
 * positions must follow. parked: has positions. */
void cpu_builder_parked_sort(struct cpu_raw *parked);

/* ---- one profile ---- */

/* Begin a profile; drop one that was begun. */
void cpu_builder_begin(struct builder *b);
void cpu_builder_drop(struct builder *b);

/* What differs in this profile from those of V8's sampler. */
enum {
	/* Samples stay as they are: none is joined, GC is not moved, and a single sample may have
	 * no length. */
	CPU_AS_RECORDED = 1,
	/* Two nodes of one function below one caller are the same: their samples are one span. */
	CPU_BY_FUNCTION = 2,
	/* Functions seldom have urls: one without a url does not count as native. */
	CPU_NAMES_ONLY = 4
};
void cpu_builder_form(struct builder *b, unsigned form);

/* What the values of a profile are that are not the time of a processor. */
struct cpu_value {
	const char *type; /* "cpu" */
	size_t type_len;
	const char *unit; /* "bytes" */
	size_t unit_len;
	int64_t unit_ns; /* the length that one unit is drawn with; 0: the value is a time */
	int64_t tick_ns; /* what a tick of a line is worth; 0: unknown */
	bool is_sums;    /* of nodes, instead of samples and times: the lane has no time line */
};

/* Tell what the lengths of samples are: values that are drawn as times. All profiles of a builder
 * must have the same unit: cpu_builder_end() fails with ERR_FORMAT otherwise. */
void cpu_builder_value(struct builder *b, const struct cpu_value *value);

/* Tell the set of labels (builder_labels_set()) of the next sample; either of all samples of a
 * profile or of none. */
void cpu_builder_label(struct builder *b, uint32_t set);

/* Tell how much of the sum of a node is of samples with a set of labels. These must add up to the
 * sums of all nodes; otherwise labels are ignored. */
void cpu_builder_label_sum(struct builder *b, uint32_t node, uint32_t set, int64_t ns);

/* Tell how many samples of this profile were taken, and at what distance, where others are
 * stretches that the reader added. */
void cpu_builder_taken(struct builder *b, uint64_t n, int64_t interval_ns);

/* Add a function; returns its index. */
uint32_t cpu_builder_frame(struct builder *b, const struct cpu_frame *frame);

/* A function of which no more than the name is known. */
static inline uint32_t cpu_builder_named(struct builder *b, const char *name, size_t len)
{
	return cpu_builder_frame(b, &(struct cpu_frame){ name, len, "", 0, "0", 1, -1, -1 });
}

/* Tell that the file says of a function whether it is of the user: it is of the category app or, if
 * its url says nothing else, dependency. */
void cpu_builder_owner(struct builder *b, uint32_t frame, bool is_user);

/* ---- functions by their texts ----
 *
 * Finds the function of a call frame by the bytes that the file has of it. Of small profiles the
 * texts are kept for the profiles after them: the files of a directory are often of one program. */

struct cpu_text {
	const char *text;
	uint32_t len;
	uint32_t frame; /* of cpu_builder_frame(); UINT32_MAX: the current profile lacks it */
};

/* A zeroed struct is empty. */
struct cpu_texts {
	struct arena arena;
	struct cpu_text *all;
	size_t n, cap;
	struct hash_table index; /* of all, by hash_bytes() of the text */
	/* Of the texts of profiles that have ended: their functions. */
	struct raw_frame *kept;
	size_t n_kept, cap_kept;
	bool is_used; /* by the current profile */
	bool is_odd;  /* a text had to be repaired, of which each profile warns */
};

void cpu_builder_texts_done(struct cpu_texts *texts);

/* Those that the builder keeps from profile to profile, for readers that read one after another. */
struct cpu_texts *cpu_builder_texts(struct builder *b);

/* Whether they are few enough to be kept while the profile is built. */
bool cpu_builder_texts_are_few(const struct cpu_texts *texts);

/* The function of text i; adds it to the current profile if that lacks it. */
uint32_t cpu_builder_text_frame(struct builder *b, struct cpu_texts *texts, size_t i);

/* Add a text, which is copied, with its function. */
void cpu_builder_text_add(struct cpu_texts *texts, struct str text, uint64_t hash, uint32_t frame);

/* How many texts of files had to be repaired so far. */
uint64_t cpu_builder_repairs(const struct builder *b);

/* The slot of a node id of the file. Ids may be text, negative or huge; equal ids have equal
 * slots, and "7" is the same id as 7. */
uint32_t cpu_builder_slot(struct builder *b, int64_t id);
uint32_t cpu_builder_slot_text(struct builder *b, const char *id, size_t len);

/* Add a node at `slot`; frame: from cpu_builder_frame(). Returns the node's index in file order. If
 * the slot has a node already, that one gets the frame and is returned, with
 * WARN_DUPLICATE_NODE. */
uint32_t cpu_builder_node(struct builder *b, uint32_t slot, uint32_t frame, int64_t offset);
void cpu_builder_hits(struct builder *b, uint32_t node, int64_t hits);
void cpu_builder_sum(struct builder *b, uint32_t node, int64_t ns);
void cpu_builder_child(struct builder *b, uint32_t node, uint32_t child_slot, int64_t offset);
void cpu_builder_parent(struct builder *b, uint32_t node, uint32_t parent_slot);
void cpu_builder_deopt(struct builder *b, uint32_t node, const char *reason, size_t len);

/* line: counted from 1. */
void cpu_builder_ticks(struct builder *b, uint32_t node, int64_t line, int64_t ticks);

/* Count one sample of the node at `slot` at the position that was executing. Both count from 1; 0:
 * unknown. Nodes that have ticks of their own win over these. */
void cpu_builder_line(struct builder *b, uint32_t slot, int64_t line, int64_t column);

/* Whether a slot has a node; and tell that other nodes have the id of this node, too, so that
 * samples of the id may be samples of these. */
bool cpu_builder_has_node(const struct builder *b, uint32_t slot);
void cpu_builder_shared_id(struct builder *b, uint32_t slot);

/* Whether a node without a parent that has time of its own is a function. Otherwise it is the root,
 * whose time counts for no function. */
bool cpu_builder_is_function(const struct builder *b, uint32_t node);

/* The number of nodes so far. */
size_t cpu_builder_node_count(const struct builder *b);

/* Add samples by slot, and their times in ns: either deltas, or time stamps of the file's clock.
 * Stamps win over deltas, whichever come first. */
void cpu_builder_samples(struct builder *b, const uint32_t *slots, size_t n);

/* Add samples by the ids of their nodes, as far as they are usual: small numbers of nodes that have
 * come. Returns how many; the others are for cpu_builder_samples(). */
size_t cpu_builder_samples_usual(struct builder *b, const int64_t *ids, size_t n);
void cpu_builder_deltas(struct builder *b, const int64_t *ns, size_t n);

/* Add a delta that is `us` less than 0 and was written as an unsigned number of 64 bits. */
void cpu_builder_unsigned_delta(struct builder *b, uint64_t us);
void cpu_builder_timestamps(struct builder *b, const int64_t *ns, size_t n);

/* Forget what came so far of a member, because it comes a second time. Frames are forgotten with
 * the nodes. */
enum cpu_member { CPU_NODES, CPU_SAMPLES, CPU_DELTAS, CPU_TIMESTAMPS };
void cpu_builder_clear(struct builder *b, enum cpu_member member);

/* ns of the file's clock. */
void cpu_builder_start_time(struct builder *b, int64_t ns);
void cpu_builder_end_time(struct builder *b, int64_t ns);

/* Title of the lane, beside its thread, and whether it is folded at first: for the second profile
 * of a thread. */
void cpu_builder_title(struct builder *b, const char *title, size_t len, bool is_folded);

/* Names of process and thread, what it waits for, and the process that started it; LANE_NO_ID: not
 * known. */
void cpu_builder_identity(struct builder *b, struct str process, struct str thread,
			  struct str waits, int64_t parent_pid);

/* End the profile: build its tree and spans, and add the lane. pid, tid: LANE_NO_ID unknown. Fails
 * with ERR_FORMAT when there is nothing to show; the profile is gone in any case. */
bool cpu_builder_end(struct builder *b, int64_t pid, int64_t tid, struct error *err) MUST_USE;

#endif
