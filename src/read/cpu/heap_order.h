/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The allocations of a heap profile in the order in which they were made. */
#ifndef FLAMETTY_READER_CPU_HEAP_ORDER_H
#define FLAMETTY_READER_CPU_HEAP_ORDER_H

#include "read/cpu/cpu_reader.h"

/* A sampled allocation: an element of `samples`. */
struct heap_sample {
	uint32_t slot;   /* of its node; SLOT_NONE: it names none */
	int64_t size;    /* bytes; not below 0 */
	int64_t ordinal; /* what the order is by */
};

/* Pass the sizes of nodes (r->sizes) to the builder: as samples in the order of the allocations, or
 * as sums of nodes if there are no samples. `root` is the slot of the root, which has no size of
 * its own: another node gets it. `samples` are sorted. */
void heap_order_pass(struct cpu_reader *r, uint32_t root, struct heap_sample *samples, size_t n);

#endif
