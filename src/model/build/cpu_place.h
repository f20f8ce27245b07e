/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The node of each sample of a CPU profile. */
#ifndef FLAMETTY_BUILD_CPU_PLACE_H
#define FLAMETTY_BUILD_CPU_PLACE_H

#include "model/build/cpu_draft.h"
#include "model/build/cpu_raw.h"

/* Append samples to raw.samples, which has room. Those whose nodes are known are placed at once,
 * as nodes, while all before them are: so most samples are placed while the file is being read. */
void cpu_place_new(struct cpu_raw *raw, const uint32_t *slots, size_t n);

/* The same for samples given by the ids of their nodes, while all before them are placed. Stops at
 * an id that has no chunk, or whose node is unknown; returns how many were placed. */
size_t cpu_place_usual(struct cpu_raw *raw, const int64_t *ids, size_t n);

/* Make slots of the samples that are placed. */
void cpu_place_undo(struct cpu_raw *raw);

/* Turn raw.samples into nodes of the draft, and free the slots. Either all samples or none are
 * placed. Samples must be in the order of time. Adds nodes to the draft where samples need them. */
void cpu_place_samples(struct builder *b, struct cpu_draft *draft);

#endif
