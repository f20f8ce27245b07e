/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How many samples end at each node. */
#ifndef FLAMETTY_ANALYSIS_LEAF_COUNTS_H
#define FLAMETTY_ANALYSIS_LEAF_COUNTS_H

#include "analyse/scope.h"
#include "analyse/view/view.h"

#include <stdint.h>

/* By node of a view of one lane: the number of samples in the range of the scope whose innermost
 * call it is. Other lanes than those of samples have none. The caller frees the result. */
uint64_t *leaf_counts(const struct view *view, const struct scope *scope);

#endif
