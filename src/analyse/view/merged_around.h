/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The callers and the callees of a function, merged over all its calls: two trees with times. Or
 * all stacks inverted: the callers of all functions, as one tree. Only merged.c uses this. */
#ifndef FLAMETTY_ANALYSIS_MERGED_AROUND_H
#define FLAMETTY_ANALYSIS_MERGED_AROUND_H

#include "analyse/totals.h"
#include "base/budget.h"
#include "model/node_map.h"

/* A tree. Below the root are the function, or all functions with self time. No nodes: there is no
 * time. */
struct merged_nodes {
	struct node_map map;
	int64_t *self; /* ns by node */
	size_t cap_self;
};

/* Begin, call merged_around_work() until it returns true, then take the trees and free. It
 * may be freed earlier. The totals must stay until then. */
struct merged_around *merged_around_begin(const struct totals *totals, frame_id frame);
/* Of all functions: the callers have the self times, and there are no callees. */
struct merged_around *merged_around_begin_all(const struct totals *totals);
bool merged_around_work(struct merged_around *m, struct budget *budget);
void merged_around_free(struct merged_around *m); /* NULL is allowed */

/* After that: the trees, which belong to `m`. */
const struct merged_nodes *merged_around_callers(const struct merged_around *m);
const struct merged_nodes *merged_around_callees(const struct merged_around *m);

/* The number of levels of callers if there are too many to find them all, otherwise 0. */
uint32_t merged_around_levels(const struct merged_around *m);

#endif
