/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Names of functions and things in texts of findings. Everything is in visible form. */
#ifndef FLAMETTY_ANALYSIS_FINDING_FINDING_NAME_H
#define FLAMETTY_ANALYSIS_FINDING_FINDING_NAME_H

#include "findings/finding_window.h"

/* `formatPrice catalogue.js:28`. Without a name: `catalogue.js:28 in list`, where `list` is the
 * nearest named caller in the same file that has most of its time; at the beginning of a file, the
 * file alone. In minified code a short name is no name, and a place has its column, unless lines
 * are short and the name is not. */
void finding_name_label(struct finding_window *w, frame_id frame, struct buf *out);

/* The name without a location; with it if the name is a short one of minified code; as
 * finding_name_label() if there is none. */
void finding_name_short(struct finding_window *w, frame_id frame, struct buf *out);

/* Whether a function begins so far behind the beginning of its line that the line says little, as
 * in minified code. */
bool finding_name_is_on_long_line(const struct profile *profile, frame_id frame);

/* The end of a url: `catalogue.js`, `data:`, `wasm`. */
void finding_name_file(const struct profile *profile, const char *url, struct buf *out);

/* A text of the profile. */
void finding_name_text(const struct profile *profile, str_id id, struct buf *out);

/* ` 37 %` without the blank: the share of the busy time. */
void finding_name_share(const struct finding_window *w, int64_t ns, struct buf *out);

#endif
