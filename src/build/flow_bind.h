/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Binds the points of flows to slices. */
#ifndef FLAMETTY_BUILD_FLOW_BIND_H
#define FLAMETTY_BUILD_FLOW_BIND_H

struct builder;

/* Fill the profile's flows. Times of lanes must be those of the profile, and lanes in order. */
void flow_bind(struct builder *b);

#endif
