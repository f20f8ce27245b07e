/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Texts of the chart: labels of boxes and titles of lanes. Each is appended to the caller's buffer,
 * in visible form and truncated to the room. */
#ifndef FLAMETTY_DRAW_FLAME_LABEL_H
#define FLAMETTY_DRAW_FLAME_LABEL_H

#include "analyse/compare/sides.h"
#include "base/buf.h"
#include "draw/chart.h"
#include "draw/role.h"
#include "model/profile.h"

/* The name of a frame; for a frame that stands for a file, the end of its URL. *len: its bytes. */
const char *label_name(const struct profile *profile, const struct frame *frame, size_t *len);

/* Append it, as far as text_add_ends() goes; `app.js:12` for a function without a name. */
void label_text(const struct profile *profile, const struct frame *frame, struct buf *out);

/* Append the location of a frame, or the URL of which label_name() has the end; of a very long one
 * only what text_fit() and text_fit_end() need of it. */
void label_place(const struct profile *profile, const struct frame *frame, bool is_full,
		 struct buf *out);

/* Append the name of a function in `room` cells, truncated in its middle: `app.js:12` for a
 * function without a name. In a box: also the end of a URL, `GC`, up to six cells
 * only the beginning of the name, and nothing where that could not be read. */
void label_frame(const struct profile *profile, frame_id id, int room, struct buf *out);
void label_box(const struct profile *profile, frame_id id, int room, struct buf *out);

/* Append where an arrow of a flow begins, and how long before its end: `setTimeout app.js:13,
 * 4.2 ms before`. is_brief: without what it did. */
void label_flow(const struct profile *profile, const struct flow_link *link, bool is_brief,
		struct buf *out);

/* Append duration, busy share and samples of a lane: `busy 43.0 % of 12.4 s · 12 044 samples`; of a
 * merged lane, its time. The numbers of slices, async operations and objects are those of all
 * joined lanes. */
void label_lane_facts(const struct profile *profile, const struct lane *lane, bool is_merged,
		      struct buf *out);

/* ---- change ----
 *
 * How the change of a call between two sides looks (analyse/compare/sides.h): the colour of its
 * box, the label, and the texts about it. The sign of a change is part of each label, so that no
 * colour is needed: `+` more, `-` less, `*` new, U+2020 (dagger) gone. */

/* Whether a lane of the profile is the merged lane of the sides. NULL: there are none. */
static inline bool change_is_of(const struct sides *sides, const struct profile *profile,
				const struct lane *lane)
{
	return sides && lane == profile->lanes;
}

/* The colour of a node, by the change of its self time. */
enum role change_role(const struct sides *sides, node_id node);

/* The colour of a change. */
enum role change_role_of(const struct sides_unit *unit, const int64_t ns[SIDES]);

/* What the signs of labels mean, for the title of the lane. */
extern const char change_legend[];

/* The same, or the name alone if the lane is not that of the sides. */
void change_box(const struct profile *profile, const struct lane *lane, const struct sides *sides,
		node_id node, int room, struct buf *out);

/* Append `48.9 % -> 65.1 %  +16.2 pt`, with a real arrow. */
void change_text(const struct sides_unit *unit, const int64_t ns[SIDES], struct buf *out);

/* The sign before a name: `*`, a dagger, or an empty text. */
static inline const char *change_sign(enum sides_kind kind)
{
	return kind == SIDES_NEW || kind == SIDES_GONE ? sides_sign(kind) : "";
}

/* Append the text of what users noted to a call: `why so slow?` behind its sign, or `2 hidden`;
 * with why if is_full. */
void label_note(const struct chart *chart, const struct chart_note *note, bool is_full,
		struct buf *out);

/* Draw the notes into `r`, where the lanes have been drawn: above the call, where the row has room;
 * otherwise behind its name, or as a sign on it. */
void label_notes_draw(struct grid *g, struct rect r, const struct chart *chart);

#endif
