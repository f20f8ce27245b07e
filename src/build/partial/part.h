/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A part of what files hold, for when all of it is too much for the memory. It takes two readings:
 * a survey, which keeps nothing of samples and slices but which lanes they make and when they are,
 * and then one that keeps what the part asks for. A reader passes on the same things in the same
 * order both times, so that tracks and CPU profiles are known by their number.
 *
 * 1. Lanes have the names, order and times that they have when all is loaded, those that are not
 * wanted too.
 * 2. Of slices and marks those are kept that touch the range; nodes, async tracks and counters are
 * kept whole.
 * 3. Of samples those of the range are kept, and as many around it as it takes to place collections
 * and lone (program) samples as if all were there. */
#ifndef FLAMETTY_BUILD_PARTIAL_PART_H
#define FLAMETTY_BUILD_PARTIAL_PART_H

#include "model/profile.h"

/* Times of some samples that follow each other in the file, or starts of slices, ns of the file's
 * clock. */
struct time_chunk {
	int64_t least, most;
	bool has_anchor; /* one of them stands for itself, whatever is before it */
};

/* What a survey knows of when the samples of a CPU profile are, or the slices of a track. When
 * there are too many chunks, each two neighbours become one. */
struct time_survey {
	struct time_chunk *chunks;
	size_t n_chunks, cap;
	size_t per_chunk; /* samples */
};

struct time_survey *time_survey_new(void);
void time_survey_free(struct time_survey *survey);

/* The chunk of a sample, made if need be. Good until the next call. */
struct time_chunk *time_survey_chunk(struct time_survey *survey, size_t sample);

/* Sample number `sample` is at t. */
void time_survey_add(struct time_survey *survey, size_t sample, int64_t t);

/* How many of n samples are in [t0, t1), about. */
size_t time_survey_count(const struct time_survey *survey, size_t n, int64_t t0, int64_t t1);

struct part {
	struct profile *survey;  /* lanes without samples */
	uint8_t *is_lane;        /* by lane of the survey: 1 is wanted; NULL: all are */
	int64_t t0, t1;          /* wanted, ns since the start of the profile */
	uint32_t *lane_of_track; /* by number: lane of the survey + 1, 0 for none */
	uint32_t *lane_of_cpu;
	uint32_t n_tracks, n_cpus;
};

/* What is wanted of one lane. */
struct wanted {
	const struct lane *lane; /* of the survey */
	bool is_wanted;
	int64_t t0, t1; /* ns of the file's clock */
};

/* All of what a survey found, which belongs to the part then: is_lane, t0 and t1 are for the caller
 * to change. */
struct part *part_new(struct profile *survey);
void part_free(struct part *part);

/* False: the survey did not see it. */
bool part_of_track(const struct part *part, uint32_t track, struct wanted *wanted);
bool part_of_cpu(const struct part *part, uint32_t cpu, struct wanted *wanted);

/* The samples of a CPU profile that are wanted, by their number in the file: [first, end). */
void part_samples(const struct wanted *wanted, size_t *first, size_t *end);

#endif
