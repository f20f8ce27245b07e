/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What would fit into memory of files that do not. */
#ifndef FLAMETTY_LOAD_SUGGEST_H
#define FLAMETTY_LOAD_SUGGEST_H

#include "base/buf.h"
#include "build/partial/part.h"

/* Say which options make a part small enough to be loaded into `bytes`, or that none does. What the
 * part asks for already is kept to; was_tried: all of that turned out to be too much, so what is
 * proposed is half of it at most. */
void suggest_say(const struct part *part, int64_t bytes, bool was_tried, struct buf *out);

#endif
