/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The spans and nodes of a lane that lie in the scope of an export. */
#ifndef FLAMETTY_EXPORT_CUT_H
#define FLAMETTY_EXPORT_CUT_H

#include "analyse/scope.h"
#include "model/profile.h"

#include <stdbool.h>
#include <stdint.h>

/* The lanes with calls, of samples and of slices, in their order; *n: how many. The caller frees
 * the result. */
const struct lane **cut_lanes(const struct profile *profile, uint32_t *n);

/* Visit the spans of a lane in [t0, t1), cut to that range, in the order in which they open, outer
 * spans first. has_empty: also spans of no length. Stops when `visit` returns false. */
bool cut_each_span(const struct lane *lane, int64_t t0, int64_t t1, bool has_empty,
		   bool (*visit)(void *ctx, const struct span *span), void *ctx);

/* By node of the lane: 1 if it is on a stack within the range of the scope; all nodes are if the
 * range is the whole profile. The caller frees the result. */
uint8_t *cut_nodes(const struct profile *profile, const struct lane *lane,
		   const struct scope *scope);

#endif
