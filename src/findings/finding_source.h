/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the hottest line of a function calls, by its text. V8 gives built-in functions such as
 * JSON.parse no frames of their own: their time is self time of the caller. */
#ifndef FLAMETTY_ANALYSIS_FINDING_FINDING_SOURCE_H
#define FLAMETTY_ANALYSIS_FINDING_FINDING_SOURCE_H

#include "findings/finding_window.h"

/* Append the built-in functions that a line (counted from 1) of the file of a function calls:
 * `JSON.parse, JSON.stringify`. Returns whether there are any. There are none without a host of
 * sources, if the file was changed after the recording, for lines of more than 400 bytes, and if
 * the source map is far inside a large trace. While the text is being read, w->is_reading is set.
 */
bool finding_source_calls(struct finding_window *w, frame_id function, int32_t line,
			  struct buf *out);

/* The part of a line that is code of one function: from the column where it begins (0: on a line
 * before), without functions in it that begin at other columns. Columns count UTF-16 code units
 * from 1. */
struct finding_source_part {
	int32_t column;
	const int32_t *others;
	size_t n_others;
};

/* The same for that part of the text of a line, without its end. */
bool finding_source_line(struct str text, const struct finding_source_part *part, struct buf *out);

#endif
