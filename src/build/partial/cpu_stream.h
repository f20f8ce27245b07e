/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Samples and times of a CPU profile of which not all are kept (part.h): what needs all of them is
 * found while they pass. Private to the builder. */
#ifndef FLAMETTY_BUILD_PARTIAL_CPU_STREAM_H
#define FLAMETTY_BUILD_PARTIAL_CPU_STREAM_H

#include "build/sample_time.h"
#include "build/partial/part.h"

/* Times count from the start time, which often comes last, or, if they are stamps, from 0. */
struct cpu_stream {
	struct time_survey *survey; /* made here, if this is a survey */
	struct wanted wanted;       /* else */
	size_t first, end;          /* samples that are kept, by their number in the file */
	str_id gc, program;         /* names of what is no anchor */

	size_t n_samples, n_unreadable;
	size_t n_times; /* without the one that waits */
	bool has_waiting;
	int64_t waiting;        /* the last time passed: perhaps a surplus */
	int64_t t, least, most; /* of the last sample, of all */
	size_t n_negative, n_odd;
	bool is_odd_first, is_clamped;
};

/* Begin the profile in b->raw; not if all of it is to be kept. */
void cpu_stream_begin(struct builder *b);
void cpu_stream_free(struct cpu_stream *stream);

void cpu_stream_samples(struct builder *b, const uint32_t *slots, size_t n);
void cpu_stream_times(struct builder *b, const int64_t *ns, size_t n);
void cpu_stream_clear_samples(struct cpu_stream *stream);
void cpu_stream_clear_times(struct cpu_stream *stream);

/* For sample_time_resolve(): all have passed. Times of those kept become absolute, *n, *least,
 * *most and *surplus are of all. False: this survey cannot say when samples are. */
bool cpu_stream_finish(struct builder *b, struct sample_bounds *bounds);

#endif
