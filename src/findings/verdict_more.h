/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The line below the verdict line: what that does not say. */
#ifndef FLAMETTY_LAYOUT_VERDICT_MORE_H
#define FLAMETTY_LAYOUT_VERDICT_MORE_H

#include "findings/verdict.h"

/* Append, in `room` cells: what the sentences of the line's items say beyond the line, and the
 * first finding that is not on it. What does not fit is left out. */
void verdict_more(const struct findings_result *result, const struct verdict *line, int room,
		  struct buf *out);

#endif
