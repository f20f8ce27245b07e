/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Frames of stacks as lines of Brendan Gregg's folded format, `a;b;c`, as flamegraph.pl and
 * speedscope read it: the export and the clipboard write the same text. */
#ifndef FLAMETTY_ANALYSIS_FOLDED_H
#define FLAMETTY_ANALYSIS_FOLDED_H

#include "model/profile.h"

/* Append a name. The separator `;` becomes `:`; control characters, line breaks among them, become
 * visible. */
void folded_add_name(struct buf *out, const char *name, size_t len);

/* Append a frame: its name, and for an anonymous function its location. */
void folded_add_frame(struct buf *out, const struct profile *profile, const struct frame *frame);

#endif
