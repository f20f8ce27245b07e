/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Sentences of findings in a row that may be too short for them. */
#ifndef FLAMETTY_LAYOUT_SENTENCE_H
#define FLAMETTY_LAYOUT_SENTENCE_H

#include "base/buf.h"

#include <stdbool.h>

/* Append the beginning of a sentence, in visible form, that fits into `room` cells. It loses whole
 * parts from its end, and nothing marks that; where already the first part is too long, the cut is
 * marked by U+2026 and leaves no part of a number. Returns the number of cells used. */
int sentence_fit(struct buf *out, const char *text, int room);

/* Whether what was appended consists of whole parts. */
bool sentence_is_whole(const char *fitted);

#endif
