/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Nodes of slices whose event category is not that of their name. */
#ifndef FLAMETTY_BUILD_SLICE_VARIANT_H
#define FLAMETTY_BUILD_SLICE_VARIANT_H

#include "model/build/track_raw.h"

/* Number the variants among the frames of n nodes behind the frames of the profile, so that a call
 * tree can be made of them. Returns whether there are any. */
bool slice_variant_number(const struct raw_variants *variants, frame_id *frame, uint32_t n);

/* Replace such numbers in the tree of a lane by frames, and set the event categories by node. */
void slice_variant_finish(const struct raw_variants *variants, struct lane *lane);

#endif
