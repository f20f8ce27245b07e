/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Profiles that have hit counts or sums, but no samples: samples are made up, so that the aggregate
 * can be drawn like a chart. */
#ifndef FLAMETTY_BUILD_CPU_HITS_H
#define FLAMETTY_BUILD_CPU_HITS_H

#include "model/build/cpu_raw.h"

/* Whether a node other than the root has hits. root: index in the file. */
bool cpu_hits_any(const struct cpu_raw *raw, uint32_t root);

/* Fill samples and times from the hit counts: one unit of time for each hit, which is returned. */
int64_t cpu_hits_to_samples(struct cpu_raw *raw, uint32_t root);

/* The same from the sums of nodes. Returns false if their labels had to be ignored, as the values
 * with labels are not the sums. */
bool cpu_hits_of_sums(struct cpu_raw *raw);

/* Put these samples in the order of the nodes of the lane's tree. */
void cpu_hits_sort(struct cpu_raw *raw, const struct lane *lane);

#endif
