/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The only writer of a profile. A reader passes on what it reads, in any order; the builder sorts
 * it, repairs it, and counts each repair as a warning.
 *
 * builder.h        the builder as a whole; includes the next two
 * builder_input.h  inputs and the notes about them
 * builder_warn.h   warnings
 * cpu_builder.h    CPU profiles; each becomes one lane
 * track_builder.h  trace data: slices, marks, counters, flows, names of threads
 *
 * Strings passed in are borrowed for the call only. Nothing in this folder fails because of odd
 * input, except where a function returns bool and takes a struct error. */
#ifndef FLAMETTY_BUILD_BUILDER_H
#define FLAMETTY_BUILD_BUILDER_H

#include "base/error.h"
#include "model/build/builder_input.h"
#include "model/build/builder_warn.h"
#include "model/profile.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

struct builder;
struct progress;
struct subset;

struct builder_options {
	bool is_raw;                   /* keep GC samples and lone (program) samples as recorded */
	bool has_idle_gaps;            /* see builder_has_idle_gaps() */
	const char *sample_type;       /* see builder_sample_type(); must outlive the builder */
	bool is_two_sided;             /* see builder_side() */
	bool keeps_strays;             /* leave nothing out that is far from the rest (stray.h) */
	const struct profile *kept_of; /* of an earlier survey: what is stray. May be NULL */
	bool is_survey;                /* keep no samples and slices: for builder_finish_survey() */
	const struct subset *subset;   /* keep only this; NULL: all. Must outlive the builder */
	struct progress *progress;     /* of the steps that are not reading; may be NULL */
	bool *is_too_long;             /* set if the sums of all lanes cannot be counted, which a
					  subset of them may mend; NULL: that is not asked */
	bool is_for_sums;              /* that is why there is a subset; else memory */
	atomic_bool *has_begun;        /* set with the first sample or slice; may be NULL */
	size_t most; /* for tests: see builder_most(); 0: as many as the types can count */
};

struct builder *builder_new(const struct builder_options *options);

/* Free a builder without finishing its profile. NULL is allowed. */
void builder_free(struct builder *b);

/* How many things of a kind fit, where the types can count `most` of them. Readers that meet more
 * end with ERR_LIMIT; the builder does so for slices, flows and texts when it finishes. */
size_t builder_most(const struct builder *b, size_t most);

/* Whether only a subset is kept. Slices should then be passed as soon as they are known, in any
 * order. */
bool builder_is_partial(const struct builder *b);

/* The progress of the options; may be NULL. */
struct progress *builder_progress(const struct builder *b);

/* Whether samples without a stack, in formats that do not say what happened then, are idle time;
 * otherwise they are not sampled. */
bool builder_has_idle_gaps(const struct builder *b);

/* Which of the values of samples the user wants, in formats that have several; NULL: the file's
 * own choice. */
const char *builder_sample_type(const struct builder *b);

/* Which of the two sides that a file holds is wanted: 0, before, in the first argument; 1, after,
 * in the others; -1: it is no side of a comparison. */
int builder_side(const struct builder *b);

/* Tell that the current input cannot be loaded in part, because the reader would pass other things
 * if everything was kept. */
void builder_no_subset(struct builder *b);

/* Tell that a profile without lanes is valid, because the trace is empty. */
void builder_accept_empty(struct builder *b);

/* Build the lanes of all tracks, order and name all lanes, and give the finished profile, which
 * belongs to the caller. Frees the builder in any case. Fails with ERR_FORMAT when there is no
 * lane, unless builder_accept_empty() was called. */
struct profile *builder_finish(struct builder *b, struct error *err);

/* The same for a survey (partial/subset.h): returns all that it found, which the caller frees with
 * subset_free(). Fails with ERR_LIMIT when no subset can be loaded. */
struct subset *builder_finish_survey(struct builder *b, struct error *err);

#endif
