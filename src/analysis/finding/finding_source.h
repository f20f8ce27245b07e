/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the hottest line of a function calls, by its text. V8 gives built-in functions such as
 * JSON.parse no frames of their own: their time is self time of the caller. */
#ifndef FLAMETTY_ANALYSIS_FINDING_FINDING_SOURCE_H
#define FLAMETTY_ANALYSIS_FINDING_FINDING_SOURCE_H

#include "analysis/finding/finding_window.h"

/* Append the built-in functions that a line (counted from 1) of the file of a function calls:
 * `JSON.parse, JSON.stringify`. Returns whether there are any. There are none without a host of
 * sources, if the file was changed after the recording, for lines of more than 400 bytes, and if
 * the source map is far inside a large trace. While the text is being read, w->is_reading is set.
 */
bool finding_source_calls(struct finding_window *w, frame_id function, int32_t line,
			  struct buf *out);

/* The same for the text of a line, without its end. */
bool finding_source_line(struct str text, struct buf *out);

#endif
