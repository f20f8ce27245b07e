/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Partial loading: a subset (lanes x time range) of files that are too large for the memory.
 *
 * Files are read twice. The first reading, the survey, keeps no sample and no slice: it records
 * which lanes there are and, roughly, when their samples and slices are. The user's options choose
 * lanes and a range of what the survey found. The second reading keeps what was chosen. A reader
 * passes the same things in the same order both times, so tracks and CPU profiles are known by
 * their number.
 *
 * This folder is the filter in front of the builder. A CPU profile has a cpu_filter and a track has
 * a track_filter, or none, if everything is kept; nothing else in build/ knows what is kept.
 *
 *     subset.h        what was chosen, and what the survey found
 *     "time survey"   when samples or slices are, by chunks
 *     sample_time.h   samples and times of a CPU profile
 *     track_filter.h  slices and marks of a track, points of flows
 *     "slice queue"   of track_filter.c: restores the order of slices that come nearly in order
 *     "left out"      the warning that tells what was not kept
 *
 * 1. Every lane has the name, the place and the times that it has when everything is loaded, also
 *    lanes that were not chosen.
 * 2. Slices and marks that touch the range are kept. The first slice after it is kept, because
 *    flows may lead there; the last mark before it, because a lane of marks begins with one.
 *    Whole are kept: call trees, async tracks (their operations share rows with earlier ones) and
 *    counters.
 * 3. A slice may be cut by one that is not kept, or stand below it. So slices are put on layers
 *    (slice_order.h) as they pass, before they are dropped; a lane per layer is made even if
 *    nothing of it is kept. Where slices are too far out of order for this, the survey leaves the
 *    number of rows unknown, and the kept slices alone make the lanes.
 * 4. Samples are kept by chunks of the file ("time survey"): those that may hold samples of the
 *    range, and the ones nearest to it in time on both sides. What becomes of a sample depends on
 *    its neighbours and, for GC, on the last earlier sample with a stack of its own, an anchor.
 *    So one more chunk is kept on both sides, and before the first one as many as it takes to
 *    reach an anchor.
 * 5. What is far from all others (builder_stray.h) is found by a survey. Another one, and then the
 * subset, leave it out as it comes.
 * 6. Some profiles can only be loaded whole: where times of samples or ends of slices follow from
 *    rules that need all of them, or where samples are far from all others, the survey
 *    says so. */
#ifndef FLAMETTY_BUILD_PARTIAL_SUBSET_H
#define FLAMETTY_BUILD_PARTIAL_SUBSET_H

#include "model/build/builder.h"
#include "model/profile.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct builder;

/* Warn of each input that has samples or slices that were not kept. Lanes must be complete. */
void left_out_warn(struct builder *b);

struct time_chunk {
	int64_t least, most; /* ns of the file's clock; least > most: no time yet */
	bool has_anchor;     /* a sample in it has a stack of its own: subset.h, rule 4 */
};

struct time_survey {
	struct time_chunk *chunks;
	size_t n_chunks, cap;
	size_t per_chunk; /* samples */
};

struct time_survey *time_survey_new(void);
void time_survey_free(struct time_survey *survey);

/* The chunk of a sample, created if it is new. Valid until the next call. */
struct time_chunk *time_survey_chunk(struct time_survey *survey, size_t sample);

/* Note that sample number `sample` is at t. */
void time_survey_add(struct time_survey *survey, size_t sample, int64_t t);

/* Add `by` to all times; forget all times; forget all anchors. */
void time_survey_shift(struct time_survey *survey, int64_t by);
void time_survey_clear_times(struct time_survey *survey);
void time_survey_clear_anchors(struct time_survey *survey);

/* About how many of n samples are in [t0, t1): samples of a chunk are taken to be spread evenly
 * over its time. */
size_t time_survey_count(const struct time_survey *survey, size_t n, int64_t t0, int64_t t1);

struct subset {
	struct profile *survey;      /* its lanes have no samples */
	struct lane_source *sources; /* by lane of the survey */
	uint8_t *is_lane;            /* by lane of the survey: 1 is chosen; NULL: all are */
	int64_t t0, t1;              /* chosen range, ns since the start of the profile */
	uint32_t *lane_of_track;     /* by number: lane of the survey + 1, 0 for none */
	uint32_t *lane_of_cpu;
	uint32_t n_tracks, n_cpus;
};

/* What was chosen of one lane. */
struct subset_lane {
	const struct lane *lane; /* of the survey */
	const struct time_survey *survey;
	bool is_chosen;
	int64_t t0, t1; /* ns of the file's clock */
};

/* Everything that a survey found. Takes the profile and the sources. The caller may change is_lane
 * (malloc'ed, freed by subset_free()), t0 and t1. */
struct subset *subset_new(struct profile *survey, struct lane_source *sources);
void subset_free(struct subset *subset);

/* Whether a file has events that are far from all others: see builder_options.kept_of. */
bool subset_has_strays(const struct subset *subset);

/* Look up a track or CPU profile by its number. False: the survey did not see it. */
bool subset_of_track(const struct subset *subset, uint32_t track, struct subset_lane *out);
bool subset_of_cpu(const struct subset *subset, uint32_t cpu, struct subset_lane *out);

/* The samples of a CPU profile to keep, by their number in the file: [*first, *end). */
void subset_samples(const struct subset_lane *of, size_t *first, size_t *end);

#endif
