/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Texts of the chart: labels of boxes and titles of lanes. Each is appended to the caller's buffer,
 * in visible form and truncated to the room. */
#ifndef FLAMETTY_DRAW_FLAME_LABEL_H
#define FLAMETTY_DRAW_FLAME_LABEL_H

#include "base/buf.h"
#include "model/profile.h"

/* The name of a frame; for a frame that stands for a file, the end of its URL. *len: its bytes. */
const char *label_name(const struct profile *profile, const struct frame *frame, size_t *len);

/* Append the location of a frame, or the URL of which label_name() has the end; of a very long one
 * only what text_fit() and text_fit_end() need of it. */
void label_place(const struct profile *profile, const struct frame *frame, bool is_full,
		 struct buf *out);

/* Append the name of a function in `room` cells, truncated in its middle: `(anonymous) app.js:12`
 * for a function without a name. In a box: `app.js:12`, the end of a URL, `GC`, up to six cells
 * only the beginning of the name, and nothing where that could not be read. */
void label_frame(const struct profile *profile, frame_id id, int room, struct buf *out);
void label_box(const struct profile *profile, frame_id id, int room, struct buf *out);

/* `Renderer (pid 7)`, `process 7`, `no process`. */
void label_process(const struct profile *profile, const struct lane *lane, struct buf *out);

/* Append duration, busy share and samples of a lane: `busy 43.0 % of 12.4 s · 12 044 samples`; of a
 * merged lane, its time. The numbers of slices, async operations and objects are those of all
 * joined lanes. */
void label_lane_facts(const struct profile *profile, const struct lane *lane, bool is_merged,
		      struct buf *out);

#endif
