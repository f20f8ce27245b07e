/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Texts of the chart: what stands in a box, and the title of a lane. Each is appended to
 * a buffer of the caller, in visible form and cut to the room there is. */
#ifndef FLAMETTY_LAYOUT_LABEL_H
#define FLAMETTY_LAYOUT_LABEL_H

#include "base/buf.h"
#include "model/profile.h"

/* The name of a frame, or, where it stands for a file, the end of that file's address; *len: its
 * bytes. */
const char *label_name(const struct profile *profile, const struct frame *frame, size_t *len);

/* Append where a frame is: its place, or the address that label_name() has the end of. */
void label_place(const struct profile *profile, const struct frame *frame, bool is_full,
		 struct buf *out);

/* What a function is called in `room` cells: the name, `(anonymous) app.js:12` for a function
 * without one, cut in the middle. The label of a box has no whole addresses. */
void label_frame(const struct profile *profile, frame_id frame, int room, struct buf *out);
void label_box(const struct profile *profile, frame_id frame, int room, struct buf *out);

/* `Renderer (pid 7)`, `process 7`, `no process`. */
void label_process(const struct profile *profile, const struct lane *lane, struct buf *out);

/* Duration, busy share and samples of a lane: `12.4 s · busy 43.0 % · 12 044 samples`; of a merged
 * one its time. */
void label_lane_facts(const struct lane *lane, bool is_merged, struct buf *out);

#endif
