/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Threads and processes that have a name and no lane. */
#ifndef FLAMETTY_BUILD_TRACK_NAMED_H
#define FLAMETTY_BUILD_TRACK_NAMED_H

struct builder;

/* List them in the profile. Call this after lane_order(). */
void track_named_build(struct builder *b);

#endif
