/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leaves out what is far from all others of its input (builder_stray.h): takes it out of tracks,
 * counters, flows and lanes. */
#ifndef FLAMETTY_BUILD_STRAY_DROP_H
#define FLAMETTY_BUILD_STRAY_DROP_H

#include "model/build/raw_slice.h"
#include "model/profile.h"

#include <stdbool.h>
#include <stdint.h>

struct builder;

/* Leave out all that is stray, before lanes are made of tracks. */
void stray_drop(struct builder *b);

/* Whether a slice of an input that has_kept is kept; then it is cut to what is. */
bool stray_drop_keeps(const struct input *in, enum lane_kind kind, struct raw_slice *slice);

/* Whether a time of an input is kept. */
bool stray_drop_keeps_time(const struct input *in, int64_t t);

#endif
