/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The only writer of a profile. A reader passes on what it reads, in any order; the builder sorts
 * it, repairs it, and counts each repair as a warning.
 *
 * builder.h        the builder as a whole, inputs and the notes about them, warnings
 * cpu_builder.h    CPU profiles; each becomes one lane
 * track_builder.h  trace data: slices, marks, counters, flows, names of threads
 *
 * Strings passed in are borrowed for the call only. Nothing in this folder fails because of odd
 * input, except where a function returns bool and takes a struct error. */
#ifndef FLAMETTY_MODEL_BUILD_BUILDER_H
#define FLAMETTY_MODEL_BUILD_BUILDER_H

#include "base/error.h"
#include "base/fingerprint.h"
#include "base/intern.h"
#include "base/str.h"
#include "model/lane.h"
#include "model/profile.h"
#include "model/warning.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct builder;
struct progress;
struct subset;

struct builder_options {
	bool is_raw; /* keep GC samples and lone (program) samples as recorded */
	/* Samples without a stack, in formats that do not say what happened then, are idle time;
	 * otherwise they are not sampled. */
	bool has_idle_gaps;
	/* Which of the values of samples the user wants, in formats that have several; NULL: the
	 * file's own choice. Must outlive the builder. */
	const char *sample_type;
	/* Of a file that holds the two sides of a comparison, one is wanted: before, in the first
	 * argument (struct input); after, in the others. */
	bool is_two_sided;
	bool keeps_strays;             /* leave nothing out that is far from the rest (stray.h) */
	const struct profile *kept_of; /* of an earlier survey: what is stray. May be NULL */
	bool is_small;  /* inputs are small files: arrays begin with room for what most have */
	bool is_survey; /* keep no samples and slices: for builder_finish_survey() */
	const struct subset *subset; /* keep only this; NULL: all. Must outlive the builder */
	struct progress *progress;   /* of the steps that are not reading; may be NULL */
	bool *is_too_long;           /* set if the sums of all lanes cannot be counted, which a
					subset of them may mend; NULL: that is not asked */
	bool is_for_sums;            /* that is why there is a subset; else memory */
	atomic_bool *has_begun;      /* set with the first sample or slice; may be NULL */
	size_t most; /* for tests: see builder_most(); 0: as many as the types can count */
};

struct builder *builder_new(const struct builder_options *options);

/* Free a builder without finishing its profile. NULL is allowed. */
void builder_free(struct builder *b);

/* What the builder was made with. */
const struct builder_options *builder_options(const struct builder *b);

/* How many things of a kind fit, where the types can count `most` of them. Readers that meet more
 * end with ERR_LIMIT; the builder does so for slices, flows and texts when it finishes. */
static inline size_t builder_most(const struct builder *b, size_t most)
{
	size_t asked = builder_options(b)->most;

	return asked && asked < most ? asked : most;
}

/* Whether only a subset is kept. Slices should then be passed as soon as they are known, in any
 * order. */
static inline bool builder_is_partial(const struct builder *b)
{
	return builder_options(b)->is_survey || builder_options(b)->subset;
}

/* Tell that the current input cannot be loaded in part, because the reader would pass other things
 * if everything was kept. */
void builder_no_subset(struct builder *b);

/* Tell that a profile without lanes is valid, because the trace is empty. */
void builder_accept_empty(struct builder *b);

/* Build the lanes of all tracks, order and name all lanes, and give the finished profile, which
 * belongs to the caller. Frees the builder in any case. Fails with ERR_FORMAT when there is no
 * lane, unless builder_accept_empty() was called. */
struct profile *builder_finish(struct builder *b, struct error *err) MUST_USE;

/* The same for a survey (subset.h): returns all that it found, which the caller frees with
 * subset_free(). Fails with ERR_LIMIT when no subset can be loaded. */
struct subset *builder_finish_survey(struct builder *b, struct error *err) MUST_USE;

struct time_survey;

/* By lane, beside the profile's lanes. */
struct lane_source {
	uint32_t number; /* of the track or CPU profile it was made of, in the order in which they
			    began */
	uint32_t clock;  /* 0: that of the machine; else lanes with the same number share a clock */
	/* Samples are stretches whose lengths the file tells: those without a stack are no samples
	 * where is_taken. */
	bool is_stretches, is_taken;
	bool has_surplus; /* the file says how long the last sample is */
	bool has_end;     /* the recording ended at end_ns of the file's clock */
	int64_t end_ns;
	struct time_survey *survey; /* when its samples or slices are; only in a survey */
};

/* Add an empty lane. The result is valid until the next call. */
struct lane *builder_lane(struct builder *b, enum lane_kind kind, uint32_t input, int64_t pid,
			  int64_t tid);

