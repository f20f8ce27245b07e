/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The node of each sample of a CPU profile. */
#ifndef FLAMETTY_BUILD_CPU_PLACE_H
#define FLAMETTY_BUILD_CPU_PLACE_H

#include "build/cpu_draft.h"

/* Turn raw.samples from slots into nodes of the draft, and free the slots. Samples must be in the
 * order of time. Adds nodes to the draft where samples need them. */
void cpu_place_samples(struct builder *b, struct cpu_draft *draft);

#endif
