/* SPDX-License-Identifier: GPL-2.0-or-later */
/* From the collected CPU profile of a builder to a lane. */
#ifndef FLAMETTY_MODEL_BUILD_CPU_LANE_H
#define FLAMETTY_MODEL_BUILD_CPU_LANE_H

#include "base/error.h"
#include "model/build/cpu_raw.h"
#include "model/build/sample_time.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct builder;

/* Add the lane of the current profile. Uses up what was collected. Fails with ERR_FORMAT when there
 * is nothing to show. */
bool cpu_lane_build(struct builder *b, int64_t pid, int64_t tid, struct error *err) MUST_USE;

/* Add n deltas (ns). Returns false, and adds none, if one needs more than 32 bits, or if the times
 * are in raw.times already or are time stamps. */
bool cpu_deltas_add(struct cpu_raw *raw, const int64_t *ns, size_t n);

/* An array for as many times as there are samples, and two more; raw.cap_times becomes that number.
 * NULL: samples did not come first, so that their number is unknown, or there is no memory. n:
 * times that have come. */
void *cpu_deltas_room(struct cpu_raw *raw, size_t n, size_t size);

/* Move all deltas to raw.times, which has room for two more. Without deltas, nothing is done. */
void cpu_deltas_widen(struct cpu_raw *raw);

/* Whether deltas can be put in order here: there is one for each sample, or one more, and each
 * sample has its node. */
bool cpu_deltas_suffice(const struct cpu_raw *raw);

/* Rules 1 and 2 of sample_time.c: sort the samples with their deltas, each of which then counts
 * from the sample before. bounds: n is set; all but `surplus` is found. Returns false if samples
 * are moved so far that this would be slow: raw.times has the times instead, and is not sorted. */
bool cpu_deltas_order(struct builder *b, struct sample_bounds *bounds);

/* Turn deltas that are in order into times, in raw.times. first: the time of the first sample. */
void cpu_deltas_to_times(struct cpu_raw *raw, int64_t first);

#endif