/* Add a lane that was made elsewhere, and give it its id. */
struct lane *builder_lane_take(struct builder *b, const struct lane *made);

/* Give the profile the unit of a lane's values. Fails with ERR_FORMAT when the profile has lanes of
 * another unit. value.type 0: times. */
bool builder_unit_take(struct builder *b, const struct lane_value *value,
		       struct error *err) MUST_USE;

/* Count a warning `n` times, n > 0, for the current input. offset: of the first, a byte in the
 * uncompressed file, -1 if none. detail: shown for the first warning of a kind; NULL: none. */
void builder_warn_many(struct builder *b, enum warning_kind kind, int64_t offset, uint64_t n,
		       const char *detail);

/* The same once. Returns true: reading goes on. */
static inline bool builder_warn_text(struct builder *b, enum warning_kind kind, int64_t offset,
				     const char *detail)
{
	builder_warn_many(b, kind, offset, 1, detail);
	return true;
}

static inline bool builder_warn(struct builder *b, enum warning_kind kind, int64_t offset)
{
	return builder_warn_text(b, kind, offset, NULL);
}

static inline void builder_warn_times(struct builder *b, enum warning_kind kind, int64_t offset,
				      uint64_t n)
{
	builder_warn_many(b, kind, offset, n, NULL);
}

/* The same for any input, by its index. warning: its kind, offset and count. */
void builder_warn_input(struct builder *b, uint32_t input, const struct warning *warning,
			const char *detail);

/* Tell that the user stopped the reading of the current input: it is not cut off, so WARN_STOPPED
 * replaces WARN_CUT_OFF. */
void builder_warn_stopped(struct builder *b);

/* The inputs that are begun from here on are of this file or directory of those that were asked
 * for, counted from 0. */
void builder_input_argument(struct builder *b, uint32_t argument);

/* Labels of an input: as many as there may be. */
#define BUILDER_INPUT_LABELS 80

struct builder_label;

/* The inputs that are begun from here on have these labels, each key once, and so have their
 * samples, but for keys that a sample has itself. n: at most BUILDER_INPUT_LABELS. The texts must
 * stay until the next call. */
void builder_input_labels(struct builder *b, const struct builder_label *list, size_t n);

/* What is not shown of all files: becomes a note of the last input, if there is one. "": nothing.
 * Borrowed until the builder finishes. */
void builder_files_note(struct builder *b, const char *text);

/* Begin an input. */
void builder_input(struct builder *b, const char *path);

/* The current input. A reader may set what it says of the file; the builder does the rest. */
struct input *builder_this_input(const struct builder *b);

/* The wall clock at the start of the recording, as the file's name gives it: seconds since 1970, in
 * an unknown time zone, or UTC. align.c compares clocks by it. */
void builder_input_date(struct builder *b, int64_t seconds, bool is_utc);

/* Begin a file of the current input, which has several (input_place). from: the offset in
 * the input of its first byte. */
void builder_input_part(struct builder *b, const char *path, int64_t from);

/* The fingerprint of the file that was begun last, which is copied. */
void builder_input_fingerprint(struct builder *b, const struct fingerprint *print);

/* Remove the current input. No lane may have come from it. */
void builder_input_drop(struct builder *b);

/* Add a note to the current input, for the details page. is_loss: it names something that is not
 * shown. */
void builder_input_note(struct builder *b, bool is_loss, const char *format, ...)
	ERROR_PRINTF(3, 4);

/* Note where a source map for the script `url` is: the offset of its object in the text of the
 * input. Those after the first 100,000 are left out. */
void builder_input_map(struct builder *b, const char *url, size_t len, int64_t offset);

/* Intern text of the current input. Bytes that are not UTF-8 become U+FFFD, with WARN_TEXT. */
str_id builder_input_text(struct builder *b, const char *text, size_t len);

/* The same; hash: of the text, by intern_prefetch(). */
str_id builder_input_text_hashed(struct builder *b, const char *text, size_t len, uint64_t hash);

/* Any bytes. */
struct builder_label {
	struct str key, value;
	bool is_number;  /* the value is one, */
	struct str unit; /* with this unit behind it, if that is not empty */
};

/* The number of a set of labels, for cpu_builder_label(). Labels without key or value do not count;
 * several values of one key are one, too, with commas. Returns 0, with a warning, when there are
 * too many sets (labels, model/profile.h). */
uint32_t builder_labels_set(struct builder *b, const struct builder_label *list, size_t n);

/* The number of a set with the labels of `set`, and those of `more`, which has each key once, with
 * other keys; 0: as above. */
uint32_t builder_labels_join(struct builder *b, uint32_t set, uint32_t more);

#endif
