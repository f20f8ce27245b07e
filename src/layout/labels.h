/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Texts of the chart: what stands in a box, and the title of a lane. Each is appended to
 * a buffer of the caller, in visible form and cut to the room there is. */
#ifndef FLAMETTY_LAYOUT_LABELS_H
#define FLAMETTY_LAYOUT_LABELS_H

#include "base/buf.h"
#include "model/profile.h"

/* The label of a box with `room` cells: the name, `(anonymous) app.js:12` for a function
 * without one, cut in the middle. */
void label_frame(const struct profile *profile, frame_id frame, int room, struct buf *out);

/* `Renderer (pid 7)`, `process 7`, `no process`. */
void label_process(const struct profile *profile, const struct lane *lane, struct buf *out);

/* Duration, busy share and samples of a lane: `12.4 s · busy 43.0 % · 12 044 samples`; of a merged
 * one its time. */
void label_lane_facts(const struct lane *lane, bool is_merged, struct buf *out);

#endif
