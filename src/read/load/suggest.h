/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Suggests a subset that fits into memory, for files that do not. */
#ifndef FLAMETTY_LOAD_SUGGEST_H
#define FLAMETTY_LOAD_SUGGEST_H

#include "base/buf.h"
#include "model/build/partial/subset.h"

/* Say which options make a subset small enough to be loaded into `bytes`, or that none does. The
 * suggestion is a part of what `subset` has chosen already. was_tried: loading that took too much
 * memory, so the suggestion is at most half of it. */
void suggest_say(const struct subset *subset, int64_t bytes, bool was_tried, struct buf *out);

#endif
