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

#endif
