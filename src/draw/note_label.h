/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The labels that users wrote to calls. */
#ifndef FLAMETTY_DRAW_NOTE_LABEL_H
#define FLAMETTY_DRAW_NOTE_LABEL_H

#include "draw/chart.h"

/* Append the text of a note: `why so slow?` behind its sign, or `2 hidden`; with why if
 * is_full. */
void note_label_text(const struct chart *chart, const struct chart_note *note, bool is_full,
		     struct buf *out);

/* Draw them into `r`, where the lanes have been drawn: above the call, where the row has room;
 * otherwise behind its name, or as a sign on it. */
void note_label_draw(struct grid *g, struct rect r, const struct chart *chart);

#endif
