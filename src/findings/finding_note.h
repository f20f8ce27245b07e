/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What else is known about a function: its hottest line, recursion. */
#ifndef FLAMETTY_ANALYSIS_FINDING_FINDING_NOTE_H
#define FLAMETTY_ANALYSIS_FINDING_FINDING_NOTE_H

#include "findings/finding_window.h"

/* Append ` (line 30: 50 %, JSON.parse)`: the line with at least half of the function's ticks. A
 * line of another function, which was inlined, has its name. If the source is there, what the line
 * calls and has no frame of its own follows; then the line may be the only one. Nothing is appended
 * if there are few ticks, or if the window is not the whole lane: ticks have no times. */
void finding_note_line(struct finding_window *w, frame_id function, struct buf *out);

/* Append `recursion, 44 deep` if the function is often on one stack, and much time is there. */
void finding_note_recursion(struct finding_window *w, frame_id function, struct buf *out);

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
