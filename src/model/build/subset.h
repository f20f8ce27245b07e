/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Partial loading: a subset (lanes x time range) of files that are too large for the memory.
 *
 * Files are read twice. The first reading, the survey, keeps no sample and no slice: it records
 * which lanes there are and, roughly, when their samples and slices are. The user's options choose
 * lanes and a range of what the survey found. The second reading keeps what was chosen. A reader
 * passes the same things in the same order both times, so tracks and CPU profiles are known by
 * their number.
 *
 * This file is the filter in front of the builder. A CPU profile has a cpu_filter and a track has
 * a track_filter, or none, if everything is kept; nothing else in build/ knows what is kept.
 *
 * 1. Every lane has the name, the place and the times that it has when everything is loaded, also
 *    lanes that were not chosen.
 * 2. Slices and marks that touch the range are kept. The first slice after it is kept, because
 *    flows may lead there; the last mark before it, because a lane of marks begins with one.
 *    Whole are kept: call trees, async tracks (their operations share rows with earlier ones) and
 *    counters.
 * 3. A slice may be cut by one that is not kept, or stand below it. So slices are put on layers
 *    (slice_stacks) as they pass, before they are dropped; a lane per layer is made even if
 *    nothing of it is kept. Where slices are too far out of order for this, the survey leaves the
 *    number of rows unknown, and the kept slices alone make the lanes.
 * 4. Samples are kept by chunks of the file (time_survey): those that may hold samples of the
 *    range, and the ones nearest to it in time on both sides. What becomes of a sample depends on
 *    its neighbours and, for GC, on the last earlier sample with a stack of its own, an anchor.
 *    So one more chunk is kept on both sides, and before the first one as many as it takes to
 *    reach an anchor.
 * 5. What is far from all others (stray.h) is found by a survey. Another one, and then the subset,
 *    leave it out as it comes.
 * 6. Some profiles can only be loaded whole: where times of samples or ends of slices follow from
 *    rules that need all of them, or where samples are far from all others, the survey
 *    says so. */
#ifndef FLAMETTY_MODEL_BUILD_SUBSET_H
#define FLAMETTY_MODEL_BUILD_SUBSET_H

#include "model/build/builder.h"
#include "model/build/sample_time.h"
#include "model/build/slice_lane.h"
#include "model/build/track_raw.h"
#include "model/profile.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Warn of each input that has samples or slices that were not kept. Lanes must be complete. */
void left_out_warn(struct builder *b);

struct time_survey {
	struct time_chunk *chunks;
	size_t n_chunks, cap;
	size_t per_chunk; /* samples */
};

static inline void time_survey_free(struct time_survey *s)
{
	if (s)
		free(s->chunks);
	free(s);
}

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

/* Everything that a survey found. Takes the profile and the sources. The caller may change is_lane
 * (malloc'ed, freed by subset_free()), t0 and t1. */
struct subset *subset_new(struct profile *survey, struct lane_source *sources);
void subset_free(struct subset *subset);

/* ---- cpu filter ----
 *
 * Decides which samples of a CPU profile are kept (subset.h, rule 4). Values that depend on all
 * samples are computed as the samples pass. */

/* Give the profile that begins in b->raw a filter, unless all its samples are kept. */
void cpu_filter_begin(struct builder *b);
void cpu_filter_free(struct cpu_filter *filter);

/* Samples and times pass, as cpu_builder.h takes them. */
void cpu_filter_samples(struct cpu_raw *raw, const uint32_t *slots, size_t n);
void cpu_filter_times(struct cpu_raw *raw, const int64_t *ns, size_t n);
void cpu_filter_clear_samples(struct cpu_filter *filter);
void cpu_filter_clear_times(struct cpu_filter *filter);

/* Whether a sample that could be read has passed. */
bool cpu_filter_has_samples(const struct cpu_filter *filter);

/* sample_time_resolve() for a profile with a filter, whose lane was added last. In a survey no
 * sample is kept, and the source of the lane gets what was found. Returns false
 * if times depend on rules that need all samples, so that no subset can be loaded; after a survey,
 * also if the file has changed. */
bool cpu_filter_resolve(struct builder *b, struct sample_bounds *bounds, int64_t *end);

/* A lane must have a sample: if none was kept, all time becomes one sample without a stack. */
void cpu_filter_fill(struct cpu_raw *raw, uint32_t root, const struct sample_bounds *bounds,
		     int64_t end);

/* ---- track filter ----
 *
 * Decides which slices and marks of a track are kept (subset.h, rules 1 to 3), and fits its lanes
 * to the time of all slices. */

/* Give a new track a filter, unless all of it is kept. number: index of the track. */
void track_filter_begin(struct builder *b, struct raw_track *track, uint32_t number);

/* Free the filter of a track. */
void track_filter_done(struct raw_track *track);

/* Pass a slice to the filter, which keeps it now, later, or not at all. */
void track_filter_slice(struct raw_track *track, const struct raw_slice *slice, int64_t end_offset);

/* Tell that all slices have passed: slices that wait are kept or dropped. */
void track_filter_end(struct raw_track *track);

/* Add the lanes that were made of the kept slices, and lanes without any. */
void track_filter_add_lanes(struct builder *b, const struct raw_track *track,
			    const struct slice_lanes *made);

/* Whether a point of a flow at t is kept. If not, its flow is only counted. */
bool track_filter_flow(struct builder *b, uint64_t flow, int64_t t);

#endif
