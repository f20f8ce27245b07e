/* SPDX-License-Identifier: GPL-2.0-or-later */
/* When the samples of a CPU profile, or the slices of a track, are: the range of times of each
 * chunk of them. A chunk is a fixed number of samples that follow each other in the file. When
 * there are too many chunks, neighbouring chunks are joined in pairs. */
#ifndef FLAMETTY_BUILD_PARTIAL_TIME_SURVEY_H
#define FLAMETTY_BUILD_PARTIAL_TIME_SURVEY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

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

#endif
