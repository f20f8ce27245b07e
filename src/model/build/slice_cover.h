/* SPDX-License-Identifier: GPL-2.0-or-later */
/* From what the slices of a layer say about time, while they are placed, to what its lane keeps
 * (model/slice_time.h). */
#ifndef FLAMETTY_BUILD_SLICE_COVER_H
#define FLAMETTY_BUILD_SLICE_COVER_H

#include "model/build/track_builder.h"
#include "model/lane.h"

/* Give the lane, which has its tree and samples, the stretches and links of its layer; the nodes of
 * links stay those of `time`. Takes the lists of `time`, whose times are absolute; `covered` has
 * the whole time of each slice on another layer in its parent on this one. order: the lane's node
 * of each node of `time`. */
void slice_cover_take(struct slice_time *time, struct lane *lane, const node_id *order);

/* Add what the reader told about a layer (track_builder_cover()), whose lane this is. */
void slice_cover_add(struct lane *lane, const struct track_cover *covers, size_t n, uint32_t layer);

/* The lanes of one track of slices, which are complete, with times since their t0: give the first
 * one the time of the thread (model/slice_union.h), and all what is inside of slices of its name on
 * other lanes (model/slice_inner.h). It lasts until all of them have ended. */
void slice_cover_unite(struct lane *lanes, size_t n);

#endif
