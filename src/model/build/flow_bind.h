/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Binds the points of flows to slices. */
#ifndef FLAMETTY_MODEL_BUILD_FLOW_BIND_H
#define FLAMETTY_MODEL_BUILD_FLOW_BIND_H

#include <stddef.h>
#include <stdint.h>

struct builder;
struct profile;

/* Points that can be counted. */
#define FLOW_BIND_MAX ((size_t)UINT32_MAX - 1)

/* Fill the profile's flows. Times of lanes must be those of the profile, and lanes in order.
 * There are at most FLOW_BIND_MAX points. */
void flow_bind(struct builder *b);

/* Make flows_by_lane of the profile's flows. */
void flow_bind_index(struct profile *p);

#endif
