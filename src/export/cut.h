/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The spans and nodes of a lane that lie in the scope of an export. */
#ifndef FLAMETTY_EXPORT_CUT_H
#define FLAMETTY_EXPORT_CUT_H

#include "analysis/scope.h"
#include "model/profile.h"

#include <stdbool.h>
#include <stdint.h>

/* Visit the spans of a lane that lie in [t0, t1), cut to it, in the order in which they open, outer
 * first; has_empty: those of no length, too. Stops when `visit` says so. */
bool cut_each_span(const struct lane *lane, int64_t t0, int64_t t1, bool has_empty,
		   bool (*visit)(void *ctx, const struct span *span), void *ctx);

/* By node of the lane: 1 if it is on a stack within the range of the scope. Where that is the whole
 * profile, all are. To be freed. */
uint8_t *cut_nodes(const struct profile *profile, const struct lane *lane,
		   const struct scope *scope);

#endif
