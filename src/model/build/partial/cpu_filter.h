/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Decides which samples of a CPU profile are kept (subset.h, rule 4). Values that depend on all
 * samples are computed as the samples pass. */
#ifndef FLAMETTY_BUILD_PARTIAL_CPU_FILTER_H
#define FLAMETTY_BUILD_PARTIAL_CPU_FILTER_H

#include "model/build/sample_time.h"

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

/* sample_time_resolve() for a profile with a filter. In a survey no sample is kept. Returns false
 * if times depend on rules that need all samples, so that no subset can be loaded; after a survey,
 * also if the file has changed. */
bool cpu_filter_resolve(struct builder *b, struct sample_bounds *bounds, int64_t *end);

/* Take the survey out of the filter, after cpu_filter_resolve(). The caller owns it. */
struct time_survey *cpu_filter_take_survey(struct cpu_filter *filter);

/* A lane must have a sample: if none was kept, all time becomes one sample without a stack. */
void cpu_filter_fill(struct cpu_raw *raw, uint32_t root, const struct sample_bounds *bounds,
		     int64_t end);

#endif
